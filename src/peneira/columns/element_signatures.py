"""Element signatures: the tag of an element and the words its author named it with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.character_search import character_search
from peneira.kept_property import kept_property
from peneira.late_patterns import late_pattern
from peneira.page import TEXT as TEXT_TAG
from peneira.page import Page, attribute_codes
from peneira.short_text_cache import cache_of_short_texts

# Attributes whose words name an element, the most specific first
NAMING_ATTRIBUTES = (
    *("itemprop", "property", "data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-ui", "data-hook"),
    *("data-e2e", "data-automation-id", "data-element", "data-field", "data-name", "class"),
)
_NAMING_ATTRIBUTES = frozenset(NAMING_ATTRIBUTES)
_WORD = late_pattern(r"[^\W\d_]+(?:[-_]+[^\W\d_]+)*")
# Formatting is about style, not meaning; with a class of its own such an element may be a field
FORMATTING_TAGS = frozenset(
    "abbr acronym b bdi bdo big cite code dfn em font i kbd mark nobr q samp small strong sub sup tt u var wbr".split()
)
# What is struck out, and what replaces it, is a field if it has a digit, as an old price and a new one; words are not
EDIT_TAGS = ("del", "ins", "s", "strike")
_EDITED_WORDS = 1 << 62  # in the key of a row
_HAS_DIGIT = character_search("", digits=True)
# Elements with more words are styled by utility classes, of which a few are enough to distinguish them
MAX_WORDS = 12


@dataclass(frozen=True, slots=True)
class Signature:
    """The tag and the naming words of an element. Words with digits are left out: they number or are generated.

    ``ordered_words``: the words in the order of ``NAMING_ATTRIBUTES``; ``prop``: the microdata or RDFa property;
    ``edits_words``: whether the element strikes out or replaces a text without a digit.
    """

    tag: str
    words: frozenset[str]
    ordered_words: tuple[str, ...] = ()
    prop: str = ""
    edits_words: bool = False

    @property
    def is_formatting(self) -> bool:
        """Whether the element is text, or only formats the text it contains."""
        return self.tag == TEXT_TAG or ((self.tag in FORMATTING_TAGS or self.edits_words) and not self.words)


class SignatureTable:
    """The distinct signatures of a page, by number; number 0 is that of a text."""

    def __init__(self, page: Page) -> None:
        self._page = page
        # equal keys, equal tags and naming attributes, so that the attributes of most rows need not be read
        self.key_codes = _keys(page)
        self.by_key: dict[int, int] = {}
        self._numbers: dict[Signature, int] = {}
        self.signatures: list[Signature] = []
        self.formatting: list[bool] = []  # by number, whether it is that of a text or of what only formats text
        self._add(Signature(TEXT_TAG, frozenset()))

    @kept_property
    def keys(self) -> list[int]:
        """The keys as a list, which plain loops read faster than an array."""
        keys: list[int] = self.key_codes.tolist()
        return keys

    def number_of(self, row: int) -> int:
        """Return the number of a row's signature."""
        key = int(self.key_codes[row])
        number = self.by_key.get(key)
        if number is None:
            number = self.by_key[key] = self._add(
                _signature(self._page.name(row), self._page.attrs[row], edits_words=bool(key & _EDITED_WORDS))
            )
        return number

    def is_formatting(self, number: int) -> bool:
        """Return whether the signature is that of a text or of an element that only formats text."""
        return self.formatting[number]

    def _add(self, signature: Signature) -> int:
        if signature not in self._numbers:
            self._numbers[signature] = len(self.signatures)
            self.signatures.append(signature)
            self.formatting.append(signature.is_formatting)
        return self._numbers[signature]


def _keys(page: Page) -> NDArray[np.int64]:
    """Return a number for the tag and the naming attributes of each row, and whether it edits words."""
    keys = page.tag.astype(np.int64) << 32 | attribute_codes(page, _NAMING_ATTRIBUTES)
    edits = page.rows_of(*EDIT_TAGS)
    if len(edits):
        digits = running_sum(np.array([bool(_HAS_DIGIT(text)) for text in page.text]))
        keys[edits[digits[page.end[edits]] == digits[edits]]] |= _EDITED_WORDS
    return keys


def _signature(tag: str, attrs: Mapping[str, str], *, edits_words: bool) -> Signature:
    return _named_signature(
        tag, edits_words, *[part for name in NAMING_ATTRIBUTES if name in attrs for part in (name, attrs[name])]
    )


@cache_of_short_texts(4096, lambda tag, _, *named: len(tag) + sum(map(len, named)))
def _named_signature(tag: str, edits_words: bool, *named: str) -> Signature:
    """Return the signature of an element with these naming attributes, each followed by its value."""
    values = dict(zip(named[::2], named[1::2], strict=True))
    words = [word for value in values.values() for word in value.split() if _WORD.fullmatch(word)]
    prop = (values.get("itemprop") or values.get("property") or "").split()
    ordered_words = tuple(dict.fromkeys(words[:MAX_WORDS]))
    return Signature(tag, frozenset(ordered_words), ordered_words, prop[0] if prop else "", edits_words)

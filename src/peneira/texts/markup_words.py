"""Words of the markup around a block, and what they say about it: learned over many hosts.

Web authors name their elements (``entry-content``, ``related-posts``, ``sidebar``). The share of text below a word that
is content, as a mean over hosts, is learned by ``peneira train text``. So are the words of the texts themselves:
"Share", "Related articles", "Add to cart".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np

from peneira.arrays import running_sum
from peneira.kept_property import kept_property
from peneira.ml.forest import Numbers
from peneira.page import Flags
from peneira.short_text_cache import cache_of_short_texts
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.known_names import Names, NumberedNames, ValuesOfNames
from peneira.texts.tag_kinds import block_tables
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_vocabulary import MAX_TEXT_WORDS, UNKNOWN, TextVocabulary
from peneira.texts.text_words import TextWords, words_in

FORMAT = "peneira-words"
# Bounds the time for attributes of generated pages
MAX_ATTRIBUTE_CHARS = 300
# Values of attributes whose words are remembered for the next page of a site
MAX_SEEN_VALUES = 20_000
_PART = re.compile(r"[a-z]{2,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")

Shares = Mapping[str, float]
KnownShares = tuple[float, float, float, int]
_NONE: KnownShares = (1.0, 0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class WordShares:
    """The share of content below each word of markup, and in texts with each word, 0..1."""

    markup: Shares
    texts: TextVocabulary
    # those of the names that pages had before
    _seen: ValuesOfNames = field(
        default_factory=lambda: ValuesOfNames(np.float64, 4), init=False, compare=False, repr=False
    )

    def of_texts(self, texts: TextWords) -> Numbers:
        """Return the lowest, the highest and the mean of the known shares of the words of each text, a column each."""
        return self.texts.shares_of(texts)

    def of_all(self, names: NumberedNames) -> Numbers:
        """Return the lowest, the highest, the sum and the number of the known shares of the words of names."""
        found: Numbers = self._seen.of(names, self._of_names)
        return found

    def _of_names(self, names: Names) -> KnownShares:
        known = [self.markup[word] for word in _words_of(names) if word in self.markup]
        return (min(known), max(known), sum(known), len(known)) if known else _NONE

    def to_bytes(self) -> bytes:
        """Return the shares as they are in a file: a line of JSON, two lines of words, then arrays of thousandths."""
        markup, texts = sorted(self.markup), self.texts
        first, second = np.divmod(texts.pairs, max(len(texts.numbers) * 2, 1))
        head = {"format": FORMAT, "version": 1, "pairs": len(first)}
        lines = [json.dumps(head, separators=(",", ":")), " ".join(markup), " ".join(texts.numbers)]
        shares = (np.array([self.markup[word] for word in markup]), texts.shares[1:], texts.pair_shares)
        arrays = [*(np.rint(own * 1000).astype("<i2") for own in shares), first.astype("<i4"), second.astype("<i4")]
        return "".join(f"{line}\n" for line in lines).encode() + b"".join(array.tobytes() for array in arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> WordShares:
        """Return the shares that ``to_bytes`` wrote."""
        line, markup_line, text_line, rest = data.split(b"\n", 3)
        head = json.loads(line)
        if head.get("format") != FORMAT or head.get("version") != 1:
            raise ValueError(f"not a {FORMAT} file of version 1")
        markup, texts, pairs = markup_line.decode().split(), text_line.decode().split(), int(head["pairs"])
        arrays, offset = [], 0
        for dtype, count in (("<i2", len(markup)), ("<i2", len(texts)), ("<i2", pairs), ("<i4", pairs), ("<i4", pairs)):
            array = np.frombuffer(rest, dtype=dtype, count=count, offset=offset)
            arrays.append(array)
            offset += array.nbytes
        # a thousandth is divided: the quotient is the number nearest to the share that was rounded to three digits
        of_markup, of_texts, of_pairs = (array / 1000 for array in arrays[:3])
        first, second = (array.astype(np.int64) for array in arrays[3:])
        known = dict(zip(markup, of_markup.tolist(), strict=True))
        return cls(known, TextVocabulary.of_arrays(texts, of_texts, first, second, of_pairs))


@cache_of_short_texts(MAX_SEEN_VALUES)
def attribute_words(value: str) -> tuple[str, ...]:
    """Return the words of the value of a naming attribute: whole names, and the parts of names, without numbers."""
    words: dict[str, None] = {}
    for name in value[:MAX_ATTRIBUTE_CHARS].split():
        lowered = _HUMP.sub("-", name).lower()
        parts = _PART.findall(lowered)
        words.update(dict.fromkeys(parts))
        if len(parts) > 1:
            words["-".join(parts)] = None
    return tuple(words)


def _words_of(values: Names) -> tuple[str, ...]:
    return tuple(word for value in values for word in attribute_words(value))


@lru_cache(maxsize=4096)
def text_words(text: str) -> tuple[str, ...]:
    """Return the first distinct words of a text, and pairs of neighbours among them; words with digits are left out."""
    found = words_in(text)[:MAX_TEXT_WORDS]
    pairs = [f"{a} {b}" for a, b in pairwise(found) if a.isalpha() and b.isalpha()]
    return tuple(dict.fromkeys([*filter(str.isalpha, found), *pairs]))


class BlockWords:
    """The words around and in the blocks of a page."""

    def __init__(self, blocks: TextBlocks) -> None:
        self._blocks: TextBlocks | None = blocks
        self.texts = blocks.words
        self.distinct = blocks.names.distinct
        if block_tables is None:
            self._number(blocks)

    def without_page(self) -> BlockWords:
        """Return the same without the page, to be kept for learning."""
        own = copy(self)
        if own._blocks is not None:
            own._number(own._blocks)
            own._blocks = None
        return own

    def __getattr__(self, name: str) -> list[int]:
        """Return the numbers of elements, which only learning needs where the kernel is compiled."""
        if name not in ("above", "code", "element") or self._blocks is None:
            raise AttributeError(name)
        self._number(self._blocks)
        found: list[int] = self.__dict__[name]
        return found

    def _number(self, blocks: TextBlocks) -> None:
        page, names = blocks.page, blocks.names
        is_named = _hold_blocks(blocks) & (names.code > 0)
        # from each row to the nearest element around it that has names, in steps that double; row 0 has none
        nearest = np.where(is_named, np.arange(len(page)), np.maximum(page.parent, 0))
        while not np.array_equal(further := nearest[nearest], nearest):
            nearest = further
        number = np.where(is_named, np.cumsum(is_named) - 1, -1)[nearest]
        # elements around blocks that have names, and the next of them above each, by number; -1 above the outermost
        self.above: list[int] = number[page.parent[is_named]].tolist()
        self.code: list[int] = names.code[is_named].tolist()
        self.element: list[int] = number[page.parent[blocks.rows]].tolist()

    @kept_property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each numbered element."""
        return [_words_of(self.distinct[code]) for code in self.code]

    def features(self, shares: WordShares) -> FeatureColumns:
        """Return what the words around each block and in it say."""
        near, low, high, mean = self.around(shares)
        text_table = shares.of_texts(self.texts)
        return {
            "word_near": near,
            "word_low": low,
            "word_high": high,
            "word_mean": mean,
            "text_word_low": text_table[:, 0],
            "text_word_high": text_table[:, 1],
            "text_word_mean": text_table[:, 2],
        }

    def around(self, shares: WordShares) -> Numbers:
        """Return what the words of the elements around each block say: the nearest, lowest, highest, mean share."""
        if block_tables is None or self._blocks is None:
            return np.stack(self._around(shares))
        page, blocks = self._blocks.page, self._blocks
        known = shares.of_all(blocks.names.numbered)
        table: Numbers = block_tables.words_around(
            page.tag, page.parent, blocks.names.code, page.body, blocks.rows, known, UNKNOWN
        )
        return table

    def _around(self, shares: WordShares) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        none = (UNKNOWN, 1.0, 0.0, 0.0, 0)
        rows: list[tuple[float, float, float, float, int]] = []
        known_of = shares.of_all(NumberedNames.of(self.distinct)).tolist()
        for above, code in zip(self.above, self.code, strict=True):
            row = rows[above] if above >= 0 else none
            own_low, own_high, own_total, own_count = known_of[code]
            if own_count:
                _, low, high, total, count = row
                row = (
                    own_total / own_count,
                    own_low if own_low < low else low,
                    own_high if own_high > high else high,
                    total + own_total,
                    count + own_count,
                )
            rows.append(row)
        rows.append(none)  # where -1 leads: above the outermost
        table = np.array(rows, dtype=np.float64)[self.element]
        return table[:, 0], table[:, 1], table[:, 2], table[:, 3] / np.maximum(table[:, 4], 1)


def _hold_blocks(blocks: TextBlocks) -> Flags:
    """Return which rows are elements below the body that hold a block."""
    page = blocks.page
    has_block = np.zeros(len(page), dtype=np.int64)
    has_block[blocks.rows] = 1
    counts = running_sum(has_block)
    holds = (counts[page.end] > counts[:-1]) & (page.tag != 0)
    holds[: page.body + 1] = False
    return np.asarray(holds)


def words_above(words: BlockWords) -> list[frozenset[str]]:
    """Return, for each numbered element, its words and those of all elements above it: to learn from."""
    sets: list[frozenset[str]] = []
    for above, own in zip(words.above, words.words, strict=True):
        sets.append(frozenset(own) | (sets[above] if above >= 0 else frozenset()))
    return sets

"""Words of the markup around a block, and what they say about it: learned over many hosts.

Web authors name their elements (``entry-content``, ``related-posts``, ``sidebar``). The share of text below a word that
is content, as a mean over hosts, is learned by ``peneira train text``. So are the words of the texts themselves:
"Share", "Related articles", "Add to cart".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from peneira.ml.forest import Numbers
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_vocabulary import MAX_TEXT_CHARS, MAX_TEXT_WORDS, UNKNOWN, TextVocabulary

NAMING_ATTRIBUTES = ("class", "id", "role", "itemprop")
# Bounds the time for attributes of generated pages
MAX_ATTRIBUTE_CHARS = 300
MAX_SEEN_VALUES = 4_000
_PART = re.compile(r"[a-z]{2,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TEXT_WORD = re.compile(r"[^\W\d_]{2,}")

Shares = Mapping[str, float]
KnownShares = tuple[float, float, float, int]


@dataclass(frozen=True, slots=True)
class WordShares:
    """The share of content below each word of markup, and in texts with each word, 0..1."""

    markup: Shares
    texts: Shares
    # made when texts are first looked up
    _vocabulary: list[TextVocabulary] = field(default_factory=list, init=False, compare=False, repr=False)
    # the lowest, the highest, the sum and the number of the known shares of attribute values seen before
    _seen: dict[tuple[str, ...], KnownShares | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def of_texts(self, texts: Sequence[str]) -> Numbers:
        """Return the lowest, the highest and the mean of the known shares of the words of each text, a column each."""
        if not self._vocabulary:
            self._vocabulary.append(TextVocabulary.of(self.texts))
        return self._vocabulary[0].shares_of(texts)

    def of_values(self, values: tuple[str, ...]) -> KnownShares | None:
        """Return the lowest, the highest, the sum and the number of the known shares of the words of attributes."""
        if values not in self._seen:
            if len(self._seen) > MAX_SEEN_VALUES:
                self._seen.clear()
            known = [self.markup[word] for word in _words_of(values) if word in self.markup]
            self._seen[values] = (min(known), max(known), sum(known), len(known)) if known else None
        return self._seen[values]

    def to_json(self) -> str:
        """Return the shares as JSON text, the words in order."""
        tables = {"markup": dict(sorted(self.markup.items())), "texts": dict(sorted(self.texts.items()))}
        return json.dumps(tables, ensure_ascii=False, separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str) -> WordShares:
        """Return the shares that ``to_json`` wrote."""
        tables = json.loads(text)
        return cls(tables["markup"], tables["texts"])


@lru_cache(maxsize=4096)
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


def _words_of(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for value in values for word in attribute_words(value))


@lru_cache(maxsize=4096)
def text_words(text: str) -> tuple[str, ...]:
    """Return the first distinct words of a text, and pairs of neighbours among them."""
    found = _TEXT_WORD.findall(text[:MAX_TEXT_CHARS].lower())[:MAX_TEXT_WORDS]
    pairs = [f"{a} {b}" for a, b in pairwise(found)]
    return tuple(dict.fromkeys([*found, *pairs]))


class BlockWords:
    """The words around and in the blocks of a page."""

    def __init__(self, blocks: TextBlocks) -> None:
        page = blocks.page
        self.strings = blocks.strings
        parents = page.lists.parent
        number: dict[int, int] = {}
        # elements that have words, and those above them, by number; -1 above the outermost
        self.above: list[int] = []
        self.values: list[tuple[str, ...]] = []
        body = page.body

        def numbered(node: int) -> int:
            chain = []
            while node > body and node not in number:
                chain.append(node)
                node = parents[node]
            last = number.get(node, -1)
            for element in reversed(chain):
                attrs = page.attrs[element]
                values = tuple(attrs[name] for name in NAMING_ATTRIBUTES if name in attrs) if attrs else ()
                if values:
                    self.above.append(last)
                    self.values.append(values)
                    last = len(self.above) - 1
                number[element] = last
            return last

        self.element = [numbered(parents[row]) for row in blocks.rows.tolist()]

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each numbered element."""
        return [_words_of(values) for values in self.values]

    def features(self, shares: WordShares) -> FeatureColumns:
        """Return what the words around each block and in it say."""
        near, low, high, mean = self._around(shares)
        text_table = shares.of_texts(self.strings)
        return {
            "word_near": near,
            "word_low": low,
            "word_high": high,
            "word_mean": mean,
            "text_word_low": text_table[:, 0],
            "text_word_high": text_table[:, 1],
            "text_word_mean": text_table[:, 2],
        }

    def _around(self, shares: WordShares) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        none = (UNKNOWN, 1.0, 0.0, 0.0, 0)
        rows: list[tuple[float, float, float, float, int]] = []
        for above, values in zip(self.above, self.values, strict=True):
            row = rows[above] if above >= 0 else none
            if known := shares.of_values(values):
                _, low, high, total, count = row
                own_low, own_high, own_total, own_count = known
                row = (
                    own_total / own_count,
                    min(low, own_low),
                    max(high, own_high),
                    total + own_total,
                    count + own_count,
                )
            rows.append(row)
        table = np.array([rows[k] if k >= 0 else none for k in self.element], dtype=np.float64).reshape(-1, 5)
        return table[:, 0], table[:, 1], table[:, 2], table[:, 3] / np.maximum(table[:, 4], 1)


def words_above(words: BlockWords) -> list[frozenset[str]]:
    """Return, for each numbered element, its words and those of all elements above it: to learn from."""
    sets: list[frozenset[str]] = []
    for above, own in zip(words.above, words.words, strict=True):
        sets.append(frozenset(own) | (sets[above] if above >= 0 else frozenset()))
    return sets

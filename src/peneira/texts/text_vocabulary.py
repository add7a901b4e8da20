"""Known words and pairs of words, looked up in all texts of a page at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import numpy as np

from peneira.arrays import Integers
from peneira.ml.forest import Numbers
from peneira.page import Flags
from peneira.texts.text_words import TextWords, word_scan

# Words of a text that are looked up: the first of them say what it is
MAX_TEXT_WORDS = 12
UNKNOWN = -1.0
_NO_WORD = 0


@dataclass(frozen=True, slots=True)
class TextVocabulary:
    """Known words by number, the share of each (``UNKNOWN`` if only pairs have it), and the pairs in order.

    ``is_first`` and ``is_second``: which words are the first and the second of a pair; most neighbours are no pair.
    """

    numbers: Mapping[str, int]
    shares: Numbers
    is_first: Flags
    is_second: Flags
    pairs: Integers
    pair_shares: Numbers
    # the hash tables of the kernel, made when they are first needed
    _tables: list[Any] = field(default_factory=list, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, shares: Mapping[str, float]) -> TextVocabulary:
        """Return the vocabulary of words and pairs, whose words have a space between them."""
        words = sorted({word for key in shares for word in key.split(" ")})
        numbers = {word: k for k, word in enumerate(words, _NO_WORD + 1)}
        pairs = sorted(
            (numbers[first], numbers[second], share)
            for (first, _, second), share in ((key.partition(" "), share) for key, share in shares.items())
            if second
        )
        table = np.array(pairs).reshape(-1, 3)
        single = np.array([shares.get(word, UNKNOWN) for word in words])
        return cls.of_arrays(words, single, table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])

    @classmethod
    def of_arrays(
        cls, words: Sequence[str], shares: Numbers, first: Integers, second: Integers, pair_shares: Numbers
    ) -> TextVocabulary:
        """Return the vocabulary of words with their shares, and of pairs of their numbers, from 1, in order."""
        size = len(words) + 1
        is_first, is_second = np.zeros((2, size), dtype=np.bool_)
        is_first[first], is_second[second] = True, True
        return cls(
            dict(zip(words, range(_NO_WORD + 1, size), strict=True)),
            np.concatenate(([UNKNOWN], shares)),
            is_first,
            is_second,
            first * (len(words) * 2) + second,
            pair_shares,
        )

    def shares_of(self, texts: TextWords) -> Numbers:
        """Return the lowest, the highest and the mean of the known shares of each text, a column each.

        Of a text the first words and the pairs of neighbours among them count, each once.
        """
        if texts.hashes is None:
            return self.shares_of_plain(texts)
        if not self._tables:
            hashes, _ = word_scan.scanned(list(self.numbers))
            pairs = word_scan.slots(self.pairs.astype(np.uint64))
            # replaced as a whole, as two threads may get here
            shares = np.ascontiguousarray(self.pair_shares)
            self._tables[:] = (*word_scan.slots(hashes), self.shares, *pairs, shares)
        table: Numbers = word_scan.known_shares(
            texts.hashes, texts.counts, *self._tables, len(self.numbers) * 2, MAX_TEXT_WORDS, UNKNOWN
        )
        return table

    def shares_of_plain(self, texts: TextWords) -> Numbers:
        """Return the same with numpy alone."""
        words = list(chain.from_iterable([own[:MAX_TEXT_WORDS] for own in texts.of_text]))
        owner = np.repeat(np.arange(len(texts.counts)), np.minimum(texts.counts, MAX_TEXT_WORDS))
        numbers = np.fromiter(map(self.numbers.get, words, repeat(_NO_WORD)), np.int64, len(words))
        before, after = numbers[:-1], numbers[1:]
        maybe = np.flatnonzero(self.is_first[before] & self.is_second[after] & (owner[:-1] == owner[1:]))
        keys = before[maybe] * (len(self.numbers) * 2) + after[maybe]
        # where there is no pair, none of the words may be in one
        places = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        is_pair = self.pairs[places] == keys
        single = self.shares[numbers]
        is_known = single != UNKNOWN
        owners = np.concatenate((owner[is_known], owner[maybe[is_pair]]))
        keys = np.concatenate((numbers[is_known], keys[is_pair]))
        known = np.concatenate((single[is_known], self.pair_shares[places[is_pair]]))
        return _spans(len(texts.lowered), owners, keys, known)


def _spans(size: int, owners: Integers, keys: Integers, shares: Numbers) -> Numbers:
    """Return the lowest, the highest and the mean share of each owner; a key counts once."""
    table = np.full((size, 3), UNKNOWN)
    if not len(owners):
        return table
    # one number for both takes half the time to sort
    _, first = np.unique(owners * (int(keys.max()) + 1) + keys, return_index=True)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, owners, shares)
    np.maximum.at(high, owners, shares)
    # shares are added up in the order of the text, as the kernel does
    first.sort()
    counts = np.bincount(owners[first], minlength=size)
    known = counts > 0
    means = np.bincount(owners[first], shares[first], minlength=size) / np.maximum(counts, 1)
    table[known] = np.stack((low, high, means), axis=1)[known]
    return table

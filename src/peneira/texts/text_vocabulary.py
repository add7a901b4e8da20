"""Known words and pairs of words, looked up in all texts of a page at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from peneira.arrays import Integers
from peneira.ml.forest import Numbers

# Words of a text that are looked up: the first of them say what it is
MAX_TEXT_WORDS = 12
MAX_TEXT_CHARS = 150
UNKNOWN = -1.0
_WORD_OR_BREAK = re.compile(r"[^\W\d_]{2,}|\n")
_NO_WORD, _BREAK = 0, 1


@dataclass(frozen=True, slots=True)
class TextVocabulary:
    """Known words by number, the share of each (``UNKNOWN`` if only pairs have it), and the pairs in order."""

    numbers: Mapping[str, int]
    shares: Numbers
    pairs: Integers
    pair_shares: Numbers

    @classmethod
    def of(cls, shares: Mapping[str, float]) -> TextVocabulary:
        """Return the vocabulary of words and pairs, whose words have a space between them."""
        words = sorted({word for key in shares for word in key.split(" ")})
        numbers = {"\n": _BREAK, **{word: k for k, word in enumerate(words, _BREAK + 1)}}
        pairs = sorted(
            (numbers[first] * len(numbers) * 2 + numbers[second], share)
            for (first, _, second), share in ((key.partition(" "), share) for key, share in shares.items())
            if second
        )
        single = [UNKNOWN, UNKNOWN, *(shares.get(word, UNKNOWN) for word in words)]
        keys, pair_shares = zip(*pairs, strict=True) if pairs else ((), ())
        return cls(numbers, np.array(single), np.array(keys, dtype=np.int64), np.array(pair_shares))

    def shares_of(self, texts: Sequence[str]) -> Numbers:
        """Return the lowest, the highest and the mean of the known shares of each text, a column each.

        Of a text the first words and the pairs of neighbours among them count, each once.
        """
        words = _WORD_OR_BREAK.findall("\n".join([text[:MAX_TEXT_CHARS].lower() for text in texts]))
        numbers = np.fromiter(map(self.numbers.get, words, repeat(_NO_WORD)), np.int64, len(words))
        is_break = numbers == _BREAK
        owner = np.cumsum(is_break)
        starts = np.concatenate(([0], np.flatnonzero(is_break) + 1))
        counts = ~is_break & (np.arange(len(words)) - starts[owner] < MAX_TEXT_WORDS)
        keys = numbers[:-1] * (len(self.numbers) * 2) + numbers[1:]
        places = np.minimum(np.searchsorted(self.pairs, keys), max(len(self.pairs) - 1, 0))
        is_pair = counts[:-1] & counts[1:] & (self.pairs[places] == keys if len(self.pairs) else False)
        single = self.shares[numbers]
        counts &= single != UNKNOWN
        owners = np.concatenate((owner[counts], owner[:-1][is_pair]))
        keys = np.concatenate((numbers[counts], keys[is_pair]))
        known = np.concatenate((single[counts], self.pair_shares[places[is_pair]]))
        return _spans(len(texts), owners, keys, known)


def _spans(size: int, owners: Integers, keys: Integers, shares: Numbers) -> Numbers:
    """Return the lowest, the highest and the mean share of each owner; a key counts once."""
    table = np.full((size, 3), UNKNOWN)
    order = np.lexsort((keys, owners))
    owners, keys, shares = owners[order], keys[order], shares[order]
    is_first = np.ones(len(owners), dtype=np.bool_)
    is_first[1:] = (owners[1:] != owners[:-1]) | (keys[1:] != keys[:-1])
    owners, shares = owners[is_first], shares[is_first]
    if len(owners):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        own = owners[starts]
        table[own, 0], table[own, 1] = np.minimum.reduceat(shares, starts), np.maximum.reduceat(shares, starts)
        table[own, 2] = np.add.reduceat(shares, starts) / np.diff(starts, append=len(owners))
    return table

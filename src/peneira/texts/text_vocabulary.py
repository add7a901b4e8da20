"""Known words and pairs of words, looked up in all texts of a page at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress, repeat

import numpy as np

from peneira.arrays import Integers
from peneira.ml.forest import Numbers
from peneira.texts.text_words import TextWords

# Words of a text that are looked up: the first of them say what it is
MAX_TEXT_WORDS = 12
UNKNOWN = -1.0
_NO_WORD = 0


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
        numbers = {word: k for k, word in enumerate(words, _NO_WORD + 1)}
        pairs = sorted(
            (numbers[first] * len(numbers) * 2 + numbers[second], share)
            for (first, _, second), share in ((key.partition(" "), share) for key, share in shares.items())
            if second
        )
        single = [UNKNOWN, *(shares.get(word, UNKNOWN) for word in words)]
        keys, pair_shares = zip(*pairs, strict=True) if pairs else ((), ())
        return cls(numbers, np.array(single), np.array(keys, dtype=np.int64), np.array(pair_shares))

    def shares_of(self, texts: TextWords) -> Numbers:
        """Return the lowest, the highest and the mean of the known shares of each text, a column each.

        Of a text the first words and the pairs of neighbours among them count, each once.
        """
        is_looked_up = (texts.turn < MAX_TEXT_WORDS) & ~texts.is_break
        words = list(compress(texts.words, is_looked_up.tolist()))
        owner = texts.owner[is_looked_up]
        numbers = np.fromiter(map(self.numbers.get, words, repeat(_NO_WORD)), np.int64, len(words))
        keys = numbers[:-1] * (len(self.numbers) * 2) + numbers[1:]
        places = np.minimum(np.searchsorted(self.pairs, keys), max(len(self.pairs) - 1, 0))
        is_pair = (owner[:-1] == owner[1:]) & (self.pairs[places] == keys if len(self.pairs) else False)
        single = self.shares[numbers]
        is_known = single != UNKNOWN
        owners = np.concatenate((owner[is_known], owner[:-1][is_pair]))
        keys = np.concatenate((numbers[is_known], keys[is_pair]))
        known = np.concatenate((single[is_known], self.pair_shares[places[is_pair]]))
        return _spans(len(texts.lowered), owners, keys, known)


def _spans(size: int, owners: Integers, keys: Integers, shares: Numbers) -> Numbers:
    """Return the lowest, the highest and the mean share of each owner; a key counts once."""
    table = np.full((size, 3), UNKNOWN)
    # one number for both takes half the time to sort
    joined = owners * (int(keys.max(initial=0)) + 1) + keys
    order = np.argsort(joined, kind="stable")
    joined, owners, shares = joined[order], owners[order], shares[order]
    is_first = np.ones(len(owners), dtype=np.bool_)
    is_first[1:] = joined[1:] != joined[:-1]
    owners, shares = owners[is_first], shares[is_first]
    if len(owners):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        own = owners[starts]
        table[own, 0], table[own, 1] = np.minimum.reduceat(shares, starts), np.maximum.reduceat(shares, starts)
        table[own, 2] = np.add.reduceat(shares, starts) / np.diff(starts, append=len(owners))
    return table

"""Which words of a page stand in a reference text, in order: the longest common subsequence of the two.

The bit-parallel algorithm of Hyyrö (2004) with the rows kept for the way back; Python's integers are the bit vectors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

# Longer texts are aligned in part only; the rest counts as not in the reference
MAX_WORDS = 40_000


def aligned_words(words: Sequence[str], reference: Sequence[str]) -> list[bool]:
    """Return which words are in the longest common subsequence of both. O(words * reference / 64) time."""
    rows = _rows(words[:MAX_WORDS], reference[:MAX_WORDS])
    flags = [False] * len(words)
    row, column = len(rows), min(len(reference), MAX_WORDS)
    while row and column:
        if rows[row - 1] >> (column - 1) & 1:
            column -= 1
            continue
        row -= 1
        if row and not rows[row - 1] >> (column - 1) & 1:
            continue
        flags[row] = True
        column -= 1
    return flags


def _rows(words: Sequence[str], reference: Sequence[str]) -> list[int]:
    """Return the bit vector of each row of the table: a bit is 0 where the subsequence grows by that word."""
    places: defaultdict[str, int] = defaultdict(int)
    for k, word in enumerate(reference):
        places[word] |= 1 << k
    every = (1 << len(reference)) - 1
    vector, rows = every, []
    for word in words:
        matched = vector & places.get(word, 0)
        vector = (vector + matched | vector - matched) & every
        rows.append(vector)
    return rows

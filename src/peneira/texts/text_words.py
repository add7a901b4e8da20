"""The words of all texts of a page, found once for the features that look words up."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from peneira.arrays import Integers
from peneira.page import Flags

# Runs of two letters or digits and more; between two texts is a line break, the only one of length 1
_WORD_OR_BREAK = re.compile(r"\w{2,}|\n")
_WORD = re.compile(r"\w{2,}")


class TextWords:
    """The words of texts, in lower case and in order, with a line break between two texts.

    ``owner`` has the number of the text of each word, ``turn`` its position there. ``lowered``: the texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        joined = "\n".join(texts).lower()
        self.lowered = joined.split("\n")
        self.words: list[str] = _WORD_OR_BREAK.findall(joined)
        self.is_break: Flags = np.fromiter(map(len, self.words), np.int64, len(self.words)) == 1
        self.owner: Integers = np.cumsum(self.is_break)
        starts = np.concatenate(([0], np.flatnonzero(self.is_break) + 1))
        self.turn: Integers = np.arange(len(self.words)) - starts[self.owner]
        self.counts: Integers = np.bincount(self.owner[~self.is_break], minlength=len(texts))


def words_in(text: str) -> list[str]:
    """Return the words of one text, in lower case."""
    return _WORD.findall(text.lower())

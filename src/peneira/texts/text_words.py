"""The words of all texts of a page, found once for the features that look words up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from peneira.arrays import Integers
from peneira.kept_property import kept_property
from peneira.kernels import compiled

word_scan = compiled("word_scan")

# Runs of two letters or digits and more
_WORD = re.compile(r"\w{2,}")


class TextWords:
    """The words of texts, in lower case and in order: all of them, and those of each text.

    ``owner`` has the number of the text of each word, ``counts`` how many words each text has. ``lowered``: the texts.
    ``hashes`` has a number for each word where the kernel is compiled, else None.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        # one by one: a text of plain letters alone is made lower case in a tenth of the time
        self.lowered = list(map(str.lower, texts))
        self.hashes: Any = None
        if word_scan is None:
            self.counts: Integers = np.fromiter(map(len, self.of_text), np.int64, len(self.of_text))
        else:
            self.hashes, self.counts = word_scan.scanned(self.lowered)

    @kept_property
    def of_text(self) -> list[list[str]]:
        """The words of each text."""
        return list(map(_WORD.findall, self.lowered))

    @kept_property
    def words(self) -> list[str]:
        """All words."""
        return list(chain.from_iterable(self.of_text))

    @kept_property
    def owner(self) -> Integers:
        """The number of the text of each word."""
        return np.repeat(np.arange(len(self.counts)), self.counts)


def words_in(text: str) -> list[str]:
    """Return the words of one text, in lower case."""
    return _WORD.findall(text.lower())

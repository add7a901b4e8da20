"""The words of all texts of a page, found once for the features that look words up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np

from peneira.arrays import Integers

# Runs of two letters or digits and more
_WORD = re.compile(r"\w{2,}")


class TextWords:
    """The words of texts, in lower case and in order: all of them, and those of each text.

    ``owner`` has the number of the text of each word, ``counts`` how many words each text has. ``lowered``: the texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.lowered = "\n".join(texts).lower().split("\n")
        self.of_text: list[list[str]] = list(map(_WORD.findall, self.lowered))
        self.words = list(chain.from_iterable(self.of_text))
        self.counts: Integers = np.fromiter(map(len, self.of_text), np.int64, len(self.of_text))
        self.owner: Integers = np.repeat(np.arange(len(self.counts)), self.counts)


def words_in(text: str) -> list[str]:
    """Return the words of one text, in lower case."""
    return _WORD.findall(text.lower())

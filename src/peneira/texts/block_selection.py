"""Which blocks to keep, given how probable each is content: those with the best word F1 to be expected."""

from __future__ import annotations

import numpy as np

from peneira.ml.forest import Numbers
from peneira.page import Flags


def best_selection(probability: Numbers, words: Numbers) -> tuple[Flags, float]:
    """Return which blocks to keep for the best expected word F1, and that F1.

    With the blocks in order of their probabilities, the F1 of the first k is about twice their expected words of
    content over their words and all expected words of content. Where the page is unclear, the best F1 is low and more
    is kept: a block is worth keeping if its probability is above half of that F1.
    """
    order = np.argsort(-probability, kind="stable")
    content = (probability * words)[order]
    expected = content.sum()
    if expected <= 0:
        return np.zeros(len(words), dtype=np.bool_), 0.0
    f1 = 2 * np.cumsum(content) / (np.cumsum(words[order]) + expected)
    best = int(f1.argmax())
    return np.asarray(probability >= probability[order[best]]), float(f1[best])

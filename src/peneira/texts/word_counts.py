"""The number of words of texts: runs of letters and digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from peneira.ml.forest import Numbers

_WORD = re.compile(r"\w+")


def word_counts(texts: Sequence[str]) -> Numbers:
    """Return the number of words of each text."""
    return np.array([len(_WORD.findall(text)) for text in texts], dtype=np.float64)

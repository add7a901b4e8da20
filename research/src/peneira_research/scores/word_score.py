"""The word score of WCXB: how far the words of an extracted text and of the reference text are the same.

Words are runs of letters and digits in lower case, counted as often as they occur; their order does not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordScore:
    """Precision, recall and F1 of the words of a text; the shares of wanted and unwanted snippets that it holds.

    ``kept`` and ``let_through`` are None where the page names no such snippets.
    """

    precision: float
    recall: float
    f1: float
    kept: float | None = None
    let_through: float | None = None


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def word_score(text: str, reference: str, wanted: Sequence[str] = (), unwanted: Sequence[str] = ()) -> WordScore:
    """Return the score of a text against the reference; two empty texts are equal."""
    found, expected = Counter(words_of(text)), Counter(words_of(reference))
    shared = (found & expected).total()
    if not found.total() or not expected.total():
        both = float(found.total() == expected.total())
        return WordScore(both, both, both, _share(text, wanted), _share(text, unwanted))
    precision, recall = shared / found.total(), shared / expected.total()
    f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
    return WordScore(precision, recall, f1, _share(text, wanted), _share(text, unwanted))


def _share(text: str, snippets: Sequence[str]) -> float | None:
    """Return the share of the snippets whose words stand in the text one after the other."""
    if not snippets:
        return None
    joined = f" {' '.join(words_of(text))} "
    return sum(f" {' '.join(words_of(snippet))} " in joined for snippet in snippets) / len(snippets)

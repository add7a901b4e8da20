"""Whether a text has one of some phrases, in any case: asked of every line, so compiled where a compiler is found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from peneira.kernels import compiled

_EDGE = r"\b"


class PhraseSearch(Protocol):
    """Searches for phrases that have numbers."""

    def __call__(self, text: str) -> int:
        """Return the least number of the phrases that a text has, -1 if it has none."""

    def any_of(self, texts: Iterable[str]) -> bool:
        """Return whether one of some texts has a phrase."""

    def which(self, texts: Iterable[str]) -> list[int]:
        """Return the places of the texts that have a phrase."""


def phrase_search(*groups: Iterable[str]) -> PhraseSearch:
    """Return a search for phrases, the number of each is that of its group; those of Latin letters are whole words."""
    return _search([[(phrase, *_bounds(phrase)) for phrase in group] for group in groups])


def part_search(parts: Iterable[str]) -> PhraseSearch:
    """Return a search for parts of words, all of the number 0."""
    return _search([[(part, False, False) for part in parts]])


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases, in any case; those of Latin letters as whole words."""
    return _pattern((phrase, *_bounds(phrase)) for phrase in phrases)


def _bounds(phrase: str) -> tuple[bool, bool]:
    return phrase[0].isascii() and phrase[0].isalnum(), phrase[-1].isascii() and phrase[-1].isalnum()


def _search(groups: Sequence[Sequence[tuple[str, bool, bool]]]) -> PhraseSearch:
    kernel = compiled("phrase_scan")
    if kernel is None:
        return _PatternSearch(groups)
    numbered = [(phrase, number, *bounds) for number, group in enumerate(groups) for phrase, *bounds in group]
    search: PhraseSearch = kernel.PhraseSearch(numbered)
    return search


def _pattern(phrases: Iterable[tuple[str, bool, bool]]) -> re.Pattern[str]:
    written = (rf"{_EDGE * start}{re.escape(phrase)}{_EDGE * end}" for phrase, start, end in phrases)
    return re.compile("|".join(written), re.IGNORECASE)


class _PatternSearch:
    """The same by a regular expression for each number."""

    def __init__(self, groups: Sequence[Sequence[tuple[str, bool, bool]]]) -> None:
        self._patterns = [_pattern(group) for group in groups]

    def __call__(self, text: str) -> int:
        return next((number for number, pattern in enumerate(self._patterns) if pattern.search(text)), -1)

    def any_of(self, texts: Iterable[str]) -> bool:
        return any(self(text) >= 0 for text in texts)

    def which(self, texts: Iterable[str]) -> list[int]:
        return [place for place, text in enumerate(texts) if self(text) >= 0]

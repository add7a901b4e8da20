"""Whether a text has one of some characters: asked of every text, so compiled where a compiler is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Protocol

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern

DIGITS = r"\d"

text_scan = compiled("text_scan")


class CharacterSearch(Protocol):
    """A call tells whether a text has one of some characters."""

    def __call__(self, text: str) -> object: ...

    def in_most(self, texts: Collection[str], least: float) -> bool:
        """Return whether at least ``least`` texts have one of the characters."""

    def starts_most(self, texts: Collection[str], least: float) -> bool:
        """Return whether at least ``least`` texts start with one of the characters."""


def character_search(characters: str, *, digits: bool = False) -> CharacterSearch:
    """Return the search for these characters, or a decimal digit of any script."""
    kernel = compiled("text_scan")
    if kernel is not None:
        search: CharacterSearch = kernel.CharacterSearch(characters, digits=digits)
        return search
    return PlainSearch(characters, digits=digits)


class PlainSearch:
    """What the class ``CharacterSearch`` of the kernel ``text_scan`` does, in plain Python."""

    def __init__(self, characters: str, *, digits: bool) -> None:
        self.pattern = late_pattern(f"[{re.escape(characters)}{DIGITS if digits else ''}]")

    def __call__(self, text: str) -> object:
        return self.pattern.search(text)

    def in_most(self, texts: Collection[str], least: float) -> bool:
        """Return whether at least ``least`` texts have one of the characters."""
        return _are_enough(self.pattern.search, texts, least)

    def starts_most(self, texts: Collection[str], least: float) -> bool:
        """Return whether at least ``least`` texts start with one of the characters."""
        return _are_enough(self.pattern.match, texts, least)


def _are_enough(matches: Callable[[str], object], texts: Collection[str], least: float) -> bool:
    possible = len(texts)
    for text in texts:
        if possible < least:
            return False
        possible -= matches(text) is None
    return possible >= least

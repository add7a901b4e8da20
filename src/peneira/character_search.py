"""Whether a text has one of some characters: asked of every text, so compiled where a compiler is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern

DIGITS = r"\d"
_DIGIT = late_pattern(DIGITS)

text_scan = compiled("text_scan")


def character_search(characters: str, *, digits: bool = False) -> Callable[[str], object]:
    """Return a function that tells whether a text has one of these characters, or a decimal digit of any script."""
    kernel = compiled("text_scan")
    if kernel is not None:
        search: Callable[[str], object] = kernel.CharacterSearch(characters, digits=digits)
        return search
    pattern = late_pattern(f"[{re.escape(characters)}{DIGITS if digits else ''}]")
    return lambda text: pattern.search(text)


def have_digits(texts: Collection[str], least: float) -> bool:
    """Return whether at least so many texts have a decimal digit of any script."""
    if text_scan is not None:
        return bool(text_scan.have_digits(texts, least))
    possible = len(texts)
    for text in texts:
        if possible < least:
            return False
        possible -= _DIGIT.search(text) is None
    return possible >= least

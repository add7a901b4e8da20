"""Whether a text has one of some characters: asked of every text, so compiled where a compiler is found."""

from __future__ import annotations

import re
from collections.abc import Callable

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern

DIGITS = r"\d"


def character_search(characters: str, *, digits: bool = False) -> Callable[[str], object]:
    """Return a function that tells whether a text has one of these characters, or a decimal digit of any script."""
    kernel = compiled("text_scan")
    if kernel is not None:
        search: Callable[[str], object] = kernel.CharacterSearch(characters, digits=digits)
        return search
    pattern = late_pattern(f"[{re.escape(characters)}{DIGITS if digits else ''}]")
    return lambda text: pattern.search(text)

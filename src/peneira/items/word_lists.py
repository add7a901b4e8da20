"""Word lists of the package: sections of phrases in many languages, and patterns that find them in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def word_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Return the phrases of each section of a word list: a name and a colon, then lines of phrases between bars."""
    sections: dict[str, tuple[str, ...]] = {}
    section = ""
    for line in (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            phrases = (phrase.strip() for phrase in line.split("|"))
            sections[section] = (*sections.get(section, ()), *filter(None, phrases))
        elif line.endswith(":") and not line.startswith("#"):
            section = line.removesuffix(":")
    return sections


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases, in any case; those of Latin letters as whole words."""
    return re.compile("|".join(map(_bounded, phrases)), re.IGNORECASE)


def _bounded(phrase: str) -> str:
    start = r"\b" if phrase[0].isascii() and phrase[0].isalnum() else ""
    end = r"\b" if phrase[-1].isascii() and phrase[-1].isalnum() else ""
    return f"{start}{re.escape(phrase)}{end}"

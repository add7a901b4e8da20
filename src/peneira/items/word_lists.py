"""Word lists of the package: sections of phrases in many languages."""

from __future__ import annotations

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

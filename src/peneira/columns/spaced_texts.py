"""Texts of elements that stand side by side without a space between them, as a reader sees them: apart.

Styles set "4 beds" and "2 baths" apart, or the cents of a price; the text of the markup is "4 beds2 baths", "$54900".
"""

from __future__ import annotations

from peneira.columns.element_signatures import FORMATTING_TAGS
from peneira.kernels import compiled
from peneira.page import Page

cell_making = compiled("cell_making")

# An element with two texts in elements of their own has at least this many rows, itself included
MIN_ROWS = 4
# Formatting that sets text apart by itself
_RAISED_TAGS = frozenset({"sup"})


def spaced_text(page: Page, row: int, text: str) -> str:
    """Return the text of an element with a space between texts of different elements that are glued."""
    tags, ends = page.lists.tag, page.lists.end
    if ends[row] - row < MIN_ROWS:
        return text
    if cell_making is not None:
        spaced: str = cell_making.spaced_text(text, row, ends[row], tags, page.text, _are_apart, page)
        return spaced
    if tags[row + 1 : ends[row]].count(0) < 2:
        return text
    parts: list[str] = []
    done = last_end = 0
    last_row, texts = -1, page.text
    for i in range(row + 1, ends[row]):
        if tags[i]:
            continue
        piece = " ".join(texts[i].split())
        start = text.find(piece, last_end) if piece else -1
        if start < 0:  # blank, or not visible
            continue
        is_glued = 0 < start == last_end and text[start - 1].isalnum() and text[start].isalnum()
        if is_glued and _are_apart(page, last_row, i):
            parts.append(text[done:start])
            done = start
        last_end, last_row = start + len(piece), i
    return " ".join((*parts, text[done:])) if parts else text


def _are_apart(page: Page, before: int, after: int) -> bool:
    """Return whether two texts are in elements of their own, one after the other, and not formatting within a word."""
    first, second = int(page.parent[before]), int(page.parent[after])
    if page.name(second) in _RAISED_TAGS and page.text[after].strip().isdigit():
        return True
    if page.lists.end[first] > second:
        return False
    return not all(page.name(i) in FORMATTING_TAGS and not page.attrs[i].get("class") for i in (first, second))

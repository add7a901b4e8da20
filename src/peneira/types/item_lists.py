"""Cells that list several things of one kind: "Drama | Comedy", "Comedy | Action"."""

from __future__ import annotations

from collections.abc import Mapping

from peneira.types.notation import Notation

_SEPARATORS = ("|", ";", "•", "·", ",")
MAX_PART_CHARS = 40
MIN_LISTS = 4
# Shares of cells that must have several parts, and of parts that must also occur at another place than the first
MIN_SHARE = 0.5


def list_separator(cells: Mapping[str, int]) -> str:
    """Return the sign that separates the parts of a column's cells, or nothing.

    In a list of things of one kind, the same thing comes first in one cell and later in another. "Paris, France" and
    "Smith, John" have parts too, but each keeps to its place.
    """
    joined = "\n".join(cells)
    return next((sign for sign in _SEPARATORS if sign in joined and _lists(cells, sign)), "")


def _lists(cells: Mapping[str, int], sign: str) -> bool:
    split = [parts for text in cells if len(parts := _parts(text, sign)) > 1]
    if len(split) < max(MIN_LISTS, MIN_SHARE * len(cells)):
        return False
    every = [part for parts in split for part in parts]
    if any(not part or len(part) > MAX_PART_CHARS or part[0].isdigit() for part in every):
        return False
    moving = {parts[0] for parts in split} & {part for parts in split for part in parts[1:]}
    return sum(part in moving for part in every) >= MIN_SHARE * len(every)


def _parts(text: str, sign: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(sign))


def read_list(text: str, notation: Notation) -> tuple[str, ...] | None:
    """Return the parts of a cell."""
    return _parts(text, notation.separator) if notation.separator and text else None

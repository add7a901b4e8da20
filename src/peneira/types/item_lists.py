"""Lists in cells, whose items are of one kind: "Drama | Comedy", "Comedy | Action"."""

from __future__ import annotations

from collections.abc import Mapping

from peneira.types.notation import Notation

_SEPARATORS = ("|", ";", "•", "·", ",")
ITEM_SEPARATORS = frozenset(_SEPARATORS)
# Longer items are sentences
MAX_ITEM_CHARS = 40
# In fewer cells, the same item comes first in one and later in another by chance
MIN_LISTS = 4
# The share of cells with several items, and the share of items that come first in one cell and later in another
MIN_SHARE = 0.5


def list_separator(cells: Mapping[str, int]) -> str:
    """Return the separator between the items of a column's cells, "" if the cells are not lists.

    In lists, the same item comes first in one cell and later in another. "Paris, France" and "Smith, John" have parts
    too, but each part keeps its position.
    """
    joined = "\n".join(cells)
    return next((separator for separator in _SEPARATORS if separator in joined and _are_lists(cells, separator)), "")


def _are_lists(cells: Mapping[str, int], separator: str) -> bool:
    separated = [text for text in cells if separator in text]
    if len(separated) < max(MIN_LISTS, MIN_SHARE * len(cells)):
        return False
    lists = []
    for text in separated:
        items = _items(text, separator)
        if any(not item or len(item) > MAX_ITEM_CHARS or item[0].isdigit() for item in items):
            return False
        lists.append(items)
    all_items = [item for items in lists for item in items]
    moving = {items[0] for items in lists} & {item for items in lists for item in items[1:]}
    return sum(item in moving for item in all_items) >= MIN_SHARE * len(all_items)


def _items(text: str, separator: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(separator))


def read_list(text: str, notation: Notation) -> tuple[str, ...] | None:
    """Return the items of a cell."""
    return _items(text, notation.separator) if notation.separator and text else None

"""What stands around the slots of a region, read once per slot: the columns of an element share it."""

from __future__ import annotations

from collections.abc import Collection

from peneira.columns.outline import BLOCK, TEXT
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.table_grid import Grid
from peneira.page import TEXT as TEXT_TAG

# Class words of elements this far around a value are near
NEAR_ELEMENTS = 1
FAR_ELEMENTS = 4

# The header of a slot; the properties of the elements around it, innermost first; the words of those near and far
Names = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class SlotSurroundings:
    """The tags and the names around slots, which must live as long as this."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._tags: dict[int, frozenset[str]] = {}
        self._names: dict[tuple[int, int], Names] = {}

    def are_in(self, slot: Slot, tags: Collection[str]) -> bool:
        """Return whether a slot is, or is inside, an element with one of these tags."""
        return not self.tags(slot).isdisjoint(tags)

    def tags(self, slot: Slot) -> frozenset[str]:
        """Return the tags of a slot and of those around it."""
        known, inner = self._tags, []
        outer: Slot | None = slot
        while outer is not None and id(outer) not in known:
            inner.append(outer)
            outer = outer.parent
        tags = known[id(outer)] if outer is not None else frozenset()
        for own in reversed(inner):
            tag = own.features.tag
            tags = known[id(own)] = tags if tag in tags else tags | {tag}
        return tags

    def names(self, slot: Slot, top: Slot | None) -> Names:
        """Return what a slot is called by the elements around it, up to ``top``."""
        key = (id(slot), id(top))
        if key not in self._names:
            slots = list(with_ancestors(slot, top))
            inner = [own for own in slots if own.parent is not None]
            elements = inner[1:] if inner and _leads(inner[0]) else inner
            words = [own.features.ordered_words for own in elements[:FAR_ELEMENTS]]
            headers = self.grid.headers
            self._names[key] = (
                next((header for own in slots if (header := headers.get(own.column, ""))), "") if headers else "",
                tuple([own.features.prop for own in inner]),
                tuple([_element_word(word) for own in words[:NEAR_ELEMENTS] for word in own]),
                tuple([_element_word(word) for own in words[NEAR_ELEMENTS:] for word in own]),
            )
        return self._names[key]


def _leads(slot: Slot) -> bool:
    """Return whether a slot is the first text of its element, which names it: beside an icon, not after a link."""
    if slot.features.tag != TEXT_TAG or slot.parent is None:
        return False
    return next((other for other in slot.parent.children if other.kind in (TEXT, BLOCK)), slot) is slot


def _element_word(class_word: str) -> str:
    """Return the part of a class that names its element: "job-card__title--big" gives "title"."""
    return class_word.rpartition("__")[2].partition("--")[0]

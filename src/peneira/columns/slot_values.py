"""Drafts of columns: the values of each slot of the alignment, record by record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from peneira.columns.data_attributes import attribute_values
from peneira.columns.group_headings import headings
from peneira.columns.outline import BLOCK, TEXT, Outline, Reader
from peneira.columns.prototypes import Face, Shape, shape
from peneira.columns.slot_alignment import Profile, Slot
from peneira.columns.table_grid import Grid
from peneira.page import Page
from peneira.result import Record

# The whole text of a table cell, where the cell has parts
CELL = "cell"
# The heading above a record
GROUP = "group"
# A heading is carried down to the record, which may be wrong
HEADING_FIT = 0.8
_EDGES = frozenset(" ,;:|·•»›–—-([")
_EDGE = re.compile(r"^(?:[\s,;:|·•»›–—-]+(?=\s)\s+|[\s,;:|·•]+)|[\s,;|·•]+$|\s+[-–—(\[]$")


Texts = str | tuple[str, ...]


class Found(NamedTuple):
    """One value of one record: its text, the row it was read from, and how well it fits its place."""

    text: str
    row: int
    fit: float = 1.0


@dataclass(slots=True)
class Draft:
    """A column in the making: per record its values, of which there are several only in a list."""

    slot: Slot
    attribute: str = ""
    is_list: bool = False
    label: str = ""
    part: str = ""
    is_label: bool = False
    is_template: bool = False
    values: dict[int, list[Found]] = field(default_factory=dict)

    def add(self, record: int, found: Found) -> None:
        """Add a value of a record."""
        self.values.setdefault(record, []).append(found)

    def add_once(self, record: int, found: Found) -> None:
        """Add a value unless the record has it as its last: elements in each other repeat their attributes."""
        those = self.values.setdefault(record, [])
        if not those or those[-1].text != found.text:
            those.append(found)

    def all_texts(self) -> dict[int, Texts]:
        """Return the text of each record that has one, all texts of a list."""
        return {
            record: found[0].text if len(found) == 1 else tuple(one.text for one in found)
            for record, found in self.values.items()
        }

    def texts(self) -> dict[int, str]:
        """Return the first text of each record that has one."""
        return {record: found[0].text for record, found in self.values.items()}


def drafts_of(reader: Reader, records: Sequence[Record], grid: Grid, base: str) -> list[Draft]:
    """Return the drafts of the records' columns in the order of the page. ``base``: of relative addresses."""
    out = reader.outline(records, grid.beside)
    shaped = shape(reader.page, out, grid.column)
    drafts = Drafts(reader.page, Profile(shaped.prototypes, [one.prototype for one in shaped.shapes]))
    for record, (one, texts) in enumerate(zip(shaped.shapes, shaped.texts, strict=True)):
        drafts.add_texts(record, one, texts, out)
        drafts.add_attributes(record, one, out, base)
    return [*_headings(reader.page, records), *drafts.in_order()]


def _headings(page: Page, records: Sequence[Record]) -> list[Draft]:
    face = Face(TEXT, "#text", frozenset())
    draft = Draft(Slot(face, face, None), GROUP)
    for record, row in headings(page, records).items():
        draft.add(record, Found(page.text_of(row), row, HEADING_FIT))
    return [draft] if draft.values else []


class Drafts:
    """The drafts of a profile by slot and attribute; the text of a slot has the attribute ""."""

    def __init__(self, page: Page, profile: Profile) -> None:
        self._page, self._profile = page, profile
        self._found: dict[tuple[int, str], Draft] = {}
        self._of_root: dict[int, list[tuple[Slot, float, Draft | None]]] = {}

    def add_texts(self, record: int, shape: Shape, texts: Sequence[str], outline: Outline) -> None:
        """Add the texts of a record, which stand in the order of its shape."""
        base = outline.roots[record]
        for node, text, (_, fit, draft) in zip(shape.order, texts, self._entries(shape.prototype), strict=True):
            if draft is not None:
                row = outline.row[base + node]
                if draft.attribute == CELL:
                    text = self._page.text_of(row)
                elif text[:1] in _EDGES or text[-1:] in _EDGES:
                    text = _EDGE.sub("", text) or text
                if text:
                    draft.add(record, Found(text, row, fit))

    def add_attributes(self, record: int, shape: Shape, outline: Outline, base: str) -> None:
        """Add the attributes of a record."""
        entries = self._entries(shape.prototype)
        for node, row in outline.attributed[record]:
            if shape.place[node] >= 0:
                slot, fit, _ = entries[shape.place[node]]
                for name, value in attribute_values(self._page, row, base):
                    self._at(slot, name).add_once(record, Found(value, row, fit))

    def _at(self, slot: Slot, attribute: str) -> Draft:
        """Return the draft, a new one if need be."""
        key = (id(slot), attribute)
        draft = self._found.get(key)
        if draft is None:
            draft = self._found[key] = Draft(slot, attribute, is_list=_in_list(slot))
        return draft

    def _entries(self, root: int) -> list[tuple[Slot, float, Draft | None]]:
        """Return the slot of each node of a root's prototype, its fit, and the draft of its text if it has one."""
        if root not in self._of_root:
            self._of_root[root] = [(slot, fit, self._own(slot, kind)) for slot, fit, kind in self._profile.slots(root)]
        return self._of_root[root]

    def _own(self, slot: Slot, kind: int) -> Draft | None:
        if kind == TEXT:
            return self._at(slot, "")
        return self._at(slot, CELL) if kind == BLOCK and slot.column >= 0 else None

    def in_order(self) -> list[Draft]:
        """Return the drafts that have values, in the order of the page. Where nothing repeats there is no list."""
        by_slot: dict[int, list[Draft]] = {}
        for (slot, _), draft in self._found.items():
            if draft.values:
                draft.is_list = draft.is_list and any(len(those) > 1 for those in draft.values.values())
                by_slot.setdefault(slot, []).append(draft)
        return [draft for slot in self._profile.in_order() for draft in by_slot.get(id(slot), ())]


def _in_list(slot: Slot | None) -> bool:
    while slot is not None:
        if slot.is_list:
            return True
        slot = slot.parent
    return False

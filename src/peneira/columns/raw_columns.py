"""Raw columns: the values of each slot of the alignment by record, before columns are named and typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from peneira.budget import check_budget
from peneira.columns.data_attributes import AttributeReader, reader_text
from peneira.columns.group_headings import group_headings
from peneira.columns.outline import MEDIA, TEXT, Outline, OutlineBuilder
from peneira.columns.prototypes import NodeFeatures, NodeMapping, RecordPrototypes, record_prototypes
from peneira.columns.slot_alignment import NodeSlot, Slot, SlotTree
from peneira.columns.table_grid import Grid
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.page import INLINE_TAGS, Page
from peneira.result import Record

# Pseudo-attributes: the whole text of a block that has parts, the heading above a record, and nested records
WHOLE = "whole"
GROUP = "group"
RECORDS = "records"
TEXT_ATTRIBUTES = frozenset({"", WHOLE, GROUP})
# A block with more texts is a part of the layout, not a value; table cells are values however much they hold
MAX_TEXTS_OF_WHOLE = 8
# A heading is carried down to the records below it, which may be wrong
HEADING_CONFIDENCE = 0.8
_EDGE_CHARS = frozenset(" ,;:|·•»›–—-([/")
_LEADING_EDGE = late_pattern(r"^(?:[\s,;:|·•»›–—/-]+(?=\s)\s+|[\s,;:|·•]+)")
# From the first sign of a run alone: tried from each, a long run within a text takes its length squared
_TRAILING_EDGE = late_pattern(r"(?<![\s,;|·•])[\s,;|·•]+$|(?<!\s)\s+[-–—(\[/]$")

record_values = compiled("record_values")

# The text of a record in a column, or the texts of a list
CellTexts = str | tuple[str, ...]


class RawValue(NamedTuple):
    """One value of one record: its text, the row it was read from, and the confidence that it belongs in the slot.

    ``item``: the first row of the list item that it is part of, -1 outside lists.
    """

    text: str
    row: int
    confidence: float = 1.0
    item: int = -1


def _first_texts(values: dict[int, list[RawValue]]) -> dict[int, str]:
    if record_values is not None:
        texts: dict[int, str] = record_values.first_texts(values)
        return texts
    return {record: own[0][0] for record, own in values.items()}


def _are_single(values: Mapping[int, list[RawValue]]) -> bool:
    """Return whether no record has several values."""
    return sum(map(len, values.values())) == len(values)


class _ColumnTexts:
    """What is asked of the values of a column again and again, computed once.

    Fields and not cached properties, whose first use takes a lock and a microsecond.
    """

    __slots__ = ("_cells", "_distinct", "_most", "are_single", "first", "values")

    def __init__(self, values: dict[int, list[RawValue]]) -> None:
        self.values = values
        self.first: dict[int, str] = _first_texts(values)
        self.are_single = _are_single(values)
        self._cells: Mapping[int, CellTexts] | None = self.first if self.are_single else None
        self._distinct = self._most = -1

    def cells(self) -> Mapping[int, CellTexts]:
        cells = self._cells
        if cells is None:
            cells = self._cells = {
                record: values[0].text if len(values) == 1 else tuple([value.text for value in values])
                for record, values in self.values.items()
            }
        return cells

    def distinct(self) -> int:
        if self._distinct < 0:
            self._distinct = len(set(self.cells().values()))
        return self._distinct

    def most(self) -> int:
        if self._most < 0:
            cells = self.cells()
            self._most = 1 if self.distinct() == len(cells) else max(Counter(cells.values()).values())
        return self._most


@dataclass(slots=True)
class RawColumn:
    """The values of a slot by record; only a list has several in one record.

    ``attribute``: what the values were read from, "" for text; ``label``: the words before the values; ``part``: the
    kind of a part of a text, "" for a whole text; ``is_label``: the values are labels of other columns;
    ``is_split``: the values are those of labels that have columns of their own;
    ``nested``: the columns of the nested records
    that the values are the texts of; ``top``: the outermost slot that may name the column. ``container``: the column
    whose texts hold those of this one. ``machine_texts``: the same values as the element gives them to programs.
    """

    slot: Slot
    attribute: str = ""
    is_list: bool = False
    label: str = ""
    part: str = ""
    is_label: bool = False
    is_split: bool = False
    values: dict[int, list[RawValue]] = field(default_factory=dict)
    nested: list[RawColumn] = field(default_factory=list)
    top: Slot | None = None
    container: RawColumn | None = None
    machine_texts: dict[int, str] = field(default_factory=dict)
    _texts: _ColumnTexts | None = field(default=None, init=False, repr=False, compare=False)

    def add(self, record: int, value: RawValue) -> None:
        """Add a value of a record."""
        self._texts = None
        self.values.setdefault(record, []).append(value)

    def containers(self) -> Iterator[RawColumn]:
        """Yield the columns whose texts hold those of this one, from the inside out."""
        container = self.container
        while container is not None:
            yield container
            container = container.container

    def settle(self) -> None:
        """Drop attributes that repeat those of the item before; a column without several values is not a list."""
        self._texts = None
        if _are_single(self.values):
            self.is_list = False
            return
        for values in self.values.values() if self.attribute else ():
            if len(values) > 1:
                values[:] = [value for k, value in enumerate(values) if not k or value.text != values[k - 1].text]
        self.is_list = self.is_list and not _are_single(self.values)

    def cell_texts(self) -> Mapping[int, CellTexts]:
        """Return the text of each record that has one, or all texts of a list; not to be changed."""
        return self._kept_texts().cells()

    def first_texts(self) -> dict[int, str]:
        """Return the first text of each record that has one; not to be changed."""
        kept = self._texts  # as ``_kept_texts``, without the call
        return kept.first if kept is not None and kept.values is self.values else self._kept_texts().first

    def all_texts(self) -> list[str]:
        """Return all texts of all records."""
        kept = self._kept_texts()
        if kept.are_single:
            return list(kept.first.values())
        return [value.text for values in self.values.values() for value in values]

    @property
    def distinct(self) -> int:
        """How many different values the records have."""
        return self._kept_texts().distinct()

    @property
    def most(self) -> int:
        """How many records have the value that most have."""
        return self._kept_texts().most()

    def _kept_texts(self) -> _ColumnTexts:
        kept = self._texts
        if kept is None or kept.values is not self.values:  # whoever changes values replaces them
            kept = self._texts = _ColumnTexts(self.values)
        return kept


def raw_columns(builder: OutlineBuilder, records: Sequence[Record], grid: Grid, base: str) -> list[RawColumn]:
    """Return the raw columns of the records in document order. ``base``: what relative URLs are resolved against."""
    outline = builder.outline(records, grid.spanning_cells)
    aligned = record_prototypes(builder.page, outline, grid.column)
    tree = SlotTree(aligned.prototypes, [mapping.prototype for mapping in aligned.mappings])
    collector = _ColumnCollector(builder.page, tree)
    attributes = AttributeReader(builder.page, base)
    if record_values is not None:
        collector.add_all(aligned, outline, attributes)
    else:
        for record, (mapping, texts) in enumerate(zip(aligned.mappings, aligned.texts, strict=True)):
            collector.add_texts(record, mapping, texts, outline)
            collector.add_attributes(record, mapping, outline, attributes)
    return [*_heading_columns(builder.page, records), *collector.columns()]


def _heading_columns(page: Page, records: Sequence[Record]) -> list[RawColumn]:
    features = NodeFeatures(TEXT, "#text", frozenset())
    column = RawColumn(Slot(features, features, None), GROUP)
    for record, row in group_headings(page, records).items():
        column.add(record, RawValue(page.text_of(row), row, HEADING_CONFIDENCE))
    return [column] if column.values else []


_Values = dict[int, list[RawValue]]


class _Entry(NamedTuple):
    """Where the values of a node go: the column of its own text, and that of the whole text of its block.

    ``by_attribute``: the values of the columns of its attributes, as far as they were needed.
    """

    place: NodeSlot
    column: RawColumn | None
    whole: RawColumn | None
    by_attribute: dict[str, _Values]


# Number of the text of a node, -1 if it is no text; its position, confidence and the position of its list item, -1 for
# none; the values of the columns of its own and its whole text
_TextEntry = tuple[int, int, float, int, _Values | None, _Values | None]
_new_value = tuple.__new__  # twice as fast as the constructor of a named tuple


def _without_edges(text: str) -> str:
    """Return a text without the separators around it."""
    return _TRAILING_EDGE.sub("", _LEADING_EDGE.sub("", text)) or text


def _slots_in_lists(slots: Sequence[Slot]) -> set[int]:
    """Return which slots, given in document order, are a list or in one."""
    inside: set[int] = set()
    for slot in slots:
        if slot.is_list or (inside and id(slot.parent) in inside):
            inside.add(id(slot))
    return inside


def _whole_slots(slots: Sequence[Slot], in_lists: set[int]) -> set[int]:
    """Return the slots whose whole text may be a value: table cells, and blocks of a few texts.

    ``slots``: in document order; ``in_lists``: those of lists.
    """
    texts: dict[int, int] = {}
    wholes = set()
    for slot in reversed(slots):
        own = sum(texts[id(child)] for child in slot.children) if slot.children else int(slot.features.kind == TEXT)
        is_line = (
            slot.is_list and slot.features.tag in INLINE_TAGS
        )  # "Ann, Bob and Eve" is one text, a list of tags is not
        texts[id(slot)] = own + (own == 1 and is_line)
        is_value = 2 <= own <= MAX_TEXTS_OF_WHOLE and id(slot) not in in_lists
        if slot.parent is not None and slot.children and (slot.column >= 0 or is_value):
            wholes.add(id(slot))
    return wholes


class _ColumnCollector:
    """Collects values into the columns of a slot tree: one for the text of a slot, and one for each attribute."""

    def __init__(self, page: Page, tree: SlotTree) -> None:
        self._page, self._tree = page, tree
        self._columns: dict[tuple[int, str], RawColumn] = {}
        self._entries_of_prototype: dict[int, list[_Entry]] = {}
        self._entry_of_place: dict[int, _Entry] = {}
        self._text_entries_of_prototype: dict[int, list[_TextEntry]] = {}
        self._slots = tree.in_order()
        self._in_lists = _slots_in_lists(self._slots)
        self._wholes = _whole_slots(self._slots, self._in_lists)

    def add_all(self, aligned: RecordPrototypes, outline: Outline, attributes: AttributeReader) -> None:
        """Add the texts and attributes of all records, by the kernel."""
        page = self._page
        reader = record_values.ValueReader(
            *(RawValue, _EDGE_CHARS, _without_edges, page.text_of),
            *(page.attrs, page.lists.tag, attributes.targets(), attributes.kind),
            (attributes.data_text, reader_text, attributes.address, attributes.link, attributes.source),
            attributes.image,
            *(outline.row, page.reading, page.end, page.hidden.view(np.uint8)),
        )
        roots, found = outline.roots, outline.attribute_rows
        for record, (mapping, texts) in enumerate(zip(aligned.mappings, aligned.texts, strict=True)):
            check_budget()
            number, nodes, positions, _ = mapping
            entries = self._entries(number)
            text_entries = self._text_entries_of_prototype.get(number)
            if text_entries is None:
                text_entries = self._text_entries_of_prototype[number] = reader.text_entries(entries, TEXT)
            reader.add_texts(record, roots[record], nodes, texts, text_entries)
            if found[record]:
                reader.add_attributes(
                    record, roots[record], nodes, positions, found[record], entries, self._attribute_values
                )

    def _attribute_values(self, slot: Slot, attribute: str) -> _Values:
        return self._column(slot, attribute).values

    def add_texts(self, record: int, mapping: NodeMapping, texts: Sequence[str], outline: Outline) -> None:
        """Add the texts of a record, given in the order of its mapping."""
        root, rows, nodes = outline.roots[record], outline.row, mapping.nodes
        for number, position, confidence, item_position, column, whole in self._text_entries(mapping.prototype):
            row = rows[root + nodes[position]]
            text = texts[number] if number >= 0 else ""
            item = rows[root + nodes[item_position]] if item_position >= 0 else -1
            if column is not None:
                if text[:1] in _EDGE_CHARS or text[-1:] in _EDGE_CHARS:
                    text = _without_edges(text)
                if text:
                    value = _new_value(RawValue, (text, row, confidence, item))
                    if record in column:
                        column[record].append(value)
                    else:
                        column[record] = [value]
            if whole is not None and (text or (text := self._page.text_of(row))):
                value = _new_value(RawValue, (text, row, confidence, item))
                if record in whole:
                    whole[record].append(value)
                else:
                    whole[record] = [value]

    def add_attributes(self, record: int, mapping: NodeMapping, outline: Outline, attributes: AttributeReader) -> None:
        """Add the attributes of a record."""
        check_budget()
        root, positions = outline.roots[record], mapping.positions
        entries = self._entries(mapping.prototype)
        for node, row in outline.attribute_rows[record]:
            position = positions[node]
            if position >= 0:
                place, _, _, by_attribute = entries[position]
                offset = place.item_offset
                item = outline.row[root + mapping.nodes[position - offset]] if offset >= 0 else -1
                for name, text in attributes.values(row):
                    values = by_attribute.get(name)
                    if values is None:
                        values = by_attribute[name] = self._column(place.slot, name).values
                    value = _new_value(RawValue, (text, row, place.confidence, item))
                    own = values.get(record)
                    if own is None:
                        values[record] = [value]
                    elif own[-1].text != text or own[-1].item != item:  # nested elements repeat their attributes
                        own.append(value)

    def _column(self, slot: Slot, attribute: str) -> RawColumn:
        """Return the column of a slot and attribute, a new one if need be."""
        key = (id(slot), attribute)
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = RawColumn(slot, attribute, is_list=id(slot) in self._in_lists)
        return column

    def _entries(self, prototype: int) -> list[_Entry]:
        """Return for each node of a prototype its slot, and the columns of its text if it has any."""
        if prototype not in self._entries_of_prototype:
            self._entries_of_prototype[prototype] = list(map(self._entry, self._tree.node_slots(prototype)))
        return self._entries_of_prototype[prototype]

    def _text_entries(self, prototype: int) -> list[_TextEntry]:
        """Return the nodes of a prototype that have a column for texts."""
        known = self._text_entries_of_prototype.get(prototype)
        if known is None:
            known = self._text_entries_of_prototype[prototype] = []
            number = 0
            for position, (place, column, whole, _) in enumerate(self._entries(prototype)):
                if column is not None or whole is not None:
                    values = None if column is None else column.values
                    of_whole = None if whole is None else whole.values
                    own_number = number if place.kind == TEXT else -1
                    item = position - place.item_offset if place.item_offset >= 0 else -1
                    known.append((own_number, position, place.confidence, item, values, of_whole))
                number += place.kind == TEXT
        return known

    def _entry(self, place: NodeSlot) -> _Entry:
        known = self._entry_of_place.get(id(place))  # prototypes share most of their places
        if known is None:
            is_whole = place.kind != MEDIA and id(place.aligned) in self._wholes
            known = self._entry_of_place[id(place)] = _Entry(
                place,
                self._column(place.slot, "") if place.kind == TEXT else None,
                self._column(place.aligned, WHOLE) if is_whole else None,
                {},
            )
        return known

    def columns(self) -> list[RawColumn]:
        """Return the columns with values, in document order."""
        by_slot: dict[int, list[RawColumn]] = {}
        for (slot_id, _), column in self._columns.items():
            if column.values:
                by_slot.setdefault(slot_id, []).append(column)
        return [column for slot in self._slots for column in by_slot.get(id(slot), ())]

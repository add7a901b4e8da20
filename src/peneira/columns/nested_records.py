"""Nested records: the items of a list inside a record, where they have fields of their own.

A film has actors with a name and a role, a product offers with a seller and a price. In one list column per field, a
name and its role are apart, and an item without a role shifts all roles after it. So the columns below such a list
become one column of nested records. A list whose items are one value each (tags, images, links) stays a list, and
labels with their values (beds 3, baths 2) are fields of the record, not records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from peneira.columns.names import NameSources
from peneira.columns.outline import TEXT
from peneira.columns.prototypes import CONSTANT_SIGN
from peneira.columns.raw_columns import GROUP, RECORDS, RawColumn, RawValue
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.value_patterns import common_pattern
from peneira.columns.vocabulary import naming_words
from peneira.page import Page
from peneira.result import Cell, Record, Region
from peneira.table import Column, Table

ITEM_SEPARATOR = "; "
FIELD_SEPARATOR = ", "
# Tags of items that are prose, whatever they contain
_PROSE_TAGS = frozenset({"p", "br"})
_LIST_TAGS = frozenset("ul ol table tbody thead dl".split())
_ADDRESS_TYPES = frozenset({"url", "image"})
_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6 b strong dt th caption legend label summary".split())
# A longer heading is a sentence, and one further out is that of something else
MAX_HEADING_WORDS = 5
MAX_HEADING_LEVELS = 2


@dataclass(frozen=True, slots=True)
class NestingOptions:
    """When the items of a list are records."""

    # They have at least this many fields: texts that vary, in at least this share of the items
    min_fields: int = 2
    min_field_fill: float = 0.5
    # and one of the fields is in nearly all of them: else the items are of different kinds
    min_fullest_fill: float = 0.85
    # A text that more than this share of the items has says nothing of an item
    max_value_share: float = 0.6
    # A text in the first or last item alone, in this share of the records, shows that the items are of different kinds
    min_one_place_share: float = 0.8
    # At least this many records have the list
    min_records: int = 2
    # Of the records with the list, at least this share has several items: else the list is an accident of a few records
    min_repeating_share: float = 0.5
    # Labels recur: there are at most this many different ones for each time that one is used
    max_label_variety: float = 0.35
    # and they keep their order: at most this share of neighbours stands the other way round elsewhere
    max_label_swaps: float = 0.1


OPTIONS = NestingOptions()


def nest(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """Return the columns, those below a list of nested records replaced by one column with nested columns."""
    by_list: dict[int, list[RawColumn]] = {}
    for column in columns:
        slot = _list_slot(column)
        if slot is not None:
            by_list.setdefault(id(slot), []).append(column)
    nested = {key: _nested_column(group) for key, group in by_list.items() if _are_records(group)}
    result: list[RawColumn] = []
    for column in columns:
        slot = _list_slot(column)
        if slot is None or id(slot) not in nested:
            column.settle()
            result.append(column)
        elif column is by_list[id(slot)][0]:
            result.append(nested[id(slot)])
    return result


def _list_slot(column: RawColumn) -> Slot | None:
    """Return the slot of the outermost list that a column is part of."""
    outermost, slot = None, None if column.attribute == GROUP else column.slot
    while slot is not None:
        outermost = slot if slot.is_list else outermost
        slot = slot.parent
    return outermost


def _items(columns: Sequence[RawColumn]) -> dict[int, list[int]]:
    """Return the first rows of the items of each record, in document order."""
    items: dict[int, set[int]] = {}
    for column in columns:
        for record, values in column.values.items():
            items.setdefault(record, set()).update(value.item for value in values)
    return {record: sorted(items[record]) for record in sorted(items)}


def _are_records(columns: Sequence[RawColumn]) -> bool:
    slot = _list_slot(columns[0])
    if slot is None or slot.features.tag in _PROSE_TAGS:
        return False
    items = _items(columns)
    counts = [len(rows) for rows in items.values()]
    if len(counts) < OPTIONS.min_records:
        return False
    if sum(count > 1 for count in counts) < OPTIONS.min_repeating_share * len(counts):
        return False
    texts = [_item_texts(column) for column in columns if not column.attribute]
    if any(_has_one_place(values, items) for values in texts):
        return False
    fields = _distinct([values for values in texts if _is_field(values, sum(counts))])
    fullest = max(map(len, fields), default=0)
    if len(fields) < OPTIONS.min_fields or fullest < OPTIONS.min_fullest_fill * sum(counts):
        return False
    return len(fields) > 2 or not _are_labels_and_values(*fields)


def _item_texts(column: RawColumn) -> dict[tuple[int, int], str]:
    """Return the first text of each item, by record and row."""
    texts: dict[tuple[int, int], str] = {}
    for record, values in column.values.items():
        for value in values:
            texts.setdefault((record, value.item), value.text)
    return texts


def _is_field(texts: Mapping[tuple[int, int], str], items: int) -> bool:
    most = max(Counter(texts.values()).values(), default=0)
    return len(texts) >= OPTIONS.min_field_fill * items and most <= OPTIONS.max_value_share * len(texts)


def _has_one_place(texts: Mapping[tuple[int, int], str], items: Mapping[int, Sequence[int]]) -> bool:
    """Return whether a text is in the first item alone of most records, or in the last.

    Then the items are the rows of one thing, each of another kind, as where tables are used for layout.
    """
    repeating = {record: rows for record, rows in items.items() if len(rows) > 1}
    found: dict[int, list[int]] = {}
    for record, row in texts:
        found.setdefault(record, []).append(row)
    return any(
        sum(found.get(record) == [rows[end]] for record, rows in repeating.items())
        >= OPTIONS.min_one_place_share * len(repeating)
        for end in (0, -1)
    )


def _distinct(fields: Sequence[Mapping[tuple[int, int], str]]) -> list[Mapping[tuple[int, int], str]]:
    """Return the fields without those that repeat another, as a text for small screens does."""
    return list({tuple(sorted(texts.items())): texts for texts in fields}.values())


def _are_labels_and_values(first: Mapping[tuple[int, int], str], second: Mapping[tuple[int, int], str]) -> bool:
    """Return whether one of two fields names the other: its texts recur from record to record in the same order."""
    return any(
        _are_labels(labels) and common_pattern(list(values.values())) != "money"
        for labels, values in ((first, second), (second, first))
    )


def _are_labels(texts: Mapping[tuple[int, int], str]) -> bool:
    if len(set(texts.values())) > OPTIONS.max_label_variety * len(texts):
        return False
    by_record: dict[int, list[str]] = {}
    for (record, _), text in sorted(texts.items()):
        by_record.setdefault(record, []).append(text)
    if any(len(set(own)) < len(own) for own in by_record.values()):
        return False
    pairs = Counter(pair for own in by_record.values() for pair in pairwise(own))
    swaps = sum(min(count, pairs[after, before]) for (before, after), count in pairs.items() if before < after)
    return swaps <= OPTIONS.max_label_swaps * sum(pairs.values())


def _nested_column(columns: Sequence[RawColumn]) -> RawColumn:
    """Return the column of nested records; its nested columns count all items of all records as their records."""
    slot = _list_slot(columns[0])
    assert slot is not None
    items = _items(columns)
    number_of = {(record, row): k for k, (record, row) in enumerate(_in_order(items))}
    nested = [_by_item(column, number_of, slot) for column in columns]
    values = {record: [RawValue("", row, item=row) for row in rows] for record, rows in items.items()}
    return RawColumn(slot, RECORDS, is_list=True, values=values, nested=nested)


def _in_order(items: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int]]:
    return ((record, row) for record, rows in items.items() for row in rows)


def _by_item(column: RawColumn, number_of: Mapping[tuple[int, int], int], top: Slot) -> RawColumn:
    values: dict[int, list[RawValue]] = {}
    for record, own in column.values.items():
        for value in own:
            values.setdefault(number_of[record, value.item], []).append(value)
    nested = replace(column, values={k: values[k] for k in sorted(values)}, is_list=True, top=top)
    nested.settle()
    return nested


def nested_region(page: Page, column: RawColumn) -> Region:
    """Return the items of a column of nested records as the records of a region, without columns."""
    rows = [value.row for values in column.values.values() for value in values]
    records = [Record(((row, int(page.end[row])),), page.text_of(row), "", node=page.node(row)) for row in rows]
    return Region("", tuple(records), 1.0)


def set_item_texts(column: RawColumn, region: Region) -> None:
    """Set the values of a column of nested records to their texts, once their columns are known."""
    texts = iter([_item_text(record, region.columns) for record in region.records])
    column.values = {
        record: [value._replace(text=next(texts)) for value in values] for record, values in column.values.items()
    }


def _item_text(record: Record, columns: Sequence[Column]) -> str:
    """Return the fields of a nested record as one text: no addresses, no attributes, no parts of other fields."""
    return item_text([(column, record.get(column.name)) for column in columns], record.text)


def item_text(cells: Sequence[tuple[Column, Cell | None]], text: str) -> str:
    """Return the cells of a nested record as one text; ``text`` is that of the record, where no cell tells it."""
    texts: dict[str, str] = {}
    for column, cell in cells:
        if cell is not None and column.type not in _ADDRESS_TYPES and "/@" not in column.path:
            texts.setdefault(column.path, cell.text)
    return FIELD_SEPARATOR.join(texts.values()) or text


def nested_cells(page: Page, column: RawColumn, region: Region) -> dict[int, tuple[Cell, tuple[Record, ...]]]:
    """Return the cell of each record in a column of nested records, and the nested records themselves."""
    cells: dict[int, tuple[Cell, tuple[Record, ...]]] = {}
    rows, start = region.table.rows, 0
    for record, values in column.values.items():
        part = slice(start, start + len(values))
        start = part.stop
        items = tuple(value.text for value in values)
        nested = region.records[part]
        confidence = min((cell.confidence for row in rows[part] for cell in row if cell is not None), default=1.0)
        table = Table(region.columns, rows[part])
        cell = Cell(
            ITEM_SEPARATOR.join(items),
            "",
            "records",
            items,
            items,
            confidence,
            table=table,
            node=page.node(values[0].row),
        )
        cells[record] = cell, nested
    return cells


def nested_name_sources(column: RawColumn) -> NameSources:
    """Return what names a column of nested records: the heading or class words of its list, else those of an item."""
    slots = list(with_ancestors(column.slot))[:-1]
    if len(slots) > 1 and _is_all_of(slots[0], slots[1]):
        slots[:2] = slots[1::-1]
    elements = tuple(("", slot.features.ordered_words) for slot in slots)
    has_words = any(naming_words(word) for _, words in elements for word in words)
    return NameSources(
        label=column.label or _heading(column.slot) or ("" if has_words else RECORDS),
        elements=elements,
        priority=(False, False),
    )


def _is_all_of(slot: Slot, parent: Slot) -> bool:
    """Return whether a list is all that the element around it holds, but for a heading."""
    if parent.features.tag in _LIST_TAGS:
        return True
    return all(child is slot or _constant(child) for child in parent.children)


def _heading(slot: Slot) -> str:
    """Return the heading just before a list, the same in most records; "" if there is none."""
    for inner in islice(with_ancestors(slot), MAX_HEADING_LEVELS):
        siblings = inner.parent.children if inner.parent is not None else []
        k = next((k for k, child in enumerate(siblings) if child is inner), 0)
        if k:
            heading = _constant(siblings[k - 1]) if siblings[k - 1].features.tag in _HEADING_TAGS else ""
            return heading if len(heading.split()) <= MAX_HEADING_WORDS else ""
    return ""


def _constant(slot: Slot) -> str:
    """Return the text of a slot that has the same text in most records."""
    pattern = slot.features.pattern
    return pattern.removeprefix(CONSTANT_SIGN) if slot.kind == TEXT and pattern.startswith(CONSTANT_SIGN) else ""


def flat(region: Region) -> Region:
    """Return the region with a list column for each nested column: "offers" of "price" give "offers_price"."""
    if not any(column.columns for column in region.all_columns or region.columns):
        return region
    records = tuple(replace(record, records=(), fields=dict(_flat_cells(record))) for record in region.records)
    return replace(
        region,
        records=records,
        columns=_flat_columns(region.columns),
        all_columns=_flat_columns(region.all_columns),
    )


def _flat_columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    flat_columns: list[Column] = []
    for column in columns:
        flat_columns += [
            replace(
                inner,
                name=_flat_name(column.name, inner.name),
                type=inner.type if inner.type in _ADDRESS_TYPES else "list",
            )
            for inner in column.columns
        ] or [column]
    return tuple(flat_columns)


def _flat_cells(record: Record) -> Iterator[tuple[str, Cell]]:
    for name, cell in record.fields.items():
        if cell.table is None:
            yield name, cell
            continue
        for column, cells in zip(cell.table.columns, zip(*cell.table.rows, strict=True), strict=True):
            values = [value for value in cells if value is not None]
            if values:
                items = tuple(text for value in values for text in (value.items or (value.text,)))
                joined = FIELD_SEPARATOR.join(items)
                yield _flat_name(name, column.name), Cell(joined, "", "list", items, items, node=values[0].node)


def _flat_name(outer: str, inner: str) -> str:
    return f"{outer}_{inner}"

"""From records to columns: what stands at the same place in every record is one column.

The records are read into outlines, equal outlines are aligned once, and every slot of the alignment that holds values
is a column: its texts, and each attribute that holds data. Columns that add nothing (a text of the template, values
that another column has already) are marked as template: they are kept, but not shown by default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from peneira.columns.absolute_urls import base_url
from peneira.columns.data_attributes import LABEL_ATTRIBUTES
from peneira.columns.labels import common_label, is_bare_label, without_label
from peneira.columns.names import MIN_USUAL_SHARE, NameSources, name_columns
from peneira.columns.nested_records import nest, nested_cells, nested_name_sources, nested_region, set_item_texts
from peneira.columns.outline import OutlineBuilder
from peneira.columns.raw_columns import CELL, GROUP, RECORDS, RawColumn, RawValue, raw_columns
from peneira.columns.redundant_columns import mark_redundant
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.table_grid import Grid, grid_of
from peneira.columns.text_parts import text_parts
from peneira.columns.value_patterns import common_pattern
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Cell, Record, Region
from peneira.table import Column
from peneira.values import ColumnType, Value

if TYPE_CHECKING:
    from peneira.types.column_types import InferredType

# A list with more columns was misread; the fullest ones are kept, which bounds time and memory
MAX_COLUMNS = 300
# This many values show the pattern of a column
MAX_SAMPLED_VALUES = 50
_URL_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}


def with_columns(page: Page, region: Region) -> Region:
    """Return the region with its columns and the fields of its records filled in."""
    return ColumnBuilder(page).fill(region)


def language_of(page: Page) -> str:
    """Return the language tag of the page, with the region that its host implies."""
    from peneira.types.notation import language_with_region

    language = page.attrs[0].get("lang", "") if len(page) else ""
    return language_with_region(language, urlsplit(page.url or "").hostname or "")


class ColumnBuilder:
    """Builds the columns of the regions of one page; what is read of the page is shared between regions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.base = base_url(page)
        self._outlines: OutlineBuilder | None = None

    def fill(self, region: Region) -> Region:
        """Return the region with its columns and the fields of its records filled in."""
        if not region.records:
            return region
        if self._outlines is None:
            self._outlines = OutlineBuilder(self.page)
        grid = grid_of(self.page, [record.ranges[0][0] for record in region.records])
        all_columns = nest(raw_columns(self._outlines, region.records, grid, self.base))
        columns = _fullest(all_columns)
        if len(columns) < len(all_columns):
            message = f"the {len(columns)} fullest columns of {len(all_columns)}; the others were left out"
            region = replace(
                region, reasons=(*region.reasons, Reason(ReasonCode.COLUMNS_LEFT_OUT, message, float(len(all_columns))))
            )
        return self._filled(region, columns, grid)

    def _filled(self, region: Region, columns: Sequence[RawColumn], grid: Grid) -> Region:
        """Return the region with named and typed columns; nested records get theirs first."""
        nested = {id(column): self._filled_items(column) for column in columns if column.nested}
        labels = _attribute_labels(columns)
        for column in columns:
            _set_label(column, labels.get(id(column.slot), ""))
        columns = [part for column in columns for part in (column, *_part_columns(column))]
        mark_redundant(columns, len(region.records), grid)
        return _filled(self.page, region, columns, grid, nested)

    def _filled_items(self, column: RawColumn) -> Region:
        """Return the nested records of a column as a region of their own; the column gets their texts."""
        region = self._filled(nested_region(self.page, column), _fullest(column.nested), Grid())
        set_item_texts(column, region)
        return region


def _fullest(columns: list[RawColumn]) -> list[RawColumn]:
    """Return the columns, without the emptiest ones where there are too many."""
    if len(columns) <= MAX_COLUMNS:
        return columns
    min_values = sorted(len(column.values) for column in columns)[-MAX_COLUMNS]
    return [column for column in columns if len(column.values) >= min_values][:MAX_COLUMNS]


def _attribute_labels(columns: Sequence[RawColumn]) -> dict[int, str]:
    """Return the labels of slots that are in an attribute: the same in all records that have it."""
    labels = {}
    for column in columns:
        if column.attribute in LABEL_ATTRIBUTES and len(column.values) > 1:
            texts = set(column.first_texts().values())
            if len(texts) == 1:
                labels[id(column.slot)] = texts.pop()
    return labels


def _set_label(column: RawColumn, attribute_label: str) -> None:
    """Set the label of a column; one that stands before the values is removed from them."""
    column.label = "" if column.attribute in LABEL_ATTRIBUTES else column.slot.label or attribute_label
    if column.attribute not in ("", GROUP):
        return
    texts = column.first_texts()
    slot_label = column.slot.features.label
    column.is_label = bool(slot_label) and all(
        is_bare_label(text) or text.lower() == slot_label for text in set(texts.values())
    )
    label = common_label(texts)
    if label:
        column.label = label
        column.values = {
            record: [value._replace(text=without_label(value.text, label)) for value in values]
            for record, values in column.values.items()
        }


def _part_columns(column: RawColumn) -> Iterator[RawColumn]:
    """Yield the columns within a column."""
    if column.attribute not in ("", GROUP) or column.is_list:
        return
    for part in text_parts(column.first_texts()):
        values = {record: [column.values[record][0]._replace(text=text)] for record, text in part.texts.items()}
        yield RawColumn(column.slot, column.attribute, label=part.label, part=part.kind, values=values)


def _filled(page: Page, region: Region, raw: Sequence[RawColumn], grid: Grid, nested: Mapping[int, Region]) -> Region:
    linked = _linked_slots(raw)
    names = name_columns(
        [_name_sources(column, grid, len(region.records), is_linked=id(column.slot) in linked) for column in raw]
    )
    language = language_of(page)
    types = [_column_type(column, caption, language) for column, (_, caption) in zip(raw, names, strict=True)]
    fields: list[dict[str, Cell]] = [{} for _ in region.records]
    inner: list[tuple[Record, ...]] = [() for _ in region.records]
    for column, (name, _), column_type in zip(raw, names, types, strict=True):
        if column.nested:
            for record, (cell, items) in nested_cells(page, column, nested[id(column)]).items():
                fields[record][name] = cell
                inner[record] += items
            continue
        for record, values in column.values.items():
            fields[record][name] = _cell(column, values, column_type, page.xpath(values[0].row))
    columns = tuple(
        Column(
            name,
            caption=caption or name,
            fill=len(column.values) / len(region.records),
            path=_path(column),
            type=column_type.type,
            confidence=column_type.confidence,
            is_template=column.is_template,
            columns=nested[id(column)].columns if column.nested else (),
        )
        for column, (name, caption), column_type in zip(raw, names, types, strict=True)
    )
    records = tuple(
        replace(record, fields=cells, records=items)
        for record, cells, items in zip(region.records, fields, inner, strict=True)
    )
    default = tuple(column for column in columns if not column.is_template)
    return replace(region, records=records, columns=default, all_columns=columns)


def _linked_slots(columns: Sequence[RawColumn]) -> set[int]:
    """Return the slots that are links, and those of texts that are all a link contains."""
    links = {id(column.slot) for column in columns if column.attribute == "href"}
    texts_inside = Counter(id(column.slot.parent) for column in columns if not column.attribute and not column.part)
    only_texts = {
        id(column.slot)
        for column in columns
        if id(column.slot.parent) in links and texts_inside[id(column.slot.parent)] == 1
    }
    return links | only_texts


def _name_sources(column: RawColumn, grid: Grid, records: int, *, is_linked: bool) -> NameSources:
    if column.nested:
        return nested_name_sources(column)
    slots = list(with_ancestors(column.slot, column.top))
    is_rare = len(column.values) < MIN_USUAL_SHARE * records
    return NameSources(
        header=next((header for slot in slots if (header := grid.headers.get(slot.column, ""))), ""),
        prop=next((slot.features.prop for slot in slots if slot.features.prop), ""),
        label=column.label,
        attribute="" if column.attribute == CELL else column.attribute,
        part="label" if column.is_label else column.part,
        pattern=_pattern(column),
        is_linked=is_linked,
        elements=tuple((slot.features.tag, slot.features.ordered_words) for slot in slots if slot.parent is not None),
        # columns that only some pages of a site have must not change the names of those that all have
        priority=(column.is_template, bool(column.part), is_rare),
    )


def _pattern(column: RawColumn) -> str:
    """Return the pattern that most values of a text column match."""
    if column.attribute:
        return ""
    return common_pattern([values[0].text for values in islice(column.values.values(), MAX_SAMPLED_VALUES)])


def _path(column: RawColumn) -> str:
    steps = [
        ".".join((slot.features.tag, *sorted(slot.features.words)))
        for slot in with_ancestors(column.slot)
        if slot.parent is not None
    ]
    path = "/".join(reversed(steps))
    return f"{path}/@{column.attribute}" if column.attribute not in ("", CELL, RECORDS) else path


def _column_type(column: RawColumn, caption: str, language: str) -> InferredType:
    """Return the type of a column: that of its attribute, "list" for repeated values, else the type of its texts."""
    from peneira.types.column_types import InferredType, infer_type

    if column.attribute in _URL_TYPES:
        return InferredType(_URL_TYPES[column.attribute], 1.0)
    if column.is_list:
        return InferredType("records" if column.nested else "list", 1.0)
    texts = [value.text for values in column.values.values() for value in values]
    return infer_type(texts, caption=caption, language=language)


def _cell(column: RawColumn, values: Sequence[RawValue], column_type: InferredType, xpath: str) -> Cell:
    """Return a cell; a text that cannot be read as the type of its column is of type "text"."""
    if len(values) == 1 and not column.is_list:
        text = values[0].text
        value: Value = text if column_type.type in _URL_TYPES.values() else column_type.value(text)
        cell_type = "text" if value is None else column_type.type
        return Cell(text, xpath, cell_type, value, confidence=values[0].confidence)
    items = tuple(value.text for value in values)
    confidence = min(value.confidence for value in values)
    return Cell(", ".join(items), xpath, "list", items, items=items, confidence=confidence)

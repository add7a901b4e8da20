"""One schema for the pages of one site: a field has the same name, type and place in the table on every page.

A column that a page lacks is empty there. Which columns are shown is decided over all pages: those with a role, and
those that at least half of the pages that have them show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import cast

from peneira.columns.economy import column_rank
from peneira.columns.names import base_name, snake_case
from peneira.columns.site_fields import PageColumns, SiteField, site_fields
from peneira.reasons import Reason, ReasonCode
from peneira.result import Cell, Record, Region
from peneira.table import Column, Table
from peneira.types.column_types import InferredType, infer_type
from peneira.values import ColumnType

# A site with more columns has pages of many forms; the fullest ones are kept, which bounds time and memory
MAX_COLUMNS = 300
# A column repeats another if this share of its cells, up to a number, are in the cells of that one
MIN_REPEATED_SHARE = 0.9
MAX_COMPARED = 60
_ADDRESS_SUFFIXES: Mapping[str, str] = {"url": "_url", "image": "_image"}


def with_site_schema(regions: Sequence[Region], *, language: str = "") -> list[Region]:
    """Return the lists of several pages of one site under one schema. Linear in the number of cells.

    ``language``: the language tag of the pages, for values that can be read in two ways.
    """
    if len(regions) < 2:
        return list(regions)
    pages = [PageColumns(region.all_columns or region.columns, _cells(region)) for region in regions]
    schema = _Schema(pages, language)
    with_nested = _NestedSchemas(schema, language)
    return [schema.region(number, region, with_nested) for number, region in enumerate(regions)]


def _cells(region: Region) -> list[Mapping[str, Cell]]:
    return [record.fields for record in region.records]


@dataclass(slots=True, eq=False)
class _FieldSchema:
    """A field with what was decided about it."""

    field: SiteField
    name: str
    type: ColumnType
    confidence: float
    is_shown: bool
    # What all its cells are read as; None where they stay as they are
    inferred: InferredType | None = None

    def column(self, page: int, records: int, filled: int) -> Column:
        """Return the column on a page, empty where the page lacks it."""
        pages = self.field.columns
        return replace(
            pages.get(page, self.field.first),
            name=self.name,
            fill=filled / records if records else 0.0,
            type=self.type,
            confidence=self.confidence,
            is_template=not self.is_shown,
            role=self.field.role,
        )

    def cell(self, cell: Cell) -> Cell:
        """Return a cell of the field as one of its type."""
        if self.type == "list" and cell.type != "list":
            items = cell.items or (cell.text,)
            return replace(cell, type="list", value=items, items=items)
        if self.inferred is None or cell.table is not None:
            return cell
        value = cell.text if self.type in _ADDRESS_SUFFIXES else self.inferred.value(cell.text)
        if value is None or self.type == "text":
            return replace(cell, type="text", value=cell.text)
        return replace(cell, type=self.type, value=value)


class _Schema:
    """The columns that the pages share, shown ones first, and how the columns of each page become them."""

    def __init__(self, pages: Sequence[PageColumns], language: str) -> None:
        self.pages = pages
        fields = site_fields(pages)
        self.left_out = max(len(fields) - MAX_COLUMNS, 0)
        decided = [self._decided(each, language) for each in _fullest(fields, pages)]
        shown = self._without_repetitions([each for each in decided if each.is_shown])
        for each in decided:
            each.is_shown = each in shown
        self.fields = [*_in_reading_order(shown, pages), *(each for each in decided if not each.is_shown)]
        _set_names(self.fields)
        self._by_column: list[dict[str, _FieldSchema]] = [{} for _ in pages]
        for each in self.fields:
            for page, column in each.field.columns.items():
                self._by_column[page][column.name] = each
        self._columns = [self._columns_of(page) for page in range(len(pages))]

    def _decided(self, site_field: SiteField, language: str) -> _FieldSchema:
        pages = site_field.columns
        types = {column.type for column in pages.values()}
        confidence = min(column.confidence for column in pages.values())
        decided = _FieldSchema(site_field, "", site_field.first.type, confidence, site_field.is_shown)
        if types == {"integer", "number"}:
            decided.type = "number"
        elif len(types) > 1:
            self._infer(decided, types, language)
        return decided

    def _infer(self, decided: _FieldSchema, types: set[ColumnType], language: str) -> None:
        """Set the type of a field whose columns are of different types, by the cells of all pages."""
        whole = next((kind for kind in ("records", "list") if kind in types), None)
        if whole is not None:
            decided.type = cast("ColumnType", whole)
            return
        texts = [
            cell.text
            for page, column in decided.field.columns.items()
            for cells in self.pages[page].cells
            if (cell := cells.get(column.name)) is not None
        ]
        decided.inferred = infer_type(texts, caption=decided.field.first.caption, language=language)
        decided.type, decided.confidence = decided.inferred.type, decided.inferred.confidence

    def _without_repetitions(self, fields: Sequence[_FieldSchema]) -> list[_FieldSchema]:
        """Return the shown fields without those that some pages leave out and that repeat another.

        One page may show a text and another its parts; both are one column too many.
        """
        kept = list(fields)
        for each in fields:
            is_doubtful = not each.field.role and any(column.is_template for column in each.field.columns.values())
            if is_doubtful and any(other is not each and self._repeats(each, other) for other in kept):
                kept.remove(each)
        return kept

    def _repeats(self, each: _FieldSchema, other: _FieldSchema) -> bool:
        """Return whether nearly all cells of a field are in those of another, on pages that have both."""
        if (each.type in _ADDRESS_SUFFIXES) != (other.type in _ADDRESS_SUFFIXES) or each.type == "records":
            return False
        own, others = each.field.columns, other.field.columns
        if not own.keys() <= others.keys():
            return False
        pairs = [
            (cell.text, (beside.text if (beside := cells.get(others[page].name)) else ""))
            for page, column in islice(own.items(), MAX_COMPARED)
            for cells in islice(self.pages[page].cells, MAX_COMPARED)
            if (cell := cells.get(column.name)) is not None
        ]
        inside = sum(_bare(text) in _bare(outer) for text, outer in pairs)
        return inside >= MIN_REPEATED_SHARE * len(pairs)

    def _columns_of(self, page: int) -> tuple[Column, ...]:
        cells = self.pages[page].cells
        filled = Counter(name for own in cells for name in own)
        return tuple(
            each.column(page, len(cells), filled[each.field.columns[page].name] if page in each.field.columns else 0)
            for each in self.fields
        )

    def columns(self, page: int) -> tuple[Column, ...]:
        """Return the columns of a page; equal on all pages except for how full they are."""
        return self._columns[page]

    def field_of(self, page: int, name: str) -> _FieldSchema | None:
        """Return the field that a column of a page became, None if it was left out."""
        return self._by_column[page].get(name)

    def cells(self, page: int, cells: Mapping[str, Cell]) -> dict[str, Cell]:
        """Return the cells of a record of a page by their new column names."""
        by_column = self._by_column[page]
        return {by_column[name].name: by_column[name].cell(cell) for name, cell in cells.items() if name in by_column}

    def region(self, page: int, region: Region, nested: _NestedSchemas) -> Region:
        """Return the list of a page under the schema."""
        records = tuple(
            nested.record(page, region, replace(record, fields=self.cells(page, record.fields)))
            for record in region.records
        )
        columns = tuple(nested.column(page, column) for column in self.columns(page))
        reasons = region.reasons
        if self.left_out:
            message = f"the {MAX_COLUMNS} fullest columns of the {MAX_COLUMNS + self.left_out} of all pages of the site"
            reasons = (*reasons, Reason(ReasonCode.COLUMNS_LEFT_OUT, message, float(MAX_COLUMNS + self.left_out)))
        shown = tuple(column for column in columns if not column.is_template)
        return replace(region, records=records, columns=shown, all_columns=columns, reasons=reasons)


def _bare(text: str) -> str:
    return text.replace(" ", "").lower()


def _fullest(fields: list[SiteField], pages: Sequence[PageColumns]) -> list[SiteField]:
    """Return the fields, without the emptiest ones where there are too many."""
    if len(fields) <= MAX_COLUMNS:
        return fields
    values = [
        sum(column.fill * len(pages[page].cells) for page, column in each.columns.items()) + bool(each.role)
        for each in fields
    ]
    kept = set(sorted(range(len(fields)), key=lambda k: (-values[k], k))[:MAX_COLUMNS])
    return [each for k, each in enumerate(fields) if k in kept]


def _in_reading_order(fields: Sequence[_FieldSchema], pages: Sequence[PageColumns]) -> list[_FieldSchema]:
    """Return the fields in the order of the first page; those of other pages go before what follows them there."""
    order: list[_FieldSchema] = []
    by_column: list[dict[str, _FieldSchema]] = [{} for _ in pages]
    for each in fields:
        for page, column in each.field.columns.items():
            by_column[page][column.name] = each
    for page, by_name in enumerate(by_column):
        if len(order) == len(fields):
            break
        shown = [column.name for column in pages[page].columns if not column.is_template]
        _insert(order, [by_name[name] for name in shown if name in by_name])
    return order


def _insert(order: list[_FieldSchema], own: Sequence[_FieldSchema]) -> None:
    """Insert the fields of a page that are new: after the field before them, by what they are to a reader."""
    known = {id(each) for each in order}
    place = 0
    for k, each in enumerate(own):
        if id(each) in known:
            place = order.index(each) + 1
            continue
        follower = next((other for other in own[k + 1 :] if id(other) in known), None)
        while place < len(order) and order[place] is not follower and _rank(order[place]) <= _rank(each):
            place += 1
        order.insert(place, each)
        known.add(id(each))
        place += 1


def _rank(each: _FieldSchema) -> int:
    return column_rank(each.field.role or None, {"url": "href", "image": "src"}.get(each.type, ""))


def _set_names(fields: Sequence[_FieldSchema]) -> None:
    """Name the fields: as most pages name them, the first page first; no two have the same name."""
    taken: set[str] = set()
    numbers: Counter[str] = Counter()
    order = sorted(range(len(fields)), key=lambda k: _name_priority(fields[k], k))
    for k in order:
        names = _proposed_names(fields[k].field)
        name = next((name for name in names if name not in taken), "")
        if not name:
            base = base_name(names[-1])
            numbers[base] = max(numbers[base], 1)
            while (name := f"{base}_{numbers[base] + 1}") in taken:
                numbers[base] += 1
        fields[k].name = name
        taken.add(name)


def _name_priority(each: _FieldSchema, k: int) -> tuple[bool, bool, int, int, int]:
    pages = each.field.columns
    return not each.field.role, not each.is_shown, -len(pages), min(pages), k


def _proposed_names(site_field: SiteField) -> list[str]:
    """Return the names that a field can have, the best first: with a role, that of the role if any page uses it."""
    columns = [site_field.columns[page] for page in sorted(site_field.columns)]
    if site_field.role:
        names = _by_use([column for column in columns if column.role == site_field.role])
        return [site_field.role] if site_field.role in names else names
    names = _by_use([column for column in columns if not column.role])
    first = columns[0]
    if names:
        return names
    if first.source != "page":
        return [f"{first.name}_{snake_case(first.source)}"]
    words = snake_case(first.label or first.caption) or first.name
    suffix = _ADDRESS_SUFFIXES.get(first.type, "")
    return [words if words.endswith(suffix.removeprefix("_")) else words + suffix]


def _by_use(columns: Sequence[Column]) -> list[str]:
    """Return the names of the columns, the most used first; those of pages that show the column come before others."""
    used = Counter(column.name for column in columns)
    shown = Counter(column.name for column in columns if not column.is_template)
    return sorted(used, key=lambda name: (-shown[name], -used[name]))


@dataclass(slots=True)
class _Nested:
    """The schema of the nested records of one field; ``numbers``: of its pages, in the schema."""

    schema: _Schema
    numbers: dict[int, int] = field(default_factory=dict)


class _NestedSchemas:
    """The schemas of the fields with nested records, by the name of the field."""

    def __init__(self, schema: _Schema, language: str) -> None:
        self._outer = schema
        self._nested: dict[str, _Nested] = {}
        for each in schema.fields:
            columns = {page: column for page, column in each.field.columns.items() if column.columns}
            if each.type == "records" and columns:
                pages = [
                    PageColumns(
                        column.columns, [row for cell in self._tables(page, column.name) for row in _rows(cell)]
                    )
                    for page, column in columns.items()
                ]
                numbers = {page: number for number, page in enumerate(columns)}
                self._nested[each.name] = _Nested(_Schema(pages, language), numbers)

    def _tables(self, page: int, name: str) -> list[Table]:
        cells = (own.get(name) for own in self._outer.pages[page].cells)
        return [cell.table for cell in cells if cell is not None and cell.table is not None]

    def column(self, page: int, column: Column) -> Column:
        """Return a column with the nested columns of its schema."""
        nested = self._nested.get(column.name)
        if nested is None:
            return column
        return replace(column, columns=nested.schema.columns(nested.numbers.get(page, 0)))

    def record(self, page: int, region: Region, record: Record) -> Record:
        """Return a record of a page, whose cells have their new names, with its nested records under their schema."""
        if not self._nested or not record.records:
            return record
        fields = dict(record.fields)
        inner: list[Record] = []
        # the nested records of a record are in the order of the columns of its page
        for column in self._outer.pages[page].columns:
            each = self._outer.field_of(page, column.name)
            cell = fields.get(each.name) if each is not None else None
            if each is None or cell is None or cell.table is None or each.name not in self._nested:
                continue
            nested = self._nested[each.name]
            number = nested.numbers[page]
            columns = nested.schema.columns(number)
            rows = [nested.schema.cells(number, own) for own in _rows(cell.table)]
            table = Table(columns, tuple(tuple(own.get(column.name) for column in columns) for own in rows))
            fields[each.name] = replace(cell, table=table)
            own_records = record.records[len(inner) : len(inner) + len(rows)]
            inner += [
                replace(own, fields=_with_hidden(own, cells, cell.table.names))
                for own, cells in zip(own_records, rows, strict=False)
            ]
        return replace(record, fields=fields, records=(*inner, *record.records[len(inner) :]))


def _rows(table: Table) -> list[Mapping[str, Cell]]:
    names = table.names
    return [{name: cell for name, cell in zip(names, row, strict=True) if cell is not None} for row in table.rows]


def _with_hidden(record: Record, cells: Mapping[str, Cell], shown: Sequence[str]) -> dict[str, Cell]:
    """Return the cells of a nested record under their new names, after those of columns that are not shown."""
    hidden = {name: cell for name, cell in record.fields.items() if name not in shown and name not in cells}
    return {**hidden, **cells}

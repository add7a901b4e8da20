"""Learning where the values of list pages are: for each column of the list the selector that reads its cells best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.columns.builder import language_of
from peneira.columns.names import base_name
from peneira.result import Cell
from peneira.table import Column
from peneira.types.column_types import InferredType, infer_type
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.record_finder import CORE_FILL
from peneira.wrappers.record_paths import paths_in_record
from peneira.wrappers.saved_columns import ColumnStats, SavedColumn, stats_of
from peneira.xpath.anchors import Anchors
from peneira.xpath.selectors import Selector, Step
from peneira.xpath.stability import stability

# A page number and a record number on that page
RecordKey = tuple[int, int]
Texts = Mapping[RecordKey, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ListColumnOptions:
    """When a selector reads a column; ``peneira bench wrappers --lists`` measures the effect."""

    # A column is left out if no selector reads its cells in this share of the records
    min_agreement: float = 0.6
    # Columns are joined if one selector reads this share of the cells of both
    min_joined_agreement: float = 0.95
    # Selectors are proposed from the cells of the first records
    max_sampled_records: int = 12
    # If no column is in this share of the records, single columns were split into several
    min_fill: float = 0.5
    max_split_columns: int = 40
    # A text before this share of the values is their label
    min_label_share: float = 0.8


OPTIONS = ListColumnOptions()


@dataclass(frozen=True, slots=True)
class _ColumnCells:
    """The cells of a column on all pages, and the row of each."""

    column: Column
    attribute: str
    rows: Mapping[RecordKey, int]
    cells: Mapping[RecordKey, Cell]

    @property
    def is_list(self) -> bool:
        """Whether some cell holds several values."""
        return any(cell.items for cell in self.cells.values())


def learn_columns(pages: Sequence[ListPage], anchors: Anchors) -> tuple[SavedColumn, ...]:
    """Return the columns of the lists that selectors can read.

    If no column is in most records, single columns were split into several; then a column is all that a selector reads.
    """
    found = _joined(pages, anchors, _column_cells(pages))
    language = language_of(pages[0].page)
    columns = _distinct(_saved_column(pages, anchors, cells, language) for cells in found)
    if any(column.stats.fill >= OPTIONS.min_fill for column in columns):
        return columns
    found = found[: OPTIONS.max_split_columns]
    return _distinct(_saved_column(pages, anchors, cells, language, is_split=True) for cells in found) or columns


def _distinct(columns: Iterable[SavedColumn | None]) -> tuple[SavedColumn, ...]:
    """Return the columns without None, and only the first of several with the same selector."""
    by_selector: dict[str, SavedColumn] = {}
    for column in columns:
        if column is not None:
            by_selector.setdefault(str(column.selector), column)
    return tuple(by_selector.values())


def _column_cells(pages: Sequence[ListPage]) -> list[_ColumnCells]:
    columns: dict[str, Column] = {}
    for page in pages:
        for column in page.region.columns:
            columns.setdefault(column.name, column)
    rows_by_xpath = [_rows_by_xpath(page) for page in pages]
    result = []
    for name, column in columns.items():
        rows: dict[RecordKey, int] = {}
        cells: dict[RecordKey, Cell] = {}
        for k, page in enumerate(pages):
            for r, record in enumerate(page.region.records):
                cell = record.fields.get(name)
                if cell is not None and cell.xpath in rows_by_xpath[k]:
                    rows[k, r] = rows_by_xpath[k][cell.xpath]
                    cells[k, r] = cell
        attribute = column.path.rpartition("/@")[2] if "/@" in column.path else ""
        if rows and attribute != "group":
            result.append(_ColumnCells(column, attribute, rows, cells))
    return result


def _rows_by_xpath(list_page: ListPage) -> dict[str, int]:
    page = list_page.page
    return {
        page.xpath(row): row
        for top_rows in list_page.records
        for top in top_rows
        for row in range(top, page.lists.end[top])
        if not page.silent[row]
    }


def _joined(pages: Sequence[ListPage], anchors: Anchors, columns: Sequence[_ColumnCells]) -> list[_ColumnCells]:
    """Return the columns; columns of the same name are joined if no record has both and one selector reads all cells.

    Columns of a list differ by the elements around them, which may only reflect the state of a record.
    """
    joined: list[_ColumnCells] = []
    records = sum(len(page.records) for page in pages)
    for column in columns:
        alike = [k for k, other in enumerate(joined) if _may_join(other, column, records)]
        if alike:
            # many columns may be called "text": the one in the same element is the likeliest
            k = next((k for k in alike if _element(joined[k]) == _element(column)), alike[0])
            other = joined[k]
            both = replace(other, rows={**other.rows, **column.rows}, cells={**other.cells, **column.cells})
            if _best_agreement(pages, anchors, both) >= OPTIONS.min_joined_agreement:
                joined[k] = both
                continue
        joined.append(column)
    return joined


def _may_join(column: _ColumnCells, other: _ColumnCells, records: int) -> bool:
    """Return whether two columns could be one: the same name but for a number, and no record with both."""
    is_same = (base_name(column.column.name), column.attribute) == (base_name(other.column.name), other.attribute)
    is_rare = len(column.rows) < CORE_FILL * records
    return is_same and is_rare and column.cells.keys().isdisjoint(other.cells)


def _element(column: _ColumnCells) -> str:
    """Return tag and class words of the element that holds the values."""
    return column.column.path.partition("/@")[0].rpartition("/")[2]


def _best_agreement(pages: Sequence[ListPage], anchors: Anchors, column: _ColumnCells) -> float:
    is_list = column.is_list
    return max(
        (
            _agreement(_read(pages, selector, is_list=is_list), column.cells, "")
            for selector in _proposed(pages, anchors, column)
        ),
        default=0.0,
    )


def _saved_column(
    pages: Sequence[ListPage], anchors: Anchors, column: _ColumnCells, language: str, *, is_split: bool = False
) -> SavedColumn | None:
    """Return the column with the selector that reads its cells best; None if none reads enough of them."""
    is_list = column.is_list
    best: tuple[float, float, str] | None = None
    chosen: tuple[Selector, str, Texts] | None = None
    for selector in _proposed(pages, anchors, column):
        read = _read(pages, selector, is_list=is_list)
        label = "" if is_list or column.attribute else _shared_label(read, column.cells)
        compared = {key: texts for key, texts in read.items() if key in column.cells} if is_split else read
        agreement = _agreement(compared, column.cells, label)
        rank = (round(agreement, 2), stability(selector), str(selector))
        if agreement >= OPTIONS.min_agreement and (best is None or rank > best):
            best, chosen = rank, (selector, label, read)
    if chosen is None:
        return None
    selector, label, read = chosen
    records = sum(len(page.records) for page in pages)
    texts = [tuple(text.removeprefix(label).strip() for text in own) for own in read.values()]
    typing = _typing(column.column, [own[0] for own in texts if own], language, is_list=is_list)
    stats = stats_of(texts, records)
    return SavedColumn(column.column.name, column.column.caption, selector, typing, stats, label, is_list)


def _typing(column: Column, texts: Sequence[str], language: str, *, is_list: bool) -> InferredType:
    if is_list:
        return InferredType("list", 1.0)
    if column.type in ("url", "image"):
        return InferredType(column.type, 1.0)
    return infer_type(texts, caption=column.caption, language=language)


def _read(pages: Sequence[ListPage], selector: Selector, *, is_list: bool) -> Texts:
    """Return what a selector reads in each record."""
    column = SavedColumn("", "", selector, InferredType("text", 1.0), ColumnStats(1.0), is_list=is_list)
    texts = {}
    for k, page in enumerate(pages):
        for r, top_rows in enumerate(page.records):
            values = page.reader.values(column, top_rows)
            if values is not None:
                texts[k, r] = values.texts
    return texts


def _shared_label(read: Texts, cells: Mapping[RecordKey, Cell]) -> str:
    """Return the text that stands before the values of most cells, "" if there is none."""
    before: Counter[str] = Counter()
    for key, texts in read.items():
        cell = cells.get(key)
        if cell is not None and texts[0] != cell.text and texts[0].endswith(cell.text):
            before[texts[0].removesuffix(cell.text).strip()] += 1
    label, times = max(before.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return label if times >= OPTIONS.min_label_share * len(read) else ""


def _agreement(read: Texts, cells: Mapping[RecordKey, Cell], label: str) -> float:
    """Return the share of the records in which the selector reads the cell, or nothing where there is none."""
    right = 0
    for key, texts in read.items():
        cell = cells.get(key)
        if cell is not None:
            wanted = cell.items or (cell.text,)
            right += tuple(text.removeprefix(label).strip() for text in texts) == wanted
    return right / max(len(cells.keys() | read.keys()), 1)


def _proposed(pages: Sequence[ListPage], anchors: Anchors, column: _ColumnCells) -> list[Selector]:
    """Return the selectors, relative to the record, that could read the cells of some records."""
    selectors: dict[Selector, None] = {}
    end = (Step("child", f"@{column.attribute}"),) if column.attribute else ()
    for (k, r), row in list(column.rows.items())[: OPTIONS.max_sampled_records]:
        for steps in paths_in_record(pages[k], anchors, pages[k].records[r], row):
            selectors[Selector((*steps, *end), is_relative=True)] = None
    return list(selectors)

"""The cells of the columns of lists on the learning pages, and the rows of the pages that they are read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from peneira.columns.names import base_name
from peneira.result import Cell
from peneira.table import Column
from peneira.wrappers.list_page import ListPage
from peneira.wrappers.reading_search import RecordKey
from peneira.wrappers.record_finder import CORE_FILL


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """The cells of a column on all pages, and the row of each."""

    column: Column
    attribute: str
    rows: Mapping[RecordKey, int]
    cells: Mapping[RecordKey, Cell]

    @property
    def is_list(self) -> bool:
        """Whether some cell holds several values."""
        return any(cell.items for cell in self.cells.values())

    @property
    def wanted(self) -> dict[RecordKey, tuple[str, ...]]:
        """The texts of the cells, by record."""
        return {key: cell.items or (cell.text,) for key, cell in self.cells.items()}


def column_cells(
    pages: Sequence[ListPage], rows_by_xpath: Sequence[Mapping[str, int]], *, are_hidden: bool = False
) -> list[ColumnCells]:
    """Return the columns that are shown, or those that are not shown on any page, with their cells."""
    shown = {column.name for page in pages for column in page.region.columns}
    columns: dict[str, Column] = {}
    for page in pages:
        for column in page.region.all_columns if are_hidden else page.region.columns:
            if column.source == "page" and (column.name in shown) != are_hidden:
                columns.setdefault(column.name, column)
    result = []
    for name, column in columns.items():
        attribute = column.path.rpartition("/@")[2] if "/@" in column.path else ""
        rows: dict[RecordKey, int] = {}
        cells: dict[RecordKey, Cell] = {}
        for k, page in enumerate(pages):
            for r, record in enumerate(page.region.records):
                cell = record.fields.get(name)
                row = None if cell is None else rows_by_xpath[k].get(cell.xpath)
                if cell is not None and row is not None:
                    rows[k, r], cells[k, r] = row, cell
        if rows:
            result.append(ColumnCells(column, attribute, rows, cells))
    return result


def rows_by_xpath(list_page: ListPage) -> dict[str, int]:
    """Return the rows of the records and of the cells above them by XPath."""
    page = list_page.page
    rows = {
        page.xpath(row): row
        for top_rows in list_page.records
        for top in top_rows
        for row in range(top, page.lists.end[top])
        if not page.silent[row]
    }
    wanted = {cell.xpath for record in list_page.region for cell in record.fields.values() if cell.source == "page"}
    if wanted <= rows.keys():
        return rows
    for row in range(len(page)):
        if not page.silent[row] and (xpath := page.xpath(row)) in wanted:
            rows.setdefault(xpath, row)
    return rows


def may_join(column: ColumnCells, other: ColumnCells, records: int) -> bool:
    """Return whether two columns could be one: the same name but for a number, and no record with both."""
    is_same = (base_name(column.column.name), column.attribute) == (base_name(other.column.name), other.attribute)
    is_plain = not (column.column.columns or other.column.columns or column.column.part or other.column.part)
    is_rare = len(column.rows) < CORE_FILL * records
    return is_same and is_plain and is_rare and column.cells.keys().isdisjoint(other.cells)


def element_of(column: ColumnCells) -> str:
    """Return tag and class words of the element that holds the values."""
    return column.column.path.partition("/@")[0].rpartition("/")[2]

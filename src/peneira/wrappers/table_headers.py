"""Columns of tables by the headers over them: where another page has other columns, a column is read under its header.

A cell is found by its position in the row, which is right as long as all pages have the same columns. The header says
where the column is on a page that has more, fewer or others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from peneira.page import Page
from peneira.xpath.selectors import Selector, Step

if TYPE_CHECKING:
    from peneira.wrappers.saved_columns import SavedColumn

CELL_TAGS = frozenset({"td", "th"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
# Longer texts are data
MAX_HEADER_CHARS = 80
# Leading rows of a table that may be headers
MAX_HEADER_ROWS = 4


@dataclass(frozen=True, slots=True)
class TableHeader:
    """The text over a column of a table, and the number of the column among the cells of a row, from 0 on."""

    text: str
    column: int


def headers_over(page: Page, row: int) -> tuple[str, ...]:
    """Return the texts over the cells of a table row, "" for those that stand twice; () if there are none, or one
    spans cells."""
    table = _table_of(page, row)
    if table is None:
        return ()
    cells: list[int] = []
    for above in islice(_rows(page, table), MAX_HEADER_ROWS):
        if not _is_header(page, above):
            break
        cells = cells_of(page, above)
    if any(page.attrs[cell].get(name, "1") != "1" for cell in cells for name in ("colspan", "rowspan")):
        return ()
    texts = [page.text_of(cell) for cell in cells]
    return tuple(text if texts.count(text) == 1 else "" for text in texts)


def cells_of(page: Page, row: int) -> list[int]:
    """Return the cells of a table row."""
    return [child for child in page.children(row) if page.name(child) in CELL_TAGS]


def header_of(page: Page, headers: Sequence[str], record: int, row: int) -> TableHeader | None:
    """Return the header over the cell of a record that holds a row; None if there is none."""
    for column, cell in enumerate(cells_of(page, record)[: len(headers)]):
        if cell <= row < page.lists.end[cell]:
            text = headers[column]
            return TableHeader(text, column) if text and len(text) <= MAX_HEADER_CHARS else None
    return None


def header_over(page: Page, row: int) -> tuple[TableHeader | None, tuple[str, ...]]:
    """Return the header over the cell of a table that holds a row, and all headers of that table."""
    record = next((above for above in page.ancestors(row) if page.name(above) == "tr"), None)
    if record is None:
        return None, ()
    headers = headers_over(page, record)
    return header_of(page, headers, record, row), headers


def under_headers(columns: Sequence[SavedColumn], headers: Sequence[str]) -> tuple[SavedColumn, ...]:
    """Return the columns as they are read in a table with these headers: cells found by position move with the header.

    A column whose header is gone, and whose place another column has taken, is not read.
    """
    place = {text: column for column, text in enumerate(headers) if text}
    known = {column.header.text for column in columns if column.header is not None}
    return tuple(_under_header(column, place, headers, known) for column in columns)


def _under_header(column: SavedColumn, place: dict[str, int], headers: Sequence[str], known: set[str]) -> SavedColumn:
    header = column.header
    if header is None or (header.column < len(headers) and headers[header.column] == header.text):
        return column
    if header.text in place:
        shift = place[header.text] - header.column
        return replace(
            column,
            readings=tuple(replace(reading, selector=moved(reading.selector, shift)) for reading in column.readings),
        )
    is_taken = header.column < len(headers) and headers[header.column] in known
    return replace(column, readings=()) if is_taken else column


def moved(selector: Selector, shift: int) -> Selector:
    """Return a selector whose first step to a cell by its position goes so many cells further."""
    for k, step in enumerate(selector.steps):
        if is_cell_by_position(step):
            position = max(step.position, 1) + shift
            steps = (*selector.steps[:k], replace(step, position=max(position, 1)), *selector.steps[k + 1 :])
            return replace(selector, steps=steps)
    return selector


def is_cell_by_position(step: Step) -> bool:
    """Return whether a step finds a cell by nothing but its position."""
    return step.name in CELL_TAGS and step.is_tag_only and step.axis == "child"


def _table_of(page: Page, row: int) -> int | None:
    if page.name(row) != "tr":
        return None
    for above in page.ancestors(row):
        if page.name(above) == "table":
            return above
        if page.name(above) not in _ROW_GROUPS:
            return None
    return None


def _rows(page: Page, table: int) -> Iterator[int]:
    for child in page.children(table):
        if page.name(child) == "tr":
            yield child
        elif page.name(child) in _ROW_GROUPS:
            yield from (row for row in page.children(child) if page.name(row) == "tr")


def _is_header(page: Page, row: int) -> bool:
    """Return whether a row is one of headers: it stands in ``thead``, or most of its several cells are ``th``."""
    if page.name(page.lists.parent[row]) == "thead":
        return True
    cells = cells_of(page, row)
    return len(cells) > 1 and 2 * sum(page.name(cell) == "th" for cell in cells) > len(cells)

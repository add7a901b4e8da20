"""Tables as grids: the column of each cell, the cells that span into later rows, the headers over the columns.

The algorithm is HTML's own ("forming a table"): a cell takes the first free column, and a cell that spans rows keeps
its columns taken in the rows below, up to the end of its row group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from peneira.page import Page, rows_with

# Browsers stop at 1000 and 65534. Wider cells are mistakes or attacks, and cost time per column and row
MAX_COLUMN_SPAN = 100
MAX_ROW_SPAN = 1000
# Cells that span into one row from above; beyond that many, a cell counts only in the row where it starts
MAX_SPANNING_CELLS = 20
# More rows, or longer texts, are data
MAX_HEADER_ROWS = 4
MAX_HEADER_CHARS = 80
# A header over more columns, alone in its row, is a caption
MAX_HEADED_COLUMNS = 2
# A header of plain cells has at least this many texts, in this share of its cells, none longer than this
MIN_WORDED_HEADERS = 3
MIN_WORDED_SHARE = 0.6
MAX_WORDED_CHARS = 30
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_ROW_TAGS = _ROW_GROUPS | {"tr"}
CELL_TAGS = frozenset({"td", "th"})
_SPANS = ("colspan", "rowspan")


@dataclass(slots=True)
class Grid:
    """The cells of the tables that the records are rows of.

    ``column``: the column of each cell; ``spanning_cells``: by row, the cells that span into it from above;
    ``headers``: the header text over each column.
    """

    column: dict[int, int] = field(default_factory=dict)
    spanning_cells: dict[int, list[int]] = field(default_factory=dict)
    headers: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _SpanningCell:
    """A cell that continues in the rows below, its columns, and how many rows are left."""

    cell: int
    columns: range
    rows_left: int


class _PlacedCell(NamedTuple):
    """A cell and the columns that it takes."""

    cell: int
    columns: range


def grid_of(page: Page, roots: Sequence[int]) -> Grid:
    """Return the grid of the tables that the records are rows of; empty if they are not table rows."""
    grid = Grid()
    if _ROW_TAGS.isdisjoint(page.tag_names):
        return grid
    table_of_parent: dict[int, int | None] = {}
    parents = page.lists.parent
    for root in roots:
        parent = parents[root]
        if parent not in table_of_parent and page.name(root) in _ROW_TAGS:
            table_of_parent[parent] = _table_of(page, root)
    tables = {table for table in table_of_parent.values() if table is not None}
    wide = frozenset(rows_with(page, _SPANS)) if tables else frozenset()
    for table in sorted(tables):
        _fill(page, table, frozenset(roots), grid, wide)
    return grid


def _table_of(page: Page, root: int) -> int | None:
    """Return the table that a table row or a group of them stands in, None if it stands in none."""
    for i in page.ancestors(root):
        if page.name(i) == "table":
            return i
        if page.name(i) not in _ROW_GROUPS:
            return None
    return None


def _fill(page: Page, table: int, roots: frozenset[int], grid: Grid, wide: frozenset[int]) -> None:
    """Add the cells of a table to the grid. ``wide``: the cells that may take several columns or rows."""
    headers: dict[int, list[str]] = {}
    is_before, first = True, min(roots)
    cell_tags = frozenset([code for code, name in enumerate(page.tag_names) if name in CELL_TAGS])
    last: list[_PlacedCell] = []  # the cells of the row before
    for rows in _row_groups(page, table):
        spanning: list[_SpanningCell] = []
        for row in rows:
            # no header follows the first record, so that nobody asks for the cells of most rows
            if (
                not is_before
                and row != first
                and not spanning
                and _place_single_cells(page, row, grid, wide, cell_tags)
            ):
                continue
            placed = _place_cells(page, row, spanning, grid, wide)
            is_first_record = is_before and (row in roots or int(page.parent[row]) in roots)
            is_before = is_before and not is_first_record
            # the first row may be a header although it was taken for a record
            is_first = row == first and all(page.name(item.cell) == "th" for item in placed)
            if (is_before or is_first) and _is_header(page, placed):
                _add_headers(page, placed, headers)
            elif is_first_record and not headers and _is_worded_header(page, last, placed):
                _add_headers(page, last, headers)
            last = placed
    for column, texts in headers.items():
        kept = [text for text in texts[-MAX_HEADER_ROWS:] if text and len(text) <= MAX_HEADER_CHARS]
        if kept:
            grid.headers.setdefault(column, " ".join(dict.fromkeys(kept)))


def _add_headers(page: Page, placed: Sequence[_PlacedCell], headers: dict[int, list[str]]) -> None:
    """Add the texts of the cells of a row to the headers of their columns; one over all columns is a caption."""
    if len(placed) == 1 and len(placed[0].columns) > MAX_HEADED_COLUMNS:
        return
    for item in placed:
        for column in item.columns:
            headers.setdefault(column, []).append(page.text_of(item.cell))


def _is_worded_header(page: Page, placed: Sequence[_PlacedCell], record: Sequence[_PlacedCell]) -> bool:
    """Return whether the row before the first record is a header of plain cells: as wide as the record, each cell with
    a few words of its own that are no value."""
    if len(placed) < MIN_WORDED_HEADERS or not record or placed[-1].columns.stop != record[-1].columns.stop:
        return False
    texts = [text for item in placed if (text := page.text_of(item.cell))]
    if len(texts) < max(MIN_WORDED_HEADERS, MIN_WORDED_SHARE * len(placed)) or len(set(texts)) < len(texts):
        return False
    return all(
        len(text) <= MAX_WORDED_CHARS and not any(map(str.isdigit, text)) and any(map(str.isalpha, text))
        for text in texts
    )


def _row_groups(page: Page, table: int) -> Iterator[list[int]]:
    """Yield the rows of each row group; consecutive rows directly below the table are a group too."""
    direct_rows: list[int] = []
    names, tags, ends = page.tag_names, page.lists.tag, page.lists.end
    for child in page.children(table):
        name = names[tags[child]]
        if name == "tr":
            direct_rows.append(child)
        elif name in _ROW_GROUPS:
            if direct_rows:
                yield direct_rows
                direct_rows = []
            rows: list[int] = []
            row, stop = child + 1, ends[child]
            while row < stop:
                if names[tags[row]] == "tr":
                    rows.append(row)
                row = ends[row]
            yield rows
    if direct_rows:
        yield direct_rows


def _place_single_cells(page: Page, row: int, grid: Grid, wide: frozenset[int], cell_tags: frozenset[int]) -> bool:
    """Add the cells of a row that none spans into to the grid; return whether each takes one column and row."""
    tags, ends, columns = page.lists.tag, page.lists.end, grid.column
    column, cell, stop = 0, row + 1, ends[row]
    while cell < stop:
        if tags[cell] in cell_tags:
            if cell in wide:
                return False
            columns[cell] = column
            column += 1
        cell = ends[cell]
    return True


def _place_cells(
    page: Page, row: int, spanning: list[_SpanningCell], grid: Grid, wide: frozenset[int]
) -> list[_PlacedCell]:
    """Return the cells that start in the row with their columns; update the grid and the spanning cells."""
    taken = {column for item in spanning for column in item.columns}
    if spanning:
        grid.spanning_cells[row] = [item.cell for item in spanning]
    placed: list[_PlacedCell] = []
    started: list[_SpanningCell] = []
    column = 0
    tags, ends, names = page.lists.tag, page.lists.end, page.tag_names
    cell, stop = row + 1, ends[row]
    while cell < stop:
        own, cell = cell, ends[cell]
        if names[tags[own]] not in CELL_TAGS:
            continue
        while column in taken:
            column += 1
        width = rows = 1
        if own in wide:
            width = span_of(page, own, "colspan", MAX_COLUMN_SPAN)
            rows = span_of(page, own, "rowspan", MAX_ROW_SPAN)
        columns = range(column, column + width)
        grid.column[own] = column
        placed.append(_PlacedCell(own, columns))
        if rows > 1 and len(spanning) + len(started) < MAX_SPANNING_CELLS:
            started.append(_SpanningCell(own, columns, rows))
        column = columns.stop
    spanning += started
    for item in spanning:
        item.rows_left -= 1
    spanning[:] = [item for item in spanning if item.rows_left > 0]
    return placed


def span_of(page: Page, cell: int, attribute: str, max_span: int) -> int:
    """Return how many columns or rows the cell takes; ``rowspan=0`` means all rows left in the group."""
    digits = page.attrs[cell].get(attribute, "").strip()
    if not (digits.isascii() and digits.isdigit()):
        return 1
    number = int(digits[:6])
    return min(number, max_span) or (max_span if attribute == "rowspan" else 1)


def _is_header(page: Page, placed: Sequence[_PlacedCell]) -> bool:
    """Return whether a row before the records is a header: it stands in ``thead``, or most of its cells are ``th``."""
    if not placed:
        return False
    row = int(page.parent[placed[0].cell])
    if page.name(int(page.parent[row])) == "thead":
        return True
    header_cells = sum(page.name(item.cell) == "th" for item in placed)
    return header_cells >= len(placed) / 2 and len(placed) > 1

"""Tables as grids: which column each cell stands in, which cells reach into later rows, what the headers say.

The algorithm is HTML's own ("forming a table"): a cell takes the first free column, and a cell that spans rows keeps
its columns taken in the rows below, up to the end of its row group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from peneira.page import Page

# Browsers stop at 1000 and 65534. Wider cells are mistakes or attacks, and cost a step per column and row
MAX_COLUMNS_SPANNED = 100
MAX_ROWS_SPANNED = 1000
# Cells that reach into one row from above, beyond which a span counts for its own row alone
MAX_REACHING = 20
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_MAX_HEADER_ROWS = 4
_LONGEST_HEADER = 80


@dataclass(slots=True)
class Grid:
    """``column`` of each cell; per ``tr`` the cells ``beside`` it, which reach into it from above; the header over each
    column in ``captions``."""

    column: dict[int, int] = field(default_factory=dict)
    beside: dict[int, list[int]] = field(default_factory=dict)
    captions: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Reach:
    """A cell that goes on in the rows below: its columns, and how many rows are left."""

    cell: int
    columns: range
    rows: int


@dataclass(frozen=True, slots=True)
class _Placed:
    cell: int
    columns: range


def grid_of(page: Page, roots: Sequence[int]) -> Grid:
    """Return the grid of the tables whose rows the records are; empty if they are no rows."""
    grid = Grid()
    found = {table for root in roots if (table := _table(page, root)) is not None}
    for table in sorted(found):
        _fill(page, table, frozenset(roots), grid)
    return grid


def _table(page: Page, root: int) -> int | None:
    if page.name(root) not in ("tr", *_SECTIONS):
        return None
    for i in page.ancestors(root):
        if page.name(i) == "table":
            return i
        if page.name(i) not in _SECTIONS:
            return None
    return None


def _fill(page: Page, table: int, roots: frozenset[int], grid: Grid) -> None:
    headers: dict[int, list[str]] = {}
    is_before, first = True, min(roots)
    for rows in _sections(page, table):
        reaching: list[_Reach] = []
        for row in rows:
            placed = _place(page, row, reaching, grid)
            is_before = is_before and row not in roots and int(page.parent[row]) not in roots
            # the first row may be a header although it was taken for a record
            is_first = row == first and all(page.name(one.cell) == "th" for one in placed)
            if (is_before or is_first) and _is_header(page, placed):
                for one in placed:
                    for column in one.columns:
                        headers.setdefault(column, []).append(page.text_of(one.cell))
    for column, texts in headers.items():
        last = [text for text in texts[-_MAX_HEADER_ROWS:] if text and len(text) <= _LONGEST_HEADER]
        if last:
            grid.captions.setdefault(column, " ".join(dict.fromkeys(last)))


def _sections(page: Page, table: int) -> Iterator[list[int]]:
    """Yield the rows of each row group; rows right below the table are a group of their own."""
    own: list[int] = []
    for child in page.children(table):
        if page.name(child) == "tr":
            own.append(child)
        elif page.name(child) in _SECTIONS:
            if own:
                yield own
                own = []
            yield [row for row in page.children(child) if page.name(row) == "tr"]
    if own:
        yield own


def _place(page: Page, row: int, reaching: list[_Reach], grid: Grid) -> list[_Placed]:
    """Return the cells that start in the row with their columns; note columns and reaches."""
    taken = {column for reach in reaching for column in reach.columns}
    if reaching:
        grid.beside[row] = [reach.cell for reach in reaching]
    placed: list[_Placed] = []
    started: list[_Reach] = []
    column = 0
    for cell in page.children(row):
        if page.name(cell) not in ("td", "th"):
            continue
        while column in taken:
            column += 1
        columns = range(column, column + _span(page, cell, "colspan", MAX_COLUMNS_SPANNED))
        rows = _span(page, cell, "rowspan", MAX_ROWS_SPANNED)
        grid.column[cell] = column
        placed.append(_Placed(cell, columns))
        if rows > 1 and len(reaching) + len(started) < MAX_REACHING:
            started.append(_Reach(cell, columns, rows))
        column = columns.stop
    reaching += started
    for reach in reaching:
        reach.rows -= 1
    reaching[:] = [reach for reach in reaching if reach.rows > 0]
    return placed


def _span(page: Page, cell: int, name: str, most: int) -> int:
    """Return how many columns or rows the cell takes; 0 rows means all that follow in the group."""
    digits = page.attrs[cell].get(name, "").strip()
    if not (digits.isascii() and digits.isdigit()):
        return 1
    number = int(digits[:6])
    return min(number, most) or (most if name == "rowspan" else 1)


def _is_header(page: Page, placed: Sequence[_Placed]) -> bool:
    """Tell whether a row before the records is a header: its cells are ``th``, or it stands in ``thead``."""
    if not placed:
        return False
    row = int(page.parent[placed[0].cell])
    if page.name(int(page.parent[row])) == "thead":
        return True
    heads = sum(page.name(one.cell) == "th" for one in placed)
    return heads >= len(placed) / 2 and len(placed) > 1

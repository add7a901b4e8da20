"""A table on the terminal: as many columns as fit, and the names of those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from peneira.account import Account, Tally
from peneira.output.schema import field_names
from peneira.preview import counted
from peneira.table import Column, Table

_MAX_CELL_CHARS = 36
_MIN_CELL_CHARS = 5
_MIN_FILL = 0.25  # columns filled less are shown last
_BORDER_CHARS = 3  # rule and padding that each column adds
_FILE_WIDTH = 160


def print_table(table: Table, file: TextIO) -> Account:
    """Print the table and return the account: long cells are cut, columns that do not fit are named below."""
    console = Console(file=file, highlight=False, width=None if file.isatty() else _FILE_WIDTH)
    names = [_on_one_line(name) for name in field_names(table)]
    rows = [[_on_one_line(cell.text) if cell else "" for cell in row] for row in table.rows]
    visible = _fitting(table.columns, names, rows, console.width)
    grid = RichTable(row_styles=("", "dim"), header_style="bold", expand=False)
    grid.add_column("#", justify="right", style="dim", no_wrap=True)
    for k in visible:
        grid.add_column(Text(names[k]), no_wrap=True, overflow="ellipsis", max_width=_MAX_CELL_CHARS)
    for number, row in enumerate(rows, start=1):
        grid.add_row(str(number), *(Text(row[k]) for k in visible))
    console.print(grid)
    left_out = [name for k, name in enumerate(names) if k not in visible]
    if left_out:
        message = f"{counted(len(left_out), 'more column')} (--format csv has all): {', '.join(left_out)}"
        console.print(Text(message, style="dim"))
    tally = Tally()
    tally.lose("columns", f"beyond the width of {console.width} characters", len(left_out))
    cut = sum(cell_len(row[k]) > _MAX_CELL_CHARS for row in rows for k in visible)
    tally.lose("cells", f"cut to {_MAX_CELL_CHARS} characters", cut)
    return tally.account(len(rows))


def _fitting(columns: Sequence[Column], names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the columns that fit, in order; sparse columns, parts of others and addresses get what space is left."""
    room = width - len(str(len(rows))) - _BORDER_CHARS - 1
    chosen: list[int] = []
    paths = [column.path for column in columns]
    parts = {k for k, path in enumerate(paths) if path and path in paths[:k]}
    is_last = [k in parts or _is_secondary(column, [row[k] for row in rows]) for k, column in enumerate(columns)]
    for k in sorted(range(len(columns)), key=lambda k: (is_last[k], k)):
        longest = max([cell_len(names[k]), *(cell_len(row[k]) for row in rows)])
        needed = min(max(longest, _MIN_CELL_CHARS), _MAX_CELL_CHARS) + _BORDER_CHARS
        if needed <= room:
            room -= needed
            chosen.append(k)
    return sorted(chosen)


def _is_secondary(column: Column, texts: Sequence[str]) -> bool:
    return column.type in ("url", "image") or column.fill < _MIN_FILL or not any(texts)


def _on_one_line(text: str) -> str:
    """Return the text on one line, without control characters that a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)

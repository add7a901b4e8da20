"""A table on the terminal: as many columns as fit, and a word on those that do not."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from peneira.table import Column, Table

_WIDE = 36
_NARROW = 5
_RARE = 0.25
_FRAME = 3  # rule and padding that each column adds
_WIDTH_OF_A_FILE = 160


def print_table(table: Table, file: TextIO) -> None:
    """Print the table for a reader. Long cells are cut; columns that do not fit are named below."""
    console = Console(file=file, highlight=False, width=None if file.isatty() else _WIDTH_OF_A_FILE)
    shown = _fitting(table, console.width)
    grid = RichTable(row_styles=("", "dim"), header_style="bold", expand=False)
    grid.add_column("#", justify="right", style="dim", no_wrap=True)
    for k in shown:
        grid.add_column(Text(table.columns[k].name), no_wrap=True, overflow="ellipsis", max_width=_WIDE)
    for number, row in enumerate(table.rows, start=1):
        grid.add_row(str(number), *(Text(_shown(row[k])) for k in shown))
    console.print(grid)
    left_out = [column.name for k, column in enumerate(table.columns) if k not in shown]
    if left_out:
        names = ", ".join(left_out)
        console.print(Text(f"{len(left_out)} more columns (--format csv has all): {names}", style="dim"))


def _fitting(table: Table, width: int) -> list[int]:
    """Return the columns that fit, in order: full columns before sparse ones, texts before addresses."""
    room = width - len(str(len(table.rows))) - _FRAME - 1
    chosen: list[int] = []
    ranked = sorted(range(len(table.columns)), key=lambda k: (_is_aside(table.columns[k], table, k), k))
    for k in ranked:
        longest = max([len(table.columns[k].name), *(len(_shown(row[k])) for row in table.rows)], default=0)
        needed = min(max(longest, _NARROW), _WIDE) + _FRAME
        if needed <= room:
            room -= needed
            chosen.append(k)
    return sorted(chosen)


def _is_aside(column: Column, table: Table, k: int) -> bool:
    return column.type == "url" or column.fill < _RARE or all(not row[k] for row in table.rows)


def _shown(cell: str) -> str:
    """Return the cell on one line, without control characters that a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in cell)

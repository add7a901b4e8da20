"""A table on the terminal: as many columns as fit, and a word on those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from peneira.account import Account, Tally
from peneira.output.schema import field_names
from peneira.table import Column, Table

_WIDE = 36
_NARROW = 5
_RARE = 0.25
_FRAME = 3  # rule and padding that each column adds
_WIDTH_OF_A_FILE = 160


def print_table(table: Table, file: TextIO) -> Account:
    """Print the table for a reader and return the account: long cells are cut, what does not fit is named below."""
    console = Console(file=file, highlight=False, width=None if file.isatty() else _WIDTH_OF_A_FILE)
    names = [_on_one_line(name) for name in field_names(table)]
    rows = [[_on_one_line(cell.text) if cell else "" for cell in row] for row in table.rows]
    shown = _fitting(table.columns, names, rows, console.width)
    grid = RichTable(row_styles=("", "dim"), header_style="bold", expand=False)
    grid.add_column("#", justify="right", style="dim", no_wrap=True)
    for k in shown:
        grid.add_column(Text(names[k]), no_wrap=True, overflow="ellipsis", max_width=_WIDE)
    for number, row in enumerate(rows, start=1):
        grid.add_row(str(number), *(Text(row[k]) for k in shown))
    console.print(grid)
    left_out = [name for k, name in enumerate(names) if k not in shown]
    if left_out:
        words = f"{len(left_out)} more columns (--format csv has all): {', '.join(left_out)}"
        console.print(Text(words, style="dim"))
    tally = Tally()
    tally.lose("columns", f"beyond the width of {console.width} characters", len(left_out))
    cut = sum(cell_len(row[k]) > _WIDE for row in rows for k in shown)
    tally.lose("cells", f"cut to {_WIDE} characters", cut)
    return tally.account(len(rows))


def _fitting(columns: Sequence[Column], names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the columns that fit, in order: full ones before sparse ones, texts before parts of them and addresses."""
    room = width - len(str(len(rows))) - _FRAME - 1
    chosen: list[int] = []
    paths = [column.path for column in columns]
    parts = {k for k, path in enumerate(paths) if path and path in paths[:k]}
    asides = [k in parts or _is_aside(column, [row[k] for row in rows]) for k, column in enumerate(columns)]
    for k in sorted(range(len(columns)), key=lambda k: (asides[k], k)):
        longest = max([cell_len(names[k]), *(cell_len(row[k]) for row in rows)])
        needed = min(max(longest, _NARROW), _WIDE) + _FRAME
        if needed <= room:
            room -= needed
            chosen.append(k)
    return sorted(chosen)


def _is_aside(column: Column, texts: Sequence[str]) -> bool:
    return column.type in ("url", "image") or column.fill < _RARE or not any(texts)


def _on_one_line(text: str) -> str:
    """Return the text on one line, without control characters that a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)

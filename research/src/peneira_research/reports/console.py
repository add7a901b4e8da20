"""What people read of a run on a terminal: a console, plain tables, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

Item = TypeVar("Item")

# The width without a terminal, enough that nothing is folded
_PIPE_WIDTH = 160


def console(file: TextIO) -> Console:
    """Return a console on a stream: as wide as the terminal, or wide enough."""
    return Console(file=file, width=None if file.isatty() else _PIPE_WIDTH, highlight=False, markup=False)


def plain_table(*columns: str, left: Sequence[str] = ()) -> Table:
    """Return a table without lines; columns named in ``left`` hold text, the others numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        if column in left:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0.0:.1f} pages/s")


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Yield the items; on a terminal, a bar on standard error shows how far it is and how fast."""
    if not sys.stderr.isatty():
        yield from items
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        for item in items:
            yield item
            bar.advance(task)

"""What people read of a run on a terminal: a console, plain tables, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, TextIO, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

Item = TypeVar("Item")

# The width without a terminal, enough that nothing is folded
_PIPE_WIDTH = 160
# Between two lines of progress where there is no terminal
_LINE_S = 60.0


class RecordingConsole(Console):
    """A console that remembers the texts and tables that it printed, for the results file."""

    printed: list[str | dict[str, list[Any]]]

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as ``Console`` does."""
        self.printed += [_remembered(shown) for shown in objects]
        super().print(*objects, **options)


def _remembered(shown: object) -> str | dict[str, list[Any]]:
    """Return a text, or the head and the rows of a table."""
    if not isinstance(shown, Table):
        return str(shown)
    cells = [[str(cell) for cell in column.cells] for column in shown.columns]
    rows = [list(row) for row in zip(*cells, strict=True)]
    return {"head": [str(column.header) for column in shown.columns], "rows": rows}


def console(file: TextIO) -> RecordingConsole:
    """Return a console on a stream: as wide as the terminal, or wide enough."""
    width = None if file.isatty() else _PIPE_WIDTH
    made = RecordingConsole(file=file, width=width, highlight=False, markup=False)
    made.printed = []
    return made


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


def _lines(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    start = said = monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        if monotonic() - said >= _LINE_S and done < total:
            said = monotonic()
            minutes = (said - start) / done * (total - done) / 60
            sys.stderr.write(f"{label}: {done} of {total}, {minutes:.0f} minutes left\n")
            sys.stderr.flush()


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Yield the items; standard error shows how far it is: by a bar on a terminal, elsewhere by a line a minute."""
    if not sys.stderr.isatty():
        yield from _lines(items, total, label)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        for item in items:
            yield item
            bar.advance(task)

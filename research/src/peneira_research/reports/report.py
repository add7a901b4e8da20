"""Scoreboard, worst pages and progress for people: rich tables that fit a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TextIO, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from peneira_research.studies.gate import Check
from peneira_research.studies.run import Outcome
from peneira_research.studies.scoreboard import Bin, Metric, Metrics

Item = TypeVar("Item")

# Where there is no terminal to ask, wide enough that nothing is folded
_PIPE_WIDTH = 160


def console(file: TextIO) -> Console:
    """Return a console on a stream: as wide as the terminal, or wide enough."""
    return Console(file=file, width=None if file.isatty() else _PIPE_WIDTH, highlight=False, markup=False)


def plain_table(*columns: str, left: Sequence[str] = ()) -> Table:
    """Return a table without lines; columns named in ``left`` hold words, the others figures."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        if column in left:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table


def scoreboard_table(board: Mapping[str, Metrics]) -> Table:
    """Return the scoreboard: a row per corpus, a column per method."""
    table = plain_table("corpus", "pages", *board, left=["corpus"])
    for name in dict.fromkeys(name for row in board.values() for name in row.f1):
        _add(table, name, board, lambda row, name=name: row.f1.get(name))  # type: ignore[misc]
    table.add_section()
    _add(table, "all", board, lambda row: row.all)
    _add(table, "main region: right", board, lambda row: row.region)
    _add(table, "count only: exact", board, lambda row: row.exact_count)
    _add(table, "negatives: quiet", board, lambda row: row.quiet)
    if any(row.quiet for row in board.values()):
        table.add_row("negatives: no list", "", *(str(row.silent) for row in board.values()))
    if any(row.errors for row in board.values()):
        table.add_row("errors", "", *(str(row.errors) for row in board.values()))
    return table


def _add(table: Table, name: str, board: Mapping[str, Metrics], pick: Callable[[Metrics], Metric | None]) -> None:
    cells = [pick(row) for row in board.values()]
    pages = max((cell.pages for cell in cells if cell), default=0)
    if pages:
        table.add_row(name, str(pages), *(f"{cell.value:.4f}" if cell else "" for cell in cells))


def calibration_table(bins: Sequence[Bin]) -> Table:
    """Return how often main lists are right, by their confidence."""
    table = plain_table(
        "confidence", "method", "pages", "of them lists", "mean", "right", left=["confidence", "method"]
    )
    for one in bins:
        counts = (str(one.pages), str(one.lists))
        table.add_row(f"{one.low:.1f} and more", one.method, *counts, f"{one.confidence:.3f}", f"{one.right:.3f}")
    return table


def worst_table(outcomes: Sequence[Outcome]) -> Table:
    """Return the pages of lowest F1 with what was found on them."""
    columns = ("page", "method", "f1", "prec", "recall", "scale", "records", "anchors", "conf", "verdict")
    table = plain_table(*columns, left=["page", "method", "verdict"])
    for row in outcomes:
        ratios = (row.f1, row.precision, row.recall, row.scale)
        table.add_row(
            row.id,
            row.method,
            *(f"{ratio:.3f}" if ratio is not None else "" for ratio in ratios),
            str(row.records),
            str(row.anchors or 0),
            f"{row.confidence:.2f}" if row.confidence is not None else "",
            row.error or row.verdict or "",
        )
    return table


def check_table(checks: Sequence[Check]) -> Table:
    """Return each figure with its floor and what is wrong with it."""
    table = plain_table("figure", "now", "floor", "margin", "problem", left=["figure", "problem"])
    for check in checks:
        numbers = (check.figure, check.floor, check.margin)
        table.add_row(check.name, *("" if number is None else f"{number:.4f}" for number in numbers), check.problem)
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

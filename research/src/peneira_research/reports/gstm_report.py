"""What ``bench gstm`` prints: each table of the thesis, the published figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from peneira_research.reports.console import plain_table
from peneira_research.scores.item_set_score import Counts
from peneira_research.studies.gstm_tables import TableRow

if TYPE_CHECKING:
    from rich.table import Table

HEADS = ("table", "system", "published P", "R", "F", "pages", "ours P", "R ", "F ", "95 %", "best P", "R  ", "F  ")


def published_texts(row: TableRow) -> tuple[str, str, str]:
    """Return the published precision and recall, in percent, and their F-score."""
    if row.published is None:
        return "", "", ""
    precision, recall = row.published
    return f"{precision:g}", f"{recall:g}", f"{2 * precision * recall / (precision + recall):.1f}"


def counts_texts(counts: Counts | None) -> tuple[str, str, str]:
    """Return precision, recall and F-score in percent."""
    if counts is None:
        return "", "", ""
    return tuple(f"{100 * value:.1f}" for value in (counts.precision, counts.recall, counts.f_score))  # type: ignore[return-value]


def bounds_text(row: TableRow) -> str:
    """Return the interval of the F-score, in percent."""
    return f"{100 * row.bounds[0]:.1f}-{100 * row.bounds[1]:.1f}" if row.bounds else ""


def rows_of(rows: Sequence[TableRow]) -> list[list[str]]:
    """Return the cells of all rows; the name of a table stands once."""
    cells, last = [], ""
    for row in rows:
        name = row.table if row.table != last else ""
        last = row.table
        pages = str(row.pages) if row.pages else ""
        cells.append(
            [
                *(name, row.system, *published_texts(row), pages, *counts_texts(row.counts), bounds_text(row)),
                *counts_texts(row.best),
            ]
        )
    return cells


def tables(rows: Sequence[TableRow]) -> Table:
    """Return all tables below each other."""
    table = plain_table(*HEADS, left=["table", "system"])
    for cells in rows_of(rows):
        table.add_row(*cells)
    return table


def notes(rows: Sequence[TableRow]) -> list[str]:
    """Return what is to be said of the tables, each once."""
    return [f"{table}: {note}" for table, note in dict.fromkeys((row.table, row.note) for row in rows if row.note)]

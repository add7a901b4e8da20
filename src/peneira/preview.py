"""Results on a screen: counts with their nouns, lines that fit, and small HTML tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

MAX_LINE_CHARS = 100
# What a notebook shows of a table
MAX_ROWS = 10
MAX_COLUMNS = 12
MAX_CELL_CHARS = 60


def shortened(text: str, max_chars: int = MAX_LINE_CHARS) -> str:
    """Return a text on one line, cut to a length."""
    line = " ".join(text.split())
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: "1 record", "2 records"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def html_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the first rows and columns as an HTML table, and how many more there are."""
    head = "".join(f"<th>{escape(shortened(name, MAX_CELL_CHARS))}</th>" for name in names[:MAX_COLUMNS])
    body = "".join(f"<tr>{_html_cells(row[:MAX_COLUMNS])}</tr>" for row in rows[:MAX_ROWS])
    more = [
        f"{counted(count - limit, noun)} more"
        for count, limit, noun in ((len(rows), MAX_ROWS, "row"), (len(names), MAX_COLUMNS, "column"))
        if count > limit
    ]
    note = f"<p>{', '.join(more)}</p>" if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _html_cells(texts: Sequence[str]) -> str:
    return "".join(f"<td>{escape(shortened(text, MAX_CELL_CHARS))}</td>" for text in texts)

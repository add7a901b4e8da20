"""A table: named columns, rows of text. Written out by ``peneira.output``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its machine name, the words of the page behind the name, and the share of records that have it.

    ``is_template``: it says nothing of its own, as its text is the page's template or stands in another column too.
    """

    name: str
    caption: str
    fill: float
    path: str = ""
    type: str = "text"
    is_template: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal length under named columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(column.name for column in self.columns)

    def to_csv(self, file: TextIO) -> None:
        """Write the table as CSV with a header row."""
        from peneira.output.text import write_csv

        write_csv(self, file)

    def to_jsonl(self, file: TextIO) -> None:
        """Write the table as JSON Lines, one object per record."""
        from peneira.output.text import write_jsonl

        write_jsonl(self, file)


def stack(key_names: Sequence[str], tables: Sequence[tuple[tuple[str, ...], Table]]) -> Table:
    """Return the tables under each other: the union of their columns, key columns in front that tell them apart."""
    columns: dict[str, list[Column]] = {}
    for _, table in tables:
        for column in table.columns:
            columns.setdefault(column.name, []).append(column)
    total = sum(len(table.rows) for _, table in tables)
    filled = dict.fromkeys(columns, 0.0)
    for _, table in tables:
        for column in table.columns:
            filled[column.name] += column.fill * len(table.rows)
    keys = tuple(Column(name, caption=name, fill=1.0) for name in key_names)
    data = tuple(replace(those[0], fill=filled[name] / total if total else 0.0) for name, those in columns.items())
    rows: list[tuple[str, ...]] = []
    for key, table in tables:
        place = {name: k for k, name in enumerate(table.names)}
        rows.extend((*key, *(row[place[name]] if name in place else "" for name in columns)) for row in table.rows)
    return Table((*keys, *data), tuple(rows))

"""What an extraction is made of: an ``Extraction`` has regions, a ``Region`` records, a ``Record`` cells.

All are values: frozen, comparable, free of the page they were cut from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from peneira.limits import Cut
from peneira.table import Cell as Cell
from peneira.table import Column, Table

Verdict = Literal["list", "detail", "article", "empty", "blocked", "script-shell"]
Status = Literal["complete", "partial"]
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence: what was looked at, what it says in words, and the figure behind it if there is one."""

    name: str
    detail: str
    value: float | None = None

    def __str__(self) -> str:
        return self.detail


@dataclass(frozen=True, slots=True)
class Record:
    """One record: the rows ``start:end`` of each of its ranges, which may be several siblings."""

    ranges: tuple[Range, ...]
    text: str
    xpath: str
    confidence: float = 1.0
    fields: Mapping[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Region:
    """A list of records, with the XPath of the element that holds them and why it is believed to be one.

    ``all_columns`` has the columns of the template too: the records' fields are there under these names.
    """

    xpath: str
    records: tuple[Record, ...]
    confidence: float
    columns: tuple[Column, ...] = ()
    reasons: tuple[Reason, ...] = ()
    all_columns: tuple[Column, ...] = ()

    @property
    def table(self) -> Table:
        """The records as a table: one row per record, one column per field, None where a field is missing."""
        return self._table(self.columns)

    @property
    def full_table(self) -> Table:
        """The same with the columns of the template too."""
        return self._table(self.all_columns or self.columns)

    def _table(self, columns: tuple[Column, ...]) -> Table:
        rows = tuple(tuple(record.fields.get(column.name) for column in columns) for record in self.records)
        return Table(columns, rows)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The outcome for one page. ``status`` is "partial" when a limit was hit: ``cuts`` says which, and what is lost."""

    verdict: Verdict
    regions: tuple[Region, ...]
    main: Region | None
    method: str
    url: str | None = None
    cuts: tuple[Cut, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def status(self) -> Status:
        """Whether the whole page was read."""
        return "partial" if self.cuts else "complete"

"""What an extraction is made of: an ``Extraction`` has regions, a ``Region`` records, a ``Record`` cells.

All are values: frozen, comparable, free of the page they were cut from; but for lists whose columns nobody has asked
for yet (``Regions``), which keep the page until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, overload

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


class Regions(Sequence[Region]):
    """The lists of a page, each with its columns, which are filled in when the list is first asked for.

    Most users look at the main list only, and columns cost about as much as finding the lists.
    """

    __slots__ = ("_fill", "_found", "_is_filled")

    def __init__(self, found: Sequence[Region], fill: Callable[[Region], Region]) -> None:
        self._found, self._fill = list(found), fill
        self._is_filled = [False] * len(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Region: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Region, ...]: ...
    def __getitem__(self, place: int | slice) -> Region | tuple[Region, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        if not self._is_filled[place]:
            self._found[place] = self._fill(self._found[place])
            self._is_filled[place] = True
        return self._found[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Region, ...]], tuple[tuple[Region, ...]]]:
        return tuple, (tuple(self),)  # without the page, which another process need not get


@dataclass(frozen=True, slots=True)
class Extraction:
    """The outcome for one page. ``status`` is "partial" when a limit was hit: ``cuts`` says which, and what is lost."""

    verdict: Verdict
    regions: Sequence[Region]
    main: Region | None
    method: str
    url: str | None = None
    cuts: tuple[Cut, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def status(self) -> Status:
        """Whether the whole page was read."""
        return "partial" if self.cuts else "complete"

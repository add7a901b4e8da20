"""Corrections: what a user changed in the table of a list, kept as data, and replayed on every page that is read.

Each correction refers to the columns as the ones before it left them, so they are applied in order. A correction whose
columns a page does not have changes nothing there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from peneira.errors import ColumnError
from peneira.result import Record, Region
from peneira.table import Cell, Column
from peneira.types.column_types import read_as
from peneira.values import ColumnType

# A record that is none is recognized by how its text starts
MAX_START_CHARS = 120


@dataclass(frozen=True, slots=True)
class Rename:
    """A column gets another name."""

    column: str
    name: str


@dataclass(frozen=True, slots=True)
class Hide:
    """A column is not shown."""

    column: str


@dataclass(frozen=True, slots=True)
class Show:
    """A column that was not shown, of ``Region.all_columns``, is shown as the last."""

    column: str


@dataclass(frozen=True, slots=True)
class Retype:
    """A column is read as another type; cells that cannot be read so stay text."""

    column: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class Reorder:
    """These columns come first, in this order; the others follow as they were."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """Several columns become one of texts, at the place of the first: what a record has of them, joined."""

    columns: tuple[str, ...]
    name: str
    separator: str = " "


@dataclass(frozen=True, slots=True)
class Split:
    """A column becomes several of texts: its texts are cut at a separator, and the last takes what remains."""

    column: str
    names: tuple[str, ...]
    separator: str


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """Something is no record: what starts with this text, as ``Record.text`` gives it, is left out."""

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text[:MAX_START_CHARS])


Correction: TypeAlias = Rename | Hide | Show | Retype | Reorder | Merge | Split | SkipRecord


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrections in the order in which they were made."""

    steps: tuple[Correction, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def add(self, correction: Correction, region: Region) -> Corrections:
        """Return these and one more; raise ``ColumnError`` if it does not fit what these make of a region."""
        check(correction, self.apply(region))
        return Corrections((*self.steps, correction))

    def undo(self) -> Corrections:
        """Return these without the last."""
        return Corrections(self.steps[:-1])

    def apply(self, region: Region) -> Region:
        """Return a region as corrected."""
        for correction in self.steps:
            region = corrected(region, correction)
        return region


NO_CORRECTIONS = Corrections()


def check(correction: Correction, region: Region) -> None:
    """Raise ``ColumnError`` if a correction names a column that is not there, or gives a name that is taken."""
    names = {column.name for column in region.columns}
    known = {column.name for column in region.all_columns} | names if isinstance(correction, Show) else names
    for name in columns_of(correction):
        if name not in known:
            raise ColumnError(name, f"no such column; there are {', '.join(sorted(known)) or 'none'}")
    kept = {column.name for column in (*region.all_columns, *region.columns)} - set(columns_of(correction))
    for name in new_names(correction):
        if not name.strip():
            raise ColumnError(name, "a column needs a name")
        if name in kept:
            raise ColumnError(name, "two columns would have this name")
    if len(set(new_names(correction))) < len(new_names(correction)):
        raise ColumnError(new_names(correction)[0], "two columns would have this name")


def columns_of(correction: Correction) -> tuple[str, ...]:
    """Return the names of the columns that a correction changes."""
    if isinstance(correction, SkipRecord):
        return ()
    return correction.columns if isinstance(correction, Merge | Reorder) else (correction.column,)


def new_names(correction: Correction) -> tuple[str, ...]:
    """Return the names that a correction gives to columns."""
    if isinstance(correction, Split):
        return correction.names
    return (correction.name,) if isinstance(correction, Rename | Merge) else ()


def corrected(region: Region, correction: Correction) -> Region:
    """Return a region with one correction; unchanged if it has none of the columns."""
    if isinstance(correction, SkipRecord):
        kept = (record for record in region.records if record.text[:MAX_START_CHARS] != correction.text)
        return replace(region, records=tuple(kept))
    apply: Callable[..., Region] = _APPLY[type(correction)]
    return apply(region, correction)


def _renamed(region: Region, correction: Rename) -> Region:
    def rename(columns: Sequence[Column]) -> tuple[Column, ...]:
        old = correction.column
        return tuple(replace(column, name=correction.name) if column.name == old else column for column in columns)

    def cells(fields: Mapping[str, Cell]) -> dict[str, Cell]:
        return {correction.name if name == correction.column else name: cell for name, cell in fields.items()}

    changed = _with_cells(region, cells) if _has(region, correction.column) else region
    return replace(changed, columns=rename(region.columns), all_columns=rename(region.all_columns))


def _hidden(region: Region, correction: Hide) -> Region:
    everything = region.all_columns or region.columns
    shown = tuple(column for column in region.columns if column.name != correction.column)
    return replace(region, columns=shown, all_columns=everything)


def _shown(region: Region, correction: Show) -> Region:
    if any(column.name == correction.column for column in region.columns):
        return region
    column = next((column for column in region.all_columns if column.name == correction.column), None)
    if column is None:
        return region
    return replace(region, columns=(*region.columns, replace(column, is_template=False)))


def _retyped(region: Region, correction: Retype) -> Region:
    if not _has(region, correction.column):
        return region
    cells = [cell for record in region.records if (cell := record.get(correction.column)) is not None]
    typing = read_as(correction.type, [cell.text for cell in cells])

    def retype(fields: Mapping[str, Cell]) -> dict[str, Cell]:
        own = dict(fields)
        cell = own.get(correction.column)
        if cell is not None:
            value = typing.value(cell.text)
            type: ColumnType = "text" if value is None else correction.type
            items = value if isinstance(value, tuple) else ()
            own[correction.column] = Cell(
                cell.text, cell.xpath, type, value, items=items, confidence=cell.confidence, source=cell.source
            )
        return own

    def columns(old: Sequence[Column]) -> tuple[Column, ...]:
        return tuple(
            replace(column, type=correction.type, columns=(), confidence=1.0)
            if column.name == correction.column
            else column
            for column in old
        )

    changed = _with_cells(region, retype)
    return replace(changed, columns=columns(region.columns), all_columns=columns(region.all_columns))


def _reordered(region: Region, correction: Reorder) -> Region:
    place = {name: k for k, name in enumerate(correction.columns)}
    ordered = sorted(region.columns, key=lambda column: place.get(column.name, len(place)))
    return replace(region, columns=tuple(ordered))


def _merged(region: Region, correction: Merge) -> Region:
    def merge(fields: Mapping[str, Cell]) -> dict[str, Cell]:
        own = dict(fields)
        parts = [own.pop(name) for name in correction.columns if name in own]
        if parts:
            text = correction.separator.join(cell.text for cell in parts)
            own[correction.name] = Cell(text, parts[0].xpath, source=parts[0].source)
        return own

    return _with_new_columns(_with_cells(region, merge), correction.columns, (correction.name,))


def _split(region: Region, correction: Split) -> Region:
    def split(fields: Mapping[str, Cell]) -> dict[str, Cell]:
        own = dict(fields)
        cell = own.pop(correction.column, None)
        if cell is not None:
            texts = cell.text.split(correction.separator, len(correction.names) - 1) if correction.separator else []
            for name, text in zip(correction.names, texts or [cell.text], strict=False):
                if text.strip():
                    own[name] = Cell(text.strip(), cell.xpath, source=cell.source)
        return own

    return _with_new_columns(_with_cells(region, split), (correction.column,), correction.names)


def _has(region: Region, name: str) -> bool:
    return any(column.name == name for column in (*region.columns, *region.all_columns))


def _with_cells(region: Region, change: Callable[[Mapping[str, Cell]], dict[str, Cell]]) -> Region:
    records: list[Record] = [replace(record, fields=change(record.fields)) for record in region.records]
    return replace(region, records=tuple(records))


def _with_new_columns(region: Region, old: Sequence[str], new: Sequence[str]) -> Region:
    """Return the region with columns of texts in place of the first of some others, which are dropped."""
    total = max(len(region.records), 1)
    made = [
        Column(name, caption=name, fill=sum(name in record for record in region.records) / total, confidence=1.0)
        for name in new
    ]

    def columns(before: Sequence[Column]) -> tuple[Column, ...]:
        first = next((k for k, column in enumerate(before) if column.name in old), None)
        if first is None:
            return tuple(before)
        kept = [column for column in before if column.name not in old]
        at = sum(column.name not in old for column in before[:first])
        return (*kept[:at], *made, *kept[at:])

    return replace(region, columns=columns(region.columns), all_columns=columns(region.all_columns))


_APPLY: Mapping[type, Callable[..., Region]] = {
    Rename: _renamed,
    Hide: _hidden,
    Show: _shown,
    Retype: _retyped,
    Reorder: _reordered,
    Merge: _merged,
    Split: _split,
}

"""Arrangements: how the pieces of records stand on a page where they are not together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from peneira.lists.cell_kinds import CellKind
from peneira.lists.cell_lines import Line, Pieces

ArrangementKind = Literal["interleaved", "columns", "containers"]


@dataclass(frozen=True, slots=True)
class ArrangementSpec:
    """How the records of other pages of a template are arranged: ``kinds`` is what the lines of a record hold."""

    kind: ArrangementKind
    kinds: tuple[CellKind, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Records that are placed together, where their first line is."""

    first: Line
    records: tuple[Pieces, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Records in pieces: ``kinds`` is what the lines of a record hold, ``lines`` are all lines with pieces.

    ``labels``: the cells that name the lines of a comparison table.
    """

    kind: ArrangementKind
    kinds: tuple[CellKind, ...]
    lines: tuple[Line, ...]
    sections: tuple[Section, ...]
    labels: Pieces = ()

    @property
    def spec(self) -> ArrangementSpec:
        """How its records are arranged."""
        return ArrangementSpec(self.kind, self.kinds)

    @property
    def span(self) -> tuple[int, int]:
        """The first row of the page that belongs to it, and the top of its last line."""
        return self.lines[0].top, self.lines[-1].top

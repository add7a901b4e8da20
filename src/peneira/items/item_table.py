"""Items of many pages as one table: a row for each, one schema for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from peneira.items.builder import ROLES
from peneira.result import Item
from peneira.table import Cell, Column, Table, joined_type

KIND = "kind"
URL = "url"


def item_table(items: Sequence[Item], sources: Sequence[str] = ()) -> Table:
    """Return a row per item: its source if given, its kind, the fields by role, then properties, the fullest first.

    Fields of one name are one column; one whose values are of several types is text.
    """
    counts = Counter(column.name for item in items for column in item.columns)
    roles = [role for role in ROLES if role in counts]
    known = {KIND, URL, "source", *ROLES}
    first = {column.name: k for k, column in reversed(list(enumerate(c for item in items for c in item.columns)))}
    properties = sorted((name for name in counts if name not in known), key=lambda name: (-counts[name], first[name]))
    names = [*roles, *properties]
    columns = [_column(name, items) for name in names]
    keys = [Column("source", "source", 1.0)] if sources else []
    keys.append(Column(KIND, KIND, 1.0))
    rows = []
    for number, item in enumerate(items):
        cells: list[Cell | None] = [Cell(sources[number], "")] if sources else []
        cells.append(Cell(item.kind or "", "", confidence=item.confidence))
        cells.extend(item.fields.get(name) for name in names)
        rows.append(tuple(cells))
    return Table((*keys, *columns), tuple(rows))


def _column(name: str, items: Sequence[Item]) -> Column:
    """Return the column of a name over all items that have it."""
    same = [column for item in items for column in item.columns if column.name == name]
    types = {column.type for column in same}
    return replace(
        same[0],
        fill=len(same) / len(items),
        type=joined_type(types),
        confidence=min(column.confidence for column in same),
        source="+".join(dict.fromkeys(part for column in same for part in column.source.split("+"))),
    )

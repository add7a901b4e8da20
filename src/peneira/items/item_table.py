"""Items of many pages as one table: a row for each, one schema for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from peneira.items.builder import ROLES
from peneira.result import Item
from peneira.table import Cell, Column, Table, joined_type

KIND = "kind"
URL = "url"


def item_table(items: Sequence[Item], sources: Sequence[str] = (), *, evidence: bool = False) -> Table:
    """Return a row per item: its source if given, kind, address, the fields by role, then properties, fullest first.

    Fields of one name are one column; one whose values are of several types is text. ``evidence`` adds where each field
    is from and how sure it is, as columns of their own.
    """
    names = _names(items)
    has_url = any(item.url for item in items)
    rows = []
    for number, item in enumerate(items):
        cells: list[Cell | None] = [Cell(sources[number], "")] if sources else []
        cells.append(Cell(item.kind or "", "", confidence=item.confidence))
        if has_url:
            cells.append(Cell(item.url, "", "url", item.url) if item.url else None)
        for name in names:
            cell = item.fields.get(name)
            cells.append(cell)
            if evidence:
                cells.extend(_evidence(cell))
        rows.append(tuple(cells))
    keys = [Column(name, name, 1.0) for name in (("source", KIND) if sources else (KIND,))]
    if has_url:
        keys.append(Column(URL, URL, 1.0, type="url", role="url"))
    columns = [column for name in names for column in _columns(name, items, evidence=evidence)]
    return Table((*keys, *columns), tuple(rows))


def _names(items: Sequence[Item]) -> list[str]:
    """Return the fields of all items: roles in their order, then properties by how many items have them."""
    counts = Counter(column.name for item in items for column in item.columns)
    known = {KIND, URL, "source", *ROLES}
    properties = [name for name in counts if name not in known]
    return [*(role for role in ROLES if role in counts), *sorted(properties, key=lambda name: -counts[name])]


def _evidence(cell: Cell | None) -> list[Cell | None]:
    if cell is None:
        return [None, None]
    confidence = Decimal(str(cell.confidence))
    return [Cell(cell.source, cell.xpath), Cell(str(confidence), cell.xpath, "number", confidence)]


def _columns(name: str, items: Sequence[Item], *, evidence: bool) -> list[Column]:
    own = _column(name, items)
    if not evidence:
        return [own]
    source = Column(f"{name}_source", f"{name}_source", own.fill)
    return [own, source, Column(f"{name}_confidence", f"{name}_confidence", own.fill, type="number")]


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

"""Where lists, records and cells stand on a page, for the outlines that the studio draws; and what a click points at.

A place is the row of an element, "12", or a text in one, "12:0" for its first text. The browser knows where that is on
the screen, or, for a rendered page, its boxes do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from peneira.page import Page
from peneira.result import Extraction, Record, Region

# Outlines of further records are not drawn
MAX_RECORDS = 1000
MAX_BOXES = 20_000
MIN_SIDE_PX = 3.0
_ATTRIBUTE = re.compile(r"/@[\w:.-]+$")


@dataclass(frozen=True, slots=True)
class Pick:
    """What stands where a user clicked: a cell of the list that is shown, another list, or nothing."""

    kind: Literal["cell", "hidden", "record", "list", "nothing"]
    column: str = ""
    record: int = 0
    number: int = 0


def place(page: Page, row: int) -> str:
    """Return the place of a row."""
    if page.lists.tag[row]:
        return str(row)
    parent = page.lists.parent[row]
    texts = [child for child in page.children(parent) if page.lists.tag[child] == 0]
    return f"{parent}:{texts.index(row)}"


def outlines(page: Page, result: Extraction, number: int, region: Region | None) -> dict[str, object]:
    """Return the outlines of all lists, and of the records and cells of the list that is shown (``number``)."""
    lists = [
        {"number": k, "records": [_record_places(page, record) for record in found.records[:MAX_RECORDS]]}
        for k, found in enumerate(_unfilled(result), start=1)
        if k != number
    ]
    shown = region.records[:MAX_RECORDS] if region else ()
    cells: list[list[str | None]] = [[] for _ in region.columns] if region else []
    for record in shown:
        rows = _rows_by_xpath(page, record)
        for k, column in enumerate(region.columns if region else ()):
            row = _cell_row(record, column.name, rows)
            cells[k].append(None if row is None else place(page, row))
    return {
        "number": number,
        "records": [_record_places(page, record) for record in shown],
        "cells": cells,
        "lists": lists,
        "boxes": boxes_of(page),
    }


def boxes_of(page: Page) -> dict[str, list[int]] | None:
    """Return the boxes of the places of a rendered page, None for a page that was not rendered."""
    if page.layout is None or page.layout.screenshot is None:
        return None
    boxes = page.layout.extents(page.parent, page.depth)
    found: dict[str, list[int]] = {}
    for row in range(page.body, int(page.end[page.body])):
        x, y, width, height = boxes[row].tolist()
        if width >= MIN_SIDE_PX and height >= MIN_SIDE_PX and len(found) < MAX_BOXES:
            found[place(page, row)] = [round(x), round(y), round(width), round(height)]
    return found


def picked(page: Page, result: Extraction, number: int, region: Region | None, row: int) -> Pick:
    """Return what stands at a row: first in the list that is shown, then in the other lists, the smallest first."""
    if not 0 <= row < len(page):
        return Pick("nothing")
    if region is not None:
        for k, record in enumerate(region.records):
            if _holds(record, row):
                return _picked_in(page, region, record, k, row)
    others = [
        (sum(end - start for record in found.records for start, end in record.ranges), k)
        for k, found in enumerate(_unfilled(result), start=1)
        if k != number and any(_holds(record, row) for record in found.records)
    ]
    return Pick("list", number=min(others)[1]) if others else Pick("nothing")


def _picked_in(page: Page, region: Region, record: Record, k: int, row: int) -> Pick:
    rows = _rows_by_xpath(page, record)
    shown = {column.name for column in region.columns}
    distances: list[tuple[int, bool, str]] = []
    for name in record.fields:
        cell_row = _cell_row(record, name, rows)
        if cell_row is not None and (near := _distance(page, cell_row, row)) is not None:
            distances.append((near, name not in shown, name))
    if not distances:
        return Pick("record", record=k)
    _, is_hidden, name = min(distances)
    return Pick("hidden" if is_hidden else "cell", name, k)


def _distance(page: Page, cell_row: int, row: int) -> int | None:
    """Return how far a clicked row is from a cell above or below it, None if it is in neither."""
    ends, depth = page.lists.end, page.depth
    if cell_row <= row < ends[cell_row] or row <= cell_row < ends[row]:
        return abs(int(depth[cell_row]) - int(depth[row]))
    return None


def _unfilled(result: Extraction) -> Iterator[Region]:
    """Yield the lists without the columns of those that nobody has looked at: they are not needed here."""
    regions = result.regions
    yield from getattr(regions, "unfilled", regions)


def _holds(record: Record, row: int) -> bool:
    return any(start <= row < end for start, end in record.ranges)


def _record_places(page: Page, record: Record) -> list[str]:
    return [place(page, row) for row in page.top_rows(*record.ranges)]


def _rows_by_xpath(page: Page, record: Record) -> dict[str, int]:
    return {page.xpath(row): row for start, end in record.ranges for row in range(start, end)}


def _cell_row(record: Record, name: str, rows: dict[str, int]) -> int | None:
    cell = record.get(name)
    if cell is None or not cell.xpath:
        return None
    row = rows.get(cell.xpath)
    return rows.get(_ATTRIBUTE.sub("", cell.xpath)) if row is None else row

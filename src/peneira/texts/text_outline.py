"""What each kept block of a page is: heading, paragraph, item of a list, cell of a table, code or quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from peneira.budget import check_budget
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts
from peneira.texts.tag_kinds import MAX_NAMES, text_lines
from peneira.texts.text_blocks import TextBlocks

# Kinds of lines, as the kernel numbers them
PARAGRAPH, HEADING, ITEM, CELL, CODE, QUOTE = range(6)

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARAGRAPHS = frozenset({"p"})
_ITEMS, _LISTS, _CELLS = frozenset({"li", "dd", "dt"}), frozenset({"ul", "ol"}), frozenset({"td", "th"})
_PLACE_TAGS = frozenset({*_HEADINGS, *_ITEMS, *_LISTS, *_CELLS, "pre", "blockquote", "tr", "table"})
# A table whose cells hold more blocks than this on average lays out a page
MAX_CELL_BLOCKS = 2.0


@dataclass(slots=True)
class Lines:
    """The kept blocks of a page in reading order, a list for each thing that is known of them.

    ``kind``: heading and so on; ``level``: that of a heading, or the depth of an item; ``number``: that of an item in a
    numbered list, 0 in others. ``item``, ``table``, ``row``, ``cell`` and ``quote`` are the rows of the elements that
    they belong to, -1 where there is none. ``is_prose``: the block is a paragraph by its tag.
    """

    block: list[int]
    kind: list[int]
    level: list[int]
    number: list[int]
    item: list[int]
    table: list[int]
    row: list[int]
    cell: list[int]
    quote: list[int]
    is_prose: list[int]

    def __len__(self) -> int:
        return len(self.block)


def outline(blocks: TextBlocks, kept: Sequence[int]) -> Lines:
    """Return the kept blocks in reading order, with what they are."""
    page, elements = blocks.page, blocks.blocks[list(kept)]
    if text_lines is not None:
        check_budget()
        places = np.fromiter(map(_place_number, page.tag_names), np.uint8, len(page.tag_names))
        found = text_lines.line_places(elements, page.tag, page.parent, page.body, places)
        text_lines.drop_layout_tables(found, MAX_CELL_BLOCKS)
        columns = found.tolist()
    else:
        columns = list(map(list, zip(*map(_Places(page).line, elements.tolist()), strict=True)))
    columns[2] = _numbers(page, columns[2], columns[3])
    lines = Lines(list(kept), *columns)
    if text_lines is None and CELL in lines.kind:
        _drop_layout_tables(lines)
    return lines


def _numbers(page: Page, lists: list[int], items: list[int]) -> list[int]:
    """Return the number of each item in its list; 0 in lists without numbers."""
    if "ol" not in page.tag_names:
        return [0] * len(lists)
    number_of = {
        pair: _position(page, pair[1])
        for pair in set(zip(lists, items, strict=True))
        if pair[0] >= 0 and pair[1] > pair[0] and page.name(pair[0]) == "ol"
    }
    return [number_of.get(pair, 0) for pair in zip(lists, items, strict=True)]


@cache_of_short_texts(MAX_NAMES)
def _place_number(name: str) -> int:
    return next((number for number, names in enumerate(text_lines.PLACES) if name in names), 0)


class _Place(NamedTuple):
    """What is around a text in an element: the nearest of each kind, but the outermost quote; -1 for none.

    ``item``, ``list`` and ``depth``, the number of lists: as far as the nearest table.
    """

    heading: int = 0
    is_code: bool = False
    quote: int = -1
    item: int = -1
    list: int = -1
    depth: int = 0
    cell: int = -1
    row: int = -1
    table: int = -1


class _Places:
    """Finds the places of the elements of one page in plain Python; what is above an element is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._known = {page.body: _Place()}
        self._lines: dict[int, tuple[int, ...]] = {}

    def line(self, element: int) -> tuple[int, ...]:
        """Return what a block in an element is: kind, level, list, item, table, row, cell, quote, prose."""
        if element not in self._lines:
            self._lines[element] = self._line(element, self._place(element))
        return self._lines[element]

    def _place(self, element: int) -> _Place:
        check_budget()
        parents, known = self.page.lists.parent, self._known
        chain: list[int] = []
        while element not in known and element > self.page.body:
            chain.append(element)
            element = parents[element]
        place = known.get(element, _Place())
        for node in reversed(chain):
            name = self.page.name(node)
            if name in _PLACE_TAGS:
                place = _inside(place, name, node)
            known[node] = place
        return place

    def _line(self, element: int, place: _Place) -> tuple[int, ...]:
        if place.is_code:
            return CODE, 0, -1, place.item, -1, -1, -1, place.quote, 0
        if place.heading:
            return HEADING, place.heading, -1, place.item, -1, -1, -1, -1, 0
        is_prose = int(self.page.name(element) in _PARAGRAPHS)
        if place.cell >= 0 and place.row >= 0 and place.table >= 0:
            return CELL, 0, -1, place.item, place.table, place.row, place.cell, place.quote, is_prose
        if place.item >= 0 and place.depth:
            return ITEM, place.depth, place.list, place.item, -1, -1, -1, place.quote, is_prose
        return QUOTE if place.quote >= 0 else PARAGRAPH, 0, -1, place.item, -1, -1, -1, place.quote, is_prose


def _inside(place: _Place, name: str, node: int) -> _Place:
    """Return the place in an element of this name, which stands at ``place`` itself."""
    if name in _HEADINGS:
        return place._replace(heading=_HEADINGS[name])
    if name == "pre":
        return place._replace(is_code=True)
    if name == "blockquote":
        return place if place.quote >= 0 else place._replace(quote=node)
    if name in _ITEMS:
        return place._replace(item=node)
    if name in _LISTS:
        return place._replace(list=node, depth=place.depth + 1)
    if name in _CELLS:
        return place._replace(cell=node)
    if name == "tr":
        return place._replace(row=node)
    return place._replace(table=node, item=-1, list=-1, depth=0)


def _position(page: Page, item: int) -> int:
    """Return the number of an item of a numbered list."""
    parent = page.lists.parent[item]
    start = page.attrs[parent].get("start", "1")
    first = int(start) if start.isdecimal() and len(start) < 7 else 1
    return first + page.position(item) - 1


def _drop_layout_tables(lines: Lines) -> None:
    """Make the lines of tables that only lay out the page paragraphs."""
    cells: dict[int, set[int]] = {}
    rows: dict[int, set[int]] = {}
    counts: dict[int, int] = {}
    in_cells = [k for k, kind in enumerate(lines.kind) if kind == CELL]
    for k in in_cells:
        table = lines.table[k]
        cells.setdefault(table, set()).add(lines.cell[k])
        rows.setdefault(table, set()).add(lines.row[k])
        counts[table] = counts.get(table, 0) + 1
    data = {
        table
        for table, count in counts.items()
        if len(rows[table]) > 1
        and len(cells[table]) > len(rows[table])
        and count <= MAX_CELL_BLOCKS * len(cells[table])
    }
    for k in in_cells:
        if lines.table[k] not in data:
            lines.kind[k] = PARAGRAPH
            lines.item[k] = lines.table[k] = lines.quote[k] = -1

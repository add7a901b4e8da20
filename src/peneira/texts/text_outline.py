"""What each kept block of a page is: heading, paragraph, item of a list, cell of a table, code or quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from peneira.budget import check_budget
from peneira.page import Page
from peneira.texts.text_blocks import TextBlocks

Kind = Literal["heading", "paragraph", "item", "cell", "code", "quote"]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARAGRAPHS = frozenset({"p"})
_ITEMS, _LISTS, _CELLS = frozenset({"li", "dd", "dt"}), frozenset({"ul", "ol"}), frozenset({"td", "th"})
_PLACE_TAGS = frozenset({*_HEADINGS, *_ITEMS, *_LISTS, *_CELLS, "pre", "blockquote", "tr", "table"})
# A table whose cells hold more blocks than this on average lays out a page
MAX_CELL_BLOCKS = 2.0


class Line(NamedTuple):
    """A kept block: its number, its kind, the level of a heading or the depth of an item, and what it belongs to.

    ``number``: that of an item in a numbered list, 0 in others. ``item``, ``table``, ``row``, ``cell`` and ``quote``
    are the rows of those elements, -1 where there is none. ``is_prose``: the block is a paragraph by its tag.
    """

    block: int
    kind: Kind
    level: int = 0
    number: int = 0
    item: int = -1
    table: int = -1
    row: int = -1
    cell: int = -1
    quote: int = -1
    is_prose: bool = False


def outline(blocks: TextBlocks, kept: Sequence[int]) -> list[Line]:
    """Return the kept blocks in reading order, with what they are."""
    places = _Places(blocks.page)
    elements = blocks.blocks[kept].tolist()
    lines = [places.line(element)._replace(block=k) for element, k in zip(elements, kept, strict=True)]
    return _without_layout_tables(lines)


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
    """Finds the places of the elements of one page; what is above an element is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._known = {page.body: _Place()}
        self._lines: dict[int, Line] = {}

    def line(self, element: int) -> Line:
        """Return what a block in an element is, without its number."""
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

    def _line(self, element: int, place: _Place) -> Line:
        page = self.page
        is_prose = page.name(element) in _PARAGRAPHS
        if place.is_code:
            return Line(0, "code", item=place.item, quote=place.quote)
        if place.heading:
            return Line(0, "heading", place.heading, item=place.item)
        if place.cell >= 0 and place.row >= 0 and place.table >= 0:
            return Line(
                0, "cell", item=place.item, table=place.table, row=place.row, cell=place.cell, quote=place.quote,
                is_prose=is_prose,
            )  # fmt: skip
        if place.item >= 0 and place.depth:
            is_numbered = place.item > place.list and page.name(place.list) == "ol"
            number = _position(page, place.item) if is_numbered else 0
            return Line(0, "item", place.depth, number, item=place.item, quote=place.quote, is_prose=is_prose)
        kind: Kind = "quote" if place.quote >= 0 else "paragraph"
        return Line(0, kind, item=place.item, quote=place.quote, is_prose=is_prose)


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


def _without_layout_tables(lines: list[Line]) -> list[Line]:
    """Return the lines with those of tables that only lay out the page as paragraphs."""
    cells: dict[int, set[int]] = {}
    rows: dict[int, set[int]] = {}
    counts: dict[int, int] = {}
    for line in lines:
        if line.kind == "cell":
            cells.setdefault(line.table, set()).add(line.cell)
            rows.setdefault(line.table, set()).add(line.row)
            counts[line.table] = counts.get(line.table, 0) + 1
    data = {
        table
        for table, count in counts.items()
        if len(rows[table]) > 1
        and len(cells[table]) > len(rows[table])
        and count <= MAX_CELL_BLOCKS * len(cells[table])
    }
    return [
        line
        if line.kind != "cell" or line.table in data
        else Line(line.block, "paragraph", row=line.row, cell=line.cell, is_prose=line.is_prose)
        for line in lines
    ]

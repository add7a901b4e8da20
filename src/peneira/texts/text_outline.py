"""What each kept block of a page is: heading, paragraph, item of a list, cell of a table, code or quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from peneira.budget import check_budget
from peneira.page import Page
from peneira.texts.text_blocks import TextBlocks

Kind = Literal["heading", "paragraph", "item", "cell", "code", "quote"]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARAGRAPHS = frozenset({"p"})
# A table whose cells hold more blocks than this on average lays out a page
MAX_CELL_BLOCKS = 2.0


@dataclass(frozen=True, slots=True)
class Line:
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
    page = blocks.page
    known: dict[int, Line] = {}
    lines = []
    for k in kept:
        element = int(blocks.blocks[k])
        if element not in known:
            known[element] = _line_of(page, element)
        line = known[element]
        lines.append(_numbered(line, k))
    return _without_layout_tables(lines)


def _numbered(line: Line, block: int) -> Line:
    return Line(
        block, line.kind, line.level, line.number, line.item, line.table, line.row, line.cell, line.quote, line.is_prose
    )


def _line_of(page: Page, element: int) -> Line:
    """Return what a block in an element is, by the tags of the element and of those around it."""
    check_budget()
    heading = number = depth = 0
    item = table = row = cell = quote = -1
    code = False
    own = page.name(element)
    node = element
    body = page.body
    while node > body:
        name = page.name(node)
        if name in _HEADINGS:
            heading = heading or _HEADINGS[name]
        elif name == "pre":
            code = True
        elif name == "blockquote":
            quote = node
        elif name in ("li", "dd", "dt") and table < 0:
            item = node if item < 0 else item
        elif name in ("ul", "ol") and table < 0:
            if depth == 0 and name == "ol" and item >= 0:
                number = _position(page, item)
            depth += 1
        elif name in ("td", "th") and cell < 0:
            cell = node
        elif name == "tr" and row < 0:
            row = node
        elif name == "table" and table < 0:
            table = node
        node = page.lists.parent[node]
    inside = {"item": item, "quote": quote, "is_prose": own in _PARAGRAPHS}
    if code:
        return Line(0, "code", item=item, quote=quote)
    if heading:
        return Line(0, "heading", heading, item=item)
    if cell >= 0 and row >= 0 and table >= 0:
        return Line(0, "cell", table=table, row=row, cell=cell, **inside)  # type: ignore[arg-type]
    if item >= 0 and depth:
        return Line(0, "item", depth, number, **inside)  # type: ignore[arg-type]
    return Line(0, "quote" if quote >= 0 else "paragraph", **inside)  # type: ignore[arg-type]


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

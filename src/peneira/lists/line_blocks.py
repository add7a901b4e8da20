"""Blocks of lines: elements with several rows of alike cells, such as tables, whose rows hold different things.

Blocks are searched for with whole columns of the page, so that a page without any costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.columns.table_grid import MAX_COLUMN_SPAN, grid_of, span_of
from peneira.kept_property import kept_property
from peneira.kernels import compiled
from peneira.lists.cell_kinds import CellReader
from peneira.lists.cell_lines import MIN_ALIKE, MIN_WIDE, Line
from peneira.ml.running_sums import is_tag, page_facts
from peneira.page import TEXT, Flags, Page

line_search = compiled("line_search")

# More cells in a line, or lines in a block, are a long table or list, whose records are rows
MAX_CELLS = 200
MAX_LINES = 600
# Blocks with less of the text of the page are parts of records, or beside the content
MIN_PAGE_SHARE = 0.02
# At least this share of the lines of a block have cells that are alike
MIN_ALIKE_LINES = 0.4
# Elements around a line that hold nothing else, as table and tbody around the only row
MAX_WRAPPERS = 4
_CURRENCY_SIGNS = "$€£¥₹₽"
# What a row may be. Lines, and what only some elements may contain, are no cells; frames are beside the content
_TEXT_NODE, _BREAK, _CELL, _NO_CELL, _FRAME = range(5)
_ROLES = (
    {TEXT: _TEXT_NODE}
    | dict.fromkeys("br hr wbr col colgroup".split(), _BREAK)
    | dict.fromkeys("tr tbody thead tfoot option source path".split(), _NO_CELL)
    | dict.fromkeys("aside footer header nav".split(), _FRAME)
)
# The number of codes for what a cell has
_CODES = 16


@dataclass(frozen=True, slots=True)
class Block:
    """An element with several lines; None among them is something else that stands between lines."""

    parent: int
    items: tuple[Line | None, ...]
    is_table: bool

    def in_columns(self, page: Page) -> Block:
        """Return the block with its cells by the columns of the table, where cells may span rows and columns."""
        columns = grid_of(page, [item.node for item in self.items if item is not None]).column
        return replace(self, items=tuple(item and _in_columns(item, columns) for item in self.items))


def _in_columns(line: Line, columns: dict[int, int]) -> Line:
    return replace(line, cells={columns.get(cell, k): cell for k, cell in line.cells.items()})


def blocks_of(reader: CellReader) -> Iterator[Block]:
    """Yield the blocks of which lines have different contents, but the cells of each line the same."""
    search = _Search(reader)
    if not len(search.lines):
        return
    unlike = search.have_unlike_lines()
    if not unlike.any():
        return
    order = np.argsort(search.parents, kind="stable")
    sorted_parents, tops, lines = search.parents[order], search.tops[order].tolist(), search.lines[order].tolist()
    parents = np.unique(search.parents[unlike])
    starts = np.searchsorted(sorted_parents, parents).tolist()
    ends = np.searchsorted(sorted_parents, parents, side="right").tolist()
    for parent, start, end in zip(parents.tolist(), starts, ends, strict=True):
        yield search.block(parent, dict(zip(tops[start:end], lines[start:end], strict=True)))


class _Search:
    """The lines that are in blocks of the main content, with the top and the block of each.

    ``elements``: the rows that may be cells; ``count``, ``has_text``: how many of them are children of each row, and
    whether the row has texts of its own.
    """

    def __init__(self, reader: CellReader) -> None:
        self.reader = reader
        self.page = reader.page
        if line_search is not None:
            self._search_compiled()
        else:
            self._search()

    @kept_property
    def elements(self) -> Integers:
        """The rows that may be cells."""
        return np.flatnonzero(self.is_element)

    @kept_property
    def parent(self) -> NDArray[np.int32]:
        """Their parents."""
        return self.page.parent[self.elements]

    @kept_property
    def texts(self) -> Integers:
        """The rows of texts that count."""
        return np.flatnonzero((self.page.tag == 0) & ~self.page.silent)

    def _search_compiled(self) -> None:
        page, names = self.page, self.page.tag_names
        cell_tags = np.arange(len(names), dtype=np.int32)
        if "th" in names and "td" in names:
            cell_tags[names.index("th")] = names.index("td")
        roles = np.array([_ROLES.get(name, _CELL) for name in names], dtype=np.int32)
        min_chars = max(1, MIN_PAGE_SHARE * int(page.text_chars[page.body]))
        found = line_search.find_lines(
            page.tag, page.parent, page.end, page.silent.view(np.uint8), roles, cell_tags, page.text_chars,
            MAX_CELLS, MAX_LINES, MAX_WRAPPERS, min_chars,
        )  # fmt: skip
        self.lines, self.tops, self.parents, self.count, self.has_text, self.is_element, self.tag = found

    def _search(self) -> None:
        page = self.page
        roles = np.array([_ROLES.get(name, _CELL) for name in page.tag_names])[page.tag]
        self.is_element = (roles > _BREAK) & ~page.silent
        self.is_element[0] = False
        self.count = np.bincount(self.parent, minlength=len(page))
        self.has_text = np.zeros(len(page), dtype=np.bool_)
        self.has_text[page.parent[self.texts]] = True
        self.tag = np.zeros(len(page), dtype=np.int64)
        lines = np.flatnonzero(self._are_lines(roles))
        tops = self._tops(lines)
        parents = page.parent[tops]
        number = np.bincount(parents, minlength=len(page))
        is_block = (number > 1) & (number <= MAX_LINES)
        is_block &= page.text_chars >= max(1, MIN_PAGE_SHARE * int(page.text_chars[page.body]))
        for frame in np.flatnonzero(roles == _FRAME).tolist():
            is_block[frame : page.lists.end[frame]] = False
        own = is_block[parents]
        self.lines, self.tops, self.parents = lines[own], tops[own], parents[own]

    def _are_lines(self, roles: Integers) -> Flags:
        """Return which rows have two children or more, all of one tag; ``tag`` is filled with the tags of children."""
        tags = self.page.tag[self.elements]
        names = self.page.tag_names
        if "th" in names and "td" in names:
            tags[tags == names.index("th")] = names.index("td")
        self.tag[self.parent] = tags
        are_lines = (self.count >= 2) & (self.count <= MAX_CELLS) & ~self.has_text
        are_lines[self.parent[(tags != self.tag[self.parent]) | (roles[self.elements] == _NO_CELL)]] = False
        are_lines[0] = False
        return np.asarray(are_lines)

    def _tops(self, lines: Integers) -> Integers:
        """Return the outermost element around each line that holds nothing but the line."""
        is_wrapper = (self.count == 1) & ~self.has_text
        is_wrapper[0] = False
        tops = lines
        for _ in range(MAX_WRAPPERS):
            above = self.page.parent[tops]
            is_wrapped = is_wrapper[above]
            if not is_wrapped.any():
                break
            tops = np.where(is_wrapped, above, tops)
        return tops

    def have_unlike_lines(self) -> Flags:
        """Return which lines are in a block with lines whose cells are alike, but unlike those of other lines."""
        if line_search is not None:
            return self._compiled_unlike_lines()
        position = np.full(len(self.page), -1)
        position[self.lines] = np.arange(len(self.lines))
        line = position[self.parent]
        is_cell = line >= 0
        cells, line = self.elements[is_cell], line[is_cell]
        codes = self._contents(cells)
        bits = (1 << codes) & ~1
        contents = np.zeros((3, len(self.lines)), dtype=np.int64)
        np.bitwise_or.at(contents[0], line, bits)
        bits[cells == self.lines[line] + 1] = 0  # the first cell may be a label
        np.bitwise_or.at(contents[1], line, bits)
        # heads and bodies are unlike in their tags, and as many
        contents[2] = contents[0]
        numbers: dict[int, int] = {}
        keys = (self.parents * (MAX_CELLS + 1) + self.count[self.lines]).tolist()
        pairs = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
        groups = np.concatenate((self.parents, self.parents + len(self.page), pairs + 2 * len(self.page)))
        tags = np.zeros_like(contents)
        tags[2] = self.tag[self.lines] << _CODES
        has_unlike = _are_in_unlike_groups(contents.ravel(), tags.ravel(), groups).reshape(3, -1).any(axis=0)
        return has_unlike & self._may_have_pieces(line, codes)

    def _compiled_unlike_lines(self) -> Flags:
        page = self.page
        bits = np.zeros(len(page), dtype=np.uint8)
        for bit, flags in enumerate((self.reader.is_picture, is_tag(page, ("a",)), self._have_currency()), 1):
            bits |= flags.view(np.uint8) << bit
        found: Flags = line_search.unlike_lines(
            page.parent, page.end, page.text_chars, bits, self.lines, self.parents, self.count, self.tag,
            self.is_element.view(np.uint8), MAX_CELLS, MIN_ALIKE_LINES, MIN_ALIKE, MIN_WIDE,
        )  # fmt: skip
        return found

    def _may_have_pieces(self, line: Integers, codes: Integers) -> Flags:
        """Return which lines are in a block with two lines of cells of one kind, or three of many cells."""
        kinds = np.bincount(4 * line + codes % 4, minlength=4 * len(self.lines)).reshape(-1, 4)[:, 1:]
        is_known = kinds.max(axis=1) >= MIN_ALIKE * kinds.sum(axis=1)
        is_wide = self.count[self.lines] >= MIN_WIDE
        known = np.bincount(self.parents[is_known], minlength=len(self.page))
        wide = np.bincount(self.parents[is_wide], minlength=len(self.page))
        return np.asarray(((known >= 2) | (wide >= MIN_WIDE))[self.parents])

    def _contents(self, cells: Integers) -> Integers:
        """Return what each cell has, as a code; 0 for an empty cell."""
        page = self.page
        ends = page.end[cells]
        codes = (page.text_chars[cells] > 0).astype(np.int64)
        for bit, sums in enumerate(
            (self.reader.pictures, running_sum(is_tag(page, ("a",))), running_sum(self._have_currency())), 1
        ):
            codes |= (sums[ends] > sums[cells]).astype(np.int64) << bit
        return codes

    def _have_currency(self) -> Flags:
        """Return which rows are texts with the sign of a currency."""
        if page_facts is not None:
            page = self.page
            found: Flags = page_facts.texts_with(page.text, page.tag, page.silent.view(np.uint8), _CURRENCY_SIGNS)
            return found
        rows = self.texts.tolist()
        texts = [self.page.text[row] for row in rows]
        joined = "".join(texts)
        flags = np.zeros(len(self.page), dtype=np.bool_)
        for sign in _CURRENCY_SIGNS:
            if sign in joined:
                flags[[row for row, text in zip(rows, texts, strict=True) if sign in text]] = True
        return flags

    def block(self, parent: int, line_of: dict[int, int]) -> Block:
        """Return the block of an element; ``line_of``: its lines by their tops."""
        page, first, is_element = self.page, next(iter(line_of.values())), self.is_element.data
        items: list[Line | None] = []
        for child in page.children(parent):
            node = line_of.get(child, -1)
            if node < 0 and self._is_lone_cell(child, first):
                node = child
            if node >= 0:
                cells = (cell for cell in page.children(node) if is_element[cell])
                items.append(Line(node, child, dict(enumerate(cells))))
            elif _has_content(page, child):
                items.append(None)
        return Block(parent, tuple(items), page.name(first) == "tr")

    def _is_lone_cell(self, i: int, line: int) -> bool:
        """Return whether a row has a single cell, no wider than others: the last line of a block may be short."""
        if self.page.tag[i] != self.page.tag[line] or self.count[i] != 1 or self.has_text[i]:
            return False
        return span_of(self.page, i + 1, "colspan", MAX_COLUMN_SPAN) == 1


def _are_in_unlike_groups(contents: Integers, tags: Integers, groups: Integers) -> Flags:
    """Return which lines are in a group where enough lines have cells of one code each, but not all of the same.

    ``contents``: the codes of the cells of each line, as bits; ``tags``: those of the cells, as higher bits.
    """
    is_alike = (contents > 0) & (contents & (contents - 1) == 0)
    own = groups[is_alike]
    total = np.bincount(groups)
    alike = np.bincount(own, minlength=len(total))
    codes = (contents | tags)[is_alike]
    last = np.zeros(len(total), dtype=np.int64)
    last[own] = codes
    is_mixed = np.zeros(len(total), dtype=np.bool_)
    is_mixed[own[codes != last[own]]] = True
    return np.asarray((is_mixed & (alike >= np.maximum(2, MIN_ALIKE_LINES * total)))[groups])


def _has_content(page: Page, i: int) -> bool:
    if page.is_text(i):
        return bool(page.text[i].strip())
    return bool(page.text_chars[i] > 0) or any(page.name(row) == "img" for row in range(i, int(page.end[i])))

"""Blocks of lines: elements with several rows of alike cells, such as tables, whose rows hold different things.

Blocks are searched for with whole columns of the page, so that a page without any costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.columns.table_grid import MAX_COLUMN_SPAN, grid_of, span_of
from peneira.lists.cell_kinds import CellReader
from peneira.lists.cell_lines import Line
from peneira.ml.running_sums import is_tag
from peneira.page import Flags, Page

# More cells in a line, or lines in a block, are a long table or list, whose records are rows
MAX_CELLS = 200
MAX_LINES = 600
# Blocks with less of the text of the page are parts of records, or beside the content
MIN_PAGE_SHARE = 0.02
# At least this share of the lines of a block have cells that are alike
MIN_ALIKE_LINES = 0.4
# Elements around a line that hold nothing else, as table and tbody around the only row
MAX_WRAPPERS = 4
# What is in them is beside the content of a page
_FRAME_TAGS = ("aside", "footer", "header", "nav")
_BREAKS = ("br", "hr", "wbr", "col", "colgroup")
# Children that are no cells: lines, and what only some elements may contain
_NOT_CELLS = ("tr", "tbody", "thead", "tfoot", "option", "source", "path")
_CURRENCY = re.compile(r"[$€£¥₹₽]")
# What a cell has, as bits of a code
_PICTURE, _TEXT, _LINK, _CURRENCY_SIGN = 1, 2, 4, 8
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
    is_differing = search.are_in_differing_lines()
    for parent in sorted(set(search.parents[is_differing].tolist())):
        own = search.parents == parent
        yield search.block(parent, dict(zip(search.tops[own].tolist(), search.lines[own].tolist(), strict=True)))


class _Search:
    """The lines that are in blocks of the main content, with the top and the block of each.

    ``is_element``, ``count`` and ``has_text``: which rows of the page may be cells, how many children of each row may
    be, and which rows have texts of their own.
    """

    def __init__(self, reader: CellReader) -> None:
        self.reader = reader
        self.page = page = reader.page
        self.is_element = (page.tag != 0) & ~page.silent & ~is_tag(page, _BREAKS)
        self.is_element[0] = False
        self.children = np.flatnonzero(self.is_element)
        self.parent = page.parent[self.children]
        self.count = np.bincount(self.parent, minlength=len(page))
        self.has_text = np.zeros(len(page), dtype=np.bool_)
        self.has_text[page.parent[(page.tag == 0) & ~page.silent]] = True
        lines = np.flatnonzero(self._are_lines())
        tops = self._tops(lines)
        parents = page.parent[tops]
        number = np.bincount(parents, minlength=len(page))
        is_block = (number > 1) & (number <= MAX_LINES)
        is_block &= page.text_chars >= MIN_PAGE_SHARE * int(page.text_chars[page.body])
        is_block &= ~page.flags_below(np.flatnonzero(is_tag(page, _FRAME_TAGS)).tolist())
        own = is_block[parents]
        self.lines, self.tops, self.parents = lines[own], tops[own], parents[own]

    @cached_property
    def _tag(self) -> Integers:
        """The tags of the elements, th as if it were td."""
        tags = self.page.tag[self.children].astype(np.int64)
        names = self.page.tag_names
        if "th" in names and "td" in names:
            tags[tags == names.index("th")] = names.index("td")
        return tags

    def _are_lines(self) -> Flags:
        are_alike, _ = _common_values(self.parent, self._tag, len(self.page))
        are_lines = (self.count >= 2) & (self.count <= MAX_CELLS) & are_alike & ~self.has_text
        are_lines[self.parent[is_tag(self.page, _NOT_CELLS)[self.children]]] = False
        are_lines[0] = False
        return are_lines

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

    def are_in_differing_lines(self) -> Flags:
        """Return which lines are in a block with lines whose cells are alike, but unlike those of other lines."""
        number_of = np.full(len(self.page), -1)
        number_of[self.lines] = np.arange(len(self.lines))
        line = number_of[self.parent]
        is_cell = line >= 0
        line, cells, tags = line[is_cell], self.children[is_cell], self._tag[is_cell]
        contents = self._contents(cells)
        is_filled = contents > 0
        is_after_label = is_filled & (cells != self.lines[line] + 1)
        blocks = _numbered(self.parents)
        differing = _have_unlike_lines(line[is_filled], contents[is_filled], blocks)
        differing |= _have_unlike_lines(line[is_after_label], contents[is_after_label], blocks)
        # heads and bodies are unlike in their tags, and as many
        tagged = contents + _CODES * tags
        pairs = _numbered(blocks * (MAX_CELLS + 1) + self.count[self.lines])
        return differing | _have_unlike_lines(line[is_filled], tagged[is_filled], pairs)

    def _contents(self, cells: Integers) -> Integers:
        """Return what each cell has, as a code; 0 for an empty cell."""
        page = self.page
        ends = page.end[cells]

        def has(sums: Integers) -> Flags:
            return np.asarray(sums[ends] > sums[cells])

        codes = _TEXT * (page.text_chars[cells] > 0).astype(np.int64)
        codes += _PICTURE * has(self.reader.pictures) + _LINK * has(running_sum(is_tag(page, ("a",))))
        return codes + _CURRENCY_SIGN * has(running_sum(self._have_currency()))

    def _have_currency(self) -> Flags:
        """Return which rows of blocks are texts with the sign of a currency."""
        page = self.page
        inside = page.flags_below(sorted(set(self.parents.tolist())))
        flags = np.zeros(len(page), dtype=np.bool_)
        for row in np.flatnonzero(inside & (page.tag == 0) & ~page.silent).tolist():
            text = page.text[row]
            flags[row] = "$" in text if text.isascii() else _CURRENCY.search(text) is not None
        return flags

    def block(self, parent: int, line_of: dict[int, int]) -> Block:
        """Return the block of an element; ``line_of``: its lines by their tops."""
        page, first = self.page, next(iter(line_of.values()))
        items: list[Line | None] = []
        for child in page.children(parent):
            node = line_of.get(child, -1)
            if node < 0 and self._is_lone_cell(child, first):
                node = child
            if node >= 0:
                cells = (cell for cell in page.children(node) if self.is_element[cell])
                items.append(Line(node, child, dict(enumerate(cells))))
            elif _has_content(page, child):
                items.append(None)
        return Block(parent, tuple(items), page.name(first) == "tr")

    def _is_lone_cell(self, i: int, line: int) -> bool:
        """Return whether a row has a single cell, no wider than others: the last line of a block may be short."""
        if self.page.lists.tag[i] != self.page.lists.tag[line] or self.count[i] != 1 or self.has_text[i]:
            return False
        return span_of(self.page, i + 1, "colspan", MAX_COLUMN_SPAN) == 1


def _common_values(groups: NDArray[np.integer], values: Integers, count: int) -> tuple[Flags, Integers]:
    """Return for each group whether all its values are equal, and one of them; 0 for an empty group."""
    common = np.zeros(count, dtype=np.int64)
    common[groups] = values
    are_equal = np.ones(count, dtype=np.bool_)
    are_equal[groups[values != common[groups]]] = False
    return are_equal, common


def _have_unlike_lines(line: Integers, codes: Integers, groups: Integers) -> Flags:
    """Return which lines are in a group where enough lines have cells of one code each, but not all of the same.

    ``line`` and ``codes`` are those of the filled cells, whose codes are not 0; ``groups`` are those of the lines.
    """
    are_equal, code = _common_values(line, codes, len(groups))
    are_alike = are_equal & (code > 0)
    total = np.bincount(groups)
    alike = np.bincount(groups[are_alike], minlength=len(total))
    is_uniform, _ = _common_values(groups[are_alike], code[are_alike], len(total))
    return np.asarray(((alike >= np.maximum(2, MIN_ALIKE_LINES * total)) & ~is_uniform)[groups])


def _numbered(keys: NDArray[np.integer]) -> Integers:
    """Return the keys as numbers from 0 on, equal keys as equal numbers."""
    order = np.argsort(keys, kind="stable")
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.cumsum(np.diff(keys[order], prepend=keys[order[:1]]) != 0)
    return numbers


def _has_content(page: Page, i: int) -> bool:
    if page.is_text(i):
        return bool(page.text[i].strip())
    return bool(page.text_chars[i] > 0) or any(page.name(row) == "img" for row in range(i, page.lists.end[i]))

"""Lines of cells: elements with alike children, such as table rows, that stand below each other.

A *line* is an element with two children or more, all of one tag. A *block* is an element with several lines. Blocks are
searched for with whole columns of the page, so that a page without any costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.columns.table_grid import MAX_COLUMN_SPAN, grid_of, span_of
from peneira.lists.cell_kinds import CellReader, rows_with_tags
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
_BREAKS = ("br", "hr", "wbr", "col", "colgroup")
# Children that are no cells: lines, and what only some elements may contain
_NOT_CELLS = ("tr", "tbody", "thead", "tfoot", "option", "source", "path")
_CURRENCY = re.compile(r"[$€£¥₹₽]")
# What a cell has, as bits of a code
_PICTURE, _TEXT, _LINK, _CURRENCY_SIGN = 1, 2, 4, 8
_CODES = 16


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the element that has the cells, the outermost element around it that holds nothing else, and its cells
    by their columns."""

    node: int
    top: int
    cells: dict[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """An element with several lines; None among them is something else that stands between lines."""

    parent: int
    items: tuple[Line | None, ...]
    is_table: bool


def blocks_of(reader: CellReader) -> Iterator[Block]:
    """Yield the blocks of which lines have different contents, but the cells of each line the same."""
    page = reader.page
    structure = _Structure(page)
    lines: Integers = np.flatnonzero(structure.is_line & (page.parent >= 0))
    tops = structure.tops(lines)
    parents = page.parent[tops].astype(np.int64)
    several = np.bincount(parents, minlength=len(page))[parents] > 1
    lines, tops, parents = lines[several], tops[several], parents[several]
    if not len(lines):
        return
    worthwhile = _differing(reader, structure, lines, parents)
    worthwhile &= page.text_chars[parents] >= MIN_PAGE_SHARE * int(page.text_chars[page.body])
    for parent in sorted(set(parents[worthwhile].tolist())):
        own = parents == parent
        if own.sum() <= MAX_LINES:
            line_of = dict(zip(tops[own].tolist(), lines[own].tolist(), strict=True))
            yield _block(page, structure, parent, line_of)


class _Structure:
    """Columns over the rows of a page that tell what is a line."""

    def __init__(self, page: Page) -> None:
        self.page = page
        is_element = (page.tag != 0) & ~page.silent & ~rows_with_tags(page, _BREAKS)
        is_element[0] = False
        self.is_element = is_element
        self.children = np.flatnonzero(is_element)
        self.parent = page.parent[self.children].astype(np.int64)
        self.tag = _with_one_cell_tag(page)
        tags = self.tag[self.children]
        self.count = np.bincount(self.parent, minlength=len(page))
        is_text = (page.tag == 0) & ~page.silent
        self.has_text = np.bincount(page.parent[is_text], minlength=len(page)) > 0
        is_alike = _all_equal(self.parent, tags, len(page))
        self.is_line = (self.count >= 2) & (self.count <= MAX_CELLS) & is_alike & ~self.has_text
        self.is_line[self.parent[rows_with_tags(page, _NOT_CELLS)[self.children]]] = False

    def tops(self, lines: Integers) -> Integers:
        """Return the outermost element around each line that holds nothing but the line."""
        tops = lines
        for _ in range(MAX_WRAPPERS):
            above = self.page.parent[tops].astype(np.int64)
            is_wrapper = (above > 0) & (self.count[above] == 1) & ~self.has_text[above]
            if not is_wrapper.any():
                break
            tops = np.where(is_wrapper, above, tops)
        return tops


def _with_one_cell_tag(page: Page) -> Integers:
    """Return the tags of the rows, th as if it were td."""
    tags = page.tag.astype(np.int64)
    if "th" in page.tag_names and "td" in page.tag_names:
        tags[tags == page.tag_names.index("th")] = page.tag_names.index("td")
    return tags


def _all_equal(groups: NDArray[np.integer], values: Integers, count: int) -> Flags:
    """Return for each group whether all its values are equal: then their mean square is the square of their mean."""
    number = np.bincount(groups, minlength=count)
    total = np.bincount(groups, weights=values, minlength=count)
    squares = np.bincount(groups, weights=values * values, minlength=count)
    return np.asarray(number * squares == total * total)


def _differing(reader: CellReader, structure: _Structure, lines: Integers, parents: Integers) -> Flags:
    """Return which lines are in a block with lines whose cells are alike, but unlike those of other lines."""
    page = reader.page
    is_line = np.zeros(len(page), dtype=np.bool_)
    is_line[lines] = True
    is_cell = is_line[structure.parent]
    cells, line = structure.children[is_cell], structure.parent[is_cell]
    contents = _contents(reader, cells)
    is_filled = contents > 0
    is_after_label = is_filled & (cells != line + 1)
    differing = _have_unlike_lines(line[is_filled], contents[is_filled], lines, parents)
    differing |= _have_unlike_lines(line[is_after_label], contents[is_after_label], lines, parents)
    # heads and bodies are unlike in their tags, and as many
    tagged = contents + _CODES * structure.tag[cells]
    pairs = _numbered(parents * (MAX_CELLS + 1) + structure.count[lines])
    return differing | _have_unlike_lines(line[is_filled], tagged[is_filled], lines, pairs)


def _have_unlike_lines(line: Integers, codes: Integers, lines: Integers, groups: Integers) -> Flags:
    """Return which lines are in a group where enough lines have cells of one code each, but not all of the same.

    ``line`` and ``codes`` are those of the cells.
    """
    size = int(lines[-1]) + 1
    count, total = int(groups.max()) + 1, np.bincount(groups)
    is_alike = (_all_equal(line, codes, size) & (np.bincount(line, minlength=size) > 0))[lines]
    code_of = np.zeros(size, dtype=np.int64)
    code_of[line] = codes
    is_uniform = _all_equal(groups[is_alike], code_of[lines[is_alike]], count)
    alike = np.bincount(groups[is_alike], minlength=count)
    return np.asarray(((alike >= np.maximum(2, MIN_ALIKE_LINES * total)) & ~is_uniform)[groups])


def _numbered(keys: Integers) -> Integers:
    """Return the keys as numbers from 0 on, equal keys as equal numbers."""
    order = np.argsort(keys, kind="stable")
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.cumsum(np.diff(keys[order], prepend=keys[order[:1]]) != 0)
    return numbers


def _contents(reader: CellReader, cells: Integers) -> Integers:
    """Return what each cell has, as a code; 0 for an empty cell."""
    page = reader.page
    ends = page.end[cells]

    def has(sums: Integers) -> Flags:
        return np.asarray(sums[ends] > sums[cells])

    codes = _TEXT * (page.text_chars[cells] > 0).astype(np.int64)
    codes += _PICTURE * has(reader.pictures) + _LINK * has(running_sum(rows_with_tags(page, ("a",))))
    return codes + _CURRENCY_SIGN * has(running_sum(_have_currency(page)))


def _have_currency(page: Page) -> Flags:
    """Return which rows are texts with the sign of a currency; the texts are searched as one."""
    rows = np.flatnonzero((page.tag == 0) & ~page.silent)
    texts = [page.text[row] for row in rows.tolist()]
    starts = running_sum([len(text) + 1 for text in texts])
    positions = [match.start() for match in _CURRENCY.finditer("\n".join(texts))]
    flags = np.zeros(len(page), dtype=np.bool_)
    flags[rows[np.searchsorted(starts, positions, side="right") - 1]] = True
    return flags


def _block(page: Page, structure: _Structure, parent: int, line_of: dict[int, int]) -> Block:
    first = next(iter(line_of.values()))
    is_table = page.name(first) == "tr"
    columns = grid_of(page, list(line_of.values())).column if is_table else {}
    items: list[Line | None] = []
    for child in page.children(parent):
        node = line_of.get(child, -1)
        if node < 0 and _is_lone_cell(page, structure, child, first):
            node = child
        if node >= 0:
            items.append(Line(node, child, _cells(page, structure, node, columns)))
        elif _has_content(page, child):
            items.append(None)
    return Block(parent, tuple(items), is_table)


def _is_lone_cell(page: Page, structure: _Structure, i: int, line: int) -> bool:
    """Return whether a row has a single cell that is no wider than others: the last line of a block may be short."""
    if page.lists.tag[i] != page.lists.tag[line] or structure.count[i] != 1 or structure.has_text[i]:
        return False
    return span_of(page, i + 1, "colspan", MAX_COLUMN_SPAN) == 1


def _cells(page: Page, structure: _Structure, line: int, columns: dict[int, int]) -> dict[int, int]:
    cells = (cell for cell in page.children(line) if structure.is_element[cell])
    return {columns.get(cell, k): cell for k, cell in enumerate(cells)}


def _has_content(page: Page, i: int) -> bool:
    if page.is_text(i):
        return bool(page.text[i].strip())
    return bool(page.text_chars[i] > 0) or any(page.name(row) == "img" for row in range(i, page.lists.end[i]))

"""The lines of a page: what a reader sees without a break, such as a paragraph, a heading, a cell or a label."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from peneira.page import INLINE_TAGS, TEXT, Flags, Page

_DIGIT = re.compile("[0-9]")
_CONTROLS = ("select", "datalist", "svg", "math", "canvas", "iframe", "textarea")


class Line(NamedTuple):
    """The text nodes between two block edges: from row ``start`` up to ``end``, and the block that holds the first."""

    start: int
    end: int
    block: int
    text: str


class PageLines(Sequence[Line]):
    """The lines of a page in document order, those that the page hides left out."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._lines = list(_lines(page, page.seen & ~_inside(page, _CONTROLS)))
        self._starts = [line.start for line in self._lines]

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        return self._lines[index]

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    def first_at(self, row: int) -> int:
        """Return the number of the first line that starts at a row or after it."""
        return bisect_left(self._starts, row)

    def within(self, row: int, end: int | None = None) -> list[Line]:
        """Return the lines of a node, or of the rows ``row:end``."""
        last = self.page.lists.end[row] if end is None else end
        return self._lines[self.first_at(row) : self.first_at(last)]

    @cached_property
    def by_text(self) -> dict[str, Line]:
        """The first line of each text, in lower case."""
        first: dict[str, Line] = {}
        for line in self._lines:
            first.setdefault(line.text.casefold(), line)
        return first


def lines_of(page: Page, row: int) -> list[Line]:
    """Return the lines below a node, hidden ones too."""
    flags = np.zeros(len(page), dtype=np.bool_)
    flags[row : page.lists.end[row]] = True
    return list(_lines(page, flags & ~page.silent, full=True))


def _inside(page: Page, names: Sequence[str]) -> Flags:
    codes = [page.tag_names.index(name) for name in names if name in page.tag_names]
    return page.flags_below(np.flatnonzero(np.isin(page.tag, codes)).tolist())


def _lines(page: Page, visible: Flags, *, full: bool = False) -> Iterator[Line]:
    """Yield the lines of the visible rows."""
    is_inline = np.array([name in INLINE_TAGS or name == TEXT for name in page.tag_names], dtype=np.bool_)[page.tag]
    edges = np.bincount(page.end[~is_inline], minlength=len(page) + 1)
    edges[:-1] += ~is_inline
    edge = np.cumsum(edges)
    rows = np.flatnonzero((page.tag == 0) & visible)
    if not len(rows):
        return
    cuts = np.flatnonzero(np.diff(edge[rows])) + 1
    starts = rows[np.concatenate(([0], cuts))].tolist()
    ends = (rows[np.concatenate((cuts - 1, [len(rows) - 1]))] + 1).tolist()
    parents, inline = page.lists.parent, is_inline.tolist()
    ranges = list(zip(starts, ends, strict=True))
    texts = page.texts_of(ranges) if full else page.visible_texts(ranges)
    for (start, end), text in zip(ranges, texts, strict=True):
        if not text:
            continue
        block = parents[start]
        while inline[block] and parents[block] >= 0:
            block = parents[block]
        yield Line(start, end, block, text)


def has_digit(text: str) -> bool:
    """Return whether a text has a digit, of any script."""
    return _DIGIT.search(text) is not None or (not text.isascii() and any(map(str.isdigit, text)))

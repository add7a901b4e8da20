"""The lines of a page: what a reader sees without a break, such as a paragraph, a heading, a cell or a label."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np

from peneira.kept_property import kept_property
from peneira.kernels import compiled
from peneira.page import INLINE_TAGS, TEXT, Flags, Page

page_lines = compiled("page_lines")
phrase_scan = compiled("phrase_scan")

_DIGIT = re.compile("[0-9]")
_CONTROLS = ("select", "datalist", "svg", "math", "canvas", "iframe", "textarea")


class Line(NamedTuple):
    """The text nodes between two block edges: from row ``start`` up to ``end``, and the block that holds the first."""

    start: int
    end: int
    block: int
    text: str

    def spaced(self, page: Page) -> str:
        """Return the text with a space between all text nodes: "Item Height" and "9 in" may touch on the page."""
        if self.end - self.start == 1:
            return self.text
        rows = range(self.start, self.end)
        return " ".join(" ".join(page.text[row] for row in rows if page.is_text(row) and page.seen[row]).split())


class PageLines(Sequence[Line]):
    """The lines of a page in document order, those that the page hides left out."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._lines = _lines(page, page.seen & ~_inside(page, _CONTROLS), 0)
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

    @kept_property
    def by_text(self) -> dict[str, Line]:
        """The first line of each text, in lower case."""
        return {line.text.casefold(): line for line in reversed(self._lines)}


def lines_of(page: Page, row: int) -> list[Line]:
    """Return the lines below a node, hidden ones too."""
    return _lines(page, ~page.silent[row : page.lists.end[row]], row, full=True)


def _inside(page: Page, names: Sequence[str]) -> Flags:
    return page.flags_below(page.rows_of(*names).tolist())


def _lines(page: Page, visible: Flags, first: int, *, full: bool = False) -> list[Line]:
    """Return the lines of a subtree that have a text. ``visible``: which of its rows count, from ``first`` on."""
    is_inline = np.array([name in INLINE_TAGS or name == TEXT for name in page.tag_names], dtype=np.bool_)
    if page_lines is None:
        starts, ends, blocks = _rows_of_lines(page, visible, is_inline, first)
    else:
        starts, ends, blocks = page_lines.text_lines(
            page.tag,
            page.parent,
            page.end,
            visible.view(np.uint8),
            is_inline.view(np.uint8),
            first,
            first + len(visible),
        )
    ranges = list(zip(starts, ends, strict=True))
    texts = page.texts_of(ranges) if full else page.visible_texts(ranges)
    return [Line(*line) for line in zip(starts, ends, blocks, texts, strict=True) if line[3]]


def _rows_of_lines(page: Page, visible: Flags, is_inline: Flags, first: int) -> tuple[list[int], list[int], list[int]]:
    """Return first row, row after the last and block of each line of visible texts."""
    own = slice(first, first + len(visible))
    is_block = ~is_inline[page.tag[own]]
    edges = np.bincount(page.end[own][is_block] - first, minlength=len(visible) + 1)
    edges[:-1] += is_block
    edge = np.cumsum(edges)
    rows = np.flatnonzero((page.tag[own] == 0) & visible)
    if not len(rows):
        return [], [], []
    cuts = np.flatnonzero(np.diff(edge[rows])) + 1
    rows += first
    starts: list[int] = rows[np.concatenate(([0], cuts))].tolist()
    ends: list[int] = (rows[np.concatenate((cuts - 1, [len(rows) - 1]))] + 1).tolist()
    parents, tags, inline = page.lists.parent, page.lists.tag, is_inline.tolist()
    blocks = []
    for start in starts:
        block = parents[start]
        while inline[tags[block]] and parents[block] >= 0:
            block = parents[block]
        blocks.append(block)
    return starts, ends, blocks


def _has_digit(text: str) -> bool:
    """Return whether a text has a digit, of any script."""
    return _DIGIT.search(text) is not None or (not text.isascii() and any(map(str.isdigit, text)))


has_digit: Callable[[str], bool] = _has_digit if phrase_scan is None else phrase_scan.has_digit

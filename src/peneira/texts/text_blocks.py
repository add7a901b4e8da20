"""The blocks of text of a page: what stands together between two edges of paragraphs, cells, items or other blocks.

A block is the unit of the content decision. Inline markup does not end it, nor does a line break; the edge of any other
element does. All features of texts can be computed for blocks: they are texts whose string is that of the whole block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import compress

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import inside_tags
from peneira.page import INLINE_TAGS, TEXT, Flags, Page
from peneira.texts.page_texts import PageTexts

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# Nothing in them is text of the page: choices of a control, drawings, and what is shown where a browser cannot
UNREAD_TAGS = frozenset("select datalist svg canvas iframe object video audio textarea math".split())
# Inline elements that hold a value of their own when two of them stand side by side without white space
SEPARATE_TAGS = frozenset("a b label span strong time".split())
# Inline elements and line breaks: no edge of a block
_JOINED_TAGS = INLINE_TAGS | {TEXT, "br", "wbr"}


class TextBlocks(PageTexts):
    """The blocks of a page: ``rows`` has the first text of each, ``strings`` their whole texts."""

    def __init__(self, page: Page, texts_of_page: PageTexts | None = None) -> None:
        """``texts_of_page``: all texts of the page, where they are known"""
        if texts_of_page is None:
            super().__init__(page)
        else:
            self.page, self.rows, self.strings = page, texts_of_page.rows, texts_of_page.strings
        read = ~inside_tags(page, UNREAD_TAGS)[self.rows]
        # every text of the page that is read, and the block of each
        self.text_rows: Rows = self.rows
        texts = self.strings
        if not read.all():
            self.text_rows, texts = self.rows[read], list(compress(texts, read.tolist()))
        edges = _edges(page)[self.text_rows]
        is_first = np.ones(len(edges), dtype=np.bool_)
        is_first[1:] = edges[1:] != edges[:-1]
        first = np.flatnonzero(is_first)
        self.block_of: Rows = np.cumsum(is_first) - 1
        self.text_strings = texts
        self.rows = self.text_rows[first]
        self.ends: Rows = np.append(self.text_rows[first[1:] - 1], self.text_rows[-1:]) + 1
        bounds = [*first.tolist(), len(texts)]
        self.strings = [
            texts[bounds[k]] if bounds[k + 1] == bounds[k] + 1 else self._joined(bounds[k], bounds[k + 1])
            for k in range(len(first))
        ]

    def _joined(self, start: int, end: int) -> str:
        """Return the texts ``start:end`` as one string, with a space where the page has white space or a line break."""
        check_budget()
        parts = [self.text_strings[start]]
        rows = self.text_rows[start:end].tolist()
        for k in range(1, end - start):
            space = " " if self.has_space(rows[k - 1], rows[k]) else ""
            parts.append(space + self.text_strings[start + k])
        return "".join(parts)

    def has_space(self, before: int, row: int) -> bool:
        """Return whether a reader sees space between two texts of one block that follow each other."""
        page = self.page
        return (
            page.spaced[row]
            or page.text[row][0].isspace()
            or page.text[before][-1].isspace()
            or (row - before > 1 and any(page.spaced[before + 1 : row]))
            or self.breaks_between(before, row) > 0
            or self._are_side_by_side(before, row)
        )

    def breaks_between(self, before: int, row: int) -> int:
        """Return the number of line breaks between two texts."""
        return int(self._breaks[row] - self._breaks[before]) if row - before > 1 else 0

    def _are_side_by_side(self, before: int, row: int) -> bool:
        """Return whether two texts end and begin elements of their own: badges, tags, the parts of a card.

        Style sheets put space between them. In code they are coloured parts of one word.
        """
        page = self.page
        parents, ends = page.lists.parent, page.lists.end
        own, other = parents[before], parents[row]
        if own == other or page.name(own) not in SEPARATE_TAGS or page.name(other) not in SEPARATE_TAGS:
            return False
        return ends[own] <= row and other > before and not self._in_code[row]

    @cached_property
    def _in_code(self) -> Flags:
        return inside_tags(self.page, ("pre", "code"))

    @cached_property
    def _breaks(self) -> Rows:
        page = self.page
        is_break = np.array([name == "br" for name in page.tag_names], dtype=np.bool_)[page.tag]
        return running_sum(is_break)

    @cached_property
    def headings(self) -> Rows:
        """The block of the nearest heading at or before each block, -1 before the first."""
        return self._nearest(HEADING_TAGS)

    @cached_property
    def sections(self) -> Rows:
        """The same for headings of the first two levels."""
        return self._nearest(HEADING_TAGS[:2])

    def _nearest(self, tags: Sequence[str]) -> Rows:
        is_heading = inside_tags(self.page, tags)[self.blocks]
        return np.maximum.accumulate(np.where(is_heading, np.arange(len(self)), -1))

    @cached_property
    def link_shares(self) -> Numbers:
        """The share of each block's characters that are in links."""
        lengths = np.array([len(text) for text in self.text_strings], dtype=np.float64)
        in_link = self.sums.in_link[self.text_rows]
        totals = np.bincount(self.block_of, lengths, minlength=len(self))
        return np.asarray(np.bincount(self.block_of, lengths * in_link, minlength=len(self)) / np.maximum(totals, 1))


def _edges(page: Page) -> Rows:
    """Return, for each row, how many edges of blocks stand before it."""
    is_edge = np.array([name not in _JOINED_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag] & ~page.silent
    edges = np.bincount(page.end[is_edge], minlength=len(page) + 1)[:-1]
    return np.cumsum(edges + is_edge)

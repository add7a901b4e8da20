"""The blocks of text of a page: what stands together between two edges of paragraphs, cells, items or other blocks.

A block is the unit of the content decision. Inline markup does not end it, nor does a line break; the edge of any other
element does. All features of texts can be computed for blocks: they are texts whose string is that of the whole block.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.kept_property import kept_property
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import inside_tags
from peneira.page import Flags, Page
from peneira.texts.page_texts import PageTexts
from peneira.texts.tag_kinds import (
    HEADING_TAGS,
    JOINED_TAGS,
    SEPARATE_TAGS,
    UNREAD_TAGS,
    block_tables,
    heading_levels,
    text_lines,
)

# Before a word, alone before one, and after one
OPENING_SIGNS, LONE_SIGNS, CLOSING_SIGNS = "([{$€£", ("#", "@"), ",;:!?%)]}…’”"


class TextBlocks(PageTexts):
    """The blocks of a page: ``rows`` has the first text of each, ``strings`` their whole texts."""

    def __init__(self, page: Page, texts_of_page: PageTexts | None = None) -> None:
        """``texts_of_page``: all texts of the page, where they are known"""
        if texts_of_page is None:
            super().__init__(page)
        else:
            self.page, self.rows, self.strings = page, texts_of_page.rows, texts_of_page.strings
        read, first, block_of = self._divided()
        # every text of the page that is read, and the block of each
        self.text_rows: Rows = self.rows
        texts = self.strings
        if not read.all():
            self.text_rows, texts = self.rows[read], list(compress(texts, read.tolist()))
        self.block_of: Rows = block_of
        self.text_strings = texts
        self.rows = self.text_rows[first]
        self.ends: Rows = np.append(self.text_rows[first[1:] - 1], self.text_rows[-1:]) + 1
        self.strings = self._whole(first)

    def _divided(self) -> tuple[Flags, Rows, Rows]:
        """Return which texts are read, where among these the blocks begin, and the block of each."""
        page = self.page
        if text_lines is not None:
            found: tuple[Flags, Rows, Rows] = text_lines.text_blocks(
                page.tag, page.end, page.silent.view(np.uint8), self.kinds, self.rows
            )
            return found
        read = ~inside_tags(page, UNREAD_TAGS)[self.rows]
        edges = _edges(page)[self.rows[read]]
        is_first = np.ones(len(edges), dtype=np.bool_)
        is_first[1:] = edges[1:] != edges[:-1]
        return read, np.flatnonzero(is_first), np.cumsum(is_first) - 1

    def _whole(self, first: Rows) -> list[str]:
        """Return the texts of the blocks, which begin at these texts."""
        check_budget()
        page, texts = self.page, self.text_strings
        if text_lines is not None:
            whole: list[str] = text_lines.joined(
                texts, self.text_rows, first, page.text, page.spaced, page.tag, page.parent, page.end, self.kinds
            )
            return whole
        bounds = [*first.tolist(), len(texts)]
        return [
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
        return int(self.breaks[row] - self.breaks[before]) if row - before > 1 else 0

    def _are_side_by_side(self, before: int, row: int) -> bool:
        """Return whether two texts end and begin elements of their own: badges, tags, the parts of a card.

        Style sheets put space between them. In code they are coloured parts of one word, and so are those that a sign
        joins: `list.` and `append`, a bold word and its bold colon.
        """
        page = self.page
        parents, ends = page.lists.parent, page.lists.end
        own, other = parents[before], parents[row]
        if own == other or page.name(own) not in SEPARATE_TAGS or page.name(other) not in SEPARATE_TAGS:
            return False
        if ends[own] > row or other <= before or self._in_code[row]:
            return False
        return not are_joined(page.text[before].rstrip(), page.text[row].lstrip())

    @kept_property
    def _in_code(self) -> Flags:
        return inside_tags(self.page, ("pre", "code"))

    @kept_property
    def breaks(self) -> Rows:
        """How many line breaks stand before each row."""
        page = self.page
        is_break = np.array([name == "br" for name in page.tag_names], dtype=np.bool_)[page.tag]
        return running_sum(is_break)

    @kept_property
    def are_broken(self) -> list[bool]:
        """Whether there is a line break between the first text of each block and its last."""
        if text_lines is not None:
            found: list[bool] = text_lines.are_broken(self.page.tag, self.kinds, self.rows, self.ends)
            return found
        return [bool(is_broken) for is_broken in self.breaks[self.ends - 1] > self.breaks[self.rows]]

    @kept_property
    def headings(self) -> Rows:
        """The block of the nearest heading at or before each block, -1 before the first."""
        return np.asarray(self.heading_places[0])

    @kept_property
    def sections(self) -> Rows:
        """The same for headings of the first two levels."""
        return np.asarray(self.heading_places[1])

    @kept_property
    def heading_places(self) -> Rows:
        """The headings, the sections, and the level of the heading that each block is in, 0 if none."""
        page = self.page
        if block_tables is not None:
            found: Rows = block_tables.nearest_headings(
                page.tag, page.end, self.kinds, self.blocks, heading_levels(page)
            )
            return found
        levels = np.zeros(len(page), dtype=np.int64)
        for level, name in enumerate(HEADING_TAGS, 1):
            for row in page.rows_of(name).tolist():
                levels[row : page.lists.end[row]] = level
        return np.stack((self._nearest(HEADING_TAGS), self._nearest(HEADING_TAGS[:2]), levels[self.blocks]))

    def _nearest(self, tags: Sequence[str]) -> Rows:
        is_heading = inside_tags(self.page, tags)[self.blocks]
        return np.maximum.accumulate(np.where(is_heading, np.arange(len(self)), -1))

    @kept_property
    def link_shares(self) -> Numbers:
        """The share of each block's characters that are in links."""
        lengths = np.fromiter(map(len, self.text_strings), np.float64, len(self.text_strings))
        in_link = self.sums.in_link[self.text_rows]
        totals = np.bincount(self.block_of, lengths, minlength=len(self))
        return np.asarray(np.bincount(self.block_of, lengths * in_link, minlength=len(self)) / np.maximum(totals, 1))


def are_joined(before: str, text: str) -> bool:
    """Return whether the signs at the end of a text and at the beginning of the next stand against words."""
    if not before or not text:
        return False
    if before[-1] in OPENING_SIGNS or before in LONE_SIGNS or text[0] in CLOSING_SIGNS:
        return True
    if text[0] == ".":
        return not text[1:2].isupper()
    return before[-1] == "." and text[0].islower() and " " not in before


def _edges(page: Page) -> Rows:
    """Return, for each row, how many edges of blocks stand before it."""
    is_edge = np.array([name not in JOINED_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag] & ~page.silent
    edges = np.bincount(page.end[is_edge], minlength=len(page) + 1)[:-1]
    return np.cumsum(edges + is_edge)

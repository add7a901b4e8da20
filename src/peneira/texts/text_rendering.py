"""The kept blocks of a page as one text, plain or in Markdown: headings, paragraphs, lists, tables, code, quotes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import groupby

from peneira.budget import check_budget
from peneira.page import Page
from peneira.texts.inline_text import InlineText
from peneira.texts.tag_kinds import text_lines
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_outline import CELL, CODE, HEADING, ITEM, PARAGRAPH, QUOTE, Lines, outline

# Lines of this length or more are paragraphs, whatever their tag
MIN_PARAGRAPH_CHARS = 80
_INDENT = "    "
# Headings of manuals end with it: a link to themselves
PERMALINK_SIGN = "¶"


def rendered_text(
    blocks: TextBlocks, kept: Sequence[int], *, markdown: bool, by_item: bool = False, posts: Sequence[int] = ()
) -> str:
    """Return the kept blocks in reading order as one text; "" if none is kept.

    ``by_item``: the short lines of each item of a list stand together, with an empty line between items. ``posts``: the
    rows where the posts of a thread begin; in Markdown a rule stands between them.
    """
    if not kept:
        return ""
    lines = outline(blocks, kept)
    writer = _Writer(blocks, lines, posts, markdown=markdown, by_item=by_item)
    parts: list[str] = []
    before = -1
    start, count = 0, len(lines)
    while start < count:
        end = start + 1
        if lines.kind[start] == CELL:  # a whole table is written as one
            while end < count and lines.kind[end] == CELL and lines.table[end] == lines.table[start]:
                end += 1
        elif lines.kind[start] == CODE:
            end = writer.end_of_code(start)
        if not start & 63:
            check_budget()
        if text := writer.written(start, end):
            if before >= 0:
                parts.append(writer.separator(before, start))
            parts.append(text)
            before = end - 1
        start = end
    return "".join(parts)


class _Writer:
    """Writes lines of one page, given by their numbers, and what stands between them."""

    def __init__(
        self, blocks: TextBlocks, lines: Lines, posts: Sequence[int], *, markdown: bool, by_item: bool
    ) -> None:
        self.posts = posts if markdown else ()
        self._post_items = {row for row in self.posts if blocks.page.name(row) == "li"}
        self.lines, self.page, self.is_markdown, self.is_by_item = lines, blocks.page, markdown, by_item
        self.inline = InlineText(blocks)
        rows = blocks.rows[lines.block]
        self.rows: list[int] = rows.tolist()
        self.chars: list[int] = blocks.lengths[lines.block].tolist()
        self._between: list[str] | None = None
        if text_lines is not None and not markdown:
            self._between = text_lines.separators(
                rows, lines.kind, lines.is_prose, self.chars, self.page.parent, self.page.end, by_item,
                MIN_PARAGRAPH_CHARS,
            )  # fmt: skip
        self._item = -1
        # of the lists that are open at an item; those around them of which nothing is kept do not count
        self._levels: list[int] = []

    def written(self, start: int, end: int) -> str:
        """Return the text of a line, or of the lines of a table or of code."""
        kind = self.lines.kind[start]
        if not self.is_markdown and kind in (PARAGRAPH, QUOTE):
            return self.inline.plain(self.lines.block[start])
        if kind == CELL:
            return self._table(start, end)
        if kind == CODE:
            return self._code(start, end)
        text = self._inline(start)
        if not text:
            return ""
        if kind == HEADING:
            text = text.removesuffix(PERMALINK_SIGN).rstrip() or text
            return f"{'#' * self.lines.level[start]} {' '.join(text.split())}" if self.is_markdown else text
        if kind == ITEM:
            return self._list_item(start, text)
        if self.is_markdown and self.lines.quote[start] >= 0:
            return "\n".join(f"> {part}" for part in text.split("\n"))
        return text

    def _inline(self, line: int) -> str:
        if self.is_markdown:
            return self.inline.markdown(self.lines.block[line], bold=self.lines.kind[line] != HEADING)
        return self.inline.plain(self.lines.block[line])

    def end_of_code(self, line: int) -> int:
        """Return the line after those of the code that begins in this one: its lines may be elements of their own."""
        kinds, page = self.lines.kind, self.page
        node = self.rows[line]
        while page.name(node) != "pre":
            node = page.lists.parent[node]
        end = line + 1
        while end < len(kinds) and kinds[end] == CODE and self.rows[end] < page.lists.end[node]:
            end += 1
        return end

    def _code(self, start: int, end: int) -> str:
        code = "\n".join(filter(None, map(self.inline.code, self.lines.block[start:end])))
        if not self.is_markdown or not code:
            return code
        fence = "```"
        while fence in code:
            fence += "`"
        return f"{fence}\n{code}\n{fence}"

    def _list_item(self, line: int, text: str) -> str:
        item, number = self.lines.item[line], self.lines.number[line]
        if item in self._post_items:
            self._levels.clear()
            return text
        indent = _INDENT * self._depth(line)
        is_new, self._item = item != self._item, item
        mark = f"{number}. " if number else "- "
        if is_new:
            return indent + mark + text.replace("\n", f"\n{indent}{' ' * len(mark)}")
        inner = indent + " " * len(mark)
        return inner + text.replace("\n", f"\n{inner}")

    def _depth(self, line: int) -> int:
        """Return how many of the lists around an item are written as lists before it."""
        if line and self.lines.kind[line - 1] != ITEM:
            self._levels.clear()
        while self._levels and self._levels[-1] >= self.lines.level[line]:
            self._levels.pop()
        self._levels.append(self.lines.level[line])
        return len(self._levels) - 1

    def _table(self, start: int, end: int) -> str:
        """Return the rows of a table, their cells between bars; in Markdown the first row is the head."""
        if not self.is_markdown:
            return self._plain_table(start, end)
        rows: list[list[str]] = []
        for _, in_row in groupby(range(start, end), key=self.lines.row.__getitem__):
            cells = []
            for _, in_cell in groupby(in_row, key=self.lines.cell.__getitem__):
                cells.append(" ".join(" ".join(self._inline(line).split()) for line in in_cell))
            rows.append(cells)
        width = max(map(len, rows))
        written = [f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |" for cells in rows]
        written.insert(1, f"|{' --- |' * width}")
        return "\n".join(written)

    def _plain_table(self, start: int, end: int) -> str:
        """Return the rows of a table, a line each, with bars between the cells."""
        blocks, rows, cells, plain = self.lines.block, self.lines.row, self.lines.cell, self.inline.plain
        parts: list[str] = []
        row, cell = rows[start], cells[start]
        for k in range(start, end):
            if k > start:
                parts.append("\n" if rows[k] != row else " | " if cells[k] != cell else " ")
                row, cell = rows[k], cells[k]
            text = plain(blocks[k])
            parts.append(" ".join(text.split()) if "\n" in text else text)
        return "".join(parts)

    def separator(self, before: int, line: int) -> str:
        """Return what stands between two lines: a rule between posts, an empty line, or a new line within one item."""
        if self._between is not None and line == before + 1:
            return self._between[line]
        if self.posts and self._post(before) != self._post(line):
            return "\n\n---\n\n"
        lines = self.lines
        if lines.kind[before] == ITEM and lines.kind[line] == ITEM and lines.item[before] not in self._post_items:
            return "\n\n" if self.is_markdown and lines.item[line] == lines.item[before] else "\n"
        if self._is_apart(before) or self._is_apart(line) or not self._are_close(before, line):
            return "\n\n"
        return "  \n" if self.is_markdown and lines.kind[before] != HEADING else "\n"

    def _post(self, line: int) -> int:
        return bisect_right(self.posts, self.rows[line])

    def _is_apart(self, line: int) -> bool:
        """Return whether a line always stands between empty lines."""
        if self.chars[line] >= MIN_PARAGRAPH_CHARS:
            return True
        kind = self.lines.kind[line]
        if self.is_by_item:
            return kind not in (PARAGRAPH, HEADING) or (self.is_markdown and kind == HEADING)
        return kind != PARAGRAPH or bool(self.lines.is_prose[line])

    def _are_close(self, before: int, line: int) -> bool:
        """Return whether two lines are parts of one item: what holds both holds no block of its own beside them."""
        page, first, second = self.page, self.rows[before], self.rows[line]
        joint = _common_ancestor(page, first, second)
        left, right = _child_towards(page, joint, first), _child_towards(page, joint, second)
        return self._count(left) <= 1 and self._count(right) <= 1

    def _count(self, node: int) -> int:
        """Return the number of lines in an element."""
        first = bisect_left(self.rows, node)
        return bisect_left(self.rows, self.page.lists.end[node]) - first


def _common_ancestor(page: Page, first: int, second: int) -> int:
    node = page.lists.parent[first]
    while page.lists.end[node] <= second:
        node = page.lists.parent[node]
    return node


def _child_towards(page: Page, ancestor: int, row: int) -> int:
    while page.lists.parent[row] != ancestor:
        row = page.lists.parent[row]
    return row

"""The kept blocks of a page as one text, plain or in Markdown: headings, paragraphs, lists, tables, code, quotes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from peneira.budget import check_budget
from peneira.page import Page
from peneira.texts.inline_text import InlineText
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_outline import Line, outline

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
    before: Line | None = None
    for group in _groups(lines):
        check_budget()
        text = writer.written(group)
        if not text:
            continue
        if before is not None:
            parts.append(writer.separator(before, group[0]))
        parts.append(text)
        before = group[-1]
    return "".join(parts)


def _groups(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines that are written as one: a whole table, or a single line."""
    for table, group in groupby(lines, key=lambda line: line.table if line.kind == "cell" else -1 - line.block):
        members = list(group)
        if table >= 0:
            yield members
        else:
            yield from ([line] for line in members)


class _Writer:
    """Writes lines of one page, and what stands between them."""

    def __init__(
        self, blocks: TextBlocks, lines: Sequence[Line], posts: Sequence[int], *, markdown: bool, by_item: bool
    ) -> None:
        self.posts = posts if markdown else ()
        self._post_items = {row for row in self.posts if blocks.page.name(row) == "li"}
        self.blocks, self.page, self.is_markdown, self.is_by_item = blocks, blocks.page, markdown, by_item
        self.inline = InlineText(blocks)
        self.rows = [int(blocks.rows[line.block]) for line in lines]
        self._item = -1

    def written(self, group: Sequence[Line]) -> str:
        """Return the text of a line, or of the lines of a table."""
        line = group[0]
        if line.kind == "cell":
            return self._table(group)
        if line.kind == "code":
            return self._code(line)
        text = self._inline(line)
        if not text:
            return ""
        if line.kind == "heading":
            text = text.removesuffix(PERMALINK_SIGN).rstrip() or text
            return f"{'#' * line.level} {' '.join(text.split())}" if self.is_markdown else text
        if line.kind == "item":
            return self._list_item(line, text)
        if line.quote >= 0 and self.is_markdown:
            return "\n".join(f"> {part}" for part in text.split("\n"))
        return text

    def _inline(self, line: Line) -> str:
        if self.is_markdown:
            return self.inline.markdown(line.block, bold=line.kind != "heading")
        return self.inline.plain(line.block)

    def _code(self, line: Line) -> str:
        code = self.inline.code(line.block)
        if not self.is_markdown or not code:
            return code
        fence = "```"
        while fence in code:
            fence += "`"
        return f"{fence}\n{code}\n{fence}"

    def _list_item(self, line: Line, text: str) -> str:
        if line.item in self._post_items:
            return text
        indent = _INDENT * (line.level - 1 - (1 if self._post_items else 0))
        is_new, self._item = line.item != self._item, line.item
        mark = f"{line.number}. " if line.number else "- "
        if is_new:
            return indent + mark + text.replace("\n", f"\n{indent}{' ' * len(mark)}")
        inner = indent + " " * len(mark)
        return inner + text.replace("\n", f"\n{inner}")

    def _table(self, lines: Sequence[Line]) -> str:
        """Return the rows of a table, their cells between bars; in Markdown the first row is the head."""
        rows: list[list[str]] = []
        for _, in_row in groupby(lines, key=lambda line: line.row):
            cells = []
            for _, in_cell in groupby(in_row, key=lambda line: line.cell):
                cells.append(" ".join(" ".join(self._inline(line).split()) for line in in_cell))
            rows.append(cells)
        if not self.is_markdown:
            return "\n".join(" | ".join(cells) for cells in rows)
        width = max(map(len, rows))
        written = [f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |" for cells in rows]
        written.insert(1, f"|{' --- |' * width}")
        return "\n".join(written)

    def separator(self, before: Line, line: Line) -> str:
        """Return what stands between two lines: a rule between posts, an empty line, or a new line within one item."""
        if self.posts and self._post(before) != self._post(line):
            return "\n\n---\n\n"
        if before.kind == "item" and line.kind == "item" and before.item not in self._post_items:
            return "\n\n" if self.is_markdown and line.item == before.item else "\n"
        if self._is_apart(before) or self._is_apart(line) or not self._are_close(before, line):
            return "\n\n"
        return "  \n" if self.is_markdown and before.kind != "heading" else "\n"

    def _post(self, line: Line) -> int:
        return bisect_right(self.posts, int(self.blocks.rows[line.block]))

    def _is_apart(self, line: Line) -> bool:
        """Return whether a line always stands between empty lines."""
        if self._chars(line) >= MIN_PARAGRAPH_CHARS:
            return True
        if self.is_by_item:
            return line.kind not in ("paragraph", "heading") or (self.is_markdown and line.kind == "heading")
        return line.kind != "paragraph" or line.is_prose

    def _chars(self, line: Line) -> int:
        return int(self.blocks.lengths[line.block])

    def _are_close(self, before: Line, line: Line) -> bool:
        """Return whether two lines are parts of one item: what holds both holds no block of its own beside them."""
        page = self.page
        first, second = int(self.blocks.rows[before.block]), int(self.blocks.rows[line.block])
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

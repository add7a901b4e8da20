"""The text of one block with its inline markup: plain, as it stands in code, or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import numpy as np

from peneira.budget import check_budget
from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.kept_property import kept_property
from peneira.texts.page_texts import collapse_whitespace
from peneira.texts.text_blocks import TextBlocks

_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`", "kbd": "`", "samp": "`", "del": "~~", "s": "~~"}
_EMPHASES = ("**", "*", "~~")
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~]|&(?=#?\w{1,31};)")
# At the start of a line these begin a heading, an item or a rule
_LINE_START = re.compile(r"^(\d{0,9})(#{1,6}(?=\s)|[-+](?=\s)|[-=]+$|(?<=\d)[.)](?=\s))")
_BACKTICKS = re.compile(r"`+")
# Elements with their signs
Marks = list[tuple[int, str]]
_SCHEMES = ("http:", "https:", "mailto:", "tel:", "ftp:")


class InlineText:
    """Writes the text of blocks of one page."""

    def __init__(self, blocks: TextBlocks) -> None:
        self.blocks, self.page = blocks, blocks.page
        self._is_broken = blocks.are_broken
        # links that stand around whole blocks are written once, at their first block
        self._owner: dict[int, int] = {}
        self._link_of: dict[int, int] = {}
        self._code_lines: dict[int, int] = {}

    @kept_property
    def _base(self) -> str:
        return base_url(self.page)

    @kept_property
    def _first(self) -> list[int]:
        """The number of the first text of each block, and that of all texts."""
        texts = self.blocks.text_rows
        return [*np.searchsorted(texts, self.blocks.rows).tolist(), len(texts)]

    def plain(self, block: int) -> str:
        """Return the text of a block; its line breaks are new lines."""
        if not self._is_broken[block]:
            return self.blocks.strings[block]
        return "\n".join(line for line in (collapse_whitespace(line) for line in self._lines(block)) if line)

    def code(self, block: int) -> str:
        """Return the text of a block of code with its white space."""
        parts: list[str] = []
        line_before = -1
        for text, row in self._pieces(block, raw=True):
            line = self._line_of_code(row)
            if text and line != line_before and parts and "\n" not in (text[0], parts[-1][-1]):
                parts.append("\n")
            parts.append(text or "\n")
            line_before = line
        return "".join(parts).strip("\n").rstrip()

    def _line_of_code(self, row: int) -> int:
        """Return the element around a text of code that is a line of it by its class, -1 if there is none."""
        page, known, unknown = self.page, self._code_lines, []
        node = page.lists.parent[row]
        while node > page.body and node not in known and page.name(node) != "pre":
            if any(name == "line" or name.endswith("-line") for name in page.attrs[node].get("class", "").split()):
                known[node] = node
                break
            unknown.append(node)
            node = page.lists.parent[node]
        found = known.get(node, -1)
        known.update(dict.fromkeys(unknown, found))
        return found

    def markdown(self, block: int, *, bold: bool = True) -> str:
        """Return the text of a block as Markdown: links, emphasis and code; no text of the page is read as markup."""
        parts: list[str] = []
        open_marks: Marks = []
        known: dict[int, Marks] = {}
        for text, row in self._pieces(block, raw=False):
            if text is None:
                parts.append("  \n")
                continue
            wanted = self._marks(row, block, known, bold=bold)
            common = 0
            while common < min(len(wanted), len(open_marks)) and _goes_on(open_marks[common], wanted[common]):
                common += 1
            closing = "".join(_closing(mark) for _, mark in reversed(open_marks[common:]))
            opening = "".join("[" if mark.startswith("](") else mark for _, mark in wanted[common:])
            space = text[: len(text) - len(text.lstrip())]
            parts += [_closed(parts, closing), space, opening, self._escaped(text.lstrip(), wanted)]
            open_marks = wanted
        parts.append(_closed(parts, "".join(_closing(mark) for _, mark in reversed(open_marks))))
        return _tidy("".join(parts))

    def _escaped(self, text: str, marks: Marks) -> str:
        return text if any(mark.startswith("`") for _, mark in marks) else _SPECIAL.sub(r"\\\g<0>", text)

    def _lines(self, block: int) -> Iterator[str]:
        line: list[str] = []
        for text, _ in self._pieces(block, raw=False):
            if text is None:
                yield "".join(line)
                line = []
            else:
                line.append(text)
        yield "".join(line)

    def _pieces(self, block: int, *, raw: bool) -> Iterator[tuple[str | None, int]]:
        """Yield the texts of a block with the spaces before them, and None for each line break."""
        blocks, page = self.blocks, self.page
        before = -1
        for k in range(self._first[block], self._first[block + 1]):
            row = int(blocks.text_rows[k])
            if raw:
                for _ in range(blocks.breaks_between(before, row) if before >= 0 else 0):
                    yield None, row
                has_space = before < 0 or page.text[before][-1].isspace() or page.text[row][0].isspace()
                is_apart = not has_space and any(page.spaced[before + 1 : row + 1])
                yield (" " if is_apart else "") + page.text[row], row
            else:
                if before >= 0 and blocks.breaks_between(before, row):
                    yield None, row
                    yield blocks.text_strings[k], row
                else:
                    space = " " if before >= 0 and blocks.has_space(before, row) else ""
                    yield space + blocks.text_strings[k], row
            before = row

    def _marks(self, row: int, block: int, known: dict[int, Marks], *, bold: bool) -> Marks:
        """Return the inline elements around a text that Markdown has signs for, outermost first.

        ``known``: what was found for elements of the block so far. Elements can lie in each other by the thousand.
        """
        edge = int(self.blocks.blocks[block])
        marks = self._marks_within(self.page.lists.parent[row], edge, known, bold=bold)
        if all(not mark.startswith("](") for _, mark in marks) and (link := self._link_around(edge, block)):
            marks = [*marks, link]
        if any(mark.startswith("`") for _, mark in marks):  # nothing is read inside code
            marks = [(node, mark) for node, mark in marks if mark.startswith(("`", "]("))]
            marks.sort(key=lambda mark: mark[1].startswith("`"))
            return marks
        return marks[::-1]

    def _marks_within(self, node: int, edge: int, known: dict[int, Marks], *, bold: bool) -> Marks:
        """Return the marks of an element and of those around it up to the edge of the block, innermost first."""
        unknown = []
        while node > edge and node not in known:
            unknown.append(node)
            node = self.page.lists.parent[node]
        marks = known[node] if node > edge else []
        for node in reversed(unknown):
            check_budget()
            mark = self._mark(node, bold=bold)
            if mark:  # of two that say the same the inner one counts
                around = marks if mark.startswith("](") else [each for each in marks if each[1] != mark]
                marks = [(node, mark), *around]
            known[node] = marks
        return marks

    def _mark(self, node: int, *, bold: bool) -> str:
        """Return the sign that Markdown has for an element, "" if none."""
        name = self.page.name(node)
        if name == "a":
            url = self._url(node)
            return f"]({url})" if url else ""
        mark = _MARKS.get(name, "")
        if mark == "`":
            return self._code_mark(node)
        return mark if bold else ""

    def _code_mark(self, node: int) -> str:
        """Return the mark of inline code: around code with backticks more of them in a row than it has, and a space."""
        code = "".join(self.page.text[node : self.page.lists.end[node]])
        return "`" * (1 + max(map(len, _BACKTICKS.findall(code)))) + " " if "`" in code else "`"

    def _link_around(self, element: int, block: int) -> tuple[int, str] | None:
        """Return the link that holds the whole block, for the first block that asks for it."""
        node = self._nearest_link(element)
        if node < 0:
            return None
        url = self._url(node)
        is_owner = self._owner.setdefault(node, block) == block
        return (node, f"]({url})") if url and is_owner else None

    def _nearest_link(self, node: int) -> int:
        """Return the row of the link that an element is or lies in, -1 if none."""
        page, unknown = self.page, []
        while node > page.body and node not in self._link_of:
            unknown.append(node)
            if page.name(node) == "a":
                self._link_of[node] = node
                break
            node = page.lists.parent[node]
        found = self._link_of.get(node, -1)
        self._link_of.update(dict.fromkeys(unknown, found))
        return found

    def _url(self, node: int) -> str:
        """Return the address of a link as Markdown can hold it; "" where it leads nowhere."""
        href = self.page.attrs[node].get("href", "").strip()
        if not href or href.startswith(("#", "javascript:", "data:")):
            return ""
        url = absolute_url(self._base, href)
        if ":" in url.split("/", 1)[0] and not url.lower().startswith(_SCHEMES):
            return ""
        return quote(url, safe="/:?#@!$&'*+,;=%-._~[]").replace("[", "%5B").replace("]", "%5D")


def _goes_on(mark: tuple[int, str], wanted: tuple[int, str]) -> bool:
    """Return whether an open mark stays open: for the same element, or for emphasis right beside it."""
    return mark[0] == wanted[0] or (mark[1] == wanted[1] and mark[1] in _EMPHASES)


def _closing(mark: str) -> str:
    """Return the mark that closes what a mark opens."""
    return mark[::-1] if mark.startswith("``") else mark


def _closed(parts: list[str], marks: str) -> str:
    """Return the closing marks; white space before them would break them, so it is moved behind."""
    if not marks or not parts:
        return marks
    stripped = parts[-1].rstrip(" ")
    space = parts[-1][len(stripped) :]
    parts[-1] = stripped
    return marks + space


def _tidy(text: str) -> str:
    """Return the lines of a block without white space at their ends, none of them read as a heading or an item."""
    lines = [line.strip() for line in text.split("\n")]
    return "  \n".join(_LINE_START.sub(r"\1\\\2", line) for line in lines if line)

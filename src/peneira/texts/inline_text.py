"""The text of one block with its inline markup: plain, as it stands in code, or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import numpy as np

from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.texts.page_texts import collapse_whitespace
from peneira.texts.text_blocks import TextBlocks

_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`", "kbd": "`", "samp": "`", "del": "~~", "s": "~~"}
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~]|&(?=#?\w{1,31};)")
# At the start of a line these begin a heading, an item or a rule
_LINE_START = re.compile(r"^(\d{0,9})(#{1,6}(?=\s)|[-+](?=\s)|[-=]+$|(?<=\d)[.)](?=\s))")
_BACKTICKS = re.compile(r"`+")
_SCHEMES = ("http:", "https:", "mailto:", "tel:", "ftp:")


class InlineText:
    """Writes the text of blocks of one page."""

    def __init__(self, blocks: TextBlocks) -> None:
        self.blocks, self.page = blocks, blocks.page
        self._base = base_url(blocks.page)
        self._first = [*np.flatnonzero(np.diff(blocks.block_of, prepend=-1)).tolist(), len(blocks.text_rows)]
        # links that stand around whole blocks are written once, at their first block
        self._owner: dict[int, int] = {}

    def plain(self, block: int) -> str:
        """Return the text of a block; its line breaks are new lines."""
        rows = self.blocks.text_rows
        if not self.blocks.breaks_between(int(rows[self._first[block]]), int(rows[self._first[block + 1] - 1])):
            return self.blocks.strings[block]
        return "\n".join(line for line in (collapse_whitespace(line) for line in self._lines(block)) if line)

    def code(self, block: int) -> str:
        """Return the text of a block of code with its white space."""
        raw = "".join("\n" if text is None else text for text, _ in self._pieces(block, raw=True))
        return raw.strip("\n").rstrip()

    def markdown(self, block: int, *, bold: bool = True) -> str:
        """Return the text of a block as Markdown: links, emphasis and code; no text of the page is read as markup."""
        parts: list[str] = []
        open_marks: list[tuple[int, str]] = []
        for text, row in self._pieces(block, raw=False):
            if text is None:
                parts.append("  \n")
                continue
            wanted = self._marks(row, block, bold=bold)
            common = 0
            while common < min(len(wanted), len(open_marks)) and wanted[common][0] == open_marks[common][0]:
                common += 1
            closing = "".join(_closing(mark) for _, mark in reversed(open_marks[common:]))
            opening = "".join("[" if mark.startswith("](") else mark for _, mark in wanted[common:])
            space = text[: len(text) - len(text.lstrip())]
            parts += [_closed(parts, closing), space, opening, self._escaped(text.lstrip(), wanted)]
            open_marks = wanted
        parts.append(_closed(parts, "".join(_closing(mark) for _, mark in reversed(open_marks))))
        return _tidy("".join(parts))

    def _escaped(self, text: str, marks: list[tuple[int, str]]) -> str:
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
                is_apart = (
                    before >= 0 and not page.text[before][-1].isspace() and any(page.spaced[before + 1 : row + 1])
                )
                yield (" " if is_apart else "") + page.text[row], row
            else:
                if before >= 0 and blocks.breaks_between(before, row):
                    yield None, row
                    yield blocks.text_strings[k], row
                else:
                    space = " " if before >= 0 and blocks.has_space(before, row) else ""
                    yield space + blocks.text_strings[k], row
            before = row

    def _marks(self, row: int, block: int, *, bold: bool) -> list[tuple[int, str]]:
        """Return the inline elements around a text that Markdown has signs for, outermost first."""
        page, edge = self.page, int(self.blocks.blocks[block])
        marks: list[tuple[int, str]] = []
        node = page.lists.parent[row]
        has_link = False
        while node > edge:
            name = page.name(node)
            if name == "a" and (url := self._url(node)):
                marks.append((node, f"]({url})"))
                has_link = True
            elif name in _MARKS and (bold or _MARKS[name] == "`"):
                mark = _MARKS[name] if _MARKS[name] != "`" else self._code_mark(node)
                if all(mark != other for _, other in marks):
                    marks.append((node, mark))
            node = page.lists.parent[node]
        if not has_link and (link := self._link_around(edge, block)):
            marks.append(link)
        if any(mark.startswith("`") for _, mark in marks):  # nothing is read inside code
            marks = [(node, mark) for node, mark in marks if mark.startswith(("`", "]("))]
            marks.sort(key=lambda mark: mark[1].startswith("`"))
            return marks
        return marks[::-1]

    def _code_mark(self, node: int) -> str:
        """Return the mark of inline code: around code with backticks more of them in a row than it has, and a space."""
        code = "".join(self.page.text[node : self.page.lists.end[node]])
        return "`" * (1 + max(map(len, _BACKTICKS.findall(code)))) + " " if "`" in code else "`"

    def _link_around(self, element: int, block: int) -> tuple[int, str] | None:
        """Return the link that holds the whole block, for the first block that asks for it."""
        page, node = self.page, element
        while node > page.body:
            if page.name(node) == "a":
                url = self._url(node)
                is_owner = self._owner.setdefault(node, block) == block
                return (node, f"]({url})") if url and is_owner else None
            node = page.lists.parent[node]
        return None

    def _url(self, node: int) -> str:
        """Return the address of a link as Markdown can hold it; "" where it leads nowhere."""
        href = self.page.attrs[node].get("href", "").strip()
        if not href or href.startswith(("#", "javascript:", "data:")):
            return ""
        url = absolute_url(self._base, href)
        if ":" in url.split("/", 1)[0] and not url.lower().startswith(_SCHEMES):
            return ""
        return quote(url, safe="/:?#@!$&'*+,;=%-._~[]").replace("[", "%5B").replace("]", "%5D")


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

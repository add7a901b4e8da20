"""The regions of a page as a tree of blocks: whole elements of the page, or neighbouring elements of one role.

A region is divided where its parts have different roles, so a menu beside an article is a block of its own and the
article is another. What is content is the content decision (``block_model.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from peneira.arrays import running_sum
from peneira.budget import spend
from peneira.limits import Cut, Status, status_of
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.texts.block_model import decide
from peneira.texts.cleaned_rows import cleaned_flags
from peneira.texts.element_names import NAMING_ATTRIBUTES
from peneira.texts.markup_words import attribute_words

Role = Literal["page", "main", "links", "text", "other"]

# Bounds the nesting of blocks
MAX_DEPTH = 12
# An element with at least this share of its text of one role is a block of that role; others are divided
MIN_PURE_SHARE = 0.9
# A block with a larger share of its text in links has the role "links"
MAX_LINK_SHARE = 0.6
MAX_LABEL_CHARS = 40
# Elements whose tag says what they are
_NAMED_TAGS = frozenset("nav header footer aside main article form table dialog".split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """A region of the page, the whole elements of the rows ``start:end``: its role, its share of the body's nodes.

    ``xpath`` is that of its first element, ``label`` a name for a reader: a heading, or what the markup calls it.
    """

    start: int
    end: int
    role: Role
    share: float
    text: str = ""
    xpath: str = ""
    label: str = ""
    children: tuple[Block, ...] = ()

    def __repr__(self) -> str:
        inner = f", {counted(len(self.children), 'block')} inside" if self.children else ""
        return f"<Block {self.role}, {self.share:.0%} of the page{inner}: {shortened(self.text, 60)!r}>"

    def walk(self) -> Iterator[tuple[int, Block]]:
        """Yield this block and all nested blocks with their depth, in document order."""
        pending = [(0, self)]
        while pending:
            depth, block = pending.pop()
            yield depth, block
            pending.extend((depth + 1, child) for child in reversed(block.children))


@dataclass(frozen=True, slots=True, repr=False)
class PageBlock(Block):
    """The whole page as a block, with the limits that were hit when it was read (``cuts``)."""

    cuts: tuple[Cut, ...] = ()

    @property
    def status(self) -> Status:
        """Whether a limit was hit: "partial" if so, and ``cuts`` says which, and what is missing."""
        return status_of(self.cuts)


def segment_page(page: Page) -> PageBlock:
    """Return the page's regions as a tree whose root is the body."""
    if not len(page):
        return PageBlock(0, 0, "page", 0.0, cuts=page.cuts)
    builder = _BlockBuilder(page)
    body = page.body
    root = builder.leaf(body, page.lists.end[body])
    return PageBlock(
        root.start, root.end, "page", root.share, root.text, root.xpath,
        children=builder.parts(body, 0), cuts=page.cuts,
    )  # fmt: skip


class _BlockBuilder:
    """Divides elements into blocks by the roles of their texts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        decision = decide(page)
        blocks = decision.blocks
        chars = np.zeros((len(page), 3))
        main = cleaned_flags(page, decision)[blocks.rows] if len(blocks) else np.zeros(0, dtype=np.bool_)
        lengths = blocks.lengths.astype(np.float64) if len(blocks) else np.zeros(0)
        chars[blocks.rows, 0] = lengths
        chars[blocks.rows, 1] = lengths * main
        chars[blocks.rows, 2] = lengths * (blocks.link_shares if len(blocks) else 0.0)
        self.sums = running_sum(chars)
        self.nodes = running_sum(~page.silent)
        start = page.body
        self.total = max(int(self.nodes[page.lists.end[start]] - self.nodes[start]), 1)

    def parts(self, node: int, depth: int) -> tuple[Block, ...]:
        """Return the blocks inside an element; elements that only wrap one other are passed through."""
        children = [k for k in self.page.children(node) if not self.page.silent[k]]
        while len(children) == 1 and not self.page.is_text(children[0]):
            children = [k for k in self.page.children(children[0]) if not self.page.silent[k]]
        found: list[Block] = []
        for child in children:
            end = self.page.lists.end[child]
            block = self.leaf(child, end)
            if not self._is_pure(child, end) and depth < MAX_DEPTH:
                inner = self.parts(child, depth + 1)
                block = replace(block, children=inner, label=self._name(child) if inner else block.label)
            if found and not block.children and not found[-1].children and self._belong_together(found[-1], block):
                found[-1] = self._merged(found[-1], block)
            else:
                found.append(block)
        return tuple(found) if len(found) > 1 or (found and found[0].children) else ()

    def leaf(self, start: int, end: int) -> Block:
        """Return the rows as a block without parts."""
        page = self.page
        share = round(int(self.nodes[end] - self.nodes[start]) / self.total, 4)
        text, xpath = page.visible_text(start, end), page.xpath(start)
        spend("output_bytes", len(text) + len(xpath))
        return Block(start, end, self._role(start, end), share, text, xpath, self._label(start, end))

    def _merged(self, first: Block, second: Block) -> Block:
        role = first.role if first.role != "other" else second.role
        label = first.label or second.label
        return replace(self.leaf(first.start, second.end), role=role, label=label)

    def _belong_together(self, first: Block, second: Block) -> bool:
        """Return whether two neighbours are one block: of one role, or one of them without text."""
        return first.role == second.role or "other" in (first.role, second.role)

    def _role(self, start: int, end: int) -> Role:
        chars, main, links = (self.sums[end] - self.sums[start]).tolist()
        if not chars:
            return "other"
        if 2 * main > chars:
            return "main"
        return "links" if links > MAX_LINK_SHARE * chars else "text"

    def _is_pure(self, start: int, end: int) -> bool:
        """Return whether nearly all text is content, or nearly none."""
        chars, main, _ = (self.sums[end] - self.sums[start]).tolist()
        return not chars or not (1 - MIN_PURE_SHARE) < main / chars < MIN_PURE_SHARE

    def _label(self, start: int, end: int) -> str:
        """Return a name for a reader: the first heading, else what the first element is called."""
        page = self.page
        for row in range(start, min(end, start + 200)):
            if page.name(row) in _HEADINGS and (heading := page.visible_text(row)):
                return shortened(heading, MAX_LABEL_CHARS)
        return self._name(start)

    def _name(self, start: int) -> str:
        """Return what the markup calls an element: its tag if that says it, else a word of its attributes."""
        page = self.page
        if page.name(start) in _NAMED_TAGS:
            return page.name(start)
        names = [page.attrs[start][name] for name in NAMING_ATTRIBUTES if name in page.attrs[start]]
        return next((word for name in names for word in attribute_words(name)), "")

"""The regions of a page as a tree of blocks.

The published search continues in the larger part of each split and drops the rest. Here both parts of every split are
searched, so the result has all regions, nested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from peneira.limits import Cut, Status, status_of
from peneira.page import Codes, Flags, Page
from peneira.preview import counted, shortened
from peneira.texts.region_filter import Scorer, content_regions, learned_score
from peneira.texts.tps import TagPathSequence, splits, tag_path_sequence

Role = Literal["page", "main", "links", "text", "other"]

# A smaller part of the sequence is not a region of its own: nodes, and share of all nodes
MIN_NODES = 3
MIN_SHARE = 0.01
# Bounds the nesting of blocks
MAX_DEPTH = 12
# A block with a larger share of its text in links has the role "links"
MAX_LINK_SHARE = 0.6


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """A region of the page, rows ``start:end``: its role, its share of the body's nodes, its text and nested blocks."""

    start: int
    end: int
    role: Role
    share: float
    text: str = ""
    xpath: str = ""
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


def segment_page(page: Page, score: Scorer = learned_score) -> PageBlock:
    """Return the page's regions as a tree whose root is the body."""
    sequence = tag_path_sequence(page)
    main = np.zeros(len(page), dtype=np.bool_)
    for start, end in content_regions(page, score):
        main[start:end] = True
    min_nodes = max(MIN_NODES, int(MIN_SHARE * len(sequence)))
    tree = _nested_parts(sequence.symbols, 0, len(sequence), min_nodes, 0)
    if not tree[2]:  # a homogeneous page has no splits, but it may have main regions
        tree = (0, len(sequence), _parts_between(sequence, content_regions(page, score)))
    root = _BlockBuilder(page, sequence, main).block(tree)
    return PageBlock(root.start, root.end, "page", root.share, root.text, root.xpath, root.children, page.cuts)


# Start and end in the sequence, and the nested parts
_Part = tuple[int, int, list["_Part"]]


def _nested_parts(symbols: Codes, start: int, end: int, min_nodes: int, depth: int) -> _Part:
    if depth == MAX_DEPTH:
        return start, end, []
    # the threshold with the most splits, the lowest in a tie
    choices = (_spaced(positions.tolist(), end - start, min_nodes) for _, positions in splits(symbols[start:end]))
    chosen = max(choices, key=len, default=[])
    if not chosen:
        return start, end, []
    edges = [start, *(start + position for position in chosen), end]
    return start, end, [_nested_parts(symbols, a, b, min_nodes, depth + 1) for a, b in pairwise(edges)]


def _spaced(positions: Sequence[int], size: int, min_nodes: int) -> list[int]:
    """Return the positions with at least ``min_nodes`` nodes between them and at both ends."""
    chosen = [0]
    for position in positions:
        if position - chosen[-1] >= min_nodes and size - position >= min_nodes:
            chosen.append(position)
    return chosen[1:]


def _parts_between(sequence: TagPathSequence, regions: Sequence[tuple[int, int]]) -> list[_Part]:
    rows = sequence.rows
    edges = sorted({0, len(rows), *(int(np.searchsorted(rows, row)) for region in regions for row in region)})
    return [(a, b, []) for a, b in pairwise(edges)] if len(edges) > 2 else []


class _BlockBuilder:
    """Turns parts of a sequence into blocks."""

    def __init__(self, page: Page, sequence: TagPathSequence, main: Flags) -> None:
        self.page, self.rows, self.main = page, sequence.rows, main
        links = [i for i in range(len(page)) if page.name(i) == "a"]
        self.in_link = page.flags_below(links)
        self.chars = np.array([len(text.strip()) for text in page.text], dtype=np.int64) * page.seen

    def block(self, part: _Part) -> Block:
        start, end, parts = part
        rows = self.rows[start:end]
        if not len(rows):
            return Block(self.page.body, self.page.body, "other", 0.0)
        first, last = int(rows[0]), int(rows[-1]) + 1
        return Block(
            first,
            last,
            self._role(rows),
            round(len(rows) / len(self.rows), 4),
            self.page.visible_text(first, last),
            self.page.xpath(first),
            tuple(self.block(child) for child in parts),
        )

    def _role(self, rows: Codes) -> Role:
        if 2 * int(self.main[rows].sum()) > len(rows):
            return "main"
        chars = int(self.chars[rows].sum())
        if not chars:
            return "other"
        return "links" if int(self.chars[rows][self.in_link[rows]].sum()) > MAX_LINK_SHARE * chars else "text"

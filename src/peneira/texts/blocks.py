"""The regions of a page as a tree of blocks.

The published search goes on in the larger part of each split and forgets the rest. Here both parts of every split are
searched, so that all regions come out, nested as they were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from peneira.page import Codes, Flags, Page
from peneira.texts.region_filter import Scorer, content_regions, learned_score
from peneira.texts.tps import TagPathSequence, splits, tag_path_sequence

Role = Literal["page", "main", "links", "text", "other"]

# Smaller pieces of the sequence are no regions of their own
MIN_NODES = 3
MIN_SHARE = 0.01
MAX_DEPTH = 12
# A block whose text is mostly in links leads elsewhere
MAX_LINKED = 0.6


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the page, rows ``start:end``: its role, its share of the nodes of the body, and what is in it."""

    start: int
    end: int
    role: Role
    share: float
    text: str = ""
    xpath: str = ""
    children: tuple[Block, ...] = ()

    def walk(self) -> Iterator[tuple[int, Block]]:
        """Yield this block and all below it with their depth, in document order."""
        pending = [(0, self)]
        while pending:
            depth, block = pending.pop()
            yield depth, block
            pending.extend((depth + 1, child) for child in reversed(block.children))


def segment_page(page: Page, score: Scorer = learned_score) -> Block:
    """Return the page's regions as a tree: the root is the body, below it what each split gave, nested."""
    sequence = tag_path_sequence(page)
    main = np.zeros(len(page), dtype=np.bool_)
    for start, end in content_regions(page, score):
        main[start:end] = True
    describe = _Description(page, sequence, main)
    least = max(MIN_NODES, int(MIN_SHARE * len(sequence)))
    tree = _nested(sequence.symbols, 0, len(sequence), least, 0)
    if not tree[2]:  # nothing to tell the parts of a homogeneous page apart: what repeats still does
        tree = (0, len(sequence), _cut_at(sequence, content_regions(page, score)))
    return replace(describe(tree), role="page")


# Start and end in the sequence, and the parts
_Part = tuple[int, int, list["_Part"]]


def _nested(symbols: Codes, start: int, end: int, least: int, depth: int) -> _Part:
    if depth == MAX_DEPTH:
        return start, end, []
    # of all thresholds the one that tells most regions apart, the lowest of those
    found = (_spaced(places.tolist(), end - start, least) for _, places in splits(symbols[start:end]))
    cuts = max(found, key=len, default=[])
    if not cuts:
        return start, end, []
    edges = [start, *(start + cut for cut in cuts), end]
    return start, end, [_nested(symbols, a, b, least, depth + 1) for a, b in pairwise(edges)]


def _spaced(places: Sequence[int], size: int, least: int) -> list[int]:
    """Return the places that leave at least so many nodes between them and at both ends."""
    chosen = [0]
    for place in places:
        if place - chosen[-1] >= least and size - place >= least:
            chosen.append(place)
    return chosen[1:]


def _cut_at(sequence: TagPathSequence, regions: Sequence[tuple[int, int]]) -> list[_Part]:
    rows = sequence.rows
    edges = sorted({0, len(rows), *(int(np.searchsorted(rows, row)) for region in regions for row in region)})
    return [(a, b, []) for a, b in pairwise(edges)] if len(edges) > 2 else []


class _Description:
    """Turns parts of a sequence into blocks."""

    def __init__(self, page: Page, sequence: TagPathSequence, main: Flags) -> None:
        self.page, self.rows, self.main = page, sequence.rows, main
        links = [i for i in range(len(page)) if page.name(i) == "a"]
        self.in_link = page.flags_below(links)
        self.chars = np.array([len(text.strip()) for text in page.text], dtype=np.int64) * page.seen

    def __call__(self, part: _Part) -> Block:
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
            tuple(self(child) for child in parts),
        )

    def _role(self, rows: Codes) -> Role:
        if 2 * int(self.main[rows].sum()) > len(rows):
            return "main"
        chars = int(self.chars[rows].sum())
        if not chars:
            return "other"
        return "links" if int(self.chars[rows][self.in_link[rows]].sum()) > MAX_LINKED * chars else "text"

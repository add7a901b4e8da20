"""DEPTA: regions by tree matching, data items by partial tree alignment (Zhai and Liu, WWW 2005).

The regions are those of MDR with tree matching (MDR-2). The records of a region are then aligned: each is one tree, the
largest is the seed, and the others grow it where the position of a node is certain. A text of the seed is a data item,
and a column of the records. Of the regions the publication chooses none; the main one here is the one with the most
text in aligned items. The tag tree is that of the parser, not one from boxes, and gaps between boxes are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from peneira.findings import Findings
from peneira.methods.mdr import DataRegion, data_records, data_regions, record_of
from peneira.methods.tag_tree import TagTree
from peneira.page import TEXT, Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Region
from peneira.trees.alignment import SeedNode, align
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import TreeMatcher

# Longer lists are aligned by so many of their records: the seed has long stopped growing
MAX_ALIGNED = 60

Parts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A data item: the text node of each record that holds it, None where a record has none."""

    nodes: tuple[int | None, ...]

    @property
    def count(self) -> int:
        """The number of records that have the item."""
        return sum(node is not None for node in self.nodes)


class Alignment:
    """Aligns records of one page; equal subtrees of all of them are matched once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._subtrees = SubtreeIndex()
        self._shapes = self._subtrees.add(page)
        self.matcher = TreeMatcher(self._subtrees)

    def items(self, records: Sequence[Parts]) -> list[Item]:
        """Return the data items of records, each given by its nodes, in the order of the seed tree."""
        roots = [self._subtrees.shape("", tuple(self._shapes[i] for i in parts)) for parts in records]
        seed = align(self.matcher, roots)
        found: list[Item] = []
        stack: list[tuple[SeedNode, dict[int, int]]] = [
            (child, self._rows(child, {k: list(parts) for k, parts in enumerate(records)})) for child in seed.children
        ][::-1]
        while stack:
            node, rows = stack.pop()
            if node.name == TEXT and rows:
                found.append(Item(tuple(rows.get(k) for k in range(len(records)))))
            children = {k: self._children(row) for k, row in rows.items()}
            stack.extend((child, self._rows(child, children)) for child in reversed(node.children))
        return found

    def _rows(self, node: SeedNode, children: dict[int, list[int]]) -> dict[int, int]:
        """Return the row of each record that is matched with a node of the seed, of the children of its parent."""
        return {k: children[k][index] for k, (index, _) in node.matches.items() if k in children}

    def _children(self, row: int) -> list[int]:
        return [child for child in self.page.children(row) if not self.page.silent[child]]


def find_regions(page: Page) -> Findings:
    """Return the data regions of a page, the one with the most text in aligned items first."""
    if not len(page):
        return Findings([])
    tree, alignment = TagTree(page, comparison="trees"), Alignment(page)
    scored = [_scored_region(tree, alignment, data) for data in data_regions(tree)]
    scored.sort(key=lambda pair: (-pair[0], pair[1].records[0].ranges[0]))
    return Findings([region for _, region in scored], (*tree.cuts, *alignment.matcher.cuts))


def _scored_region(tree: TagTree, alignment: Alignment, data: DataRegion) -> tuple[float, Region]:
    """Return a region and the characters of its records that are in aligned items, by the share of the items."""
    page, parts = tree.page, data_records(tree, data)
    records = tuple(record_of(page, record) for record in parts)
    share, number = _aligned_share(page, alignment.items(parts[:MAX_ALIGNED]))
    chars = sum(len(record.text) for record in records)
    reasons = (
        Reason(ReasonCode.TEXTS, f"{number} data items, {share:.0%} of their texts in two records or more", number),
        Reason(ReasonCode.COMPONENTS, f"a generalised node is {data.size} siblings", data.size),
    )
    confidence = round(share * (1 - 1 / len(records)), 3)
    return share * chars, Region(page.xpath(data.parent), records, confidence, reasons=reasons)


def _aligned_share(page: Page, items: Sequence[Item]) -> tuple[float, int]:
    """Return the share of the text nodes that are in an item of two records or more, and the number of such items."""
    shared = [item for item in items if item.count > 1]
    total = sum(item.count for item in items)
    return (sum(item.count for item in shared) / total if total else 0.0), len(shared)

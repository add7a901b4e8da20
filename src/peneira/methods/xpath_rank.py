"""XPath ranking (Trieschnigg, Tjin-Kam-Jet and Hiemstra 2012, TR-CTIT-12-08): the path whose nodes are most alike.

Candidates are paths of tags and of tags with classes, each the records that it selects. A candidate needs three nodes,
and their similarities must be at least .55 each and .65 on average. Candidates are ranked by similarity and by the part
of the page that they fill: its area where a browser has shown the page, else its text.

The report gives the parameters and the idea; where it leaves a choice (how alike two nodes are, how the two ranks are
weighed) this is our reading: the shared part of their tag paths, and the product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page
from peneira.result import Reason, Record, Region
from peneira.xpath.selectors import Selector, Step

MIN_NODES = 3
MIN_SIMILARITY = 0.55
MIN_AVERAGE = 0.65
MAX_REGIONS = 5
# Distinct nodes of a candidate that are compared with each other, and the levels below a node that count
MAX_COMPARED = 40
MAX_ROWS = 2_000

Paths = Counter[int]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate: its nodes, how alike they are on average, and the share of the page that they fill."""

    nodes: tuple[int, ...]
    similarity: float
    share: float

    @property
    def score(self) -> float:
        """What it is ranked by."""
        return self.similarity * self.share


def find_regions(page: Page) -> list[Region]:
    """Return the best candidates as regions, none overlapping a better one."""
    found = sorted(ranked(page), key=lambda one: (-one.score, one.nodes))
    taken = np.zeros(len(page), dtype=np.bool_)
    regions: list[Region] = []
    for one in found:
        if len(regions) == MAX_REGIONS:
            break
        if not any(taken[node] or taken[node : page.end[node]].any() for node in one.nodes):
            regions.append(_region(page, one))
            for node in one.nodes:
                taken[node : page.end[node]] = True
    return regions


def ranked(page: Page) -> list[Ranked]:
    """Return all candidates that are alike enough."""
    sizes = _sizes(page)
    whole = max(float(sizes[page.body]), 1.0) if len(page) else 1.0
    below = _Below(page)
    kept = []
    for nodes in _candidates(page):
        least, mean = below.similarity(nodes)
        if least >= MIN_SIMILARITY and mean >= MIN_AVERAGE:
            kept.append(Ranked(nodes, mean, min(1.0, float(sizes[list(nodes)].sum()) / whole)))
    return kept


def _sizes(page: Page) -> NDArray[np.float64]:
    if page.layout is None:
        return page.text_chars.astype(np.float64)
    boxes = page.layout.extents(page.parent, page.depth)
    return np.asarray(boxes[:, 2] * boxes[:, 3])


def _candidates(page: Page) -> Iterator[tuple[int, ...]]:
    """Yield the nodes of each path, with and without classes; those with no text and those inside another left out."""
    shown = np.flatnonzero(page.seen & (page.tag != 0) & (page.text_chars > 0) & (np.arange(len(page)) > page.body))
    seen: set[tuple[int, ...]] = set()
    for codes in (page.path, page.styled_path):
        order = shown[np.argsort(codes[shown], kind="stable")]
        for group in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            nodes = tuple(group.tolist())
            if len(nodes) >= MIN_NODES and nodes not in seen:
                seen.add(nodes)
                yield nodes


class _Below:
    """What is below nodes, as counts of tag paths; equal subtrees are counted once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._paths = page.path.tolist()
        self._of_shape: dict[int, Paths] = {}
        self._alike: dict[tuple[int, int], float] = {}

    def similarity(self, nodes: Sequence[int]) -> tuple[float, float]:
        """Return the least and the mean similarity of the nodes to each other."""
        shapes = self._page.shape[list(nodes)].tolist()
        counts = Counter(shapes)
        first = dict(zip(reversed(shapes), reversed(nodes), strict=True))
        common = counts.most_common(MAX_COMPARED)
        pairs = [
            (self._similar(a, b, first), many * more if a != b else many * (many - 1) // 2)
            for k, (a, many) in enumerate(common)
            for b, more in common[k:]
        ]
        pairs = [(alike, weight) for alike, weight in pairs if weight]
        total = sum(weight for _, weight in pairs)
        # the least is that of a node to all others: one odd pair among many nodes tells nothing
        least = min(self._mean_of(a, common, first) for a, _ in common)
        return least, sum(alike * weight for alike, weight in pairs) / max(total, 1)

    def _mean_of(self, a: int, common: Sequence[tuple[int, int]], first: dict[int, int]) -> float:
        others = [(self._similar(a, b, first), many - (a == b)) for b, many in common]
        return sum(alike * many for alike, many in others) / max(sum(many for _, many in others), 1)

    def _similar(self, a: int, b: int, first: dict[int, int]) -> float:
        if a == b:
            return 1.0
        pair = (a, b) if a < b else (b, a)
        if pair not in self._alike:
            one, other = self._below(a, first[a]), self._below(b, first[b])
            shared = sum((one & other).values())
            self._alike[pair] = 2 * shared / max(one.total() + other.total(), 1)
        return self._alike[pair]

    def _below(self, shape: int, node: int) -> Paths:
        if shape not in self._of_shape:
            end = min(int(self._page.end[node]), node + MAX_ROWS)
            self._of_shape[shape] = Counter(self._paths[node:end])
        return self._of_shape[shape]


def _region(page: Page, one: Ranked) -> Region:
    records = tuple(Record(((i, int(page.end[i])),), page.text_of(i), page.xpath(i)) for i in one.nodes)
    path = _path(page, one.nodes[0])
    reasons = (
        Reason("xpath", f"{path} selects {len(records)} nodes"),
        Reason("similarity", f"they are {one.similarity:.2f} alike", round(one.similarity, 4)),
        Reason("share", f"they fill {one.share:.0%} of the page", round(one.share, 4)),
    )
    return Region(path, records, round(one.similarity, 3), reasons=reasons)


def _path(page: Page, node: int) -> str:
    """Return the path of tags of a node, without positions."""
    return str(Selector(tuple(Step("child", page.name(i)) for i in [*[*page.ancestors(node)][::-1], node])))

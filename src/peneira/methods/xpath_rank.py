"""XPath ranking (Trieschnigg, Tjin-Kam-Jet and Hiemstra 2012, TR-CTIT-12-08): the path with the most similar nodes.

Candidates are paths of tags, with and without classes; the nodes that a path selects are its records. A candidate needs
three nodes, and the similarity of each to the others must be at least 0.55, 0.65 on average. Candidates are ranked by
similarity and by the share of the page that they fill: of its area if it was rendered, else of its text.

The report gives the parameters and the idea. Where it leaves a choice, this is our interpretation: nodes are similar by
the tag paths that they share, and the two criteria are multiplied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Record, Region
from peneira.xpath.selectors import Selector, Step

# The values of the report
MIN_NODES = 3
MIN_SIMILARITY = 0.55
MIN_MEAN_SIMILARITY = 0.65
MAX_REGIONS = 5
# Bounds of work: different nodes of a candidate that are compared, and rows of a subtree that are counted
MAX_COMPARED = 40
MAX_ROWS = 2_000

Paths = Counter[int]


@dataclass(frozen=True, slots=True)
class PathCandidate:
    """The nodes that a path selects, their mean similarity, and the share of the page that they fill."""

    nodes: tuple[int, ...]
    similarity: float
    share: float

    @property
    def score(self) -> float:
        """The product by which candidates are ranked."""
        return self.similarity * self.share


def find_regions(page: Page) -> list[Region]:
    """Return the best candidates as regions, without those that overlap a better one."""
    candidates = sorted(path_candidates(page), key=lambda candidate: (-candidate.score, candidate.nodes))
    taken = np.zeros(len(page), dtype=np.bool_)
    regions: list[Region] = []
    for candidate in candidates:
        if len(regions) == MAX_REGIONS:
            break
        if not any(taken[node] or taken[node : page.end[node]].any() for node in candidate.nodes):
            regions.append(_region(page, candidate))
            for node in candidate.nodes:
                taken[node : page.end[node]] = True
    return regions


def path_candidates(page: Page) -> list[PathCandidate]:
    """Return all candidates whose nodes are similar enough."""
    sizes = _sizes(page)
    whole = max(float(sizes[page.body]), 1.0) if len(page) else 1.0
    subtrees = _SubtreePaths(page)
    kept = []
    for nodes in _candidates(page):
        lowest, mean = subtrees.similarity(nodes)
        if lowest >= MIN_SIMILARITY and mean >= MIN_MEAN_SIMILARITY:
            kept.append(PathCandidate(nodes, mean, min(1.0, float(sizes[list(nodes)].sum()) / whole)))
    return kept


def _sizes(page: Page) -> NDArray[np.float64]:
    """Return the size of each node: its area if the page was rendered, else its characters."""
    if page.layout is None:
        return page.text_chars.astype(np.float64)
    boxes = page.layout.extents(page.parent, page.depth)
    return np.asarray(boxes[:, 2] * boxes[:, 3])


def _candidates(page: Page) -> Iterator[tuple[int, ...]]:
    """Yield the nodes of each path, with and without classes; only visible nodes with text count."""
    visible = np.flatnonzero(page.seen & (page.tag != 0) & (page.text_chars > 0) & (np.arange(len(page)) > page.body))
    seen: set[tuple[int, ...]] = set()
    for codes in (page.path, page.styled_path):
        order = visible[np.argsort(codes[visible], kind="stable")]
        for group in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            nodes = tuple(group.tolist())
            if len(nodes) >= MIN_NODES and nodes not in seen:
                seen.add(nodes)
                yield nodes


class _SubtreePaths:
    """How often each tag path occurs in the subtree of a node; equal subtrees are counted once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._paths = page.path.tolist()
        self._of_shape: dict[int, Paths] = {}
        self._similarities: dict[tuple[int, int], float] = {}

    def similarity(self, nodes: Sequence[int]) -> tuple[float, float]:
        """Return the lowest mean similarity of a node to the others, and the mean over all pairs."""
        shapes = self._page.shape[list(nodes)].tolist()
        counts = Counter(shapes)
        first = dict(zip(reversed(shapes), reversed(nodes), strict=True))
        common = counts.most_common(MAX_COMPARED)
        pairs = [
            (self._similarity(a, b, first), count * other if a != b else count * (count - 1) // 2)
            for k, (a, count) in enumerate(common)
            for b, other in common[k:]
        ]
        pairs = [(similarity, weight) for similarity, weight in pairs if weight]
        total = sum(weight for _, weight in pairs)
        # of nodes, not of pairs: a single pair that differs among many nodes means nothing
        lowest = min(self._mean_similarity(a, common, first) for a, _ in common)
        return lowest, sum(similarity * weight for similarity, weight in pairs) / max(total, 1)

    def _mean_similarity(self, a: int, common: Sequence[tuple[int, int]], first: dict[int, int]) -> float:
        others = [(self._similarity(a, b, first), count - (a == b)) for b, count in common]
        return sum(similarity * count for similarity, count in others) / max(sum(count for _, count in others), 1)

    def _similarity(self, a: int, b: int, first: dict[int, int]) -> float:
        if a == b:
            return 1.0
        pair = (a, b) if a < b else (b, a)
        if pair not in self._similarities:
            left, right = self._paths_below(a, first[a]), self._paths_below(b, first[b])
            shared = sum((left & right).values())
            self._similarities[pair] = 2 * shared / max(left.total() + right.total(), 1)
        return self._similarities[pair]

    def _paths_below(self, shape: int, node: int) -> Paths:
        if shape not in self._of_shape:
            end = min(int(self._page.end[node]), node + MAX_ROWS)
            self._of_shape[shape] = Counter(self._paths[node:end])
        return self._of_shape[shape]


def _region(page: Page, candidate: PathCandidate) -> Region:
    records = tuple(Record(((i, int(page.end[i])),), page.text_of(i), "", node=page.node(i)) for i in candidate.nodes)
    path = _path(page, candidate.nodes[0])
    reasons = (
        Reason(ReasonCode.XPATH, f"{path} selects {len(records)} nodes"),
        Reason(
            ReasonCode.SIMILARITY,
            f"their mean similarity is {candidate.similarity:.2f}",
            round(candidate.similarity, 4),
        ),
        Reason(ReasonCode.SHARE, f"they fill {candidate.share:.0%} of the page", round(candidate.share, 4)),
    )
    return Region(path, records, round(candidate.similarity, 3), reasons=reasons)


def _path(page: Page, node: int) -> str:
    """Return the path of tags of a node, without positions."""
    return str(Selector(tuple(Step("child", page.name(i)) for i in [*[*page.ancestors(node)][::-1], node])))

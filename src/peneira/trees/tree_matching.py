"""Similarity of two subtrees by simple and generalised tree matching, with cached scores."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.budget import check_budget
from peneira.kernels import matching
from peneira.kernels.matching import MatchScore
from peneira.limits import Cut
from peneira.trees.shapes import SubtreeIndex

# Cells of score matrices: a second or two. The largest page of the TPS thesis needs 95,000.
MAX_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When two children get the same symbol: similarity above ``tau1``, and at least ``tau2`` of the best of either."""

    tau1: float = 0.5
    tau2: float = 0.7


PUBLISHED_THRESHOLDS = Thresholds()


class TreeMatcher:
    """Cached scores of pairs of shapes in an index that may grow.

    Once ``max_cells`` are used up, scores are only lower bounds, and ``cuts`` reports it.
    """

    def __init__(
        self,
        subtrees: SubtreeIndex,
        *,
        thresholds: Thresholds = PUBLISHED_THRESHOLDS,
        max_cells: int = MAX_CELLS,
    ) -> None:
        self.subtrees = subtrees
        self.thresholds = thresholds
        self.max_cells = max_cells
        self.child_symbols: list[dict[int, int]] = []  # by shape: the symbol of each distinct child
        self._budget = [max_cells, 0]  # cells left, pairs that were refused
        self._scores: dict[int, int] = {}
        self._matches: dict[int, MatchScore] = {}
        self._kinds: list[tuple[int, ...]] = []  # by shape: its distinct children
        self._own: list[float] = []  # by shape: its nodes where a list counts once
        self._saved_sizes = (0, len(subtrees.names), 0, 0)
        # what generalised matching reads and writes, always the same lists
        self._trees = (subtrees.labels, subtrees.children, self._kinds, self._own, self.child_symbols, self._matches)
        self._bounds = (thresholds.tau1, thresholds.tau2, self._budget)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limit that was hit, with the number of pairs that were not matched completely."""
        unmatched = self._budget[1]
        if not unmatched:
            return ()
        return (
            Cut("tree matching", self.max_cells, f"{unmatched} pairs of subtrees were compared by their roots only"),
        )

    def save_state(self) -> None:
        """Remember the current shapes and scores for ``restore_state``."""
        self._saved_sizes = (len(self.subtrees), len(self.subtrees.names), len(self._scores), len(self._matches))

    def restore_state(self) -> None:
        """Drop all shapes and scores added since ``save_state``, and reset the budget of cells."""
        shapes, names, scores, matches = self._saved_sizes
        self.subtrees.truncate(shapes, names)
        for column in (self._kinds, self._own, self.child_symbols):
            del column[shapes:]
        for cache, count in ((self._scores, scores), (self._matches, matches)):
            while len(cache) > count:
                cache.popitem()  # removes the entry added last
        self._budget[:] = [self.max_cells, 0]

    def spend(self, cells: int) -> bool:
        """Take the cells from the budget; return False, and take none, if fewer are left."""
        if cells > self._budget[0]:
            self._budget[1] += cells
            return False
        self._budget[0] -= cells
        return True

    def simple_score(self, a: int, b: int) -> int:
        """Return the number of matching nodes of two shapes, 0 if their tags differ (Yang 1991)."""
        check_budget()
        index = self.subtrees
        return matching.simple_match(index.labels, index.children, index.sizes, self._scores, a, b, self._budget)

    def generalised_score(self, a: int, b: int) -> MatchScore:
        """Return (score, nodes of a, nodes of b) where each list counts once (Jindal and Liu 2010)."""
        check_budget()
        self.prepare()
        if a == b:
            return self._own[a], self._own[a], self._own[a]
        if self.subtrees.labels[a] != self.subtrees.labels[b]:
            return 0.0, self._own[a], self._own[b]
        return self._generalised_match(a, b)

    def generalised_similarity(self, a: int, b: int) -> float:
        """Return the normalised generalised score, 0..1; also 1 for lists that differ in length only."""
        score, nodes_a, nodes_b = self.generalised_score(a, b)
        return min(1.0, score / max(nodes_a, nodes_b))

    def _generalised_match(self, a: int, b: int) -> MatchScore:
        return matching.generalised_match(*self._trees, a, b, *self._bounds)

    def prepare(self) -> None:
        """Match the children of every new shape with each other, as with a clone, to fill ``child_symbols``.

        The clone contains an equal child, so the best similarity is 1 and ``tau2`` bounds the similarity itself.
        """
        children = self.subtrees.children
        for shape in range(len(self._own), len(self.subtrees)):
            kinds = tuple(sorted(set(children[shape])))
            self._kinds.append(kinds)
            self.child_symbols.append(self._groups(kinds, max(self.thresholds.tau1, self.thresholds.tau2)))
            self._own.append(matching.own_nodes(children[shape], self.child_symbols[shape], self._own))

    def groups(self, kinds: tuple[int, ...], min_similarity: float) -> dict[int, int]:
        """Return a group for each of different shapes; those of at least ``min_similarity`` and equal tags share one.

        If there are too many to compare, each is a group of its own.
        """
        check_budget()
        self.prepare()
        return self._groups(kinds, min_similarity)

    def _groups(self, kinds: tuple[int, ...], min_similarity: float) -> dict[int, int]:
        labels = self.subtrees.labels
        if not self.spend(len(kinds) * (len(kinds) - 1) // 2):
            return {kind: kind for kind in kinds}
        for i, c in enumerate(kinds):
            for d in kinds[:i]:
                if labels[c] == labels[d]:
                    self._generalised_match(c, d)
        return matching.group_children(labels, self._own, self._matches, kinds, min_similarity)

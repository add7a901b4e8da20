"""How alike two subtrees are: scores of simple and generalised tree matching, kept so that no pair is matched twice."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.kernels import matching
from peneira.kernels.matching import Match
from peneira.limits import Cut
from peneira.trees.shapes import SubtreeIndex

# Cells of score matrices, a second or two; the largest page of the TPS thesis takes 95,000
MAX_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When two children have one symbol: a normalised score above ``tau1`` and at least ``tau2`` of either's best."""

    tau1: float = 0.5
    tau2: float = 0.7


PUBLISHED = Thresholds()


class Matcher:
    """Scores over the shapes of a forest, which may grow. Beyond ``max_cells`` the scores are only lower bounds."""

    def __init__(self, forest: SubtreeIndex, *, thresholds: Thresholds = PUBLISHED, max_cells: int = MAX_CELLS) -> None:
        self.forest = forest
        self.thresholds = thresholds
        self.max_cells = max_cells
        self.groups: list[dict[int, int]] = []
        self._left = [max_cells, 0]  # cells that may still be filled, pairs that found none left
        self._scores: dict[int, int] = {}
        self._matches: dict[int, Match] = {}
        self._kinds: list[tuple[int, ...]] = []
        self._own: list[float] = []
        self._kept = (0, len(forest.names), 0, 0)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """What was left out: nothing, or the pairs of subtrees that were not matched to the end."""
        unmatched = self._left[1]
        if not unmatched:
            return ()
        return (
            Cut("tree matching", self.max_cells, f"{unmatched} pairs of subtrees were compared by their roots only"),
        )

    def keep(self) -> None:
        """Remember what is known now: ``restore`` comes back to it."""
        self._kept = (len(self.forest), len(self.forest.names), len(self._scores), len(self._matches))

    def restore(self) -> None:
        """Forget all that came after ``keep``, shapes of the forest too, and allow all cells again."""
        shapes, names, scores, matches = self._kept
        self.forest.cut_back(shapes, names)
        for column in (self._kinds, self._own, self.groups):
            del column[shapes:]
        for known, count in ((self._scores, scores), (self._matches, matches)):
            while len(known) > count:
                known.popitem()  # a dict gives back last what was put in first
        self._left[:] = [self.max_cells, 0]

    def spend(self, cells: int) -> bool:
        """Tell whether so many cells are left, and take them."""
        if cells > self._left[0]:
            self._left[1] += cells
            return False
        self._left[0] -= cells
        return True

    def simple(self, a: int, b: int) -> int:
        """Return how many nodes of two shapes match, 0 if their tags differ (Yang 1991)."""
        forest = self.forest
        return matching.simple_match(forest.labels, forest.children, forest.sizes, self._scores, a, b, self._left)

    def similarity(self, a: int, b: int) -> float:
        """Return the share of the larger tree that matches, 0..1; 1 exactly for equal shapes."""
        return self.simple(a, b) / max(self.forest.sizes[a], self.forest.sizes[b])

    def generalised(self, a: int, b: int) -> Match:
        """Return (score, nodes of a, nodes of b) where lists count once (Jindal and Liu 2010)."""
        self.prepare()
        if a == b:
            return self._own[a], self._own[a], self._own[a]
        if self.forest.labels[a] != self.forest.labels[b]:
            return 0.0, self._own[a], self._own[b]
        return self._generalised(a, b)

    def likeness(self, a: int, b: int) -> float:
        """Return the normalised score of generalised matching, 0..1: also 1 for lists that differ in length only."""
        score, ones, others = self.generalised(a, b)
        return min(1.0, score / max(ones, others))

    def _generalised(self, a: int, b: int) -> Match:
        forest, bounds = self.forest, self.thresholds
        return matching.generalised_match(
            forest.labels,
            forest.children,
            self._kinds,
            self._own,
            self.groups,
            self._matches,
            a,
            b,
            bounds.tau1,
            bounds.tau2,
            self._left,
        )

    def prepare(self) -> None:
        """Match the children of every new shape with each other, as a tree with its clone, and fill in ``groups``."""
        labels, children = self.forest.labels, self.forest.children
        for shape in range(len(self._own), len(self.forest)):
            kinds = tuple(sorted(set(children[shape])))
            self._kinds.append(kinds)
            self.groups.append(self._grouped(kinds, labels))
            self._own.append(matching.own_nodes(children[shape], self.groups[shape], self._own))

    def _grouped(self, kinds: tuple[int, ...], labels: list[int]) -> dict[int, int]:
        if not self.spend(len(kinds) * (len(kinds) - 1) // 2):
            return {kind: kind for kind in kinds}
        for i, c in enumerate(kinds):
            for d in kinds[:i]:
                if labels[c] == labels[d]:
                    self._generalised(c, d)
        # in its clone a child finds itself, so the best score is 1 and tau2 is a bound on the score itself
        least = max(self.thresholds.tau1, self.thresholds.tau2)
        return matching.group_children(labels, self._own, self._matches, kinds, least)

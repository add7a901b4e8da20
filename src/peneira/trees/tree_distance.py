"""Edit distances between the trees of a forest: the least cost of turning one into the other.

A node may be renamed, removed (its children move up) or added. Equal pairs of trees are compared once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peneira.kernels import editing
from peneira.limits import Cut
from peneira.trees.shapes import SubtreeIndex

MAX_CELLS = 50_000_000


@dataclass(frozen=True, slots=True)
class Costs:
    """What one change costs. Renaming for 3 is as good as never: removing and adding is cheaper."""

    rename: int = 3
    remove: int = 1


# The weights of the rendering-area method (Figueiredo et al., section III-C)
PUBLISHED = Costs()


@dataclass(frozen=True, slots=True)
class _Tree:
    """A tree in post-order, along its leftmost or rightmost paths."""

    order: list[int]
    firsts: list[int]
    roots: list[int]
    work: int


class Distances:
    """The edit distances of the trees of a forest, each found once.

    O(|a| |b| min(depth, leaves of a) min(depth, leaves of b)) time. Beyond ``max_cells`` in all, a distance is only
    known to be at least the difference in size; ``cuts`` says so then.
    """

    def __init__(self, forest: SubtreeIndex, costs: Costs = PUBLISHED, *, max_cells: int = MAX_CELLS) -> None:
        self.forest = forest
        self.costs = costs
        self._left = max_cells
        self._most = max_cells
        self._guessed = 0
        # mirrored trees share distances with the trees, but not the paths: two memories
        self._known: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._found: dict[tuple[int, int], int] = {}
        self._trees: dict[tuple[int, bool], _Tree] = {}

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limit that was hit, if it was."""
        told = f"{self._guessed} pairs of trees were compared by their size alone"
        return (Cut("edit distance", self._most, told),) if self._guessed else ()

    def between(self, a: int, b: int) -> int:
        """Return the distance of two shapes."""
        if a == b:
            return 0
        pair = (a, b) if a < b else (b, a)
        if pair not in self._found:
            self._found[pair] = self._between(*pair)
        return self._found[pair]

    def _between(self, a: int, b: int) -> int:
        sizes = self.forest.sizes
        work, mirrored = min(
            (self._tree(a, mirrored).work * self._tree(b, mirrored).work, mirrored) for mirrored in (False, True)
        )
        if max(work, sizes[a] * sizes[b]) > self._left:
            self._guessed += 1
            return abs(sizes[a] - sizes[b]) * self.costs.remove
        self._left -= work
        one, other = self._tree(a, mirrored), self._tree(b, mirrored)
        return editing.fill_distances(
            self.forest.labels, one.order, other.order, one.firsts, other.firsts, one.roots, other.roots,
            self._known[mirrored], self.costs.rename, self.costs.remove,
        )  # fmt: skip

    def _tree(self, shape: int, mirrored: bool) -> _Tree:
        known = self._trees.get((shape, mirrored))
        if known is None:
            order, firsts = editing.post_order(self.forest.children, shape, mirrored)
            roots = editing.key_roots(firsts)
            known = self._trees[shape, mirrored] = _Tree(order, firsts, roots, editing.path_work(firsts, roots))
        return known


def average(ones: dict[int, int], others: dict[int, int], distance: Callable[[int, int], int]) -> float:
    """Return the mean distance over all pairs of two collections of shapes, given as shape -> how many."""
    total = sum(many * more * distance(a, b) for a, many in ones.items() for b, more in others.items())
    return total / (sum(ones.values()) * sum(others.values()))

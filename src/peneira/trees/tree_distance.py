"""Edit distances between trees: the minimum cost of turning one tree into the other.

A node may be renamed, removed (its children move up) or added. Equal pairs of trees are compared once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peneira.budget import check_budget
from peneira.kernels import editing
from peneira.limits import Cut
from peneira.trees.shapes import SubtreeIndex

# Cells of distance matrices over all pairs of a page: about 4 s with the compiled kernel
MAX_CELLS = 50_000_000


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each operation. At 3 a rename is never used, since removing and adding the node is cheaper."""

    rename: int = 3
    remove: int = 1


# The weights of the rendering-area method (Figueiredo et al., section III-C)
PUBLISHED_COSTS = Costs()


@dataclass(frozen=True, slots=True)
class _PostOrderTree:
    """A tree in post-order, decomposed along its leftmost or rightmost paths."""

    order: list[int]
    first_leaves: list[int]
    key_roots: list[int]
    work: int


class EditDistances:
    """The cached edit distances between the shapes of an index.

    O(|a| |b| min(depth, leaves of a) min(depth, leaves of b)) time. Once ``max_cells`` are used up, a distance is
    replaced by a lower bound, the difference in size; ``cuts`` reports it.
    """

    def __init__(self, subtrees: SubtreeIndex, costs: Costs = PUBLISHED_COSTS, *, max_cells: int = MAX_CELLS) -> None:
        self.subtrees = subtrees
        self.costs = costs
        self._cells_left = max_cells
        self._max_cells = max_cells
        self._estimated_pairs = 0
        # plain and mirrored trees have equal distances but different paths, so each has its own cache
        self._subtree_distances: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._distances: dict[tuple[int, int], int] = {}
        self._trees: dict[tuple[int, bool], _PostOrderTree] = {}

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limit that was hit, if any."""
        message = f"{self._estimated_pairs} pairs of trees were compared by their size alone"
        return (Cut("edit distance", self._max_cells, message),) if self._estimated_pairs else ()

    def between(self, a: int, b: int) -> int:
        """Return the distance of two shapes."""
        if a == b:
            return 0
        pair = (a, b) if a < b else (b, a)
        if pair not in self._distances:
            self._distances[pair] = self._between(*pair)
        return self._distances[pair]

    def _between(self, a: int, b: int) -> int:
        check_budget()
        sizes = self.subtrees.sizes
        work, mirrored = min(
            (self._tree(a, mirrored).work * self._tree(b, mirrored).work, mirrored) for mirrored in (False, True)
        )
        if max(work, sizes[a] * sizes[b]) > self._cells_left:
            self._estimated_pairs += 1
            return abs(sizes[a] - sizes[b]) * self.costs.remove
        self._cells_left -= work
        tree_a, tree_b = self._tree(a, mirrored), self._tree(b, mirrored)
        return editing.fill_distances(
            self.subtrees.labels,
            tree_a.order, tree_b.order, tree_a.first_leaves, tree_b.first_leaves, tree_a.key_roots, tree_b.key_roots,
            self._subtree_distances[mirrored], self.costs.rename, self.costs.remove,
        )  # fmt: skip

    def _tree(self, shape: int, mirrored: bool) -> _PostOrderTree:
        tree = self._trees.get((shape, mirrored))
        if tree is None:
            order, first_leaves = editing.post_order(self.subtrees.children, shape, mirrored)
            roots = editing.key_roots(first_leaves)
            tree = _PostOrderTree(order, first_leaves, roots, editing.path_work(first_leaves, roots))
            self._trees[shape, mirrored] = tree
        return tree


def mean_distance(counts_a: dict[int, int], counts_b: dict[int, int], distance: Callable[[int, int], int]) -> float:
    """Return the mean distance over all pairs of two collections of shapes, each given as shape -> count."""
    total = sum(
        count_a * count_b * distance(a, b) for a, count_a in counts_a.items() for b, count_b in counts_b.items()
    )
    return total / (sum(counts_a.values()) * sum(counts_b.values()))

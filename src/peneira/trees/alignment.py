"""Partial tree alignment (Zhai and Liu 2005): several trees merged into one seed tree.

The largest tree is the seed. Each other tree is matched with it, and its unmatched children are inserted into the seed
where their position is certain, that is, between neighbours whose matches are neighbours too. A tree that could not be
inserted completely is tried again after the seed has grown. Children without a certain position are left out, which is
why the alignment is called partial.

``align`` builds the whole seed tree; ``aligned_children`` builds one level of it, which is enough to learn templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from peneira.budget import spend
from peneira.trees.tree_matching import TreeMatcher

Pairs = list[tuple[int, int]]


@dataclass(eq=False, slots=True)
class SeedNode:
    """A node of the seed tree. ``matches`` maps the number of a tree to its matched node: (child index, shape)."""

    name: str
    children: list[SeedNode] = field(default_factory=list)
    matches: dict[int, tuple[int, int]] = field(default_factory=dict)

    def walk(self) -> Iterator[SeedNode]:
        """Yield the node and its descendants in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def align(matcher: TreeMatcher, trees: Sequence[int]) -> SeedNode:
    """Return a seed tree that records the matches of every given shape; all shapes must have the same tag."""
    sizes = matcher.subtrees.sizes
    order = sorted(range(len(trees)), key=lambda k: (-sizes[trees[k]], k))
    seed = _as_seed(matcher, trees[order[0]])
    incomplete = order[1:]
    size = 0
    while incomplete and size < (size := sum(1 for _ in seed.walk())):
        incomplete = [k for k in incomplete if not _grow(matcher, seed, trees[k])]
    for k, tree in enumerate(trees):
        _record_matches(matcher, seed, tree, k)
    return seed


def aligned_children(matcher: TreeMatcher, trees: Sequence[int]) -> list[set[int]]:
    """Return the aligned children of several trees: one set of shapes per position of a seed with one level."""
    children = matcher.subtrees.children
    first, *incomplete = sorted(trees, key=lambda tree: (-len(children[tree]), tree))
    seed = list(children[first])
    size = 0
    while incomplete and size < (size := len(seed)):
        incomplete = [tree for tree in incomplete if not _grow_level(matcher, seed, children[tree])]
    positions = [{shape} for shape in seed]
    for tree in trees:
        for i, j in _level_pairs(matcher, seed, children[tree]):
            positions[i].add(children[tree][j])
    return positions


def _grow_level(matcher: TreeMatcher, seed: list[int], children: tuple[int, ...]) -> bool:
    """Insert the unmatched children that have a certain position; return whether all of them had one."""
    partner = {j: i for i, j in _level_pairs(matcher, seed, children)}
    runs = list(_unmatched_runs(len(children), partner))
    gaps = [_certain_gap(run, partner, len(children), len(seed)) for run in runs]
    for run, gap in reversed(list(zip(runs, gaps, strict=True))):
        if gap is not None:
            seed[gap:gap] = [children[j] for j in run]
    return None not in gaps


def _level_pairs(matcher: TreeMatcher, seed: Sequence[int], children: tuple[int, ...]) -> Pairs:
    return best_pairs(matcher, tuple(seed), children) if matcher.spend(len(seed) * len(children)) else []


def _as_seed(matcher: TreeMatcher, shape: int) -> SeedNode:
    subtrees = matcher.subtrees
    root = SeedNode(subtrees.name(shape))
    stack = [(root, shape)]
    while stack:
        node, tree = stack.pop()
        node.children = [SeedNode(subtrees.name(child)) for child in subtrees.children[tree]]
        stack.extend(zip(node.children, subtrees.children[tree], strict=True))
    return root


def _grow(matcher: TreeMatcher, seed: SeedNode, tree: int) -> bool:
    """Insert the unmatched nodes of the tree that have a certain position; return whether all of them had one."""
    is_complete = True
    for node, shape, pairs in list(_matched(matcher, seed, tree)):
        children = matcher.subtrees.children[shape]
        partner = {j: i for i, j in pairs}
        new: dict[int, list[SeedNode]] = {}
        for run in _unmatched_runs(len(children), partner):
            gap = _certain_gap(run, partner, len(children), len(node.children))
            if gap is None:
                is_complete = False
            else:
                new[gap] = [_as_seed(matcher, children[j]) for j in run]
        for gap in sorted(new, reverse=True):
            node.children[gap:gap] = new[gap]
    return is_complete


def _unmatched_runs(count: int, partner: dict[int, int]) -> Iterator[list[int]]:
    run: list[int] = []
    for j in range(count):
        if j not in partner:
            run.append(j)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _certain_gap(run: Sequence[int], partner: dict[int, int], count: int, seed_count: int) -> int | None:
    """Return the index in the seed before which a run belongs; None unless its neighbours' partners are adjacent."""
    before = partner[run[0] - 1] if run[0] > 0 else -1
    after = partner[run[-1] + 1] if run[-1] + 1 < count else seed_count
    return after if after == before + 1 else None


def _record_matches(matcher: TreeMatcher, seed: SeedNode, tree: int, number: int) -> None:
    seed.matches[number] = (0, tree)
    for node, shape, pairs in _matched(matcher, seed, tree):
        for i, j in pairs:
            node.children[i].matches[number] = (j, matcher.subtrees.children[shape][j])


def _matched(matcher: TreeMatcher, seed: SeedNode, tree: int) -> Iterator[tuple[SeedNode, int, Pairs]]:
    """Yield each matched node of the seed with its shape in the tree, and the pairs of their children."""
    shape_of = _shapes(matcher, seed)
    stack = [(seed, tree)]
    while stack:
        node, shape = stack.pop()
        seed_shapes = tuple(shape_of[id(child)] for child in node.children)
        children = matcher.subtrees.children[shape]
        pairs = best_pairs(matcher, seed_shapes, children)
        matched_children = [(node.children[i], children[j]) for i, j in pairs]
        yield node, shape, pairs
        stack.extend(matched_children)


def _shapes(matcher: TreeMatcher, seed: SeedNode) -> dict[int, int]:
    shape_of: dict[int, int] = {}
    for node in reversed(list(seed.walk())):
        children = tuple(shape_of[id(child)] for child in node.children)
        shape_of[id(node)] = matcher.subtrees.shape(node.name, children)
    return shape_of


def best_pairs(matcher: TreeMatcher, shapes_a: tuple[int, ...], shapes_b: tuple[int, ...]) -> Pairs:
    """Return the index pairs (i, j), both increasing, with the largest sum of scores; earlier pairs win ties."""
    return increasing_pairs([[matcher.simple_score(a, b) for b in shapes_b] for a in shapes_a])


def increasing_pairs(scores: Sequence[Sequence[float]]) -> Pairs:
    """Return the index pairs (i, j), both increasing, with the largest sum of scores; earlier pairs win ties.

    A score of 0 pairs nothing. O(rows * columns) time.
    """
    rows, columns = len(scores), len(scores[0]) if scores else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        spend("pairs", columns)
        for j in range(columns - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], scores[i][j] + best[i + 1][j + 1])
    pairs: Pairs = []
    i = j = 0
    while i < rows and j < columns:
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs

"""Partial tree alignment (Zhai and Liu 2005): several trees in one, a seed tree grown by what the others have more.

The largest tree is the seed. Each other tree is matched with it; children that find no partner are inserted where their
place is certain, that is between neighbours that are matched to neighbours. A tree that could not be inserted whole is
tried again when the seed has grown. What has no certain place stays out: the alignment is partial.

``align`` gives the whole seed tree; ``aligned_children`` one level of it, which is what templates are learned from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from peneira.trees.scores import Matcher

Pairs = list[tuple[int, int]]


@dataclass(eq=False, slots=True)
class SeedNode:
    """A node of the seed tree. ``places`` says by tree which of its shapes stands here, and as which child."""

    name: str
    children: list[SeedNode] = field(default_factory=list)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def walk(self) -> Iterator[SeedNode]:
        """Yield the node and all below it, parents first, in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def align(matcher: Matcher, trees: Sequence[int]) -> SeedNode:
    """Return a seed tree in which every given shape has its places; all shapes must have the same tag."""
    sizes = matcher.forest.sizes
    order = sorted(range(len(trees)), key=lambda k: (-sizes[trees[k]], k))
    seed = _as_seed(matcher, trees[order[0]])
    waiting = order[1:]
    size = 0
    while waiting and size < (size := sum(1 for _ in seed.walk())):
        waiting = [k for k in waiting if not _grow(matcher, seed, trees[k])]
    for k, tree in enumerate(trees):
        _place(matcher, seed, tree, k)
    return seed


def aligned_children(matcher: Matcher, trees: Sequence[int]) -> list[set[int]]:
    """Return the children of several trees by place: a seed grown on one level only. Each place has their shapes."""
    children = matcher.forest.children
    first, *waiting = sorted(trees, key=lambda tree: (-len(children[tree]), tree))
    seed = list(children[first])
    size = 0
    while waiting and size < (size := len(seed)):
        waiting = [tree for tree in waiting if not _grow_level(matcher, seed, children[tree])]
    places = [{shape} for shape in seed]
    for tree in trees:
        for i, j in _level_pairs(matcher, seed, children[tree]):
            places[i].add(children[tree][j])
    return places


def _grow_level(matcher: Matcher, seed: list[int], children: tuple[int, ...]) -> bool:
    """Insert the children that the seed lacks and has a certain place for; tell whether that was all."""
    partner = {j: i for i, j in _level_pairs(matcher, seed, children)}
    runs = list(_unmatched_runs(len(children), partner))
    gaps = [_certain_gap(run, partner, len(children), len(seed)) for run in runs]
    for run, gap in reversed(list(zip(runs, gaps, strict=True))):
        if gap is not None:
            seed[gap:gap] = [children[j] for j in run]
    return None not in gaps


def _level_pairs(matcher: Matcher, seed: Sequence[int], children: tuple[int, ...]) -> Pairs:
    return best_pairs(matcher, tuple(seed), children) if matcher.spend(len(seed) * len(children)) else []


def _as_seed(matcher: Matcher, shape: int) -> SeedNode:
    forest = matcher.forest
    root = SeedNode(forest.name(shape))
    waiting = [(root, shape)]
    while waiting:
        node, tree = waiting.pop()
        node.children = [SeedNode(forest.name(child)) for child in forest.children[tree]]
        waiting.extend(zip(node.children, forest.children[tree], strict=True))
    return root


def _grow(matcher: Matcher, seed: SeedNode, tree: int) -> bool:
    """Insert into the seed what it lacks of the tree and has a certain place for; tell whether that was all."""
    is_whole = True
    for node, shape, pairs in list(_matched(matcher, seed, tree)):
        children = matcher.forest.children[shape]
        partner = {j: i for i, j in pairs}
        new: dict[int, list[SeedNode]] = {}
        for run in _unmatched_runs(len(children), partner):
            gap = _certain_gap(run, partner, len(children), len(node.children))
            if gap is None:
                is_whole = False
            else:
                new[gap] = [_as_seed(matcher, children[j]) for j in run]
        for gap in sorted(new, reverse=True):
            node.children[gap:gap] = new[gap]
    return is_whole


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
    """Return before which child of the seed a run belongs, if its neighbours' partners are neighbours as well."""
    before = partner[run[0] - 1] if run[0] > 0 else -1
    after = partner[run[-1] + 1] if run[-1] + 1 < count else seed_count
    return after if after == before + 1 else None


def _place(matcher: Matcher, seed: SeedNode, tree: int, number: int) -> None:
    seed.places[number] = (0, tree)
    for node, shape, pairs in _matched(matcher, seed, tree):
        for i, j in pairs:
            node.children[i].places[number] = (j, matcher.forest.children[shape][j])


def _matched(matcher: Matcher, seed: SeedNode, tree: int) -> Iterator[tuple[SeedNode, int, Pairs]]:
    """Yield each node of the seed that is matched to a shape of the tree, and the pairs among their children."""
    shape_of = _shapes(matcher, seed)
    waiting = [(seed, tree)]
    while waiting:
        node, shape = waiting.pop()
        kinds = tuple(shape_of[id(child)] for child in node.children)
        children = matcher.forest.children[shape]
        pairs = best_pairs(matcher, kinds, children)
        below = [(node.children[i], children[j]) for i, j in pairs]
        yield node, shape, pairs
        waiting.extend(below)


def _shapes(matcher: Matcher, seed: SeedNode) -> dict[int, int]:
    shape_of: dict[int, int] = {}
    for node in reversed(list(seed.walk())):
        below = tuple(shape_of[id(child)] for child in node.children)
        shape_of[id(node)] = matcher.forest.shape(node.name, below)
    return shape_of


def best_pairs(matcher: Matcher, ones: tuple[int, ...], others: tuple[int, ...]) -> Pairs:
    """Return the pairs of places (i, j), both rising, whose shapes match best in sum; earlier pairs win ties."""
    scores = [[matcher.simple(c, d) for d in others] for c in ones]
    best = [[0] * (len(others) + 1) for _ in range(len(ones) + 1)]
    for i in range(len(ones) - 1, -1, -1):
        for j in range(len(others) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], scores[i][j] + best[i + 1][j + 1])
    pairs: Pairs = []
    i = j = 0
    while i < len(ones) and j < len(others):
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs

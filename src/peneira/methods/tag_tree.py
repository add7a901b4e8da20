"""The tag tree of a page, as MDR and DEPTA see it, and how similar two lists of its nodes are.

MDR (Liu, Grossman and Zhai 2003) compares tag strings by their edit distance; its successor in DEPTA (Zhai and Liu
2005) compares trees by simple tree matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Protocol

from peneira.arrays import running_sum
from peneira.limits import Cut
from peneira.ml.running_sums import is_tag
from peneira.page import Flags, Page
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.string_distance import Pattern
from peneira.trees.tree_matching import TreeMatcher

MAX_DISTANCE = 0.3  # T of MDR, as a share of the longer string; trees must match in the other 0.7

Comparison = Literal["strings", "trees"]


class _Comparator(Protocol):
    """Compares two lists of shapes; equal lists are never compared. ``cuts``: the limits that were hit."""

    @property
    def cuts(self) -> tuple[Cut, ...]: ...

    def is_similar(self, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
        """Return whether the lists are similar enough."""

    def similarity(self, left: tuple[int, ...], right: tuple[int, ...]) -> float:
        """Return how similar they are, 0..1."""


class TagTree:
    """The elements of a page's body as a tree of tags, with the tag string of every node and list of nodes.

    ``keep``: the rows that are left of a pruned page; with a row, its ancestors must be kept. ``comparison``: what is
    compared of two nodes.
    """

    def __init__(self, page: Page, keep: Flags | None = None, comparison: Comparison = "strings") -> None:
        self.page = page
        inside = (page.tag != 0) & ~page.silent & (True if keep is None else keep)
        self.rows: list[int] = [i for i in inside.nonzero()[0].tolist() if i >= page.body]
        self.children: dict[int, list[int]] = {i: [] for i in self.rows}
        # text is a level of its own: `ul > li > text` is as high as the paper wants a node to be
        self.height = {i: 2 if self._has_text(i, keep) else 1 for i in self.rows}
        parents = page.parent.tolist()
        for i in self.rows:
            if i != page.body:
                self.children[parents[i]].append(i)
        for i in reversed(self.rows):
            if i != page.body:
                self.height[parents[i]] = max(self.height[parents[i]], self.height[i] + 1)
        self._tags: list[int] = page.tag[self.rows].tolist()
        self._below: list[tuple[int, tuple[int, ...]]] = []  # by shape: its tag and the shapes below it
        self._shape_of, self._spans = self._number_shapes()
        self._links = running_sum(is_tag(page, {"a", "img"}))
        strings = _Strings(self._tags, self._spans)
        self.comparator: _Comparator = strings if comparison == "strings" else _Trees(self._tags, self._below)
        self._verdicts: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}

    def _has_text(self, i: int, keep: Flags | None) -> bool:
        return any(self.page.is_text(child) and (keep is None or keep[child]) for child in self.page.children(i))

    def _number_shapes(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Return the id of each row's tag tree, equal for equal trees, and the range of each id's string in ``_tags``.

        The strings themselves would take rows x depth: 1 GB for 48,000 rows 3,000 deep.
        """
        ids: dict[tuple[int, tuple[int, ...]], int] = {}
        spans: list[tuple[int, int]] = []
        shape_of: dict[int, int] = {}
        for start in range(len(self.rows) - 1, -1, -1):
            i = self.rows[start]
            below = tuple(shape_of[child] for child in self.children[i])
            key = (self._tags[start], below)
            if key not in ids:
                ids[key] = len(ids)
                self._below.append(key)
                size = 1 + sum(spans[shape][1] - spans[shape][0] for shape in below)
                spans.append((start, start + size))
            shape_of[i] = ids[key]
        return shape_of, spans

    def are_similar(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """Return whether two lists of nodes are similar; equal pairs of lists are compared once."""
        a, b = self._shapes_of(left), self._shapes_of(right)
        if a == b:
            return True
        long, short = max(self._length(a), self._length(b)), min(self._length(a), self._length(b))
        if long - short > MAX_DISTANCE * long:  # too different in length, whatever the tags
            return False
        pair = (a, b) if a < b else (b, a)
        verdict = self._verdicts.get(pair)
        if verdict is None:
            verdict = self._verdicts[pair] = self.comparator.is_similar(*pair)
        return verdict

    def are_all_similar(self, nodes: Sequence[int]) -> bool:
        """Return whether each node is similar to the next."""
        return all(self.are_similar((a,), (b,)) for a, b in pairwise(nodes))

    def similarity(self, left: Sequence[int], right: Sequence[int]) -> float:
        """Return how similar two lists of nodes are, 0..1."""
        a, b = self._shapes_of(left), self._shapes_of(right)
        return 1.0 if a == b else self.comparator.similarity(min(a, b), max(a, b))

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that were hit while nodes were compared."""
        return self.comparator.cuts

    def size(self, nodes: Sequence[int]) -> int:
        """Return the number of elements in the subtrees of some nodes."""
        return self._length(self._shapes_of(nodes))

    def has_link(self, nodes: Sequence[int]) -> bool:
        """Return whether the subtrees of some nodes have a link or an image."""
        links = self._links
        return any(links[int(self.page.end[i])] > links[i] for i in nodes)

    def _shapes_of(self, nodes: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._shape_of[i] for i in nodes)

    def _length(self, shapes: tuple[int, ...]) -> int:
        return sum(self._spans[shape][1] - self._spans[shape][0] for shape in shapes)


class _Strings:
    """Lists of shapes as tag strings, compared by edit distance."""

    cuts: tuple[Cut, ...] = ()

    def __init__(self, tags: Sequence[int], spans: Sequence[tuple[int, int]]) -> None:
        self._tags, self._spans = tags, spans
        self._patterns: dict[tuple[int, ...], Pattern] = {}

    def is_similar(self, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
        return self._pattern(left).is_within(self._pattern(right), MAX_DISTANCE)

    def similarity(self, left: tuple[int, ...], right: tuple[int, ...]) -> float:
        a, b = self._pattern(left), self._pattern(right)
        return 1 - a.distance(b) / max(len(a), len(b), 1)

    def _pattern(self, shapes: tuple[int, ...]) -> Pattern:
        if shapes not in self._patterns:
            spans = [self._spans[shape] for shape in shapes]
            self._patterns[shapes] = Pattern([tag for start, end in spans for tag in self._tags[start:end]])
        return self._patterns[shapes]


class _Trees:
    """Lists of shapes as the children of one root, compared by simple tree matching (Yang 1991).

    The score is divided by the mean of both sizes, as in DEPTA.
    """

    def __init__(self, tags: Sequence[int], below: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        self.subtrees = SubtreeIndex()
        self.matcher = TreeMatcher(self.subtrees)
        self._shapes: list[int] = []
        for tag, children in below:
            self._shapes.append(self.subtrees.shape(str(tag), tuple(self._shapes[child] for child in children)))

    @property
    def cuts(self) -> tuple[Cut, ...]:
        return self.matcher.cuts

    def is_similar(self, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
        return self.similarity(left, right) >= 1 - MAX_DISTANCE

    def similarity(self, left: tuple[int, ...], right: tuple[int, ...]) -> float:
        a, b = self._root(left), self._root(right)
        sizes = self.subtrees.sizes[a] + self.subtrees.sizes[b] - 2
        return 2 * (self.matcher.simple_score(a, b) - 1) / max(sizes, 1)

    def _root(self, shapes: tuple[int, ...]) -> int:
        return self.subtrees.shape("", tuple(self._shapes[shape] for shape in shapes))

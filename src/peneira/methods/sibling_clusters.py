"""Clusters of similar siblings: nodes are compared by tag, tag paths, kinds of content and classes.

Two nodes have the same signature if their subtrees have equal tags and the same kinds of content, and the nodes the
same classes. Similarity depends on nothing else, so it is computed once for each pair of signatures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.budget import check_budget
from peneira.page import Page

# Weights of the parts of the similarity of two nodes; they add up to 1
TAG_WEIGHT, PATHS_WEIGHT, KINDS_WEIGHT, CLASSES_WEIGHT = 0.2, 0.4, 0.2, 0.2
MIN_SIMILARITY = 0.7  # of two clusters that are merged, on average over their nodes

# Bounds of work: what exceeds them is compared with less, never left out
MAX_SIGNATURES = 1_000  # clustered with each other; later ones join the most similar large cluster
MAX_LEADERS = 10  # large clusters that later signatures are compared with
MAX_ROWS = 200  # rows of a subtree whose tag paths are compared

_CLOCK_EVERY_ROWS = 1024

# Up to this many pairs of sets are faster to compare one by one than with matrices
MAX_SINGLE_PAIRS = 30

# Kinds of content, as bits: data types of text, and kinds of elements
_KINDS = _TEXT, _NUMBER, _MONEY, _DATE, _LINK, _IMAGE, _CONTROL = tuple(1 << k for k in range(7))
_TAG_KINDS = {
    "a": _LINK,
    **dict.fromkeys(("img", "svg", "canvas", "video", "audio", "object", "embed", "iframe"), _IMAGE),
    **dict.fromkeys(("select", "textarea", "button", "input"), _CONTROL),
}
_DATE_TEXT = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b")
_MONEY_TEXT = re.compile(r"[$€£¥]\s*\d|\d\s*[$€£¥]|\b[A-Z]{3}\s?\d")
_NUMBER_TEXT = re.compile(r"[\W\d]+")
_MAX_TYPED_CHARS = 30  # longer texts are prose, even if they contain numbers

# Elements that a parser opens again in the next block if they were left open: one more in each record of such a list
_FORMATTING_TAGS = frozenset("a b big code em font i nobr s small strike strong tt u".split())

Similarities = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The cluster of each signature, by number, and for each cluster the mean similarity of two of its nodes, 0..1."""

    of_signature: Mapping[int, int]
    cohesion: Sequence[float]


class Signatures:
    """The signatures of a page's nodes. ``kinds[i]`` are the kinds of content in the subtree of a node, as bits."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._silent: list[bool] = page.silent.tolist()
        self._shapes: list[int] = page.shape.tolist()
        self._formatting = frozenset(code for code, name in enumerate(page.tag_names) if name in _FORMATTING_TAGS)
        self.kinds = self._kinds_below()
        self._ids: dict[tuple[int, int, str], int] = {}
        self._samples: list[int] = []  # one row of each signature
        self._path_ids: dict[tuple[int, int], int] = {}
        self._paths_of_shape: dict[int, frozenset[Hashable]] = {}
        self._clusters: dict[tuple[tuple[int, int], ...], Clusters] = {}

    def _kinds_below(self) -> list[int]:
        page = self._page
        kinds: list[int] = []
        for i, silent in enumerate(self._silent):
            if not i % _CLOCK_EVERY_ROWS:
                check_budget()
            kinds.append(0 if silent else _kind(page, i))
        parents = page.lists.parent
        for i in range(len(kinds) - 1, 0, -1):
            kinds[parents[i]] |= kinds[i]
        return kinds

    def has_content(self, i: int) -> bool:
        """Return whether the subtree of a node contains text, an image or a control; a link alone is not visible."""
        return bool(self.kinds[i] & ~_LINK)

    def signature(self, i: int) -> int:
        """Return the id of the signature of a node."""
        key = (self._shapes[i], self.kinds[i], self._page.attrs[i].get("class", ""))
        signature = self._ids.setdefault(key, len(self._ids))
        if signature == len(self._samples):
            self._samples.append(i)
        return signature

    def similarity(self, signatures: Sequence[int], others: Sequence[int]) -> Similarities:
        """Return the similarity of each signature with each of the others, 0..1."""
        rows, columns = [self._samples[k] for k in signatures], [self._samples[k] for k in others]
        total = np.zeros((len(rows), len(columns)), dtype=np.float32)
        for weight, trait in self._traits:
            total += weight * overlaps([trait(i) for i in rows], [trait(i) for i in columns])
        return total

    @property
    def _traits(self) -> tuple[tuple[float, Callable[[int], frozenset[Hashable]]], ...]:
        """What two nodes are compared by: functions that return a set, and the weight of the overlap of their sets."""
        tags = self._page.lists.tag
        return (
            (TAG_WEIGHT, lambda i: frozenset({tags[i]})),
            (PATHS_WEIGHT, self._paths),
            (KINDS_WEIGHT, lambda i: frozenset(k for k in _KINDS if self.kinds[i] & k)),
            (CLASSES_WEIGHT, lambda i: frozenset(self._page.attrs[i].get("class", "").split())),
        )

    def _paths(self, i: int) -> frozenset[Hashable]:
        """Return the tag paths of a subtree from its root down, with 1, 2, 3... if they occur 1, 2, 4... times."""
        shape = self._shapes[i]
        if shape not in self._paths_of_shape:
            counts = Counter(self._path_codes(i))
            levels = ((path, level + 1) for path, count in counts.items() for level in range(count.bit_length()))
            self._paths_of_shape[shape] = frozenset(levels)
        return self._paths_of_shape[shape]

    def _path_codes(self, i: int) -> list[int]:
        """Return the path of each row of a subtree; formatting elements directly inside their like count as one."""
        tags = self._page.lists.tag
        ends = self._page.lists.end
        parents = self._page.lists.parent
        codes = {i: self._path_ids.setdefault((-1, tags[i]), len(self._path_ids))}
        counted = [codes[i]]
        for k in range(i + 1, min(ends[i], i + MAX_ROWS)):
            if self._silent[k]:
                continue
            parent = parents[k]
            if tags[k] == tags[parent] and tags[k] in self._formatting:
                codes[k] = codes[parent]
            else:
                codes[k] = self._path_ids.setdefault((codes[parent], tags[k]), len(self._path_ids))
                counted.append(codes[k])
        return counted

    def clusters(self, signatures: Sequence[int]) -> Clusters:
        """Return the clusters of siblings with these signatures. Equal lists of siblings are clustered once."""
        counts = Counter(signatures)
        key = tuple(counts.items())
        if key not in self._clusters:
            self._clusters[key] = self._clustered(list(counts), list(counts.values()))
        return self._clusters[key]

    def _clustered(self, signatures: list[int], counts: list[int]) -> Clusters:
        if len(signatures) == 1:
            return Clusters({signatures[0]: 0}, [1.0])
        first = signatures[:MAX_SIGNATURES]
        groups, cohesion = agglomerate(self.similarity(first, first), counts[:MAX_SIGNATURES])
        clusters = {first[k]: number for number, group in enumerate(groups) for k in group}
        cohesion += [1.0] * (len(signatures) - len(first))
        return Clusters(self._with_later(clusters, groups, signatures), cohesion)

    def _with_later(self, clusters: dict[int, int], groups: list[list[int]], signatures: list[int]) -> dict[int, int]:
        """Return the clusters with the later signatures, each of which joins a large cluster or is a cluster itself."""
        leaders = [signatures[group[0]] for group in sorted(groups, key=len, reverse=True)[:MAX_LEADERS]]
        next_number = len(groups)
        for start in range(MAX_SIGNATURES, len(signatures), MAX_SIGNATURES):
            check_budget()
            later = signatures[start : start + MAX_SIGNATURES]
            similarity = self.similarity(later, leaders)
            for signature, best, value in zip(later, similarity.argmax(axis=1), similarity.max(axis=1), strict=True):
                clusters[signature] = clusters[leaders[best]] if value >= MIN_SIMILARITY else next_number
                next_number += value < MIN_SIMILARITY
        return clusters


def agglomerate(similarity: Similarities, counts: Sequence[int]) -> tuple[list[list[int]], list[float]]:
    """Return the clusters of items, each sorted, and the mean similarity of two nodes in each.

    Agglomerative clustering with group averages (Kaufman and Rousseeuw 1990, chapter 5), until no two clusters are
    similar enough. Item ``k`` stands for ``counts[k]`` equal nodes. The nearest-neighbour chain (Murtagh 1983) finds
    the same clusters as merging the best pair each time, in O(items^2).
    """
    sims = similarity.astype(np.float64)
    np.fill_diagonal(sims, -1.0)
    sizes = np.array(counts, dtype=np.float64)
    members = [[k] for k in range(len(counts))]
    waiting = list(range(len(counts) - 1, -1, -1))
    done: list[list[int]] = []
    chain: list[int] = []
    while waiting or chain:
        if not chain:
            start = waiting.pop()
            if not members[start]:
                continue
            chain.append(start)
        last = chain[-1]
        nearest = int(sims[last].argmax())
        if len(chain) > 1 and sims[last, chain[-2]] >= sims[last, nearest]:
            nearest = chain[-2]
        if sims[last, nearest] < MIN_SIMILARITY:  # and it never will be: group averages do not grow
            done.append(members[chain.pop()])
            members[last] = []
            sims[:, last] = -1.0
        elif len(chain) > 1 and nearest == chain[-2]:
            del chain[-2:]
            _merge(sims, sizes, nearest, last)
            members[nearest] += members[last]
            members[last] = []
            waiting.append(nearest)
        else:
            chain.append(nearest)
    groups = sorted(sorted(group) for group in done)
    return groups, [_cohesion(similarity, counts, group) for group in groups]


def _merge(sims: NDArray[np.float64], sizes: NDArray[np.float64], kept: int, merged_in: int) -> None:
    """Merge one cluster into another; its similarity to other clusters is the average over the nodes of both."""
    merged = (sizes[kept] * sims[kept] + sizes[merged_in] * sims[merged_in]) / (sizes[kept] + sizes[merged_in])
    merged[sims[kept] < 0] = -1.0
    sims[kept], sims[:, kept] = merged, merged
    sims[kept, kept] = -1.0
    sims[merged_in], sims[:, merged_in] = -1.0, -1.0
    sizes[kept] += sizes[merged_in]


def _cohesion(similarity: Similarities, counts: Sequence[int], group: Sequence[int]) -> float:
    """Return the mean similarity of two nodes of a group of items."""
    if len(group) == 1:
        return float(similarity[group[0], group[0]])
    weights = np.array([counts[k] for k in group], dtype=np.float64)
    total = weights.sum()
    return float(weights @ similarity[np.ix_(group, group)] @ weights / total**2)


def overlaps(rows: Sequence[frozenset[Hashable]], columns: Sequence[frozenset[Hashable]]) -> Similarities:
    """Return the Jaccard similarity of each pair of sets; 1 for two empty sets."""
    if len(rows) * len(columns) <= MAX_SINGLE_PAIRS:
        return np.array([[_overlap(a, b) for b in columns] for a in rows], dtype=np.float32)
    codes: dict[Hashable, int] = {}
    for elements in (*rows, *columns):
        for element in elements:
            codes.setdefault(element, len(codes))
    left, right = _indicators(rows, codes), _indicators(columns, codes)
    both = left @ right.T
    either = left.sum(axis=1)[:, None] + right.sum(axis=1)[None, :] - both
    return np.where(either > 0, both / np.maximum(either, 1), np.float32(1))


def _overlap(a: frozenset[Hashable], b: frozenset[Hashable]) -> float:
    both = len(a & b)
    return both / (len(a) + len(b) - both) if a or b else 1.0


def _indicators(sets: Sequence[frozenset[Hashable]], codes: Mapping[Hashable, int]) -> NDArray[np.float32]:
    """Return a matrix with a row per set and a column per element, 1 where the set has the element."""
    matrix = np.zeros((len(sets), max(len(codes), 1)), dtype=np.float32)
    for row, elements in enumerate(sets):
        matrix[row, [codes[element] for element in elements]] = 1
    return matrix


def _kind(page: Page, i: int) -> int:
    """Return the kind of content of a row itself: the data type of a text, the kind of an element; 0 for none."""
    if page.is_text(i):
        return _data_type(page.text[i].strip())
    if page.name(i) == "input" and page.attrs[i].get("type", "").lower() == "hidden":
        return 0
    return _TAG_KINDS.get(page.name(i), 0)


def _data_type(text: str) -> int:
    if not text:
        return 0
    if len(text) > _MAX_TYPED_CHARS or not any(map(str.isdigit, text)):
        return _TEXT
    if _DATE_TEXT.search(text):
        return _DATE
    if _MONEY_TEXT.search(text):
        return _MONEY
    return _NUMBER if _NUMBER_TEXT.fullmatch(text) else _TEXT

"""Clusters of similar siblings: how much nodes resemble each other in tag, tag paths, kinds of content and classes.

Two nodes are of one form if their subtrees are equal in tags, hold the same kinds of content, and the nodes have the
same classes. Similarity looks at nothing else, so it is computed once for each pair of forms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page

# How much each part weighs in the similarity of two nodes
TAG_WEIGHT, PATHS_WEIGHT, KINDS_WEIGHT, CLASSES_WEIGHT = 0.2, 0.4, 0.2, 0.2
MIN_SIMILARITY = 0.7  # of two clusters that become one, on average over their nodes

# Bounds of work: what lies beyond is compared with less, never left out
MAX_FORMS = 1_000  # forms that are clustered with each other; later ones join the most similar large cluster
MAX_LEADERS = 10  # large clusters that later forms are compared with
MAX_ROWS = 200  # rows of a subtree whose tag paths are compared

FEW_PAIRS = 30

# Kinds of content, as bits: data types of text, and sorts of elements
_KINDS = _TEXT, _NUMBER, _MONEY, _DATE, _LINK, _IMAGE, _CONTROL = tuple(1 << k for k in range(7))
_TAG_KINDS = {
    "a": _LINK,
    **dict.fromkeys(("img", "svg", "canvas", "video", "audio", "object", "embed", "iframe"), _IMAGE),
    **dict.fromkeys(("select", "textarea", "button", "input"), _CONTROL),
}
_DATE_TEXT = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b")
_MONEY_TEXT = re.compile(r"[$€£¥]\s*\d|\d\s*[$€£¥]|\b[A-Z]{3}\s?\d")
_NUMBER_TEXT = re.compile(r"[\W\d]+")
_MAX_TYPED_CHARS = 30  # longer texts are prose, whatever they mention

Similarities = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The cluster of each form, by number, and for each cluster the mean similarity of two of its nodes, 0..1."""

    of_form: Mapping[int, int]
    cohesion: Sequence[float]


class Forms:
    """The forms of a page's nodes. ``kinds[i]`` are the kinds of content in the subtree of a node, as bits."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._silent: list[bool] = page.silent.tolist()
        self._shapes: list[int] = page.shape.tolist()
        self.kinds = self._kinds_below()
        self._ids: dict[tuple[int, int, str], int] = {}
        self._samples: list[int] = []  # one row of each form
        self._path_ids: dict[tuple[int, int], int] = {}
        self._paths_of_shape: dict[int, frozenset[Hashable]] = {}
        self._clusters: dict[tuple[tuple[int, int], ...], Clusters] = {}

    def _kinds_below(self) -> list[int]:
        page = self._page
        kinds = [0 if silent else _kind(page, i) for i, silent in enumerate(self._silent)]
        parents = page.lists.parent
        for i in range(len(kinds) - 1, 0, -1):
            kinds[parents[i]] |= kinds[i]
        return kinds

    def has_content(self, i: int) -> bool:
        """Tell whether the subtree of a node holds text, an image or a control: a link alone is nothing to see."""
        return bool(self.kinds[i] & ~_LINK)

    def form(self, i: int) -> int:
        """Return the id of the form of a node."""
        key = (self._shapes[i], self.kinds[i], self._page.attrs[i].get("class", ""))
        form = self._ids.setdefault(key, len(self._ids))
        if form == len(self._samples):
            self._samples.append(i)
        return form

    def similarity(self, forms: Sequence[int], others: Sequence[int]) -> Similarities:
        """Return the similarity of each form with each of the others, 0..1."""
        rows, columns = [self._samples[form] for form in forms], [self._samples[form] for form in others]
        total = np.zeros((len(rows), len(columns)), dtype=np.float32)
        for weight, trait in self._traits:
            total += weight * overlaps([trait(i) for i in rows], [trait(i) for i in columns])
        return total

    @property
    def _traits(self) -> tuple[tuple[float, Callable[[int], frozenset[Hashable]]], ...]:
        """What similarity looks at in a node: sets of things, and how much the overlap of each weighs."""
        tags = self._page.lists.tag
        return (
            (TAG_WEIGHT, lambda i: frozenset({tags[i]})),
            (PATHS_WEIGHT, self._paths),
            (KINDS_WEIGHT, lambda i: frozenset(k for k in _KINDS if self.kinds[i] & k)),
            (CLASSES_WEIGHT, lambda i: frozenset(self._page.attrs[i].get("class", "").split())),
        )

    def _paths(self, i: int) -> frozenset[Hashable]:
        """Return the tag paths of a subtree from its root down, each with 1, 2, 3... as it occurs 1, 2, 4... times."""
        shape = self._shapes[i]
        if shape not in self._paths_of_shape:
            counts = Counter(self._path_codes(i))
            levels = ((path, level + 1) for path, count in counts.items() for level in range(count.bit_length()))
            self._paths_of_shape[shape] = frozenset(levels)
        return self._paths_of_shape[shape]

    def _path_codes(self, i: int) -> list[int]:
        tags = self._page.lists.tag
        ends = self._page.lists.end
        parents = self._page.lists.parent
        codes = {i: self._path_ids.setdefault((-1, tags[i]), len(self._path_ids))}
        for k in range(i + 1, min(ends[i], i + MAX_ROWS)):
            if not self._silent[k]:
                codes[k] = self._path_ids.setdefault((codes[parents[k]], tags[k]), len(self._path_ids))
        return list(codes.values())

    def clusters(self, forms: Sequence[int]) -> Clusters:
        """Return the clusters of siblings of these forms. Equal lists of siblings are clustered once."""
        counts = Counter(forms)
        key = tuple(counts.items())
        if key not in self._clusters:
            self._clusters[key] = self._clustered(list(counts), list(counts.values()))
        return self._clusters[key]

    def _clustered(self, forms: list[int], counts: list[int]) -> Clusters:
        if len(forms) == 1:
            return Clusters({forms[0]: 0}, [1.0])
        first = forms[:MAX_FORMS]
        groups, cohesion = agglomerate(self.similarity(first, first), counts[:MAX_FORMS])
        of_form = {first[k]: number for number, group in enumerate(groups) for k in group}
        return Clusters(self._with_later(of_form, groups, forms), cohesion + [1.0] * (len(forms) - len(first)))

    def _with_later(self, of_form: dict[int, int], groups: list[list[int]], forms: list[int]) -> dict[int, int]:
        """Return the clusters with the forms beyond ``MAX_FORMS``, which join a large cluster or make one each."""
        leaders = [forms[group[0]] for group in sorted(groups, key=len, reverse=True)[:MAX_LEADERS]]
        fresh = len(groups)
        for start in range(MAX_FORMS, len(forms), MAX_FORMS):
            later = forms[start : start + MAX_FORMS]
            similarity = self.similarity(later, leaders)
            for form, best, value in zip(later, similarity.argmax(axis=1), similarity.max(axis=1), strict=True):
                of_form[form] = of_form[leaders[best]] if value >= MIN_SIMILARITY else fresh
                fresh += value < MIN_SIMILARITY
        return of_form


def agglomerate(similarity: Similarities, counts: Sequence[int]) -> tuple[list[list[int]], list[float]]:
    """Return the clusters of items, each in order, and the mean similarity of two nodes in each.

    Agglomerative clustering by the group average (Kaufman and Rousseeuw 1990, chapter 5), stopped where no two clusters
    are similar enough. Item ``k`` stands for ``counts[k]`` equal nodes. A chain of nearest neighbours (Murtagh 1983)
    finds the same clusters as taking the best pair of all each time, in O(items^2).
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
        if sims[last, nearest] < MIN_SIMILARITY:  # nor will it ever be nearer: a group average does not grow
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


def _merge(sims: NDArray[np.float64], sizes: NDArray[np.float64], kept: int, gone: int) -> None:
    """Make one cluster of two, as near to each other cluster as their nodes are on average."""
    merged = (sizes[kept] * sims[kept] + sizes[gone] * sims[gone]) / (sizes[kept] + sizes[gone])
    merged[sims[kept] < 0] = -1.0
    sims[kept], sims[:, kept] = merged, merged
    sims[kept, kept] = -1.0
    sims[gone], sims[:, gone] = -1.0, -1.0
    sizes[kept] += sizes[gone]


def _cohesion(similarity: Similarities, counts: Sequence[int], group: Sequence[int]) -> float:
    if len(group) == 1:
        return float(similarity[group[0], group[0]])
    weights = np.array([counts[k] for k in group], dtype=np.float64)
    total = weights.sum()
    return float(weights @ similarity[np.ix_(group, group)] @ weights / total**2)


def overlaps(rows: Sequence[frozenset[Hashable]], columns: Sequence[frozenset[Hashable]]) -> Similarities:
    """Return for each pair of sets the share of their elements that both have; 1 for two empty sets."""
    if len(rows) * len(columns) <= FEW_PAIRS:  # too few for matrices to be faster
        return np.array([[_overlap(one, other) for other in columns] for one in rows], dtype=np.float32)
    places: dict[Hashable, int] = {}
    for those in (*rows, *columns):
        for element in those:
            places.setdefault(element, len(places))
    one, other = _marks(rows, places), _marks(columns, places)
    both = one @ other.T
    either = one.sum(axis=1)[:, None] + other.sum(axis=1)[None, :] - both
    return np.where(either > 0, both / np.maximum(either, 1), np.float32(1))


def _overlap(one: frozenset[Hashable], other: frozenset[Hashable]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both) if one or other else 1.0


def _marks(sets: Sequence[frozenset[Hashable]], places: Mapping[Hashable, int]) -> Similarities:
    marks = np.zeros((len(sets), max(len(places), 1)), dtype=np.float32)
    for row, those in enumerate(sets):
        marks[row, [places[element] for element in those]] = 1
    return marks


def _kind(page: Page, i: int) -> int:
    """Return the kind of content of a row itself: the data type of a text, the sort of an element; 0 for none."""
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

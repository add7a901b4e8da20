"""C-records: the candidate records among the children of one node, as AutoRM finds them (``autorm.py``).

Clusters of similar siblings whose ranges intersect make a CG-region, a coarse-grained data region. It is cut into
C-records, each one or more siblings. The problems, properties and forms named below are those of the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.layout import Layout
from peneira.methods.sibling_clusters import Signatures
from peneira.page import INLINE_TAGS, Flags, Page
from peneira.trees.string_distance import Pattern

MIN_RECORDS = 2
RUNNING_NUMBER = "1."
SEPARATOR = -1  # the label of a node without content; the other labels are numbers of clusters

Span = tuple[int, int]  # a range of siblings by position, the end excluded


@dataclass(frozen=True, slots=True)
class CutOptions:
    """How a CG-region is cut into C-records, and the bounds of the work."""

    # Mean similarity of neighbouring C-records
    min_similarity: float = 0.6
    # The share of their quality that C-records lose if all nodes inside each are similar (Property 4)
    inner_penalty: float = 0.7
    # Characters of text that cover as much of the page as an image
    image_chars: int = 20
    # Hidden text covers nothing, but a list that is hidden as a whole is cut like any other
    hidden_weight: float = 0.001
    # Start nodes that are tried in one CG-region, times its nodes
    max_steps: int = 100_000
    # Kinds of separators that are tried in one CG-region
    max_separators: int = 8
    # Sets of C-records below one node
    max_sets: int = 50
    # Different C-records that the last one is compared with
    max_models: int = 5
    # Nodes of a C-record that are compared with those of another
    max_parts: int = 50


OPTIONS = CutOptions()


class Nodes:
    """The rows of a page with their signatures and how much of the page they cover: pixels where it was rendered."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.signatures = Signatures(page)
        chars = np.array([len(" ".join(text.split())) for text in page.text], dtype=np.float64)
        chars = np.where(page.silent, 0.0, chars + OPTIONS.image_chars * _are_named(page, "img"))
        selects = page.flags_below(np.flatnonzero(_are_named(page, "select")).tolist())
        areas = chars * np.where(page.hidden | selects, OPTIONS.hidden_weight, 1.0)
        if page.layout is not None:
            areas = _pixels(page, page.layout) + OPTIONS.hidden_weight * areas
        self._char_sums: list[float] = running_sum(chars).tolist()
        self._area_sums: list[float] = running_sum(areas).tolist()
        self._silent: list[bool] = page.silent.tolist()
        self._similarities: dict[tuple[int, int], float] = {}

    def similarity(self, a: int, b: int) -> float:
        """Return how similar two nodes are, 0..1."""
        pair = (self.signatures.signature(a), self.signatures.signature(b))
        if pair not in self._similarities:
            self._similarities[pair] = float(self.signatures.similarity(pair[:1], pair[1:])[0, 0])
        return self._similarities[pair]

    def first_word(self, i: int) -> str:
        """Return the first word of a subtree, the same for all running numbers ("1.", "2.")."""
        word = self.page.text_of(i).partition(" ")[0]
        return RUNNING_NUMBER if word.endswith((".", ")")) and word[:-1].isdecimal() else word

    def children(self, i: int) -> list[int]:
        """Return the children of a node that are not silent, elements and texts."""
        return [child for child in self.page.children(i) if not self._silent[child]]

    def chars(self, rows: Sequence[int]) -> float:
        """Return how much text subtrees contain, visible or hidden."""
        ends = self.page.lists.end
        return sum(self._char_sums[ends[i]] - self._char_sums[i] for i in rows)

    def area(self, rows: Sequence[int]) -> float:
        """Return how much of the page subtrees cover (Property 3)."""
        ends = self.page.lists.end
        return sum(self._area_sums[ends[i]] - self._area_sums[i] for i in rows)


def _pixels(page: Page, layout: Layout) -> NDArray[np.float64]:
    """Return the pixels of each text and image: only what is seen counts, not the box around it."""
    is_seen = (page.tag == 0) | _are_named(page, "img")
    return np.where(is_seen & ~page.silent, layout.boxes[:, 2] * layout.boxes[:, 3], 0.0).astype(np.float64)


def _are_named(page: Page, name: str) -> Flags:
    return np.isin(page.tag, [code for code, known in enumerate(page.tag_names) if known == name])


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Similar C-records below ``parent``, each the rows of its nodes; the mean similarity of neighbours, 0..1.

    ``outer``: the C-records that they were found in and replaced, if any.
    """

    parent: int
    records: tuple[tuple[int, ...], ...]
    similarity: float
    area: float
    outer: RecordSet | None = None


def c_records(nodes: Nodes, parent: int, children: Sequence[int]) -> list[RecordSet]:
    """Return the sets of C-records among the children of a node.

    What is left of a CG-region before and after its C-records may contain another CG-region.
    """
    if sum(map(nodes.signatures.has_content, children)) < MIN_RECORDS:
        return []
    siblings = Siblings(nodes, children)
    sets: list[RecordSet] = []
    waiting = [(0, len(children))]
    while waiting and len(sets) < OPTIONS.max_sets:
        for start, end in cg_regions(siblings.labels, *waiting.pop()):
            if best := best_segmentation(siblings, start, end):
                records = tuple(tuple(children[first:last]) for first, last in best.records)
                area = nodes.area([i for record in records for i in record])
                sets.append(RecordSet(parent, records, best.similarity, area))
                waiting += [(start, best.records[0][0]), (best.records[-1][1], end)]
    return sets


class Siblings:
    """The children of a node with their labels: ``SEPARATOR``, or the number of the cluster."""

    def __init__(self, nodes: Nodes, children: Sequence[int]) -> None:
        self.signatures = [nodes.signatures.signature(i) for i in children]
        has_content = [nodes.signatures.has_content(i) for i in children]
        labelled = list(zip(self.signatures, has_content, strict=True))
        clusters = nodes.signatures.clusters([signature for signature, is_solid in labelled if is_solid])
        self.labels = [clusters.of_signature[k] if is_solid else SEPARATOR for k, is_solid in labelled]
        self.cohesion = clusters.cohesion
        self.begins_line = _line_starts(nodes.page, children)
        self._area_sums = [*accumulate((nodes.area((i,)) for i in children), initial=0.0)]
        self._similarities: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}

    def area(self, span: Span) -> float:
        """Return how much of the page adjacent siblings cover."""
        return self._area_sums[span[1]] - self._area_sums[span[0]]

    def parts(self, span: Span) -> tuple[int, ...]:
        """Return the labels of a C-record in order, each once: how often a record repeats a part does not matter."""
        labels = dict.fromkeys(self.labels[span[0] : span[1]])
        labels.pop(SEPARATOR, None)
        return tuple(labels)[: OPTIONS.max_parts]

    def similarity(self, a: tuple[int, ...], b: tuple[int, ...]) -> float:
        """Return how similar two C-records are by their parts, 0..1."""
        if a == b:
            return 1.0
        if (a, b) not in self._similarities:
            self._similarities[a, b] = 1 - Pattern(a).distance(Pattern(b)) / max(len(a), len(b))
        return self._similarities[a, b]

    def inner_similarity(self, span: Span) -> float:
        """Return the share of the pairs of nodes inside a C-record that are similar."""
        counts = Counter(label for label in self.labels[span[0] : span[1]] if label != SEPARATOR)
        size = counts.total()
        return sum(n * (n - 1) for n in counts.values()) / (size * (size - 1)) if size > 1 else 0.0


def _line_starts(page: Page, children: Sequence[int]) -> list[bool]:
    """Return for each child whether it may begin a C-record: not if it continues a line of text."""
    inline = [page.is_text(i) or page.name(i) in INLINE_TAGS for i in children]
    text = [page.is_text(i) for i in children]
    starts = [not (inline[k - 1] and inline[k] and (text[k - 1] or text[k])) for k in range(1, len(children))]
    return [True, *starts]


def cg_regions(labels: Sequence[int], start: int, end: int) -> list[Span]:
    """Return the CG-regions among siblings ``start:end``.

    There must be similar nodes (Property 1), and clusters whose ranges intersect belong together (Property 2).
    """
    last_of = {label: k for k, label in enumerate(labels[start:end], start) if label != SEPARATOR}
    regions: list[Span] = []
    first, last = start, -1
    for k in range(start, end):
        if labels[k] == SEPARATOR:
            continue
        if k > last:
            first = k
        last = max(last, last_of[labels[k]])
        if k == last and first < last:
            regions.append((first, last + 1))
    return regions


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A CG-region cut into C-records."""

    records: tuple[Span, ...]
    similarity: float
    quality: float


def best_segmentation(siblings: Siblings, start: int, end: int) -> Segmentation | None:
    """Return the best way to cut a CG-region into C-records, None if they are not similar.

    Every node but separators is tried as the start of the first C-record (Problem 1).
    """
    best: Segmentation | None = None
    whole = siblings.area((start, end))
    if not whole:
        return None
    for first in range(start, min(end, start + OPTIONS.max_steps // (end - start) + 1)):
        if best and siblings.area((first, end)) <= best.quality * whole:  # no later start can be better
            break
        if siblings.labels[first] != SEPARATOR and siblings.begins_line[first]:
            for records in _segmentations(siblings, first, end):
                check_budget()
                if len(records) >= MIN_RECORDS:
                    segmentation = _rated(siblings, records, whole)
                    if best is None or segmentation.quality > best.quality:
                        best = segmentation
    return best if best and best.similarity >= OPTIONS.min_similarity else None


def _rated(siblings: Siblings, records: Sequence[Span], whole: float) -> Segmentation:
    """Return the segmentation with its quality.

    Good C-records cover much of the CG-region (Property 3) and are similar to each other, while the nodes inside each
    are not (Property 4).
    """
    parts = [siblings.parts(span) for span in records]
    similarity = fmean(siblings.similarity(a, b) for a, b in pairwise(parts))
    similarity *= fmean(siblings.cohesion[part] for record_parts in parts for part in record_parts)
    inner = fmean(siblings.inner_similarity(span) for span in records)
    covered = siblings.area((records[0][0], records[-1][1])) / whole
    return Segmentation(tuple(records), similarity, covered * similarity * (1 - OPTIONS.inner_penalty * inner))


def _segmentations(siblings: Siblings, first: int, end: int) -> Iterator[list[Span]]:
    """Yield the ways to cut the siblings from a start node on (Problem 2), for C-records in Form 1 and in Form 2."""
    yield _with_last_fitted(siblings, head_order_based(siblings, first, end))
    for kind in _kinds_of_separators(siblings, first, end):
        yield _with_last_fitted(siblings, separator_based(siblings, kind, first, end))


def head_order_based(siblings: Siblings, first: int, end: int) -> list[Span]:
    """Return the C-records of Form 2: each begins with a node similar to the first."""
    labels = siblings.labels
    heads = [k for k in range(first, end) if labels[k] == labels[first] and siblings.begins_line[k]]
    return [_without_separators(labels, span) for span in pairwise([*heads, end])]


def separator_based(siblings: Siblings, kind: tuple[int, ...], first: int, end: int) -> list[Span]:
    """Return the C-records of Form 1: those between runs of separators that contain the given kind."""
    spans: list[Span] = []
    start = first
    for run_start, run_end in _runs_of_separators(siblings.labels, first, end):
        if _contains(siblings.signatures[run_start:run_end], kind):
            spans.append((start, run_start))
            start = run_end
    if start < end:
        spans.append((start, end))
    return [_without_separators(siblings.labels, span) for span in spans]


def _runs_of_separators(labels: Sequence[int], first: int, end: int) -> list[Span]:
    edges = [k for k in range(first, end) if labels[k] == SEPARATOR and labels[k - 1] != SEPARATOR]
    return [(k, next((n for n in range(k, end) if labels[n] != SEPARATOR), end)) for k in edges]


def _kinds_of_separators(siblings: Siblings, first: int, end: int) -> list[tuple[int, ...]]:
    """Return what may separate C-records, most frequent first: each signature of a separator, and each run of them."""
    runs = [tuple(siblings.signatures[a:b]) for a, b in _runs_of_separators(siblings.labels, first, end)]
    singles = ((signature,) for run in runs for signature in set(run))
    counts = Counter([*(run for run in runs if len(run) > 1), *singles])
    return [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: OPTIONS.max_separators]]


def _contains(run: Sequence[int], kind: tuple[int, ...]) -> bool:
    return any(tuple(run[k : k + len(kind)]) == kind for k in range(len(run) - len(kind) + 1))


def _without_separators(labels: Sequence[int], span: Span) -> Span:
    start, end = span
    while labels[end - 1] == SEPARATOR:
        end -= 1
    return start, end


def _with_last_fitted(siblings: Siblings, spans: list[Span]) -> list[Span]:
    """Return the C-records, the last one cut where it is most similar to one of the others (Problem 2)."""
    if len(spans) < MIN_RECORDS:
        return spans
    models = [parts for parts, _ in Counter(map(siblings.parts, spans[:-1])).most_common(OPTIONS.max_models)]
    start, end = spans[-1]
    ends = [k + 1 for k in range(start, end) if siblings.labels[k] != SEPARATOR][: OPTIONS.max_parts]
    similarity = {
        stop: max(siblings.similarity(siblings.parts((start, stop)), model) for model in models) for stop in ends
    }
    return [*spans[:-1], (start, max(ends, key=lambda stop: (similarity[stop], stop)))]

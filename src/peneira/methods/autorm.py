"""AutoRM: automatic record mining (Shi et al., "AutoRM: An effective approach for automatic Web data record mining",
Knowledge-Based Systems 89, 2015).

The children of a node are clustered by similarity. Clusters whose ranges intersect make a CG-region (a coarse-grained
data region), and this is cut into C-records (candidate records), each one or more siblings. C-records that hold
C-records themselves, such as the rows of a grid, give way to these.

The paper measures how many pixels of the rendered page a C-record covers. Here the text of a node stands for its
pixels, and its classes for its visual attributes. The problems, properties and forms named below are the paper's.
Three rules make up for what only a rendered page would show: a node that goes on in a line of text begins no record,
the cells of a data table are columns and no records, and the only cell in the last row of a grid is a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import fmean

import numpy as np

from peneira.arrays import running_sum
from peneira.methods.sibling_clusters import MIN_SIMILARITY, Forms
from peneira.page import INLINE_TAGS, Flags, Page
from peneira.result import Range, Reason, Record, Region
from peneira.trees.string_distance import Pattern

MIN_RECORDS = 2
MIN_RECORD_SIMILARITY = 0.6  # of neighbouring C-records
INNER_PENALTY = 0.7  # what C-records lose of their quality if the nodes inside each are all similar (Property 4)
MIN_INNER_SHARE = 0.6  # of the text of C-records, which C-records inside must hold to replace them
MIN_INNER_LIKENESS = 0.85  # of C-records inside others, compared with those
MIN_CHARS = 10  # of a C-record inside another, on average
COLUMN_MARGIN = 0.05  # by which what C-records hold is more alike from one to the next than inside one, if columns
ABOUT_EQUAL = 2 / 3  # of the columns of one C-record that the next has at least
SIZE_SLACK = 5  # characters that make no difference in size
IMAGE_CHARS = 20  # an image covers as much of the page as so many characters
HIDDEN_WEIGHT = 0.001  # hidden text covers nothing, but a list that is hidden as a whole is cut like any other

# Bounds of work
MAX_STEPS = 100_000  # start nodes of one CG-region times its nodes
MAX_SEPARATORS = 8  # kinds of separators tried in one CG-region
MAX_SETS = 50  # sets of C-records below one node
MAX_GROUPS = 20  # sets of records that a further one may join
MAX_MODELS = 5  # sorts of C-records that the last one is compared with
MAX_PARTS = 50  # nodes of a C-record that are compared with those of another

SEPARATOR = -1  # the label of a node without content; the others are numbers of clusters

Span = tuple[int, int]  # siblings by number, the end left out


def find_regions(page: Page) -> list[Region]:
    """Return the data regions of a page as regions of records, those that cover most of the page first."""
    if not len(page):
        return []
    nodes = Nodes(page)
    found = sorted(record_sets(nodes), key=lambda those: (-those.area, those.records))
    return [_region(page, those) for those in found]


class Nodes:
    """The rows of a page with their forms and how much of the page they cover."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.forms = Forms(page)
        chars = np.array([len(" ".join(text.split())) for text in page.text], dtype=np.float64)
        chars = np.where(page.silent, 0.0, chars + IMAGE_CHARS * _are_named(page, "img"))
        selects = page.flags_below(np.flatnonzero(_are_named(page, "select")).tolist())
        areas = chars * np.where(page.hidden | selects, HIDDEN_WEIGHT, 1.0)
        self._chars_before: list[float] = running_sum(chars).tolist()
        self._area_before: list[float] = running_sum(areas).tolist()
        self._silent: list[bool] = page.silent.tolist()
        self._similar: dict[tuple[int, int], float] = {}

    def similarity(self, one: int, other: int) -> float:
        """Return how similar two nodes are, 0..1."""
        pair = (self.forms.form(one), self.forms.form(other))
        if pair not in self._similar:
            self._similar[pair] = float(self.forms.similarity(pair[:1], pair[1:])[0, 0])
        return self._similar[pair]

    def first_word(self, i: int) -> str:
        """Return the word that a subtree begins with."""
        return self.page.text_of(i).partition(" ")[0]

    def children(self, i: int) -> list[int]:
        """Return the children of a node that count: elements and texts that are not silent."""
        return [child for child in self.page.children(i) if not self._silent[child]]

    def chars(self, rows: Sequence[int]) -> float:
        """Return how much text subtrees hold, shown or hidden."""
        ends = self.page.lists.end
        return sum(self._chars_before[ends[i]] - self._chars_before[i] for i in rows)

    def area(self, rows: Sequence[int]) -> float:
        """Return how much of the page subtrees cover (Property 3)."""
        ends = self.page.lists.end
        return sum(self._area_before[ends[i]] - self._area_before[i] for i in rows)


def _are_named(page: Page, name: str) -> Flags:
    return np.isin(page.tag, [code for code, known in enumerate(page.tag_names) if known == name])


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Similar C-records below ``parent``, each the rows of its nodes; the mean similarity of neighbours, 0..1."""

    parent: int
    records: tuple[tuple[int, ...], ...]
    similarity: float
    area: float


def record_sets(nodes: Nodes) -> list[RecordSet]:
    """Return the sets of records of a page in document order.

    The paper goes down from the root, first into the nodes that no C-record takes up, then into the C-records. Going up
    from the leaves, as here, asks the same of each node and needs no recursion.
    """
    page = nodes.page
    found: dict[int, list[RecordSet]] = {}
    for i in range(int(page.end[page.body]) - 1, page.body - 1, -1):
        if page.is_text(i) or page.silent[i]:
            continue
        children = nodes.children(i)
        below = {child: found.pop(child) for child in children if child in found}
        if own := c_records(nodes, i, children):
            covered = {node for those in own for record in those.records for node in record}
            kept = [those for child in children if child not in covered for those in below.get(child, ())]
            found[i] = kept + [those for each in own for those in _innermost(nodes, each, below)]
        elif below:
            found[i] = [those for child in children for those in below.get(child, ())]
    return found.get(page.body, [])


def c_records(nodes: Nodes, parent: int, children: Sequence[int]) -> list[RecordSet]:
    """Return the sets of C-records among the children of a node.

    What a CG-region has left before and after its C-records may be a CG-region again.
    """
    if sum(map(nodes.forms.has_content, children)) < MIN_RECORDS:
        return []
    siblings = Siblings(nodes, children)
    found: list[RecordSet] = []
    waiting = [(0, len(children))]
    while waiting and len(found) < MAX_SETS:
        for start, end in cg_regions(siblings.labels, *waiting.pop()):
            if best := best_segmentation(siblings, start, end):
                records = tuple(tuple(children[first:last]) for first, last in best.records)
                area = nodes.area([i for record in records for i in record])
                found.append(RecordSet(parent, records, best.similarity, area))
                waiting += [(start, best.records[0][0]), (best.records[-1][1], end)]
    return found


class Siblings:
    """The children of a node with their labels: ``SEPARATOR``, or the number of the cluster."""

    def __init__(self, nodes: Nodes, children: Sequence[int]) -> None:
        forms = nodes.forms
        form_of = [forms.form(i) for i in children]
        solid = [forms.has_content(i) for i in children]
        clusters = forms.clusters([form for form, is_solid in zip(form_of, solid, strict=True) if is_solid])
        self.forms = form_of
        self.labels = [
            clusters.of_form[f] if is_solid else SEPARATOR for f, is_solid in zip(form_of, solid, strict=True)
        ]
        self.cohesion = clusters.cohesion
        self.begins_line = _line_starts(nodes.page, children)
        self._area_before = [*accumulate((nodes.area((i,)) for i in children), initial=0.0)]
        self._similar: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}

    def area(self, span: Span) -> float:
        """Return how much of the page adjacent siblings cover."""
        return self._area_before[span[1]] - self._area_before[span[0]]

    def parts(self, span: Span) -> tuple[int, ...]:
        """Return the labels of a C-record in order, each once: records repeat parts at will."""
        labels = dict.fromkeys(self.labels[span[0] : span[1]])
        labels.pop(SEPARATOR, None)
        return tuple(labels)[:MAX_PARTS]

    def similarity(self, one: tuple[int, ...], other: tuple[int, ...]) -> float:
        """Return how similar two C-records are by their parts, 0..1."""
        if one == other:
            return 1.0
        if (one, other) not in self._similar:
            distance = Pattern(one).distance(Pattern(other))
            self._similar[one, other] = 1 - distance / max(len(one), len(other))
        return self._similar[one, other]

    def inner_similarity(self, span: Span) -> float:
        """Return which share of the pairs of nodes inside a C-record are similar."""
        counts = Counter(label for label in self.labels[span[0] : span[1]] if label != SEPARATOR)
        size = counts.total()
        return sum(n * (n - 1) for n in counts.values()) / (size * (size - 1)) if size > 1 else 0.0


def _line_starts(page: Page, children: Sequence[int]) -> list[bool]:
    """Return for each child whether it may begin a C-record: not where it goes on in a line of text."""
    inline = [page.is_text(i) or page.name(i) in INLINE_TAGS for i in children]
    text = [page.is_text(i) for i in children]
    starts = [not (inline[k - 1] and inline[k] and (text[k - 1] or text[k])) for k in range(1, len(children))]
    return [True, *starts]


def cg_regions(labels: Sequence[int], start: int, end: int) -> list[Span]:
    """Return the CG-regions among siblings ``start:end``: there must be similar nodes (Property 1), and clusters whose
    ranges intersect belong together (Property 2)."""
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
    for first in range(start, min(end, start + MAX_STEPS // (end - start) + 1)):
        if best and siblings.area((first, end)) <= best.quality * whole:  # no start from here on can be better
            break
        if siblings.labels[first] != SEPARATOR and siblings.begins_line[first]:
            for records in _segmentations(siblings, first, end):
                if len(records) >= MIN_RECORDS:
                    rated = _rated(siblings, records, whole)
                    if best is None or rated.quality > best.quality:
                        best = rated
    return best if best and best.similarity >= MIN_RECORD_SIMILARITY else None


def _rated(siblings: Siblings, records: Sequence[Span], whole: float) -> Segmentation:
    """Return the segmentation with its quality: C-records cover much (Property 3) and resemble each other, while the
    nodes inside each do not (Property 4)."""
    parts = [siblings.parts(span) for span in records]
    alike = fmean(siblings.similarity(one, other) for one, other in pairwise(parts))
    alike *= fmean(siblings.cohesion[part] for those in parts for part in those)
    inner = fmean(siblings.inner_similarity(span) for span in records)
    covered = siblings.area((records[0][0], records[-1][1])) / whole
    return Segmentation(tuple(records), alike, covered * alike * (1 - INNER_PENALTY * inner))


def _segmentations(siblings: Siblings, first: int, end: int) -> Iterator[list[Span]]:
    """Yield the ways to cut the siblings from a start node on (Problem 2), for C-records in Form 1 and in Form 2."""
    yield _fitted(siblings, head_order_based(siblings, first, end))
    for kind in _kinds_of_separators(siblings, first, end):
        yield _fitted(siblings, separator_based(siblings, kind, first, end))


def head_order_based(siblings: Siblings, first: int, end: int) -> list[Span]:
    """Return the pieces of Form 2: each begins with a node similar to the first."""
    labels = siblings.labels
    heads = [k for k in range(first, end) if labels[k] == labels[first] and siblings.begins_line[k]]
    return [_without_separators(labels, span) for span in pairwise([*heads, end])]


def separator_based(siblings: Siblings, kind: tuple[int, ...], first: int, end: int) -> list[Span]:
    """Return the pieces of Form 1: those between runs of separators that hold the given kind."""
    pieces: list[Span] = []
    start = first
    for run_start, run_end in _runs_of_separators(siblings.labels, first, end):
        if _holds(siblings.forms[run_start:run_end], kind):
            pieces.append((start, run_start))
            start = run_end
    if start < end:
        pieces.append((start, end))
    return [_without_separators(siblings.labels, piece) for piece in pieces]


def _runs_of_separators(labels: Sequence[int], first: int, end: int) -> list[Span]:
    edges = [k for k in range(first, end) if labels[k] == SEPARATOR and labels[k - 1] != SEPARATOR]
    return [(k, next((n for n in range(k, end) if labels[n] != SEPARATOR), end)) for k in edges]


def _kinds_of_separators(siblings: Siblings, first: int, end: int) -> list[tuple[int, ...]]:
    """Return what may separate C-records, most frequent first: each form of separator, and each run of them."""
    runs = [tuple(siblings.forms[a:b]) for a, b in _runs_of_separators(siblings.labels, first, end)]
    singles = ((form,) for run in runs for form in set(run))
    counts = Counter([*(run for run in runs if len(run) > 1), *singles])
    return [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_SEPARATORS]]


def _holds(run: Sequence[int], kind: tuple[int, ...]) -> bool:
    return any(tuple(run[k : k + len(kind)]) == kind for k in range(len(run) - len(kind) + 1))


def _without_separators(labels: Sequence[int], span: Span) -> Span:
    start, end = span
    while labels[end - 1] == SEPARATOR:
        end -= 1
    return start, end


def _fitted(siblings: Siblings, pieces: list[Span]) -> list[Span]:
    """Return the C-records, the last of which ends where it is most like one of the others (Problem 2)."""
    if len(pieces) < MIN_RECORDS:
        return pieces
    others = [parts for parts, _ in Counter(map(siblings.parts, pieces[:-1])).most_common(MAX_MODELS)]
    start, end = pieces[-1]
    ends = [k + 1 for k in range(start, end) if siblings.labels[k] != SEPARATOR][:MAX_PARTS]
    likeness = {
        stop: max(siblings.similarity(siblings.parts((start, stop)), those) for those in others) for stop in ends
    }
    return [*pieces[:-1], (start, max(ends, key=lambda stop: (likeness[stop], stop)))]


def _innermost(nodes: Nodes, outer: RecordSet, below: Mapping[int, list[RecordSet]]) -> list[RecordSet]:
    """Return the records that C-records hold, as one set where they are similar; the C-records themselves if what they
    hold covers too little of them (Property 3), or is less alike or no more than their columns (Property 4)."""
    held = [
        [those for i in record for those in below.get(i, ()) if _is_large(nodes, those)] for record in outer.records
    ]
    inner = [those for sets in held for those in sets]
    area = sum(those.area for those in inner)
    if not inner or area < MIN_INNER_SHARE * outer.area:
        return [outer]
    if sum(those.similarity * those.area for those in inner) < MIN_INNER_LIKENESS * outer.similarity * area:
        return [outer]
    if _are_columns(nodes, [[record for those in sets for record in those.records] for sets in held]):
        return [outer]
    alone = [_alone(nodes, record, inner[0]) for record, sets in zip(outer.records, held, strict=True) if not sets]
    return _joined(nodes, outer.parent, sorted([*inner, *filter(None, alone)], key=lambda those: those.records))


def _alone(nodes: Nodes, record: tuple[int, ...], model: RecordSet) -> RecordSet | None:
    """Return the one record like those of the model that a C-record holds, such as the only cell of a grid's last row;
    by itself, it has nothing to be similar to."""
    solid = [i for i in record if nodes.forms.has_content(i)]
    while len(solid) == 1:
        (node,) = solid
        if nodes.similarity(model.records[0][0], node) >= MIN_SIMILARITY:
            return RecordSet(model.parent, ((node,),), model.similarity, nodes.area((node,)))
        solid = [i for i in nodes.children(node) if nodes.forms.has_content(i)]
    return None


def _are_columns(nodes: Nodes, rows: Sequence[Sequence[tuple[int, ...]]]) -> bool:
    """Tell whether what C-records hold are their columns: neighbours in one resemble each other less than what stands
    at the same place in the next one, if that holds about as many."""
    pairs = [(row, after) for row, after in pairwise(rows) if _are_about_equal(len(row), len(after))]
    across = [_likeness(nodes, one, other) for pair in pairs for row in pair for one, other in pairwise(row)]
    down = [_likeness(nodes, one, other) for row, after in pairs for one, other in zip(row, after, strict=False)]
    return bool(across) and fmean(across) < fmean(down) - COLUMN_MARGIN


def _are_about_equal(one: int, other: int) -> bool:
    return min(one, other) >= ABOUT_EQUAL * max(one, other) > 0


def _likeness(nodes: Nodes, one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return how similar two C-records are in their nodes, in size and in the word they begin with, 0..1."""
    alike = sum(nodes.similarity(a, b) for a, b in zip(one, other, strict=False)) / max(len(one), len(other))
    sizes = sorted((nodes.chars(one) + SIZE_SLACK, nodes.chars(other) + SIZE_SLACK))
    return (alike + sizes[0] / sizes[1] + (nodes.first_word(one[0]) == nodes.first_word(other[0]))) / 3


def _is_large(nodes: Nodes, those: RecordSet) -> bool:
    return nodes.chars([i for record in those.records for i in record]) >= MIN_CHARS * len(those.records)


def _joined(nodes: Nodes, parent: int, sets: Sequence[RecordSet]) -> list[RecordSet]:
    """Return the sets with similar ones made one, such as the cells of all rows of a grid."""
    joined: list[list[RecordSet]] = []
    for those in sets:
        head = those.records[0][0]
        for group in joined[:MAX_GROUPS]:
            if nodes.similarity(group[0].records[0][0], head) >= MIN_SIMILARITY:
                group.append(those)
                break
        else:
            joined.append([those])
    unions = [group[0] if len(group) == 1 else _union(parent, group) for group in joined]
    return [those for those in unions if len(those.records) >= MIN_RECORDS]


def _union(parent: int, sets: Sequence[RecordSet]) -> RecordSet:
    records = tuple(record for those in sets for record in those.records)
    similarity = sum(those.similarity * len(those.records) for those in sets) / len(records)
    return RecordSet(parent, records, similarity, sum(those.area for those in sets))


def _region(page: Page, those: RecordSet) -> Region:
    records = tuple(_record(page, rows) for rows in those.records)
    chars = sum(len(record.text) for record in records)
    # hidden records have text of their own, which a page that shows something else does not count
    share = chars / max(len(page.text_of(page.body)), chars, 1)
    reasons = (
        Reason("mass", f"{len(records)} records hold {share:.0%} of the page's text", round(share, 4)),
        Reason("similarity", f"neighbouring records are {those.similarity:.0%} similar", round(those.similarity, 4)),
    )
    return Region(page.xpath(those.parent), records, round(share * those.similarity, 3), reasons=reasons)


def _record(page: Page, rows: Sequence[int]) -> Record:
    span: Range = (rows[0], int(page.end[rows[-1]]))
    return Record((span,), page.text_of(*span), page.xpath(rows[0]))

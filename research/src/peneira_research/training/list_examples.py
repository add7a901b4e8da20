"""Training examples for finding the main list: candidates of pages with gold, each with its record score.

The score of a candidate is the record score, times the share of the gold values that lie in the right record: records
that begin with the end of the one before hold their anchors, but not their values. Pages of known type without gold
records teach what is no list, and which pages have one. Pages are augmented (``augmentation.py``), as short lists, bare
titles and grids are rarer in the corpora than on the web; a variant belongs to the site of its page. Rendered pages are
examples of the features of boxes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.lists.box_features import BoxFeatures
from peneira.lists.candidates import Candidates, find_candidates
from peneira.lists.features import CandidateFeatures, FeatureTable
from peneira.lists.members import member_features
from peneira.lists.page_features import PageFeatures
from peneira.lists.page_type_features import page_type_features
from peneira.lists.ranking import take_rows
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.result import PageType, Range
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora, FieldValue, value_texts
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.corpora.typed_pages import PageType as TypeOfPages
from peneira_research.corpora.typed_pages import typed_pages
from peneira_research.scores.record_score import record_size, right_records
from peneira_research.scores.table_score import is_plain
from peneira_research.squeezed_text import squeeze
from peneira_research.training.augmentation import bare_titles, few_records, flat_records, grid_of_records
from peneira_research.workers import in_processes

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]

# What pages of a corpus are: documentation reads like an article, and a product is one thing
TYPE_OF_PAGES: Mapping[TypeOfPages, PageType] = {
    "article": "article",
    "documentation": "article",
    "service": "other",
    "other": "other",
    "product": "detail",
    "detail": "detail",
    "forum": "list",
    "collection": "list",
    "listing": "list",
}
# The features of boxes on pages that were not rendered
NO_BOX = -1.0


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """Which examples are made of a page, and their weights."""

    variant_weight: float = 0.2  # of an augmented page; the page itself has 1
    min_anchors_left: float = 0.7  # share of the anchors that a variant must still have
    min_records_to_augment: int = 5  # a shorter list has nothing to leave out
    min_score_to_augment: float = 0.97  # the best candidate must be the list, or the variants are not what they claim
    pages_per_site: int = 2  # of known type and without gold records: there are many, and those of a site are alike
    typed_weight: float = 0.4  # of such a page
    min_score_to_compare: float = 0.3  # of candidates whose values are looked at; the others are wrong anyway
    min_list_score: float = 0.6  # candidates from this record score on are examples of members of a list
    max_lists: int = 5  # of each page, as examples of members


OPTIONS = ExampleOptions()


@dataclass(frozen=True, slots=True)
class ListExample:
    """A page's candidates with features and record scores; and the members of its best lists, records or not.

    ``has_gold``: whether the scores are known; of some pages it is only known that they have a list.
    """

    id: str
    site: str
    weight: float
    rows: int
    candidates: Candidates
    feature_names: tuple[str, ...]
    features: Small
    scores: Numbers
    page_type: PageType
    has_gold: bool
    page_features: Mapping[str, float]
    member_feature_names: tuple[str, ...] = ()
    member_features: Small | None = None
    member_labels: Numbers | None = None
    box_feature_names: tuple[str, ...] = ()
    box_features: Small | None = None

    def features_of(self, rows: NDArray[np.int64]) -> FeatureTable:
        """Return the features of some candidates by name."""
        return take_rows(dict(zip(self.feature_names, self.features.T, strict=True)), rows)

    def box_features_of(self, rows: NDArray[np.int64], names: Sequence[str]) -> FeatureTable:
        """Return the named features of the boxes of some candidates."""
        if self.box_features is None:
            return {name: np.full(len(rows), NO_BOX) for name in names}
        return {name: self.box_features[rows, self.box_feature_names.index(name)] for name in names}


@dataclass(frozen=True, slots=True)
class TrainingPage:
    """A page to train on; ``fields``: the gold values of each anchor's record, empty where they are not known."""

    id: str
    site: str
    body: bytes
    page_type: PageType
    has_gold: bool
    weight: float
    anchors: tuple[str, ...] = ()
    fields: tuple[Mapping[str, FieldValue], ...] = ()
    number: int = 0


def list_examples(corpora: Corpora, *, jobs: int) -> Iterator[ListExample]:
    """Yield the examples of each page that has gold and of its variants; and of detail pages, which have no list."""
    for page_examples in in_processes(_examples, list(_training_pages(corpora)), jobs=jobs):
        yield from page_examples


def rendered_examples(corpora: Corpora, snapshots: Path, *, jobs: int) -> Iterator[ListExample]:
    """Yield the examples of the rendered pages: those that have a snapshot."""
    pages = [page for page in _training_pages(corpora) if Snapshots(snapshots).file(page.body).exists()]
    for example in in_processes(partial(_rendered_example, folder=snapshots), pages, jobs=jobs):
        if example:
            yield example


def _rendered_example(source: TrainingPage, folder: Path) -> ListExample | None:
    page = Snapshots(folder).page(source.body)
    if (example := _example(source, page, source.anchors, source.fields)) is None:
        return None
    boxes = BoxFeatures(page, example.candidates).features()
    return replace(example, box_feature_names=tuple(boxes), box_features=feature_table(boxes))


def _training_pages(corpora: Corpora) -> Iterator[TrainingPage]:
    gold_pages = [gold for gold in corpora.all_pages() if gold.anchors and not gold.is_partial]
    for number, gold in enumerate(gold_pages):
        anchors, fields = gold.anchors or (), gold.fields
        yield TrainingPage(gold.id, gold.site, gold.body(), "list", True, 1.0, anchors, fields, number)
    taken: Counter[tuple[str, PageType]] = Counter()
    known = {gold.id for gold in gold_pages}
    for page in typed_pages(corpora):
        page_type = TYPE_OF_PAGES[page.type]
        taken[page.site, page_type] += 1
        if page.gold_id not in known and taken[page.site, page_type] <= OPTIONS.pages_per_site:
            weight = OPTIONS.typed_weight
            yield TrainingPage(page.id, page.site, page.body, page_type, page_type != "list", weight)


def _examples(source: TrainingPage) -> list[ListExample]:
    page = read_page(source.body)
    example = _example(source, page, source.anchors, source.fields)
    return [example, *_augmented_examples(page, example, source)] if example else []


def _example(
    source: TrainingPage,
    page: Page,
    anchors: Sequence[str],
    fields: Sequence[Mapping[str, FieldValue]],
    ranges: Sequence[Range] = (),
) -> ListExample | None:
    """Return the candidates of a page as examples. ``ranges``: the records, where they are known to the row."""
    sums = RunningSums(page)
    found = find_candidates(page, sums)
    if not len(found):
        return None
    page_features = PageFeatures(page, sums)
    features = CandidateFeatures(page_features, found).features()
    scorer = CandidateScorer(page, anchors)
    scores = scorer.scores(found)
    scores *= exactness(scorer, found, scores, ranges) if ranges else wholeness(scorer, found, scores, fields)
    example = ListExample(
        source.id, source.site, source.weight, len(page), found, tuple(features), feature_table(features), scores,
        source.page_type, source.has_gold, page_type_features(page_features),
    )  # fmt: skip
    best = np.argsort(-scores, kind="stable")[: OPTIONS.max_lists]
    lists = found.take(best[scores[best] >= OPTIONS.min_list_score])
    if not len(lists):
        return example
    members = member_features(CandidateFeatures(page_features, lists))
    is_record = np.asarray(scorer.held(lists).any(axis=1), dtype=np.float64)
    return replace(
        example,
        member_feature_names=tuple(members),
        member_features=feature_table(members),
        member_labels=is_record,
    )


def feature_table(features: FeatureTable) -> Small:
    """Return features as one array, a column each."""
    return np.column_stack(list(features.values())).astype(np.float32)


def _augmented_examples(page: Page, example: ListExample, source: TrainingPage) -> Iterator[ListExample]:
    """Yield examples of variants of the page that still have its gold."""
    best = int(example.scores.argmax())
    ranges = example.candidates.ranges(best)
    if example.scores[best] < OPTIONS.min_score_to_augment or len(ranges) < OPTIONS.min_records_to_augment:
        return
    rng = np.random.default_rng(source.number)
    held = CandidateScorer(page, source.anchors).held(example.candidates.take(np.array([best])))
    for name, variant, kept in _variants(page, ranges, rng, titles=bool(source.number % 2)):
        expected = np.logical_or.reduce(held[kept], axis=0)
        positions = CandidateScorer(variant, source.anchors).positions
        left = [k for k in range(len(source.anchors)) if expected[k] and len(positions[k])]
        if len(left) < max(2, OPTIONS.min_anchors_left * int(expected.sum())):
            continue
        fields = [source.fields[k] for k in left] if source.fields else []
        if (augmented := _example(source, variant, [source.anchors[k] for k in left], fields)) is not None:
            yield replace(augmented, id=f"{source.id} ({name})", weight=OPTIONS.variant_weight)
    if flat := flat_records(page, ranges):
        augmented = _example(source, flat[0], source.anchors, (), flat[1])
        if augmented is not None:
            yield replace(augmented, id=f"{source.id} (flat)", weight=OPTIONS.variant_weight)


def _variants(
    page: Page, ranges: list[tuple[int, int]], rng: np.random.Generator, *, titles: bool
) -> Iterator[tuple[str, Page, slice]]:
    """Yield variants of a page: name, page, and which records it has."""
    yield "few", *few_records(page, ranges, rng)
    if titles:
        yield "titles", bare_titles(page, ranges), slice(None)
    elif grid := grid_of_records(page, ranges, rng):
        yield "rows", grid, slice(None)


def wholeness(
    scorer: CandidateScorer, found: Candidates, scores: Numbers, fields: Sequence[Mapping[str, FieldValue]]
) -> Numbers:
    """Return for each candidate the share of the gold values that lie in the right record, as a share of the most that

    any good candidate has: some values are not in the text at all. 1 where no values are known.
    """
    whole = np.ones(len(found))
    values = [list(_plain_values(field, scorer.text)) for field in fields]
    compared = np.flatnonzero(scores >= OPTIONS.min_score_to_compare)
    if not any(values) or not len(compared):
        return whole
    for k in compared.tolist():
        whole[k] = scorer.values_held(found.take(np.array([k])), values)
    most = whole[compared].max()
    if most > 0:
        whole[compared] /= most
    return whole


def exactness(scorer: CandidateScorer, found: Candidates, scores: Numbers, ranges: Sequence[Range]) -> Numbers:
    """Return for each candidate how much of its text and of the true records' text is in the same record of both."""
    exact = np.ones(len(found))
    begin, end = (scorer.offset[list(column)] for column in zip(*ranges, strict=True))
    for k in np.flatnonzero(scores >= OPTIONS.min_score_to_compare).tolist():
        starts, ends = (scorer.offset[list(column)] for column in zip(*found.ranges(k), strict=True))
        true = np.clip(np.searchsorted(begin, (starts + ends) // 2, side="right") - 1, 0, len(begin) - 1)
        shared = np.clip(np.minimum(ends, end[true]) - np.maximum(starts, begin[true]), 0, None)
        joined = np.maximum(ends, end[true]) - np.minimum(starts, begin[true])
        exact[k] = float((shared / np.maximum(joined, 1)).mean())
    return exact


def _plain_values(field: Mapping[str, FieldValue], text: str) -> Iterator[str]:
    """Yield the gold values that stand in a record's text, if it is the right one."""
    for name, value in field.items():
        yield from (key for key in map(squeeze, value_texts(value)) if is_plain(name, key) and key in text)


class CandidateScorer:
    """The record score of many candidates of a page at once: anchors are searched once, records are slices of text."""

    def __init__(self, page: Page, anchors: Sequence[str]) -> None:
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        rows = rows[(rows >= page.body) & (rows < page.end[page.body])]
        texts = [squeeze(page.text[i]) for i in rows.tolist()]
        lengths = np.zeros(len(page), dtype=np.int64)
        lengths[rows] = [len(text) for text in texts]
        self.text = "".join(texts)
        self.offset = running_sum(lengths)
        self.keys = [squeeze(anchor) for anchor in anchors]
        self.distance = record_size(anchors, self.text)
        self.positions = [np.array(list(_occurrences(self.text, key)), dtype=np.int64) for key in self.keys]

    def held(self, found: Candidates) -> NDArray[np.bool_]:
        """Return which record (row) holds which anchor (column)."""
        begin, end = self.offset[found.starts], self.offset[found.ends]
        held = np.zeros((len(begin), len(self.keys)), dtype=np.bool_)
        for k, (positions, key) in enumerate(zip(self.positions, self.keys, strict=True)):
            following = np.append(positions, len(self.text) + 1)[np.searchsorted(positions, begin)]
            held[:, k] = following + len(key) <= end
        return held

    def scores(self, found: Candidates) -> Numbers:
        """Return the record score of each candidate."""
        scores = np.zeros(len(found))
        if not self.keys:
            return scores
        held = self.held(found)
        sizes = self.offset[found.ends] - self.offset[found.starts]
        for k, (first, count) in enumerate(zip(found.first.tolist(), found.counts.tolist(), strict=True)):
            records = slice(first, first + count)
            if held[records].any():
                scores[k] = self._score(held[records], sizes[records])
        return scores

    def values_held(self, candidate: Candidates, values: Sequence[Sequence[str]]) -> float:
        """Return the share of the values of all anchors that lie in the first record that holds the anchor."""
        held = self.held(candidate)
        begin, end = self.offset[candidate.starts], self.offset[candidate.ends]
        owners = np.where(held.any(axis=0), held.argmax(axis=0), -1).tolist()
        texts = [self.text[begin[owner] : end[owner]] if owner >= 0 else "" for owner in owners]
        inside = [value in text for text, own in zip(texts, values, strict=True) for value in own]
        return sum(inside) / len(inside)

    def _score(self, held: NDArray[np.bool_], sizes: NDArray[np.int64]) -> float:
        right = right_records([np.flatnonzero(row).tolist() for row in held], self.keys)
        if not right:
            return 0.0
        f1 = 2 * len(right) / (len(held) + len(self.keys))
        completeness = min(1.0, 2 * median(sizes[right].tolist()) / self.distance) if self.distance else 1.0
        return f1 * completeness * min(1.0, 1.02 * len(self.text) / max(int(sizes.sum()), 1))


def _occurrences(text: str, key: str) -> Iterator[int]:
    position = text.find(key) if key else -1
    while position >= 0:
        yield position
        position = text.find(key, position + 1)

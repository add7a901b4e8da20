"""What finding the main list is learned from: candidates of pages with gold, each with its record score.

Pages also teach in other forms (``copies.py``), as short lists, bare titles and grids are rare in the corpora and not
on the web. Copies belong to the site of their page. Pages that a browser has shown teach what boxes say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
from peneira.lists.ranking import take_rows
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.scores.record_score import record_size, right_records, squeeze
from peneira_research.studies.workers import in_processes
from peneira_research.training.augmentation import bare_titles, few_records, rows_of_records

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]

# Copies: how much of the page's weight they have, which pages have any, the share of anchors that must be left
COPY_WEIGHT = 0.2
MIN_ANCHORS_LEFT = 0.7
MIN_TO_COPY = 5
MIN_SCORE_TO_COPY = 0.97
# Detail pages, of which there are many: so many of each site, each with so much weight
DETAILS_PER_SITE = 2
DETAIL_WEIGHT = 0.4
# Candidates whose members teach what a record is
MIN_SCORE_OF_LISTS = 0.6
LISTS_FOR_MEMBERS = 5
# The figures of boxes where no browser has shown the page
NO_BOX = -1.0


@dataclass(frozen=True, slots=True)
class Example:
    """A page's candidates, their figures, their record scores; and members of its right lists, right or not."""

    id: str
    site: str
    weight: float
    rows: int
    found: Candidates
    names: tuple[str, ...]
    figures: Small
    worth: Numbers
    page_figures: tuple[float, bool]
    member_names: tuple[str, ...] = ()
    members: Small | None = None
    member_worth: Numbers | None = None
    box_names: tuple[str, ...] = ()
    boxes: Small | None = None

    def figures_of(self, which: NDArray[np.int64]) -> FeatureTable:
        """Return the figures of some candidates by name."""
        return take_rows(dict(zip(self.names, self.figures.T, strict=True)), which)

    def boxes_of(self, which: NDArray[np.int64], names: Sequence[str]) -> FeatureTable:
        """Return the figures of the boxes of some candidates by name, as far as they are asked for."""
        if self.boxes is None:
            return {name: np.full(len(which), NO_BOX) for name in names}
        return {name: self.boxes[which, self.box_names.index(name)] for name in names}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from; one without anchors has no list."""

    id: str
    site: str
    body: bytes
    anchors: tuple[str, ...]
    weight: float
    number: int


def examples(corpora: Corpora, *, jobs: int) -> Iterator[Example]:
    """Yield the examples of each page that has gold, copies included; and of detail pages, which have no list."""
    for those in in_processes(_examples, list(_lessons(corpora)), jobs=jobs):
        yield from those


def rendered_examples(corpora: Corpora, snapshots: Path, *, jobs: int) -> Iterator[Example]:
    """Yield the examples of the pages of which there is a snapshot, as a browser shows them."""
    lessons = [lesson for lesson in _lessons(corpora) if Snapshots(snapshots).file(lesson.body).exists()]
    for example in in_processes(partial(_shown, folder=snapshots), lessons, jobs=jobs):
        if example:
            yield example


def _shown(lesson: Lesson, folder: Path) -> Example | None:
    page = Snapshots(folder).page(lesson.body)
    if (example := _example(lesson, page, lesson.anchors)) is None:
        return None
    boxes = BoxFeatures(page, example.found).features()
    return replace(example, box_names=tuple(boxes), boxes=stacked(boxes))


def _lessons(corpora: Corpora) -> Iterator[Lesson]:
    for number, gold in enumerate(corpora.pages()):
        if (gold.anchors or gold.is_negative) and not gold.is_partial:
            yield Lesson(gold.id, gold.site, gold.body(), gold.anchors or (), 1.0, number)
    taken: Counter[str] = Counter()
    for detail in corpora.detail() if corpora.has_detail else ():
        taken[detail.site] += 1
        if taken[detail.site] <= DETAILS_PER_SITE:
            yield Lesson(f"{detail.id} (detail)", detail.site, detail.body, (), DETAIL_WEIGHT, 0)


def _examples(lesson: Lesson) -> list[Example]:
    page = read_page(lesson.body)
    first = _example(lesson, page, lesson.anchors)
    return [first, *_copies(page, first, lesson)] if first else []


def _example(lesson: Lesson, page: Page, anchors: Sequence[str]) -> Example | None:
    sums = RunningSums(page)
    found = find_candidates(page, sums)
    if not len(found):
        return None
    facts = PageFeatures(page, sums)
    figures = CandidateFeatures(facts, found).features()
    scorer = Scorer(page, anchors)
    worth = scorer.worth(found)
    example = Example(
        lesson.id, lesson.site, lesson.weight, len(page), found, tuple(figures), stacked(figures), worth,
        (facts.prose_share, facts.is_article),
    )  # fmt: skip
    best = np.argsort(-worth, kind="stable")[:LISTS_FOR_MEMBERS]
    lists = found.take(best[worth[best] >= MIN_SCORE_OF_LISTS])
    if not len(lists):
        return example
    members = member_features(CandidateFeatures(facts, lists))
    right = np.asarray(scorer.held(lists).any(axis=1), dtype=np.float64)
    return replace(example, member_names=tuple(members), members=stacked(members), member_worth=right)


def stacked(figures: FeatureTable) -> Small:
    """Return figures as a table, a column each."""
    return np.column_stack(list(figures.values())).astype(np.float32)


def _copies(page: Page, example: Example, lesson: Lesson) -> Iterator[Example]:
    """Yield examples of the page in other forms, as far as its gold is found in them."""
    best = int(example.worth.argmax())
    ranges = example.found.ranges(best)
    if example.worth[best] < MIN_SCORE_TO_COPY or len(ranges) < MIN_TO_COPY:
        return
    chance = np.random.default_rng(lesson.number)
    held = Scorer(page, lesson.anchors).held(example.found.take(np.array([best])))
    for form, copy, kept in _forms(page, ranges, chance, titles=bool(lesson.number % 2)):
        there = np.logical_or.reduce(held[kept], axis=0)
        places = Scorer(copy, lesson.anchors).places
        anchors = [anchor for k, anchor in enumerate(lesson.anchors) if there[k] and len(places[k])]
        if len(anchors) < max(2, MIN_ANCHORS_LEFT * int(there.sum())):
            continue
        if (taught := _example(lesson, copy, anchors)) is not None:
            yield replace(taught, id=f"{lesson.id} ({form})", weight=COPY_WEIGHT)


def _forms(
    page: Page, ranges: list[tuple[int, int]], chance: np.random.Generator, *, titles: bool
) -> Iterator[tuple[str, Page, slice]]:
    yield "few", *few_records(page, ranges, chance)
    if titles:
        yield "titles", bare_titles(page, ranges), slice(None)
    elif rows := rows_of_records(page, ranges, chance):
        yield "rows", rows, slice(None)


class Scorer:
    """The record score of many candidates of one page at once: anchors are found once, records are slices of text."""

    def __init__(self, page: Page, anchors: Sequence[str]) -> None:
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        rows = rows[(rows >= page.body) & (rows < page.end[page.body])]
        pieces = [squeeze(page.text[i]) for i in rows.tolist()]
        lengths = np.zeros(len(page), dtype=np.int64)
        lengths[rows] = [len(piece) for piece in pieces]
        self.text = "".join(pieces)
        self.offset = running_sum(lengths)
        self.keys = [squeeze(anchor) for anchor in anchors]
        self.distance = record_size(anchors, self.text)
        self.places = [np.array(list(_occurrences(self.text, key)), dtype=np.int64) for key in self.keys]

    def held(self, found: Candidates) -> NDArray[np.bool_]:
        """Return which record (row) holds which anchor (column)."""
        begin, end = self.offset[found.starts], self.offset[found.ends]
        held = np.zeros((len(begin), len(self.keys)), dtype=np.bool_)
        for k, (places, key) in enumerate(zip(self.places, self.keys, strict=True)):
            next_place = np.append(places, len(self.text) + 1)[np.searchsorted(places, begin)]
            held[:, k] = next_place + len(key) <= end
        return held

    def worth(self, found: Candidates) -> Numbers:
        """Return the record score of each candidate."""
        worth = np.zeros(len(found))
        if not self.keys:
            return worth
        held = self.held(found)
        sizes = self.offset[found.ends] - self.offset[found.starts]
        for k, (first, count) in enumerate(zip(found.first.tolist(), found.counts.tolist(), strict=True)):
            those = slice(first, first + count)
            if held[those].any():
                worth[k] = self._score(held[those], sizes[those])
        return worth

    def _score(self, held: NDArray[np.bool_], sizes: NDArray[np.int64]) -> float:
        right = right_records([np.flatnonzero(row).tolist() for row in held], self.keys)
        if not right:
            return 0.0
        f1 = 2 * len(right) / (len(held) + len(self.keys))
        whole = min(1.0, 2 * median(sizes[right].tolist()) / self.distance) if self.distance else 1.0
        return f1 * whole * min(1.0, 1.02 * len(self.text) / max(int(sizes.sum()), 1))


def _occurrences(text: str, key: str) -> Iterator[int]:
    place = text.find(key) if key else -1
    while place >= 0:
        yield place
        place = text.find(key, place + 1)

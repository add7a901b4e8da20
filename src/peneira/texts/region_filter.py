"""The regions of a page that are content, for pruning the rest.

The tag path filter keeps the largest region. This filter scores candidate regions (``region_candidates.py``) with a
small model on cheap features, keeps the best and those with almost the same score, and never prunes prose from a page
that is mostly prose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.ml.forest import Forest, Numbers, read_forest
from peneira.ml.running_sums import RunningSums, is_tag
from peneira.page import Flags, Page
from peneira.texts.region_candidates import RegionCandidates, RegionSums, region_candidates
from peneira.texts.tps import with_ancestors

# A region with a score this close to the best is content too, such as a list in several parts
MAX_SCORE_GAP = 0.05
MAX_REGIONS = 3
# A paragraph of this length or more is prose; a page with less than this share of its text in prose has none to keep
PROSE_CHARS = 80
MIN_PROSE_SHARE = 0.3
PROSE_TAGS = frozenset({"p", "blockquote"})

# Scores of all candidate regions of a page; callers may pass another scorer, such as a content model
Scorer = Callable[[Page, RegionCandidates], Numbers]


@cache
def region_model() -> Forest:
    """Return the region model that ships with peneira; ``peneira train regions`` trains it."""
    return read_forest(Path(__file__).with_name("models"), "regions")


def learned_score(page: Page, candidates: RegionCandidates) -> Numbers:
    """Return the learned score of each candidate, about 0..1: it holds the records and little else."""
    return region_model().predict(candidates.features)


@dataclass(frozen=True, slots=True)
class ScoredRegions:
    """The candidate regions of a page: rows ``start:end``, what holds each of them, and how good each is."""

    start: Rows
    end: Rows
    ancestor: Rows
    score: Numbers

    def __len__(self) -> int:
        return len(self.start)

    def main(self, page: Page) -> list[tuple[int, int]]:
        """Return the main regions as row ranges ``start:end``, best first; the whole body if nothing is repeated."""
        if not len(self):
            return [(page.body, int(page.end[page.body]))]
        order = np.argsort(-self.score, kind="stable")
        regions: list[tuple[int, int]] = []
        for k in order[self.score[order] >= self.score[order[0]] - MAX_SCORE_GAP].tolist():
            start, end = int(self.start[k]), int(self.end[k])
            if all(end <= taken_start or start >= taken_end for taken_start, taken_end in regions):
                regions.append((start, end))
            if len(regions) == MAX_REGIONS:
                break
        return regions


def scored_regions(page: Page, sums: RunningSums, score: Scorer = learned_score) -> ScoredRegions:
    """Return the candidate regions of a page with their scores."""
    candidates = region_candidates(page, sums)
    scores = score(page, candidates) if len(candidates) else np.zeros(0)
    return ScoredRegions(candidates.start, candidates.end, candidates.ancestor, scores)


def content_regions(page: Page, score: Scorer = learned_score) -> list[tuple[int, int]]:
    """Return the main regions as row ranges ``start:end``, best first; the whole body if nothing is repeated."""
    return scored_regions(page, RegionSums(page), score).main(page)


def content_rows(page: Page, score: Scorer = learned_score) -> Flags:
    """Return which rows of the body are in a main region or in prose, including their ancestors."""
    keep = np.zeros(len(page), dtype=np.bool_)
    sums = RegionSums(page)
    for start, end in (*scored_regions(page, sums, score).main(page), *prose_paragraphs(page, sums)):
        keep[start:end] = True
    return with_ancestors(page, keep)


def prose_paragraphs(page: Page, sums: RunningSums) -> list[tuple[int, int]]:
    """Return the long paragraphs of a page as row ranges; none if they hold too little of its text."""
    chars = sums.of_subtrees(page, sums.chars)
    long = np.flatnonzero(is_tag(page, PROSE_TAGS) & (chars >= PROSE_CHARS) & page.seen)
    if chars[long].sum() < MIN_PROSE_SHARE * max(int(sums.chars[-1]), 1):
        return []
    return [(i, int(page.end[i])) for i in long.tolist()]

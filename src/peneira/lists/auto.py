"""The default method: find candidate lists, rank them with learned models, and cut the best into records.

``candidates.py`` proposes lists, ``ranking.py`` finds the best, ``members.py`` leaves out what is not a record. Nothing
here depends on a site, and every list carries the reasons for its rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.budget import check_budget, no_budget
from peneira.findings import DeferredRegions, Findings
from peneira.lists.candidates import LIFTED, NODES, RUNS, TRIMMED, Candidates, kernel
from peneira.lists.explanation import deciding_features
from peneira.lists.features import CandidateFeatures
from peneira.lists.grouped_rows import are_groups, rows_of_groups
from peneira.lists.members import (
    kept_members,
    list_members,
    whole_records,
    without_interruptions,
    without_trailing_headings,
)
from peneira.lists.page_features import PageFeatures
from peneira.lists.phase import begins_too_late, doubts, in_phase, runs_across_breaks
from peneira.lists.ranking import (
    Models,
    RankedCandidates,
    ScreenedCandidates,
    rank_finalists,
    screen_candidates,
    shipped_models,
)
from peneira.lists.rearranged import rearranged_page
from peneira.node_paths import OWN_XPATH, PageNode
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import DeferredReasons, Reason, ReasonCode
from peneira.result import Record, Region, node_record

MAX_REGIONS = 5
MAX_RUNNERS_UP = 3
# The other lists of a larger page are made at once: until then they keep its running sums, 300 bytes a row
MAX_DEFERRED_ROWS = 20_000
# Candidates that were only screened are reported from this score on, all with the same low confidence
MIN_SCREENING_SCORE = 0.005
UNRANKED_CONFIDENCE = 0.01
# Of a list whose records could as well begin elsewhere
MAX_DOUBTFUL_CONFIDENCE = 0.85
_CLOCK_EVERY_RECORDS = 1024
# What a record is in each kind of candidate
RECORD_KINDS = {
    NODES: "each an element",
    LIFTED: "each the largest element around what all records have",
    RUNS: "each an element and the siblings after it",
    TRIMMED: "each an element and some of the siblings after it",
}


def find_lists(page: Page, models: Models | None = None) -> Findings:
    """Return the lists of the page, best first, none of them overlapping; and how probable each type of page is.

    Where the pieces of records are apart from each other, lists are searched for with the pieces put together first.
    """
    if not len(page):
        return Findings([])
    if (rearranged := rearranged_page(page)) is not None:
        found = _find_lists(rearranged.page, models)
        if regions := rearranged.main_lists(found.regions):
            return replace(found, regions=regions)
    return _find_lists(page, models)


def _find_lists(page: Page, models: Models | None) -> Findings:
    """Return the lists of a page on which the records are whole elements or siblings."""
    models = models or shipped_models(rendered=page.layout is not None)
    screened = screen_candidates(page, models.screening)
    ranked = in_phase(page, rows_of_groups(rank_finalists(screened, models)))
    taken = np.zeros(len(page), dtype=np.bool_)
    best = _disjoint(ranked.candidates, np.arange(len(ranked.candidates), dtype=np.int64), taken, MAX_REGIONS)
    unranked = _unranked(screened, taken, MAX_REGIONS - len(best))
    doubtful = doubts(page, ranked, best[0]) if best else []
    confidences = np.minimum.accumulate(ranked.confidence.of(best)).tolist() if best else []
    if doubtful:
        confidences = [min(confidence, MAX_DOUBTFUL_CONFIDENCE) for confidence in confidences]
    confidences += [min([UNRANKED_CONFIDENCE, *confidences])] * len(unranked)
    chosen = ranked.candidates.take(np.array(best, dtype=np.int64))
    if len(unranked):
        chosen = _joined(chosen, screened.candidates.take(unranked))
    if not len(chosen):
        return Findings([], page_types=ranked.page_types)
    confidences = [round(confidence, 3) for confidence in confidences]
    found = _FoundLists(screened.page_features, models, ranked, chosen, best, confidences, doubtful)
    if len(page) > MAX_DEFERRED_ROWS:
        return Findings(found.regions(range(len(chosen))), page_types=ranked.page_types)
    [first] = found.regions([0])
    others = range(1, len(chosen))
    return Findings(DeferredRegions(first, confidences, lambda: found.regions(others)), page_types=ranked.page_types)


class _Members:
    """The members of the k-th of some lists, of which some are kept as its records."""

    def __init__(
        self, features: CandidateFeatures, k: int, kept: NDArray[np.bool_], probability: NDArray[np.float64]
    ) -> None:
        own = slice(int(features.first[k]), int(features.first[k] + features.counts[k]))
        self.page, self.sums, self.ancestor = features.page, features.sums, int(features.ancestor[k])
        self.kind = int(features.candidates.kind[k])
        self.starts, self.ends, self.kept = features.starts[own], features.ends[own], kept[own]
        self.probability = probability[own]

    def records(self) -> tuple[Record, ...]:
        """Return the members that were kept."""
        page, kept = self.page, self.kept
        first, last = whole_records(page, self.sums, self.starts[kept], self.ends[kept])
        ranges = list(zip(first.tolist(), last.tolist(), strict=True))
        paths, texts, probabilities = page.paths, page.texts_of(ranges), self.probability[kept].tolist()
        records: list[Record] = []
        for start in range(0, len(ranges), _CLOCK_EVERY_RECORDS):
            check_budget()
            some = slice(start, start + _CLOCK_EVERY_RECORDS)
            own = (ranges[some], texts[some], probabilities[some])
            if list_members is not None:
                records += list_members.node_records(Record, OWN_XPATH, PageNode, paths, *own)
                continue
            records += [
                node_record(rows, text, round(probability, 3), PageNode(paths, rows[0]))
                for rows, text, probability in zip(*own, strict=True)
            ]
        return tuple(records)

    def left_out(self) -> list[Reason]:
        """Return which members were not kept."""
        others = ~self.kept
        ranges = zip(self.starts[others].tolist(), self.ends[others].tolist(), strict=True)
        return [
            Reason(ReasonCode.LEFT_OUT, f"among the records but not one of them: {self.page.text_of(*rows)[:60]!r}")
            for rows in ranges
        ]


@dataclass(frozen=True, slots=True)
class _FoundLists:
    """The lists of a page, best first, of which regions are made.

    ``best``: the places of the ranked ones among the finalists; the lists after them were only screened.
    ``doubtful``: why the records of the first may begin elsewhere.
    """

    page_features: PageFeatures
    models: Models
    ranked: RankedCandidates
    lists: Candidates
    best: Sequence[int]
    confidences: Sequence[float]
    doubtful: Sequence[Reason]

    def regions(self, numbers: Sequence[int]) -> list[Region]:
        """Return the lists of these numbers as regions."""
        if not numbers:
            return []
        page, chosen = self.page_features.page, self.lists.take(np.array(numbers, dtype=np.int64))
        lists = without_interruptions(page, self.page_features.sums, chosen)
        lists = without_trailing_headings(page, lists)
        interruptions = np.add.reduceat((lists.ends < chosen.ends).astype(np.int64), chosen.first).tolist()
        features = CandidateFeatures(self.page_features, lists)
        kept, probability = kept_members(features, self.models.members)
        return [
            self._region(number, interruptions[k], _Members(features, k, kept, probability))
            for k, number in enumerate(numbers)
        ]

    def _region(self, number: int, interruptions: int, members: _Members) -> Region:
        """Return the list of a number as a region; its reasons are made when they are read, if it is small."""
        page = self.page_features.page
        records = members.records()
        kind = RECORD_KINDS[members.kind]

        def reasons() -> tuple[Reason, ...]:
            with no_budget():  # as all of it was counted
                return (
                    Reason(ReasonCode.CUT, f"{len(records)} records, {kind}", float(len(records))),
                    *_interrupted(interruptions),
                    *_reasons(page, number, self.best, self.ranked, self.models),
                    *(self.doubtful if number == 0 else ()),
                    *members.left_out(),
                )

        return Region(
            "",
            records,
            self.confidences[number],
            reasons=reasons() if len(page) > MAX_DEFERRED_ROWS else DeferredReasons(reasons),
            node=page.node(members.ancestor),
        )


def _disjoint(candidates: Candidates, order: Integers, taken: NDArray[np.bool_], limit: int) -> list[int]:
    """Return the first candidates in this order that overlap neither taken rows nor each other, and take their rows."""
    chosen: list[int] = []
    if kernel is not None:
        found: list[int] = kernel.first_disjoint(
            candidates.starts, candidates.ends, candidates.counts, order, taken.view(np.uint8), limit
        )
        return found
    while len(order) and len(chosen) < limit:
        sums = running_sum(taken)
        overlaps = np.add.reduceat(sums[candidates.ends] - sums[candidates.starts], candidates.first) > 0
        order = order[~overlaps[order]]
        if len(order):
            chosen.append(int(order[0]))
            _take(taken, candidates.ranges(chosen[-1]))
    return chosen


def _take(taken: NDArray[np.bool_], ranges: Sequence[tuple[int, int]]) -> None:
    for start, end in ranges:
        taken[start:end] = True


def _unranked(screened: ScreenedCandidates, taken: NDArray[np.bool_], limit: int) -> Integers:
    """Return the best candidates that overlap none of the ranked lists."""
    if not limit:
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(-screened.scores, kind="stable")
    plausible = order[screened.scores[order] >= MIN_SCREENING_SCORE]
    return np.array(_disjoint(screened.candidates, plausible, taken, limit), dtype=np.int64)


def _joined(first: Candidates, second: Candidates) -> Candidates:
    columns = ("starts", "ends", "counts", "kind", "support")
    return Candidates(*(np.concatenate((getattr(first, name), getattr(second, name))) for name in columns))


def _interrupted(times: int) -> list[Reason]:
    message = f"left out content between records, {times} {'times' if times > 1 else 'time'}"
    return [Reason(ReasonCode.INTERRUPTED, message, float(times))] if times else []


def _reasons(page: Page, k: int, best: Sequence[int], ranked: RankedCandidates, models: Models) -> list[Reason]:
    """Return the reasons for the rank of the k-th list: its score, and what decided between it and the next list."""
    if k >= len(best):
        return [Reason(ReasonCode.NOT_RANKED, "scored too low to be compared with the best lists")]
    score = float(ranked.scores[best[k]])
    reasons = [
        Reason(
            ReasonCode.SCORE,
            f"number {k + 1} of {counted(len(best), 'ranked list')}, with a score of {score:.2f}",
            round(score, 4),
        )
    ]
    if ranked.hidden[best[k]]:
        reasons.append(Reason(ReasonCode.HIDDEN, "the page hides this list from its readers"))
    if k == 0 and score < ranked.scores.max():
        reasons.append(_promoted(ranked))
    if k == 0 and len(ranked.candidates) > 1:  # another list, or another cut of the only one
        reasons += deciding_features(ranked, models, best[0], best[1] if len(best) > 1 else 1)
    return reasons + (_runners_up(page, ranked) if k == 0 else [])


def _promoted(ranked: RankedCandidates) -> Reason:
    """Return why the first list is not the list with the highest score."""
    highest = int(ranked.scores.argmax())
    own, other = float(ranked.quality[0]), float(ranked.quality[highest])
    if ranked.hidden[highest] and not ranked.hidden[0]:
        return Reason(ReasonCode.VISIBLE, "the list with the highest score is hidden, this one is not")
    if begins_too_late(ranked, highest) and not begins_too_late(ranked, 0):
        return Reason(
            ReasonCode.PHASE, "the list with the highest score begins with the end of a record, this one does not"
        )
    if are_groups(ranked, highest, 0):
        return Reason(ReasonCode.PHASE, "each record of the list with the highest score is a table of these records")
    if runs_across_breaks(ranked, highest) and not runs_across_breaks(ranked, 0):
        return Reason(
            ReasonCode.PHASE, "the records of the list with the highest score run across blank lines, these do not"
        )
    message = f"a higher expected record score than the list that ranks highest: {own:.2f} against {other:.2f}"
    return Reason(ReasonCode.QUALITY, message, round(own - other, 4))


def _runners_up(page: Page, ranked: RankedCandidates) -> list[Reason]:
    """Return the next best candidates, most of them other cuts of the same list."""
    best = float(ranked.scores[0])
    numbers = range(1, min(len(ranked.candidates), MAX_RUNNERS_UP + 1))
    return [_runner_up(page, ranked.candidates, k, best - float(ranked.scores[k])) for k in numbers]


def _runner_up(page: Page, candidates: Candidates, k: int, margin: float) -> Reason:
    """Return how far the k-th candidate is behind the first."""
    first, count = int(candidates.starts[candidates.first[k]]), int(candidates.counts[k])
    kind = RECORD_KINDS[int(candidates.kind[k])]

    def message() -> str:
        rank = f"behind by {margin:.2f}" if margin >= 0 else f"ahead by {-margin:.2f}, but of lower quality or hidden"
        return f"{count} records, {kind}, from {page.xpath(first)}: {rank}"

    return Reason.deferred(ReasonCode.RUNNER_UP, message, round(margin, 4))

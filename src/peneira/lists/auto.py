"""Our own method: candidates, rank_finalists by what was learned of lists and menus, cut into records.

``candidates.py`` proposes lists, ``rank.py`` finds the best, ``members.py`` leaves out what is no record. Nothing here
knows a site; every list says why it is where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.lists.candidates import LIFTED, NODES, RUNS, TRIMMED, Candidates
from peneira.lists.explanation import deciding_features
from peneira.lists.features import CandidateFeatures
from peneira.lists.members import kept_members, whole_elements, without_interruptions
from peneira.lists.ranking import (
    Models,
    RankedCandidates,
    ScreenedCandidates,
    rank_finalists,
    screen_candidates,
    shipped_models,
)
from peneira.page import Page
from peneira.result import Reason, Record, Region

MAX_REGIONS = 5
RUNNERS_UP = 3
# Lists that were not compared with the best ones: there, if somebody asks for them
MIN_SCREEN_SCORE = 0.005
CUTS = {
    NODES: "each an element",
    LIFTED: "each the largest element around what all have",
    RUNS: "each an element and the siblings after it",
    TRIMMED: "each an element and some siblings after it",
}
ASIDE_CONFIDENCE = 0.01


def find_regions(page: Page, models: Models | None = None) -> list[Region]:
    """Return the lists of the page, best first, none of them overlapping."""
    if not len(page):
        return []
    models = models or shipped_models(rendered=page.layout is not None)
    first = screen_candidates(page, models.screening)
    ranking = rank_finalists(first, models)
    taken = np.zeros(len(page), dtype=np.bool_)
    main = _disjoint(ranking.found, np.arange(len(ranking.found)), taken, MAX_REGIONS)
    lists = ranking.found.take(np.array(main, dtype=np.int64))
    trust = np.minimum.accumulate(ranking.trust[main]) if main else np.zeros(0)
    asides = _asides(first, taken, MAX_REGIONS - len(main))
    confidence = [*trust.tolist(), *[min([ASIDE_CONFIDENCE, *trust.tolist()])] * len(asides)]
    chosen = _joined(lists, first.found.take(asides))
    if not len(chosen):
        return []
    whole = without_interruptions(page, first.facts.sums, chosen)
    between = np.add.reduceat((whole.ends < chosen.ends).astype(np.int64), chosen.first)
    evidence = CandidateFeatures(first.facts, whole)
    kept, belief = kept_members(evidence, models.members)
    return [
        _region(
            page,
            evidence,
            k,
            kept,
            belief,
            confidence[k],
            [*_interrupted(int(between[k])), *_reasons(page, k, main, ranking, models)],
        )
        for k in range(len(chosen))
    ]


def _disjoint(found: Candidates, order: Integers, taken: NDArray[np.bool_], most: int) -> list[int]:
    """Return those, in the order given, that overlap nothing taken and none before them; their rows are taken then."""
    chosen: list[int] = []
    while len(order) and len(chosen) < most:
        sums = running_sum(taken)
        busy = np.add.reduceat(sums[found.ends] - sums[found.starts], found.first) > 0
        order = order[~busy[order]]
        if len(order):
            chosen.append(int(order[0]))
            _take(taken, found.ranges(chosen[-1]))
    return chosen


def _take(taken: NDArray[np.bool_], ranges: Sequence[tuple[int, int]]) -> None:
    for start, end in ranges:
        taken[start:end] = True


def _asides(first: ScreenedCandidates, taken: NDArray[np.bool_], most: int) -> Integers:
    """Return the other candidates that are lists of their own, best first."""
    order = np.argsort(-first.scores, kind="stable")
    plausible = order[first.scores[order] >= MIN_SCREEN_SCORE]
    return np.array(_disjoint(first.found, plausible, taken, most), dtype=np.int64)


def _joined(one: Candidates, other: Candidates) -> Candidates:
    columns = ("starts", "ends", "counts", "kind", "support")
    return Candidates(*(np.concatenate((getattr(one, name), getattr(other, name))) for name in columns))


def _region(
    page: Page,
    evidence: CandidateFeatures,
    k: int,
    kept: NDArray[np.bool_],
    belief: NDArray[np.float64],
    confidence: float,
    reasons: Sequence[Reason],
) -> Region:
    members = np.arange(int(evidence.first[k]), int(evidence.first[k] + evidence.counts[k]))
    chosen, others = members[kept[members]], members[~kept[members]]
    ranges = zip(
        *whole_elements(page, evidence.facts.sums, evidence.starts[chosen], evidence.ends[chosen]), strict=True
    )
    records = tuple(
        _record(page, int(start), int(end), float(belief[i])) for (start, end), i in zip(ranges, chosen, strict=True)
    )
    left_out = [page.text_of(int(evidence.starts[i]), int(evidence.ends[i])) for i in others]
    how = Reason("cut", f"{len(records)} records, {CUTS[int(evidence.found.kind[k])]}", float(len(records)))
    lost = [Reason("left out", f"no record, though it stands among them: {text[:60]!r}") for text in left_out]
    return Region(page.xpath(int(evidence.holder[k])), records, round(confidence, 3), reasons=(how, *reasons, *lost))


def _interrupted(times: int) -> list[Reason]:
    told = f"left out what stands between records in {times} {'places' if times > 1 else 'place'}"
    return [Reason("interrupted", told, float(times))] if times else []


def _record(page: Page, start: int, end: int, belief: float) -> Record:
    return Record(((start, end),), page.text_of(start, end), page.xpath(start), round(belief, 3))


def _reasons(page: Page, k: int, main: Sequence[int], ranking: RankedCandidates, models: Models) -> list[Reason]:
    """Return what speaks for the k-th list: its score, and what decided between it and the best other list."""
    if k >= len(main):
        return [Reason("aside", "not compared with the best lists")]
    score = float(ranking.scores[main[k]])
    reasons = [Reason("score", f"number {k + 1} of {len(main)} lists, with a score of {score:.2f}", round(score, 4))]
    if ranking.hidden[main[k]]:
        reasons.append(Reason("hidden", "the page hides this list from its readers"))
    if k == 0 and score < ranking.scores.max():
        reasons.append(_promoted(ranking))
    if k == 0 and len(ranking.found) > 1:  # another list, or another cut of the only one
        reasons += deciding_features(ranking, models.ranking, main[0], main[1] if len(main) > 1 else 1)
    return reasons + (_runners_up(page, ranking) if k == 0 else [])


def _promoted(ranking: RankedCandidates) -> Reason:
    """Return why the first list is not the one with the highest score."""
    highest = int(ranking.scores.argmax())
    own, other = float(ranking.trust[0]), float(ranking.trust[highest])
    if ranking.hidden[highest] and not ranking.hidden[0]:
        return Reason("shown", "the list with the highest score is hidden, this one is not")
    told = f"trusted more than the list with the highest score: {own:.2f} against {other:.2f}"
    return Reason("trust", told, round(own - other, 4))


def _runners_up(page: Page, ranking: RankedCandidates) -> list[Reason]:
    """Return the candidates that came next, most of them other cuts of the same list."""
    best = float(ranking.scores[0])
    reasons = []
    for k in range(1, min(len(ranking.found), RUNNERS_UP + 1)):
        ranges = ranking.found.ranges(k)
        margin = best - float(ranking.scores[k])
        cut = CUTS[int(ranking.found.kind[k])]
        told = f"{len(ranges)} records, {cut}, from {page.xpath(ranges[0][0])}: "
        told += f"behind by {margin:.2f}" if margin >= 0 else f"ahead by {-margin:.2f}, but trusted less or hidden"
        reasons.append(Reason("runner-up", told, round(margin, 4)))
    return reasons

"""Where records begin that have no element of their own: the same siblings can be cut at several places.

A list that is cut too late has the head of its first record before it, which looks like the ends of its other records,
and its last record lacks such an end. If the list from that head on is among the finalists, it takes the first place.
A list that is cut at blank lines and rules takes it from one whose records run across them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from peneira.lists.ranking import RankedCandidates, reordered
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode

Ranges = Sequence[tuple[int, int]]

MAX_QUOTED_CHARS = 60


@dataclass(frozen=True, slots=True)
class PhaseOptions:
    """How sure one must be of where records begin."""

    # The share of records that end like what stands before the first: from here on the list is cut too late
    min_late: float = 0.8
    # How much less another start may score to take the first place from a list that is cut too late
    max_gain: float = 4.0
    # The share of records that have a blank line or a rule inside: from here on they run across the breaks of the page,
    # and a list whose records begin at breaks, at least and at most by these shares, takes the first place from them
    min_crossing: float = 0.5
    min_at_breaks: float = 0.9
    max_crossing: float = 0.1
    # How many records more or fewer such a list may have, as a share: links before the first break are no records of it
    max_count_change: float = 0.3
    # How much of the text of the first list such a list must have: bare dates and titles begin at breaks too
    min_text: float = 0.8
    # Another start that scores at most this much less puts the first in doubt
    max_doubt: float = 0.3


OPTIONS = PhaseOptions()


def in_phase(page: Page, ranked: RankedCandidates) -> RankedCandidates:
    """Return the ranking, its first list replaced by the same siblings cut where their records begin."""
    if not len(ranked.candidates):
        return ranked
    other = _at_breaks(page, ranked)
    if other is None:
        other = _from_first_head(page, ranked)
    if other is None:
        return ranked
    promoted = reordered(ranked, other)
    # the confidence was in these records, wherever they begin
    return replace(promoted, confidence=promoted.confidence.with_first(float(ranked.confidence.of([0, other]).max())))


def _from_first_head(page: Page, ranked: RankedCandidates) -> int | None:
    """Return the list that begins with the head of the first record, if the first list is cut too late."""
    if not begins_too_late(ranked, 0):
        return None
    start = ranked.candidates.ranges(0)[0][0]
    for other in _rotations(page, ranked, 0, OPTIONS.max_gain):
        if not begins_too_late(ranked, other) and ranked.candidates.ranges(other)[0][0] < start:
            return other
    return None


def _at_breaks(page: Page, ranked: RankedCandidates) -> int | None:
    """Return the list that is cut at blank lines and rules, if the records of the first run across them."""
    if not runs_across_breaks(ranked, 0):
        return None
    own = ranked.candidates.ranges(0)
    crossing, at_breaks, text = (
        np.asarray(ranked.features[name], dtype=np.float64) for name in ("breaks_inside", "after_break", "share")
    )
    is_cut = (crossing <= OPTIONS.max_crossing) & (at_breaks >= OPTIONS.min_at_breaks)
    is_cut &= text >= OPTIONS.min_text * text[0]
    change = np.abs(ranked.candidates.counts - len(own))
    is_cut &= (change <= OPTIONS.max_count_change * len(own)) & (ranked.scores >= ranked.scores[0] - OPTIONS.max_gain)
    for other in np.flatnonzero(is_cut).tolist():
        ranges = ranked.candidates.ranges(other)
        if _parents(page, ranges) == _parents(page, own):
            return int(other)
    return None


def runs_across_breaks(ranked: RankedCandidates, k: int) -> bool:
    """Return whether the records of a list have blank lines or rules inside."""
    return float(ranked.features["breaks_inside"][k]) >= OPTIONS.min_crossing


def begins_too_late(ranked: RankedCandidates, k: int) -> bool:
    """Return whether the head of a list's first record stands before it, by what its other records end with."""
    return float(ranked.features["before_like_tail"][k]) >= OPTIONS.min_late


def doubts(page: Page, ranked: RankedCandidates, k: int) -> list[Reason]:
    """Return that the records of a list may begin elsewhere, if as many from another start score nearly as high."""
    for other in _rotations(page, ranked, k, OPTIONS.max_doubt):
        ranges = ranked.candidates.ranges(other)
        first = page.text_of(*ranges[0])[:MAX_QUOTED_CHARS]
        message = f"it is in doubt where records begin: {len(ranges)} records, the first from {first!r}, score alike"
        return [Reason(ReasonCode.PHASE, message, round(float(ranked.scores[k] - ranked.scores[other]), 4))]
    return []


def _rotations(page: Page, ranked: RankedCandidates, k: int, lead: float) -> Iterator[int]:
    """Yield the finalists that cut the siblings of a list into about as many records from other starts, best first."""
    own = ranked.candidates.ranges(k)
    starts, parents = {start for start, _ in own}, _parents(page, own)
    near = np.flatnonzero(ranked.scores >= ranked.scores[k] - lead)
    for other in near[near != k].tolist():
        ranges = ranked.candidates.ranges(other)
        is_rotated = abs(len(ranges) - len(own)) <= 1 and starts.isdisjoint(start for start, _ in ranges)
        if is_rotated and _parents(page, ranges) == parents and _cross(own, ranges):
            yield other


def _parents(page: Page, ranges: Ranges) -> set[int]:
    return {int(page.parent[start]) for start, _ in ranges}


def _cross(own: Ranges, others: Ranges) -> bool:
    """Return whether the records of two lists overlap without lying inside each other."""
    pairs = [*zip(own, others, strict=False), *zip(own, others[1:], strict=False), *zip(own[1:], others, strict=False)]
    return any(a < c < b < d or c < a < d < b for (a, b), (c, d) in pairs)

"""Tables one after the other, each under a heading and with its own captions: their rows are the records.

Such a section looks like a record, and its score is close to that of the rows, or its quality is lower. What has
captions of its own and several rows under them is a group of records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peneira.lists.ranking import RankedCandidates, reordered


@dataclass(frozen=True, slots=True)
class GroupOptions:
    """What counts as a group of records, and how close the score of its rows must be."""

    # The share of records with header cells: of a list of groups at least, of a list of rows at most
    min_captioned: float = 0.9
    max_captioned: float = 0.1
    # How many rows there are for each group, at least, and how much less their list may score if its quality is lower
    min_rows: float = 2.0
    max_gain: float = 0.5
    # The share of the rows that must lie in a group
    min_inside: float = 0.9


OPTIONS = GroupOptions()


def rows_of_groups(ranked: RankedCandidates) -> RankedCandidates:
    """Return the ranking, its first list replaced by the rows inside its records, if these are groups of rows."""
    if not len(ranked.candidates):
        return ranked
    is_close = ranked.scores >= ranked.scores[0] - OPTIONS.max_gain
    for other in np.flatnonzero(is_close | (ranked.quality > ranked.quality[0])).tolist():
        if are_groups(ranked, 0, other):
            return reordered(ranked, other)
    return ranked


def are_groups(ranked: RankedCandidates, k: int, rows: int) -> bool:
    """Return whether each record of list ``k`` has captions of its own and several records of the list ``rows``."""
    captioned, counts = ranked.features["headers_any"], ranked.candidates.counts
    return (
        float(captioned[k]) >= OPTIONS.min_captioned
        and float(captioned[rows]) <= OPTIONS.max_captioned
        and int(counts[rows]) >= OPTIONS.min_rows * int(counts[k])
        and _share_inside(ranked, k, rows) >= OPTIONS.min_inside
    )


def _share_inside(ranked: RankedCandidates, k: int, rows: int) -> float:
    """Return the share of the records of the list ``rows`` that lie in a record of list ``k``."""
    starts, ends = (np.array(column) for column in zip(*ranked.candidates.ranges(k), strict=True))
    first, last = (np.array(column) for column in zip(*ranked.candidates.ranges(rows), strict=True))
    group = np.searchsorted(starts, first, side="right") - 1
    return float(((group >= 0) & (last <= ends[group])).mean())

"""DSRE: records by signal processing on the tag path sequence (Velloso and Dorneles 2017; Velloso et al. 2020).

Built from the description in Nunes 2023, chapter 3. The codes of the tag paths, numbered as they first occur, are a
signal. Its contour, the running maximum, rises where a page shows something new and stays level where it repeats
itself; a region is a rise and the level part after it, joined with the next where that has mostly the same symbols. A
region whose signal goes on rising (by linear regression) is no list. The strongest frequency of a region (FFT) gives
the number of its records, and the symbol that occurs about as often and lies highest in the tree starts each of them.
The publication classifies regions by a model over six features; here the largest one wins, and what has no text loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from peneira.page import Codes, Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region
from peneira.texts.tps import tag_path_sequence

# A region is a list only if its signal rises by less per position; three equal records rise by 1/9, two by 1/4
MAX_SLOPE = 0.2
# Two parts of the signal are one region if this share of the later has symbols of the earlier
MIN_SHARED = 0.5
# A symbol can start records if its number differs from that of the periods by at most this share
MAX_COUNT_DIFFERENCE = 0.35
MIN_RECORDS = 2

Signal = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Periodic:
    """A part ``start:end`` of the sequence that repeats itself: how often, and the positions where records start."""

    start: int
    end: int
    periods: int
    strength: float
    starts: tuple[int, ...]


def find_regions(page: Page) -> list[Region]:
    """Return the periodic regions of a page as lists of records, those with the most text first."""
    if not len(page):
        return []
    sequence = tag_path_sequence(page, frozenset())
    ends = np.searchsorted(sequence.rows, page.end[sequence.rows])
    found = periodic_regions(sequence.symbols.astype(np.int64), page.depth[sequence.rows], ends)
    regions = [_region(page, sequence.rows, part) for part in found]
    listed = [region for region in regions if region is not None]
    return sorted(listed, key=lambda region: (-sum(len(r.text) for r in region.records), region.records[0].ranges[0]))


def periodic_regions(signal: Signal, depths: Codes, ends: Signal) -> list[Periodic]:
    """Return the periodic regions of a signal in order.

    ``depths`` and ``ends``: of the node at each position, its depth and the position after its last descendant.
    """
    found = []
    for region in contour_regions(signal):
        start, end = _repeated(signal, *region)
        part = signal[start:end]
        if slope(part) > MAX_SLOPE:
            continue
        periods, strength = strongest_frequency(part)
        starts = record_starts(part, depths[start:end], ends[start:end] <= end, periods)
        if len(starts) >= MIN_RECORDS:
            found.append(Periodic(start, end, periods, strength, tuple(start + k for k in starts)))
    return found


def contour_regions(signal: Signal) -> list[tuple[int, int]]:
    """Return the parts of a signal that a rise of its contour begins, joined where the later repeats the earlier."""
    if not len(signal):
        return []
    contour = np.maximum.accumulate(signal)
    is_rising = np.diff(contour, prepend=0) > 0
    begins = np.flatnonzero(is_rising & ~np.concatenate(([False], is_rising[:-1]))).tolist()
    ends = [*begins[1:], len(signal)]
    regions: list[tuple[int, int]] = []
    for start, end in zip(begins, ends, strict=True):
        regions.append((start, end))
        while len(regions) > 1 and _repeats(signal, regions[-2], regions[-1]):
            (first, _), (_, last) = regions.pop(-2), regions.pop()
            regions.append((first, last))
    return regions


def _repeats(signal: Signal, earlier: tuple[int, int], later: tuple[int, int]) -> bool:
    known, new = signal[slice(*earlier)], signal[slice(*later)]
    return bool(np.isin(new, known).mean() >= MIN_SHARED)


def _repeated(signal: Signal, start: int, end: int) -> tuple[int, int]:
    """Return a region without what it has only once at its ends, and with what comes again inside just before it."""
    symbols, inverse, counts = np.unique(signal[start:end], return_inverse=True, return_counts=True)
    again = np.flatnonzero(counts[inverse] >= MIN_RECORDS)
    if not len(again):
        return start, start
    known = set(symbols[counts >= MIN_RECORDS].tolist())
    first, last = start + int(again[0]), start + int(again[-1]) + 1
    while first > 0 and first <= start and int(signal[first - 1]) in known:
        first -= 1
    return first, last


def slope(signal: Signal) -> float:
    """Return by how much a signal rises per position (least squares)."""
    if len(signal) < 2:
        return 1.0
    x = np.arange(len(signal)) - (len(signal) - 1) / 2
    return float((x * (signal - signal.mean())).sum() / (x * x).sum())


def strongest_frequency(signal: Signal) -> tuple[int, float]:
    """Return how many periods the strongest frequency of a signal has, and its share of the power."""
    power = np.abs(np.fft.rfft(signal - signal.mean())) ** 2
    power[:MIN_RECORDS] = 0  # a single period repeats nothing
    total = float(power.sum())
    if total <= 0:
        return 0, 0.0
    best = int(power.argmax())
    return best, float(power[best] / total)


def record_starts(signal: Signal, depths: Codes, is_inside: NDArray[np.bool_], periods: int) -> list[int]:
    """Return the positions of the symbol that starts records: as frequent as the periods, and highest in the tree.

    ``is_inside``: whether the node at a position ends in the region; the last nodes of a region may hold the next one.
    """
    inside = np.flatnonzero(is_inside)
    symbols, first, counts = np.unique(signal[inside], return_index=True, return_counts=True)
    depths = depths[inside]
    near = np.abs(counts - periods) <= MAX_COUNT_DIFFERENCE * periods
    if not near.any():
        return []
    order = np.lexsort((first[near], depths[first[near]]))
    symbol = symbols[near][order[0]]
    starts: list[int] = inside[signal[inside] == symbol].tolist()
    return starts


def _region(page: Page, rows: Codes, part: Periodic) -> Region | None:
    starts = [int(rows[k]) for k in part.starts]
    ends = [*starts[1:], _last_end(page, starts, int(rows[part.end - 1]) + 1)]
    records = tuple(_record(page, start, end) for start, end in zip(starts, ends, strict=True))
    if not any(record.text for record in records):
        return None
    reasons = (
        Reason(ReasonCode.SIMILARITY, f"the strongest frequency has {part.strength:.0%} of the power", part.strength),
        Reason(ReasonCode.LENGTH, f"{part.periods} periods in {part.end - part.start} nodes", part.periods),
    )
    parent = int(page.parent[starts[0]])
    confidence = round(min(part.strength, 1.0) * (1 - 1 / len(records)), 3)
    return Region(page.xpath(max(parent, 0)), records, confidence, reasons=reasons)


def _last_end(page: Page, starts: Sequence[int], region_end: int) -> int:
    """Return where the last record ends: it has as many siblings as the others mostly have, inside its parent."""
    parent = page.parent[starts[-1]]
    siblings = [child for child in page.children(int(parent)) if child >= starts[-1]] if parent >= 0 else []
    between = [
        sum(int(page.parent[i]) == int(parent) for i in range(a, min(b, a + 5000)))
        for a, b in pairwise(starts)
        if page.parent[a] == parent == page.parent[b]
    ]
    number = int(np.median(between)) if between else 1
    last = siblings[: max(number, 1)][-1] if siblings else starts[-1]
    return min(int(page.end[last]), max(region_end, int(page.end[starts[-1]])))


def _record(page: Page, start: int, end: int) -> Record:
    """Return the whole subtrees between two rows as a record."""
    ranges: list[Range] = []
    i = start
    while i < end:
        until = int(page.end[i])
        if until > end:  # an element that goes on after the record: only what is inside counts
            i += 1
            continue
        if not page.silent[i]:
            if ranges and ranges[-1][1] == i and page.parent[ranges[-1][0]] == page.parent[i]:
                ranges[-1] = (ranges[-1][0], until)
            else:
                ranges.append((i, until))
        i = until
    ranges = ranges or [(start, int(page.end[start]))]
    text = " ".join(filter(None, (page.text_of(a, b) for a, b in ranges)))
    return Record(tuple(ranges), text, "", node=page.node(ranges[0][0]))

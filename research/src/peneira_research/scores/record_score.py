"""The record score: is every record found, complete, as one record, and none twice?

The gold of a page is its anchors: for each true record a string that identifies it, in document order. All texts are
compared squeezed (``squeeze``). Three questions make the score:

- *Which records are right?* Each record is paired with at most one anchor that it holds, as many pairs as possible. A
  paired record is right unless it swallowed a second true record: an anchor that occurs in no other record.
- *Are they complete?* The distance from anchor to anchor in the page is the size of a record. Right records of less
  than half that size, such as bare titles, cost F1 in proportion.
- *Are they disjoint?* Records that hold more text than the page has must overlap, and cost F1 in proportion.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from peneira_research.squeezed_text import squeeze

# A record is complete from this share of the distance between anchors on
COMPLETE_SHARE = 0.5
# Records may hold this much more text than the page before they count as overlapping
OVERLAP_SLACK = 1.02
# A record that holds more anchors than this is paired with none of them
MAX_ANCHORS_HELD = 60
# With fewer distances between anchors, the size of a record is not known
MIN_DISTANCES = 2


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one page, all 0..1. ``f1`` is scaled already; ``scale`` is what it was multiplied by."""

    precision: float
    recall: float
    f1: float
    scale: float


@dataclass(frozen=True, slots=True)
class Matching:
    """Records against anchors, by index: the anchors that each holds, the one it is paired with, the right records."""

    held: tuple[tuple[int, ...], ...]
    paired: Mapping[int, int]
    right: tuple[int, ...]


def score(records: Sequence[str], anchors: Sequence[str], text: str | None = None) -> Score:
    """Return the score of the texts of the records. ``text`` is the ``page_text``; without it nothing is scaled."""
    if not anchors:
        return Score(0.0, 1.0, 0.0, 1.0) if records else Score(1.0, 1.0, 1.0, 1.0)
    squeezed = [squeeze(record) for record in records]
    keys = [squeeze(anchor) for anchor in anchors]
    right = _matching(squeezed, keys).right
    precision = len(right) / len(records) if records else 0.0
    recall = len(right) / len(anchors)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    scale = 1.0
    if text is not None and right:
        sizes = [len(record) for record in squeezed]
        scale = _completeness([sizes[i] for i in right], _distance(keys, text)) * _disjointness(sizes, len(text))
    return Score(precision, recall, f1 * scale, scale)


def match(records: Sequence[str], anchors: Sequence[str]) -> Matching:
    """Return which record holds, and is paired with, which anchor."""
    return _matching([squeeze(record) for record in records], [squeeze(anchor) for anchor in anchors])


def record_size(anchors: Sequence[str], text: str) -> float | None:
    """Return the typical number of squeezed characters from anchor to anchor; None where too few are found in order."""
    return _distance([squeeze(anchor) for anchor in anchors], text)


def _matching(records: Sequence[str], keys: Sequence[str]) -> Matching:
    held = [[anchor for anchor, key in enumerate(keys) if key and key in record] for record in records]
    paired = _pair(held)
    return Matching(tuple(map(tuple, held)), paired, tuple(_right(held, paired, keys)))


def right_records(held: Sequence[Sequence[int]], keys: Sequence[str]) -> list[int]:
    """Return the right records, given the anchors that each holds and the squeezed anchors."""
    return _right(held, _pair(held), keys)


def _right(held: Sequence[Sequence[int]], paired: Mapping[int, int], keys: Sequence[str]) -> list[int]:
    holders = Counter(anchor for anchors in held for anchor in anchors)
    return sorted(
        record
        for record, anchor in paired.items()
        if all(holders[other] > 1 or keys[other] == keys[anchor] for other in held[record])
    )


def _pair(held: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a largest pairing of records with anchors that they hold, by augmenting paths, breadth first (Berge 1957).

    Records are taken in order, and so are the anchors of each: so the choice among several largest pairings is fixed.
    """
    anchor_of: dict[int, int] = {}
    record_of: dict[int, int] = {}
    for record, anchors in enumerate(held):
        if len(anchors) > MAX_ANCHORS_HELD:
            continue
        reached_from, free = _free_anchor(record, held, record_of)
        while free is not None:
            taker = reached_from[free]
            released = anchor_of.get(taker)
            anchor_of[taker], record_of[free] = free, taker
            free = released
    return anchor_of


def _free_anchor(
    start: int, held: Sequence[Sequence[int]], record_of: Mapping[int, int]
) -> tuple[dict[int, int], int | None]:
    """Return from which record each anchor was reached, and the first without a record that ``start`` can reach."""
    reached_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        record = waiting.popleft()
        for anchor in held[record]:
            if anchor in reached_from:
                continue
            reached_from[anchor] = record
            if anchor not in record_of:
                return reached_from, anchor
            waiting.append(record_of[anchor])
    return reached_from, None


def _distance(keys: Sequence[str], text: str) -> float | None:
    positions: list[int] = []
    start = 0
    for key in filter(None, keys):
        position = text.find(key, start)
        if position >= 0:
            positions.append(position)
            start = position + len(key)
    distances = [after - before for before, after in pairwise(positions)]
    return median(distances) if len(distances) >= MIN_DISTANCES else None


def _completeness(right_sizes: Sequence[int], distance: float | None) -> float:
    return min(1.0, median(right_sizes) / COMPLETE_SHARE / distance) if distance else 1.0


def _disjointness(sizes: Sequence[int], text_size: int) -> float:
    total = sum(sizes)
    return min(1.0, OVERLAP_SLACK * text_size / total) if total else 1.0

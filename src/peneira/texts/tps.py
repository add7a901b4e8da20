"""The tag path sequence of a page, and the search for its main region.

Velloso, "Algoritmo não supervisionado para segmentação e remoção de ruído de páginas web utilizando tag paths" (UFSC
2014) and Velloso and Dorneles, "Automatic Web Page Segmentation and Noise Removal for Structured Extraction using Tag
Path Sequences" (JIDM 4(3), 2013). Definitions and algorithms are cited by their numbers in the thesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.page import Codes, Flags, Page

MARGIN = 0.20
# The two tables come from different code: "first-split" gives up a threshold at its first possible split (Table I of
# the paper, and the listing as printed), "scan-on" goes on past a split that is too balanced (Table 2 of the thesis)
Variant = Literal["first-split", "scan-on"]

Frequencies = dict[int, int]


@dataclass(frozen=True, slots=True)
class TagPathSequence:
    """Definition 3: the symbols of a page's tag paths with style, in document order, and the row behind each symbol."""

    symbols: Codes
    rows: Codes

    def __len__(self) -> int:
        return len(self.symbols)

    @property
    def alphabet(self) -> frozenset[int]:
        """Definition 4: the set of symbols."""
        return frozenset(self.symbols.tolist())

    @property
    def frequencies(self) -> Frequencies:
        """Definition 5: how often each symbol occurs."""
        symbols, counts = np.unique(self.symbols, return_counts=True)
        return dict(zip(symbols.tolist(), counts.tolist(), strict=True))

    @property
    def thresholds(self) -> list[int]:
        """Definition 6: the distinct frequencies, ascending."""
        return sorted(set(self.frequencies.values()))


def tag_path_sequence(page: Page) -> TagPathSequence:
    """Return the tag path sequence of the body of a page (Algorithm 2), symbols numbered 1, 2, ... as they appear.

    Silent nodes (script, style, noscript, template) are no part of it; hidden ones are.
    """
    start = page.body
    rows = start + np.flatnonzero(~page.silent[start : int(page.end[start])])
    codes = page.styled_path[rows]
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(1, len(first) + 1)
    return TagPathSequence(rank[inverse], rows.astype(np.int32))


@dataclass(frozen=True, slots=True)
class Split:
    """A place where a sequence falls into two regions: before ``at``, and from ``at`` on (Definition 7).

    Only symbols of frequency ``threshold`` and more were looked at.
    """

    at: int
    threshold: int


def search_region(symbols: Codes, *, margin: float = MARGIN, variant: Variant = "scan-on") -> tuple[int, int]:
    """Return the main region ``start:end`` of a sequence (Algorithm 3): split, go on in the larger part, and so on.

    A split counts if its parts differ by more than ``margin`` of the sequence. Line 30 of the listing reads
    (n - 2i)/n > 0.20, which never accepts a larger left part though lines 39-43 handle one; the text means the absolute
    value. Linear in the sequence for each threshold, where the listing intersects alphabets at every position.
    """
    start, end = _peeled(symbols, 0, len(symbols), margin, variant)
    while split := _unbalanced_split(symbols[start:end], margin, variant):
        middle = start + split.at
        if 2 * split.at < end - start:
            start = middle
        else:
            end = middle
        start, end = _peeled(symbols, start, end, margin, variant)
    return start, end


def _peeled(symbols: Codes, start: int, end: int, margin: float, variant: Variant) -> tuple[int, int]:
    """Return what the splits at the lowest threshold leave of ``start:end``, one after the other.

    These tear no symbol apart, so a part has the places of the whole: looking for them once spares a page whose
    siblings all differ one look for each sibling.
    """
    places = _whole_splits(symbols[start:end]) + start
    first, last = 0, len(places)
    while first < last:
        near = range(first, first + 1 if variant == "first-split" else last)
        size = end - start
        chosen = next((k for k in near if abs(size - 2 * int(places[k] - start)) > margin * size), None)
        if chosen is None:
            break
        if 2 * int(places[chosen] - start) < size:
            start, first = int(places[chosen]), chosen + 1
        else:
            end, last = int(places[chosen]), chosen
    return start, end


def _whole_splits(symbols: Codes) -> NDArray[np.int64]:
    """Return the places of the lowest threshold: where no symbol at all occurs on both sides."""
    first, last, _ = _spans(symbols)
    size = len(symbols)
    is_open = np.cumsum(np.bincount(first, minlength=size) - np.bincount(last, minlength=size)) > 0
    return np.flatnonzero(~is_open[:-1]) + 1


def _unbalanced_split(symbols: Codes, margin: float, variant: Variant) -> Split | None:
    """Return the split of lines 14-38: the first acceptable one at the lowest threshold that has one."""
    size = len(symbols)
    for threshold, places in splits(symbols):
        unbalanced = places[np.abs(size - 2 * places) > margin * size]
        if variant == "first-split":
            unbalanced = unbalanced[unbalanced == places[0]]
        if len(unbalanced):
            return Split(int(unbalanced[0]), threshold)
    return None


def splits(symbols: Codes) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each threshold with the places where the filtered sequence can be split, in order; at least one place each.

    ``blocked[g]`` is the largest frequency of a symbol that occurs both up to position g and after it: the split behind
    g is free once the threshold is above it. The listing looks only where a symbol occurs for the last time.
    """
    if not len(symbols):
        return
    first, last, counts = _spans(symbols)
    blocked = np.zeros(len(symbols), dtype=np.int64)
    thresholds = np.unique(counts).tolist()
    for count in thresholds:
        spans = counts == count
        opened = np.bincount(first[spans], minlength=len(symbols)) - np.bincount(last[spans], minlength=len(symbols))
        blocked[np.cumsum(opened) > 0] = count
    order = np.argsort(last)
    ends, frequency = last[order], counts[order]
    over = blocked[ends]
    for threshold in thresholds:
        counted = frequency >= threshold
        if counted.sum() < 2:
            return
        free = ends[counted & (over < threshold)]
        free = free[free < ends[counted][-1]]
        if len(free):
            yield threshold, free + 1


def _spans(symbols: Codes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each symbol its first and last position and its frequency (Definition 5)."""
    _, first, counts = np.unique(symbols, return_index=True, return_counts=True)
    _, from_end = np.unique(symbols[::-1], return_index=True)
    return first.astype(np.int64), len(symbols) - 1 - from_end.astype(np.int64), counts.astype(np.int64)


def filtered_rows(
    page: Page,
    variant: Variant,
    *,
    margin: float = MARGIN,
    is_content: Callable[[Page, Codes], bool] | None = None,
) -> Flags:
    """Return the rows that the tag path filter keeps: the main region and its ancestors (Algorithms 1 and 5).

    With ``is_content``, which is asked about the rows of the region, the complement is kept where it is not content
    (Algorithm 6 of the paper; what tells content is left open there).
    """
    sequence = tag_path_sequence(page)
    start, end = search_region(sequence.symbols, margin=margin, variant=variant)
    region = sequence.rows[start:end]
    if is_content is not None and not is_content(page, region):
        region = np.concatenate((sequence.rows[:start], sequence.rows[end:]))
    keep = np.zeros(len(page), dtype=np.bool_)
    keep[region] = True
    return with_ancestors(page, keep)


def with_ancestors(page: Page, keep: Flags) -> Flags:
    """Return the flags with the ancestors of every flagged row flagged too: what pruneDOMTree leaves (Algorithm 5)."""
    before = running_sum(keep)
    return np.asarray(before[page.end] > before[:-1], dtype=np.bool_)

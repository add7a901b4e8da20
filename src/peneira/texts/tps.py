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

# The two parts of a split must differ by more than this share of the sequence (Algorithm 3, line 30)
MIN_DIFFERENCE = 0.20
# The publications used different code: "first-split" gives up a threshold if its first split is too balanced (Table I
# of the paper, and the listing as printed), "scan-on" tries the next split (Table 2 of the thesis)
Variant = Literal["first-split", "scan-on"]

Frequencies = dict[int, int]


@dataclass(frozen=True, slots=True)
class TagPathSequence:
    """Definition 3: the symbols of a page's tag paths with style, in document order, and the row of each symbol."""

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
    """Return the tag path sequence of the body of a page (Algorithm 2), with symbols 1, 2, ... in order of occurrence.

    Hidden nodes are included, silent nodes (script, style, noscript, template) are not.
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
    """A position that splits a sequence into two regions, ``[:position]`` and ``[position:]`` (Definition 7).

    Only symbols with at least the frequency ``threshold`` were considered.
    """

    position: int
    threshold: int


def search_region(symbols: Codes, *, margin: float = MIN_DIFFERENCE, variant: Variant = "scan-on") -> tuple[int, int]:
    """Return the main region ``start:end`` of a sequence (Algorithm 3): split and continue in the larger part.

    A split is accepted if its parts differ by more than ``margin`` of the sequence. Line 30 of the listing reads
    (n - 2i)/n > 0.20, which never accepts a larger left part though lines 39-43 handle one; the text means the absolute
    value. Linear time per threshold, where the listing intersects alphabets at every position.
    """
    start, end = _after_clean_splits(symbols, 0, len(symbols), margin, variant)
    while split := _unbalanced_split(symbols[start:end], margin, variant):
        middle = start + split.position
        if 2 * split.position < end - start:
            start = middle
        else:
            end = middle
        start, end = _after_clean_splits(symbols, start, end, margin, variant)
    return start, end


def _after_clean_splits(symbols: Codes, start: int, end: int, margin: float, variant: Variant) -> tuple[int, int]:
    """Return the region that is left of ``start:end`` after all splits at the lowest threshold.

    No symbol is on both sides of such a split, so the splits of a part are also splits of the whole. Finding them once
    saves one search per sibling on a page whose siblings all differ.
    """
    positions = _clean_splits(symbols[start:end]) + start
    first, last = 0, len(positions)
    while first < last:
        candidates = range(first, first + 1 if variant == "first-split" else last)
        size = end - start
        chosen = next((k for k in candidates if abs(size - 2 * int(positions[k] - start)) > margin * size), None)
        if chosen is None:
            break
        if 2 * int(positions[chosen] - start) < size:
            start, first = int(positions[chosen]), chosen + 1
        else:
            end, last = int(positions[chosen]), chosen
    return start, end


def _clean_splits(symbols: Codes) -> NDArray[np.int64]:
    """Return the splits at the lowest threshold: positions where no symbol at all occurs on both sides."""
    first, last, _ = _spans(symbols)
    size = len(symbols)
    is_open = np.cumsum(np.bincount(first, minlength=size) - np.bincount(last, minlength=size)) > 0
    return np.flatnonzero(~is_open[:-1]) + 1


def _unbalanced_split(symbols: Codes, margin: float, variant: Variant) -> Split | None:
    """Return the first accepted split at the lowest threshold that has one (lines 14-38)."""
    size = len(symbols)
    for threshold, positions in splits(symbols):
        unbalanced = positions[np.abs(size - 2 * positions) > margin * size]
        if variant == "first-split":
            unbalanced = unbalanced[unbalanced == positions[0]]
        if len(unbalanced):
            return Split(int(unbalanced[0]), threshold)
    return None


def splits(symbols: Codes) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each threshold that has splits, with the positions where the filtered sequence can be split, in order.

    ``blocked[g]`` is the largest frequency of a symbol that occurs both up to position g and after it: a split after g
    is possible once the threshold is above it. The listing considers only last occurrences of symbols.
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
    blocked_at_end = blocked[ends]
    for threshold in thresholds:
        counted = frequency >= threshold
        if counted.sum() < 2:
            return
        free = ends[counted & (blocked_at_end < threshold)]
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
    margin: float = MIN_DIFFERENCE,
    is_content: Callable[[Page, Codes], bool] | None = None,
) -> Flags:
    """Return the rows that the tag path filter keeps: the main region and its ancestors (Algorithms 1 and 5).

    With ``is_content``, the complement is kept if the rows of the region are not content (Algorithm 6 of the paper,
    which leaves open how to decide that).
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
    """Return the flags with the ancestors of every flagged row flagged too, as pruneDOMTree does (Algorithm 5)."""
    before = running_sum(keep)
    return np.asarray(before[page.end] > before[:-1], dtype=np.bool_)

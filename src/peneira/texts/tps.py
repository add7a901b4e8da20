"""The tag path sequence of a page, and the search for its main region.

Velloso, "Algoritmo não supervisionado para segmentação e remoção de ruído de páginas web utilizando tag paths" (UFSC
2014) and Velloso and Dorneles, "Automatic Web Page Segmentation and Noise Removal for Structured Extraction using Tag
Path Sequences" (JIDM 4(3), 2013). Definitions and algorithms are cited by their numbers in the thesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.kernels import node_loops
from peneira.page import STYLE_ATTRIBUTES, Codes, Flags, Page

# The two parts of a split must differ by more than this (Algorithm 3, line 30); of what, see ``MarginOf``
MIN_DIFFERENCE = 0.20
# The publications used different code: "first-split" gives up a threshold if its first split is too balanced (Table I
# of the paper, and the listing as printed), "scan-on" tries the next split (Table 2 of the thesis). "program" is the
# author's program of August 2013, "program-first" the same without scanning on
Variant = Literal["first-split", "scan-on", "program", "program-first"]
# What the margin is a share of: the sequence, as in the formula (.20: parts of 60 and 40 %), or the smaller part, as in
# the text ("at least 20 % larger than the rest": 54.5 and 45.5 %)
MarginOf = Literal["sequence", "rest"]
# What the author's program took for the style of an element; the publications leave it open
PROGRAM_STYLE = frozenset({"class", "style"})

Frequencies = dict[int, int]


@dataclass(frozen=True, slots=True)
class VariantRules:
    """What distinguishes the variants.

    ``scans_on``: a threshold is not given up after a split that is too balanced. ``is_strict``: symbols count whose
    frequency is above the threshold, not those that reach it. ``style``: the attributes that are part of a symbol.
    """

    scans_on: bool
    is_strict: bool = False
    style: frozenset[str] = STYLE_ATTRIBUTES


VARIANTS: Mapping[Variant, VariantRules] = {
    "first-split": VariantRules(scans_on=False),
    "scan-on": VariantRules(scans_on=True),
    "program": VariantRules(scans_on=True, is_strict=True, style=PROGRAM_STYLE),
    "program-first": VariantRules(scans_on=False, is_strict=True, style=PROGRAM_STYLE),
}


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much the parts of a split must differ, and what that is a share of."""

    share: float = MIN_DIFFERENCE
    of: MarginOf = "sequence"

    def accepted(self, positions: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
        """Return which positions split a sequence of that size into parts that differ enough."""
        difference = np.abs(size - 2 * positions)
        if self.of == "sequence":
            return np.asarray(difference > self.share * size)
        smaller = (size - difference) / 2
        return np.asarray(difference >= self.share * smaller)


DEFAULT_MARGIN = Margin()


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


def tag_path_sequence(page: Page, style: frozenset[str] = STYLE_ATTRIBUTES) -> TagPathSequence:
    """Return the tag path sequence of the body of a page (Algorithm 2), with symbols 1, 2, ... in order of occurrence.

    Hidden nodes are included, silent nodes (script, style, noscript, template) are not. ``style``: the attributes that
    are part of a symbol.
    """
    start = page.body
    rows = start + np.flatnonzero(~page.silent[start : int(page.end[start])])
    codes = _styled_paths(page, style)[rows]
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(1, len(first) + 1)
    return TagPathSequence(rank[inverse], rows.astype(np.int32))


def _styled_paths(page: Page, style: frozenset[str]) -> Codes:
    if style == STYLE_ATTRIBUTES:
        return page.styled_path
    styles = node_loops.style_codes(page.attrs, style)
    return np.array(node_loops.path_codes(page.lists.tag, page.lists.parent, styles), dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Split:
    """A position that splits a sequence into two regions, ``[:position]`` and ``[position:]`` (Definition 7).

    Symbols of a frequency below the ``threshold`` were not considered.
    """

    position: int
    threshold: int


def search_region(symbols: Codes, *, margin: Margin = DEFAULT_MARGIN, variant: Variant = "scan-on") -> tuple[int, int]:
    """Return the main region ``start:end`` of a sequence (Algorithm 3): split and continue in the larger part.

    A split is accepted if its parts differ by more than the margin. Line 30 of the listing reads (n - 2i)/n > 0.20,
    which never accepts a larger left part though lines 39-43 handle one; the text means the absolute value. Linear time
    per threshold, where the listing intersects alphabets at every position.
    """
    return search_steps(symbols, margin=margin, variant=variant)[-1]


def search_steps(
    symbols: Codes, *, margin: Margin = DEFAULT_MARGIN, variant: Variant = "scan-on"
) -> list[tuple[int, int]]:
    """Return the whole sequence and what was left of it after each split, the main region last."""
    rules = VARIANTS[variant]
    steps = [(0, len(symbols))]
    while True:
        check_budget()
        steps += _lowest_steps(symbols, steps[-1], margin, rules)
        start, end = steps[-1]
        split = _unbalanced_split(symbols[start:end], margin, rules)
        if split is None:
            return steps
        steps.append(_larger_part(start, end, start + split.position))


def _larger_part(start: int, end: int, middle: int) -> tuple[int, int]:
    return (middle, end) if 2 * (middle - start) < end - start else (start, middle)


def _lowest_steps(symbols: Codes, whole: tuple[int, int], margin: Margin, rules: VariantRules) -> list[tuple[int, int]]:
    """Return what is left of the part ``whole`` after each split at its lowest threshold.

    No symbol that counts is on both sides of such a split, so the splits of a part are also splits of the whole, as
    long as the same symbols count. Finding them once saves one search per sibling on a page whose siblings all differ.
    """
    start, end = whole
    lowest = _LowestSplits(symbols[start:end], start, is_strict=rules.is_strict)
    positions = lowest.positions
    steps: list[tuple[int, int]] = []
    first, last = 0, len(positions)
    while first < last:
        chosen = _first_accepted(positions, range(first, last if rules.scans_on else first + 1), start, end, margin)
        if chosen is None:
            break
        middle = int(positions[chosen])
        if 2 * (middle - start) < end - start:
            start, first = middle, chosen + 1
        else:
            end, last = middle, chosen
        steps.append((start, end))
        if not lowest.holds_for(start, end, middle):
            break
    return steps


class _LowestSplits:
    """The splits of the part of a sequence from ``offset`` on, at its lowest threshold."""

    def __init__(self, symbols: Codes, offset: int, *, is_strict: bool) -> None:
        first, last, counts = _spans(symbols)
        size, rarest = len(symbols), int(counts.min()) if is_strict and len(counts) else 0
        is_rare = counts == rarest
        ends = np.sort(last[~is_rare])
        free = ends[~_open_after(first[~is_rare], last[~is_rare], size)[ends]] if len(ends) > 1 else ends[:0]
        self.positions = free[free < ends[-1]] + 1 + offset if len(free) else free
        self._offset, self._is_strict = offset, is_strict
        self._rare_starts = running_sum(np.bincount(first[is_rare], minlength=size))
        self._rare_open = _open_after(first[is_rare], last[is_rare], size)

    def holds_for(self, start: int, end: int, middle: int) -> bool:
        """Return whether the same symbols count in the part ``start:end``, which was split off at ``middle``.

        They do if the rarest symbols are still there and none of them was cut.
        """
        if not self._is_strict:
            return True
        is_cut = self._rare_open[middle - self._offset - 1]
        return bool(not is_cut and self._rare_starts[end - self._offset] > self._rare_starts[start - self._offset])


def _open_after(first: NDArray[np.int64], last: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    """Return for each position whether a span from ``first`` to ``last`` includes it and the next one."""
    return np.asarray(np.cumsum(np.bincount(first, minlength=size) - np.bincount(last, minlength=size)) > 0)


def _first_accepted(
    positions: NDArray[np.int64], candidates: range, start: int, end: int, margin: Margin
) -> int | None:
    """Return the first candidate whose position splits ``start:end`` unevenly enough.

    Candidates are looked at in growing numbers: mostly one of the first is accepted, and a page may have as many
    splits as siblings.
    """
    at, number = candidates.start, 16
    while at < candidates.stop:
        until = min(at + number, candidates.stop)
        accepted = np.flatnonzero(margin.accepted(positions[at:until] - start, end - start))
        if len(accepted):
            return at + int(accepted[0])
        at, number = until, number * 4
    return None


def _unbalanced_split(symbols: Codes, margin: Margin, rules: VariantRules) -> Split | None:
    """Return the first accepted split at the lowest threshold that has one (lines 14-38)."""
    for threshold, positions in splits(symbols, is_strict=rules.is_strict):
        unbalanced = positions[margin.accepted(positions, len(symbols))]
        if not rules.scans_on:
            unbalanced = unbalanced[unbalanced == positions[0]]
        if len(unbalanced):
            return Split(int(unbalanced[0]), threshold)
    return None


def splits(symbols: Codes, *, is_strict: bool = False) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each threshold that has splits, with the positions where the filtered sequence can be split, in order.

    A symbol counts if its frequency is at least the threshold, or above it if ``is_strict``.

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
        blocked[_open_after(first[spans], last[spans], len(symbols))] = count
    order = np.argsort(last)
    ends, frequency = last[order], counts[order]
    blocked_at_end = blocked[ends]
    for threshold in thresholds:
        lowest = threshold + 1 if is_strict else threshold
        counted = frequency >= lowest
        if counted.sum() < 2:
            return
        free = ends[counted & (blocked_at_end < lowest)]
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
    margin: Margin = DEFAULT_MARGIN,
    is_content: Callable[[Page, Codes], bool] | None = None,
) -> Flags:
    """Return the rows that the tag path filter keeps: the main region and its ancestors (Algorithms 1 and 5).

    With ``is_content``, the complement is kept if the rows of the region are not content (Algorithm 6 of the paper,
    which leaves open how to decide that).
    """
    sequence = tag_path_sequence(page, VARIANTS[variant].style)
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

"""Evidence for what is content: candidate regions of a page and the figures that tell lists from menus.

A candidate is a group of nodes that repeat: siblings of one tag, or nodes of one tag path anywhere. Its region runs
from the first of them to the end of the last. All figures are computed for all region_candidates at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.running_sums import RunningSums, inside_tag
from peneira.page import Page

Numbers = NDArray[np.float64]

MIN_MEMBERS = 3
MIN_SHARE = 0.02  # of the text of the page
BLANK_CHARS = 3
LONG_CHARS = 80
# Tags that say something about what repeats, and about where it stands: one figure each
TAGS = tuple("a article dd div dl dt h2 h3 li ol option p section span table tbody td tr ul".split())
FRAMES = tuple("nav header footer aside form main".split())

FEATURES = (
    *"members chars chars_mean chars_spread size_mean size_spread links link_chars images texts numbers".split(),
    *"start end span coverage chars_before chars_after depth parents step_spread distinct sizes".split(),
    *"blank long hidden kind plain range_chars range_plain range_numbers range_images range_links".split(),
    *"headings range_headings titles_before".split(),
    *(f"in_{name}" for name in FRAMES),
    *(f"is_{name}" for name in TAGS),
)


@dataclass(frozen=True, slots=True)
class RegionCandidates:
    """Candidate regions: rows ``start:end``, the element that holds them, how many nodes repeat, and their figures."""

    start: Rows
    end: Rows
    holder: Rows
    count: Rows
    features: Numbers

    def __len__(self) -> int:
        return len(self.start)


def region_candidates(page: Page, sums: RunningSums | None = None) -> RegionCandidates:
    """Return the candidate regions of a page with their figures."""
    sums = sums or RunningSums(page)
    inside = np.flatnonzero((page.tag != 0) & ~page.silent & (sums.of_subtrees(page, sums.chars) > 0))
    inside = inside[inside > page.body]
    siblings = page.parent.astype(np.int64) * len(page.tag_names) + page.tag
    keys = (siblings, page.path.astype(np.int64))
    chars = sums.of_subtrees(page, sums.chars)
    members, counts = zip(*(_grouped(inside, key, chars) for key in keys), strict=True)
    kind = np.repeat(np.arange(len(keys)), [len(those) for those in counts])
    groups = _Groups(page, sums, np.concatenate(members), np.concatenate(counts), kind)
    return RegionCandidates(groups.start, groups.end, groups.holder, groups.counts, groups.features())


def _grouped(inside: Rows, key: Rows, chars: Rows) -> tuple[Rows, Rows]:
    """Return the rows that share their key with others, group after group, and how many are in each group.

    Groups of few members or hardly any text are left out: they are most of all groups, and never the answer.
    """
    if not len(inside):
        return inside, inside
    order = np.argsort(key[inside], kind="stable")
    rows = inside[order]
    starts = np.flatnonzero(np.diff(key[rows], prepend=-1))
    counts = np.diff(starts, append=len(rows))
    share = np.add.reduceat(chars[rows], starts) / max(int(chars[0]), 1)
    large = (counts >= MIN_MEMBERS) & (share >= MIN_SHARE)
    return rows[np.repeat(large, counts)], counts[large].astype(np.int64)


class _Groups:
    """Groups of rows that share a key: ``members`` group after group, ``counts`` of them in each."""

    def __init__(self, page: Page, sums: RunningSums, members: Rows, counts: Rows, kind: Rows) -> None:
        self.page, self.sums, self.members, self.counts, self.kind = page, sums, members, counts, kind
        self.ends = page.end[members].astype(np.int64)
        self.first_of = running_sum(counts)[:-1]
        self.group = np.repeat(np.arange(len(counts)), counts)
        self.first = members[self.first_of]
        last_of = self.first_of + counts - 1
        self.steps = np.diff(members, append=members[-1:])
        self.steps[last_of] = 0
        last_end = self.ends[last_of]
        self.holder = _holder(page, self.first, last_end)
        # a record may begin before the node that repeats, and go on after it, at most as far as the others do
        reach = self._reduced(np.maximum, self.steps)
        begin = _child_above(page, self.first, self.holder)
        self.start = np.where(self.first - begin <= reach, begin, self.first)
        self.end = np.minimum(np.maximum(last_end, members[last_of] + reach), page.end[self.holder]).astype(np.int64)

    def features(self) -> Numbers:
        """Return a row of figures per group, in the order of ``FEATURES``."""
        if not len(self.counts):
            return np.zeros((0, len(FEATURES)))
        return np.column_stack([*self._size(), *self._place(), *self._variety(), *self._range(), *self._tags()]).astype(
            np.float64
        )

    def _size(self) -> list[NDArray[np.generic]]:
        sums, counts = self.sums, self.counts
        chars_mean, chars_spread = self._spread(self._chars())
        size_mean, size_spread = self._spread(self.ends - self.members)
        chars = self._total(sums.chars)
        return [
            np.log1p(counts),
            chars / max(int(sums.chars[-1]), 1),
            np.log1p(chars_mean),
            chars_spread,
            np.log1p(size_mean),
            size_spread,
            self._total(sums.links) / counts,
            self._total(sums.link_chars) / np.maximum(chars, 1),
            self._total(sums.images) / counts,
            self._total(sums.texts) / counts,
            self._total(sums.numbers) / counts,
        ]

    def _place(self) -> list[NDArray[np.generic]]:
        sums, rows, chars = self.sums, len(self.page), max(int(self.sums.chars[-1]), 1)
        return [
            self.first / rows,
            self.end / rows,
            (self.end - self.first) / rows,
            self._total(sums.nodes) / np.maximum(sums.nodes[self.end] - sums.nodes[self.first], 1),
            sums.chars[self.first] / chars,
            1 - sums.chars[self.end] / chars,
            self.page.depth[self.first],
        ]

    def _variety(self) -> list[NDArray[np.generic]]:
        chars = self._chars()
        return [
            self._distinct(self.page.parent[self.members]),
            self._spread(self.steps)[1],
            self._distinct(chars),
            self._distinct(self.ends - self.members),
            self._reduced(np.add, (chars < BLANK_CHARS).astype(np.int64)) / self.counts,
            self._reduced(np.add, (chars > LONG_CHARS).astype(np.int64)) / self.counts,
            self.page.hidden[self.first],
            self.kind,
        ]

    def _range(self) -> list[NDArray[np.generic]]:
        sums = self.sums
        return [
            self._total(sums.plain) / max(int(sums.plain[-1]), 1),
            self._within(sums.chars),
            self._within(sums.plain),
            self._within(sums.numbers),
            self._within(sums.images),
            self._within(sums.links),
            self._total(sums.headings) / self.counts,
            self._within(sums.headings),
            sums.titles[self.first] > 0,
        ]

    def _tags(self) -> list[NDArray[np.generic]]:
        tag, names = self.page.tag[self.first], self.page.tag_names
        codes = [names.index(name) if name in names else -1 for name in TAGS]
        return [*(inside_tag(self.page, name)[self.first] for name in FRAMES), *(tag == code for code in codes)]

    def _chars(self) -> Rows:
        return self.sums.chars[self.ends] - self.sums.chars[self.members]

    def _reduced(self, how: np.ufunc, values: Rows) -> Rows:
        return np.asarray(how.reduceat(values, self.first_of) if len(self.counts) else values)

    def _total(self, column: Rows) -> Rows:
        return self._reduced(np.add, column[self.ends] - column[self.members])

    def _within(self, column: Rows) -> Numbers:
        return np.asarray((column[self.end] - column[self.first]) / max(int(column[-1]), 1))

    def _spread(self, values: Rows) -> tuple[Numbers, Numbers]:
        """Return the mean of each group, and the standard deviation as a multiple of it."""
        mean = self._reduced(np.add, values) / self.counts
        square = np.add.reduceat(values.astype(np.float64) ** 2, self.first_of) / self.counts
        return mean, np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1)

    def _distinct(self, values: NDArray[np.integer]) -> Numbers:
        """Return how many different values a group has, as a share of its members."""
        width = int(values.max()) + 1
        keys = np.sort(self.group * width + values)  # np.unique takes three times as long
        first_seen = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
        return np.bincount(first_seen // width, minlength=len(self.counts)) / self.counts


def _child_above(page: Page, rows: Rows, holder: Rows) -> Rows:
    """Return the child of each holder that a row lies in."""
    while True:
        parent = page.parent[rows].astype(np.int64)
        below = parent != holder
        if not below.any():
            return rows
        rows = np.where(below, parent, rows)


def _holder(page: Page, first: Rows, last_end: Rows) -> Rows:
    """Return the smallest element that holds both the first and the last member of each group."""
    holder = page.parent[first].astype(np.int64)
    while True:
        short = (page.end[holder] < last_end) & (page.parent[holder] >= 0)
        if not short.any():
            return holder
        holder = np.where(short, page.parent[holder], holder)

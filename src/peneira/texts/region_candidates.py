"""Candidate regions of a page, with the features that distinguish lists from menus.

A candidate is a group of repeated nodes: siblings with the same tag, or nodes with the same tag path anywhere. Its
region goes from the first node to the end of the last. All features are computed for all candidates at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum, table_of
from peneira.kernels import compiled
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import TAG_KINDS, RunningSums
from peneira.page import Flags, Page
from peneira.short_text_cache import cache_of_short_texts

# Groups with fewer nodes or less of the page's text are never the answer, and most groups are such
MIN_MEMBERS = 3
MIN_SHARE = 0.02
# Nodes with fewer characters count as blank, with more than LONG_CHARS as long
MIN_CHARS = 3
LONG_CHARS = 80
# Tags of the repeated nodes and of their ancestors that are features of their own
TAGS = tuple("a article dd div dl dt h2 h3 li ol option p section span table tbody td tr ul".split())
ANCESTOR_TAGS = tuple("nav header footer aside form main".split())

FEATURES = (
    *"members chars chars_mean chars_spread size_mean size_spread links link_chars images texts numbers".split(),
    *"start end span coverage chars_before chars_after depth parents step_spread distinct sizes".split(),
    *"blank long hidden kind plain range_chars range_plain range_numbers range_images range_links".split(),
    *"headings range_headings titles_before".split(),
    *(f"in_{name}" for name in ANCESTOR_TAGS),
    *(f"is_{name}" for name in TAGS),
)
# Those that are logarithms
_LOGS = [FEATURES.index(name) for name in ("members", "chars_mean", "size_mean")]

region_tables = compiled("region_tables")
_NUMBERS = {name: k for k, name in enumerate(region_tables.COLUMNS if region_tables is not None else ())}
_COLUMNS = np.arange(len(_NUMBERS), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class RegionCandidates:
    """Candidate regions: rows ``start:end``, their common ancestor, the number of repeated nodes, and the features."""

    start: Rows
    end: Rows
    ancestor: Rows
    count: Rows
    features: Numbers

    def __len__(self) -> int:
        return len(self.start)


class RegionSums(RunningSums):
    """The running sums that are read of regions, in one table where the kernel is compiled."""

    def __init__(self, page: Page) -> None:
        if region_tables is None:
            super().__init__(page)
            return
        self.counts = None
        kinds = np.fromiter(map(_kinds_of_tag, page.tag_names), np.uint8, len(page.tag_names))
        self.table: NDArray[np.int32] = region_tables.running_sums(
            page.text, page.tag, page.end, page.silent.view(np.uint8), kinds
        )

    def __getattr__(self, name: str) -> Rows:
        """Return a column of the table, which is then kept."""
        table = self.__dict__.get("table")
        if table is None or name not in RunningSums.__annotations__:
            return super().__getattr__(name)
        column = self.chars - self.link_chars if name == "plain" else table[:, _NUMBERS[name]].astype(np.int64)
        setattr(self, name, column)
        return np.asarray(column)


@cache_of_short_texts(4096)
def _kinds_of_tag(name: str) -> int:
    return sum((name in TAG_KINDS[kind]) << k for k, kind in enumerate(("links", "images", "headings", "titles")))


def region_candidates(page: Page, sums: RunningSums | None = None) -> RegionCandidates:
    """Return the candidate regions of a page with their features."""
    sums = sums or RegionSums(page)
    if region_tables is not None:
        return _compiled_candidates(page, sums.table if isinstance(sums, RegionSums) else RegionSums(page).table)
    elements = np.flatnonzero((page.tag != 0) & ~page.silent & (sums.of_subtrees(page, sums.chars) > 0))
    elements = elements[elements > page.body]
    siblings = page.parent.astype(np.int64) * len(page.tag_names) + page.tag
    keys = (siblings, page.path.astype(np.int64))
    chars = sums.of_subtrees(page, sums.chars)
    members, counts = zip(*(_grouped(elements, key, chars) for key in keys), strict=True)
    kind = np.repeat(np.arange(len(keys)), [len(group_counts) for group_counts in counts])
    groups = _Groups(page, sums, np.concatenate(members), np.concatenate(counts), kind)
    return RegionCandidates(groups.start, groups.end, groups.ancestor, groups.counts, groups.features())


def _compiled_candidates(page: Page, sums: NDArray[np.int32]) -> RegionCandidates:
    silent, hidden = page.silent.view(np.uint8), page.hidden.view(np.uint8)
    members, counts, kinds = region_tables.large_groups(
        page.tag, page.parent, page.end, page.path, silent, sums, 0, page.body, len(page.tag_names),
        MIN_MEMBERS, MIN_SHARE,
    )  # fmt: skip
    numbers = np.fromiter(map(_tag_number, page.tag_names), np.uint16, len(page.tag_names))
    start, end, ancestor, features = region_tables.group_features(
        members, counts, kinds, page.tag, page.parent, page.end, page.depth, hidden, sums, _COLUMNS, numbers,
        len(ANCESTOR_TAGS), len(TAGS), MIN_CHARS, LONG_CHARS, len(FEATURES),
    )  # fmt: skip
    logs = features[:, _LOGS]
    features[:, _LOGS] = np.log1p(logs, out=logs)
    return RegionCandidates(start, end, ancestor, counts, features)


@cache_of_short_texts(4096)
def _tag_number(name: str) -> int:
    """Return the number of a tag, from 1 on, among those of groups, in the upper bits, and among those around them."""
    own = TAGS.index(name) + 1 if name in TAGS else 0
    return own << 3 | (ANCESTOR_TAGS.index(name) + 1 if name in ANCESTOR_TAGS else 0)


def _grouped(elements: Rows, key: Rows, chars: Rows) -> tuple[Rows, Rows]:
    """Return the rows of large groups of elements with equal keys, group after group, and the size of each group."""
    if not len(elements):
        return elements, elements
    order = np.argsort(key[elements], kind="stable")
    rows = elements[order]
    starts = np.flatnonzero(np.diff(key[rows], prepend=-1))
    counts = np.diff(starts, append=len(rows))
    share = np.add.reduceat(chars[rows], starts) / max(int(chars[0]), 1)
    is_large = (counts >= MIN_MEMBERS) & (share >= MIN_SHARE)
    return rows[np.repeat(is_large, counts)], counts[is_large].astype(np.int64)


class _Groups:
    """Groups of rows with equal keys: ``members`` group after group, with ``counts`` members in each."""

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
        self.ancestor = _common_ancestor(page, self.first, last_end)
        # a record may start before its repeated node and end after it, by at most the largest step between members
        max_step = self._reduced(np.maximum, self.steps)
        top = _child_above(page, self.first, self.ancestor)
        self.start = np.where(self.first - top <= max_step, top, self.first)
        self.end = np.minimum(np.maximum(last_end, members[last_of] + max_step), page.end[self.ancestor]).astype(
            np.int64
        )

    def features(self) -> Numbers:
        """Return a row of features per group, in the order of ``FEATURES``."""
        if not len(self.counts):
            return np.zeros((0, len(FEATURES)))
        columns = [*self._size(), *self._position(), *self._variety(), *self._range(), *self._tags()]
        return table_of(columns)

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

    def _position(self) -> list[NDArray[np.generic]]:
        sums, row_count, chars = self.sums, len(self.page), max(int(self.sums.chars[-1]), 1)
        return [
            self.first / row_count,
            self.end / row_count,
            (self.end - self.first) / row_count,
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
            self._reduced(np.add, (chars < MIN_CHARS).astype(np.int64)) / self.counts,
            self._reduced(np.add, (chars > LONG_CHARS).astype(np.int64)) / self.counts,
            self.page.hidden[self.first],
            self.kind,
        ]

    def _range(self) -> list[NDArray[np.generic]]:
        sums = self.sums
        return [
            self._total(sums.plain) / max(int(sums.plain[-1]), 1),
            self._range_share(sums.chars),
            self._range_share(sums.plain),
            self._range_share(sums.numbers),
            self._range_share(sums.images),
            self._range_share(sums.links),
            self._total(sums.headings) / self.counts,
            self._range_share(sums.headings),
            sums.titles[self.first] > 0,
        ]

    def _tags(self) -> list[NDArray[np.generic]]:
        tag, names = self.page.tag[self.first], self.page.tag_names
        codes = [names.index(name) if name in names else -1 for name in TAGS]
        return [*(_are_inside(self.page, name, self.first) for name in ANCESTOR_TAGS), *(tag == code for code in codes)]

    def _chars(self) -> Rows:
        return self.sums.chars[self.ends] - self.sums.chars[self.members]

    def _reduced(self, ufunc: np.ufunc, values: Rows) -> Rows:
        return np.asarray(ufunc.reduceat(values, self.first_of) if len(self.counts) else values)

    def _total(self, column: Rows) -> Rows:
        return self._reduced(np.add, column[self.ends] - column[self.members])

    def _range_share(self, column: Rows) -> Numbers:
        return np.asarray((column[self.end] - column[self.first]) / max(int(column[-1]), 1))

    def _spread(self, values: Rows) -> tuple[Numbers, Numbers]:
        """Return the mean of each group, and the standard deviation relative to it."""
        mean = self._reduced(np.add, values) / self.counts
        square = np.add.reduceat(values.astype(np.float64) ** 2, self.first_of) / self.counts
        return mean, np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1)

    def _distinct(self, values: NDArray[np.integer]) -> Numbers:
        """Return the number of distinct values in each group, as a share of its members."""
        width = int(values.max()) + 1
        keys = np.sort(self.group * width + values)  # np.unique takes three times as long
        distinct = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
        return np.bincount(distinct // width, minlength=len(self.counts)) / self.counts


def _are_inside(page: Page, name: str, rows: Rows) -> Flags:
    """Return which of some rows are elements with this tag, or lie inside one."""
    code = page.tag_names.index(name) if name in page.tag_names else -1
    roots = np.flatnonzero(page.tag == code)
    if not len(roots):
        return np.zeros(len(rows), dtype=np.bool_)
    # of the elements with this tag up to a row, where the last one to end does so
    ends = np.maximum.accumulate(page.end[roots])
    before = np.searchsorted(roots, rows, side="right") - 1
    return np.asarray((before >= 0) & (ends[before] > rows))


def _child_above(page: Page, rows: Rows, ancestor: Rows) -> Rows:
    """Return the child of each ancestor that contains the row."""
    while True:
        parent = page.parent[rows].astype(np.int64)
        go_up = parent != ancestor
        if not go_up.any():
            return rows
        rows = np.where(go_up, parent, rows)


def _common_ancestor(page: Page, first: Rows, last_end: Rows) -> Rows:
    """Return the lowest common ancestor of the first and the last member of each group."""
    ancestor = page.parent[first].astype(np.int64)
    while True:
        go_up = (page.end[ancestor] < last_end) & (page.parent[ancestor] >= 0)
        if not go_up.any():
            return ancestor
        ancestor = np.where(go_up, page.parent[ancestor], ancestor)

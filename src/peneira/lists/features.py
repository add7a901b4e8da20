"""CandidateFeatures on candidate lists: 180 figures on each, for all candidates of a page at once.

What a record holds is read off running sums over the page's rows, so a figure costs the same for a long record as for a
short one. How alike records are is read off running sums too: every node adds a fixed random vector of its tag and the
tags above it, and two records are alike if the sums over their nodes point the same way.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.lists.candidates import KINDS, Candidates
from peneira.lists.page_features import PageFeatures, Vectors
from peneira.ml.running_sums import inside_tag

Numbers = NDArray[np.float64]
FeatureTable = dict[str, NDArray[np.generic]]

TAGS = tuple(
    "#text a article b br dd div dl dt font form h1 h2 h3 h4 hr img input li ol option p section span strong table "
    "tbody td th tr ul".split()
)
FRAMES = tuple("nav header footer aside form main table ul".split())

# Of these a record often has exactly one
ONE_EACH = frozenset("links images texts numbers headings prices dates bolds".split())


def _products(one: NDArray[np.floating], other: NDArray[np.floating]) -> Numbers:
    """Return the inner product of each vector with its partner."""
    return np.asarray(np.einsum("ij,ij->i", one, other), dtype=np.float64)


def _lengths(vectors: NDArray[np.floating]) -> Numbers:
    return np.sqrt(_products(vectors, vectors))


def _directions(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(_lengths(vectors), 1e-9)[:, None], dtype=np.float32)


class CandidateFeatures:
    """The figures of the candidates of a page."""

    def __init__(self, facts: PageFeatures, found: Candidates) -> None:
        self.facts, self.page, self.sums, self.found = facts, facts.page, facts.sums, found
        self.starts, self.ends, self.counts = found.starts, found.ends, found.counts
        self.first = found.first
        self.last = self.first + self.counts - 1
        self.group = np.repeat(np.arange(len(found)), self.counts)
        self.begin, self.stop = self.starts[self.first], self.ends[self.last]
        self.chars = self.held(self.sums.chars)
        self.chars_mean = self.mean(self.chars)
        self.nodes = np.maximum(self.held(self.sums.nodes), 1)
        self.holder = self._holder()

    def features(self) -> FeatureTable:
        """Return all figures by name, always in the same order."""
        families = (self._size, self._holding, self._place, self._gaps, self._variety, self._leads, self._likeness,
                    self._rhythm, self._inside, self._words, self._tags, self._kind)  # fmt: skip
        return dict(chain.from_iterable(family().items() for family in families))

    # --- families of figures ---------------------------------------------------------------------------------------

    def _size(self) -> FeatureTable:
        chars, nodes, mean = self.chars, self.nodes, np.maximum(self.chars_mean, 1)
        share = self._sum(chars) / self.facts.total_chars
        plain = self.held(self.sums.plain)
        plain_share = self._sum(plain) / max(int(self.sums.plain[-1]), 1)
        nodes_mean = self.mean(nodes)
        return {
            "records": np.log1p(self.counts),
            "records_of_most": self.counts / self.counts.max(),
            "share": share,
            "share_of_best": share / share.max(),
            "plain_share": plain_share,
            "plain_of_best": plain_share / max(plain_share.max(), 1e-9),
            "chars": np.log1p(self.chars_mean),
            "chars_spread": self._spread(chars),
            "chars_least": np.minimum.reduceat(chars, self.first) / mean,
            "chars_most": np.maximum.reduceat(chars, self.first) / mean,
            "nodes": np.log1p(nodes_mean),
            "nodes_spread": self._spread(nodes),
            "nodes_least": np.minimum.reduceat(nodes, self.first) / nodes_mean,
            "nodes_share": self._sum(nodes) / max(int(self.sums.nodes[-1]), 1),
            "link_chars": self._sum(self.held(self.sums.link_chars)) / np.maximum(self._sum(chars), 1),
            "repeated_chars": self._sum(self.held(self.facts.repeated_chars)) / np.maximum(self._sum(chars), 1),
            "page_chars": np.full(len(self.found), np.log1p(self.facts.total_chars)),
            "page_link_chars": np.full(len(self.found), self.sums.link_chars[-1] / self.facts.total_chars),
        }

    def _holding(self) -> FeatureTable:
        """Of all that is counted: the mean per record, the share of records that have any, one; of the page's."""
        figures: FeatureTable = {}
        for name, column in self.facts.counted.items():
            held = self.held(column)
            figures[name] = np.log1p(self.mean(held))
            figures[f"{name}_any"] = self.mean(held > 0)
            if name in ONE_EACH:
                figures[f"{name}_one"] = self.mean(held == 1)
                figures[f"{name}_share"] = self._sum(held) / max(int(column[-1]), 1)
                figures[f"{name}_spread"] = self._spread(held)
        texts = np.maximum(self._sum(self.held(self.sums.texts)), 1)
        figures["capitals"] = self._sum(self.held(self.facts.capitals)) / texts
        return figures

    def _place(self) -> FeatureTable:
        chars, total, page = self.sums.chars, self.facts.total_chars, self.page
        depth = page.depth[self.starts]
        parent = page.parent[self.starts]
        changes = np.concatenate(([True], parent[1:] != parent[:-1]))
        children = np.bincount(page.parent[1:], minlength=len(page))
        return {
            "start": self.begin / len(page),
            "end": self.stop / len(page),
            "before": chars[self.begin] / total,
            "after": 1 - chars[self.stop] / total,
            "span": (chars[self.stop] - chars[self.begin]) / total,
            "depth": page.depth[self.begin],
            "below_holder": page.depth[self.begin] - page.depth[self.holder],
            "depth_spread": np.maximum.reduceat(depth, self.first) - np.minimum.reduceat(depth, self.first),
            "parents": np.log1p(self._sum(changes)) / np.log1p(self.counts),
            "children": np.log1p(self.mean(children[self.starts])),
            "siblings": self.mean(page.end[self.starts] < self.ends),
        }

    def _gaps(self) -> FeatureTable:
        """What lies between the records, and around them in the element that holds them all."""
        chars, mean = self.sums.chars, np.maximum(self.chars_mean, 1)
        total = self._sum(self.chars)
        held = chars[self.page.end[self.holder]] - chars[self.holder]
        between = np.maximum(self.counts - 1, 1)
        gap, gap_nodes = self._between(chars), self._between(self.sums.nodes)
        return {
            "cover": total / np.maximum(chars[self.stop] - chars[self.begin], 1),
            "holder_cover": total / np.maximum(held, 1),
            "left_before": (chars[self.begin] - chars[self.holder]) / mean,
            "left_after": (chars[self.page.end[self.holder]] - chars[self.stop]) / mean,
            "gap": self._sum(gap) / between / mean,
            "gap_any": self._sum(gap > 0) / between,
            "gap_most": np.maximum.reduceat(gap, self.first) / mean,
            "gap_nodes": self._sum(gap_nodes) / between / self.mean(self.nodes),
        }

    def _variety(self) -> FeatureTable:
        page = self.page
        return {
            "shapes": self._distinct(page.shape[self.starts]),
            "shape_mode": self._mode(page.shape[self.starts]),
            "paths": self._distinct(self.facts.path[self.starts]),
            "styled_mode": self._mode(page.styled_path[self.starts]),
        }

    def _leads(self) -> FeatureTable:
        """The first text and the first link of each record: same place in all, other content in each?"""
        facts, rows = self.facts, len(self.page)
        text, link = facts.next_text[self.starts], facts.next_link[self.starts]
        has_text, has_link = text < self.ends, link < self.ends
        text, link = np.minimum(text, rows - 1), np.minimum(link, rows - 1)
        text_path, link_path = np.where(has_text, facts.path[text], -1), np.where(has_link, facts.path[link], -1)
        text_times = facts.times(np.maximum(text_path, 0), self.starts, self.ends) * has_text
        link_times = facts.times(np.maximum(link_path, 0), self.starts, self.ends) * has_link
        first_path = np.maximum(text_path[self.first], 0)
        everywhere = facts.times(first_path, np.zeros_like(first_path), np.full_like(first_path, rows))
        number = np.where(has_text, facts.number_at[text], -1)
        follows = np.concatenate(([False], (number[1:] == number[:-1] + 1) & (number[:-1] >= 0)))
        follows[self.first] = False
        rank = np.where(has_text, facts.text_rank[text], -1)
        rises = np.concatenate(([False], rank[1:] > rank[:-1]))
        rises[self.first] = False
        return {
            "lead_mode": self._mode(text_path),
            "lead_texts": self._distinct(np.where(has_text, facts.text_code[text], -1)),
            "lead_times": np.log1p(self.mean(text_times)),
            "lead_once": self.mean(text_times == 1),
            "lead_elsewhere": np.log1p(np.maximum(everywhere - self._sum(text_times), 0) / self.counts),
            "link_mode": self._mode(link_path),
            "link_times": np.log1p(self.mean(link_times)),
            "link_once": self.mean(link_times == 1),
            "link_targets": self._distinct(np.where(has_link, facts.target[link], -1)),
            "numbered": self._sum(follows) / np.maximum(self.counts - 1, 1),
            "sorted": self._sum(rises) / np.maximum(self.counts - 1, 1),
        }

    def _likeness(self) -> FeatureTable:
        """How alike the records are: each to their mean, the first, the last, the least alike."""
        units = self.units
        mean = np.add.reduceat(units, self.first, axis=0) / self.counts[:, None]
        length = _lengths(mean)
        alike = self.alike
        return {
            "alike": length,
            "alike_least": np.minimum.reduceat(alike, self.first),
            "alike_first": alike[self.first],
            "alike_last": alike[self.last],
            "unlike": self.mean(1 - alike),
        }

    def _rhythm(self) -> FeatureTable:
        """How alike a record is to the next, to the second and third next: halves of records alternate."""
        alike: dict[int, Numbers] = {}
        step: dict[int, Numbers] = {}
        size = np.log1p(self.chars)
        for lag in (1, 2, 3):
            alike[lag] = self._lagged(_products(self.units[lag:], self.units[:-lag]), lag)
            step[lag] = self._lagged(np.abs(size[lag:] - size[:-lag]), lag)
        figures: FeatureTable = {f"alike_{lag}": figure for lag, figure in alike.items()}
        figures |= {f"step_{lag}": figure for lag, figure in step.items()}
        for lag in (2, 3):
            known = self.counts > lag
            figures[f"alike_change_{lag}"] = np.where(known, alike[lag] - alike[1], 0)
            figures[f"step_change_{lag}"] = np.where(known, step[lag] - step[1], 0)
        return figures

    def _inside(self) -> FeatureTable:
        """What repeats inside the records: a record that is made of likes may be a row of records."""
        figures: FeatureTable = {}
        for name, column in self.facts.twins.items():
            held = column[self.ends] - column[np.minimum(self.starts + 1, self.ends)]
            figures[name] = np.log1p(self.mean(held))
            figures[f"{name}_any"] = self.mean(held > 0)
        vectors, middle = self.facts.vectors, (self.starts + self.ends) // 2
        left, right = vectors[middle] - vectors[self.starts], vectors[self.ends] - vectors[middle]
        lengths = _lengths(left) * _lengths(right)
        figures["halves"] = self.mean(_products(left, right) / np.maximum(lengths, 1e-9))
        return figures

    def _words(self) -> FeatureTable:
        frame, record, frames, records = self.facts.words
        return {
            "frame_words": self.mean(frame[self.starts]),
            "record_words": self.mean(record[self.starts]),
            "holder_frame_word": frame[self.holder],
            "holder_record_word": record[self.holder],
            "frame_words_above": frames[self.holder],
            "record_words_above": records[self.holder],
        }

    def _tags(self) -> FeatureTable:
        names = self.page.tag_names
        tag = self.page.tag[self.starts[self.first + self.counts // 2]]
        figures: FeatureTable = {f"in_{name}": inside_tag(self.page, name)[self.begin] for name in FRAMES}
        for name in TAGS:
            figures[f"is_{name}"] = tag == (names.index(name) if name in names else -1)
        return figures

    def _kind(self) -> FeatureTable:
        support = self.found.support
        figures: FeatureTable = {f"by_{name}": self.found.kind == k for k, name in enumerate(KINDS)}
        return figures | {"support": np.log1p(support), "support_of_best": support / support.max()}

    # --- per record ------------------------------------------------------------------------------------------------

    @cached_property
    def units(self) -> Vectors:
        """The direction of each record's vector."""
        return _directions(self.facts.vectors[self.ends] - self.facts.vectors[self.starts])

    @cached_property
    def alike(self) -> Numbers:
        """How alike each record is to the mean of its list, -1..1."""
        mean = _directions(np.add.reduceat(self.units, self.first, axis=0))
        return _products(self.units, mean[self.group])

    def held(self, column: Integers) -> Integers:
        """Return what each record has of a running sum."""
        return np.asarray(column[self.ends] - column[self.starts])

    def share_of(self, values: NDArray[np.integer]) -> Numbers:
        """Return for each record the share of its list that has the same value."""
        width = int(values.max()) + 2
        _, place, times = np.unique(self.group * width + values + 1, return_inverse=True, return_counts=True)
        return np.asarray(times[place] / self.counts[self.group])

    def _between(self, column: Integers) -> Integers:
        following = np.append(self.starts[1:], 0)
        following[self.last] = self.ends[self.last]
        return np.asarray(np.maximum(column[following] - column[self.ends], 0))

    # --- per candidate ---------------------------------------------------------------------------------------------

    def _holder(self) -> Integers:
        """Return the smallest element that holds all records of each candidate."""
        holder = self.page.parent[self.begin].astype(np.int64)
        while True:
            short = (self.page.end[holder] < self.stop) & (self.page.parent[holder] >= 0)
            if not short.any():
                return holder
            holder = np.where(short, self.page.parent[holder], holder)

    def _sum(self, values: NDArray[np.generic]) -> Numbers:
        return np.asarray(np.add.reduceat(values.astype(np.float64), self.first))

    def mean(self, values: NDArray[np.generic]) -> Numbers:
        """Return the mean over the records of each candidate."""
        return np.asarray(self._sum(values) / self.counts)

    def _spread(self, values: Integers) -> Numbers:
        """Return the standard deviation as a multiple of the mean."""
        mean, square = self.mean(values), self.mean(values.astype(np.float64) ** 2)
        return np.asarray(np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9))

    def _lagged(self, values: Numbers, lag: int) -> Numbers:
        """Return the mean of values between records ``lag`` apart; 0 for shorter lists."""
        padded = np.zeros(len(self.starts))
        padded[: len(values)] = np.where(self.group[lag:] == self.group[:-lag], values, 0)
        return np.asarray(self._sum(padded) / np.maximum(self.counts - lag, 1))

    def _distinct(self, values: NDArray[np.integer]) -> Numbers:
        """Return how many different values a candidate's records have, as a share of the records."""
        keys, width = self._keyed(values)
        first_seen = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
        return np.asarray(np.bincount(first_seen // width, minlength=len(self.found)) / self.counts)

    def _mode(self, values: NDArray[np.integer]) -> Numbers:
        """Return the share of the records that have the commonest value."""
        keys, width = self._keyed(values)
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        most = np.zeros(len(self.found))
        np.maximum.at(most, keys[starts] // width, np.diff(starts, append=len(keys)))
        return np.asarray(most / self.counts)

    def _keyed(self, values: NDArray[np.integer]) -> tuple[Integers, int]:
        width = int(values.max()) + 2
        return np.sort(self.group * width + values + 1), width

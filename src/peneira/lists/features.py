"""The features of candidate lists: about 220 each, computed for all candidates of a page at once.

What a record contains is counted with running sums over the page's rows, so a feature costs the same for a long record
as for a short one. Similarity too: every node adds a fixed random vector of its tag and the tags above it, and two
records are similar if the sums over their nodes point in the same direction (cosine similarity).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.budget import check_budget
from peneira.kept_property import kept_property
from peneira.lists.candidates import KINDS, Candidates
from peneira.lists.candidates import kernel as candidates_kernel
from peneira.lists.page_features import PageFeatures, Vectors, candidate_table
from peneira.lists.page_features import list_features as kernel
from peneira.lists.page_words import HEADING_TAGS
from peneira.ml.forest import Forest
from peneira.ml.running_sums import inside_tag, page_facts
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts

Numbers = NDArray[np.float64]
FeatureTable = Mapping[str, NDArray[np.generic]]
FeatureDict = dict[str, NDArray[np.generic]]

TAGS = tuple(
    "#text a article b br dd div dl dt font form h1 h2 h3 h4 hr img input li ol option p section span strong table "
    "tbody td th tr ul".split()
)
FRAMES = tuple("nav header footer aside form main table ul".split())
TAG_NAMES = (*(f"in_{name}" for name in FRAMES), *(f"is_{name}" for name in TAGS))

# The features of the compiled kernel, with those that are added to them
STATED_NAMES = ("is_stated_range", "is_stated_number", "states_range")
KIND_NAMES = (*(f"by_{name}" for name in KINDS), "support", "support_of_best")
COMPILED_NAMES: tuple[str, ...] = (*kernel.NAMES, *STATED_NAMES, *TAG_NAMES, *KIND_NAMES) if kernel is not None else ()

# Kinds of content of which a record often has exactly one
ONE_PER_RECORD = frozenset("links images texts numbers headings prices dates bolds".split())


@cache_of_short_texts(4096)
def _tag_kinds(name: str) -> tuple[int, int]:
    """Return which of ``FRAMES`` the elements of a name are, as a bit, and which of ``TAGS``, -1: none."""
    return 1 << FRAMES.index(name) if name in FRAMES else 0, TAGS.index(name) if name in TAGS else -1


class FeatureMatrix(Mapping[str, Numbers]):
    """Features by name, as the columns of one table with a row per candidate."""

    def __init__(self, names: tuple[str, ...], matrix: Numbers, numbers: Mapping[str, int] | None = None) -> None:
        self.names, self.matrix = names, matrix
        # to look them up by hundreds of names takes as long as many columns
        self._numbers = _column_numbers(names) if numbers is None else numbers

    def __getitem__(self, name: str) -> Numbers:
        return self.matrix[:, self._numbers[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __or__(self, other: Mapping[str, NDArray[np.generic]]) -> FeatureDict:
        return {**self, **other}

    def take(self, rows: Integers) -> FeatureMatrix:
        """Return the features of some candidates, in the order of ``rows``."""
        return FeatureMatrix(self.names, self.matrix.take(rows, axis=0), self._numbers)

    def of_forest(self, names: tuple[str, ...]) -> Numbers:
        """Return the columns with these names, in their order."""
        if names == self.names:
            return self.matrix
        return np.ascontiguousarray(self.matrix[:, _columns_of(self.names, names)])

    def scores(self, forest: Forest) -> Numbers:
        """Return what a forest predicts, which is told where its columns are: moving them takes as long as trees."""
        return forest.of_columns(self.names).predict(self.matrix)


@cache
def _column_numbers(names: tuple[str, ...]) -> dict[str, int]:
    return {name: k for k, name in enumerate(names)}


@cache
def _columns_of(names: tuple[str, ...], chosen: tuple[str, ...]) -> Integers:
    numbers = _column_numbers(names)
    return np.array([numbers[name] for name in chosen], dtype=np.int64)


def _products(left: NDArray[np.floating], right: NDArray[np.floating]) -> Numbers:
    """Return the inner product of each vector on the left with the vector in the same row on the right.

    Components are added up in a fixed order, which the compiled kernel keeps: four at a time in single precision, two
    in double.
    """
    products = left * right
    lanes, width = (4, 16) if products.dtype == np.float32 else (2, 8)
    total = np.zeros((len(products), lanes), dtype=products.dtype)
    for block in range(0, products.shape[1], width):
        for at in range(block + width - lanes, block - 1, -lanes):
            total = products[:, at : at + lanes] + total
    if lanes == 4:
        total = np.column_stack((total[:, 0] + total[:, 1], total[:, 2] + total[:, 3]))
    return np.asarray(total[:, 0] + total[:, 1], dtype=np.float64)


def _lengths(vectors: NDArray[np.floating]) -> Numbers:
    return np.sqrt(_products(vectors, vectors))


def _directions(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(_lengths(vectors), 1e-9)[:, None], dtype=np.float32)


def _of_rows(page: Page, column: Integers, rows: Integers) -> Integers:
    """Return how much of what a running sum counts is in the subtree of each row."""
    return np.asarray(column[page.end[rows]] - column[rows])


def _distinct_ranges(page: Page, starts: Integers, ends: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the starts and ends of the different records, and which of them each record is.

    Most records are part of several candidates: what is computed per record is computed once.
    """
    is_node = page.end[starts] == ends
    used = np.zeros(len(page), dtype=np.bool_)
    used[starts[is_node]] = True
    nodes = np.flatnonzero(used)
    which = np.empty(len(starts), dtype=np.int64)
    which[is_node] = (np.cumsum(used) - 1)[starts[is_node]]
    width = len(page) + 1
    keys, runs = np.unique(starts[~is_node] * width + ends[~is_node], return_inverse=True)
    which[~is_node] = runs + len(nodes)
    return np.concatenate((nodes, keys // width)), np.concatenate((page.end[nodes], keys % width)), which


class CandidateFeatures:
    """The features of the candidates of a page, and what they are computed from."""

    def __init__(self, page_features: PageFeatures, candidates: Candidates) -> None:
        self.page_features, self.candidates = page_features, candidates
        self.page, self.sums = page_features.page, page_features.sums
        self.starts, self.ends, self.counts = candidates.starts, candidates.ends, candidates.counts
        self.first = candidates.first
        self.last = self.first + self.counts - 1
        self.begin, self.stop = self.starts[self.first], self.ends[self.last]
        if kernel is not None:
            ranges = kernel.distinct_ranges(self.starts, self.ends, self.page.end)
        else:
            ranges = _distinct_ranges(self.page, self.starts, self.ends)
        self.range_starts: Integers
        self.range_ends: Integers
        self.range: Integers
        self.range_starts, self.range_ends, self.range = ranges
        self.ancestor = self._common_ancestor()

    @kept_property
    def group(self) -> Integers:
        """The candidate of each record."""
        return np.repeat(np.arange(len(self.candidates)), self.counts)

    @kept_property
    def chars(self) -> Integers:
        """The characters of each record."""
        return self.count(self.sums.chars)

    @kept_property
    def chars_mean(self) -> Numbers:
        """The mean of them, by candidate."""
        return self.mean(self.chars)

    @kept_property
    def nodes(self) -> Integers:
        """The nodes of each record, at least one."""
        return np.maximum(self.count(self.sums.nodes), 1)

    def features(self) -> FeatureTable:
        """Return all features by name, always in the same order."""
        compiled_features = self.page_features.list_features
        if compiled_features is not None:
            return self._compiled_features(compiled_features)
        features: FeatureDict = {}
        for family in self._families():
            check_budget()
            features |= family()
        return features

    def _families(self) -> tuple[Callable[[], FeatureDict], ...]:
        return (self._size, self._content, self._position, self._gaps, self._left_out, self._variety,
                self._first_texts, self._similarity, self._alternation, self._phase, self._repetition,
                self._class_names, self._surroundings, self._tags, self._kind)  # fmt: skip

    def _compiled_features(self, compiled_features: Any) -> FeatureMatrix:
        check_budget()
        chars = self.sums.chars
        sizes = np.log1p(chars[self.range_ends] - chars[self.range_starts])
        matrix: Numbers = compiled_features.matrix(
            self.counts, self.range_starts, self.range_ends, self.range, sizes, self._text_ranks(), self.ancestor,
            len(COMPILED_NAMES),
        )  # fmt: skip
        logarithms = _columns_of(kernel.NAMES, kernel.LOGARITHMS)
        values = candidate_table.gathered(matrix, logarithms)
        candidate_table.scatter(matrix, logarithms, np.log1p(values, out=values))
        numbers = _column_numbers(kernel.NAMES)
        matrix[:, numbers["parents"]] /= matrix[:, numbers["records"]]
        check_budget()
        page, support, at = self.page, self.candidates.support, len(kernel.NAMES)
        candidate_table.write_stated(matrix, at, self.counts, *self.page_features.words.stated_counts)
        at += len(STATED_NAMES)
        kinds = np.array(list(map(_tag_kinds, page.tag_names)), dtype=np.int32)
        candidate_table.write_tags(
            matrix, at, page.parent, page.tag, kinds[:, 0].copy(), len(FRAMES), self.first, self.counts, self.starts,
            kinds[:, 1].copy(), len(TAGS),
        )  # fmt: skip
        at += len(TAG_NAMES)
        candidate_table.write_kinds(matrix, at, self.candidates.kind, len(KINDS), support, np.log1p(support))
        return FeatureMatrix(COMPILED_NAMES, matrix)

    def _text_ranks(self) -> NDArray[np.int32]:
        """Return the rank of the first text of each of the different records among them, -1 where it has none."""
        facts, distinct = self.page_features.row_facts, self.page_features.distinct_texts
        ranks: NDArray[np.int32] = kernel.text_ranks(
            self.range_starts, self.range_ends, facts.next_text, facts.text_code, distinct
        )
        return ranks

    def _stated(self) -> FeatureDict:
        """Return whether a list has as many records as the page states."""
        ranges, numbers = self.page_features.words.stated_counts
        counts = self.counts.tolist()
        return {
            "is_stated_range": np.array([count in ranges for count in counts]),
            "is_stated_number": np.array([count in numbers for count in counts]),
            "states_range": np.full(len(self.counts), bool(ranges)),
        }

    # --- families of features --------------------------------------------------------------------------------------

    def _size(self) -> FeatureDict:
        chars, nodes, mean = self.chars, self.nodes, np.maximum(self.chars_mean, 1)
        share = self._sum(chars) / self.page_features.total_chars
        plain = self.count(self.sums.plain)
        plain_share = self._sum(plain) / max(int(self.sums.plain[-1]), 1)
        nodes_mean = self.mean(nodes)
        return {
            "records": np.log1p(self.counts),
            "records_of_most": self.counts / self.counts.max(),
            "share": share,
            "share_of_best": share / max(share.max(), 1e-9),
            "plain_share": plain_share,
            "plain_of_best": plain_share / max(plain_share.max(), 1e-9),
            "chars": np.log1p(self.chars_mean),
            "chars_spread": self._spread(chars),
            "chars_min": np.minimum.reduceat(chars, self.first) / mean,
            "chars_max": np.maximum.reduceat(chars, self.first) / mean,
            "nodes": np.log1p(nodes_mean),
            "nodes_spread": self._spread(nodes),
            "nodes_min": np.minimum.reduceat(nodes, self.first) / nodes_mean,
            "nodes_share": self._sum(nodes) / max(int(self.sums.nodes[-1]), 1),
            "link_chars": self._sum(self.count(self.sums.link_chars)) / np.maximum(self._sum(chars), 1),
            "repeated_chars": self._sum(self.count(self.page_features.repeated_chars))
            / np.maximum(self._sum(chars), 1),
            "page_chars": np.full(len(self.candidates), np.log1p(self.page_features.total_chars)),
            "page_link_chars": np.full(len(self.candidates), self.sums.link_chars[-1] / self.page_features.total_chars),
        }

    def _content(self) -> FeatureDict:
        """For each kind of content: its mean per record, the share of records with any, with exactly one; and so on."""
        features: FeatureDict = {}
        for name, column in self.page_features.counted.items():
            counts = self.count(column)
            features[name] = np.log1p(self.mean(counts))
            features[f"{name}_any"] = self.mean(counts > 0)
            if name in ONE_PER_RECORD:
                features[f"{name}_one"] = self.mean(counts == 1)
                features[f"{name}_share"] = self._sum(counts) / max(int(column[-1]), 1)
                features[f"{name}_spread"] = self._spread(counts)
        texts = np.maximum(self._sum(self.count(self.sums.texts)), 1)
        features["capitals"] = self._sum(self.count(self.page_features.capitals)) / texts
        return features

    def _position(self) -> FeatureDict:
        chars, total, page = self.sums.chars, self.page_features.total_chars, self.page
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
            "below_ancestor": page.depth[self.begin] - page.depth[self.ancestor],
            "depth_spread": np.maximum.reduceat(depth, self.first) - np.minimum.reduceat(depth, self.first),
            "parents": np.log1p(self._sum(changes)) / np.log1p(self.counts),
            "children": np.log1p(self.mean(children[self.starts])),
            "siblings": self.mean(page.end[self.starts] < self.ends),
        }

    def _left_out(self) -> FeatureDict:
        """What the element around the records has beside them, and how similar that is: records of another form."""
        vectors, nodes = self.page_features.vectors, self.sums.nodes
        inside, stop = np.minimum(self.ancestor + 1, len(self.page)), self.page.end[self.ancestor]
        own = np.add.reduceat(vectors[self.ends] - vectors[self.starts], self.first, axis=0)
        others = vectors[stop] - vectors[inside] - own
        left = np.maximum(nodes[stop] - nodes[inside] - self._sum(self.nodes), 0)
        return {
            "left_out_similarity": np.where(left > 0, _products(_directions(others), _directions(own)), 0),
            "left_out_nodes": np.log1p(left / self.mean(self.nodes)),
        }

    def _gaps(self) -> FeatureDict:
        """What lies between the records, and around them in their lowest common ancestor."""
        chars, mean = self.sums.chars, np.maximum(self.chars_mean, 1)
        total = self._sum(self.chars)
        inside = chars[self.page.end[self.ancestor]] - chars[self.ancestor]
        between = np.maximum(self.counts - 1, 1)
        gap, gap_nodes = self._between(chars), self._between(self.sums.nodes)
        return {
            "cover": total / np.maximum(chars[self.stop] - chars[self.begin], 1),
            "ancestor_cover": total / np.maximum(inside, 1),
            "left_before": (chars[self.begin] - chars[self.ancestor]) / mean,
            "left_after": (chars[self.page.end[self.ancestor]] - chars[self.stop]) / mean,
            "gap": self._sum(gap) / between / mean,
            "gap_any": self._sum(gap > 0) / between,
            "gap_max": np.maximum.reduceat(gap, self.first) / mean,
            "gap_nodes": self._sum(gap_nodes) / between / self.mean(self.nodes),
        }

    def _variety(self) -> FeatureDict:
        page = self.page
        return {
            "distinct": self._distinct(self._contents()),
            "shapes": self._distinct(page.shape[self.starts]),
            "shape_mode": self._mode(page.shape[self.starts]),
            "paths": self._distinct(self.page_features.path[self.starts]),
            "styled_mode": self._mode(page.styled_path[self.starts]),
        }

    def _first_texts(self) -> FeatureDict:
        """The first text and first link of each record: whether at the same tag path in all, with different content."""
        page_features, rows = self.page_features, len(self.page)
        starts, ends = self.range_starts, self.range_ends
        text, link = page_features.next_text[starts], page_features.next_link[starts]
        has_text, has_link = text < ends, link < ends
        text, link = np.minimum(text, rows - 1), np.minimum(link, rows - 1)
        text_path, link_path = (
            np.where(has_text, page_features.path[text], -1),
            np.where(has_link, page_features.path[link], -1),
        )
        text_times = page_features.times(np.maximum(text_path, 0), starts, ends) * has_text
        link_times = page_features.times(np.maximum(link_path, 0), starts, ends) * has_link
        of_ranges = (text, link, text_path, link_path, text_times, link_times)
        text, link, text_path, link_path, text_times, link_times = (values[self.range] for values in of_ranges)
        has_text, has_link = has_text[self.range], has_link[self.range]
        first_path = np.maximum(text_path[self.first], 0)
        everywhere = page_features.times(first_path, np.zeros_like(first_path), np.full_like(first_path, rows))
        number = np.where(has_text, page_features.number_at[text], -1)
        follows = np.concatenate(([False], (number[1:] == number[:-1] + 1) & (number[:-1] >= 0)))
        follows[self.first] = False
        rank = np.where(has_text, page_features.text_rank[text], -1)
        increases = np.concatenate(([False], rank[1:] > rank[:-1]))
        increases[self.first] = False
        return {
            "first_text_mode": self._mode(text_path),
            "first_text_distinct": self._distinct(np.where(has_text, page_features.text_code[text], -1)),
            "first_text_times": np.log1p(self.mean(text_times)),
            "first_text_once": self.mean(text_times == 1),
            "first_text_elsewhere": np.log1p(np.maximum(everywhere - self._sum(text_times), 0) / self.counts),
            "first_link_mode": self._mode(link_path),
            "first_link_times": np.log1p(self.mean(link_times)),
            "first_link_once": self.mean(link_times == 1),
            "first_link_distinct": self._distinct(np.where(has_link, page_features.target[link], -1)),
            "numbered": self._sum(follows) / np.maximum(self.counts - 1, 1),
            "sorted": self._sum(increases) / np.maximum(self.counts - 1, 1),
        }

    def _similarity(self) -> FeatureDict:
        """How similar the records are to their mean: on average, the first, the last, the least similar."""
        mean = np.add.reduceat(self.units, self.first, axis=0) / self.counts[:, None]
        similarity = self.similarity
        return {
            "similarity": _lengths(mean),
            "similarity_min": np.minimum.reduceat(similarity, self.first),
            "similarity_first": similarity[self.first],
            "similarity_last": similarity[self.last],
            "dissimilarity": self.mean(1 - similarity),
        }

    def _alternation(self) -> FeatureDict:
        """How similar records are to the next, the second next and the third next: halves of records alternate."""
        similarity: dict[int, Numbers] = {}
        step: dict[int, Numbers] = {}
        size = np.log1p(self.chars)
        for lag in (1, 2, 3):
            similarity[lag] = self._lagged(_products(self.units[lag:], self.units[:-lag]), lag)
            step[lag] = self._lagged(np.abs(size[lag:] - size[:-lag]), lag)
        features: FeatureDict = {f"similarity_{lag}": column for lag, column in similarity.items()}
        features |= {f"step_{lag}": column for lag, column in step.items()}
        for lag in (2, 3):
            known = self.counts > lag
            features[f"similarity_change_{lag}"] = np.where(known, similarity[lag] - similarity[1], 0)
            features[f"step_change_{lag}"] = np.where(known, step[lag] - step[1], 0)
        return features

    def _phase(self) -> FeatureDict:
        """Whether records begin where they should: what stands before the first, and what the last one lacks.

        A list that is cut too late has the first record's head before it, which is like the ends of its other records,
        and its last record lacks that end.
        """
        page, counted = self.page, self.page_features.counted
        key = self.page_features.look
        heads, tails = self.range_starts, self._last_top_rows()
        is_run = page.end[heads] < self.range_ends
        bolds = counted["bolds"] + counted["headings"]
        tail = key[tails][self.range]
        is_last = np.zeros(len(self.starts), dtype=np.bool_)
        is_last[self.last] = True
        before, after = self._row_before(), self._row_after()
        others = np.maximum(self.counts - 1, 1)
        last_tail = tail[self.last][self.group]
        parent = page.parent[heads]
        opens = (parent == heads - 1)[self.range]
        closes = (page.end[parent] == self.range_ends)[self.range]
        after_break = self.page_features.after_break[heads]
        breaks = self.page_features.breaks
        breaks_inside = breaks[self.range_ends] - breaks[heads] - after_break > 0
        start = key[heads][self.range]

        def share_of_runs(column: Integers, rows: Integers) -> Numbers:
            return self.mean(((_of_rows(page, column, rows) > 0) & is_run)[self.range])

        return {
            "before_like_tail": self._sum((tail == key[before][self.group]) & ~is_last) / others * (before > 0),
            "before_like_start": self._sum(start == key[before][self.group]) / self.counts * (before > 0),
            "after_like_start": self._sum(start == key[after][self.group]) / self.counts * (after > 0),
            "after_like_tail": self._sum(tail == key[after][self.group]) / self.counts * (after > 0),
            "last_lacks_tail": self._sum((tail != last_tail) & ~is_last) / others,
            "tail_mode": self._mode(tail),
            "start_mode": self._mode(start),
            "head_headings": share_of_runs(bolds, heads),
            "tail_headings": share_of_runs(bolds, tails),
            "head_links": share_of_runs(counted["links"], heads),
            "tail_links": share_of_runs(counted["links"], tails),
            "head_images": share_of_runs(counted["images"], heads),
            "tail_images": share_of_runs(counted["images"], tails),
            "opens_container": self.mean(opens),
            "closes_container": self.mean(closes),
            "after_break": self.mean(after_break[self.range]),
            "breaks_inside": self.mean(breaks_inside[self.range]),
            "first_opens": opens[self.first],
            "last_closes": closes[self.last],
        }

    def _repetition(self) -> FeatureDict:
        """What repeats inside the records: a record made of similar parts may be a row of records."""
        features: FeatureDict = {}
        inside = np.minimum(self.range_starts + 1, self.range_ends)
        for name, column in self.page_features.repeated_siblings.items():
            counts = (column[self.range_ends] - column[inside])[self.range]
            features[name] = np.log1p(self.mean(counts))
            features[f"{name}_any"] = self.mean(counts > 0)
        vectors, middle = self.page_features.vectors, (self.range_starts + self.range_ends) // 2
        left, right = vectors[middle] - vectors[self.range_starts], vectors[self.range_ends] - vectors[middle]
        lengths = _lengths(left) * _lengths(right)
        similarity = _products(left, right) / np.maximum(lengths, 1e-9)
        features["halves_similarity"] = self.mean(similarity[self.range])
        return features

    def _class_names(self) -> FeatureDict:
        """Words in class names and ids of the records and around them: those of page frames, and those of records."""
        words, above = self.page_features.words.class_words, self.page_features.words.class_words_above
        features: FeatureDict = {}
        for name in ("frame", "record", "aside", "overlay"):
            features[f"{name}_words"] = self.mean(words[name][self.starts])
            features[f"ancestor_{name}_word"] = words[name][self.ancestor]
            features[f"{name}_words_above"] = above[name][self.ancestor]
        return features

    def _surroundings(self) -> FeatureDict:
        """Whether the list is in the main part of the page, which heading is above it, and where the next pager is."""
        words, chars, total = self.page_features.words, self.sums.chars, self.page_features.total_chars
        page, headings = self.page, words.heading_rows
        above = np.searchsorted(headings, self.begin, side="right") - 1
        heading = headings[np.maximum(above, 0)] if len(headings) else np.zeros_like(self.begin)
        has_heading = above >= 0
        level = np.array([int(name[1]) if name in HEADING_TAGS else 0 for name in page.tag_names])[page.tag[heading]]
        title = np.flatnonzero(self.sums.titles)[:1]
        after_title = chars[self.begin] - chars[title[0]] if len(title) else np.full(len(self.begin), -total)
        mean = np.maximum(self.chars_mean, 1)
        pagers = words.pagers
        around = page.parent[self.ancestor]
        around = np.where(around > page.body, around, self.ancestor)
        return {
            "outside_main": words.is_outside_main[self.begin],
            "in_frame_role": words.is_in_frame_role[self.begin],
            "heading_level": np.where(has_heading, level, 0),
            "heading_distance": np.where(has_heading, (chars[self.begin] - chars[heading]) / mean, -1),
            "after_title": after_title / total,
            "pagers_inside": self.mean(self.count(pagers) > 0),
            "pager_around": (pagers[page.end[around]] - pagers[around] > 0) & (self._sum(self.count(pagers)) == 0),
            "page_pagers": np.full(len(self.counts), np.log1p(pagers[-1])),
            **self._stated(),
        }

    def _tags(self) -> FeatureDict:
        names = self.page.tag_names
        tag = self.page.tag[self.starts[self.first + self.counts // 2]]
        features: FeatureDict = {f"in_{name}": inside_tag(self.page, name)[self.begin] for name in FRAMES}
        for name in TAGS:
            features[f"is_{name}"] = tag == (names.index(name) if name in names else -1)
        return features

    def _kind(self) -> FeatureDict:
        support = self.candidates.support
        features: FeatureDict = {f"by_{name}": self.candidates.kind == k for k, name in enumerate(KINDS)}
        return features | {"support": np.log1p(support), "support_of_best": support / support.max()}

    # --- per record ------------------------------------------------------------------------------------------------

    @kept_property
    def units(self) -> Vectors:
        """The vector of each record, scaled to length 1."""
        vectors = self.page_features.vectors
        return _directions(vectors[self.range_ends] - vectors[self.range_starts])[self.range]

    @kept_property
    def similarity(self) -> Numbers:
        """The cosine similarity of each record to the mean of its list, -1..1."""
        mean = _directions(np.add.reduceat(self.units, self.first, axis=0))
        return _products(self.units, mean[self.group])

    def count(self, column: Integers) -> Integers:
        """Return how much of what a running sum counts is in each record."""
        return np.asarray((column[self.range_ends] - column[self.range_starts])[self.range])

    def counts_of(self, names: Sequence[str]) -> NDArray[np.integer]:
        """Return how much of each kind of content is in each record, a column for each."""
        counts = self.page_features.counts
        if counts is not None:
            columns = [page_facts.SUMS.index(name) for name in names]
            return np.asarray((counts.sums[self.ends] - counts.sums[self.starts])[:, columns])
        return np.column_stack([self.count(self.page_features.counted[name]) for name in names])

    def means(self, values: NDArray[np.generic]) -> Numbers:
        """Return the mean of each column over the records of each candidate."""
        sums = np.add.reduceat(values.astype(np.float64), self.first, axis=0)
        return np.asarray(sums / self.counts[:, None])

    def _contents(self) -> Integers:
        """Return a code per record, equal for records with the same texts."""
        sums = self.page_features.text_sums
        codes = np.unique(sums[self.range_ends] - sums[self.range_starts], return_inverse=True)[1]
        return np.asarray(codes[self.range], dtype=np.int64)

    def shares_of(self, columns: Sequence[NDArray[np.integer]]) -> Sequence[Numbers]:
        """Return ``share_of`` for several columns of values."""
        if candidates_kernel is None:
            return [self.share_of(values) for values in columns]
        shares: Numbers = candidates_kernel.equal_shares(np.array(columns, dtype=np.int64), self.counts)
        return list(shares)

    def share_of(self, values: NDArray[np.integer]) -> Numbers:
        """Return for each record the share of its list that has the same value."""
        width = int(values.max()) + 2
        keys: list[int] = (self.group * width + values + 1).tolist()
        times = Counter(keys)  # np.unique takes several times as long on lists of usual length
        return np.asarray(np.array([times[key] for key in keys], dtype=np.int64) / self.counts[self.group])

    def _between(self, column: Integers) -> Integers:
        """Return how much of what a running sum counts lies between each record and the next of its list."""
        following = np.append(self.starts[1:], 0)
        following[self.last] = self.ends[self.last]
        return np.asarray(np.maximum(column[following] - column[self.ends], 0))

    def _last_top_rows(self) -> Integers:
        """Return the last of the siblings that make up each of the different records."""
        rows = self.range_starts.astype(np.int64)
        runs = np.flatnonzero(self.page.end[rows] < self.range_ends)
        rows[runs] = self._at_level(self.range_ends[runs] - 1, self.page.depth[rows[runs]])
        return rows

    def _at_level(self, rows: Integers, level: NDArray[np.integer]) -> Integers:
        """Return the ancestor of each row at a level, or the row itself if it is not below that level."""
        page, rows = self.page, rows.astype(np.int64)
        climbing = np.flatnonzero(page.depth[rows] > level)
        while len(climbing):
            rows[climbing] = page.parent[rows[climbing]]
            climbing = climbing[page.depth[rows[climbing]] > level[climbing]]
        return rows

    # --- per candidate ---------------------------------------------------------------------------------------------

    def _common_ancestor(self) -> Integers:
        """Return the smallest element that contains all records of each candidate."""
        if kernel is not None:
            ancestors: Integers = kernel.common_ancestors(self.page.parent, self.page.end, self.begin, self.stop)
            return ancestors
        ancestor = self.page.parent[self.begin].astype(np.int64)
        while True:
            is_too_small = (self.page.end[ancestor] < self.stop) & (self.page.parent[ancestor] >= 0)
            if not is_too_small.any():
                return ancestor
            ancestor = np.where(is_too_small, self.page.parent[ancestor], ancestor)

    def _row_before(self) -> Integers:
        """Return the sibling before the first record of each candidate, 0 where there is none."""
        level = self.page.depth[self.begin]
        rows = self._at_level(self.begin - 1, level)
        return np.where(self.page.depth[rows] == level, rows, 0)

    def _row_after(self) -> Integers:
        """Return the sibling after the last record of each candidate, 0 where there is none."""
        after = np.minimum(self.stop, len(self.page) - 1)
        parent = self.page.parent
        is_sibling = (self.stop < len(self.page)) & (parent[after] == parent[self.starts[self.last]])
        return np.where(is_sibling, after, 0)

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
        """Return the number of different values that a candidate's records have, per record."""
        keys, width = self._keyed(values)
        first_seen = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
        return np.asarray(np.bincount(first_seen // width, minlength=len(self.candidates)) / self.counts)

    def _mode(self, values: NDArray[np.integer]) -> Numbers:
        """Return the share of the records that have the most common value."""
        keys, width = self._keyed(values)
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        largest = np.zeros(len(self.candidates))
        np.maximum.at(largest, keys[starts] // width, np.diff(starts, append=len(keys)))
        return np.asarray(largest / self.counts)

    def _keyed(self, values: NDArray[np.integer]) -> tuple[Integers, int]:
        """Return sorted keys of candidate and value, ``candidate * width + value + 1``, and the width."""
        width = int(values.max()) + 2
        keys = self.group * width + values + 1
        # 32 bits are sorted in half the time
        return np.sort(keys.astype(np.int32) if len(self.candidates) * width < 2**31 else keys), width

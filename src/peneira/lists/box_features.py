"""The features of candidate lists on a rendered page: how much of it they fill, and how their records are laid out.

The records of a list are aligned at one left edge or in a grid; they are equally wide, do not overlap, and have a
heading in a larger font than their text. The position on the page is no feature: it depends on the style sheet alone.
All features are computed for all candidates at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.kept_property import kept_property
from peneira.lists.candidates import Candidates
from peneira.lists.features import FeatureTable
from peneira.page import Page

Numbers = NDArray[np.float64]

# Edges are rounded down to multiples of this width before they are compared
EDGE_PX = 4.0
# Background colours that let what is below show through
TRANSPARENT = ("", "transparent", "rgba(0, 0, 0, 0)")


def with_box_features(page: Page, candidates: Candidates, features: FeatureTable) -> FeatureTable:
    """Return the features of candidates, with those of their boxes if the page was rendered."""
    return {**features, **BoxFeatures(page, candidates).features()} if page.layout else features


class BoxFeatures:
    """The features of the candidates of a rendered page."""

    def __init__(self, page: Page, candidates: Candidates) -> None:
        assert page.layout is not None
        self.page, self.candidates, self.layout = page, candidates, page.layout
        self.first = candidates.first
        self.group = np.repeat(np.arange(len(candidates)), candidates.counts)
        self.low, self.high = self._record_edges()
        self.size = np.maximum(self.high - self.low, 0.0)
        self.is_rendered: NDArray[np.bool_] = np.asarray((self.size > 0).all(axis=1), dtype=np.bool_)

    def features(self) -> FeatureTable:
        """Return all features by name, a row per candidate."""
        if not len(self.candidates):
            return {}
        return {
            f"box_{name}": column for name, column in {**self._space(), **self._alignment(), **self._style()}.items()
        }

    # --- edges -----------------------------------------------------------------------------------------------------

    @kept_property
    def _siblings(self) -> tuple[Integers, Integers]:
        """All rows in an order in which siblings are neighbours, and the position of each row in it."""
        order = np.argsort(self.page.parent, kind="stable")
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        return order, position

    def _over_records(self, values: Numbers, reduce: np.ufunc) -> Numbers:
        """Return for each record the reduction of the values of its topmost nodes, which are siblings."""
        order, position = self._siblings
        starts, ends = position[self.candidates.starts], position[self._last_tops] + 1
        ordered = np.concatenate((values[order], values[order[-1:]]))
        return np.asarray(reduce.reduceat(ordered, np.column_stack((starts, ends)).ravel())[::2])

    @kept_property
    def _last_tops(self) -> Integers:
        """The last of the topmost nodes of each record: the ancestor of its last row that is a sibling of its first."""
        page = self.page
        node = self.candidates.ends - 1
        goal = page.depth[self.candidates.starts]
        while (climbing := page.depth[node] > goal).any():
            node = np.where(climbing, page.parent[node], node)
        return np.asarray(node, dtype=np.int64)

    def _record_edges(self) -> tuple[Numbers, Numbers]:
        """Return the left upper and the right lower corner of each record; reversed where it has no box."""
        boxes = self.layout.extents(self.page.parent, self.page.depth)
        is_empty = ((boxes[:, 2] <= 0) | (boxes[:, 3] <= 0))[:, None]
        low = np.where(is_empty, np.inf, boxes[:, :2])
        high = np.where(is_empty, -np.inf, boxes[:, :2] + boxes[:, 2:])
        lows = [self._over_records(low[:, k], np.minimum) for k in (0, 1)]
        highs = [self._over_records(high[:, k], np.maximum) for k in (0, 1)]
        return np.column_stack(lows), np.column_stack(highs)

    # --- features --------------------------------------------------------------------------------------------------

    def _sum(self, values: NDArray[np.generic]) -> Numbers:
        return np.add.reduceat(values.astype(np.float64), self.first)

    def _mean(self, values: NDArray[np.generic]) -> Numbers:
        return np.asarray(self._sum(values) / self.candidates.counts)

    def _mode(self, values: Numbers) -> Numbers:
        """Return the share of each list's records that have the most common edge."""
        edges = np.where(self.is_rendered, np.nan_to_num(values, posinf=-1, neginf=-1) // EDGE_PX, 0.0)
        distinct = edges.min(initial=0.0) - 1.0 - np.arange(len(values))  # a record without a box agrees with no other
        codes = np.where(self.is_rendered, edges, distinct)
        keys = np.column_stack((self.group, codes))
        unique, counts = np.unique(keys, axis=0, return_counts=True)
        largest = np.zeros(len(self.candidates))
        np.maximum.at(largest, unique[:, 0].astype(np.int64), counts)
        return np.asarray(largest / self.candidates.counts)

    def _distinct(self, values: Numbers) -> Numbers:
        """Return how many different edges the rendered records of each list have."""
        codes = np.nan_to_num(values, posinf=-1, neginf=-1)[self.is_rendered] // EDGE_PX
        unique = np.unique(np.column_stack((self.group[self.is_rendered], codes)), axis=0)
        return np.bincount(unique[:, 0].astype(np.int64), minlength=len(self.candidates)).astype(np.float64)

    def _space(self) -> FeatureTable:
        """How much of the page the records fill, and how large the box around all of them is."""
        page_size = np.maximum((self.layout.width_px, self.layout.height_px), 1.0)
        areas = np.where(self.is_rendered, self.size[:, 0] * self.size[:, 1], 0.0)
        low = np.minimum.reduceat(np.where(self.is_rendered[:, None], self.low, np.inf), self.first, axis=0)
        high = np.maximum.reduceat(np.where(self.is_rendered[:, None], self.high, -np.inf), self.first, axis=0)
        size = np.maximum(np.nan_to_num(high - low, neginf=0.0), 0.0)
        filled = self._sum(areas)
        return {
            "area_share": np.minimum(filled / page_size.prod(), 1.0),
            "filled": np.minimum(filled / np.maximum(size.prod(axis=1), 1.0), 2.0),
            "width_share": size[:, 0] / page_size[0],
            "height_share": size[:, 1] / page_size[1],
            "rendered": self._mean(self.is_rendered),
        }

    def _alignment(self) -> FeatureTable:
        """Whether the records are aligned at an edge or in a grid, equal in size, and do not overlap."""
        lefts, tops = self._distinct(self.low[:, 0]), self._distinct(self.low[:, 1])
        gaps = self._gaps()
        height = self._mean(np.where(self.is_rendered, self.size[:, 1], 0.0))
        between = np.maximum(self.candidates.counts - 1, 1)
        return {
            "left_mode": self._mode(self.low[:, 0]),
            "width_mode": self._mode(self.size[:, 0]),
            "height_mode": self._mode(self.size[:, 1]),
            "columns": np.log1p(lefts),
            "grid": np.where(lefts > 0, self.candidates.counts / np.maximum(lefts * tops, 1.0), 0.0),
            "gap": np.clip(self._sum(np.maximum(gaps, 0.0)) / between / np.maximum(height, 1.0), 0.0, 20.0),
            "overlap": self._sum(gaps < -EDGE_PX) / between,
        }

    def _gaps(self) -> Numbers:
        """Return the pixels from each record to the next of its list, below or beside it; 0 after the last.

        Negative if the two overlap. At the end of a grid row the next record is both below and beside: the distance
        below counts.
        """
        after = np.minimum(np.arange(len(self.group)) + 1, len(self.group) - 1)
        gaps = np.maximum(self.low[after] - self.high, self.low - self.high[after])
        known = self.is_rendered & self.is_rendered[after] & (self.group == self.group[after])
        known &= after != np.arange(len(self.group))
        gaps = np.where(known[:, None], gaps, 0.0)
        return np.asarray(np.where((gaps > 0).all(axis=1), gaps[:, 1], gaps.max(axis=1)))

    def _style(self) -> FeatureTable:
        """Fonts and colours: a record has a heading in a larger font, and often a background of its own."""
        page, styles = self.page, self.layout.styles
        fonts = styles["font-size"].numbers()
        is_text = (page.tag == 0) & (fonts > 0)
        largest = self._below(np.where(is_text, fonts, 0.0), np.maximum)
        smallest = self._below(np.where(is_text, fonts, np.inf), np.minimum)
        bold = self._below(np.where(is_text & (styles["font-weight"].numbers() >= 600), 1.0, 0.0), np.maximum)
        max_font, min_font = self._over_records(largest, np.maximum), self._over_records(smallest, np.minimum)
        median = float(np.median(fonts[is_text])) if is_text.any() else 1.0
        background = styles["background-color"]
        is_painted = np.array([value not in TRANSPARENT for value in background.values], dtype=np.bool_)[
            background.codes
        ]
        contrast = np.where(
            np.isfinite(min_font) & (min_font > 0), max_font / np.where(min_font > 0, min_font, 1.0), 1.0
        )
        return {
            "font_contrast": self._mean(np.minimum(contrast, 5.0)),
            "font": self._mean(np.minimum(max_font / median, 5.0)),
            "bold": self._mean(self._over_records(bold, np.maximum) > 0),
            "painted": self._mean(is_painted[self.candidates.starts]),
        }

    def _below(self, values: Numbers, reduce: np.ufunc) -> Numbers:
        """Return for each node the reduction of the values of its subtree, level by level."""
        depth, parent = self.page.depth, self.page.parent
        reduced = values.copy()
        order = np.argsort(-depth, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(depth[order])) + 1):
            inner = rows[parent[rows] >= 0]
            reduce.at(reduced, parent[inner], reduced[inner])
        return reduced

"""What the boxes of a rendered page say of candidate lists: how much of it they fill, how they are laid out.

Records of a list stand below each other at one left edge, or in a grid; they are as wide as each other, do not overlap,
and have a heading that is larger than their text. Where on the page a list stands is no evidence: that is up to the
style sheet. All figures are for all candidates at once.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.lists.candidates import Candidates
from peneira.page import Page

Numbers = NDArray[np.float64]
FeatureTable = dict[str, NDArray[np.generic]]

# Edges in one step of this width are one
EDGE_PX = 4.0
# Colours that show what is below
CLEAR = ("", "transparent", "rgba(0, 0, 0, 0)")


def with_box_features(page: Page, found: Candidates, figures: FeatureTable) -> FeatureTable:
    """Return the figures of candidates together with those of their boxes, where a browser has shown the page."""
    return figures | BoxFeatures(page, found).features() if page.layout else figures


class BoxFeatures:
    """The figures of the candidates of a page that a browser has shown."""

    def __init__(self, page: Page, found: Candidates) -> None:
        assert page.layout is not None
        self.page, self.found, self.layout = page, found, page.layout
        self.first = found.first
        self.group = np.repeat(np.arange(len(found)), found.counts)
        self.low, self.high = self._record_edges()
        self.size = np.maximum(self.high - self.low, 0.0)
        self.is_shown: NDArray[np.bool_] = np.asarray((self.size > 0).all(axis=1), dtype=np.bool_)

    def features(self) -> FeatureTable:
        """Return all figures by name, a row per candidate."""
        if not len(self.found):
            return {}
        return {f"box_{name}": column for name, column in {**self._space(), **self._order(), **self._looks()}.items()}

    # --- edges -----------------------------------------------------------------------------------------------------

    @cached_property
    def _siblings(self) -> tuple[Integers, Integers]:
        """The rows so that siblings stand side by side, and the place of each row among them."""
        order = np.argsort(self.page.parent, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return order, place

    def _over_records(self, values: Numbers, reduce: np.ufunc) -> Numbers:
        """Return a figure of all records, taken over their topmost nodes, which are siblings."""
        order, place = self._siblings
        starts, ends = place[self.found.starts], place[self._last_tops] + 1
        ordered = np.concatenate((values[order], values[order[-1:]]))
        return np.asarray(reduce.reduceat(ordered, np.column_stack((starts, ends)).ravel())[::2])

    @cached_property
    def _last_tops(self) -> Integers:
        """The last of the topmost nodes of each record: the ancestor of its last row that is a sibling of its first."""
        page = self.page
        node = self.found.ends - 1
        goal = page.depth[self.found.starts]
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

    # --- figures ---------------------------------------------------------------------------------------------------

    def _sum(self, values: NDArray[np.generic]) -> Numbers:
        return np.add.reduceat(values.astype(np.float64), self.first)

    def _mean(self, values: NDArray[np.generic]) -> Numbers:
        return np.asarray(self._sum(values) / self.found.counts)

    def _mode(self, values: Numbers) -> Numbers:
        """Return the share of the records of each list that agree with most, give or take an edge."""
        edges = np.where(self.is_shown, np.nan_to_num(values, posinf=-1, neginf=-1) // EDGE_PX, 0.0)
        alone = edges.min(initial=0.0) - 1.0 - np.arange(len(values))  # what is not shown agrees with nothing
        codes = np.where(self.is_shown, edges, alone)
        keys = np.column_stack((self.group, codes))
        unique, counts = np.unique(keys, axis=0, return_counts=True)
        best = np.zeros(len(self.found))
        np.maximum.at(best, unique[:, 0].astype(np.int64), counts)
        return np.asarray(best / self.found.counts)

    def _distinct(self, values: Numbers) -> Numbers:
        """Return how many different edges the shown records of each list have."""
        codes = np.nan_to_num(values, posinf=-1, neginf=-1)[self.is_shown] // EDGE_PX
        unique = np.unique(np.column_stack((self.group[self.is_shown], codes)), axis=0)
        return np.bincount(unique[:, 0].astype(np.int64), minlength=len(self.found)).astype(np.float64)

    def _space(self) -> FeatureTable:
        """How much of the page the records fill, and the box around them all."""
        page_size = np.maximum((self.layout.width_px, self.layout.height_px), 1.0)
        areas = np.where(self.is_shown, self.size[:, 0] * self.size[:, 1], 0.0)
        low = np.minimum.reduceat(np.where(self.is_shown[:, None], self.low, np.inf), self.first, axis=0)
        high = np.maximum.reduceat(np.where(self.is_shown[:, None], self.high, -np.inf), self.first, axis=0)
        size = np.maximum(np.nan_to_num(high - low, neginf=0.0), 0.0)
        filled = self._sum(areas)
        return {
            "area_share": np.minimum(filled / page_size.prod(), 1.0),
            "filled": np.minimum(filled / np.maximum(size.prod(axis=1), 1.0), 2.0),
            "width_share": size[:, 0] / page_size[0],
            "height_share": size[:, 1] / page_size[1],
            "shown": self._mean(self.is_shown),
        }

    def _order(self) -> FeatureTable:
        """Whether the records stand at one edge or in a grid, alike in size, apart from each other."""
        lefts, tops = self._distinct(self.low[:, 0]), self._distinct(self.low[:, 1])
        gaps = self._gaps()
        height = self._mean(np.where(self.is_shown, self.size[:, 1], 0.0))
        between = np.maximum(self.found.counts - 1, 1)
        return {
            "left_mode": self._mode(self.low[:, 0]),
            "width_mode": self._mode(self.size[:, 0]),
            "height_mode": self._mode(self.size[:, 1]),
            "columns": np.log1p(lefts),
            "grid": np.where(lefts > 0, self.found.counts / np.maximum(lefts * tops, 1.0), 0.0),
            "gap": np.clip(self._sum(np.maximum(gaps, 0.0)) / between / np.maximum(height, 1.0), 0.0, 20.0),
            "overlap": self._sum(gaps < -EDGE_PX) / between,
        }

    def _gaps(self) -> Numbers:
        """Return the pixels from each record to the next of its list, below it or beside it; 0 after the last.

        Below zero where they overlap in both directions. Where a row of a grid ends, the next record is both below and
        aside: what counts is how far below.
        """
        after = np.minimum(np.arange(len(self.group)) + 1, len(self.group) - 1)
        apart = np.maximum(self.low[after] - self.high, self.low - self.high[after])
        known = self.is_shown & self.is_shown[after] & (self.group == self.group[after])
        known &= after != np.arange(len(self.group))
        apart = np.where(known[:, None], apart, 0.0)
        return np.asarray(np.where((apart > 0).all(axis=1), apart[:, 1], apart.max(axis=1)))

    def _looks(self) -> FeatureTable:
        """Fonts and colours: a record has something that stands out, and often a ground of its own."""
        page, styles = self.page, self.layout.styles
        fonts = styles["font-size"].numbers()
        is_text = (page.tag == 0) & (fonts > 0)
        largest = self._below(np.where(is_text, fonts, 0.0), np.maximum)
        smallest = self._below(np.where(is_text, fonts, np.inf), np.minimum)
        bold = self._below(np.where(is_text & (styles["font-weight"].numbers() >= 600), 1.0, 0.0), np.maximum)
        most, least = self._over_records(largest, np.maximum), self._over_records(smallest, np.minimum)
        usual = float(np.median(fonts[is_text])) if is_text.any() else 1.0
        ground = styles["background-color"]
        is_painted = np.array([value not in CLEAR for value in ground.values], dtype=np.bool_)[ground.codes]
        contrast = np.where(np.isfinite(least) & (least > 0), most / np.where(least > 0, least, 1.0), 1.0)
        return {
            "font_contrast": self._mean(np.minimum(contrast, 5.0)),
            "font": self._mean(np.minimum(most / usual, 5.0)),
            "bold": self._mean(self._over_records(bold, np.maximum) > 0),
            "painted": self._mean(is_painted[self.found.starts]),
        }

    def _below(self, values: Numbers, reduce: np.ufunc) -> Numbers:
        """Return a figure over the subtree of each node, level by level."""
        depth, parent = self.page.depth, self.page.parent
        found = values.copy()
        order = np.argsort(-depth, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(depth[order])) + 1):
            inner = rows[parent[rows] >= 0]
            reduce.at(found, parent[inner], found[inner])
        return found

"""How a browser rendered a page: a box and some computed styles for each row of its ``Page``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum

Boxes = NDArray[np.float64]
Codes = NDArray[np.int32]

Property = Literal["display", "visibility", "position", "font-size", "font-weight", "color", "background-color"]
PROPERTIES: tuple[Property, ...] = get_args(Property)


@dataclass(frozen=True, slots=True)
class Styles:
    """One computed property of all rows: row i has ``values[codes[i]]``. Code 0 is "", of rows that have no box."""

    codes: Codes
    values: tuple[str, ...]

    def numbers(self) -> NDArray[np.float64]:
        """Return the values as numbers ("16px" is 16, "700" is 700), 0 where one is no number."""
        return np.array([_number(value) for value in self.values], dtype=np.float64)[self.codes]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where and how the rows of a page were rendered, in CSS pixels from the top left corner of the document.

    ``boxes`` has x, y, width and height per row, zeros where there is no box (``display: none`` and ``contents``).
    ``has_box`` marks the rows that have a box; ``screenshot`` is the page as PNG, where one was taken.
    """

    boxes: Boxes
    has_box: NDArray[np.bool_]
    styles: Mapping[Property, Styles]
    width_px: float
    height_px: float
    screenshot: bytes | None = None

    def style(self, i: int, name: Property) -> str:
        """Return a computed style of row ``i``, "" where the row has no box."""
        column = self.styles[name]
        return column.values[int(column.codes[i])]

    def visible_rows(self, end: Codes) -> NDArray[np.bool_]:
        """Return the rows of which something is visible; ``end`` is the page's."""
        visibility = self.styles["visibility"]
        is_visible = np.array([value == "visible" for value in visibility.values], dtype=np.bool_)[visibility.codes]
        sums = running_sum(self.has_box & is_visible)
        return np.asarray(sums[end] > sums[:-1])

    def extents(self, parent: Codes, depth: Codes) -> Boxes:
        """Return the boxes, an empty one replaced by the smallest around its descendants; the columns are the page's.

        A parent of floats has no height, and one with ``display: contents`` has no box at all. Level by level from the
        deepest up, so that depth costs no more than the nodes.
        """
        boxes = self.boxes.copy()
        is_empty = (boxes[:, 2] <= 0) | (boxes[:, 3] <= 0)
        low = np.where(is_empty[:, None], np.inf, boxes[:, :2])
        high = np.where(is_empty[:, None], -np.inf, boxes[:, :2] + boxes[:, 2:])
        order = np.argsort(-depth, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(depth[order])) + 1):
            rows = rows[(parent[rows] >= 0) & is_empty[parent[rows]] & np.isfinite(low[rows, 0])]
            np.minimum.at(low, parent[rows], low[rows])
            np.maximum.at(high, parent[rows], high[rows])
        is_filled = is_empty & np.isfinite(low[:, 0])
        boxes[is_filled] = np.hstack((low, high - low))[is_filled]
        return boxes


def _number(text: str) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0

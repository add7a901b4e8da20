"""The content probability of regions, for methods that have to distinguish lists from menus."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.page import Codes, Page
from peneira.texts.content_model import probabilities
from peneira.texts.page_texts import PageTexts

# A region is noise if its probability is below this share of the probability of the rest of the page
MIN_RATIO = 0.25


class RegionProbabilities:
    """The mean content probability of any range of rows, weighted by text length; each lookup takes constant time."""

    def __init__(self, page: Page) -> None:
        texts = PageTexts(page)
        weights, weighted = np.zeros(len(page)), np.zeros(len(page))
        weights[texts.rows] = texts.lengths
        weighted[texts.rows] = texts.lengths * probabilities(texts)
        self._weights, self._weighted = running_sum(weights), running_sum(weighted)

    def of(self, starts: NDArray[np.integer], ends: NDArray[np.integer]) -> Numbers:
        """Return the mean probability of each range ``start:end``; 0 for a range without text."""
        weight = self._weights[ends] - self._weights[starts]
        return np.asarray((self._weighted[ends] - self._weighted[starts]) / np.maximum(weight, 1))

    def outside(self, start: int, end: int) -> float:
        """Return the mean probability of all rows except ``start:end``."""
        weight = self._weights[-1] - self._weights[end] + self._weights[start]
        return float((self._weighted[-1] - self._weighted[end] + self._weighted[start]) / max(weight, 1))


def is_content(page: Page, region: Codes) -> bool:
    """Return whether the rows of a contiguous region are content, compared with the rest of the page.

    This is the check in Algorithm 6 of the tag path filter (``texts.tps.filtered_rows``). A list looks less like the
    content of a detail page than the prose around it, so only a region far below the rest is noise: on the 63 pages of
    ``tpsf`` with gold the main region is then kept on 55 instead of 53 (scan-on), and on 56 as before (first-split).
    """
    if not len(region):
        return False
    regions, start, end = RegionProbabilities(page), int(region[0]), int(region[-1]) + 1
    inside = regions.of(np.array([start]), np.array([end]))[0]
    return bool(inside >= MIN_RATIO * regions.outside(start, end))

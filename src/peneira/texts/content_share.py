"""How much of a stretch of a page is content: for what looks at regions and has to tell lists from menus."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.page import Codes, Page
from peneira.texts.content_model import probabilities
from peneira.texts.text_features import Numbers, PageTexts

# A region is noise if its probability is less than this share of that of the rest of the page
MIN_RATIO = 0.25


class RegionChances:
    """The mean probability of any stretch of a page's rows, longer texts counting more; each is two look-ups."""

    def __init__(self, page: Page) -> None:
        texts = PageTexts(page)
        weights, weighted = np.zeros(len(page)), np.zeros(len(page))
        weights[texts.rows] = texts.lengths
        weighted[texts.rows] = texts.lengths * probabilities(texts)
        self._weights, self._weighted = running_sum(weights), running_sum(weighted)

    def of(self, starts: NDArray[np.integer], ends: NDArray[np.integer]) -> Numbers:
        """Return the mean probability of each stretch ``start:end``; 0 where it has no text."""
        weight = self._weights[ends] - self._weights[starts]
        return np.asarray((self._weighted[ends] - self._weighted[starts]) / np.maximum(weight, 1))

    def outside(self, start: int, end: int) -> float:
        """Return the mean probability of all rows but ``start:end``."""
        weight = self._weights[-1] - self._weights[end] + self._weights[start]
        return float((self._weighted[-1] - self._weighted[end] + self._weighted[start]) / max(weight, 1))


def is_content(page: Page, region: Codes) -> bool:
    """Tell whether the rows of a region, one after the other, are content beside the rest of the page.

    What Algorithm 6 of the tag path filter asks about the region that it found (``paths.tps.filtered_rows``). A list is
    less like a detail page's content than the prose around it, so only a region that is far behind the rest is noise:
    on the 63 pages of ``tpsf`` with gold the main region is then kept on 55 instead of 53 (scan-on), and on 56 as
    before (first-split).
    """
    if not len(region):
        return False
    chances, start, end = RegionChances(page), int(region[0]), int(region[-1]) + 1
    inside = chances.of(np.array([start]), np.array([end]))[0]
    return bool(inside >= MIN_RATIO * chances.outside(start, end))

"""Which texts of a detail page are gold: those with the values that SWDE and the modern detail pages have for it.

A text is gold (1), noise (0) or left out of every score (-1): texts that hold only a weak value (see the README of the
corpus), labels that are known to be cut short, and all texts of a value that the page repeats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.page import Page
from peneira.texts.page_texts import PageTexts
from peneira_research.corpora.archives import SWDE_BROKEN, DetailPage, SwdePage
from peneira_research.squeezed_text import squeeze

Labels = NDArray[np.int8]

GOLD, NOISE, LEFT_OUT = 1, 0, -1
MAIN_ATTRIBUTES = frozenset(
    "title author authors ingredients instructions description yields summary headlines paragraphs".split()
)
# Values fill a text if they are this share of it; a text holds a value if it has this share of it
MIN_FILLED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class GoldTexts:
    """The label of each text, and for each value that the page repeats the texts that it fills."""

    labels: Labels
    repeated: tuple[tuple[int, ...], ...] = ()


def swde_gold(texts: PageTexts, gold: SwdePage) -> GoldTexts:
    """Return the labels of a page of SWDE: gold is a text that equals a value; every such text counts."""
    squeezed = [squeeze(text) for text in texts.strings]
    labels = np.zeros(len(texts), dtype=np.int8)
    for attribute, values in gold.values.items():
        broken = (gold.vertical, gold.site, attribute) in SWDE_BROKEN
        for value in map(squeeze, values):
            if broken:
                labels[[k for k, text in enumerate(squeezed) if value in text and labels[k] == NOISE]] = LEFT_OUT
                continue
            equal = [k for k, text in enumerate(squeezed) if text == value]
            labels[equal or [k for k, text in enumerate(squeezed) if value and value in text]] = GOLD
    return GoldTexts(labels)


def detail_gold(texts: PageTexts, gold: DetailPage) -> GoldTexts:
    """Return the labels of a modern detail page by where its values occur in the visible text."""
    return values_gold(texts, _values(gold, is_main=True), _values(gold, is_main=False))


def values_gold(texts: PageTexts, main: Sequence[str], weak: Sequence[str] = ()) -> GoldTexts:
    """Return the labels of a page by the values that it shows.

    A main value that occurs once makes gold of the texts that it fills or that hold it. A repeated value (a title, an
    author) is found if any of the texts that it fills is kept.
    """
    visible = _VisibleText(texts)
    labels = np.zeros(len(texts), dtype=np.int8)
    labels[visible.filled([span for value in weak for span in visible.spans(value)])] = LEFT_OUT
    spans = {value: visible.spans(value) for value in main}
    repeated: list[tuple[int, ...]] = []
    for found in spans.values():
        if len(found) > 1:
            rows = visible.filled(found)
            labels[rows] = LEFT_OUT
            repeated.append(tuple(rows.tolist()))
    once = [found[0] for found in spans.values() if len(found) == 1]
    labels[visible.filled(once)] = GOLD
    for start, end in once:
        labels[visible.holding(start, end)] = GOLD
    return GoldTexts(labels, tuple(rows for rows in repeated if rows and not (labels[list(rows)] == GOLD).any()))


def _values(gold: DetailPage, *, is_main: bool) -> list[str]:
    found = [value for key, values in gold.values.items() if (key in MAIN_ATTRIBUTES) is is_main for value in values]
    return list(dict.fromkeys(found))


class _VisibleText:
    """The visible text of a page: where strings occur in it, and in which texts of the page."""

    def __init__(self, texts: PageTexts) -> None:
        page = texts.page
        self.text, starts, ends = page._reading
        rows = texts.rows
        self.start = np.array(starts, dtype=np.int64)[rows]
        self.end = np.array(ends, dtype=np.int64)[rows + 1]
        self.length = np.maximum(self.end - self.start, 0)
        self.is_visible = page.seen[rows] & (self.length > 0)

    def spans(self, value: str) -> list[tuple[int, int]]:
        """Return where the value occurs as whole words."""
        value = " ".join(value.split())
        return [(k, k + len(value)) for k in _occurrences(self.text, value) if self._is_whole(k, k + len(value))]

    def _is_whole(self, start: int, end: int) -> bool:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        return not (before.isalnum() and self.text[start].isalnum()) and not (
            after.isalnum() and self.text[end - 1].isalnum()
        )

    def filled(self, spans: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """Return the texts that the spans fill."""
        covered = np.zeros(len(self.text) + 1, dtype=np.int64)
        for start, end in spans:
            covered[start:end] = 1
        sums = running_sum(covered)
        share = (sums[self.end] - sums[self.start]) / np.maximum(self.length, 1)
        return np.flatnonzero(self.is_visible & (share >= MIN_FILLED_SHARE))

    def holding(self, start: int, end: int) -> NDArray[np.int64]:
        """Return the texts that hold most of a span."""
        common = np.minimum(self.end, end) - np.maximum(self.start, start)
        return np.flatnonzero(self.is_visible & (common >= MIN_FILLED_SHARE * (end - start)))


def _occurrences(text: str, key: str) -> Iterator[int]:
    position = text.find(key) if key else -1
    while position >= 0:
        yield position
        position = text.find(key, position + len(key))


def elements_of(texts: PageTexts) -> NDArray[np.int64]:
    """Return for each text the number of its element: texts of one block, between line breaks, are one element."""
    page: Page = texts.page
    breaks = np.cumsum(page.tag == page.tag_names.index("br")) if "br" in page.tag_names else np.zeros(len(page))
    key = texts.blocks * (len(page) + 1) + breaks[texts.rows].astype(np.int64)
    return np.unique(key, return_inverse=True)[1].astype(np.int64).reshape(-1)


def element_labels(gold: GoldTexts, elements: NDArray[np.int64], lengths: NDArray[np.int64]) -> Labels:
    """Return the label of each element: that of most of its characters; noise only if it has nothing else."""
    count = int(elements.max()) + 1 if len(elements) else 0
    mass = {label: np.bincount(elements, lengths * (gold.labels == label), count) for label in (GOLD, NOISE, LEFT_OUT)}
    labels = np.where(mass[GOLD] >= np.maximum(mass[NOISE], mass[LEFT_OUT]), GOLD, LEFT_OUT)
    labels[(mass[GOLD] == 0) & (mass[LEFT_OUT] == 0)] = NOISE
    return labels.astype(np.int8)

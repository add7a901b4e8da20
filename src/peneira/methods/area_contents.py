"""``area+``: the rendering-area method that looks at contents too, against the failures that its paper lists.

1. Look-alike noise is caught while climbing: another subtree joins only if its children have classes in common with the
   records and texts of about the same length.
2. A large element without records wins (a map, a tall footer): a candidate whose children have no text of their own, or
   are short links only, is passed over, and the next largest one is looked at.
3. A short list beside tall other things fails a filter: where no candidate is left, the filters of height, area and
   width are given up one after the other. Where nothing helps, the answer is that of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.findings import Findings
from peneira.layout import Boxes
from peneira.methods.area import PUBLISHED, Parameters, RegionSelector, Selection, check_boxes, found_by
from peneira.ml.running_sums import inside_tags
from peneira.page import TEXT, Page

# Children of fewer characters say too little to be records
MIN_CHARS = 12
# This share of the children must have so much text
MIN_WITH_TEXT = 0.5
# Links of at most this length, with this share of the text, are a menu or a footer
MAX_LINK_CHARS = 30
MIN_LINK_SHARE = 0.9
# The shorter median text of two groups of one list is at least this share of the longer
MIN_LENGTH_RATIO = 1 / 3


@dataclass(frozen=True, slots=True)
class Contents:
    """What the children of an element hold: the length of each text, how much of it is links, and their classes."""

    chars: tuple[int, ...]
    link_share: float
    classes: frozenset[str]

    @property
    def are_records(self) -> bool:
        """Whether the children can be records."""
        with_text = sum(chars >= MIN_CHARS for chars in self.chars)
        if not self.chars or with_text < MIN_WITH_TEXT * len(self.chars):
            return False
        return not (self.link_share >= MIN_LINK_SHARE and median(self.chars) <= MAX_LINK_CHARS)

    def is_like(self, other: Contents) -> bool:
        """Return whether two groups can be of one list."""
        if self.classes and other.classes and not self.classes & other.classes:
            return False
        if not self.chars or not other.chars:
            return False
        short, long = sorted((median(self.chars), median(other.chars)))
        return bool(long) and short >= MIN_LENGTH_RATIO * long


class ContentSelector(RegionSelector):
    """The method on one page, with contents compared."""

    def select(self, parameters: Parameters = PUBLISHED) -> Selection:
        """Return the main data region."""
        relaxed = parameters
        for change in ({}, {"use_height": False}, {"use_area": False}, {"use_width": False}):
            relaxed = replace(relaxed, **change)
            selection = super().select(relaxed)
            if selection.node != self.page.body and self._contents(selection.node, deep=True).are_records:
                return selection
        return super().select(parameters)

    def winner(self, candidates: NDArray[np.int64], boxes: Boxes) -> int:
        """Return the largest candidate whose children can be records; the largest where none is one."""
        areas = (boxes[:, 2] * boxes[:, 3])[candidates]
        ranked: list[int] = candidates[np.argsort(-areas, kind="stable")].tolist()
        return next((node for node in ranked if self._contents(node).are_records), ranked[0])

    def may_join(self, node: int, other: int) -> bool:
        """Return whether another element holds contents of the same kind."""
        return self._contents(node).is_like(self._contents(other))

    @cached_property
    def _link_chars(self) -> NDArray[np.float64]:
        page = self.page
        lengths = np.array([len(text.strip()) if page.tag[i] == 0 else 0 for i, text in enumerate(page.text)])
        return np.asarray(running_sum(lengths * inside_tags(page, frozenset({"a"}))), dtype=np.float64)

    def _contents(self, node: int, *, deep: bool = False) -> Contents:
        """Return the contents of the children of an element; ``deep``: of the groups below, where it was climbed to."""
        page = self.page
        children = [child for child in page.children(node) if page.name(child) != TEXT and not page.silent[child]]
        if deep and len(children) and not _contents_of(page, children, self._link_chars).are_records:
            children = [below for child in children for below in page.children(child) if page.name(below) != TEXT]
        return _contents_of(page, children, self._link_chars)


def _contents_of(page: Page, children: list[int], link_chars: NDArray[np.float64]) -> Contents:
    chars = tuple(int(page.text_chars[child]) for child in children)
    links = sum(float(link_chars[int(page.end[child])] - link_chars[child]) for child in children)
    classes = frozenset(name for child in children for name in page.attrs[child].get("class", "").split())
    return Contents(chars, links / max(sum(chars), 1), classes)


def find_regions(page: Page, parameters: Parameters = PUBLISHED) -> Findings:
    """Return the main data region with its records. The page must have boxes."""
    check_boxes(page, "area+")
    return found_by(ContentSelector(page), parameters)

"""``area+``: the rendering-area method that looks at contents too, against the failures that its paper lists.

1. Look-alike noise is caught while climbing: another subtree joins only if its children have classes in common with the
   records and texts of about the same length.
2. A large element without records wins (a map, a menu, a tall footer): a candidate whose children have no text of their
   own or are short links without pictures, or that is in a footer or a menu by its name, is passed over, and the next
   largest one is looked at. It must have three tenths of the text of what was passed over: links may be the list.
3. A short list beside tall other things fails a filter: where no candidate is left, the filters of height, area and
   width are given up one after the other. Where nothing helps, the answer is that of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.findings import Findings
from peneira.kept_property import kept_property
from peneira.layout import Boxes
from peneira.methods.area import PUBLISHED, Parameters, RegionSelector, Selection, check_boxes, found_by
from peneira.ml.running_sums import inside_tags
from peneira.page import TEXT, Page

# Children of fewer characters say too little to be records
MIN_CHARS = 12
# So many children must have text or an image, and this share of them so much text
MIN_FILLED = 2
MIN_WITH_TEXT = 0.5
# Links of at most this mean length, with this share of the text, are a menu or a footer
MAX_LINK_CHARS = 30
MIN_LINK_SHARE = 0.8
# The shorter median text of two groups of one list is at least this share of the longer
MIN_LENGTH_RATIO = 1 / 3
# What is taken in place of something larger has at least this share of its text
MIN_OF_TEXT = 0.3
MIN_OF_PAGE = 0.5
# Elements that are beside the main content by what they mean
BESIDE = frozenset({"nav", "footer"})


@dataclass(frozen=True, slots=True)
class Contents:
    """What the children of an element hold: the length of each text, and their classes; over all of them, the share of
    the text that is links, the mean length of a link's text, and the share of the children with an image.

    Children without text and image (line breaks, rules, spacers) are between records, and not counted.
    """

    chars: tuple[int, ...]
    classes: frozenset[str]
    link_share: float
    link_chars: float
    image_share: float

    @property
    def are_records(self) -> bool:
        """Whether the children can be records: most of them have text, and they are no menu."""
        return self._have_text and not self.are_short_links

    @property
    def are_short_links(self) -> bool:
        """Whether the children are short links without pictures, as in a menu or a footer."""
        is_links = self.link_share >= MIN_LINK_SHARE and self.link_chars <= MAX_LINK_CHARS
        return is_links and self.image_share < MIN_WITH_TEXT

    @property
    def _have_text(self) -> bool:
        with_text = sum(chars >= MIN_CHARS for chars in self.chars)
        return len(self.chars) >= MIN_FILLED and with_text >= MIN_WITH_TEXT * len(self.chars)

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
        first = super().select(parameters)
        if self._is_list(first.node):
            return first
        share = MIN_OF_PAGE if first.node == self.page.body else MIN_OF_TEXT
        least = share * self.page.text_chars[first.node]
        for change in ({"use_height": False}, {"use_area": False}, {"use_width": False}):
            parameters = replace(parameters, **change)
            relaxed = super().select(parameters)
            if self._is_list(relaxed.node) and self.page.text_chars[relaxed.node] >= least:
                return relaxed
        return first

    def _is_list(self, node: int) -> bool:
        return node != self.page.body and not self._is_beside[node] and self._contents(node, deep=True).are_records

    @kept_property
    def _is_beside(self) -> NDArray[np.bool_]:
        """Whether a node is in an element that by its name is beside the main content."""
        return np.asarray(inside_tags(self.page, BESIDE), dtype=np.bool_)

    def winner(self, candidates: NDArray[np.int64], boxes: Boxes) -> int:
        """Return the largest candidate whose children can be records, unless a larger one has more text."""
        areas = (boxes[:, 2] * boxes[:, 3])[candidates]
        ranked: list[int] = candidates[np.argsort(-areas, kind="stable")].tolist()
        chars = self.page.text_chars
        for k, node in enumerate(ranked):
            if self._is_list(node) and all(chars[node] >= MIN_OF_TEXT * chars[other] for other in ranked[:k]):
                return node
        return ranked[0]

    def may_join(self, node: int, other: int) -> bool:
        """Return whether another element holds contents of the same kind."""
        return self._contents(node).is_like(self._contents(other))

    @kept_property
    def _link_texts(self) -> NDArray[np.float64]:
        """Running sums of the characters in links, and of the texts that they are in."""
        page = self.page
        lengths = np.array([len(text.strip()) if page.tag[i] == 0 else 0 for i, text in enumerate(page.text)])
        lengths = lengths * inside_tags(page, frozenset({"a"}))
        return np.array([running_sum(lengths), running_sum(lengths > 0)], dtype=np.float64)

    @kept_property
    def _images(self) -> NDArray[np.float64]:
        return np.asarray(running_sum(inside_tags(self.page, frozenset({"img"}))), dtype=np.float64)

    def _contents(self, node: int, *, deep: bool = False) -> Contents:
        """Return the contents of the children of an element; ``deep``: of the groups below, where it was climbed to."""
        children = self._filled_children(node)
        if deep and len(children) and not self._contents_of(children).are_records:
            children = [below for child in children for below in self._filled_children(child)]
        return self._contents_of(children)

    def _filled_children(self, node: int) -> list[int]:
        """Return the children of the most frequent tag that have text or an image."""
        page = self.page
        filled: dict[int, list[int]] = {}
        for child in page.children(node):
            if (
                page.name(child) != TEXT
                and not page.silent[child]
                and (page.text_chars[child] or self._has_image(child))
            ):
                filled.setdefault(int(page.tag[child]), []).append(child)
        return max(filled.values(), key=len, default=[])

    def _has_image(self, node: int) -> bool:
        return bool(self._images[int(self.page.end[node])] > self._images[node])

    def _contents_of(self, children: list[int]) -> Contents:
        page = self.page
        chars = tuple(int(page.text_chars[child]) for child in children)
        ends = page.end[children]
        in_links, links = (self._link_texts[:, ends] - self._link_texts[:, children]).sum(axis=1).tolist()
        images = sum(map(self._has_image, children))
        classes = frozenset(name for child in children for name in page.attrs[child].get("class", "").split())
        return Contents(
            chars, classes, in_links / max(sum(chars), 1), in_links / max(links, 1), images / max(len(children), 1)
        )


def find_regions(page: Page, parameters: Parameters = PUBLISHED) -> Findings:
    """Return the main data region with its records. The page must have boxes."""
    check_boxes(page, "area+")
    return found_by(ContentSelector(page), parameters)

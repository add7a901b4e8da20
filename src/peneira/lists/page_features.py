"""What is computed once per page for the features of its candidate lists (``features.py``).

Running sums over the page's rows, codes of texts and links, words in class names. Every node has a fixed random vector
that depends on its tag and the tags above it; running sums of these give the similarity of two ranges of rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.lists.candidates import after_break
from peneira.lists.page_words import PageWords, contain_each
from peneira.ml.running_sums import RunningSums, is_tag
from peneira.page import Page

Vectors = NDArray[np.float32]

CONTROLS = tuple("input select button option textarea".split())
BOLD = tuple("b strong h1 h2 h3 h4 h5".split())
CONTAINERS = tuple("ul ol table dl".split())

# Signs of prices and dates in a text: a currency sign, a date in digits, a year
_PRICE = re.compile(r"[$€£¥]")
_DATE = re.compile(r"\d\d?[/.-]\d\d?[/.-]\d\d|(?:19|20)\d\d(?!\d)")
_NUMBERED = re.compile(r"\W{0,2}(\d{1,4})(?!\d)")
MIN_LONG_CHARS = 60  # of a text that counts as long
MIN_PROSE_CHARS = 80  # of a paragraph that counts as prose
MIN_ROWS = 3  # of an element that repeats its sibling: fewer are a bare link or cell
MIN_LARGE_ROWS = 6

# Length of the random vectors: two without anything in common have a cosine similarity of 0, give or take 0.25
DIMENSIONS = 16


class PageFeatures:
    """What is computed once per page, each on first use: running sums, codes of texts and links, vectors."""

    def __init__(self, page: Page, sums: RunningSums) -> None:
        self.page, self.sums = page, sums
        self.text_rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        self.texts = [page.text[i].strip() for i in self.text_rows.tolist()]
        self.path = page.path.astype(np.int64)
        self.total_chars = max(int(sums.chars[-1]), 1)

    def over_texts(self, values: Sequence[float] | NDArray[np.generic]) -> Integers:
        """Return the running sums over the page's rows of values given per text."""
        column = np.zeros(len(self.page), dtype=np.int64)
        column[self.text_rows] = values
        return running_sum(column)

    @cached_property
    def counted(self) -> Mapping[str, Integers]:
        """Running sums of the kinds of content that records are made of, by name."""
        page, sums, texts = self.page, self.sums, self.texts
        prices, dates = contain_each([_PRICE, _DATE], texts)
        return {
            "links": sums.links,
            "images": sums.images,
            "texts": sums.texts,
            "numbers": sums.numbers,
            "headings": sums.headings,
            "prices": self.over_texts(prices),
            "dates": self.over_texts(dates),
            "bolds": running_sum(is_tag(page, BOLD)),
            "longs": self.over_texts([len(text) > MIN_LONG_CHARS for text in texts]),
            "controls": running_sum(is_tag(page, CONTROLS)),
            "breaks": running_sum(is_tag(page, ("br",))),
            "containers": running_sum(is_tag(page, CONTAINERS)),
            "hidden": running_sum(page.hidden & (page.tag == 0)),
            "headers": running_sum(is_tag(page, ("th",))),
            "stops": self.over_texts([text.endswith((".", "…")) for text in texts]),
        }

    @cached_property
    def capitals(self) -> Integers:
        """Running sums of the texts that begin with a capital letter."""
        return self.over_texts([text[:1].isupper() for text in self.texts])

    @cached_property
    def text_code(self) -> Integers:
        """A code per row, equal for equal texts; -1 for elements."""
        codes: dict[str, int] = {}
        column = np.full(len(self.page), -1, dtype=np.int64)
        column[self.text_rows] = [codes.setdefault(text, len(codes)) for text in self.texts]
        return column

    @cached_property
    def text_sums(self) -> NDArray[np.uint64]:
        """Running sums of a number per text, equal for equal texts: ranges with the same sum have the same texts."""
        rows = self.text_rows
        codes = self.text_code[rows]
        numbers = np.zeros(len(self.page) + 1, dtype=np.uint64)
        known = np.random.default_rng(1).integers(0, 2**63, size=int(codes.max(initial=-1)) + 1, dtype=np.uint64)
        numbers[rows + 1] = known[codes]
        return np.cumsum(numbers, dtype=np.uint64)

    @cached_property
    def text_rank(self) -> Integers:
        """The rank of each text among the sorted texts of the page; -1 for elements."""
        column = np.full(len(self.page), -1, dtype=np.int64)
        folded = [text.casefold() for text in self.texts]
        ranks = {text: k for k, text in enumerate(sorted(set(folded)))}
        column[self.text_rows] = [ranks[text] for text in folded]
        return column

    @cached_property
    def repeated_chars(self) -> Integers:
        """Running sums of the characters of texts that occur more than once on the page."""
        codes = self.text_code[self.text_rows]
        is_repeated = np.bincount(codes)[codes] > 1 if len(codes) else np.zeros(0, dtype=np.bool_)
        return self.over_texts(is_repeated * np.array([len(text) for text in self.texts], dtype=np.int64))

    @cached_property
    def number_at(self) -> Integers:
        """The number that each text begins with, -1 for other texts and for elements."""
        column = np.full(len(self.page), -1, dtype=np.int64)
        matches = (_NUMBERED.match(text) for text in self.texts)
        column[self.text_rows] = [int(match[1]) if match else -1 for match in matches]
        return column

    @cached_property
    def next_text(self) -> Integers:
        """For each row boundary the next row of text, the number of rows where there is none."""
        return _following(self.text_rows, len(self.page))

    @cached_property
    def link_rows(self) -> Integers:
        """The rows that are links."""
        return np.flatnonzero(is_tag(self.page, ("a",)) & ~self.page.silent)

    @cached_property
    def next_link(self) -> Integers:
        """For each row boundary the next link, the number of rows where there is none."""
        return _following(self.link_rows, len(self.page))

    @cached_property
    def target(self) -> Integers:
        """A code per row, equal for links with the same target; -1 for other rows."""
        codes: dict[str, int] = {}
        column = np.full(len(self.page) + 1, -1, dtype=np.int64)
        attrs = self.page.attrs
        column[self.link_rows] = [
            codes.setdefault(attrs[i].get("href", ""), len(codes)) for i in self.link_rows.tolist()
        ]
        return column

    @cached_property
    def vectors(self) -> Vectors:
        """Running sums of the nodes' random vectors."""
        page, tags = self.page, len(self.page.tag_names)
        parent = np.maximum(page.parent, 0)
        code = (page.tag[parent[parent]].astype(np.int64) * tags + page.tag[parent]) * tags + page.tag
        _, code = np.unique(code, return_inverse=True)
        signs = np.random.default_rng(1).choice((-1.0, 1.0), size=(int(code.max()) + 1, DIMENSIONS)).astype(np.float32)
        steps = signs[code]
        steps[page.silent] = 0
        return running_sum(steps)  # whole numbers: single precision is exact up to 16 million nodes

    @cached_property
    def repeated_siblings(self) -> Mapping[str, Integers]:
        """Running sums of elements that repeat the sibling before them: its shape, its tag, its tag if large."""
        page = self.page
        order = np.argsort(page.parent, kind="stable")
        before = np.full(len(page), -1)
        same = page.parent[order][1:] == page.parent[order][:-1]
        before[order[1:][same]] = order[:-1][same]
        size = page.end - np.arange(len(page))
        repeats = (before >= 0) & (page.tag == page.tag[before]) & (page.tag != 0) & (size >= MIN_ROWS)
        return {
            "repeated_shapes": running_sum(repeats & (page.shape == page.shape[before])),
            "repeated_tags": running_sum(repeats),
            "large_repeated_tags": running_sum(repeats & (size >= MIN_LARGE_ROWS)),
        }

    @cached_property
    def words(self) -> PageWords:
        """What class names, roles, headings and stated counts say of the parts of the page."""
        return PageWords(
            self.page, [text for text, has_digit in zip(self.texts, self._have_digit, strict=True) if has_digit]
        )

    @property
    def _have_digit(self) -> list[bool]:
        flags: list[bool] = (np.diff(self.sums.numbers)[self.text_rows] > 0).tolist()
        return flags

    @cached_property
    def after_break(self) -> NDArray[np.bool_]:
        """Which rows stand after a blank line or a rule."""
        return after_break(self.page)

    @cached_property
    def breaks(self) -> Integers:
        """Running sums of these rows."""
        return running_sum(self.after_break)

    @cached_property
    def look(self) -> Integers:
        """A code per row, equal for nodes of the same tag and style."""
        page = self.page
        return np.asarray(page.style.astype(np.int64) * len(page.tag_names) + page.tag)

    @cached_property
    def prose_share(self) -> float:
        """The share of the page's text that is in long paragraphs."""
        chars = self.sums.of_subtrees(self.page, self.sums.chars)
        long = is_tag(self.page, ("p",)) & (chars >= MIN_PROSE_CHARS) & ~self.page.silent
        return float(chars[long].sum() / self.total_chars)

    def times(self, path: Integers, starts: Integers, ends: Integers) -> Integers:
        """Return how many nodes of a tag path there are in each range of rows."""
        width = len(self.page) + 1
        keys = self._path_keys
        return np.searchsorted(keys, path * width + ends) - np.searchsorted(keys, path * width + starts)

    @cached_property
    def _path_keys(self) -> Integers:
        """Sorted keys of path and row, ``path * (rows + 1) + row``."""
        return np.sort(self.path * (len(self.page) + 1) + np.arange(len(self.page)))


def _following(rows: Integers, count: int) -> Integers:
    """Return for each of ``count + 1`` row boundaries the next of the rows, ``count`` where there is none."""
    return np.append(rows, count)[np.searchsorted(rows, np.arange(count + 1))]

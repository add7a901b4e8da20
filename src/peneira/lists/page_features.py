"""What is computed once per page for the features of its candidate lists (``features.py``).

Running sums over the page's rows, codes of texts and links, words in class names. Every node has a fixed random vector
that depends on its tag and the tags above it; running sums of these give the similarity of two ranges of rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.kept_property import kept_property
from peneira.kernels import compiled
from peneira.lists.candidates import after_break
from peneira.lists.page_words import PageWords, contain_each
from peneira.ml.running_sums import (
    MIN_LARGE_ROWS,
    MIN_LONG_CHARS,
    MIN_ROWS,
    TAG_KINDS,
    PageCounts,
    RunningSums,
    is_tag,
    page_facts,
    page_parts,
)
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts

Vectors = NDArray[np.float32]

list_features = compiled("list_features")
candidate_table = compiled("candidate_table")

CONTROLS, BOLD, CONTAINERS = TAG_KINDS["controls"], TAG_KINDS["bolds"], TAG_KINDS["containers"]

# Signs of prices and dates in a text: a currency sign, a date in digits, a year
_PRICE = re.compile(r"[$€£¥]")
_DATE = re.compile(r"\d\d?[/.-]\d\d?[/.-]\d\d|(?:19|20)\d\d(?!\d)")
_NUMBERED = re.compile(r"\W{0,2}(\d{1,4})(?!\d)")
MIN_PROSE_CHARS = 80  # of a paragraph that counts as prose

# Length of the random vectors: two without anything in common have a cosine similarity of 0, give or take 0.25
DIMENSIONS = 16
# Larger tables of random vectors are made for each page: a million takes 64 MB
MAX_KEPT_SIGNS = 1 << 15


class PageFeatures:
    """What is computed once per page, each on first use: running sums, codes of texts and links, vectors."""

    def __init__(self, page: Page, sums: RunningSums) -> None:
        self.page, self.sums = page, sums
        self.counts = sums.counts
        if self.counts is not None:
            self.text_rows, self.texts = self.counts.text_rows, self.counts.texts
        else:
            self.text_rows = np.flatnonzero((page.tag == 0) & ~page.silent)
            self.texts = [page.text[i].strip() for i in self.text_rows.tolist()]
        self.total_chars = max(sums.total("chars"), 1)

    @kept_property
    def path(self) -> Integers:
        """The codes of the tag paths."""
        return self.page.path.astype(np.int64)

    def over_texts(self, values: Sequence[float] | NDArray[np.generic]) -> Integers:
        """Return the running sums over the page's rows of values given per text."""
        column = np.zeros(len(self.page), dtype=np.int64)
        column[self.text_rows] = values
        return running_sum(column)

    @kept_property
    def counted(self) -> Mapping[str, Integers]:
        """Running sums of the kinds of content that records are made of, by name."""
        if self.counts is not None:
            return CountedSums(self.counts)
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

    @kept_property
    def capitals(self) -> Integers:
        """Running sums of the texts that begin with a capital letter."""
        return self.over_texts([text[:1].isupper() for text in self.texts])

    @kept_property
    def text_code(self) -> Integers:
        """A code per row, equal for equal texts; -1 for elements."""
        column = np.full(len(self.page), -1, dtype=np.int64)
        if self.counts is not None:
            column[self.text_rows] = self.counts.text_codes
        else:
            codes: dict[str, int] = {}
            column[self.text_rows] = [codes.setdefault(text, len(codes)) for text in self.texts]
        return column

    @kept_property
    def distinct_texts(self) -> list[str]:
        """The text of each code."""
        assert self.counts is not None
        return self.counts.distinct

    @kept_property
    def text_sums(self) -> NDArray[np.uint64]:
        """Running sums of a number per text, equal for equal texts: ranges with the same sum have the same texts."""
        rows = self.text_rows
        codes = self.text_code[rows]
        numbers = np.zeros(len(self.page) + 1, dtype=np.uint64)
        known = np.random.default_rng(1).integers(0, 2**63, size=int(codes.max(initial=-1)) + 1, dtype=np.uint64)
        numbers[rows + 1] = known[codes]
        return np.cumsum(numbers, dtype=np.uint64)

    @kept_property
    def text_rank(self) -> Integers:
        """The rank of each text among the sorted texts of the page; -1 for elements."""
        column = np.full(len(self.page), -1, dtype=np.int64)
        folded = [text.casefold() for text in self.texts]
        ranks = {text: k for k, text in enumerate(sorted(set(folded)))}
        column[self.text_rows] = [ranks[text] for text in folded]
        return column

    @kept_property
    def repeated_chars(self) -> Integers:
        """Running sums of the characters of texts that occur more than once on the page."""
        codes = self.text_code[self.text_rows]
        is_repeated = np.bincount(codes)[codes] > 1 if len(codes) else np.zeros(0, dtype=np.bool_)
        return self.over_texts(is_repeated * np.array([len(text) for text in self.texts], dtype=np.int64))

    @kept_property
    def number_at(self) -> Integers:
        """The number that each text begins with, -1 for other texts and for elements."""
        column = np.full(len(self.page), -1, dtype=np.int64)
        if self.counts is not None:
            column[self.text_rows] = self.counts.numbers
            return column
        matches = (_NUMBERED.match(text) for text in self.texts)
        column[self.text_rows] = [int(match[1]) if match else -1 for match in matches]
        return column

    @kept_property
    def next_text(self) -> Integers:
        """For each row boundary the next row of text, the number of rows where there is none."""
        if page_facts is not None:
            return np.asarray(page_facts.following(self.text_rows, len(self.page)), dtype=np.int64)
        return _following(self.text_rows, len(self.page))

    @kept_property
    def link_rows(self) -> Integers:
        """The rows that are links."""
        rows = self.page.rows_of("a")
        return rows[~self.page.silent[rows]].astype(np.int64)

    @kept_property
    def next_link(self) -> Integers:
        """For each row boundary the next link, the number of rows where there is none."""
        if page_facts is not None:
            return np.asarray(page_facts.following(self.link_rows, len(self.page)), dtype=np.int64)
        return _following(self.link_rows, len(self.page))

    @kept_property
    def target(self) -> Integers:
        """A code per row, equal for links with the same target; -1 for other rows."""
        column = np.full(len(self.page) + 1, -1, dtype=np.int64)
        column[self.link_rows] = 0
        rows, codes, targets = self.page.addresses
        numbers = np.arange(1, len(targets) + 1, dtype=np.int64)
        if "" in targets:
            numbers[targets.index("")] = 0
        is_link = column[rows] == 0
        column[rows[is_link]] = numbers[codes[is_link]]
        return column

    @kept_property
    def row_facts(self) -> Any:
        """What is known of each row, compiled: texts, links, parts of the page, headings (``page_parts.RowFacts``)."""
        page, counts = self.page, self.counts
        assert page_parts is not None and counts is not None
        tag_roles = np.array(list(map(_roles_of, page.tag_names)), dtype=np.int32)
        rows, codes, addresses = self.page.addresses
        empty = addresses.index("") if "" in addresses else -1
        return page_parts.RowFacts(
            page.tag, page.end, page.silent.view(np.uint8), tag_roles, counts.text_rows, counts.text_codes,
            counts.numbers, rows, codes, empty, *self.words.roles,
        )  # fmt: skip

    @kept_property
    def list_features(self) -> Any:
        """The compiled kernel for the features of candidates, None where there is none."""
        if list_features is None or candidate_table is None or page_parts is None or self.counts is None:
            return None
        page, words = self.page, self.words
        sums, rows = self.counts.sums, self.row_facts
        words.write_pagers(sums, page_facts.SUMS.index("pagers"))
        flags, above = words.class_flags
        path_rows, path_first = page_facts.rows_by_code(page.path)
        title = np.flatnonzero(sums[:, page_facts.SUMS.index("titles")])[:1]
        facts = SimpleNamespace(
            look=page_facts.pair_codes(page.style, page.tag, len(page.tag_names)),
            sums=sums,
            vectors=self.vectors,
            next_text=rows.next_text,
            next_link=rows.next_link,
            text_code=rows.text_code,
            number_at=rows.number_at,
            target=rows.target,
            path_rows=path_rows,
            path_first=path_first,
            words=flags,
            words_above=above,
            is_outside_main=rows.is_outside_main,
            is_in_frame_role=rows.is_in_frame_role,
            heading_rows=rows.heading_rows,
            heading_level=rows.heading_level,
            title_row=int(title[0]) if len(title) else -1,
        )
        return list_features.ListFeatures(page, facts)

    @kept_property
    def vectors(self) -> Vectors:
        """Running sums of the nodes' random vectors."""
        page, tags = self.page, len(self.page.tag_names)
        if page_facts is not None:
            codes, count = page_facts.vector_codes(page.tag, page.parent, tags)
            sums: Vectors = page_facts.vector_sums(codes, _signs(_rounded_up(count)), page.silent.view(np.uint8))
            return sums
        parent = np.maximum(page.parent, 0)
        code = (page.tag[parent[parent]].astype(np.int64) * tags + page.tag[parent]) * tags + page.tag
        _, code = np.unique(code, return_inverse=True)
        steps = _signs(_rounded_up(int(code.max()) + 1))[code]
        steps[page.silent] = 0
        return running_sum(steps)  # whole numbers: single precision is exact up to 16 million nodes

    @kept_property
    def repeated_siblings(self) -> Mapping[str, Integers]:
        """Running sums of elements that repeat the sibling before them: its shape, its tag, its tag if large."""
        if self.counts is not None:
            names = ("repeated_shapes", "repeated_tags", "large_repeated_tags")
            return {name: self.counts.column(name) for name in names}
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

    @kept_property
    def words(self) -> PageWords:
        """What class names, roles, headings and stated counts say of the parts of the page."""
        # not of this object, which keeps what it makes: a page that leads back to itself waits for the collector
        return PageWords(self.page, partial(_texts_with_digits, self.counts, self.sums, self.text_rows, self.texts))

    @kept_property
    def after_break(self) -> NDArray[np.bool_]:
        """Which rows stand after a blank line or a rule."""
        return np.diff(self.counts.column("after_break")) > 0 if self.counts is not None else after_break(self.page)

    @kept_property
    def breaks(self) -> Integers:
        """Running sums of these rows."""
        return running_sum(self.after_break)

    @kept_property
    def look(self) -> Integers:
        """A code per row, equal for nodes of the same tag and style."""
        page = self.page
        return np.asarray(page.style.astype(np.int64) * len(page.tag_names) + page.tag)

    @kept_property
    def paragraph_chars(self) -> list[int]:
        """The characters of each long paragraph."""
        rows = self.page.rows_of("p")
        chars = self.chars_of(rows)
        found: list[int] = chars[(chars >= MIN_PROSE_CHARS) & ~self.page.silent[rows]].tolist()
        return found

    def chars_of(self, rows: NDArray[np.int32]) -> Integers:
        """Return the characters of the subtrees of some rows."""
        return np.asarray(self.sums.chars[self.page.end[rows]] - self.sums.chars[rows])

    def times(self, path: Integers, starts: Integers, ends: Integers) -> Integers:
        """Return how many nodes of a tag path there are in each range of rows."""
        width = len(self.page) + 1
        keys = self._path_keys
        return np.searchsorted(keys, path * width + ends) - np.searchsorted(keys, path * width + starts)

    @kept_property
    def _path_keys(self) -> Integers:
        """Sorted keys of path and row, ``path * (rows + 1) + row``."""
        return np.sort(self.path * (len(self.page) + 1) + np.arange(len(self.page)))


def _texts_with_digits(
    counts: PageCounts | None, sums: RunningSums, rows: Integers, texts: Sequence[str]
) -> Sequence[str]:
    """Return the texts that have a digit, and with the kernel, which passes over them, others too."""
    if counts is not None:
        return counts.distinct
    have_digit = np.diff(sums.numbers)[rows] > 0
    return [text for text, has_digit in zip(texts, have_digit.tolist(), strict=True) if has_digit]


def _following(rows: Integers, count: int) -> Integers:
    """Return for each of ``count + 1`` row boundaries the next of the rows, ``count`` where there is none."""
    return np.append(rows, count)[np.searchsorted(rows, np.arange(count + 1))]


def _signs(count: int) -> Vectors:
    """Return so many random vectors of ones and minus ones; more of them begin with the same."""
    return _kept_signs(count) if count <= MAX_KEPT_SIGNS else _made_signs(count)


def _made_signs(count: int) -> Vectors:
    return np.random.default_rng(1).choice((-1.0, 1.0), size=(count, DIMENSIONS)).astype(np.float32)


_kept_signs = cache(_made_signs)


def _rounded_up(count: int) -> int:
    """Return the next power of two, so that few tables of vectors are made."""
    return max(1024, 1 << (count - 1).bit_length())


@cache_of_short_texts(4096)
def _roles_of(name: str) -> int:
    """Return what a tag is to the facts of rows."""
    roles: int = page_parts.roles_of(name)
    return roles


class CountedSums(Mapping[str, Integers]):
    """The running sums of the kinds of content that records are made of, each made when it is asked for."""

    NAMES = (
        *"links images texts numbers headings prices dates bolds".split(),
        *"longs controls breaks containers hidden headers stops".split(),
    )

    def __init__(self, counts: PageCounts) -> None:
        self._counts = counts
        self._columns: dict[str, Integers] = {}

    def __getitem__(self, name: str) -> Integers:
        if name not in self._columns:
            if name not in self.NAMES:
                raise KeyError(name)
            self._columns[name] = self._counts.column(name)
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.NAMES)

    def __len__(self) -> int:
        return len(self.NAMES)

"""Running sums over the rows of a page, from which the content of any range of rows is counted in two look-ups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.kernels import compiled
from peneira.page import Page
from peneira.short_text_cache import cache_of_short_texts

HEADINGS = tuple("h2 h3 h4 h5 th".split())
IMAGES = ("img", "svg", "picture")
# Characters without width: a text of nothing else shows nothing
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


# Kinds of tags that are counted, by the names of their running sums
TAG_KINDS = {
    "links": ("a",),
    "images": IMAGES,
    "headings": HEADINGS,
    "titles": ("h1",),
    "bolds": tuple("b strong h1 h2 h3 h4 h5".split()),
    "controls": tuple("input select button option textarea".split()),
    "breaks": ("br",),
    "containers": tuple("ul ol table dl".split()),
    "headers": ("th",),
}
MIN_LONG_CHARS = 60  # of a text that counts as long
MIN_ROWS = 3  # of an element that repeats its sibling: fewer are a bare link or cell
MIN_LARGE_ROWS = 6

page_facts = compiled("page_facts")
page_parts = compiled("page_parts")


@dataclass(frozen=True, slots=True)
class PageCounts:
    """What the compiled kernel counts in one pass: running sums, a column for each of ``page_facts.SUMS``.

    ``text_rows``: the texts that count; ``texts``: these, without white space around them; ``text_codes``: equal for
    equal texts; ``distinct``: the text of each code; ``numbers``: what each text begins with, -1: no number.
    """

    sums: NDArray[np.int32]
    text_rows: Integers
    texts: list[str]
    text_codes: NDArray[np.int32]
    distinct: list[str]
    numbers: NDArray[np.int32]

    def column(self, name: str) -> Integers:
        """Return one of the running sums."""
        return self.sums[:, page_facts.SUMS.index(name)].astype(np.int64)


@cache_of_short_texts(4096)
def _kind_bits(name: str) -> int:
    """Return the kinds of a tag as the kernel reads them."""
    assert page_facts is not None
    return sum((name in TAG_KINDS[kind]) << k for k, kind in enumerate(page_facts.TAG_KINDS))


def page_counts(page: Page) -> PageCounts | None:
    """Return what is counted of a page, None where the kernel is not compiled."""
    if page_facts is None:
        return None
    names = page.tag_names
    kinds = list(map(_kind_bits, names))
    line, rule = (names.index(name) if name in names else -1 for name in ("br", "hr"))
    return PageCounts(
        *page_facts.count_page(
            page.text, page.tag, page.parent, page.end, page.silent.view(np.uint8), page.hidden.view(np.uint8),
            page.shape, np.array(kinds, dtype=np.int32), line, rule, MIN_LONG_CHARS, MIN_ROWS, MIN_LARGE_ROWS,
        )
    )  # fmt: skip


class RunningSums:
    """Running sums of characters, links, images and so on: ``sums[end] - sums[start]`` counts a range of rows."""

    chars: Integers
    link_chars: Integers
    plain: Integers
    links: Integers
    images: Integers
    texts: Integers
    numbers: Integers
    headings: Integers
    titles: Integers
    nodes: Integers

    def __init__(self, page: Page) -> None:
        self.counts = page_counts(page)
        if self.counts is None:
            self._count(page)

    def __getattr__(self, name: str) -> Integers:
        """Return a column of what the kernel counted, which is then kept."""
        if name not in self.__annotations__:
            raise AttributeError(name)
        counts = self.__dict__["counts"]
        column: Integers = self.chars - self.link_chars if name == "plain" else counts.column(name)
        setattr(self, name, column)
        return column

    def _count(self, page: Page) -> None:
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        texts = [page.text[i] for i in rows.tolist()]
        lengths = np.zeros(len(page), dtype=np.int64)
        lengths[rows] = [len(text.strip().strip(INVISIBLE)) for text in texts]
        has_digit = np.zeros(len(page), dtype=np.bool_)
        has_digit[rows] = _have_digit(texts)
        is_text = np.zeros(len(page), dtype=np.bool_)
        is_text[rows] = True
        self.chars = running_sum(lengths)
        self.link_chars = running_sum(lengths * inside_tag(page, "a"))
        self.plain = self.chars - self.link_chars
        self.links = running_sum(is_tag(page, ("a",)))
        self.images = running_sum(is_tag(page, IMAGES))
        self.texts = running_sum(is_text)
        self.numbers = running_sum(has_digit)
        self.headings = running_sum(is_tag(page, HEADINGS))
        self.titles = running_sum(is_tag(page, ("h1",)))
        self.nodes = running_sum(~page.silent)

    def total(self, name: str) -> int:
        """Return the last of the running sums of a name."""
        if self.counts is not None:
            return int(self.counts.sums[-1, page_facts.SUMS.index(name)])
        column: Integers = getattr(self, name)
        return int(column[-1])

    def of_subtrees(self, page: Page, column: Integers) -> Integers:
        """Return the total of each row's subtree."""
        return np.asarray(column[page.end] - column[:-1])


def _have_digit(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which texts have a digit; none may be empty. Scanning them joined takes a third of the time."""
    if not texts:
        return np.zeros(0, dtype=np.bool_)
    characters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    starts = running_sum([len(text) for text in texts])[:-1]
    is_digit = (characters >= ord("0")) & (characters <= ord("9"))
    return np.asarray(np.add.reduceat(is_digit.astype(np.int32), starts) > 0)


def is_tag(page: Page, names: Collection[str]) -> NDArray[np.bool_]:
    """Return which rows are elements with one of these tags."""
    codes = [code for code, name in enumerate(page.tag_names) if name in names]
    if len(codes) == 1:
        return np.asarray(page.tag == codes[0])
    flags = np.zeros(len(page.tag_names), dtype=np.bool_)
    flags[codes] = True
    return flags[page.tag]


def inside_tag(page: Page, name: str) -> NDArray[np.bool_]:
    """Return which rows are elements with this tag, or lie inside one."""
    return inside_tags(page, (name,))


def inside_tags(page: Page, names: Collection[str]) -> NDArray[np.bool_]:
    """Return which rows are elements with one of these tags, or lie inside one."""
    if not any(name in names for name in page.tag_names):
        return np.zeros(len(page), dtype=np.bool_)
    if page_parts is not None:
        wanted = np.array([name in names for name in page.tag_names], dtype=np.uint8)
        inside: NDArray[np.bool_] = page_parts.inside_tags(page.tag, page.end, wanted)
        return inside
    roots = np.flatnonzero(is_tag(page, names))
    edges = np.bincount(roots, minlength=len(page) + 1) - np.bincount(page.end[roots], minlength=len(page) + 1)
    return np.asarray(np.cumsum(edges[:-1]) > 0)

"""The texts of a page that a reader may see, with the blocks and totals that their features are computed from."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.kept_property import kept_property
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import inside_tag, is_tag
from peneira.page import INLINE_TAGS, ZERO_WIDTH, Flags, Page, attribute_codes, attribute_column
from peneira.texts.attribute_keywords import TAG_BITS, Bits, element_keywords
from peneira.texts.element_names import ElementNames
from peneira.texts.retps import number_runs
from peneira.texts.tag_kinds import HEADING_TAGS, IMAGE_TAGS, INPUT_TAGS, Kinds, tag_kinds, text_lines, text_tables
from peneira.texts.text_words import TextWords

# Texts of this length or more count as long
LONG_CHARS = 80
# A pattern finds none in a long text in a fraction of the time that translating it takes
_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]+")


class PageTexts:
    """The texts of a page that a reader may see, hidden texts included: their rows and their strings."""

    rows: Rows
    strings: list[str]

    def __init__(self, page: Page) -> None:
        self.page = page
        text, starts, ends = page.own_reading
        if text_lines is not None and isinstance(starts, memoryview):
            check_budget()
            silent = page.silent.view(np.uint8)
            self.rows, self.strings = text_lines.shown_texts(page.tag, page.parent, silent, text, starts, ends)
            return
        rows = np.flatnonzero((page.tag == 0) & ~page.silent & (page.parent >= 0))
        strings = page.own_texts(rows.tolist())
        self.rows, self.strings = rows, strings
        if not all(strings):  # a text of spaces that do not break, or without width
            self.rows = rows[np.fromiter(map(bool, strings), np.bool_, len(strings))]
            self.strings = [string for string in strings if string]

    def __len__(self) -> int:
        return len(self.rows)

    @kept_property
    def lengths(self) -> Rows:
        """The number of characters of each text."""
        return np.fromiter(map(len, self.strings), np.int64, len(self.strings))

    @kept_property
    def log_lengths(self) -> Numbers:
        """The logarithms of the lengths."""
        return np.log1p(self.lengths)

    @kept_property
    def kinds(self) -> Kinds:
        """What the tags of the page are, for the kernel."""
        return tag_kinds(self.page)

    @kept_property
    def parents(self) -> list[int]:
        """The parent of each text."""
        parents = self.page.lists.parent
        return [parents[row] for row in self.rows.tolist()]

    @kept_property
    def blocks(self) -> Rows:
        """The nearest ancestor of each text that is not an inline element."""
        page = self.page
        if text_tables is not None:
            holders: Rows = text_tables.holders(page.tag, page.parent, self.kinds, self.rows)
            return holders
        is_inline = np.array([name in INLINE_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag]
        blocks = page.parent[self.rows].astype(np.int64)
        while True:
            go_up = is_inline[blocks] & (page.parent[blocks] >= 0)
            if not go_up.any():
                return blocks
            blocks = np.where(go_up, page.parent[blocks], blocks)

    @kept_property
    def runs(self) -> tuple[Rows, Rows]:
        """The element that holds the run of each text, and the number of that run."""
        return number_runs(self.page, self.rows)

    @kept_property
    def sums(self) -> TextSums:
        return TextSums(self)

    @kept_property
    def names(self) -> ElementNames:
        """What the elements of the page are called."""
        return ElementNames(self.page)

    @kept_property
    def words(self) -> TextWords:
        """The words of the texts."""
        return TextWords(self.strings)

    @kept_property
    def keyword_bits(self) -> tuple[Bits, Bits]:
        """The keyword groups and tags of each row's element, and those of it and all its ancestors."""
        return element_keywords(self.page, TAG_BITS, self.names)

    @kept_property
    def styled_paths(self) -> Rows:
        """A code of each text's tag path with the classes of its two nearest ancestors: all classes take longer."""
        page = self.page
        if text_tables is not None:
            of_class = attribute_codes(page, frozenset({"class"}))
            found: Rows = text_tables.styled_codes(page.path, page.parent, of_class, self.rows)
            return found
        classes = np.zeros(len(page), dtype=np.int64)
        rows, codes, _ = attribute_column(page, "class")
        classes[rows] = codes + 1
        nodes = page.parent[self.rows]
        own, above = classes[nodes].tolist(), classes[page.parent[nodes]].tolist()
        return value_codes(list(zip(page.path[self.rows].tolist(), own, above, strict=True)))


def value_codes(values: Sequence[Hashable]) -> Rows:
    """Return a code per value, 0, 1, 2... in order of first occurrence."""
    code_of = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(code_of.__getitem__, values), np.int64, len(values))


def collapse_whitespace(text: str) -> str:
    """Return the text without zero-width characters and with white space collapsed."""
    return " ".join((text if text.isascii() else _ZERO_WIDTH.sub("", text)).split())


# The columns of TextSums
CHARS, LINK_CHARS, TEXTS, LINK_TEXTS, LONG_TEXTS, IMAGES, ELEMENTS, HEADINGS, INPUTS = range(9)


class TextSums:
    """Running sums over the rows of a page: ``table[end] - table[start]`` has the totals of the rows ``start:end``."""

    def __init__(self, texts: PageTexts) -> None:
        page, rows = texts.page, texts.rows
        if text_tables is not None:
            self.table, self.in_link = text_tables.text_sums(
                page.tag, page.end, page.silent.view(np.uint8), texts.kinds, rows, texts.lengths, LONG_CHARS
            )
        else:
            self.table, self.in_link = _sums_plain(texts)
        self.chars, self.texts = self.table[:, CHARS], self.table[:, TEXTS]
        self.total_chars = max(float(self.chars[-1]), 1.0)

    def of_subtrees(self, page: Page, nodes: Rows) -> Numbers:
        """Return the totals of the nodes' subtrees: one row per count, one column per node."""
        return np.asarray((self.table[page.end[nodes]] - self.table[nodes]).T)


def _sums_plain(texts: PageTexts) -> tuple[Numbers, Flags]:
    """Return the running sums and which rows are in links, with numpy alone."""
    page, rows = texts.page, texts.rows
    columns = np.zeros((len(page), 9))
    in_link = inside_tag(page, "a")
    columns[rows, CHARS] = texts.lengths
    columns[rows, TEXTS] = 1
    columns[:, LINK_CHARS] = columns[:, CHARS] * in_link
    columns[:, LINK_TEXTS] = columns[:, TEXTS] * in_link
    columns[:, LONG_TEXTS] = columns[:, CHARS] >= LONG_CHARS
    columns[:, IMAGES] = is_tag(page, IMAGE_TAGS)
    columns[:, ELEMENTS] = (page.tag != 0) & ~page.silent
    columns[:, HEADINGS] = is_tag(page, HEADING_TAGS)
    columns[:, INPUTS] = is_tag(page, INPUT_TAGS)
    return running_sum(columns), in_link

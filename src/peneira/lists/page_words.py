"""What the words of a page say of its parts: class names, roles, pagers, headings, and counts that it states.

The main list is rarely in a navigation or a dialog, and often below a heading, beside a pager, and as long as a text
above it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.kept_property import kept_property
from peneira.kernels import node_loops
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag, page_facts, page_parts
from peneira.page import Page, attribute_column

# Words in class names and ids that web authors use for the frame of a page (menus, footers), and for records
FRAME_WORDS = late_pattern(
    r"nav|menu|foot|side|bread|pag(?:er|ina|ing)|tab|head|crumb|filter|facet|refine|relat|recommend|promo|banner|ad[sv]?\b"
    r"|social|share|login|cart|categor|comment|cookie|tag"
)
RECORD_WORDS = late_pattern(
    r"result|product|item|list|content|main|entr|record|row|post|grid|search|hit|article|job|listing"
)
# Words for what stands beside the main list: other things of interest; and what lies over the page
ASIDE_WORDS = late_pattern(
    r"relat|recommend|similar|popular|trending|recent|latest|sponsor|carousel|slider|slick|swiper|widget|suggest|upsell|cross-?sell"
    r"|also|viewed|teaser|sticky|highlight|featured"
)
OVERLAY_WORDS = late_pattern(
    r"modal|popup|pop-up|dialog|overlay|dropdown|drop-down|tooltip|consent|cookie|gdpr|newsletter|subscri|off-?canvas|mega|drawer"
    r"|flyout|lightbox|toast"
)
PAGER_WORDS = late_pattern(r"pag(?:er|ina|ing|enav)|next-?page|load-?more|show-?more")
PAGER_RELATIONS = frozenset({"next", "prev"})
# Roles (WAI-ARIA) of the main part of a page and of its other parts
MAIN_ROLES = frozenset({"main"})
FRAME_ROLES = frozenset("navigation banner contentinfo complementary dialog alertdialog menu menubar search".split())
# "1-20 of 345", "1 bis 20 von 345": the first and the last record, and how many there are
_RANGE = late_pattern(
    r"(?<!\d)(\d{1,5})\s{0,2}(?:[-–—]|\w{1,5})\s{0,2}(\d{1,5})\s{1,2}\D{1,12}?\s{0,2}\d{1,3}(?:[.,\s]?\d{3})*(?!\d)"
)
# "24 results": one number, and words after it
_COUNT = late_pattern(r"\D{0,24}?(?<![\d.,])(\d{1,4})\s{1,2}[^\W\d]{4}[^\d]{0,20}")
MAX_COUNT_CHARS = 48  # of a text that states how many records there are
CLASS_WORDS = {
    "frame": FRAME_WORDS,
    "record": RECORD_WORDS,
    "aside": ASIDE_WORDS,
    "overlay": OVERLAY_WORDS,
    "pager": PAGER_WORDS,
}
NO_WORDS = [""]
HEADING_TAGS = tuple("h1 h2 h3 h4 h5 h6".split())
_SEPARATOR = "\n\n"  # no pattern matches across it


class PageWords:
    """What words say of the parts of a page, each on first use. ``texts``: makes those of the page, stripped."""

    def __init__(self, page: Page, texts: Callable[[], Sequence[str]]) -> None:
        self.page = page
        self._texts = texts
        self._columns: dict[str, tuple[NDArray[np.int32], NDArray[np.int32], list[str]]] = {}

    @kept_property
    def class_words(self) -> Mapping[str, Integers]:
        """Whether each node's class or id has a word of frames, of records, of lists beside the main one, of overlays,

        of pagers.
        """
        if page_facts is not None:
            bits = self._class_bits
            return {name: (bits >> k & 1).astype(np.int64) for k, name in enumerate(CLASS_WORDS)}
        codes, labels = node_loops.label_codes(self.page.attrs)
        label = np.array(codes)
        names = [f"{class_} {id_}".lower().split() for class_, id_ in labels]
        words = list(dict.fromkeys(chain.from_iterable(names)))
        found = contain_each(list(CLASS_WORDS.values()), words)
        # a bit for each kind of word; the added word without any stands for a name without words
        bits = np.append(np.bitwise_or.reduce([flags << k for k, flags in enumerate(found.astype(np.int64))]), 0)
        position = {word: k for k, word in enumerate((*words, *NO_WORDS))}
        flat = [position[word] for word in chain.from_iterable(name or NO_WORDS for name in names)]
        first = running_sum([len(name) or 1 for name in names])[:-1]
        of_label = np.bitwise_or.reduceat(bits[flat], first)[label] if names else np.zeros(0, dtype=np.int64)
        return {name: of_label >> k & 1 for k, name in enumerate(CLASS_WORDS)}

    @kept_property
    def _class_bits(self) -> NDArray[np.int32]:
        """A bit for each kind of word, by row."""
        bits = np.zeros(len(self.page), dtype=np.int32)
        finder = _word_finder()
        for name in ("class", "id"):
            rows, codes, values = attribute_column(self.page, name)
            if values:
                bits[rows] |= finder.bits_of(values)[codes]
        return bits

    @kept_property
    def class_flags(self) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """The same as a table, and how many nodes from the root down to each have such a word; compiled only."""
        flags, above = page_facts.bits_from_root(self._class_bits, self.page.parent, len(CLASS_WORDS))
        return flags, above

    @kept_property
    def class_words_above(self) -> Mapping[str, Integers]:
        """How many nodes from the root down to each have such a word."""
        return {name: sum_from_root(self.page, flags) for name, flags in self.class_words.items()}

    def _having(self, attribute: str, words: frozenset[str]) -> NDArray[np.bool_]:
        """Return which rows have one of these words as the value of an attribute, ``role`` or ``rel``."""
        flags = np.zeros(len(self.page), dtype=np.bool_)
        rows, codes, values = self._column(attribute)
        if not values:
            return flags
        flags[rows[np.array([value.lower() in words for value in values], dtype=np.bool_)[codes]]] = True
        return flags

    def _column(self, attribute: str) -> tuple[NDArray[np.int32], NDArray[np.int32], list[str]]:
        """Return the column of an attribute, which is read once."""
        if attribute not in self._columns:
            self._columns[attribute] = attribute_column(self.page, attribute)
        return self._columns[attribute]

    @kept_property
    def is_outside_main(self) -> NDArray[np.bool_]:
        """Which rows lie outside the main element, on a page that has one."""
        inside = inside_flagged(self.page, is_tag(self.page, ("main",)) | self._having("role", MAIN_ROLES))
        return ~inside & bool(inside.any())

    @kept_property
    def is_in_frame_role(self) -> NDArray[np.bool_]:
        """Which rows lie in an element whose role is a part of the page beside its main part."""
        return inside_flagged(self.page, is_tag(self.page, ("dialog",)) | self._having("role", FRAME_ROLES))

    @kept_property
    def pagers(self) -> Integers:
        """Running sums of links to the next or the previous page and of elements named like a pager."""
        if page_facts is not None:
            named = (self._class_bits >> list(CLASS_WORDS).index("pager") & 1) > 0
        else:
            named = self.class_words["pager"] > 0
        is_pager = named | self._having("rel", PAGER_RELATIONS)
        return running_sum(is_pager & ~self.page.silent)

    def write_pagers(self, sums: NDArray[np.int32], column: int) -> None:
        """Write the same into a column of the running sums; compiled only."""
        rows, codes, values = self._column("rel")
        relations = np.array([value.lower() in PAGER_RELATIONS for value in values], dtype=np.uint8)
        bit, silent = list(CLASS_WORDS).index("pager"), self.page.silent.view(np.uint8)
        page_parts.write_pagers(sums, column, self._class_bits, bit, silent, rows, codes, relations)

    @property
    def roles(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
        """The rows with a role, its code in each, and of each code 1: the main part of the page, 2: one beside it."""
        rows, codes, values = self._column("role")
        names = [value.lower() for value in values]
        kinds = [(name in MAIN_ROLES) + 2 * (name in FRAME_ROLES) for name in names]
        return rows, codes, np.array(kinds, dtype=np.uint8)

    @kept_property
    def heading_rows(self) -> Integers:
        """The headings of the page, without those of table columns."""
        rows = self.page.rows_of(*HEADING_TAGS)
        return rows[~self.page.silent[rows]].astype(np.int64)

    @kept_property
    def stated_counts(self) -> tuple[frozenset[int], frozenset[int]]:
        """How many records short texts of the page state: as a range ("1-20 of 345"), as a number ("24 results")."""
        texts = self._texts()
        if page_parts is not None:
            with_number, with_numbers = page_parts.stating_texts(texts, MAX_COUNT_CHARS)
        else:
            with_number = with_numbers = [
                # both forms have a space
                text
                for text in set(texts)
                if len(text) <= MAX_COUNT_CHARS and len(text.split(None, 1)) > 1
            ]
        found = filter(None, map(_RANGE.search, with_numbers))
        ranges = {int(match[2]) - int(match[1]) + 1 for match in found if int(match[1]) < int(match[2])}
        numbers = {int(match[1]) for match in map(_COUNT.fullmatch, with_number) if match}
        return frozenset(ranges), frozenset(numbers)


@cache
def _word_finder() -> Any:
    """Return the compiled finder of the words of all kinds."""
    return page_facts.WordFinder(
        [
            (word, 1 << k, must_end)
            for k, pattern in enumerate(CLASS_WORDS.values())
            for word, must_end in literal_words(pattern)
        ]
    )


def literal_words(pattern: re.Pattern[str]) -> list[tuple[str, bool]]:
    """Return the words that a pattern of class words stands for, and whether a word must end there.

    Such a pattern is a choice of literals with groups of endings, optional letters and ends of words.
    """
    words: list[tuple[str, bool]] = []
    for choice in re.split(r"\|(?![^(]*\))", pattern.pattern):
        must_end = choice.endswith(r"\b")
        forms = [""]
        for part in re.findall(r"\(\?:[^)]*\)|\[[^]]*\]\??|[a-z-]\??", choice.removesuffix(r"\b")):
            if part.startswith("("):
                endings = part[3:-1].split("|")
            else:
                endings = [*part.rstrip("?").strip("[]"), *([""] if part.endswith("?") else [])]
            forms = [form + ending for form in forms for ending in endings]
        words += [(form, must_end) for form in forms]
    return words


def contain_each(patterns: Sequence[re.Pattern[str]], texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return for each pattern which texts contain it. Searching them joined is three times as fast."""
    ends = np.cumsum([len(text) + len(_SEPARATOR) for text in texts])
    joined = _SEPARATOR.join(texts)
    contain = np.zeros((len(patterns), len(texts)), dtype=np.bool_)
    for flags, pattern in zip(contain, patterns, strict=True):
        offsets = [match.start() for match in pattern.finditer(joined)]
        flags[np.searchsorted(ends, offsets, side="right")] = True
    return contain


def inside_flagged(page: Page, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows have the flag, or lie inside a row that has it."""
    if page_parts is not None:
        inside: NDArray[np.bool_] = page_parts.inside_flagged(flags.view(np.uint8), page.end)
        return inside
    return sum_from_root(page, flags.astype(np.int64)) > 0


def sum_from_root(page: Page, flags: Integers) -> Integers:
    """Return for each node the sum of the flags from the root down to it."""
    edges = np.zeros(len(page) + 1, dtype=np.int64)
    edges[:-1] = flags
    np.subtract.at(edges, page.end, flags)
    return np.cumsum(edges[:-1])

"""The reversed, enriched tag path (reTPS) of every run of text of a page, as EDREW defines it (Nunes 2023, chapter 4).

A run is contiguous text in one element. Its path goes from the text up to the root; an element is written as its tag
with a class for its position on the page, and special tokens for its attributes. Nothing is rendered.

Where the thesis is ambiguous: a wrapper tag without text of its own has the prefix ``#WT`` (Algorithm 6 adds it to all
tags, the figures show it on none); ``price`` is in the list of values without a token and has one here; 20 entries are
kept, as in Figure 14 (Algorithm 10 as printed keeps 22). Text after an element that is not a formatter, which the
thesis's tokeniser drops, is a run of its own, and so is a line after a ``br``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from peneira.errors import ArgumentError
from peneira.ml.running_sums import inside_tags, is_tag
from peneira.page import Codes, Flags, Page

SKIP_TAGS = frozenset("script link meta noscript base style input area".split())
WRAPPER_TAGS = frozenset("span a b strong i em mark small del ins sub sup".split())
FORMATTER_TAGS = frozenset("b strong i em mark small del ins sub sup".split())
REPEATING_TAGS = frozenset("li ol ul option p dd dl dt br th tr td menuitem".split())

SEPARATOR = "<#SEP>"
WRAPPER = "#WT"
ID, CLASSES, PROPERTIES, HIDDEN, CONTENT, MONEY = "<#ID>", "<#CLSS>", "<#PROP>", "<#HIDE>", "<#CNT>", "<#$>"
# Words in classes and properties, and their tokens (Table 3 of the thesis)
VALUE_TOKENS: Mapping[str, str] = {
    "price": "<#PRICE>",
    "value": "<#VAL>",
    "description": "<#DESC>",
    "name": "<#NAME>",
    "date": "<#DATE>",
    "content": "<#CONT>",
    "detail": "<#DET>",
}
# The thesis has only the dollar; the others are ours
CURRENCY_SIGNS = ("$", "€", "£", "¥", "R$", "US$", "₹", "₽", "₩", "₺")
MAX_ENTRIES = 20
POSITION_CLASSES = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100)

_NOT_PROPERTIES = frozenset({"id", "class", "style"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of attribute values (``author`` or ``isbn`` may be added), and the maximum length of a path."""

    values: Mapping[str, str] = field(default_factory=lambda: VALUE_TOKENS)
    max_entries: int = MAX_ENTRIES


DEFAULT_VOCABULARY = Vocabulary()


def vocabulary_with(tokens: Sequence[str]) -> Vocabulary:
    """Return the default vocabulary with further tokens, each as "word=token": "author=<#AUTH>"."""
    added: dict[str, str] = {}
    for text in tokens:
        word, _, token = text.partition("=")
        if not word.strip() or not token.startswith("<#") or not token.endswith(">") or SEPARATOR in token:
            raise ArgumentError(f"{text!r} is no token: write WORD=<#NAME>, such as author=<#AUTH>")
        added[word.strip().lower()] = token
    return Vocabulary({**VALUE_TOKENS, **added}) if added else DEFAULT_VOCABULARY


@dataclass(frozen=True, slots=True)
class TextPath:
    """A run of text: the element that holds it, its text nodes, and its path from the text up to the root."""

    element: int
    texts: tuple[int, ...]
    entries: tuple[str, ...]

    def __str__(self) -> str:
        return SEPARATOR.join(self.entries)


def element_positions(page: Page) -> tuple[Codes, int]:
    """Return the number of counted elements that start up to each row, and their total.

    Tags of lists and tables are not counted, nor are wrapper tags without text of their own (Algorithms 5 and 6).
    """
    is_excluded = is_tag(page, SKIP_TAGS | REPEATING_TAGS) | inside_tags(page, SKIP_TAGS) | empty_wrappers(page)
    counted = (page.tag != 0) & ~is_excluded
    running = np.cumsum(counted).astype(np.int32)
    return running, int(running[-1]) if len(page) else 0


def fibonacci_class(position: int, total: int) -> int:
    """Return the largest class that is at most ``position / total * 100`` (Algorithm 12)."""
    share = position / total * 100 if total else 0.0
    return POSITION_CLASSES[max(bisect_right(POSITION_CLASSES, share) - 1, 0)]


def empty_wrappers(page: Page) -> Flags:
    """Return which rows are wrapper tags that do not start with text (Algorithm 5)."""
    has_text = np.zeros(len(page), dtype=np.bool_)
    has_text[:-1] = (page.tag[1:] == 0) & (page.parent[1:] == np.arange(len(page) - 1))
    return np.asarray(is_tag(page, WRAPPER_TAGS) & ~has_text)


def text_paths(page: Page, vocabulary: Vocabulary = DEFAULT_VOCABULARY) -> list[TextPath]:
    """Return the runs of text of the page in document order with their paths; silent texts have none."""
    writer = _PathWriter(page, vocabulary)
    return [writer.path(element, texts) for element, texts in text_runs(page)]


def text_runs(page: Page) -> list[tuple[int, tuple[int, ...]]]:
    """Return the runs of text: the element that holds each run, and its text nodes.

    The text of a formatter tag is part of its parent's run: "text <b>in bold</b> here" is one run. Any other element
    ends a run, including ``br``. Skipped tags are silent, except in foreign content (an svg with a ``link``), where the
    parser lets them contain visible text.
    """
    rows = np.flatnonzero((page.tag == 0) & ~page.silent)
    element, run = number_runs(page, rows)
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    parts = np.split(rows, starts[1:]) if len(rows) else []
    return [(int(element[k]), tuple(part.tolist())) for k, part in zip(starts, parts, strict=True)]


def number_runs(page: Page, rows: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each text row, in document order, the element that holds its run, and the number of its run."""
    element, breaks = _run_elements(page, rows), _run_breaks(page)[rows]
    is_new = (np.diff(element, prepend=-1) != 0) | (np.diff(breaks, prepend=-1) != 0)
    return element, np.cumsum(is_new) - 1


def _run_elements(page: Page, rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the element of each text's run: its nearest ancestor that is not a formatter inside other text."""
    is_formatter, parent = is_tag(page, FORMATTER_TAGS), page.parent
    has_text = np.zeros(len(page), dtype=np.bool_)
    has_text[parent[(page.tag == 0) & (parent >= 0)]] = True
    joins_parent = is_formatter & (parent >= 0) & (has_text[parent] | is_formatter[parent])
    element = parent[rows].astype(np.int64)
    while joins_parent[element].any():
        element = np.where(joins_parent[element], parent[element], element)
    return np.asarray(element)


def _run_breaks(page: Page) -> NDArray[np.int64]:
    """Return the number of starts and ends of run-ending elements up to each row."""
    ends_run = (page.tag != 0) & ~is_tag(page, FORMATTER_TAGS)
    edges = np.bincount(page.end[ends_run], minlength=len(page) + 1)[: len(page)] + ends_run
    return np.asarray(np.cumsum(edges), dtype=np.int64)


class _PathWriter:
    """Writes the paths of runs; the entries of each element are written once."""

    def __init__(self, page: Page, vocabulary: Vocabulary) -> None:
        self.page, self.vocabulary = page, vocabulary
        running, self.total = element_positions(page)
        self.position: list[int] = running.tolist()
        self.is_wrapper: list[bool] = empty_wrappers(page).tolist()
        self.is_formatter: NDArray[np.bool_] = is_tag(page, FORMATTER_TAGS | {"br"})
        self.entries_of: dict[int, tuple[str, ...]] = {}

    def path(self, element: int, texts: tuple[int, ...]) -> TextPath:
        max_entries = self.vocabulary.max_entries
        entries = [*self._content_tokens(element, texts), *self._line_break(texts[0])]
        parents = self.page.lists.parent
        node = element
        while node >= 0 and len(entries) < max_entries:
            entries += self._element_entries(node)
            node = parents[node]
        return TextPath(element, texts, tuple(entries[:max_entries]))

    def _content_tokens(self, element: int, texts: tuple[int, ...]) -> list[str]:
        """Return the tokens of the text itself, last first: only a leaf element has ``<#CNT>``."""
        inside = slice(element + 1, int(self.page.end[element]))
        if ((self.page.tag[inside] != 0) & ~self.is_formatter[inside]).any():
            return []
        is_money = self.page.text[texts[0]].lstrip().startswith(CURRENCY_SIGNS)
        return [MONEY, CONTENT] if is_money else [CONTENT]

    def _line_break(self, text: int) -> list[str]:
        """Return ``br`` for a run right after one; it has no position (Algorithm 11)."""
        before = text - 1
        return ["br"] if before > 0 and self.page.name(before) == "br" else []

    def _element_entries(self, node: int) -> tuple[str, ...]:
        if node not in self.entries_of:
            position_class = fibonacci_class(self.position[node], self.total)
            tag = f"{WRAPPER if self.is_wrapper[node] else ''}{self.page.name(node)}|{position_class}"
            self.entries_of[node] = (*reversed(attribute_tokens(self.page.attrs[node], self.vocabulary)), tag)
        return self.entries_of[node]


def attribute_tokens(attrs: Mapping[str, str], vocabulary: Vocabulary = DEFAULT_VOCABULARY) -> list[str]:
    """Return the tokens of an element's attributes in the order id, classes, properties, style."""
    tokens: list[str] = []
    if "id" in attrs:
        tokens.append(ID)
    if "class" in attrs:
        tokens += [CLASSES, *_value_tokens(attrs["class"], vocabulary)]
    properties = " ".join(f"{key} {value}" for key, value in attrs.items() if key not in _NOT_PROPERTIES)
    if properties:
        tokens += [PROPERTIES, *_value_tokens(properties, vocabulary)]
    style = "".join(attrs.get("style", "").lower().split())
    if "display:none" in style or "visibility:hidden" in style:
        tokens.append(HIDDEN)
    return tokens


def _value_tokens(text: str, vocabulary: Vocabulary) -> list[str]:
    lowered = text.lower()
    return [token for value, token in vocabulary.values.items() if value in lowered]

"""The reversed, enriched tag path (reTPS) of every content of a page, as EDREW defines it (Nunes 2023, chapter 4).

A content is a run of text in one element. Its path is read from the content up to the root; each element is its tag
with a class for its position on the page, and special tokens for what its attributes say. Nothing is rendered.

Where the thesis leaves room: a wrapper tag without text of its own is written ``#WT`` (its Algorithm 6 adds the prefix
to all tags, its figures to none); ``price`` is in its list of values without a token and has one here; 20 entries are
kept, as in its Figure 14 (Algorithm 10 as printed keeps 22). Text behind an element that is no formatter, which its
tokeniser drops, is a content of its own, and so is a line behind a ``br``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from peneira.page import Codes, Flags, Page

SKIP_TAGS = frozenset("script link meta noscript base style input area".split())
WRAPPER_TAGS = frozenset("span a b strong i em mark small del ins sub sup".split())
FORMATTER_TAGS = frozenset("b strong i em mark small del ins sub sup".split())
REPEATING_TAGS = frozenset("li ol ul option p dd dl dt br th tr td menuitem".split())

SEPARATOR = "<#SEP>"
WRAPPER = "#WT"
ID, CLASSES, PROPERTIES, HIDDEN, CONTENT, MONEY = "<#ID>", "<#CLSS>", "<#PROP>", "<#HIDE>", "<#CNT>", "<#$>"
# Words that are looked for in classes and properties, and what they are written as (Table 3 of the thesis)
VALUE_TOKENS: Mapping[str, str] = {
    "price": "<#PRICE>",
    "value": "<#VAL>",
    "description": "<#DESC>",
    "name": "<#NAME>",
    "date": "<#DATE>",
    "content": "<#CONT>",
    "detail": "<#DET>",
}
# The thesis knows the dollar; the others are ours
CURRENCY_SIGNS = ("$", "€", "£", "¥", "R$", "US$", "₹", "₽", "₩", "₺")
MAX_ENTRIES = 20
POSITION_CLASSES = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100)

_NO_PROPERTIES = frozenset({"id", "class", "style"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the paths are written with: values with their tokens (add ``author`` or ``isbn``), and the longest path."""

    values: Mapping[str, str] = field(default_factory=lambda: VALUE_TOKENS)
    max_entries: int = MAX_ENTRIES


DEFAULT_VOCABULARY = Vocabulary()


@dataclass(frozen=True, slots=True)
class TextPath:
    """One content: the element that holds it, its text nodes, and its path from the content up."""

    element: int
    texts: tuple[int, ...]
    entries: tuple[str, ...]

    def __str__(self) -> str:
        return SEPARATOR.join(self.entries)


def positions(page: Page) -> tuple[Codes, int]:
    """Return how many counted elements have begun up to each row, and how many the page has.

    Tags that build lists and tables do not count, nor do wrapper tags without text of their own (Algorithms 5 and 6).
    """
    counted = (page.tag != 0) & ~_of_tags(page, SKIP_TAGS | REPEATING_TAGS) & ~_below_skipped(page) & ~wrapping(page)
    running = np.cumsum(counted).astype(np.int32)
    return running, int(running[-1]) if len(page) else 0


def fibonacci_class(position: int, total: int) -> int:
    """Return the largest class that is not above ``position / total * 100`` (Algorithm 12)."""
    share = position / total * 100 if total else 0.0
    return POSITION_CLASSES[max(bisect_right(POSITION_CLASSES, share) - 1, 0)]


def wrapping(page: Page) -> Flags:
    """Return which rows are wrapper tags that no text follows at once (Algorithm 5)."""
    has_text = np.zeros(len(page), dtype=np.bool_)
    has_text[:-1] = (page.tag[1:] == 0) & (page.parent[1:] == np.arange(len(page) - 1))
    return np.asarray(_of_tags(page, WRAPPER_TAGS) & ~has_text)


def text_paths(page: Page, vocabulary: Vocabulary = DEFAULT_VOCABULARY) -> list[TextPath]:
    """Return the contents of the page in document order with their paths; texts that count in no view have none."""
    writer = _Writer(page, vocabulary)
    return [writer.path(element, texts) for element, texts in text_runs(page)]


def text_runs(page: Page) -> list[tuple[int, tuple[int, ...]]]:
    """Return the runs of text: the element that holds each, and its text nodes.

    The text of a formatter tag joins that of its parent: "text <b>in bold</b> here" is one run. Any other element, a
    ``br`` among them, ends a run. What tags that are skipped hold counts in no view, but in foreign content (an svg
    with a ``link``), where a parser lets them hold text that is shown.
    """
    rows = np.flatnonzero((page.tag == 0) & ~page.silent)
    holder, run = run_of(page, rows)
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    parts = np.split(rows, starts[1:]) if len(rows) else []
    return [(int(holder[k]), tuple(part.tolist())) for k, part in zip(starts, parts, strict=True)]


def run_of(page: Page, rows: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each text row, in document order, the element that holds its run, and the number of the run."""
    holder, cut = _holders(page, rows), _cuts(page)[rows]
    is_new = (np.diff(holder, prepend=-1) != 0) | (np.diff(cut, prepend=-1) != 0)
    return holder, np.cumsum(is_new) - 1


def _holders(page: Page, rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each text its nearest ancestor that is no formatter, or a formatter with no plain text beside it."""
    formats, parent = _of_tags(page, FORMATTER_TAGS), page.parent
    has_text = np.zeros(len(page), dtype=np.bool_)
    has_text[parent[(page.tag == 0) & (parent >= 0)]] = True
    joins = formats & (parent >= 0) & (has_text[parent] | formats[parent])
    holder = parent[rows].astype(np.int64)
    while joins[holder].any():
        holder = np.where(joins[holder], parent[holder], holder)
    return np.asarray(holder)


def _cuts(page: Page) -> NDArray[np.int64]:
    """Return how many elements that end a run have begun or ended up to each row."""
    ends_run = (page.tag != 0) & ~_of_tags(page, FORMATTER_TAGS)
    edges = np.bincount(page.end[ends_run], minlength=len(page) + 1)[: len(page)] + ends_run
    return np.asarray(np.cumsum(edges), dtype=np.int64)


def _of_tags(page: Page, names: frozenset[str]) -> Flags:
    return np.array([name in names for name in page.tag_names], dtype=np.bool_)[page.tag]


def _below_skipped(page: Page) -> Flags:
    roots = np.flatnonzero(_of_tags(page, SKIP_TAGS))
    edges = np.bincount(roots, minlength=len(page) + 1) - np.bincount(page.end[roots], minlength=len(page) + 1)
    return np.asarray(np.cumsum(edges[:-1]) > 0)


class _Writer:
    """Writes paths; what an element contributes is written once."""

    def __init__(self, page: Page, vocabulary: Vocabulary) -> None:
        self.page, self.vocabulary = page, vocabulary
        running, self.total = positions(page)
        self.position: list[int] = running.tolist()
        self.wraps: list[bool] = wrapping(page).tolist()
        self.formats: NDArray[np.bool_] = _of_tags(page, FORMATTER_TAGS | {"br"})
        self.written: dict[int, tuple[str, ...]] = {}

    def path(self, element: int, texts: tuple[int, ...]) -> TextPath:
        most = self.vocabulary.max_entries
        entries = [*self._content(element, texts), *self._line(texts[0])]
        parents = self.page.lists.parent
        node = element
        while node >= 0 and len(entries) < most:
            entries += self._element(node)
            node = parents[node]
        return TextPath(element, texts, tuple(entries[:most]))

    def _content(self, element: int, texts: tuple[int, ...]) -> list[str]:
        """Return the tokens of the content itself, last first: only a leaf has ``<#CNT>``."""
        below = slice(element + 1, int(self.page.end[element]))
        if ((self.page.tag[below] != 0) & ~self.formats[below]).any():
            return []
        is_money = self.page.text[texts[0]].lstrip().startswith(CURRENCY_SIGNS)
        return [MONEY, CONTENT] if is_money else [CONTENT]

    def _line(self, text: int) -> list[str]:
        """Return ``br`` for a content that stands right behind one; it has no position (Algorithm 11)."""
        before = text - 1
        return ["br"] if before > 0 and self.page.name(before) == "br" else []

    def _element(self, node: int) -> tuple[str, ...]:
        if node not in self.written:
            place = fibonacci_class(self.position[node], self.total)
            tag = f"{WRAPPER if self.wraps[node] else ''}{self.page.name(node)}|{place}"
            self.written[node] = (*reversed(attribute_tokens(self.page.attrs[node], self.vocabulary)), tag)
        return self.written[node]


def attribute_tokens(attrs: Mapping[str, str], vocabulary: Vocabulary = DEFAULT_VOCABULARY) -> list[str]:
    """Return the tokens of an element's attributes in their order: id, classes, properties, style."""
    tokens: list[str] = []
    if "id" in attrs:
        tokens.append(ID)
    if "class" in attrs:
        tokens += [CLASSES, *_values(attrs["class"], vocabulary)]
    properties = " ".join(f"{key} {value}" for key, value in attrs.items() if key not in _NO_PROPERTIES)
    if properties:
        tokens += [PROPERTIES, *_values(properties, vocabulary)]
    style = "".join(attrs.get("style", "").lower().split())
    if "display:none" in style or "visibility:hidden" in style:
        tokens.append(HIDDEN)
    return tokens


def _values(text: str, vocabulary: Vocabulary) -> list[str]:
    lowered = text.lower()
    return [token for value, token in vocabulary.values.items() if value in lowered]

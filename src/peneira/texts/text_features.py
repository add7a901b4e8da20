"""TextFeatures of every text of a page: what it says, where it stands, what stands around it, how often it is repeated.

All figures are computed for all texts at once, from running sums over the node table.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import repeat
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.running_sums import inside_tag, is_tag
from peneira.page import INLINE_TAGS, NO_ATTRS, ZERO_WIDTH, Page
from peneira.texts.attribute_clues import NAMES as CLUE_NAMES
from peneira.texts.attribute_clues import element_clues, spread
from peneira.texts.retps import positions, run_of

Numbers = NDArray[np.float64]
TextFeatures = dict[str, NDArray[Any]]

# Tags that say something: of the element that holds a text, and of any element above it
HOLDERS = tuple("a b dd div h1 h3 li option p span strong td".split())
FRAMES = tuple("a article aside dl footer form header li main nav p section table ul".split())
# Clues that say what kind of page it is, wherever they stand
PAGE_CLUES = ("author", "cart", "comment", "ingredient", "instruction", "place", "price", "rating", "recipe")
# Ancestors of a text's block, and how many levels up
LEVELS = (1, 2, 3, 5)
CURRENCY = "$€£¥₹₽₩"
LONG_CHARS = 80
STRUCTURED_TYPE = "application/ld+json"
_NO_WIDTH = str.maketrans("", "", ZERO_WIDTH)
_WORDS = re.compile(r"\w{2,}|\n")
_BREAK = 1 << 7  # the mark of a break between texts among the marks of words
_META_NAMES = frozenset(
    "description keywords og:title og:description twitter:title twitter:description author article:author".split()
)
LONGEST_STRUCTURED = 400_000  # characters

# Kinds of characters as bits; every character beyond the table is a letter
_SPACE, _DIGIT, _UPPER, _LETTER, _PUNCTUATION, _SLASH, _COLON, _STOP = (1 << k for k in range(8))
_OTHER = 192


def _kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(_OTHER + 1, dtype=np.uint8)
    members = (
        (_SPACE, " "), (_DIGIT, "0123456789"), (_UPPER, string.ascii_uppercase), (_LETTER, string.ascii_letters),
        (_PUNCTUATION, ".,;!?"), (_SLASH, "/-()|@"), (_COLON, ":"), (_STOP, ".!?"),
    )  # fmt: skip
    for kind, letters in members:
        kinds[[ord(letter) for letter in letters]] |= kind
    kinds[_OTHER] = _LETTER
    return kinds


_KINDS = _kinds()


class PageTexts:
    """The texts of a page that a reader may see, hidden ones among them: their rows and all their figures."""

    def __init__(self, page: Page) -> None:
        self.page = page
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        raw = page.text
        stripped = [collapsed(raw[i]) for i in rows.tolist()]
        is_said = np.fromiter(map(bool, stripped), np.bool_, len(stripped))
        self.rows: Rows = rows[is_said].astype(np.int64)
        self.words: list[str] = [text for text in stripped if text]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def lengths(self) -> Rows:
        """Characters of each text."""
        return np.array([len(text) for text in self.words], dtype=np.int64)

    @cached_property
    def holders(self) -> list[int]:
        """The parent of each text."""
        parents = self.page.lists.parent
        return [parents[row] for row in self.rows.tolist()]

    @cached_property
    def blocks(self) -> Rows:
        """The nearest element above each text that is no inline element."""
        page = self.page
        inline = np.array([name in INLINE_TAGS for name in page.tag_names], dtype=np.bool_)[page.tag]
        found = page.parent[self.rows].astype(np.int64)
        while True:
            climbing = inline[found] & (page.parent[found] >= 0)
            if not climbing.any():
                return found
            found = np.where(climbing, page.parent[found], found)

    @cached_property
    def runs(self) -> tuple[Rows, Rows]:
        """The element that holds the content of each text, and the number of that content."""
        return run_of(self.page, self.rows)

    @cached_property
    def sums(self) -> _Sums:
        return _Sums(self)

    def figures(self) -> TextFeatures:
        """Return a column per figure, a value per text."""
        figures: TextFeatures = {}
        if not len(self):
            return figures
        for part in (_wording, _place, _holders, _block, _surroundings, _repetition, _metadata, _clues):
            figures.update(part(self))
        return figures


def collapsed(text: str) -> str:
    """Return the text without characters of no width, white space collapsed."""
    return " ".join((text if text.isascii() else text.translate(_NO_WIDTH)).split())


# What is counted in stretches of the page
_CHARS, _LINK_CHARS, _TEXTS, _LINK_TEXTS, _LONG, _IMAGES, _ELEMENTS, _HEADINGS, _INPUTS = range(9)


class _Sums:
    """Running sums over the rows: ``table[end] - table[start]`` has the totals of a stretch."""

    def __init__(self, texts: PageTexts) -> None:
        page, rows = texts.page, texts.rows
        columns = np.zeros((len(page), 9))
        self.in_link = inside_tag(page, "a")
        columns[rows, _CHARS] = texts.lengths
        columns[rows, _TEXTS] = 1
        columns[:, _LINK_CHARS] = columns[:, _CHARS] * self.in_link
        columns[:, _LINK_TEXTS] = columns[:, _TEXTS] * self.in_link
        columns[:, _LONG] = columns[:, _CHARS] >= LONG_CHARS
        columns[:, _IMAGES] = is_tag(page, ("img", "svg", "picture"))
        columns[:, _ELEMENTS] = (page.tag != 0) & ~page.silent
        columns[:, _HEADINGS] = is_tag(page, ("h1", "h2", "h3", "h4", "h5", "h6"))
        columns[:, _INPUTS] = is_tag(page, ("input", "button", "select", "textarea"))
        self.table = running_sum(columns)
        self.chars, self.texts = self.table[:, _CHARS], self.table[:, _TEXTS]
        self.total_chars = max(float(self.chars[-1]), 1.0)

    def within(self, page: Page, nodes: Rows) -> Numbers:
        """Return the totals of the nodes' subtrees: a row per node, a column per count."""
        return np.asarray((self.table[page.end[nodes]] - self.table[nodes]).T)


# --- what it says -----------------------------------------------------------------------------------------------------


def _wording(texts: PageTexts) -> TextFeatures:
    chars, starts, lengths = _characters(texts.words)
    kinds = _KINDS[np.minimum(chars, _OTHER)]
    first, last = kinds[starts], kinds[starts + lengths - 1]

    def share(kind: int) -> Numbers:
        return np.add.reduceat((kinds & kind) > 0, starts, dtype=np.int32) / lengths

    spaces = share(_SPACE) * lengths
    return {
        "chars": np.log1p(lengths),
        "words": np.log1p(spaces + 1),
        "word_chars": lengths / (spaces + 1),
        "digits": share(_DIGIT),
        "capitals": share(_UPPER),
        "letters": share(_LETTER),
        "punctuation": share(_PUNCTUATION),
        "slashes": share(_SLASH),
        "starts_upper": first & _UPPER > 0,
        "starts_digit": first & _DIGIT > 0,
        "starts_money": np.array([text[0] in CURRENCY for text in texts.words]),
        "ends_colon": last & _COLON > 0,
        "ends_sentence": last & _STOP > 0,
    }


def _characters(words: Sequence[str]) -> tuple[NDArray[np.uint32], Rows, Rows]:
    """Return all characters as numbers, where each text starts, and how long it is."""
    lengths = np.array([len(text) for text in words], dtype=np.int64)
    chars = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return chars, running_sum(lengths)[:-1], lengths


# --- where it stands --------------------------------------------------------------------------------------------------


def _place(texts: PageTexts) -> TextFeatures:
    page, rows, sums = texts.page, texts.rows, texts.sums
    order = np.arange(len(rows))
    running_tags, tags = positions(page)
    title = _first_row(page, "h1")
    after_title = sums.chars[rows] - sums.chars[title] if title >= 0 else np.full(len(rows), -1.0)
    texts_after = sums.texts[rows] - sums.texts[title] if title >= 0 else np.full(len(rows), -1.0)
    return {
        "order": order / len(rows),
        "chars_before": sums.chars[rows] / sums.total_chars,
        "tags_before": running_tags[rows] / max(tags, 1),
        "texts_before": np.log1p(order),
        "depth": page.depth[rows],
        "after_title": after_title / sums.total_chars,
        "texts_after_title": np.sign(texts_after) * np.log1p(np.abs(texts_after)),
        "hidden": page.hidden[rows],
        "page_texts": np.full(len(rows), np.log1p(len(rows))),
        "page_chars": np.full(len(rows), np.log1p(sums.total_chars)),
        "page_links": np.full(len(rows), sums.table[-1, _LINK_CHARS] / sums.total_chars),
        "page_long": np.full(len(rows), np.log1p(sums.table[-1, _LONG])),
    }


def _first_row(page: Page, name: str) -> int:
    if name not in page.tag_names:
        return -1
    found = np.flatnonzero((page.tag == page.tag_names.index(name)) & page.seen)
    return int(found[0]) if len(found) else -1


def _holders(texts: PageTexts) -> TextFeatures:
    page, rows = texts.page, texts.rows
    parent = page.parent[rows]
    holder, block = page.tag[parent], page.tag[texts.blocks]
    codes = {name: code for code, name in enumerate(page.tag_names)}
    figures: TextFeatures = {f"is_{name}": holder == codes.get(name, -1) for name in HOLDERS}
    figures |= {f"block_{name}": block == codes.get(name, -1) for name in ("li", "td", "p", "div", "dd")}
    attrs = page.attrs
    figures["parent_attrs"] = np.array([len(attrs[i]) for i in texts.holders], dtype=np.float64)
    return figures


# --- what stands around it --------------------------------------------------------------------------------------------


def _block(texts: PageTexts) -> TextFeatures:
    page, rows, sums, blocks = texts.page, texts.rows, texts.sums, texts.blocks
    block = sums.within(page, blocks)
    chars = np.maximum(block[_CHARS], 1)
    figures: TextFeatures = {
        "block_chars": np.log1p(chars),
        "block_share": texts.lengths / chars,
        "block_links": block[_LINK_CHARS] / chars,
        "block_texts": np.log1p(block[_TEXTS]),
        "block_turn": (sums.texts[rows] - sums.texts[blocks]) / np.maximum(block[_TEXTS], 1),
    }
    node, level = blocks, 0
    for wanted in LEVELS:
        while level < wanted:
            node = np.where(page.parent[node] >= 0, page.parent[node], node)
            level += 1
        figures |= {f"{name}_{wanted}": column for name, column in _level(texts, node).items()}
    return figures


def _level(texts: PageTexts, node: Rows) -> TextFeatures:
    within = texts.sums.within(texts.page, node)
    chars, count = np.maximum(within[_CHARS], 1), np.maximum(within[_TEXTS], 1)
    shares = within / count
    return {
        "chars": np.log1p(chars),
        "share": chars / texts.sums.total_chars,
        "links": within[_LINK_CHARS] / chars,
        "link_texts": shares[_LINK_TEXTS],
        "mean": np.log1p(shares[_CHARS]),
        "long": shares[_LONG],
        "images": shares[_IMAGES],
        "headings": shares[_HEADINGS],
        "inputs": shares[_INPUTS],
        "elements": np.log1p(shares[_ELEMENTS]),
    }


def _surroundings(texts: PageTexts) -> TextFeatures:
    """Return figures of the texts before and behind."""
    rows, sums = texts.rows, texts.sums
    lengths = np.log1p(texts.lengths)
    in_link = sums.in_link[rows].astype(np.float64)
    ends_colon = np.array([text[-1] == ":" for text in texts.words], dtype=np.float64)
    figures: TextFeatures = {}
    for step in (-2, -1, 1, 2):
        side = f"{'before' if step < 0 else 'behind'}_{abs(step)}"
        figures[f"chars_{side}"] = _shifted(lengths, step)
    figures["link_before"], figures["link_behind"] = _shifted(in_link, -1), _shifted(in_link, 1)
    figures["colon_before"] = _shifted(ends_colon, -1)
    figures["gap_before"] = np.log1p(np.diff(rows, prepend=rows[:1]))
    for width in (5, 15):
        figures[f"near_chars_{width}"] = _mean_near(lengths, width)
        figures[f"near_links_{width}"] = _mean_near(in_link, width)
    return figures


def _shifted(column: Numbers, step: int) -> Numbers:
    """Return the value of the text ``step`` places on; -1 beyond the ends."""
    moved = np.full(len(column), -1.0)
    if abs(step) < len(column):
        if step < 0:
            moved[-step:] = column[:step]
        else:
            moved[:-step] = column[step:]
    return moved


def _mean_near(column: Numbers, width: int) -> Numbers:
    sums = running_sum(column)
    place = np.arange(len(column))
    low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, len(column))
    return np.asarray((sums[high] - sums[low]) / np.maximum(high - low, 1))


# --- how often it is repeated -----------------------------------------------------------------------------------------


def _repetition(texts: PageTexts) -> TextFeatures:
    page, rows = texts.page, texts.rows
    log_chars = np.log1p(texts.lengths)
    paths, styled = _Groups(page.path[rows].astype(np.int64)), _Groups(_styled(texts))
    same_text = _Groups(_codes(texts.words))
    siblings = page.parent[texts.blocks].astype(np.int64) * len(page.tag_names) + page.tag[texts.blocks]
    return {
        "of_path": np.log1p(paths.counts()),
        "of_styled_path": np.log1p(styled.counts()),
        "path_turn": paths.turns() / paths.counts(),
        "path_chars": paths.means(log_chars),
        "styled_chars": styled.means(log_chars),
        "path_distinct": paths.distinct(same_text.group),
        "of_text": np.log1p(same_text.counts()),
        "block_siblings": np.log1p(_Groups(_codes(siblings.tolist())).counts()),
    }


def _styled(texts: PageTexts) -> Rows:
    """Return codes of the texts' paths with the classes of the two elements above: the whole path takes longer."""
    page = texts.page
    parents = page.lists.parent
    attrs, path = page.attrs, page.path[texts.rows].tolist()
    return _codes(
        [
            (code, attrs[node].get("class"), attrs[parents[node]].get("class"))
            for code, node in zip(path, texts.holders, strict=True)
        ]
    )


def _codes(values: Sequence[Hashable]) -> Rows:
    """Return the place of each value among the different ones."""
    place = {value: k for k, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(place.__getitem__, values), np.int64, len(values))


class _Groups:
    """PageTexts that share a key, which is a small number."""

    def __init__(self, key: Rows) -> None:
        self.group = key
        self.sizes = np.bincount(key)

    def counts(self) -> Rows:
        """Return how many texts share each text's key."""
        return np.asarray(self.sizes[self.group])

    def turns(self) -> Rows:
        """Return each text's place among those of its key, from 0."""
        order = np.argsort(self.group, kind="stable")
        turn = np.empty(len(order), dtype=np.int64)
        turn[order] = np.arange(len(order)) - running_sum(self.sizes)[self.group[order]]
        return turn

    def means(self, values: Numbers) -> Numbers:
        """Return the mean value over each text's key."""
        return np.asarray(np.bincount(self.group, values)[self.group] / self.sizes[self.group])

    def distinct(self, values: Rows) -> Numbers:
        """Return the share of different values among the texts of each text's key."""
        width = int(values.max()) + 1
        pairs = np.sort(self.group * width + values)
        firsts = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))] // width
        return np.asarray(np.bincount(firsts, minlength=len(self.sizes))[self.group] / self.sizes[self.group])


# --- what the page says of itself -------------------------------------------------------------------------------------


def _metadata(texts: PageTexts) -> TextFeatures:
    """Return how many of each text's words the page's title, meta tags and structured data say too."""
    page = texts.page
    told = [said(page).lower() for said in (_title, _meta, _structured)]
    title, _, structured = told
    known = {"\n": _BREAK}
    for place, those in enumerate(told):
        for word in set(_WORDS.findall(those)) - {"\n"}:
            known[word] = known.get(word, 0) | 1 << place
    joined = "\n".join(texts.words).lower()
    words = _WORDS.findall(joined)
    marks = np.fromiter(map(known.get, words, repeat(0)), np.uint8, len(words))
    of_text = np.cumsum(marks == _BREAK)
    counts = np.bincount(of_text, minlength=len(texts))
    counts[1:] -= 1  # the break before a text is no word of it

    def share(place: int) -> Numbers:
        if not told[place]:
            return np.full(len(texts), -1.0)
        return np.asarray(np.bincount(of_text[marks & 1 << place > 0], minlength=len(texts)) / np.maximum(counts, 1))

    lowered = joined.split("\n")
    in_structured = share(2)
    return {
        "in_title": share(0),
        "whole_in_title": np.array([len(text) > 2 and text in title for text in lowered]),
        "in_meta": share(1),
        "in_structured": in_structured,
        "whole_in_structured": np.array(
            [all_known and text in structured for all_known, text in zip(in_structured == 1, lowered, strict=True)]
        ),
        "page_structured": np.full(len(texts), np.log1p(len(structured))),
    }


def _silent_texts(page: Page, name: str) -> Iterator[tuple[Mapping[str, str], str]]:
    if name not in page.tag_names:
        return
    for i in np.flatnonzero(page.tag == page.tag_names.index(name)).tolist():
        if i + 1 < int(page.end[i]):
            yield page.attrs[i], page.text[i + 1]


def _title(page: Page) -> str:
    return next((text for _, text in _silent_texts(page, "title")), "")


def _meta(page: Page) -> str:
    if "meta" not in page.tag_names:
        return ""
    told = []
    for i in np.flatnonzero(page.tag == page.tag_names.index("meta")).tolist():
        attrs = page.attrs[i] or NO_ATTRS
        if (attrs.get("name") or attrs.get("property", "")).lower() in _META_NAMES:
            told.append(attrs.get("content", ""))
    return " ".join(told)


def _structured(page: Page) -> str:
    """Return the strings of the page's structured data (JSON-LD), one after the other."""
    told: list[str] = []
    for attrs, text in _silent_texts(page, "script"):
        if attrs.get("type", "").lower().strip() == STRUCTURED_TYPE and len(text) <= LONGEST_STRUCTURED:
            try:
                told += _strings(json.loads(text, strict=False))
            except (ValueError, RecursionError):
                told.append(text)
    return "\n".join(told)


def _strings(data: object) -> Iterator[str]:
    """Yield all strings of a JSON document that are no addresses; no recursion, as pages nest what they like."""
    pending = [data]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            if not value.startswith("http"):
                yield value
        elif isinstance(value, dict):
            pending.extend(reversed([part for key, part in value.items() if not key.startswith("@")]))
        elif isinstance(value, list):
            pending.extend(reversed(value))


# --- what attributes say ----------------------------------------------------------------------------------------------


def _clues(texts: PageTexts) -> TextFeatures:
    """Return which clues the elements near a text and all above it give, and which tags stand above."""
    page = texts.page
    own, above = element_clues(page, FRAMES)
    parents = page.lists.parent
    near = spread([own[node] | own[parents[node]] for node in texts.holders], len(CLUE_NAMES))
    all_above = spread([above[node] for node in texts.holders], len(CLUE_NAMES) + len(FRAMES))
    figures: TextFeatures = {f"near_{name}": near[:, k] for k, name in enumerate(CLUE_NAMES)}
    above_names = (*(f"above_{name}" for name in CLUE_NAMES), *(f"in_{name}" for name in FRAMES))
    figures |= {name: all_above[:, k] for k, name in enumerate(above_names)}
    whole = reduce(or_, set(own), 0)
    figures |= {f"page_{name}": np.full(len(texts), whole >> CLUE_NAMES.index(name) & 1) for name in PAGE_CLUES}
    return figures


def table_of(figures: TextFeatures, names: Sequence[str]) -> Numbers:
    """Return the named figures as the columns of one table; a column lies in one piece, as it is written."""
    table = np.empty((len(figures[names[0]]), len(names)), order="F")
    for k, name in enumerate(names):
        table[:, k] = figures[name]
    return table

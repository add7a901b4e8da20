"""Figures of every text of a page: what it says, where it stands, what stands around it, how often it is repeated.

All figures are computed for all texts at once, from running sums over the node table.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.content.clues import NAMES as CLUE_NAMES
from peneira.content.clues import element_clues, spread
from peneira.page import INLINE_TAGS, NO_ATTRS, ZERO_WIDTH, Flags, Page
from peneira.paths.evidence import Rows, inside_tag, is_tag, running
from peneira.paths.retps import positions

Numbers = NDArray[np.float64]
Figures = dict[str, NDArray[Any]]

# Tags that say something: of the element that holds a text, and of any element above it
HOLDERS = tuple("a b button dd div dt em h1 h2 h3 h4 label li option p small span strong td th time".split())
FRAMES = tuple("a article aside button dl figure footer form header li main nav ol p section table ul".split())
# Ancestors of a text's block, and how many levels up
LEVELS = (1, 2, 3, 5)
CURRENCY = "$€£¥₹₽₩"
STRUCTURED_TYPE = "application/ld+json"
_NO_WIDTH = str.maketrans("", "", ZERO_WIDTH)
_WORDS = re.compile(r"\w{2,}")
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


class Texts:
    """The texts of a page that a reader may see, hidden ones among them: their rows and all their figures."""

    def __init__(self, page: Page) -> None:
        self.page = page
        rows = np.flatnonzero((page.tag == 0) & ~page.silent)
        stripped = [_collapsed(page.text[i]) for i in rows.tolist()]
        is_said = np.array([bool(text) for text in stripped], dtype=np.bool_)
        self.rows: Rows = rows[is_said].astype(np.int64)
        self.words: list[str] = [text for text in stripped if text]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def lengths(self) -> Rows:
        """Characters of each text."""
        return np.array([len(text) for text in self.words], dtype=np.int64)

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
    def sums(self) -> _Sums:
        return _Sums(self)

    def figures(self) -> Figures:
        """Return a column per figure, a value per text."""
        figures: Figures = {}
        if not len(self):
            return figures
        for part in (_wording, _place, _holders, _block, _surroundings, _repetition, _metadata, _clues):
            figures.update(part(self))
        return figures


def _collapsed(text: str) -> str:
    """Return the text without characters of no width, white space collapsed."""
    return " ".join((text if text.isascii() else text.translate(_NO_WIDTH)).split())


class _Sums:
    """Running sums over the rows: ``sums[end] - sums[start]`` is the total of a stretch."""

    def __init__(self, texts: Texts) -> None:
        page, rows = texts.page, texts.rows
        lengths = np.zeros(len(page), dtype=np.int64)
        lengths[rows] = texts.lengths
        self.in_link = inside_tag(page, "a")
        self.chars = running(lengths)
        self.link_chars = running(lengths * self.in_link)
        is_text = np.zeros(len(page), dtype=np.int64)
        is_text[rows] = 1
        self.texts = running(is_text)
        self.link_texts = running(is_text * self.in_link)
        self.long = running(lengths >= 80)
        self.images = running(is_tag(page, ("img", "svg", "picture")))
        self.elements = running((page.tag != 0) & ~page.silent)
        self.headings = running(is_tag(page, ("h1", "h2", "h3", "h4", "h5", "h6")))
        self.inputs = running(is_tag(page, ("input", "button", "select", "textarea")))

    def within(self, page: Page, column: Rows, nodes: Rows) -> Numbers:
        return (column[page.end[nodes]] - column[nodes]).astype(np.float64)


# --- what it says -----------------------------------------------------------------------------------------------------


def _wording(texts: Texts) -> Figures:
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
    return chars, np.cumsum(lengths) - lengths, lengths


# --- where it stands --------------------------------------------------------------------------------------------------


def _place(texts: Texts) -> Figures:
    page, rows, sums = texts.page, texts.rows, texts.sums
    order = np.arange(len(rows))
    total = max(int(sums.chars[-1]), 1)
    running_tags, tags = positions(page)
    title = _first_row(page, "h1")
    after_title = sums.chars[rows] - sums.chars[title] if title >= 0 else np.full(len(rows), -1)
    texts_after = sums.texts[rows] - sums.texts[title] if title >= 0 else np.full(len(rows), -1)
    return {
        "order": order / max(len(rows), 1),
        "chars_before": sums.chars[rows] / total,
        "tags_before": running_tags[rows] / max(tags, 1),
        "texts_before": np.log1p(order),
        "depth": page.depth[rows],
        "after_title": after_title / total,
        "texts_after_title": np.sign(texts_after) * np.log1p(np.abs(texts_after)),
        "hidden": page.hidden[rows],
        "page_texts": np.full(len(rows), np.log1p(len(rows))),
        "page_chars": np.full(len(rows), np.log1p(total)),
        "page_links": np.full(len(rows), float(sums.link_chars[-1]) / total),
        "page_long": np.full(len(rows), np.log1p(int(sums.long[-1]))),
    }


def _first_row(page: Page, name: str) -> int:
    if name not in page.tag_names:
        return -1
    found = np.flatnonzero((page.tag == page.tag_names.index(name)) & page.seen)
    return int(found[0]) if len(found) else -1


def _holders(texts: Texts) -> Figures:
    page, rows = texts.page, texts.rows
    parent = page.parent[rows]
    holder, block = page.tag[parent], page.tag[texts.blocks]
    codes = {name: code for code, name in enumerate(page.tag_names)}
    figures: Figures = {f"in_{name}": _inside(page, codes, name)[rows] for name in FRAMES}
    figures |= {f"is_{name}": holder == codes.get(name, -1) for name in HOLDERS}
    figures |= {f"block_{name}": block == codes.get(name, -1) for name in ("li", "td", "p", "div", "dd")}
    figures["parent_attrs"] = np.array([len(page.attrs[i]) for i in parent.tolist()], dtype=np.float64)
    return figures


def _inside(page: Page, codes: Mapping[str, int], name: str) -> Flags:
    return inside_tag(page, name) if name in codes else np.zeros(len(page), dtype=np.bool_)


# --- what stands around it --------------------------------------------------------------------------------------------


def _block(texts: Texts) -> Figures:
    page, rows, sums, blocks = texts.page, texts.rows, texts.sums, texts.blocks
    block_chars = sums.within(page, sums.chars, blocks)
    block_texts = sums.within(page, sums.texts, blocks)
    figures: Figures = {
        "block_chars": np.log1p(block_chars),
        "block_share": texts.lengths / np.maximum(block_chars, 1),
        "block_links": sums.within(page, sums.link_chars, blocks) / np.maximum(block_chars, 1),
        "block_texts": np.log1p(block_texts),
        "block_turn": (sums.texts[rows] - sums.texts[blocks]) / np.maximum(block_texts, 1),
    }
    node, level = blocks, 0
    for wanted in LEVELS:
        while level < wanted:
            node = np.where(page.parent[node] >= 0, page.parent[node], node)
            level += 1
        figures |= {f"{name}_{wanted}": column for name, column in _level(texts, node).items()}
    return figures


def _level(texts: Texts, node: Rows) -> Figures:
    page, sums = texts.page, texts.sums
    chars = np.maximum(sums.within(page, sums.chars, node), 1)
    count = np.maximum(sums.within(page, sums.texts, node), 1)
    return {
        "chars": np.log1p(chars),
        "share": chars / max(int(sums.chars[-1]), 1),
        "links": sums.within(page, sums.link_chars, node) / chars,
        "link_texts": sums.within(page, sums.link_texts, node) / count,
        "mean": np.log1p(chars / count),
        "long": sums.within(page, sums.long, node) / count,
        "images": sums.within(page, sums.images, node) / count,
        "headings": sums.within(page, sums.headings, node) / count,
        "inputs": sums.within(page, sums.inputs, node) / count,
        "elements": np.log1p(sums.within(page, sums.elements, node) / count),
    }


def _surroundings(texts: Texts) -> Figures:
    """Return figures of the texts before and behind."""
    page, rows, sums = texts.page, texts.rows, texts.sums
    lengths = np.log1p(texts.lengths)
    in_link = sums.in_link[rows].astype(np.float64)
    ends_colon = np.array([text[-1] == ":" for text in texts.words], dtype=np.float64)
    path = page.path[rows]
    figures: Figures = {}
    for step in (-2, -1, 1, 2):
        side = f"{'before' if step < 0 else 'behind'}_{abs(step)}"
        figures[f"chars_{side}"] = _shifted(lengths, step)
        figures[f"link_{side}"] = _shifted(in_link, step)
        figures[f"same_{side}"] = _shifted(path.astype(np.float64), step) == path
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
    sums = np.concatenate(([0.0], np.cumsum(column)))
    place = np.arange(len(column))
    low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, len(column))
    return np.asarray((sums[high] - sums[low]) / np.maximum(high - low, 1))


# --- how often it is repeated -----------------------------------------------------------------------------------------


def _repetition(texts: Texts) -> Figures:
    page, rows = texts.page, texts.rows
    log_chars = np.log1p(texts.lengths)
    paths, styled = _Groups(page.path[rows]), _Groups(page.styled_path[rows])
    same_text = _Groups(_codes(texts.words))
    siblings = _Groups(page.parent[texts.blocks].astype(np.int64) * len(page.tag_names) + page.tag[texts.blocks])
    return {
        "of_path": np.log1p(paths.counts()),
        "of_styled_path": np.log1p(styled.counts()),
        "path_turn": paths.turns() / paths.counts(),
        "path_chars": paths.means(log_chars),
        "styled_chars": styled.means(log_chars),
        "path_distinct": paths.distinct(same_text.group),
        "of_text": np.log1p(same_text.counts()),
        "block_siblings": np.log1p(siblings.counts()),
        "block_shape": np.log1p(_Groups(page.shape[texts.blocks]).counts()),
    }


def _codes(values: Sequence[str]) -> Rows:
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(value, len(seen)) for value in values], dtype=np.int64)


class _Groups:
    """Texts that share a key."""

    def __init__(self, key: NDArray[np.integer]) -> None:
        self.order = np.argsort(key, kind="stable")
        ordered = key[self.order]
        is_new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
        self.starts = np.flatnonzero(is_new)
        self.sizes = np.diff(self.starts, append=len(key))
        self.group = np.empty(len(key), dtype=np.int64)
        self.group[self.order] = np.cumsum(is_new) - 1

    def counts(self) -> Rows:
        """Return how many texts share each text's key."""
        return np.asarray(self.sizes[self.group])

    def turns(self) -> Rows:
        """Return each text's place among those of its key, from 0."""
        turn = np.empty(len(self.group), dtype=np.int64)
        turn[self.order] = np.arange(len(turn)) - np.repeat(self.starts, self.sizes)
        return turn

    def means(self, values: Numbers) -> Numbers:
        """Return the mean value over each text's key."""
        return np.asarray((np.bincount(self.group, values) / self.sizes)[self.group])

    def distinct(self, values: Rows) -> Numbers:
        """Return the share of different values among the texts of each text's key."""
        width = int(values.max()) + 1
        pairs = np.sort(self.group * width + values)
        firsts = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))] // width
        return np.asarray((np.bincount(firsts, minlength=len(self.sizes)) / self.sizes)[self.group])


# --- what the page says of itself -------------------------------------------------------------------------------------


def _metadata(texts: Texts) -> Figures:
    """Return how many of each text's words the page's title, meta tags and structured data say too."""
    page = texts.page
    lowered = [text.lower() for text in texts.words]
    words = [_WORDS.findall(text) for text in lowered]
    counts = np.maximum([len(those) for those in words], 1)
    title, meta, structured = (told(page).lower() for told in (_title, _meta, _structured))

    def share(told: str) -> Numbers:
        known = set(_WORDS.findall(told))
        if not known:
            return np.full(len(words), -1.0)
        return np.array([sum(map(known.__contains__, those)) for those in words]) / counts

    return {
        "in_title": share(title),
        "whole_in_title": np.array([len(text) > 2 and text in title for text in lowered]),
        "in_meta": share(meta),
        "in_structured": share(structured),
        "whole_in_structured": np.array([len(text) > 2 and text in structured for text in lowered])
        if structured
        else np.zeros(len(words)),
        "page_structured": np.full(len(words), np.log1p(len(structured))),
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


def _clues(texts: Texts) -> Figures:
    """Return which clues the elements near a text and all above it give."""
    page = texts.page
    own, above = element_clues(page)
    _, _, parents = page.lists
    holder = [parents[row] for row in texts.rows.tolist()]
    near = [own[node] | own[parents[node]] for node in holder]
    figures: Figures = {}
    for where, bits in (("near", near), ("above", [above[node] for node in holder])):
        columns = spread(bits)
        figures |= {f"{where}_{name}": columns[:, k] for k, name in enumerate(CLUE_NAMES)}
    return figures


def table_of(figures: Figures, names: Sequence[str]) -> Numbers:
    """Return the named figures as the columns of one table."""
    table = np.empty((len(figures[names[0]]), len(names)))
    for k, name in enumerate(names):
        table[:, k] = figures[name]
    return table

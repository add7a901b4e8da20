"""Records as outlines: what of a record can hold a value, without the markup around it.

An outline has three kinds of nodes. A *text* is a stretch of running text: formatting joins what it stands in, while
elements that mean something (a link, a ``span``, anything with a class) are texts of their own. A *medium* is an
element with attributes and no text, such as an image. A *block* holds the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from peneira.columns.element_signatures import Steps
from peneira.page import INLINE_TAGS, SKIPPED_TAGS, Codes, Page
from peneira.result import Range, Record

TEXT, MEDIUM, BLOCK = range(3)

BREAKING_TAGS = frozenset({"br", "hr"})
MEDIA_TAGS = frozenset("area audio embed img input link meta meter object picture progress source track video".split())
# Between values, never values
SEPARATORS = frozenset(" \t\n\r\f\u00a0|·•∙⋅,;:/\\-–—→»›«‹>&()[]")
# Two texts with no space between them are one number: "12" and ",90"; a currency goes with what follows it
_POINTS = frozenset(".,")
_UNITS = frozenset("%€$£¥")
_CURRENCY = re.compile(r"(?:[A-Z]{1,3}\$|[$€£¥₹]|EUR|USD|BRL|GBP)\s*$")
# Attributes that are never data
DULL_ATTRIBUTES = frozenset(
    "class id style align valign width height border bgcolor color face size target rel onclick colspan rowspan nowrap "
    "scope headers cellpadding cellspacing tabindex role type for name itemprop itemscope itemtype property typeof "
    "loading decoding sizes onmouseover onmouseout onload onerror dir lang hspace vspace hidden".split()
)

_SKIP, _BREAK, _MEDIUM, _BLOCK, _INLINE = range(5)


@dataclass(slots=True)
class Outline:
    """The outlines of all records as columns over their nodes, in document order; a record is one tree.

    ``up``: how many nodes before it the parent stands, 0 for a root; ``row``: the element or text on the page; ``end``:
    one past its last row; ``is_broken``: a line break or a block stands before it; ``is_told``: it has attributes that
    may be data. ``attributed``: per record the nodes, counted from its root, and rows with such attributes.
    """

    steps: Steps
    roots: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)
    step: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    is_broken: list[bool] = field(default_factory=list)
    is_told: list[bool] = field(default_factory=list)
    attributed: list[list[tuple[int, int]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.kind)

    def nodes(self, record: int) -> range:
        """Return the nodes of a record, its root first."""
        last = self.roots[record + 1] if record + 1 < len(self.roots) else len(self)
        return range(self.roots[record], last)

    def add_root(self, step: int, row: int, end: int) -> int:
        """Append the root of a new record and return its number."""
        self.roots.append(len(self.kind))
        self.attributed.append([])
        return self.add(BLOCK, len(self.kind), step, row, end, broken=True)

    def add(self, kind: int, parent: int, step: int, row: int, end: int, *, broken: bool) -> int:
        """Append a node and return its number."""
        node = len(self.kind)
        self.kind.append(kind)
        self.up.append(node - parent)
        self.step.append(step)
        self.row.append(row)
        self.end.append(end)
        self.is_broken.append(broken)
        self.is_told.append(False)
        return node

    def tell(self, node: int, row: int) -> None:
        """Note that a row of the node, which is one of the last record, has attributes that may be data."""
        self.is_told[node] = True
        self.attributed[-1].append((node - self.roots[-1], row))


class Reader:
    """What all outlines of one page share: which of its rows hold blocks, and its steps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps = Steps(page)
        self.hidden: list[bool] = page.hidden.tolist()
        self.flow = [_flow(name) for name in page.tag_names]
        self.holds_block = _holds_block(page, self.flow)

    def outline(self, records: Sequence[Record], beside: Mapping[int, Sequence[int]]) -> Outline:
        """Return the outlines of the records. ``beside``: cells of earlier table rows that reach into a row, by row."""
        pieces = [_pieces(self.page, record.ranges) for record in records]
        rows = _Rows(self)
        is_single = all(len(those) == 1 and self.page.lists.tag[those[0]] != 0 for those in pieces)
        for those in pieces:
            rows.read(those, beside, is_single=is_single)
        return rows.outline


def _pieces(page: Page, ranges: Sequence[Range]) -> list[int]:
    """Return the topmost nodes of a record."""
    ends = page.lists.end
    found = []
    for start, end in ranges:
        i = start
        while i < end:
            found.append(i)
            i = ends[i]
    return found or [ranges[0][0]]


class _Rows:
    """The rows of the records, read once from first to last."""

    def __init__(self, reader: Reader) -> None:
        self.page = reader.page
        self.outline = Outline(reader.steps)
        self.tags = reader.page.lists.tag
        self.ends = reader.page.lists.end
        self.hidden, self.flow, self.holds_block = reader.hidden, reader.flow, reader.holds_block
        self.last_text = -1  # the last text read in the open stretch

    def read(self, pieces: Sequence[int], beside: Mapping[int, Sequence[int]], *, is_single: bool) -> None:
        """Append one record."""
        out, first = self.outline, pieces[0]
        is_hidden = self.hidden[first]
        root = out.add_root(out.steps.of(first) if is_single else 0, first, self.ends[pieces[-1]])
        if is_single:
            self._note(root, first)
            self._scan(root, first + 1, self.ends[first], is_hidden)
        else:
            for piece in pieces:
                self._scan(root, piece, self.ends[piece], is_hidden)
        for piece in pieces:
            for cell in beside.get(piece, ()):
                self._scan(root, cell, self.ends[cell], self.hidden[cell])

    def _scan(self, root: int, i: int, stop: int, is_hidden: bool) -> None:
        """Append the nodes of the rows ``i:stop`` below ``root``."""
        out, tags, ends = self.outline, self.tags, self.ends
        owners, owner_ends, broken = [root], [stop], True
        joined = -1  # the text that the next one may join
        while i < stop:
            while i >= owner_ends[-1]:
                owners.pop()
                owner_ends.pop()
                joined, broken = -1, True
            flow = _INLINE if tags[i] == 0 else self.flow[tags[i]]
            if flow == _SKIP or (not is_hidden and self.hidden[i]):
                i = ends[i]
            elif flow == _BREAK:
                joined, broken = -1, True
                i += 1
            elif flow == _BLOCK or self.holds_block[i]:
                node = out.add(BLOCK, owners[-1], out.steps.of(i), i, ends[i], broken=True)
                self._note(node, i)
                owners.append(node)
                owner_ends.append(ends[i])
                joined, broken = -1, True
                i += 1
            elif flow == _MEDIUM or not self._has_text(i):
                self._medium(owners[-1], i, broken=broken)
                i = ends[i]
            else:
                joined, broken = self._text(owners[-1], i, joined, broken), False
                i = ends[i]

    def _medium(self, owner: int, i: int, *, broken: bool) -> None:
        rows = [row for row in range(i, self.ends[i]) if self._is_attributed(row)]
        if rows:
            node = self.outline.add(MEDIUM, owner, self.outline.steps.of(i), i, self.ends[i], broken=broken)
            for row in rows:
                self.outline.tell(node, row)

    def _text(self, owner: int, i: int, joined: int, broken: bool) -> int:
        """Append a text, or join it to the one before; return the text that the next one may join."""
        out, end = self.outline, self.ends[i]
        texts = self.page.text
        first = i if self.tags[i] == 0 else self._first_text(i)
        step = out.steps.of(i)
        if joined >= 0 and self._are_one(joined, step, first):
            out.end[joined] = end
            node = joined
        elif end - first == 1 and SEPARATORS.issuperset(texts[first]):
            self.last_text = first
            return joined
        else:
            node = out.add(TEXT, owner, step, i, end, broken=broken)
        for row in range(i, end):
            if self.tags[row] == 0:
                self.last_text = row
            else:
                self._note(node, row)
        return node

    def _are_one(self, joined: int, step: int, first: int) -> bool:
        """Tell whether a text goes on the one before: formatting within a word, digits of a number, an amount."""
        before, after = self.page.text[self.last_text], self.page.text[first]
        if after[0].isdigit() and _CURRENCY.match(before.lstrip()):
            return True
        if before[-1].isspace() or after[0].isspace() or any(self.page.spaced[self.last_text + 1 : first + 1]):
            return False
        steps = self.outline.steps
        if steps.is_plain(self.outline.step[joined]) and steps.is_plain(step):
            return True
        if before[-1].isdigit():
            return after[0] in _POINTS or after[0] in _UNITS
        return before[-1] in _POINTS and after[0].isdigit()

    def _has_text(self, i: int) -> bool:
        return self.tags[i] == 0 or 0 in self.tags[i + 1 : self.ends[i]]

    def _first_text(self, i: int) -> int:
        return self.tags.index(0, i, self.ends[i])

    def _note(self, node: int, row: int) -> None:
        if self._is_attributed(row):
            self.outline.tell(node, row)

    def _is_attributed(self, row: int) -> bool:
        attrs = self.page.attrs[row]
        return bool(attrs) and not DULL_ATTRIBUTES.issuperset(attrs)


def _flow(name: str) -> int:
    if name in SKIPPED_TAGS:
        return _SKIP
    if name in BREAKING_TAGS:
        return _BREAK
    if name in MEDIA_TAGS:
        return _MEDIUM
    return _INLINE if name in INLINE_TAGS else _BLOCK


def _holds_block(page: Page, flow: Sequence[int]) -> list[bool]:
    """Return which rows hold, at any depth, what cannot run on in a line."""
    apart = np.array([kind in (_BREAK, _MEDIUM, _BLOCK) for kind in flow], dtype=np.bool_)
    apart[0] = False
    holds = np.zeros(len(page), dtype=np.bool_)
    rows: Codes = np.flatnonzero(apart[page.tag]).astype(np.int32)
    while len(rows):
        above = page.parent[rows]
        rows = above[(above >= 0) & ~holds[above]]
        holds[rows] = True
    flags: list[bool] = holds.tolist()
    return flags

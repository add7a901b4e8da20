"""Outlines of records: the parts of a record that can hold a value, without the markup around them.

An outline has three kinds of nodes. A *text* is a run of text: formatting is joined to the text it stands in, while
elements with a meaning of their own (a link, a ``span``, anything with a class) are separate texts. A *media* node is
an element with attributes and no text, such as an image. A *block* contains other nodes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from peneira.columns.element_signatures import SignatureTable
from peneira.page import INLINE_TAGS, SKIPPED_TAGS, Codes, Page
from peneira.result import Record

TEXT, MEDIA, BLOCK = range(3)

BREAKING_TAGS = frozenset({"br", "hr"})
MEDIA_TAGS = frozenset("area audio embed img input link meta meter object picture progress source track video".split())
# Characters that stand between values and are never values
SEPARATORS = frozenset(" \t\n\r\f\u00a0|·•∙⋅,;:/\\-–—→»›«‹>&()[]")
# Texts without a space between them are one number, as "12" and ",90"; a currency belongs to the number after it
_DECIMAL_SIGNS = frozenset(".,")
_UNIT_SIGNS = frozenset("%€$£¥")
_CURRENCY = re.compile(r"(?:[A-Z]{1,3}\$|[$€£¥₹]|EUR|USD|BRL|GBP)\s*$")
_PRICE = re.compile(
    r"\s*(?:(?:[A-Z]{1,3}\$?|[$€£¥₹₽₩₺₴])\s*\d[\d\s.,'-]*|\d[\d\s.,'-]*(?:[A-Z]{3}|[$€£¥₹₽₩₺₴]|kr|zł|Kč|Ft|lei))[\s.,-]*"
)
# Attributes that never hold data
NON_DATA_ATTRIBUTES = frozenset(
    "class id style align valign width height border bgcolor color face size target rel onclick colspan rowspan nowrap "
    "scope headers cellpadding cellspacing tabindex role type for name itemprop itemscope itemtype property typeof "
    "loading decoding sizes onmouseover onmouseout onload onerror dir lang hspace vspace hidden".split()
)

# An inline element with two texts, one of them in an element, has at least this many rows, itself included
MIN_ROWS_OF_FIELDS = 4
# An amount in more rows than this is none
MAX_ROWS_OF_PRICE = 12

# What an element does to the flow of text around it
_SKIP, _BREAK, _MEDIA, _BLOCK, _INLINE = range(5)


@dataclass(slots=True)
class Outline:
    """The outlines of all records as parallel lists over their nodes, in document order; each record is a tree.

    ``signatures``: those of the page; ``roots``: the root node of each record. Per node: ``kind``; ``parent_offset``,
    how many nodes before it its parent stands, 0 for a root; ``signature``, its number; ``row`` and ``end``, the rows
    of the page it covers; ``starts_line``, whether a line break or a block stands before it; ``has_attributes``,
    whether it has attributes that may hold data. ``attribute_rows``: per record, node (counted from the root) and row
    of such attributes.
    """

    signatures: SignatureTable
    roots: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    parent_offset: list[int] = field(default_factory=list)
    signature: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    starts_line: list[bool] = field(default_factory=list)
    has_attributes: list[bool] = field(default_factory=list)
    attribute_rows: list[list[tuple[int, int]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.kind)

    def nodes(self, record: int) -> range:
        """Return the nodes of a record, its root first."""
        stop = self.roots[record + 1] if record + 1 < len(self.roots) else len(self)
        return range(self.roots[record], stop)

    def add_root(self, signature: int, row: int, end: int) -> int:
        """Append the root of a new record and return its number."""
        self.roots.append(len(self.kind))
        self.attribute_rows.append([])
        return self.add(BLOCK, len(self.kind), signature, row, end, starts_line=True)

    def add(self, kind: int, parent: int, signature: int, row: int, end: int, *, starts_line: bool) -> int:
        """Append a node and return its number."""
        node = len(self.kind)
        self.kind.append(kind)
        self.parent_offset.append(node - parent)
        self.signature.append(signature)
        self.row.append(row)
        self.end.append(end)
        self.starts_line.append(starts_line)
        self.has_attributes.append(False)
        return node

    def add_attributes(self, node: int, row: int) -> None:
        """Note that a row of a node of the last record has attributes that may hold data."""
        self.has_attributes[node] = True
        self.attribute_rows[-1].append((node - self.roots[-1], row))


class OutlineBuilder:
    """Builds the outlines of records, with what all outlines of one page share."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.signatures = SignatureTable(page)
        self.hidden: list[bool] = page.hidden.tolist()
        self.flow = [_flow(name) for name in page.tag_names]
        self.contains_block = _contains_block(page, self.flow)

    def outline(self, records: Sequence[Record], spanning_cells: Mapping[int, Sequence[int]]) -> Outline:
        """Return the outlines of the records. ``spanning_cells``: by table row, the cells that span into it."""
        top_rows = [list(self.page.top_rows(*record.ranges)) or [record.ranges[0][0]] for record in records]
        scanner = _RowScanner(self)
        is_single = all(len(rows) == 1 and self.page.lists.tag[rows[0]] != 0 for rows in top_rows)
        for rows in top_rows:
            scanner.add_record(rows, spanning_cells, is_single=is_single)
        return scanner.outline


class _RowScanner:
    """Reads the rows of the records once, from first to last, into an outline."""

    def __init__(self, builder: OutlineBuilder) -> None:
        self.page = builder.page
        self.outline = Outline(builder.signatures)
        self.tags = builder.page.lists.tag
        self.ends = builder.page.lists.end
        self.hidden, self.flow, self.contains_block = builder.hidden, builder.flow, builder.contains_block
        self.last_text = -1  # the last text row that was read

    def add_record(
        self, top_rows: Sequence[int], spanning_cells: Mapping[int, Sequence[int]], *, is_single: bool
    ) -> None:
        """Append one record. ``is_single``: all records are a single element, which is then the root."""
        outline, first = self.outline, top_rows[0]
        is_hidden = self.hidden[first]
        signature = outline.signatures.number_of(first) if is_single else 0
        root = outline.add_root(signature, first, self.ends[top_rows[-1]])
        if is_single:
            self._add_attributes(root, first)
            self._scan(root, first + 1, self.ends[first], is_hidden)
        else:
            for row in top_rows:
                self._scan(root, row, self.ends[row], is_hidden)
        for row in top_rows:
            for cell in spanning_cells.get(row, ()):
                self._scan(root, cell, self.ends[cell], self.hidden[cell])

    def _scan(self, root: int, i: int, stop: int, is_hidden: bool) -> None:
        """Append the nodes of the rows ``i:stop`` below ``root``."""
        outline, tags, ends = self.outline, self.tags, self.ends
        parents, parent_ends, starts_line = [root], [stop], True
        joinable = -1  # the text node that the next text may join
        while i < stop:
            while i >= parent_ends[-1]:
                parents.pop()
                parent_ends.pop()
                joinable, starts_line = -1, True
            flow = _INLINE if tags[i] == 0 else self.flow[tags[i]]
            if flow == _SKIP or (not is_hidden and self.hidden[i]):
                i = ends[i]
            elif flow == _BREAK:
                joinable, starts_line = -1, True
                i += 1
            elif flow == _BLOCK or self.contains_block[i] or (tags[i] and self._holds_fields(i)):
                signature = outline.signatures.number_of(i)
                node = outline.add(BLOCK, parents[-1], signature, i, ends[i], starts_line=True)
                self._add_attributes(node, i)
                parents.append(node)
                parent_ends.append(ends[i])
                joinable, starts_line = -1, True
                i += 1
            elif flow == _MEDIA or not self._has_text(i):
                self._add_media(parents[-1], i, starts_line=starts_line)
                i = ends[i]
            else:
                joinable = self._add_text(parents[-1], i, joinable, starts_line=starts_line)
                starts_line = False
                i = ends[i]

    def _add_media(self, parent: int, i: int, *, starts_line: bool) -> None:
        rows = [row for row in range(i, self.ends[i]) if self._has_attributes(row)]
        if rows:
            signature = self.outline.signatures.number_of(i)
            node = self.outline.add(MEDIA, parent, signature, i, self.ends[i], starts_line=starts_line)
            for row in rows:
                self.outline.add_attributes(node, row)

    def _add_text(self, parent: int, i: int, joinable: int, *, starts_line: bool) -> int:
        """Append a text, or join it to the one before; return the text that the next one may join."""
        outline, end = self.outline, self.ends[i]
        first = i if self.tags[i] == 0 else self._first_text(i)
        signature = outline.signatures.number_of(i)
        if joinable >= 0 and self._continues(joinable, signature, first):
            outline.end[joinable] = end
            node = joinable
        elif end - first == 1 and SEPARATORS.issuperset(self.page.text[first]):
            self.last_text = first
            return joinable
        else:
            node = outline.add(TEXT, parent, signature, i, end, starts_line=starts_line)
        for row in range(i, end):
            if self.tags[row] == 0:
                self.last_text = row
            else:
                self._add_attributes(node, row)
        return node

    def _continues(self, node: int, signature: int, first: int) -> bool:
        """Return whether a text continues the one before: formatting in a word, digits of a number, an amount."""
        before, after = self.page.text[self.last_text], self.page.text[first]
        if after[0].isdigit() and _CURRENCY.match(before.lstrip()):
            return True
        if before[-1].isspace() or after[0].isspace() or any(self.page.spaced[self.last_text + 1 : first + 1]):
            return False
        signatures = self.outline.signatures
        if signatures.is_formatting(self.outline.signature[node]) and signatures.is_formatting(signature):
            return True
        if before[-1].isdigit():
            return after[0] in _DECIMAL_SIGNS or after[0] in _UNIT_SIGNS
        return before[-1] in _DECIMAL_SIGNS and after[0].isdigit()

    def _holds_fields(self, i: int) -> bool:
        """Return whether an inline element holds several texts, of which one or more are elements with a meaning."""
        ends = self.ends
        while ends[i] - i >= MIN_ROWS_OF_FIELDS:
            inner, texts = self._texts_inside(i)
            if len(inner) > 1 or (inner and texts):
                return not self._is_price(i)
            if not inner:
                return False
            i = inner[0]  # an element around another one
        return False

    def _is_price(self, i: int) -> bool:
        """Return whether an element is one amount, however its digits are marked up."""
        texts = [
            self.page.text[row] for row in range(i, min(self.ends[i], i + MAX_ROWS_OF_PRICE)) if not self.tags[row]
        ]
        return _PRICE.fullmatch("".join(texts)) is not None

    def _texts_inside(self, i: int) -> tuple[list[int], int]:
        """Return the elements with a meaning and a text directly inside an element, and how many other texts are."""
        tags, ends, signatures = self.tags, self.ends, self.outline.signatures
        elements, texts, row = [], 0, i + 1
        while row < ends[i]:
            if tags[row] == 0:
                texts += not SEPARATORS.issuperset(self.page.text[row])
            elif self._has_text(row):
                if signatures.is_formatting(signatures.number_of(row)):
                    texts += 1
                else:
                    elements.append(row)
            row = ends[row]
        return elements, texts

    def _has_text(self, i: int) -> bool:
        return self.tags[i] == 0 or 0 in self.tags[i + 1 : self.ends[i]]

    def _first_text(self, i: int) -> int:
        return self.tags.index(0, i, self.ends[i])

    def _add_attributes(self, node: int, row: int) -> None:
        if self._has_attributes(row):
            self.outline.add_attributes(node, row)

    def _has_attributes(self, row: int) -> bool:
        attrs = self.page.attrs[row]
        return bool(attrs) and not NON_DATA_ATTRIBUTES.issuperset(attrs)


def _flow(name: str) -> int:
    if name in SKIPPED_TAGS:
        return _SKIP
    if name in BREAKING_TAGS:
        return _BREAK
    if name in MEDIA_TAGS:
        return _MEDIA
    return _INLINE if name in INLINE_TAGS else _BLOCK


def _contains_block(page: Page, flow: Sequence[int]) -> list[bool]:
    """Return which rows contain, at any depth, an element that interrupts a line of text."""
    interrupts = np.array([kind in (_BREAK, _MEDIA, _BLOCK) for kind in flow], dtype=np.bool_)
    interrupts[0] = False
    contains = np.zeros(len(page), dtype=np.bool_)
    rows: Codes = np.flatnonzero(interrupts[page.tag]).astype(np.int32)
    while len(rows):
        parents = page.parent[rows]
        rows = parents[(parents >= 0) & ~contains[parents]]
        contains[rows] = True
    flags: list[bool] = contains.tolist()
    return flags

"""Outlines of records: the parts of a record that can hold a value, without the markup around them.

An outline has three kinds of nodes. A *text* is a run of text: formatting is joined to the text it stands in, while
elements with a meaning of their own (a link, a ``span``, anything with a class) are separate texts. A *media* node is
an element with attributes and no text, such as an image. A *block* contains other nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.columns.element_signatures import SignatureTable
from peneira.columns.spoken_texts import spoken_again
from peneira.kept_property import kept_property
from peneira.kernels import compiled, outline_rows
from peneira.late_patterns import late_pattern
from peneira.page import INLINE_TAGS, Page, rows_with_other_than
from peneira.result import Record

outline_scan = compiled("outline_scan")

# The kinds of nodes, and what an element does to the flow of text around it; numbered as in ``kernels/outline_rows.py``
TEXT, MEDIA, BLOCK = range(3)
_SKIPPED, _BREAKING, _MEDIUM, _BLOCKING, _INLINE = range(5)

BREAKING_TAGS = frozenset({"br", "hr"})
MEDIA_TAGS = frozenset("area audio embed img input link meta meter object picture progress source track video".split())
# Characters that stand between values and are never values
SEPARATORS = frozenset(" \t\n\r\f\u00a0|·•∙⋅,;:/\\-–—→»›«‹>&()[]")
# Texts without a space between them are one number, as "12" and ",90"; a currency belongs to the number after it
_DECIMAL_SIGNS = frozenset(".,")
_UNIT_SIGNS = frozenset("%€$£¥")
_CURRENCY = late_pattern(r"(?:[A-Z]{1,3}\$|[$€£¥₹]|EUR|USD|BRL|GBP)\s*$")
_PRICE = late_pattern(
    r"\s*(?:(?:[A-Z]{1,3}\$?|[$€£¥₹₽₩₺₴])\s*\d[\d\s.,'-]*+|\d[\d\s.,'-]*+(?:[A-Z]{3}|[$€£¥₹₽₩₺₴]|kr|zł|Kč|Ft|lei))[\s.,-]*"
)
# Attributes that never hold data
NON_DATA_ATTRIBUTES = frozenset(
    "class id style align valign width height border bgcolor color face size target rel onclick colspan rowspan nowrap "
    "scope headers cellpadding cellspacing tabindex role type for name itemprop itemscope itemtype property typeof "
    "loading decoding sizes onmouseover onmouseout onload onerror dir lang hspace vspace hidden".split()
)


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


class OutlineBuilder:
    """Builds the outlines of records, with what all outlines of one page share."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.signatures = SignatureTable(page)
        skipped = page.skipped_tags
        self._flow = [_flow(name) if name not in skipped else _SKIPPED for name in page.tag_names]
        self._scan: Any = None if outline_scan is None else self._new_scan()

    @kept_property
    def _marks(self) -> tuple[list[bool], list[int], list[bool], list[bool], list[bool]]:
        page, flow = self.page, self._flow
        hidden: list[bool] = page.hidden.tolist()
        return hidden, flow, _contains_block(page, flow), _has_text(page), _has_data(page)

    def outline(self, records: Sequence[Record], spanning_cells: Mapping[int, Sequence[int]]) -> Outline:
        """Return the outlines of the records. ``spanning_cells``: by table row, the cells that span into it."""
        if self._scan is not None:
            outline = Outline(self.signatures)
            self._scan.read([record.ranges for record in records], spanning_cells, outline, check_budget)
            return outline
        tags, ends = self.page.lists.tag, self.page.lists.end
        top_rows = [list(self.page.top_rows(*record.ranges)) or [record.ranges[0][0]] for record in records]
        # where all records are a single element, that is the root
        is_single = all(len(rows) == 1 and tags[rows[0]] != 0 for rows in top_rows)
        outline = Outline(self.signatures)
        scanner = self._scanner(outline)
        hidden = self._marks[0]
        for rows in top_rows:
            check_budget()
            first = rows[0]
            signature = scanner.number_of(first) if is_single else 0
            root = scanner.begin(signature, first, ends[rows[-1]])
            if is_single:
                scanner.add_attributes(root, first)
                scanner.scan(root, first + 1, ends[first], hidden[first])
            else:
                for row in rows:
                    scanner.scan(root, row, ends[row], hidden[first])
            for row in rows if spanning_cells else ():
                for cell in spanning_cells.get(row, ()):
                    scanner.scan(root, cell, ends[cell], hidden[cell])
            outline.roots.append(root)
            outline.attribute_rows.append(scanner.attribute_rows)
        return outline

    def _new_scan(self) -> Any:
        page, signatures = self.page, self.signatures
        return outline_scan.OutlineScan(
            (page.tag, page.end, page.hidden.view(np.uint8), page.text, page.spaced),
            self._flow,
            (rows_with_other_than(page, NON_DATA_ATTRIBUTES), spoken_again(page)),
            (signatures.key_codes, signatures.by_key, signatures.formatting, signatures.number_of),
            (SEPARATORS, _DECIMAL_SIGNS, _UNIT_SIGNS),
            (_CURRENCY, _PRICE),
        )

    def _scanner(self, outline: Outline) -> outline_rows.RowScanner:
        page = self.page
        return outline_rows.RowScanner(
            (page.lists.tag, page.lists.end, page.text, page.spaced),
            self._marks,
            (self.signatures.keys, self.signatures.by_key, self.signatures.formatting, self.signatures.number_of),
            (SEPARATORS, _DECIMAL_SIGNS, _UNIT_SIGNS),
            (_CURRENCY, _PRICE),
            outline,
        )


def _has_data(page: Page) -> list[bool]:
    """Return which rows have attributes that may hold data."""
    flags = [False] * len(page)
    for row in rows_with_other_than(page, NON_DATA_ATTRIBUTES):
        flags[row] = True
    return flags


def _has_text(page: Page) -> list[bool]:
    """Return which rows are a text or contain one that is not said for the second time."""
    before = running_sum(page.tag == 0)
    flags: list[bool] = (before[page.end] > before[:-1]).tolist()
    for row in spoken_again(page):
        flags[row] = False
    return flags


def _flow(name: str) -> int:
    if name in BREAKING_TAGS:
        return _BREAKING
    if name in MEDIA_TAGS:
        return _MEDIUM
    return _INLINE if name in INLINE_TAGS else _BLOCKING


def _contains_block(page: Page, flow: Sequence[int]) -> list[bool]:
    """Return which rows contain, at any depth, an element that interrupts a line of text."""
    interrupts = np.array([kind in (_BREAKING, _MEDIUM, _BLOCKING) for kind in flow], dtype=np.bool_)
    interrupts[0] = False
    before = running_sum(interrupts[page.tag])
    flags: list[bool] = (before[page.end] > before[1:]).tolist()
    return flags

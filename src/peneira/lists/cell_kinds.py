"""What a cell of a row holds: a picture, a price, a link, some text. Cells of one kind in a row may be of one field."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from enum import StrEnum

import numpy as np

from peneira.arrays import Integers, running_sum
from peneira.columns.value_patterns import value_pattern
from peneira.kept_property import kept_property
from peneira.late_patterns import late_pattern
from peneira.ml.running_sums import is_tag
from peneira.page import Flags, Page, attribute_column, rows_with

# A longer text with a price in it is a sentence
MAX_PRICE_CHARS = 40
# "16 GB" and "5.5 inches" are numbers, "2 bedrooms with a view" is text
MAX_NUMBER_CHARS = 20
MAX_NUMBER_WORDS = 2
# The links of a larger cell are not kept: in tables within tables, those of the inner ones would be kept at each depth
MAX_KEPT_ROWS = 1_000
# Images that are no wider or higher keep cells apart
MAX_SPACER_PX = 4
_SPACER_LENGTHS = frozenset(f"{length}{unit}" for length in range(MAX_SPACER_PX + 1) for unit in ("", "px"))
_PICTURE_TAGS = frozenset("img picture svg video".split())
_CONTROL_TAGS = frozenset("button input select textarea".split())
_DIGIT = late_pattern(r"\d")
_PRICE_WITHOUT_CURRENCY = late_pattern(r"\d{1,3}(?:[.,' ]?\d{3})*[.,]\d\d")
_PRICE = late_pattern(
    r"(?:[$€£¥₹₽]|\b(?:EUR|USD|GBP|BRL|CHF|Rs|kr)\b)\.?\s*\d|\d\s*(?:[$€£¥₹₽]|(?:EUR|USD|CHF|kr|zł|Kč)\b)"
)
# For lower-case addresses, since ignoring case takes three times as long
_SPACER = late_pattern(r"(?:spacer|blank|pixel|clear|transparent|trans|dot)\.(?:gif|png)")


class CellKind(StrEnum):
    """The kinds of cells. A card is a picture with text: a whole record, or the better part of one."""

    EMPTY = "nothing"
    PICTURE = "pictures"
    CARD = "pictures with text"
    PRICE = "prices"
    NUMBER = "numbers"
    LINK = "links"
    TEXT = "texts"
    CONTROL = "buttons"


TEXT_KINDS = frozenset({CellKind.LINK, CellKind.TEXT})
PICTURE_KINDS = frozenset({CellKind.PICTURE, CellKind.CARD})
GOODS_KINDS = PICTURE_KINDS | {CellKind.PRICE}


class CellReader:
    """Tells the kinds of the cells of one page; each cell is read once, but for the links of large ones."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._kinds: dict[int, CellKind] = {}
        self._links: dict[int, set[str]] = {}
        self._ends = page.end.data

    def kind(self, cell: int) -> CellKind:
        """Return what a cell holds."""
        known = self._kinds.get(cell)
        if known is None:
            known = self._kinds[cell] = self._kind(cell)
        return known

    def kinds(self, cells: Iterable[int]) -> list[CellKind]:
        """Return what each of some cells holds."""
        known, kind = self._kinds.get, self.kind
        return [known(cell) or kind(cell) for cell in cells]

    def _kind(self, cell: int) -> CellKind:
        text = self.page.visible_text(cell)
        has_picture = self._count(self._pictures_before, cell) > 0
        if not text:
            has_control = not has_picture and self._count(self._controls, cell) > 0
            return CellKind.PICTURE if has_picture else CellKind.CONTROL if has_control else CellKind.EMPTY
        if has_picture:
            return CellKind.CARD
        if _DIGIT.search(text):
            if len(text) <= MAX_PRICE_CHARS and (_PRICE.search(text) or _PRICE_WITHOUT_CURRENCY.fullmatch(text)):
                return CellKind.PRICE
            if _is_number(text):
                return CellKind.NUMBER
        return CellKind.LINK if 2 * self._count(self._linked_chars, cell) >= len(text) else CellKind.TEXT

    def links(self, cell: int) -> set[str]:
        """Return the targets of the links in a cell, and ``#id`` of the elements with an id in it."""
        links = self._links.get(cell)
        if links is None:
            end = self._ends[cell]
            links = {
                target
                for rows, targets in self._targets
                for target in targets[bisect_left(rows, cell) : bisect_left(rows, end)]
                if target is not None
            }
            if end - cell <= MAX_KEPT_ROWS:
                self._links[cell] = links
        return links

    @kept_property
    def _targets(self) -> list[tuple[list[int], list[str | None]]]:
        """The rows with an address and those with an id, and what leads to each; None where it is empty."""
        found = []
        for (rows, codes, values), form in (
            (self.page.addresses, str.strip),
            (attribute_column(self.page, "id"), "#{}".format),
        ):
            targets = [form(value) if value else None for value in values]
            found.append((rows.tolist(), [targets[code] for code in codes.tolist()]))
        return found

    @kept_property
    def spanning(self) -> frozenset[int]:
        """The rows that may take several columns."""
        return frozenset(rows_with(self.page, ("colspan",)))

    def _count(self, sums: memoryview[int], cell: int) -> int:
        return sums[self._ends[cell]] - sums[cell]

    @kept_property
    def _pictures_before(self) -> memoryview[int]:
        """The same as ``pictures``, of which numbers are read faster."""
        return self.pictures.data

    @kept_property
    def pictures(self) -> Integers:
        """How many pictures stand before each row."""
        return running_sum(self.is_picture)

    @kept_property
    def is_picture(self) -> Flags:
        """Which rows are pictures; images that keep others apart are none."""
        flags = is_tag(self.page, _PICTURE_TAGS) & self.page.seen
        if not flags.any():
            return flags
        for name, is_spacer in _SPACER_SIGNS:
            rows, codes, values = attribute_column(self.page, name)
            flags[rows[np.array(list(map(is_spacer, values)), dtype=np.bool_)[codes]]] = False
        return flags

    @kept_property
    def _controls(self) -> memoryview[int]:
        return running_sum(is_tag(self.page, _CONTROL_TAGS) & self.page.seen).data

    @kept_property
    def _linked_chars(self) -> memoryview[int]:
        return running_sum(np.where(is_tag(self.page, ("a",)), self.page.text_chars, 0)).data


def _is_spacer_length(length: str) -> bool:
    return length.strip() in _SPACER_LENGTHS


def _is_spacer_address(address: str) -> bool:
    source = address.lower()
    return (".gif" in source or ".png" in source) and _SPACER.search(source) is not None


# The attributes that show that an image only keeps others apart
_SPACER_SIGNS = (("width", _is_spacer_length), ("height", _is_spacer_length), ("src", _is_spacer_address))


def _is_number(text: str) -> bool:
    if value_pattern(text) in ("number", "date"):
        return True
    return text[0].isdigit() and len(text) <= MAX_NUMBER_CHARS and len(text.split()) <= MAX_NUMBER_WORDS

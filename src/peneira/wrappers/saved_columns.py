"""The columns of a saved wrapper: where a value stands, what it is called, how it is read, and what it used to be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from peneira.columns.data_attributes import attribute_values
from peneira.columns.outline import SEPARATORS
from peneira.page import Page
from peneira.result import Cell
from peneira.table import Column
from peneira.types.column_types import InferredType
from peneira.values import ColumnType, Value
from peneira.xpath.finder import Finder
from peneira.xpath.selectors import Selector

MAX_SAMPLES = 3
MAX_SAMPLE_CHARS = 80
MAX_SHAPES = 4
MAX_SHAPE_CHARS = 24
ADDRESS_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}
_WORD, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ColumnStats:
    """What a column had on the learning pages: the share of records with a value, the share of values that no record
    before had, the shapes of values, and samples."""

    fill: float
    distinct: float = 0.0
    shapes: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedColumn:
    """A column. ``label``: words that stand in every text before the value, and are left out."""

    name: str
    caption: str
    selector: Selector
    typing: InferredType
    stats: ColumnStats
    label: str = ""
    is_list: bool = False

    @property
    def column(self) -> Column:
        """The column in a table."""
        return Column(
            self.name,
            caption=self.caption,
            fill=self.stats.fill,
            path=str(self.selector),
            type=self.typing.type,
            confidence=self.typing.confidence,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """The values of a column in one record and the row of the first."""

    texts: tuple[str, ...]
    row: int


@dataclass(slots=True)
class ColumnReader:
    """Reads the columns of one page."""

    finder: Finder
    base: str
    _values: dict[tuple[int, str], str] = field(default_factory=dict)

    @property
    def page(self) -> Page:
        """The page it reads."""
        return self.finder.page

    def found(self, one: SavedColumn, roots: Sequence[int] | None = None) -> Found | None:
        """Return the values of a column in a record of these topmost rows, or in the page; None if there are none."""
        finder = self.finder
        rows = finder.rows(one.selector) if roots is None else finder.rows_in(roots, one.selector)
        texts = [(row, text) for row in rows if (text := self._text(one, row))]
        if not texts:
            return None
        kept = texts if one.is_list else texts[:1]
        return Found(tuple(text for _, text in kept), texts[0][0])

    def cell(self, one: SavedColumn, found: Found) -> Cell:
        """Return the cell of a column; a text that does not read as the column's type is text."""
        xpath = self.page.xpath(found.row)
        if one.is_list:
            return Cell(", ".join(found.texts), xpath, "list", found.texts, items=found.texts)
        text = found.texts[0]
        is_address = one.selector.attribute in ADDRESS_TYPES
        value: Value = text if is_address else one.typing.value(text)
        return Cell(text, xpath, "text" if value is None else one.typing.type, value)

    def _text(self, one: SavedColumn, row: int) -> str:
        text = self.text(one.selector, row)
        return text.removeprefix(one.label).strip() if one.label else text

    def text(self, selector: Selector, row: int) -> str:
        """Return what a selector reads at a row; "" for what only separates values."""
        attribute = selector.attribute
        key = (row, attribute)
        known = self._values.get(key)
        if known is None:
            known = self._values[key] = self._read(attribute, row)
        return known

    def _read(self, attribute: str, row: int) -> str:
        page = self.page
        if attribute:
            return next((value for name, value in attribute_values(page, row, self.base) if name == attribute), "")
        text = " ".join(page.text[row].split()) if page.is_text(row) else page.text_of(row)
        return "" if SEPARATORS.issuperset(text) else text


def stats_of(texts: Iterable[Sequence[str]], total: int) -> ColumnStats:
    """Return what is kept of the values of a column over so many records."""
    filled = [those for those in texts if those]
    firsts = [those[0] for those in filled]
    shapes = Counter(map(shape_of, firsts))
    usual = sorted(shapes, key=lambda shape: (-shapes[shape], shape))[:MAX_SHAPES]
    samples = [text[:MAX_SAMPLE_CHARS] for text in dict.fromkeys(firsts)][:MAX_SAMPLES]
    distinct = len(set(map(tuple, filled))) / max(len(filled), 1)
    return ColumnStats(round(len(filled) / max(total, 1), 3), round(distinct, 3), tuple(usual), tuple(samples))


def shape_of(text: str) -> str:
    """Return the look of a value: "R$ 1.299,00" is "A$ 9.9,9", "12 May" is "9 a"; words of one kind are one letter."""
    start = text[:200]
    masked = _DIGITS.sub("9", _WORD.sub(lambda match: "A" if match[0].isupper() else "a", start))
    words = re.sub(r"[Aa](?:\s+[Aa])+", "a a", " ".join(masked.split()))
    return words[:MAX_SHAPE_CHARS]

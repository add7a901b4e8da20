"""The columns of a saved wrapper: selector, name, type, statistics of the learning pages, and how they are read."""

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

# What a wrapper file keeps of the values of a column: enough to recognize it, little enough to read
MAX_SAMPLES = 3
MAX_SAMPLE_CHARS = 80
MAX_PATTERNS = 4
MAX_PATTERN_CHARS = 24
# A pattern is taken from the start of a value
_MAX_PATTERN_SOURCE_CHARS = 200
ADDRESS_TYPES: Mapping[str, ColumnType] = {"href": "url", "src": "image"}
_WORD, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ColumnStats:
    """What a column held on the learning pages.

    ``fill``: the share of records with a value; ``distinct``: the share of distinct values; ``patterns``: the most
    frequent patterns of values; ``samples``: the first values.
    """

    fill: float
    distinct: float = 0.0
    patterns: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedColumn:
    """A column of a wrapper. ``label``: a text before every value that is removed."""

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
class FoundValues:
    """The values of a column in one record, and the row of the first."""

    texts: tuple[str, ...]
    row: int


@dataclass(slots=True)
class ColumnReader:
    """Reads the columns of one page."""

    finder: Finder
    base: str
    _texts: dict[tuple[int, str], str] = field(default_factory=dict)

    @property
    def page(self) -> Page:
        """The page it reads."""
        return self.finder.page

    def values(self, column: SavedColumn, top_rows: Sequence[int] | None = None) -> FoundValues | None:
        """Return the values of a column in a record of these topmost rows, or in the page; None if there are none."""
        finder = self.finder
        rows = finder.rows(column.selector) if top_rows is None else finder.rows_in(top_rows, column.selector)
        found = [(row, text) for row in rows if (text := self._unlabelled_text(column, row))]
        if not found:
            return None
        kept = found if column.is_list else found[:1]
        return FoundValues(tuple(text for _, text in kept), found[0][0])

    def cell(self, column: SavedColumn, values: FoundValues) -> Cell:
        """Return the cell of a column; a text that cannot be read as the column's type is text."""
        node = self.page.node(values.row)
        if column.is_list:
            return Cell(", ".join(values.texts), "", "list", values.texts, items=values.texts, node=node)
        text = values.texts[0]
        is_address = column.selector.attribute in ADDRESS_TYPES
        value: Value = text if is_address else column.typing.value(text)
        return Cell(text, "", "text" if value is None else column.typing.type, value, node=node)

    def _unlabelled_text(self, column: SavedColumn, row: int) -> str:
        text = self.text(column.selector, row)
        return text.removeprefix(column.label).strip() if column.label else text

    def text(self, selector: Selector, row: int) -> str:
        """Return what a selector reads at a row; "" for a text of separators only."""
        attribute = selector.attribute
        key = (row, attribute)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._read(attribute, row)
        return text

    def _read(self, attribute: str, row: int) -> str:
        page = self.page
        if attribute:
            return next((value for name, value in attribute_values(page, row, self.base) if name == attribute), "")
        text = " ".join(page.text[row].split()) if page.is_text(row) else page.text_of(row)
        return "" if SEPARATORS.issuperset(text) else text


def stats_of(texts: Iterable[Sequence[str]], records: int) -> ColumnStats:
    """Return the statistics of the texts of a column, given per record, over this many records."""
    filled = [own for own in texts if own]
    firsts = [own[0] for own in filled]
    counts = Counter(map(value_pattern, firsts))
    patterns = sorted(counts, key=lambda pattern: (-counts[pattern], pattern))[:MAX_PATTERNS]
    samples = [text[:MAX_SAMPLE_CHARS] for text in dict.fromkeys(firsts)][:MAX_SAMPLES]
    distinct = len(set(map(tuple, filled))) / max(len(filled), 1)
    return ColumnStats(round(len(filled) / max(records, 1), 3), round(distinct, 3), tuple(patterns), tuple(samples))


def value_pattern(text: str) -> str:
    """Return the pattern of a value: "R$ 1.299,00" is "A$ 9.9,9", "12 May" is "9 a"; several words are "a a"."""
    start = text[:_MAX_PATTERN_SOURCE_CHARS]
    masked = _DIGITS.sub("9", _WORD.sub(lambda match: "A" if match[0].isupper() else "a", start))
    pattern = re.sub(r"[Aa](?:\s+[Aa])+", "a a", " ".join(masked.split()))
    return pattern[:MAX_PATTERN_CHARS]

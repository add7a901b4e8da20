"""The columns of a saved wrapper: selector, name, type, statistics of the learning pages, and how they are read."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from peneira.columns.data_attributes import LAZY_SOURCES, SOURCE_SETS, attribute_value
from peneira.columns.nested_records import ITEM_SEPARATOR, item_text
from peneira.columns.outline import SEPARATORS
from peneira.columns.spaced_texts import spaced_text
from peneira.items.placeholders import is_no_value
from peneira.node_paths import PageNode
from peneira.page import Page
from peneira.table import Cell, Column, Table, node_cell
from peneira.templates.template_columns import Slot
from peneira.types.column_types import InferredType
from peneira.values import ColumnType, Role, Value
from peneira.wrappers.table_headers import TableHeader, headers_over
from peneira.wrappers.text_cuts import Cut
from peneira.xpath.finder import Finder
from peneira.xpath.selectors import Selector

# What a wrapper file keeps of the values of a column: enough to recognize it, little enough to read
MAX_SAMPLES = 3
MAX_SAMPLE_CHARS = 80
MAX_PATTERNS = 4
MAX_PATTERN_CHARS = 24
# Values of which this share is distinct differ from record to record
MIN_VARYING = 0.34
# A pattern is taken from the start of a value
_MAX_PATTERN_SOURCE_CHARS = 200
# Where the address of an image may be, in the order in which browsers and lazy loaders take it
IMAGE_ATTRIBUTES = (*LAZY_SOURCES, *SOURCE_SETS[1:], "src", SOURCE_SETS[0])
ADDRESS_TYPES: Mapping[str, ColumnType] = {"href": "url", **dict.fromkeys(IMAGE_ATTRIBUTES, "image")}
# Types that an element may also say for programs, in its attribute ``datetime``
MACHINE_TYPES = frozenset({"date", "datetime"})
# Types that any text can be read as: a changed type cannot be seen
UNTYPED = frozenset({"text", "list", "url", "image"})
# Patterns of addresses tell only other paths
ADDRESSES = frozenset({"url", "image"})
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
class Reading:
    """One way to read a value: where it stands, a label before it that is removed, and which part of the text it is."""

    selector: Selector
    label: str = ""
    cut: Cut | None = None

    def value(self, text: str) -> str:
        """Return the value that a text holds, "" if it holds none."""
        bare = text.removeprefix(self.label).strip() if self.label else text
        return bare if self.cut is None else self.cut.value(bare)


@dataclass(frozen=True, slots=True)
class SavedColumn:
    """A column of a wrapper, and how it is read: the first of the readings that finds a value gives it.

    ``is_above``: the value is a heading above the record, the last that the selector finds before it. ``source``: what
    the values are read from; those of embedded data have no reading, as data is joined to records by its own keys.
    ``columns``: those of nested records, of which the readings find the first nodes; they are read inside these.
    ``spares``: selectors that found the same on the learning pages by other means; they are tried on list pages on
    which the readings find nothing, and by healing. ``header``: the header over a column of a table. ``slot``:
    the place of the column in the template of a published method, which has no readings.
    """

    name: str
    caption: str
    readings: tuple[Reading, ...]
    typing: InferredType
    stats: ColumnStats
    is_list: bool = False
    role: Role | Literal[""] = ""
    is_above: bool = False
    source: str = "page"
    columns: tuple[SavedColumn, ...] = ()
    spares: tuple[Selector, ...] = ()
    header: TableHeader | None = None
    slot: Slot | None = None
    _column: Column | None = field(default=None, init=False, repr=False, compare=False)
    _is_address: bool | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def selector(self) -> Selector:
        """The selector of the first reading; that of embedded data is empty."""
        return self.readings[0].selector if self.readings else _NO_SELECTOR

    @property
    def is_address(self) -> bool:
        """Whether the values are attributes that hold addresses; found out once."""
        if self._is_address is None:
            object.__setattr__(self, "_is_address", self.selector.attribute in ADDRESS_TYPES)
        return bool(self._is_address)

    @property
    def is_typed_elsewhere(self) -> bool:
        """Whether the type is not that of the texts, as where <time datetime> is typed and "3 days ago" is shown."""
        samples = self.stats.samples
        return bool(samples) and all(self.typing.value(sample) is None for sample in samples)

    @property
    def label(self) -> str:
        """The label that the first reading removes."""
        return self.readings[0].label if self.readings else ""

    @property
    def column(self) -> Column:
        """The column in a table, made once: the text of a selector takes as long as reading some cells."""
        if self._column is None:
            object.__setattr__(self, "_column", self._made_column())
        return cast("Column", self._column)

    def _made_column(self) -> Column:
        return Column(
            self.name,
            caption=self.caption,
            fill=self.stats.fill,
            path=str(self.selector) if self.readings else "",
            type=self.typing.type,
            confidence=self.typing.confidence,
            role=self.role,
            source=self.source,
            columns=tuple(column.column for column in self.columns),
            label=self.label,
        )


_NO_SELECTOR = Selector((), is_relative=True)


@dataclass(slots=True)
class FoundValues:
    """The values of a column in one record, the row of the first, and the nested records where it has any.

    Not to be changed; a page has hundreds, and a frozen one takes three times as long to make.
    """

    texts: tuple[str, ...]
    row: int
    items: tuple[FoundItem, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundItem:
    """A nested record: its row, and its values by the name of the column."""

    row: int
    values: Mapping[str, FoundValues]


@dataclass(slots=True)
class ColumnReader:
    """Reads the columns of one page."""

    finder: Finder
    base: str
    _texts: dict[tuple[int, str], str] = field(default_factory=dict)
    _headers: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def headers_over(self, row: int) -> tuple[str, ...]:
        """Return the headers over a row of a table, which are looked for once."""
        if row not in self._headers:
            self._headers[row] = headers_over(self.page, row)
        return self._headers[row]

    @property
    def page(self) -> Page:
        """The page it reads."""
        return self.finder.page

    def values(self, column: SavedColumn, top_rows: Sequence[int] | None = None) -> FoundValues | None:
        """Return the values of a column in a record of these topmost rows, or in the page; None if there are none."""
        if column.is_above and top_rows is not None:
            return self._values_above(column, top_rows[0])
        for reading in column.readings:
            rows = self._rows(reading.selector, top_rows)
            if found := self._found(column, reading, rows):
                return found
        return None

    def values_in_each(self, column: SavedColumn, records: Sequence[Sequence[int]]) -> list[FoundValues | None]:
        """Return ``values`` in each of some records."""
        if column.is_above:
            return [self._values_above(column, top_rows[0]) for top_rows in records]
        found: list[FoundValues | None] = [None] * len(records)
        left = list(range(len(records)))
        for reading in column.readings:
            if not left:
                break
            some = records if len(left) == len(records) else [records[k] for k in left]
            rows_of_records = self.finder.rows_in_each(some, reading.selector)
            attribute = reading.selector.attribute
            for k, rows in zip(left, rows_of_records, strict=True):
                if rows and column.columns:
                    found[k] = self._nested(column, rows)
                elif rows:
                    found[k] = self._texts_at(column, reading, rows, attribute)
            left = [k for k in left if found[k] is None]
        return found

    def _found(self, column: SavedColumn, reading: Reading, rows: Sequence[int]) -> FoundValues | None:
        """Return the values that a reading finds at rows, None if there are none."""
        if column.columns:
            return self._nested(column, rows)
        return self._texts_at(column, reading, rows, reading.selector.attribute)

    def _texts_at(
        self, column: SavedColumn, reading: Reading, rows: Sequence[int], attribute: str
    ) -> FoundValues | None:
        """Return the texts of an attribute, "" for none, that a reading finds at rows, None if there are none."""
        is_whole = not reading.label and reading.cut is None
        first, texts, known = -1, [], self._texts
        for row in rows:
            key = (row, attribute)
            text = known.get(key)
            if text is None:
                text = known[key] = self._read(attribute, row)
            if text and (is_whole or (text := reading.value(text))):
                if not column.is_list:
                    return FoundValues((text,), row)
                texts.append(text)
                first = row if first < 0 else first
        return FoundValues(tuple(texts), first) if texts else None

    def _rows(self, selector: Selector, top_rows: Sequence[int] | None) -> list[int]:
        return self.finder.rows(selector) if top_rows is None else self.finder.rows_in(top_rows, selector)

    def _values_above(self, column: SavedColumn, start: int) -> FoundValues | None:
        for reading in column.readings:
            rows = self.finder.rows(reading.selector)
            at = bisect_left(rows, start)
            if at and (text := self._value(reading, rows[at - 1])):
                return FoundValues((text,), rows[at - 1])
        return None

    def _nested(self, column: SavedColumn, rows: Sequence[int]) -> FoundValues | None:
        items = []
        for row in rows:
            values = {
                inner.name: found for inner in column.columns if (found := self.values(inner, (row,))) is not None
            }
            if values:
                items.append(FoundItem(row, values))
        if not items:
            return None
        return FoundValues(tuple(self._item_text(column, item) for item in items), items[0].row, tuple(items))

    def _item_text(self, column: SavedColumn, item: FoundItem) -> str:
        return item_text(self._item_cells(column, item), self.page.text_of(item.row))

    def _item_cells(self, column: SavedColumn, item: FoundItem) -> list[tuple[Column, Cell | None]]:
        return [
            (inner.column, self.cell(inner, item.values[inner.name]) if inner.name in item.values else None)
            for inner in column.columns
        ]

    def cell(self, column: SavedColumn, values: FoundValues) -> Cell:
        """Return the cell of a column; a text that cannot be read as the column's type is text."""
        page = self.finder.page
        node = PageNode(page.paths, values.row)
        if column.columns:
            rows = [self._item_cells(column, item) for item in values.items]
            table = Table(column.column.columns, tuple(tuple(cell for _, cell in row) for row in rows))
            return Cell(
                ITEM_SEPARATOR.join(values.texts),
                "",
                "records",
                values.texts,
                items=values.texts,
                table=table,
                node=node,
            )
        if column.is_list:
            return Cell(", ".join(values.texts), "", "list", values.texts, items=values.texts, node=node)
        text, typing = values.texts[0], column.typing
        value: Value = text if column.is_address else typing.value(text)
        if value is None and typing.type in MACHINE_TYPES:
            value = typing.value(page.attrs[self._element(values.row)].get("datetime", ""))
        return node_cell(text, "text" if value is None else typing.type, value, (), 1.0, node)

    def cells(self, column: SavedColumn, values: Iterable[FoundValues]) -> list[Cell]:
        """Return the cells of a column, as ``cell`` makes them; each distinct text is read once."""
        typing, is_address = column.typing, column.selector.attribute in ADDRESS_TYPES
        if column.columns or column.is_list or typing.type in MACHINE_TYPES:
            return [self.cell(column, own) for own in values]
        paths, own_type, known = self.finder.page.paths, typing.type, dict[str, Value]()
        cells: list[Cell] = []
        for own in values:
            text = own.texts[0]
            value: Value = text
            if not is_address:
                value = known[text] if text in known else known.setdefault(text, typing.value(text))
            kind = "text" if value is None else own_type
            cells.append(node_cell(text, kind, value, (), 1.0, PageNode(paths, own.row)))
        return cells

    def _element(self, row: int) -> int:
        return self.page.lists.parent[row] if self.page.is_text(row) else row

    def _value(self, reading: Reading, row: int) -> str:
        text = self._text(reading.selector.attribute, row)
        return reading.value(text) if text else ""

    def text(self, selector: Selector, row: int) -> str:
        """Return what a selector reads at a row; "" for a text of separators only."""
        return self._text(selector.attribute, row)

    def _text(self, attribute: str, row: int) -> str:
        key = (row, attribute)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._read(attribute, row)
        return text

    def _read(self, attribute: str, row: int) -> str:
        page = self.finder.page
        if attribute:
            return attribute_value(self.finder.attribute_values(attribute, row), attribute, self.base)
        is_text = page.lists.tag[row] == 0
        text = " ".join(page.text[row].split()) if is_text else page.text_of(row)
        if not text or (text[0] in SEPARATORS and SEPARATORS.issuperset(text)):
            return ""
        return text if is_text else spaced_text(page, row, text)


def stats_of(texts: Iterable[Sequence[str]], records: int) -> ColumnStats:
    """Return the statistics of the texts of a column, given per record, over this many records."""
    filled = [own for own in texts if own]
    firsts = [own[0] for own in filled]
    counts = Counter(map(value_pattern, firsts))
    patterns = sorted(counts, key=lambda pattern: (-counts[pattern], pattern))[:MAX_PATTERNS]
    samples = [text[:MAX_SAMPLE_CHARS] for text in dict.fromkeys(firsts)][:MAX_SAMPLES]
    distinct = len(set(map(tuple, filled))) / max(len(filled), 1)
    return ColumnStats(round(len(filled) / max(records, 1), 3), round(distinct, 3), tuple(patterns), tuple(samples))


def alike_share(column: SavedColumn, texts: Sequence[str]) -> float:
    """Return the share of values that have the type of a column, or its patterns if they were few.

    Words in place of a value have any type.
    """
    total = max(len(texts), 1)
    patterns = column.stats.patterns
    if column.typing.type not in UNTYPED and not column.is_typed_elsewhere:
        return sum(column.typing.value(text) is not None or is_no_value(text) for text in texts) / total
    if 0 < len(patterns) < MAX_PATTERNS and column.typing.type not in ADDRESSES:
        return sum(value_pattern(text) in patterns for text in texts) / total
    return 1.0


def varies_less(column: SavedColumn, values: Sequence[tuple[str, ...]]) -> bool:
    """Return whether values that differed from record to record are now all the same."""
    return column.stats.distinct > MIN_VARYING and len(values) > 3 and len(set(values)) == 1


def value_pattern(text: str) -> str:
    """Return the pattern of a value: "R$ 1.299,00" is "A$ 9.9,9", "12 May" is "9 a"; several words are "a a"."""
    start = text[:_MAX_PATTERN_SOURCE_CHARS]
    masked = _DIGITS.sub("9", _WORD.sub(lambda match: "A" if match[0].isupper() else "a", start))
    pattern = re.sub(r"[Aa](?:\s+[Aa])+", "a a", " ".join(masked.split()))
    return pattern[:MAX_PATTERN_CHARS]

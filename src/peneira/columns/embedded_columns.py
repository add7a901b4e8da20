"""What embedded data adds to the records that a page shows: SKU, currency, ISO dates, coordinates.

An item list that matches the records one to one gives them its properties as columns. A property that a visible column
has already is not added. Where both differ, the visible value stays, and a reason says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from math import ceil

from peneira.columns.absolute_urls import base_url
from peneira.columns.deferred_cells import copied_cells
from peneira.columns.embedded_cells import EmbeddedColumn, embedded_column_list, typed
from peneira.columns.embedded_matching import KeyedList, RecordKeys, min_matched
from peneira.columns.embedded_properties import CODES, OWN_COLUMNS
from peneira.columns.value_forms import (
    PREFIX_CHARS,
    cell_forms,
    decimal_of,
    number_form,
    numbers_within,
    text_form,
    value_forms,
)
from peneira.embedded.embedded_data import described_lists, state_lists
from peneira.embedded.items import EmbeddedItem, EmbeddedList
from peneira.late_patterns import late_pattern
from peneira.node_paths import PageNode, own_xpath
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import Region
from peneira.table import Cell, Column
from peneira.values import ColumnType

# Lists that are joined to one region, columns that are added to it, and those beside them in ``all_columns``
MAX_JOINED_LISTS = 4
MAX_JOINED_COLUMNS = 12
MAX_OTHER_COLUMNS = 40
# A property is a visible column if this share of its values is there; if half of them, the others contradict it
MIN_EQUAL_SHARE = 0.9
MIN_SAME_SHARE = 0.5
# A column that fewer records have is left to ``all_columns``
MIN_FILL = 0.3
# A value that more of the records have says nothing about them
MAX_VALUE_SHARE = 0.8
# Longer values of script state are left to ``all_columns``, except descriptions
MAX_STATE_CHARS = 80
# The types of the visible columns that a property of a role can contradict
_COMPARABLE: Mapping[str, frozenset[ColumnType]] = {
    "price": frozenset({"money"}),
    "old_price": frozenset({"money"}),
    "rating": frozenset({"rating", "number", "integer"}),
    "reviews": frozenset({"integer"}),
    "date": frozenset({"date", "datetime"}),
    "end_date": frozenset({"date", "datetime"}),
}
# Of dates, only those that a page shows; and only where embedded data is about what the page shows, not in script state
_SHOWN_DATES = frozenset({"date", "date_published", "date_posted", "start_date", "end_date"})
# State for those who count visitors: only these of its properties are as the page has them
_TRACKING = late_pattern(r"data_?layer|ecommerce|impression|gtm|analytics|track", re.IGNORECASE)
_TRACKED_COLUMNS = frozenset({"sku", "gtin", "price", "currency"})
# What these say in script state is for programs: when a row was made, bare numbers of unknown unit
_SCHEMA_COLUMNS = frozenset({"date_created", "price_range"})
_MEASURES = frozenset({"duration", "weight", "size", "floor_size"})
# Colours and identifiers made by programs
_MADE_BY_PROGRAM = late_pattern(r"#[0-9a-f]{3,8}|[0-9a-f-]{16,}|[A-Za-z0-9_-]{24,}={0,2}", re.IGNORECASE)
_MAX_SAMPLED = 5
_CONSTANT_COLUMNS = frozenset({"currency"})
_SOURCE_ORDER = ("json-ld", "microdata", "rdfa", "script-state")


def visible_part(region: Region) -> Region | None:
    """Return the region with the columns that the page shows only; None if it shows none of them.

    Selectors find what a page shows, so that wrappers are learned from this part.
    """
    if all(column.source == "page" for column in region.all_columns or region.columns):
        return region
    columns = tuple(column for column in region.columns if column.source == "page")
    if not columns:
        return None
    records = tuple(
        replace(record, fields={name: cell for name, cell in record.fields.items() if cell.source == "page"})
        for record in region.records
    )
    all_columns = tuple(column for column in region.all_columns if column.source == "page")
    return replace(region, records=records, columns=columns, all_columns=all_columns)


class EmbeddedColumns:
    """Joins embedded data to the regions of one page; the data is read once, when it is first needed.

    The state of scripts is read only for regions that JSON-LD says nothing about: it costs more than all the rest, and
    seldom adds anything then.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.base = base_url(page)
        # the least number of items of the lists that were read, and the lists
        self._described_lists: tuple[int, list[KeyedList]] | None = None
        self._state_lists: tuple[int, list[KeyedList]] | None = None

    def join(self, region: Region) -> Region:
        """Return the region with the columns that embedded data adds, marked with their source."""
        if not region.records:
            return region
        min_items = ceil(min_matched(len(region.records)))
        matched = self._matched(region, self._described(min_items))
        if not any(embedded.source == "json-ld" for embedded, _ in matched):
            matched.extend(self._matched(region, self._state(min_items)))
        if not matched:
            return region
        join = _Join(region)
        for embedded, items in matched:
            is_tracking = bool(embedded.source == "script-state" and _TRACKING.search(embedded.path))
            nodes = {record: self.page.node(item.row) for record, item in items.items()}
            for column in embedded_column_list(items, self.base, is_tracking=is_tracking):
                join.add(column, nodes)
        return join.joined()

    def _described(self, min_items: int) -> list[KeyedList]:
        """Return the lists in the words of schema.org, without those of fewer items: most pages describe themselves."""
        if self._described_lists is None or min_items < self._described_lists[0]:
            # the second time all of them: a page may have many regions, each smaller than the one before
            least = min_items if self._described_lists is None else 0
            lists = [KeyedList(embedded) for embedded in described_lists(self.page, min_items=least)]
            self._described_lists = least, lists
        return self._described_lists[1]

    def _state(self, min_items: int) -> list[KeyedList]:
        """Return the lists in the state of the scripts, without those of fewer items: most arrays are short."""
        if self._state_lists is None or min_items < self._state_lists[0]:
            lists = [KeyedList(embedded) for embedded in state_lists(self.page, min_items=min_items)]
            self._state_lists = min_items, lists
        return self._state_lists[1]

    def _matched(
        self, region: Region, lists: Sequence[KeyedList]
    ) -> list[tuple[EmbeddedList, dict[int, EmbeddedItem]]]:
        """Return the lists that match the records, with their items by record; the best first."""
        large = [keyed for keyed in lists if len(keyed.embedded.items) >= min_matched(len(region.records))]
        if not large:
            return []
        keys = RecordKeys(self.page, region.records)
        matched = [(keyed.embedded, items) for keyed in large if (items := keys.match(keyed))]
        matched.sort(key=lambda pair: _priority(pair[1]))
        return matched[:MAX_JOINED_LISTS]


def _priority(items: Mapping[int, EmbeddedItem]) -> tuple[int, int, int]:
    """Return a key that sorts better lists first: by source, by records matched, by properties."""
    source = next(iter(items.values())).source
    return _SOURCE_ORDER.index(source), -len(items), -sum(len(item.properties) for item in items.values())


@dataclass(slots=True)
class _Join:
    """The region while columns are added to it."""

    region: Region
    forms: list[dict[str, list[str]]] = field(init=False)  # by record: the columns that have a form
    cells: list[dict[str, Cell]] = field(init=False)
    added: list[Column] = field(default_factory=list)
    others: list[Column] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    known: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # the forms of texts, by role and text

    def __post_init__(self) -> None:
        self.cells = [copied_cells(record.fields) for record in self.region.records]
        self.forms = []
        known: dict[str, set[str]] = {}  # of cells that are text; many records have the same
        known_typed: dict[tuple[str, int, str], set[str]] = {}  # of other cells; the same value is one object
        for cells in self.cells:
            by_form: dict[str, list[str]] = {}
            for name, cell in cells.items():
                if cell.value is cell.text:
                    forms = known.get(cell.text)
                    if forms is None:
                        forms = known[cell.text] = cell_forms(cell)
                else:
                    key = cell.text, id(cell.value), cell.type
                    typed_forms = known_typed.get(key)
                    if typed_forms is None:
                        typed_forms = known_typed[key] = cell_forms(cell)
                    forms = typed_forms
                for form in forms:
                    by_form.setdefault(form, []).append(name)
            self.forms.append(by_form)

    def add(self, column: EmbeddedColumn, nodes: Mapping[int, PageNode]) -> None:
        """Add a column, unless another has its values; where it contradicts another, say so."""
        equal = self._equal_columns(column)
        same_share = max(equal.values(), default=0) / len(column.texts)
        contradicted = self._contradicted(column, equal)
        if contradicted:
            self._report(column, *contradicted)
        elif same_share >= MIN_EQUAL_SHARE:
            return
        is_wanted = not contradicted and same_share < MIN_SAME_SHARE and self._is_wanted(column)
        if is_wanted and len(self.added) < MAX_JOINED_COLUMNS:
            self._append(column, nodes, self.added)
        elif len(self.others) < MAX_OTHER_COLUMNS:
            self._append(column, nodes, self.others)

    def joined(self) -> Region:
        """Return the region with what was added; records with the cells, before the addresses and pictures."""
        region = self.region
        columns = list(region.columns)
        place = len(columns)
        while place and columns[place - 1].type in ("url", "image"):
            place -= 1
        everything = region.all_columns or region.columns
        return replace(
            region,
            xpath=own_xpath(region),
            records=tuple(
                replace(record, xpath=own_xpath(record), fields=cells)
                for record, cells in zip(region.records, self.cells, strict=True)
            ),
            columns=(*columns[:place], *self.added, *columns[place:]),
            all_columns=(*everything, *self.added, *self.others),
            reasons=(*region.reasons, *self.reasons),
        )

    def _equal_columns(self, column: EmbeddedColumn) -> Counter[str]:
        """Return the columns that have values of this one, with the number of records in which they do."""
        counts: Counter[str] = Counter()
        for record, text in column.texts.items():
            by_form = self.forms[record]
            names = [by_form[form] for form in self._forms(column, text) if form in by_form]
            for name in names[0] if len(names) == 1 else set().union(*names):
                counts[name] += 1
        return counts

    def _forms(self, column: EmbeddedColumn, text: str) -> set[str]:
        """Return the forms of a value of a column; not to be changed."""
        key = (column.property.role, text)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = _forms(column.property.role, text)
        return known

    def _contradicted(self, column: EmbeddedColumn, equal: Counter[str]) -> tuple[str, int] | None:
        """Return the visible column that a property contradicts, and in how many records; None if there is none."""
        types = _COMPARABLE.get(column.property.role)
        is_hidden_date = "date" in column.property.role and column.property.name not in _SHOWN_DATES
        if types is None or is_hidden_date or column.source == "script-state":
            return None
        candidates = [other.name for other in self.region.columns if other.type in types]
        best = max(candidates, key=lambda name: equal[name], default="")
        named = [name for name in candidates if name == column.property.role]
        if not best or equal[best] < MIN_SAME_SHARE * len(column.texts):
            if not named or equal[best] or column.property.role != "price":
                return None
            best = named[0]
        differing = sum(self._differs(column, record, best) for record in column.texts)
        return (best, differing) if differing else None

    def _differs(self, column: EmbeddedColumn, record: int, name: str) -> bool:
        cell = self.cells[record].get(name)
        is_typed = cell is not None and cell.type in _COMPARABLE[column.property.role]
        return is_typed and cell is not None and not self._forms(column, column.texts[record]) & cell_forms(cell)

    def _report(self, column: EmbeddedColumn, name: str, records: int) -> None:
        record = next(record for record in column.texts if self._differs(column, record, name))
        example = f"{self.cells[record][name].text!r} against {column.texts[record]!r}"
        message = f"{column.source} contradicts the column {name} in {counted(records, 'record')}: {example}"
        self.reasons.append(Reason(ReasonCode.CONTRADICTION, message, float(records)))

    def _is_wanted(self, column: EmbeddedColumn) -> bool:
        """Return whether a reader wants a column among those that the page shows."""
        name, texts = column.property.name, column.texts
        if not column.property.is_wanted or column.is_flag or len(texts) < MIN_FILL * len(self.cells):
            return False
        if name in OWN_COLUMNS:
            return not any(OWN_COLUMNS[name] in (other.type, other.role) for other in self.region.columns)
        if name == "title" and any(other.name.endswith("title") for other in self.region.columns):
            return False
        usual = Counter(texts.values()).most_common(1)[0][1]
        if usual > MAX_VALUE_SHARE * len(texts) and name not in _CONSTANT_COLUMNS:
            return False
        if self._has(column) or (column.source == "script-state" and not _is_wanted_of_state(column)):
            return False
        if name not in CODES and all(map(_MADE_BY_PROGRAM.fullmatch, islice(texts.values(), _MAX_SAMPLED))):
            return False
        return column.property.role not in ("title", "description") or not self._is_shown(column)

    def _has(self, column: EmbeddedColumn) -> bool:
        """Return whether there is a column for the same thing, with other values."""
        name, role = column.property.name, column.property.role
        return any(
            other.name == name or (role and role in (other.role, other.name))
            for other in (*self.region.columns, *self.added)
        )

    def _is_shown(self, column: EmbeddedColumn) -> bool:
        """Return whether most records show the text, in whatever columns it is."""
        shown = sum(
            text_form(text[:PREFIX_CHARS]) in text_form(self.region.records[record].text)
            for record, text in column.texts.items()
        )
        return shown >= MIN_SAME_SHARE * len(column.texts)

    def _append(self, column: EmbeddedColumn, nodes: Mapping[int, PageNode], columns: list[Column]) -> None:
        name = self._free_name(column)
        roles = {other.role for other in (*self.region.columns, *self.added)}
        is_template = columns is self.others
        role = "" if is_template or column.property.role in roles else column.property.role
        made, cells = typed(column, name, role, nodes, len(self.cells), is_template=is_template)
        columns.append(made)
        for record, cell in cells.items():
            self.cells[record][name] = cell
            for form in self._forms(column, cell.text):
                self.forms[record].setdefault(form, []).append(name)

    def _free_name(self, column: EmbeddedColumn) -> str:
        """Return the name of a column, with its source or a number behind it where others have the name."""
        taken = {other.name for other in (*self.region.columns, *self.region.all_columns, *self.added, *self.others)}
        name = column.property.name
        names = (name, f"{name}_{column.source.replace('-', '_')}")
        return next((free for free in names if free not in taken), "") or _numbered(names[1], taken)


def _is_wanted_of_state(column: EmbeddedColumn) -> bool:
    """Return whether a reader wants what the state of scripts says: something short, in units that readers know."""
    name, texts = column.property.name, column.texts.values()
    if name in _SCHEMA_COLUMNS or (column.is_tracking and name not in _TRACKED_COLUMNS):
        return False
    if name in _MEASURES and all(decimal_of(text) is not None for text in texts):
        return False
    return column.property.role == "description" or max(map(len, texts)) <= MAX_STATE_CHARS or name in OWN_COLUMNS


def _numbered(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _forms(role: str, text: str) -> set[str]:
    """Return the forms of a value; a rating also rounded as pages show it, a price also as if it was in cents."""
    forms = value_forms(text)
    number = decimal_of(text)
    if role == "currency":
        forms.add(f"c:{text.upper()}")
    if number is not None and role == "rating":
        forms.update(number_form(round(number, places)) for places in (0, 1, 2))
    if number is None and role in ("price", "old_price"):
        forms.update(numbers_within(text))
    if number is not None and role in ("price", "old_price") and number == number.to_integral_value():
        forms.add(number_form(number / Decimal(100)))
    return forms

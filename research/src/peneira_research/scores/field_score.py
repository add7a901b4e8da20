"""The field score: whether every gold value of a record is in a cell of its own, and each field in one column.

A gold value is *found* if one cell, or one item of a cell, of the right record equals it, or contains it and is at most
1.7 times as long; both squeezed, addresses made absolute. The *purity* of a field on a page is the share of its found
values that are in its most frequent column.

Types are scored on the cells that hold gold values: full dates should be typed as dates, and a name, title, docket,
reference or address never as a date or money.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from peneira.columns.absolute_urls import absolute_url, base_url
from peneira.columns.builder import with_columns
from peneira.extraction import extract
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.result import Cell, Record, Region
from peneira.sources.html import read_page
from peneira.values import ColumnType
from peneira_research.corpora.gold_pages import FieldValue, GoldPage, value_texts
from peneira_research.scores.gold_records import gold_region
from peneira_research.scores.record_score import match
from peneira_research.squeezed_text import squeeze
from peneira_research.workers import in_processes

# How many times as long as the value the cell that holds it may be
MAX_LENGTH = 1.7
URL_FIELDS = frozenset({"url"})
# With day, month and year: "3 May 2024", "2024-05-03", "3/5/24"
_FULL_DATE = re.compile(r"\d.*\d{4}|\d{4}.*\d|\d\D\d+\D\d\d$")
_NEVER_DATE_OR_MONEY = re.compile(r"name|title|docket|reference|address")
_DATES: frozenset[ColumnType] = frozenset({"date", "datetime"})
_DATES_AND_MONEY: frozenset[ColumnType] = _DATES | {"money"}
# In place of a method: records made from the gold
GOLD_RECORDS = "gold"


@dataclass(frozen=True, slots=True)
class GoldValue:
    """A gold value. ``columns``: where it was found; ``is_in_default_column``: one of them is a default column.

    ``types`` are those of the cells that equal it, or else of those that contain it. ``is_reachable``: a right record
    holds its anchor, so that the value could have been found.
    """

    field: str
    text: str
    anchor: str
    is_reachable: bool
    is_in_default_column: bool = False
    columns: tuple[str, ...] = ()
    types: tuple[ColumnType, ...] = ()

    @property
    def is_url(self) -> bool:
        """Whether the value is an address."""
        return self.field in URL_FIELDS

    @property
    def is_full_date(self) -> bool:
        """Whether the value is a date with day, month and year."""
        return "date" in self.field and bool(_FULL_DATE.search(self.text))

    @property
    def is_mistyped(self) -> bool:
        """Whether a cell that holds the value has a type that the field cannot have."""
        is_other = bool(_NEVER_DATE_OR_MONEY.search(self.field)) and "date" not in self.field
        return is_other and not _DATES_AND_MONEY.isdisjoint(self.types)


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """The gold values of a page and where they were found. ``columns``: how many default columns there are."""

    id: str
    site: str
    method: str
    values: tuple[GoldValue, ...]
    columns: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class FieldMetrics:
    """Shares of gold values: found of the reachable, found of all, in default columns of the reachable; and the mean
    purity over the fields of the pages, None where nothing was found.

    ``dates_typed`` is the share of the full dates found that are typed as dates, None where there are none;
    ``mistyped`` the number of values found in a cell of a type that their field cannot have."""

    values: int
    reachable: int
    found: float
    found_of_all: float
    in_default_columns: float
    purity: float | None
    dates_typed: float | None
    mistyped: int


def field_outcomes(pages: Sequence[GoldPage], method: str, *, jobs: int = 1) -> Iterator[FieldOutcome]:
    """Yield the outcome of each page with gold fields, in order. The method "gold" makes the records from the gold."""
    if method != GOLD_RECORDS:
        method_named(method)
    task = partial(field_outcome, method=method)
    return map(task, pages) if jobs == 1 else in_processes(task, pages, jobs=jobs)


def field_outcome(gold: GoldPage, method: str) -> FieldOutcome:
    """Return where the gold values of one page were found; where the method fails, none is."""
    try:
        page = read_page(gold.body(), url=gold.url)  # the country of the host decides how dates are read
        region = _region(page, gold, method)
        columns = len(region.columns) if region else 0
        return FieldOutcome(gold.id, gold.site, method, tuple(_values(page, gold, region)), columns)
    except Exception as error:  # a failure on one page must not stop the others
        blank = tuple(
            GoldValue(name, text, "", is_reachable=True) for row in gold.fields for name, text in _texts_of(row)
        )
        return FieldOutcome(gold.id, gold.site, method, blank, error=f"{type(error).__name__}: {error}")


def _texts_of(fields: Mapping[str, FieldValue]) -> Iterator[tuple[str, str]]:
    """Yield the name of a field with each of its gold texts."""
    return ((name, text) for name, value in fields.items() for text in value_texts(value))


def _region(page: Page, gold: GoldPage, method: str) -> Region | None:
    if method != GOLD_RECORDS:
        return extract(page, method=method).main
    region = gold_region(page, gold)
    return with_columns(page, region) if region else None


def _values(page: Page, gold: GoldPage, region: Region | None) -> Iterator[GoldValue]:
    anchors = gold.anchors or ()
    records = region.records if region else ()
    matching = match([record.text for record in records], anchors)
    record_of = {matching.paired[k]: records[k] for k in matching.right}
    default_columns = {column.name for column in region.columns} if region else set()
    base = base_url(page)
    for k, (anchor, row) in enumerate(zip(anchors, gold.fields, strict=True)):
        record = record_of.get(k)
        cells = _squeezed(record) if record else {}
        for name, text in _texts_of(row):
            wanted = squeeze(absolute_url(base, text) if name in URL_FIELDS else text)
            columns = tuple(column for column, texts in cells.items() if _is_in(wanted, texts))
            exact = tuple(column for column in columns if wanted in cells[column])
            types = tuple(record.fields[column].type for column in exact or columns) if record else ()
            is_default = not default_columns.isdisjoint(columns)
            yield GoldValue(name, text, anchor, record is not None, is_default, columns, types)


def _squeezed(record: Record) -> Mapping[str, Sequence[str]]:
    return {name: [squeeze(text) for text in _texts(cell)] for name, cell in record.fields.items()}


def _texts(cell: Cell) -> Iterable[str]:
    nested = [] if cell.table is None else [inner for row in cell.table.rows for inner in row if inner is not None]
    return (cell.text, *cell.items, *(text for inner in nested for text in (inner.text, *inner.items)))


def _is_in(wanted: str, texts: Iterable[str]) -> bool:
    return any(wanted in text and len(text) <= MAX_LENGTH * len(wanted) for text in texts)


def field_metrics(values: Sequence[tuple[str, GoldValue]]) -> FieldMetrics:
    """Return the metrics of gold values, each with the id of its page."""
    reachable = [value for _, value in values if value.is_reachable]
    found = sum(bool(value.columns) for value in reachable)
    return FieldMetrics(
        values=len(values),
        reachable=len(reachable),
        found=found / len(reachable) if reachable else 0.0,
        found_of_all=found / len(values) if values else 0.0,
        in_default_columns=sum(v.is_in_default_column for v in reachable) / len(reachable) if reachable else 0.0,
        purity=_purity(values),
        dates_typed=_dates_typed(reachable),
        mistyped=sum(value.is_mistyped for value in reachable),
    )


def _dates_typed(values: Sequence[GoldValue]) -> float | None:
    dates = [value for value in values if value.columns and value.is_full_date]
    return sum(not _DATES.isdisjoint(value.types) for value in dates) / len(dates) if dates else None


def _purity(values: Sequence[tuple[str, GoldValue]]) -> float | None:
    groups: dict[tuple[str, str], list[GoldValue]] = {}
    for page, value in values:
        if value.columns:
            groups.setdefault((page, value.field), []).append(value)
    shares = []
    for group in groups.values():
        counts = Counter(column for value in group for column in value.columns)
        shares.append(max(counts.values()) / len(group))
    return sum(shares) / len(shares) if shares else None


def metrics_by_field(outcomes: Sequence[FieldOutcome]) -> dict[str, FieldMetrics]:
    """Return the metrics of texts, of addresses, of all, and of each field by name, the most frequent first."""
    values = [(outcome.id, value) for outcome in outcomes for value in outcome.values]
    names = Counter(value.field for _, value in values)
    groups = {
        "texts": [pair for pair in values if not pair[1].is_url],
        "addresses": [pair for pair in values if pair[1].is_url],
        "all": values,
    }
    for name, _ in names.most_common():
        groups[f"  {name}"] = [pair for pair in values if pair[1].field == name]
    return {name: field_metrics(group) for name, group in groups.items()}

"""The field score: is every gold value of a record in a cell of its own, and each field in one column?

A gold value is *found* if one cell, or one item of a cell, of the right record equals it, or contains it and is at most
1.7 times as long; both squeezed, addresses made absolute. The *purity* of a field on a page is the share of its found
values that lie in its most frequent column.

Types are judged on the cells that hold gold values: full dates should be typed as dates, and a name, title, docket,
reference or address never as a date or money.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from peneira.columns.builder import with_columns
from peneira.columns.urls import absolute_url, base_url
from peneira.extraction import extract
from peneira.methods import method as method_named
from peneira.page import Page
from peneira.result import Cell, Record, Region
from peneira.sources.html import read_page
from peneira.values import ColumnType
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.gold_records import given_region
from peneira_research.scores.record_score import match, squeeze
from peneira_research.studies.workers import in_processes

# A cell may be so much longer than the value in it
MAX_LENGTH = 1.7
URL_FIELDS = frozenset({"url"})
# A day, a month and a year are all there: "3 May 2024", "2024-05-03", "3/5/24"
_FULL_DATE = re.compile(r"\d.*\d{4}|\d{4}.*\d|\d\D\d+\D\d\d$")
_NEVER_DATE_OR_MONEY = re.compile(r"name|title|docket|reference|address")
_DATES: frozenset[ColumnType] = frozenset({"date", "datetime"})
_DATES_AND_MONEY: frozenset[ColumnType] = _DATES | {"money"}
# The name under which records made from the gold are measured
GIVEN = "gold"


@dataclass(frozen=True, slots=True)
class Value:
    """One gold value. ``columns`` are those that it was found in; ``is_shown``: one of them is a default column.

    ``types`` are those of the cells that equal it, or else of those that contain it. ``is_reached``: a right record
    holds its anchor, so that the value could have been found.
    """

    field: str
    text: str
    anchor: str
    is_reached: bool
    is_shown: bool = False
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
        is_no_date = bool(_NEVER_DATE_OR_MONEY.search(self.field)) and "date" not in self.field
        return is_no_date and not _DATES_AND_MONEY.isdisjoint(self.types)


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """The gold values of one page and where they were found. ``columns``: how many default columns there are."""

    id: str
    site: str
    method: str
    values: tuple[Value, ...]
    columns: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class FieldMetric:
    """Shares of gold values: found of those in right records, found of all, in default columns of those in right
    records; and the mean purity over the fields of the pages, None where nothing was found.

    ``dated`` is the share of the full dates found that are typed as dates, None where there are none; ``mistyped`` the
    number of values found in a cell of a type that their field cannot have."""

    values: int
    reached: int
    found: float
    found_of_all: float
    shown: float
    purity: float | None
    dated: float | None
    mistyped: int


def measure(pages: Sequence[GoldPage], method: str, *, jobs: int = 1) -> Iterator[FieldOutcome]:
    """Yield the outcome of each page with gold fields, in order. The method "gold" takes the records from the gold."""
    if method != GIVEN:
        method_named(method)
    task = partial(outcome, method=method)
    return map(task, pages) if jobs == 1 else in_processes(task, pages, jobs=jobs)


def outcome(gold: GoldPage, method: str) -> FieldOutcome:
    """Return where the gold values of one page were found; a failure counts as nothing found."""
    try:
        page = read_page(gold.body(), url=_address(gold))
        region = _region(page, gold, method)
        columns = len(region.columns) if region else 0
        return FieldOutcome(gold.id, gold.site, method, tuple(_values(page, gold, region)), columns)
    except Exception as error:  # whatever goes wrong on one page, the others are measured
        blank = tuple(Value(name, text, "", is_reached=True) for row in gold.fields for name, text in row.items())
        return FieldOutcome(gold.id, gold.site, method, blank, error=f"{type(error).__name__}: {error}")


def _address(gold: GoldPage) -> str | None:
    """Return an address on the page's site: who fetched it had one, and it tells which country's dates these are."""
    return f"https://{gold.site}/" if "." in gold.site else None


def _region(page: Page, gold: GoldPage, method: str) -> Region | None:
    if method != GIVEN:
        return extract(page, method=method).main
    region = given_region(page, gold)
    return with_columns(page, region) if region else None


def _values(page: Page, gold: GoldPage, region: Region | None) -> Iterator[Value]:
    anchors = gold.anchors or ()
    records = region.records if region else ()
    matching = match([record.text for record in records], anchors)
    record_of = {matching.paired[k]: records[k] for k in matching.right}
    shown = {column.name for column in region.columns} if region else set()
    base = base_url(page)
    for k, (anchor, row) in enumerate(zip(anchors, gold.fields, strict=True)):
        record = record_of.get(k)
        cells = _squeezed(record) if record else {}
        for name, text in row.items():
            wanted = squeeze(absolute_url(base, text) if name in URL_FIELDS else text)
            columns = tuple(column for column, texts in cells.items() if _is_in(wanted, texts))
            exact = tuple(column for column in columns if wanted in cells[column])
            types = tuple(record.fields[column].type for column in exact or columns) if record else ()
            yield Value(name, text, anchor, record is not None, not shown.isdisjoint(columns), columns, types)


def _squeezed(record: Record) -> Mapping[str, Sequence[str]]:
    return {name: [squeeze(text) for text in _texts(cell)] for name, cell in record.fields.items()}


def _texts(cell: Cell) -> Iterable[str]:
    return (cell.text, *cell.items)


def _is_in(wanted: str, texts: Iterable[str]) -> bool:
    return any(wanted in text and len(text) <= MAX_LENGTH * len(wanted) for text in texts)


def figure(values: Sequence[tuple[str, Value]]) -> FieldMetric:
    """Return the shares of the values, each given with the page it is from."""
    reached = [value for _, value in values if value.is_reached]
    found = sum(bool(value.columns) for value in reached)
    return FieldMetric(
        values=len(values),
        reached=len(reached),
        found=found / len(reached) if reached else 0.0,
        found_of_all=found / len(values) if values else 0.0,
        shown=sum(value.is_shown for value in reached) / len(reached) if reached else 0.0,
        purity=_purity(values),
        dated=_dated(reached),
        mistyped=sum(value.is_mistyped for value in reached),
    )


def _dated(values: Sequence[Value]) -> float | None:
    dates = [value for value in values if value.columns and value.is_full_date]
    return sum(not _DATES.isdisjoint(value.types) for value in dates) / len(dates) if dates else None


def _purity(values: Sequence[tuple[str, Value]]) -> float | None:
    groups: dict[tuple[str, str], list[Value]] = {}
    for page, value in values:
        if value.columns:
            groups.setdefault((page, value.field), []).append(value)
    shares = []
    for those in groups.values():
        lying = Counter(column for value in those for column in value.columns)
        shares.append(max(lying.values()) / len(those))
    return sum(shares) / len(shares) if shares else None


def figures(outcomes: Sequence[FieldOutcome]) -> dict[str, FieldMetric]:
    """Return the figures for texts, for addresses, for both, and for each field by name, the most frequent first."""
    values = [(outcome.id, value) for outcome in outcomes for value in outcome.values]
    names = Counter(value.field for _, value in values)
    groups = {
        "texts": [pair for pair in values if not pair[1].is_url],
        "addresses": [pair for pair in values if pair[1].is_url],
        "all": values,
    }
    for name, _ in names.most_common():
        groups[f"  {name}"] = [pair for pair in values if pair[1].field == name]
    return {name: figure(those) for name, those in groups.items()}

"""A wrapper: reads the pages of one site as tables, can be saved and read, and knows when it no longer fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from peneira.columns.urls import base_url
from peneira.errors import InputError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.result import Extraction, Reason, Record, Region
from peneira.sources.html import read_page
from peneira.table import Column
from peneira.wrappers.record_members import CORE_FILL, RecordFinder, RecordSpec, Row
from peneira.wrappers.saved_columns import ColumnReader, SavedColumn
from peneira.xpath.finder import Finder

if TYPE_CHECKING:
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.healing import Healing

PageKind = Literal["list", "detail"]
Fallback = Literal["nothing", "auto"]
Source = bytes | str | Path | Page
METHOD = "auto"
# The name of the reason that a page does not fit
OTHER_TEMPLATE = "other template"
EMPTY_PAGE = Reason("fit", "the page is empty", 0.0)
# A page with fewer of them is of another template
MIN_CORE_SHARE = 0.34
# RecordSpec that stand where they should are much of a sign themselves
MIN_LIST_CORE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the learning pages had: how many pages, and how many records on each, from the fewest to the most."""

    pages: int
    fewest_records: int = 1
    max_records: int = 1


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Reads pages of the template it was learned from. ``records`` is None for detail pages, which are one record."""

    kind: PageKind
    fields: tuple[SavedColumn, ...]
    baseline: Baseline
    records: RecordSpec | None = None
    url: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of what it reads."""
        return tuple(one.column for one in self.fields)

    @property
    def core(self) -> tuple[SavedColumn, ...]:
        """The columns that nearly all records of the learning pages had."""
        return tuple(one for one in self.fields if one.stats.fill >= CORE_FILL)

    @property
    def min_fit(self) -> float:
        """The share of the core columns that a page of the template has at least."""
        return MIN_CORE_SHARE if self.kind == "detail" else MIN_LIST_CORE_SHARE

    def extract(
        self,
        source: Source,
        *,
        url: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        otherwise: Fallback = "nothing",
    ) -> Extraction:
        """Return the records of a page. A page of another template gives none, and the reasons say so.

        With ``otherwise="auto"`` such a page is read by ``peneira.extract``, with columns of its own; the first reason
        still says that it is of another template.
        """
        page = read_page(source, url=url, limits=limits)
        if not has_content(page):
            return Extraction("empty", (), None, METHOD, page.url, page.cuts, (EMPTY_PAGE,))
        reader = column_reader(page)
        rows = self.found_records(reader)
        fit = fit_of(self, rows)
        if fit.value is not None and fit.value < self.min_fit:
            if otherwise == "auto":
                from peneira.extraction import extract

                anew = extract(page)
                return replace(anew, reasons=(fit, *anew.reasons))
            return Extraction("empty", (), None, METHOD, page.url, page.cuts, (fit,))
        region = self._region(reader, rows, fit)
        return Extraction(self.kind, (region,), region, METHOD, page.url, page.cuts, (fit,))

    def found_records(self, reader: ColumnReader) -> list[Row]:
        """Return the records of a page as they are found, before anything is made of them."""
        if self.records is None:
            return [self._row(reader)]
        return RecordFinder(self.records, self.fields).found(reader, self.baseline.fewest_records)

    def _row(self, reader: ColumnReader) -> Row:
        values = {one.name: found for one in self.fields if (found := reader.found(one)) is not None}
        return Row((reader.page.body,), values)

    def _region(self, reader: ColumnReader, rows: Sequence[Row], fit: Reason) -> Region:
        page = reader.page
        records = tuple(self._record(reader, row) for row in rows)
        parent = int(page.parent[rows[0].top_rows[0]]) if self.records is not None else page.body
        return Region(page.xpath(max(parent, 0)), records, fit.value or 0.0, self.columns, (fit,))

    def _record(self, reader: ColumnReader, row: Row) -> Record:
        page = reader.page
        span = (row.top_rows[0], int(page.end[row.top_rows[-1]]))
        cells = {one.name: reader.cell(one, row.values[one.name]) for one in self.fields if one.name in row.values}
        return Record((span,), page.text_of(*span), page.xpath(span[0]), fields=cells)

    def check(self, source: Source | Sequence[Source], *, url: str | None = None) -> CheckReport:
        """Return whether one or several pages still fit the wrapper: ok, degraded or broken, and why."""
        from peneira.wrappers.drift import check

        return check(self, pages_of(source, url))

    def heal(self, pages: Source | Sequence[Source], *, url: str | None = None) -> Healing:
        """Return a wrapper learned anew from changed pages, under the old names, and what became of each column."""
        from peneira.wrappers.healing import healed, lists_again, refused
        from peneira.wrappers.learning import learn
        from peneira.wrappers.list_pages import learn_lists

        read = [page for page in pages_of(pages, url) if has_content(page)]
        if not read:
            raise InputError("there is no page to heal from; give at least one that is not empty")
        try:
            again = lists_again(self, read) if self.kind == "list" else []
            learned = learn_lists(again) if again else learn(read, kind=self.kind)
        except InputError:
            what = "no list of records is" if self.kind == "list" else "nothing that differs between pages is"
            return refused(self, read, f"{what} on these pages any more")
        return healed(self, learned, read)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the wrapper as JSON, whole or not at all."""
        from peneira.files import text_file
        from peneira.wrappers.store import dumps

        with text_file(path) as file:
            file.write(dumps(self))

    @staticmethod
    def load(path: str | PathLike[str]) -> Wrapper:
        """Return the wrapper of a file; an error says what is wrong in it, and where."""
        from peneira.wrappers.store import load

        return load(path)


def has_content(page: Page) -> bool:
    """Tell whether there is anything in the body of a page."""
    return bool(len(page)) and page.lists.end[page.body] > page.body + 1


def pages_of(source: Source | Sequence[Source], url: str | None = None) -> list[Page]:
    """Return one source or several as pages."""
    sources = [source] if isinstance(source, (bytes, str, Path, Page)) else list(source)
    return [read_page(one, url=url) for one in sources]


def column_reader(page: Page) -> ColumnReader:
    """Return a reader of the page's columns."""
    return ColumnReader(Finder(page), base_url(page))


def fit_of(wrapper: Wrapper, rows: Sequence[Row]) -> Reason:
    """Return how many of the core columns a page has, as a share, and in words."""
    core = wrapper.core
    present = {name for row in rows for name in row.values}
    share = sum(one.name in present for one in core) / len(core) if core else float(bool(present))
    if not rows:
        return Reason(
            OTHER_TEMPLATE, "another template: no record is where the records of the learning pages were", 0.0
        )
    told = f"{share:.0%} of the {len(core)} columns that"
    if share < wrapper.min_fit:
        told = f"another template: {told} its pages have are on this one"
        return Reason(OTHER_TEMPLATE, told, round(share, 4))
    return Reason("fit", f"{told} pages of this template have are on this one", round(share, 4))

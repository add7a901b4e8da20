"""A wrapper: reads the pages of one site as tables, can be saved and read, and knows when it no longer fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from peneira.errors import InputError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.model import Extraction, Reason, Record, Region
from peneira.page import Page
from peneira.records.links import base_of
from peneira.sources.html import read_page
from peneira.table import Column
from peneira.wrappers.fields import Field, Found, Reader
from peneira.wrappers.finding import Finder
from peneira.wrappers.selectors import Selector

if TYPE_CHECKING:
    from peneira.wrappers.drift import Report
    from peneira.wrappers.healing import Healing

Kind = Literal["list", "detail"]
Source = bytes | str | Path | Page
METHOD = "auto"
# A column that nearly all records had is what a page of the template is known by
CORE_FILL = 0.8
# A page with fewer of them is of another template
LEAST_CORE_SHARE = 0.34
# Records that stand where they should are much of a sign themselves
LEAST_LIST_CORE_SHARE = 0.2
# A record must have so many of its core columns, or it is something else that looks alike from outside
LEAST_RECORD_SHARE = 0.1
# and more where it does not stand in the usual place
LEAST_SHARE_ELSEWHERE = 0.7


@dataclass(frozen=True, slots=True)
class Records:
    """Where the records of list pages are: the selector of their first nodes, and how many siblings one has at most.

    ``others`` are tried one by one where it finds no records.
    """

    selector: Selector
    nodes: int = 1
    others: tuple[Selector, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the learning pages had: how many pages, and how many records on each, from the fewest to the most."""

    pages: int
    fewest_records: int = 1
    most_records: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it was found: its topmost rows and its values by the name of the column."""

    roots: tuple[int, ...]
    values: dict[str, Found]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Reads pages of the template it was learned from. ``records`` is None for detail pages, which are one record."""

    kind: Kind
    fields: tuple[Field, ...]
    baseline: Baseline
    records: Records | None = None
    url: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of what it reads."""
        return tuple(one.column for one in self.fields)

    @property
    def core(self) -> tuple[Field, ...]:
        """The columns that nearly all records of the learning pages had."""
        return tuple(one for one in self.fields if one.past.fill >= CORE_FILL)

    @property
    def least_fit(self) -> float:
        """The share of the core columns that a page of the template has at least."""
        return LEAST_CORE_SHARE if self.kind == "detail" else LEAST_LIST_CORE_SHARE

    def extract(self, source: Source, *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Extraction:
        """Return the records of a page. A page of another template gives none, and the reasons say so."""
        page = read_page(source, url=url, limits=limits)
        if not len(page):
            return Extraction("empty", (), None, METHOD, url=page.url, cuts=page.cuts)
        reader = reader_of(page)
        rows = self.rows(reader)
        fit = fit_of(self, rows)
        if fit.value is not None and fit.value < self.least_fit:
            return Extraction("empty", (), None, METHOD, page.url, page.cuts, (fit,))
        region = self._region(reader, rows, fit)
        return Extraction(self.kind, (region,), region, METHOD, page.url, page.cuts, (fit,))

    def rows(self, reader: Reader) -> list[Row]:
        """Return the records of a page as they are found, before anything is made of them."""
        if self.records is None:
            return [self._row(reader, None)]
        found = self._rows_at(reader, self.records.selector, LEAST_RECORD_SHARE)
        for other in self.records.others:
            if found:
                break
            found = self._rows_at(reader, other, LEAST_SHARE_ELSEWHERE)
        return found

    def _rows_at(self, reader: Reader, selector: Selector, least_share: float) -> list[Row]:
        records = self.records or Records(selector)
        heads = reader.finder.rows(selector)
        found = [self._row(reader, roots) for roots in extents(reader.page, heads, records.nodes)]
        core = {one.name for one in self.fields if one.past.fill >= CORE_FILL}
        return [row for row in found if len(core & row.values.keys()) >= least_share * len(core)]

    def _row(self, reader: Reader, roots: tuple[int, ...] | None) -> Row:
        values = {one.name: found for one in self.fields if (found := reader.found(one, roots)) is not None}
        return Row(roots or (reader.page.body,), values)

    def _region(self, reader: Reader, rows: Sequence[Row], fit: Reason) -> Region:
        page = reader.page
        records = tuple(self._record(reader, row) for row in rows)
        parent = int(page.parent[rows[0].roots[0]]) if self.records is not None else page.body
        return Region(page.xpath(max(parent, 0)), records, fit.value or 0.0, self.columns, (fit,))

    def _record(self, reader: Reader, row: Row) -> Record:
        page = reader.page
        span = (row.roots[0], int(page.end[row.roots[-1]]))
        cells = {one.name: reader.cell(one, row.values[one.name]) for one in self.fields if one.name in row.values}
        return Record((span,), page.text_of(*span), page.xpath(span[0]), fields=cells)

    def check(self, source: Source | Sequence[Source], *, url: str | None = None) -> Report:
        """Return whether one or several pages still fit the wrapper: ok, degraded or broken, and why."""
        from peneira.wrappers.drift import check

        return check(self, pages_of(source, url))

    def heal(self, pages: Source | Sequence[Source], *, url: str | None = None) -> Healing:
        """Return a wrapper learned anew from changed pages, under the old names, and what became of each column."""
        from peneira.learning import learn  # the front door above this layer: healing is learning again
        from peneira.wrappers.healing import healed, refused

        read = [page for page in pages_of(pages, url) if len(page)]
        if not read:
            raise InputError("there is no page to heal from; give at least one that is not empty")
        try:
            learned = learn(read, kind=self.kind)
        except InputError as error:  # there is no list on the pages any more
            return refused(self, read, str(error))
        return healed(self, learned, read)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the wrapper as JSON, whole or not at all."""
        from peneira.output.files import text_file
        from peneira.wrappers.store import dumps

        with text_file(path) as file:
            file.write(dumps(self))

    @staticmethod
    def load(path: str | PathLike[str]) -> Wrapper:
        """Return the wrapper of a file; an error says what is wrong in it, and where."""
        from peneira.wrappers.store import load

        return load(path)


def pages_of(source: Source | Sequence[Source], url: str | None = None) -> list[Page]:
    """Return one source or several as pages."""
    sources = [source] if isinstance(source, (bytes, str, Path, Page)) else list(source)
    return [read_page(one, url=url) for one in sources]


def reader_of(page: Page) -> Reader:
    """Return a reader of the page's columns."""
    return Reader(Finder(page), base_of(page))


def has_core(reader: Reader, core: Sequence[Field], roots: tuple[int, ...]) -> bool:
    """Tell whether a record has enough of the core columns to stand elsewhere than usual."""
    return sum(reader.found(one, roots) is not None for one in core) >= LEAST_SHARE_ELSEWHERE * len(core)


def extents(page: Page, heads: Sequence[int], nodes: int) -> list[tuple[int, ...]]:
    """Return the topmost rows of each record: its first node and the siblings after it, up to the next record."""
    if nodes <= 1:
        return [(head,) for head in heads]
    _, ends, parents = page.lists
    first = set(heads)
    found = []
    for head in heads:
        roots = [head]
        end = ends[parents[head]] if parents[head] >= 0 else len(page)
        at = ends[head]
        while at < end and at not in first and len(roots) < nodes:
            roots.append(at)
            at = ends[at]
        found.append(tuple(roots))
    return found


def fit_of(wrapper: Wrapper, rows: Sequence[Row]) -> Reason:
    """Return how many of the core columns a page has, as a share, and in words."""
    core = wrapper.core
    present = {name for row in rows for name in row.values}
    share = sum(one.name in present for one in core) / len(core) if core else float(bool(present))
    if not rows:
        share, told = 0.0, "another template: no record is where the records of the learning pages were"
    elif share < wrapper.least_fit:
        told = f"another template: {share:.0%} of the {len(core)} columns that its pages have are on this one"
    else:
        told = f"{share:.0%} of the {len(core)} columns that pages of this template have are on this one"
    return Reason("fit", told, round(share, 4))

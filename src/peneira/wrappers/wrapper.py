"""A wrapper: reads the pages of one template as tables, can be saved and loaded, and detects when it no longer fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.columns.absolute_urls import base_url
from peneira.columns.deferred_cells import DeferredCells
from peneira.errors import ArgumentError, InputError
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.lists.arrangements import ArrangementSpec
from peneira.lists.paging import find_paging
from peneira.lists.rearranged import RearrangedPage, rearranged_page
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.result import DeferredPaging, Extraction, Record, Region, node_record
from peneira.sources.html import read_page
from peneira.table import Cell, Column
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.wrappers.corrections import NO_CORRECTIONS, Corrections
from peneira.wrappers.hidden_columns import HiddenRecordCells
from peneira.wrappers.record_finder import CORE_FILL, FoundRecord, RecordFinder, RecordSpec
from peneira.wrappers.saved_columns import ColumnReader, FoundValues, SavedColumn
from peneira.wrappers.spare_readings import with_spares
from peneira.wrappers.table_headers import under_headers
from peneira.xpath.finder import Finder

if TYPE_CHECKING:
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.healing import Healing

PageKind = Literal["list", "detail"]
# How a page of another template is read: not at all, or without the wrapper
Fallback = Literal["nothing", "auto"]
Source = bytes | str | Path | Page
METHOD = "auto"
# The published methods of learning a template, imported when they are used
TREE_METHODS = {"gstm": "peneira.methods.gstm:learn", "fivatech": "peneira.methods.fivatech:learn"}
LIMIT_HIT = Reason(ReasonCode.FIT, "a limit was hit before the page was read", 0.0)
EMPTY_PAGE = Reason(ReasonCode.FIT, "the page is empty", 0.0)
# A detail page with a smaller share of the core columns is of another template
MIN_CORE_SHARE = 0.34
# On list pages less is enough: that the selector finds records at all is evidence too
MIN_LIST_CORE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Baseline:
    """The number of learning pages, and the fewest and the most records on one of them."""

    pages: int
    min_records: int = 1
    max_records: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class Wrapper:
    """Reads pages of the template it was learned from. ``records`` is None for detail pages, which are one record.

    ``arrangement``: how the pieces of the records stand on the pages, None where records are in one piece. The pieces
    are put together before the selectors are applied. ``corrections``: what a user changed in its tables. ``notes``:
    what of the learning pages it does not read, and why. ``others``: the wrappers of the other templates of the site;
    a page is read by the one that fits best. ``hidden``: columns that ``extract`` did not show on the learning pages;
    their cells are in the fields of the records, and the table has them where a correction shows them. ``tree``: the
    template of a published method (gstm, fivatech), which reads the pages in place of selectors.
    """

    kind: PageKind
    fields: tuple[SavedColumn, ...]
    baseline: Baseline
    records: RecordSpec | None = None
    url: str = ""
    arrangement: ArrangementSpec | None = None
    corrections: Corrections = NO_CORRECTIONS
    notes: tuple[Reason, ...] = ()
    others: tuple[Wrapper, ...] = ()
    hidden: tuple[SavedColumn, ...] = ()
    tree: TreeWrapper | None = None

    def __repr__(self) -> str:
        if self.others:
            kinds = ", ".join(f"{wrapper.kind} ({len(wrapper.fields)} columns)" for wrapper in self.templates)
            return f"<Wrapper of {counted(len(self.templates), 'template')}: {shortened(kinds)}>"
        names = shortened(", ".join(column.name for column in self.fields))
        return f"<Wrapper of {self.kind} pages, {counted(len(self.fields), 'column')}: {names}>"

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the tables it reads."""
        learned = self._learned_columns
        return self.corrections.apply(Region("", (), 1.0, learned, all_columns=self._all_columns)).columns

    @property
    def _learned_columns(self) -> tuple[Column, ...]:
        return tuple(column.column for column in self.fields)

    @property
    def _all_columns(self) -> tuple[Column, ...]:
        """The columns with the hidden ones; () if there are none of these, as in a table without them."""
        return (*self._learned_columns, *(column.column for column in self.hidden)) if self.hidden else ()

    @property
    def templates(self) -> tuple[Wrapper, ...]:
        """The wrappers of all templates of the site, each without the others."""
        return (replace(self, others=()), *self.others) if self.others else (self,)

    def template_of(self, page: Page) -> Wrapper:
        """Return the wrapper of the template that fits a page best."""
        if not self.others:
            return self
        fits = [(wrapper, wrapper.fit(page)) for wrapper in self.templates]
        return max(fits, key=lambda pair: (pair[1].code == ReasonCode.FIT, pair[1].value or 0.0))[0]

    def fit(self, page: Page) -> Reason:
        """Return whether a page is of this template, and the share of the core columns that it has."""
        if not has_content(page):
            return EMPTY_PAGE
        return fit_of(self, self.found_records(column_reader(self.readable_page(page))))

    @property
    def core(self) -> tuple[SavedColumn, ...]:
        """The columns that are read from the page and that nearly all records of the learning pages had."""
        return tuple(column for column in self.fields if column.stats.fill >= CORE_FILL and column.source == "page")

    @property
    def min_fit(self) -> float:
        """The least share of the core columns on a page of the template."""
        return MIN_CORE_SHARE if self.kind == "detail" else MIN_LIST_CORE_SHARE

    def extract(
        self,
        source: Source,
        *,
        url: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        otherwise: Fallback = "nothing",
    ) -> Extraction:
        """Return the records of a page. A page of another template gives none, and the first reason states that.

        With ``otherwise="auto"`` such a page is read by ``peneira.extract``, with columns of its own; the first reason
        still states that it is of another template.
        """
        if otherwise not in get_args(Fallback):
            raise ArgumentError(f"otherwise={otherwise!r} is unknown; write one of {', '.join(get_args(Fallback))}")
        budget = Budget(limits)
        with budget.running(), paused_collection():
            page = read_page(source, url=url, limits=limits)
            nothing = Extraction("other", (), None, METHOD, page.url, page.cuts, (LIMIT_HIT,))
            result = budget.attempt(lambda: self._extracted(page, otherwise), nothing, "the records were not read")
        return replace(result, cuts=(*result.cuts, *budget.cuts)) if budget.cuts else result

    def _extracted(self, page: Page, otherwise: Fallback) -> Extraction:
        if not has_content(page):
            return Extraction("empty", (), None, METHOD, page.url, page.cuts, (EMPTY_PAGE,))
        if self.others:
            return self.template_of(page)._extracted(page, otherwise)
        if self.tree is not None:
            return self._extracted_by_tree(page, self.tree, otherwise)
        rearranged = self.rearranged(page)
        reader = column_reader(rearranged.page if rearranged is not None else page)
        records = self.found_records(reader)
        fit = fit_of(self, records)
        if fit.code == ReasonCode.OTHER_TEMPLATE:
            return _of_other_template(page, fit, otherwise)
        region = self._with_embedded(reader.page, self._region(reader, records, fit))
        region = self._with_hidden(reader, records, region)
        region = rearranged.to_whole_page(region) if rearranged is not None else region
        region = self.corrections.apply(region)
        paging = DeferredPaging(lambda: find_paging(page, region))
        return Extraction(self.kind, (region,), region, METHOD, page.url, page.cuts, (fit,), deferred_paging=paging)

    def _extracted_by_tree(self, page: Page, tree: TreeWrapper, otherwise: Fallback) -> Extraction:
        result = tree.extract(page)
        if result.main is None:
            detail = "another template: nothing on this page is as on the learning pages"
            return _of_other_template(page, Reason(ReasonCode.OTHER_TEMPLATE, detail, 0.0), otherwise)
        region = self.corrections.apply(result.main)
        return replace(result, regions=(region,), main=region)

    def rearranged(self, page: Page) -> RearrangedPage | None:
        """Return a page with the pieces of its records put together, None where they are in one piece."""
        return rearranged_page(page, self.arrangement) if self.arrangement is not None else None

    def readable_page(self, page: Page) -> Page:
        """Return the page that the selectors are for: a page with its records in pieces is rearranged."""
        rearranged = self.rearranged(page)
        return page if rearranged is None else rearranged.page

    def found_records(self, reader: ColumnReader) -> list[FoundRecord]:
        """Return the rows and the values of the records of a page."""
        if self.tree is not None:
            return _found_by_tree(self.tree, reader.page)
        if self.records is None:
            values = {column.name: found for column in self.fields if (found := reader.values(column)) is not None}
            return [FoundRecord((reader.page.body,), values)]
        headers = self._headers_on(reader)
        known = [column.header.text for column in self.fields if column.header is not None]
        if headers and len(known) > 1 and not set(known) & set(headers):
            return []  # a table of other things
        columns = under_headers(self.fields, headers) if headers else self.fields
        records = RecordFinder(self.records, columns).records(reader, self.baseline.min_records)
        if fit_of(self, records).code == ReasonCode.OTHER_TEMPLATE:
            return records
        return with_spares(reader, self.fields, records)

    def _headers_on(self, reader: ColumnReader) -> tuple[str, ...]:
        """Return the headers over the records of a page, if the wrapper goes by any."""
        if self.records is None or not any(column.header for column in (*self.fields, *self.hidden)):
            return ()
        selectors = (self.records.selector, *self.records.alternatives)
        heads = next((rows for selector in selectors if (rows := reader.finder.rows(selector))), [])
        return reader.headers_over(heads[len(heads) // 2]) if heads else ()

    def _region(self, reader: ColumnReader, found: Sequence[FoundRecord], fit: Reason) -> Region:
        page = reader.page
        cells: list[dict[str, Cell]] = [{} for _ in found]
        for column in self.fields:
            have = [k for k, record in enumerate(found) if column.name in record.values]
            made = reader.cells(column, [found[k].values[column.name] for k in have]) if have else ()
            for k, cell in zip(have, made, strict=True):
                cells[k][column.name] = cell
        records = tuple(_record(page, record, own) for record, own in zip(found, cells, strict=True))
        parent = int(page.parent[found[0].top_rows[0]]) if self.records is not None else page.body
        return Region("", records, fit.value or 0.0, self._learned_columns, (fit,), node=page.node(max(parent, 0)))

    def _with_embedded(self, page: Page, region: Region) -> Region:
        """Return the region with the columns that are read from data inside the page, where the wrapper has any."""
        # the caption is the name that the data itself gives; a user may have changed the name in the file
        wanted = [(column.name, column.caption) for column in self.fields if column.source != "page"]
        if not wanted:
            return region
        from peneira.columns.embedded_columns import EmbeddedColumns

        visible = tuple(column for column in region.columns if column.source == "page")
        joined = EmbeddedColumns(page).join(replace(region, columns=visible))
        records = []
        for own, record in zip(region.records, joined.records, strict=True):
            cells = ((name, record.fields.get(caption)) for name, caption in wanted)
            data = {name: cell for name, cell in cells if cell is not None and cell.source != "page"}
            records.append(replace(record, fields={**own.fields, **data}))
        return replace(region, records=tuple(records))

    def _with_hidden(self, reader: ColumnReader, found: Sequence[FoundRecord], region: Region) -> Region:
        """Return the region with the hidden columns, whose cells are read when they are asked for."""
        if not self.hidden or self.records is None:
            return region
        headers = self._headers_on(reader)
        columns = under_headers(self.hidden, headers) if headers else self.hidden
        names = frozenset(column.name for column in columns)
        hidden = HiddenRecordCells(reader, columns, tuple(record.top_rows for record in found), names)
        records = tuple(
            Record(
                record.ranges,
                record.text,
                "",
                record.confidence,
                DeferredCells(dict(record.fields), hidden, k),
                record.records,
                record.node,
            )
            for k, record in enumerate(region.records)
        )
        # not by ``replace``, which would make the text of the XPath
        return Region(
            "", records, region.confidence, region.columns, region.reasons, self._all_columns, node=region.node
        )

    def check(self, source: Source | Sequence[Source], *, url: str | None = None) -> CheckReport:
        """Return whether one or several pages still fit: ok, degraded, broken or other-template, and why."""
        from peneira.wrappers.drift import check

        with Budget(DEFAULT_LIMITS).running():
            pages = pages_of(source, url)
            return replace(check(self, pages), cuts=_cuts_of(pages))

    def heal(self, pages: Source | Sequence[Source], *, url: str | None = None) -> Healing:
        """Return a wrapper learned again from changed pages, with the old column names, and what changed per column."""
        with Budget(DEFAULT_LIMITS).running():
            return self._healed(pages, url)

    def _healed(self, pages: Source | Sequence[Source], url: str | None) -> Healing:
        from peneira.wrappers.healing import heal_site, heal_template

        read = [page for page in pages_of(pages, url) if has_content(page)]
        if not read:
            raise InputError("there is no page to heal from; give at least one that is not empty")
        healing = heal_site(self, read) if self.others else heal_template(self, read)
        return replace(healing, cuts=_cuts_of(read))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the wrapper as JSON; the file is replaced only when all of it is written."""
        from peneira.files import text_file
        from peneira.wrappers.store import dumps

        with text_file(path) as file:
            file.write(dumps(self))

    @staticmethod
    def load(path: str | PathLike[str]) -> Wrapper:
        """Return the wrapper of a file; a ``WrapperError`` states what is wrong in it, and where."""
        from peneira.wrappers.store import load

        return load(path)


def _record(page: Page, found: FoundRecord, cells: dict[str, Cell]) -> Record:
    span = (found.top_rows[0], int(page.end[found.top_rows[-1]]))
    return node_record(span, page.text_of(*span), 1.0, page.node(span[0]), cells)


def _of_other_template(page: Page, fit: Reason, otherwise: Fallback) -> Extraction:
    """Return what is said of a page of another template, or what ``extract`` reads there."""
    if otherwise == "auto":
        from peneira.extraction import extract

        extraction = extract(page)
        return replace(extraction, reasons=(fit, *extraction.reasons))
    return Extraction("other-template", (), None, METHOD, page.url, page.cuts, (fit,))


def _found_by_tree(tree: TreeWrapper, page: Page) -> list[FoundRecord]:
    """Return the rows and the values of the records that a template reads on a page."""
    region = tree.extract(page).main
    return [
        FoundRecord(
            tuple(page.top_rows(*record.ranges)),
            {
                name: FoundValues(cell.items or (cell.text,), page.body if cell.node is None else cell.node.row)
                for name, cell in record.fields.items()
            },
        )
        for record in region or ()
    ]


def has_content(page: Page) -> bool:
    """Return whether there is anything in the body of a page."""
    return bool(len(page)) and page.lists.end[page.body] > page.body + 1


def pages_of(source: Source | Sequence[Source], url: str | None = None) -> list[Page]:
    """Return one source or several as pages."""
    sources = [source] if isinstance(source, (bytes, str, Path, Page)) else list(source)
    return [read_page(each, url=url) for each in sources]


def _cuts_of(pages: Sequence[Page]) -> tuple[Cut, ...]:
    """Return what limits cut from pages when they were read, each cut once."""
    return tuple(dict.fromkeys(cut for page in pages for cut in page.cuts))


def column_reader(page: Page) -> ColumnReader:
    """Return a reader of the page's columns."""
    return ColumnReader(Finder(page), base_url(page))


def fit_of(wrapper: Wrapper, records: Sequence[FoundRecord]) -> Reason:
    """Return the share of the core columns that a page has, with the code FIT or OTHER_TEMPLATE."""
    core = wrapper.core
    present = {name for record in records for name in record.values}
    share = sum(column.name in present for column in core) / len(core) if core else float(bool(present))
    if not records:
        detail = "another template: no record is where the records of the learning pages were"
        return Reason(ReasonCode.OTHER_TEMPLATE, detail, 0.0)
    detail = f"{share:.0%} of the {len(core)} columns that"
    if share < wrapper.min_fit:
        detail = f"another template: {detail} its pages have are on this one"
        return Reason(ReasonCode.OTHER_TEMPLATE, detail, round(share, 4))
    return Reason(ReasonCode.FIT, f"{detail} pages of this template have are on this one", round(share, 4))

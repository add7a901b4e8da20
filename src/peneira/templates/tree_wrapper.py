"""A wrapper learned from pages: a template, and the template nodes that are the columns of a table.

For list pages the columns are those of the main list, with one record per item. For detail pages they are all template
nodes whose text differs between pages, with one record per page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Literal

from peneira.limits import Cut
from peneira.page import Page
from peneira.preview import counted, shortened
from peneira.reasons import Reason, ReasonCode
from peneira.result import Extraction, Record, Region, Verdict
from peneira.sources.html import read_page
from peneira.table import Column
from peneira.templates.data_lists import (
    WORST_TIER,
    common_item_texts,
    list_chars,
    list_rank,
    list_slots,
    lists_by_repetition,
    record_values,
    records_of,
)
from peneira.templates.label_pairs import NO_LABELS, Labels, learn_labels
from peneira.templates.page_data import PageData, extract_data
from peneira.templates.row_matching import most_similar_row, rows_with_selectors, with_selectors
from peneira.templates.template import Template
from peneira.templates.template_columns import (
    NO_TEXTS,
    CommonTexts,
    Slot,
    Values,
    cells_of,
    columns_of,
    slots_in_order,
    values_of,
)
from peneira.templates.template_data import Data, DataList, texts_in

Kind = Literal["list", "detail"]
# Pages are list pages if this share of the text that differs between pages is in the main list; a long list needs less.
# Right on 58 of 64 sites of SWDE and on 34 of 44 list sites.
_MIN_LIST_SHARE = 0.7
_MIN_LONG_LIST_SHARE = 0.3
_LONG_LIST = 5
# A slot that a smaller share of the learning pages has is noise of single pages
_MIN_FILL = 0.1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TreeWrapper:
    """Extracts records from pages of the template that it was learned from.

    ``slots`` are the keys of the columns. ``list_repetition`` is the repetition of the template that gives the list of
    a list page, and ``common_texts`` are the texts that nearly all of its items had. ``fixed_texts`` are the texts that
    were the same on all learning pages, which are template and not data.
    """

    method: str
    kind: Kind
    template: Template
    slots: tuple[Slot, ...]
    columns: tuple[Column, ...]
    list_repetition: tuple[int, ...] = ()
    labels: Labels = NO_LABELS
    common_texts: CommonTexts = NO_TEXTS
    fixed_texts: Mapping[Slot, str] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()

    def __repr__(self) -> str:
        names = shortened(", ".join(column.name for column in self.columns))
        return f"<TreeWrapper of {self.kind} pages by {self.method}, {counted(len(self.columns), 'column')}: {names}>"

    def extract(self, source: bytes | str | Path | Page, *, url: str | None = None) -> Extraction:
        """Return the records of a page: those of its list, or the page as one record."""
        page = read_page(source, url=url)
        if not len(page):
            return Extraction("empty", (), None, self.method, url=page.url, cuts=page.cuts)
        matcher = self.template.matcher
        matcher.restore_state()  # drop the shapes of the previous page
        shapes = matcher.subtrees.add(page)
        page_data = extract_data(self.template, page, shapes)
        region = self._list(page, page_data, shapes) if self.kind == "list" else self._detail(page, page_data)
        cuts = (*page.cuts, *matcher.cuts)
        if not region.records:
            verdict: Verdict = "other-template" if page.visible_text(page.body) else "empty"
            return Extraction(verdict, (), None, self.method, url=page.url, cuts=cuts, reasons=region.reasons)
        return Extraction(self.kind, (region,), region, self.method, page.url, cuts, region.reasons)

    def _list(self, page: Page, page_data: PageData, shapes: Sequence[int]) -> Region:
        data_list = lists_by_repetition(page_data.data).get(self.list_repetition) or self._moved_list(page, shapes)
        if data_list is None:
            return _region(page, page.xpath(page.body), (), self.columns, page_data)
        values = [values_of(item, self.common_texts) for item in data_list.items]
        records = records_of(page, data_list.ranges, values, self.slots, self.columns)
        return _region(page, page.xpath(data_list.parent), records, self.columns, page_data)

    def _moved_list(self, page: Page, shapes: Sequence[int]) -> DataList | None:
        """Return the list from another part of the page, if a node there matches the list's node or an ancestor."""
        for start in self._possible_starts(page, shapes):
            page_data = extract_data(self.template, page, shapes, start)
            data_list = lists_by_repetition(page_data.data).get(self.list_repetition)
            if data_list is not None:
                return data_list
        return None

    def _possible_starts(self, page: Page, shapes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield rows with template nodes: unique rows with the same id and classes, then the most similar row."""
        list_node = node = self.list_repetition[0]
        while node > 0:
            rows = rows_with_selectors(self.template, page, node)
            if len(rows) == 1:
                yield rows[0], node
            node = self.template.nodes[node].parent
        row = most_similar_row(self.template, page, shapes, list_node)
        if row is not None:
            yield row, list_node

    def _detail(self, page: Page, page_data: PageData) -> Region:
        values = values_of(page_data.data, labels=self.labels)
        names = {slot: column.name for slot, column in zip(self.slots, self.columns, strict=True)}
        cells = cells_of(page, values, names)
        body = page.body
        record = Record(((body, int(page.end[body])),), page.text_of(body), "", fields=cells, node=page.node(body))
        return _region(page, page.xpath(body), (record,) if cells else (), self.columns, page_data)


def _region(
    page: Page, xpath: str, records: tuple[Record, ...], columns: tuple[Column, ...], page_data: PageData
) -> Region:
    """Return a region whose confidence is the share of the page's nodes that match the template."""
    nodes = int((~page.silent[page.body : int(page.end[page.body])]).sum())
    share = len(page_data.node_of_row) / max(nodes, 1)
    reason = Reason(ReasonCode.FIT, f"{share:.0%} of the page's nodes match the template", round(share, 4))
    return Region(xpath, records, round(min(1.0, share), 3), columns, (reason,))


def learn_wrapper(
    method: str, template: Template, pages: Sequence[tuple[Page, PageData]], kind: Kind | None = None
) -> TreeWrapper:
    """Return the wrapper of pages whose data was extracted with the template. Without a kind, the pages decide."""
    template = with_selectors(template, [(page, page_data.node_of_row.items()) for page, page_data in pages])
    template.matcher.save_state()
    main_list = _main_list(pages)
    labels = learn_labels([page_data.data for _, page_data in pages])
    records = [(page, values_of(page_data.data, labels=labels)) for page, page_data in pages]
    varying = _varying_slots([values for _, values in records])
    if kind is None:
        is_list = main_list is not None and main_list.is_of_list_pages(_list_share(main_list, records, varying))
        kind = "list" if is_list else "detail"
    if kind == "list" and main_list is not None:
        return _list_wrapper(method, template, main_list)
    return TreeWrapper(
        method,
        "detail",
        template,
        tuple(varying),
        columns_of(records, varying),
        labels=labels,
        fixed_texts=_fixed_texts([values for _, values in records]),
        cuts=template.matcher.cuts,
    )


@dataclass(frozen=True, slots=True)
class _LearnedList:
    """The lists of one repetition of the template: the items on each learning page.

    ``is_main``: on all pages the list can be the main list by the rule for single pages.
    """

    repetition: tuple[int, ...]
    pages: tuple[tuple[Page, tuple[Data, ...]], ...]
    is_main: bool

    def is_of_list_pages(self, share: float) -> bool:
        """Return whether pages with this share of their varying text in the list are list pages."""
        length = fmean(len(items) for _, items in self.pages)
        is_long = length >= _LONG_LIST and share >= _MIN_LONG_LIST_SHARE
        return is_long or (self.is_main and share >= _MIN_LIST_SHARE)


def _list_wrapper(method: str, template: Template, main_list: _LearnedList) -> TreeWrapper:
    values = [(page, record) for page, items in main_list.pages for record in record_values(items)]
    slots = list_slots([record for _, record in values])
    common = frozenset(text for _, items in main_list.pages for text in common_item_texts(items))
    return TreeWrapper(
        method,
        "list",
        template,
        tuple(slots),
        columns_of(values, slots),
        main_list.repetition,
        common_texts=common,
        cuts=template.matcher.cuts,
    )


def _main_list(pages: Sequence[tuple[Page, PageData]]) -> _LearnedList | None:
    """Return the repetition whose lists have the best sum of ranks; a page without it counts as the worst tier."""
    by_repetition: dict[tuple[int, ...], list[tuple[Page, DataList]]] = {}
    for page, page_data in pages:
        for repetition, data_list in lists_by_repetition(page_data.data).items():
            by_repetition.setdefault(repetition, []).append((page, data_list))
    ranked = []
    for repetition, lists in by_repetition.items():
        ranks = [list_rank(data_list, list_chars(data_list)) for _, data_list in lists if len(data_list.items) > 1]
        if ranks:
            tiers, lengths, chars = (sum(column) for column in zip(*ranks, strict=True))
            ranked.append((tiers + WORST_TIER * (len(pages) - len(ranks)), lengths, chars, repetition))
    if not ranked:
        return None
    tiers, _, _, repetition = min(ranked)
    items = tuple((page, data_list.items) for page, data_list in by_repetition[repetition])
    return _LearnedList(repetition, items, is_main=tiers == 0)


def _varying_slots(records: Sequence[Values]) -> list[Slot]:
    """Return the slots whose texts differ between the pages that have them; all slots of a single page."""
    slots = slots_in_order(records, min_records=max(1.0, _MIN_FILL * len(records)))
    if len(records) < 2:
        return slots
    return [slot for slot in slots if not _is_constant(slot, records)]


def _fixed_texts(records: Sequence[Values]) -> dict[Slot, str]:
    """Return the slots whose texts are the same on all of several pages."""
    if len(records) < 2:
        return {}
    slots = sorted({slot for values in records for slot in values})
    constant = [slot for slot in slots if _is_constant(slot, records)]
    return {slot: next(values[slot][0].text for values in records if slot in values) for slot in constant}


def _is_constant(slot: Slot, records: Sequence[Values]) -> bool:
    """Return whether several pages have the slot with the same texts, as menus, or with one, as labels of records."""
    texts = [tuple(value.text for value in values[slot]) for values in records if slot in values]
    return len(texts) > 1 and (len(set(texts)) == 1 or len(set(chain.from_iterable(texts))) == 1)


def _list_share(main_list: _LearnedList, records: Sequence[tuple[Page, Values]], varying: Sequence[Slot]) -> float:
    """Return the share of the varying text that is in the list."""
    slots = {slot for slot in varying if not slot[1]}
    total = sum(len(value.text) for _, values in records for slot in slots for value in values.get(slot, ()))
    nodes = {node for node, _, _ in slots}
    list_texts = (text for _, items in main_list.pages for item in items for text in texts_in(item))
    return sum(len(text.text) for text in list_texts if text.node in nodes) / max(total, 1)

"""A wrapper learned from pages: a template, and which of its places are the columns of a table.

Of list pages the columns are those of the main list, one record per item. Of detail pages they are all places whose
text differs from page to page, one record per page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Literal

from peneira.limits import Cut
from peneira.page import Page
from peneira.result import Extraction, Reason, Record, Region
from peneira.sources.html import read_page
from peneira.table import Column
from peneira.templates.data_lists import (
    WORST_TIER,
    common_texts,
    list_slots,
    lists_by_slot,
    rank,
    record_values,
    records_of,
    text_mass,
)
from peneira.templates.label_pairs import NO_LABELS, Labels, learn_labels
from peneira.templates.reading import Reading, read_data
from peneira.templates.row_placement import most_alike_row, rows_of_look, with_looks
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
from peneira.templates.template_data import Data, DataList, texts

Kind = Literal["list", "detail"]
# Pages are list pages if so much of the text that differs from page to page is in the main list, less if the list is
# long: right on 58 of 64 sites of SWDE and on 34 of 44 list sites
_MIN_LIST_SHARE = 0.7
_MIN_LONG_LIST_SHARE = 0.3
_LONG_LIST = 5
# A place that fewer learning pages have is noise of one page
_MIN_FILL = 0.1


@dataclass(frozen=True, slots=True)
class TreeWrapper:
    """Reads further pages of the template it was learned from.

    ``slots`` are the places behind the columns; ``list_slot`` is the repetition that makes the list of a list page, and
    ``common`` are the texts that nearly all of its items had;
    ``fixed`` are the places whose text is the same on all learning pages, which are template and no columns.
    """

    method: str
    kind: Kind
    template: Template
    slots: tuple[Slot, ...]
    columns: tuple[Column, ...]
    list_slot: tuple[int, ...] = ()
    labels: Labels = NO_LABELS
    common: CommonTexts = NO_TEXTS
    fixed: Mapping[Slot, str] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()

    def extract(self, source: bytes | str | Path | Page, *, url: str | None = None) -> Extraction:
        """Return the records of a page: those of its list, or the page as one record."""
        page = read_page(source, url=url)
        if not len(page):
            return Extraction("empty", (), None, self.method, url=page.url, cuts=page.cuts)
        matcher = self.template.matcher
        matcher.restore()  # without the shapes of the page before
        shapes = matcher.forest.add(page)
        reading = read_data(self.template, page, shapes)
        region = self._list(page, reading, shapes) if self.kind == "list" else self._detail(page, reading)
        cuts = (*page.cuts, *matcher.cuts)
        if not region.records:
            return Extraction("empty", (), None, self.method, url=page.url, cuts=cuts, reasons=region.reasons)
        return Extraction(self.kind, (region,), region, self.method, page.url, cuts, region.reasons)

    def _list(self, page: Page, reading: Reading, shapes: Sequence[int]) -> Region:
        found = lists_by_slot(reading.data).get(self.list_slot) or self._list_elsewhere(page, shapes)
        if found is None:
            return _region(page, page.xpath(page.body), (), self.columns, reading)
        values = [values_of(item, self.common) for item in found.items]
        records = records_of(page, found.ranges, values, self.slots, self.columns)
        return _region(page, page.xpath(found.parent), records, self.columns, reading)

    def _list_elsewhere(self, page: Page, shapes: Sequence[int]) -> DataList | None:
        """Return the list from a node that looks like one above it, if there is one such node, or that is most like
        the node that holds it."""
        for row, number in self._starts(page, shapes):
            part = read_data(self.template, page, shapes, (row, number))
            found = lists_by_slot(part.data).get(self.list_slot)
            if found is not None:
                return found
        return None

    def _starts(self, page: Page, shapes: Sequence[int]) -> Iterator[tuple[int, int]]:
        number = self.list_slot[0]
        while number > 0:
            rows = rows_of_look(self.template, page, number)
            if len(rows) == 1:
                yield rows[0], number
            number = self.template.places[number].parent
        alike = most_alike_row(self.template, page, shapes, self.list_slot[0])
        if alike is not None:
            yield alike, self.list_slot[0]

    def _detail(self, page: Page, reading: Reading) -> Region:
        values = values_of(reading.data, labels=self.labels)
        names = {slot: column.name for slot, column in zip(self.slots, self.columns, strict=True)}
        cells = cells_of(page, values, names)
        body = page.body
        record = Record(((body, int(page.end[body])),), page.text_of(body), page.xpath(body), fields=cells)
        return _region(page, page.xpath(body), (record,) if cells else (), self.columns, reading)


def _region(
    page: Page, xpath: str, records: tuple[Record, ...], columns: tuple[Column, ...], reading: Reading
) -> Region:
    """Return a region, trusted as far as the page fits the template."""
    heard = int((~page.silent[page.body : int(page.end[page.body])]).sum())
    share = len(reading.place_of) / max(heard, 1)
    fit = Reason("fit", f"{share:.0%} of the page's nodes have a place in the template", round(share, 4))
    return Region(xpath, records, round(min(1.0, share), 3), columns, (fit,))


def learn_wrapper(
    method: str, template: Template, pages: Sequence[tuple[Page, Reading]], kind: Kind | None = None
) -> TreeWrapper:
    """Return the wrapper of pages that were read by their template. Without a kind, the pages decide."""
    template = with_looks(template, [(page, reading.place_of.items()) for page, reading in pages])
    template.matcher.keep()
    found = _main_list(pages)
    labels = learn_labels([reading.data for _, reading in pages])
    records = [(page, values_of(reading.data, labels=labels)) for page, reading in pages]
    varying = _varying([values for _, values in records])
    if kind is None:
        is_list = found is not None and found.is_of_list_pages(_share(found, records, varying))
        kind = "list" if is_list else "detail"
    if kind == "list" and found is not None:
        values = [(page, one) for page, items in found.items for one in record_values(items)]
        slots = list_slots([one for _, one in values])
        common = frozenset(one for _, items in found.items for one in common_texts(items))
        return TreeWrapper(
            method,
            "list",
            template,
            tuple(slots),
            columns_of(values, slots),
            found.slot,
            common=common,
            cuts=template.matcher.cuts,
        )
    return TreeWrapper(
        method,
        "detail",
        template,
        tuple(varying),
        columns_of(records, varying),
        labels=labels,
        fixed=_fixed([values for _, values in records]),
        cuts=template.matcher.cuts,
    )


@dataclass(frozen=True, slots=True)
class _FoundList:
    """One repetition of the template over all learning pages: its items page by page.

    ``is_main``: on all pages it can be the main list by the rule for one page.
    """

    slot: tuple[int, ...]
    items: tuple[tuple[Page, tuple[Data, ...]], ...]
    is_main: bool

    def is_of_list_pages(self, share: float) -> bool:
        """Tell whether pages with that share of their varying text in the list are list pages."""
        length = fmean(len(items) for _, items in self.items)
        long_enough = length >= _LONG_LIST and share >= _MIN_LONG_LIST_SHARE
        return long_enough or (self.is_main and share >= _MIN_LIST_SHARE)


def _main_list(pages: Sequence[tuple[Page, Reading]]) -> _FoundList | None:
    """Return the repetition whose lists rank best in sum; a page without it counts as the worst there is."""
    by_slot: dict[tuple[int, ...], list[tuple[Page, DataList]]] = {}
    for page, reading in pages:
        for slot, one in lists_by_slot(reading.data).items():
            by_slot.setdefault(slot, []).append((page, one))
    ranked = []
    for slot, those in by_slot.items():
        ranks = [rank(one, text_mass(one)) for _, one in those if len(one.items) > 1]
        if ranks:
            tiers, lengths, masses = (sum(column) for column in zip(*ranks, strict=True))
            ranked.append((tiers + WORST_TIER * (len(pages) - len(ranks)), lengths, masses, slot))
    if not ranked:
        return None
    tiers, _, _, slot = min(ranked)
    return _FoundList(slot, tuple((page, one.items) for page, one in by_slot[slot]), is_main=tiers == 0)


def _varying(records: Sequence[Values]) -> list[Slot]:
    """Return the slots whose texts are not the same on all pages that have them; of one page all."""
    slots = slots_in_order(records, least=max(1.0, _MIN_FILL * len(records)))
    if len(records) < 2:
        return slots
    return [slot for slot in slots if not _is_constant(slot, records)]


def _fixed(records: Sequence[Values]) -> dict[Slot, str]:
    """Return the slots whose texts are the same on all of several pages."""
    if len(records) < 2:
        return {}
    slots = sorted({slot for values in records for slot in values})
    chosen = [slot for slot in slots if _is_constant(slot, records)]
    return {slot: next(values[slot][0].text for values in records if slot in values) for slot in chosen}


def _is_constant(slot: Slot, records: Sequence[Values]) -> bool:
    seen = [tuple(one.text for one in values[slot]) for values in records if slot in values]
    return len(seen) > 1 and len(set(seen)) == 1


def _share(found: _FoundList, records: Sequence[tuple[Page, Values]], varying: Sequence[Slot]) -> float:
    """Return how much of the varying text lies in the list."""
    chosen = {slot for slot in varying if not slot[1]}
    total = sum(len(one.text) for _, values in records for slot in chosen for one in values.get(slot, ()))
    places = {place for place, _, _ in chosen}
    held = (one for _, items in found.items for item in items for one in texts(item))
    return sum(len(one.text) for one in held if one.slot in places) / max(total, 1)

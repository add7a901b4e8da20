"""The lists in the data of a page as regions of records, the main list first (Moura 2018, section 3.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean, pstdev

from peneira.page import Page
from peneira.result import Range, Reason, Record, Region
from peneira.table import Column
from peneira.templates.template_columns import (
    MAX_COLUMNS,
    CommonTexts,
    Slot,
    Values,
    cells_of,
    columns_of,
    slots_in_order,
    template_texts,
    values_of,
)
from peneira.templates.template_data import Data, DataItem, DataList, texts, within

# A list that breaks the rules of a main list is not believed to be one
_MAX_DOUBTED = 0.49
_MIN_FILL = 0.1
# Of the text from the first piece of a list to the last, so much must be in its items
_MIN_JOINED_SHARE = 0.8
MAX_REGIONS = 20
WORST_TIER = 2


@dataclass(frozen=True, slots=True)
class MainListRule:
    """What can be the main list: tuples, so many, of so many texts on average, which may deviate by so much.

    The deviation may be as large as ``max_deviation`` texts or as ``max_relative_deviation`` of the mean.
    ``joins_interrupted``: pieces of a list that something interrupts are one list.
    """

    min_items: int = 2
    min_texts: float = 3.0
    max_deviation: float = 3.5
    max_relative_deviation: float = 0.0
    joins_interrupted: bool = False

    def allows(self, found: DataList) -> bool:
        """Tell whether a list can be the main one."""
        if len(found.items) < self.min_items or not all(isinstance(item, DataItem) for item in found.items):
            return False
        counts = [sum(1 for _ in texts(item)) for item in found.items]
        mean = fmean(counts)
        allowed = max(self.max_deviation, self.max_relative_deviation * mean)
        return mean >= self.min_texts and pstdev(counts) <= allowed


PUBLISHED_RULE = MainListRule()
# 3.5 texts are much for a job of ten, little for a product of thirty: record F1 over all corpora 0.748 -> 0.795
WIDE_RULE = MainListRule(max_relative_deviation=0.5, joins_interrupted=True)
# What comes next where no list is allowed
_SHORT_RECORDS = MainListRule(min_texts=2.0, max_relative_deviation=0.5)


def lists_in(data: Data) -> Iterator[DataList]:
    """Yield all lists in the data; a list of lists, such as the rows of a grid, also as the list of all their items."""
    for part in within(data):
        if isinstance(part, DataList):
            yield part
            inner = [item for item in part.items if isinstance(item, DataList)]
            if len(inner) == len(part.items):
                yield _joined(inner, part.parent, (*part.slot, *inner[0].slot))


def interrupted_lists(data: Data) -> Iterator[DataList]:
    """Yield the lists that something interrupts, such as an advert: pieces below one node with little else between."""
    pieces: dict[tuple[int, tuple[int, ...]], list[DataList]] = {}
    for one in lists_in(data):
        pieces.setdefault((one.parent, one.slot), []).append(one)
    ruler = _Ruler(data)
    for (parent, slot), those in pieces.items():
        if len(those) > 1 and ruler.share(those) >= _MIN_JOINED_SHARE:
            yield _joined(those, parent, slot)


def lists_by_slot(data: Data) -> dict[tuple[int, ...], DataList]:
    """Return for every repetition of the template the best list that it makes on a page."""
    best: dict[tuple[int, ...], tuple[tuple[int, int, int], DataList]] = {}
    for one in (*lists_in(data), *interrupted_lists(data)):
        own = rank(one, text_mass(one))
        if one.slot not in best or own < best[one.slot][0]:
            best[one.slot] = own, one
    return {slot: one for slot, (_, one) in best.items()}


def text_mass(found: DataList) -> int:
    """Return the characters of text in a list."""
    return sum(len(one.text) for item in found.items for one in texts(item))


class _Ruler:
    """How much text lies between two rows of a page."""

    def __init__(self, data: Data) -> None:
        found = sorted((one.row, len(one.text)) for one in texts(data))
        self._rows = [row for row, _ in found]
        self._sums = [0, *accumulate(chars for _, chars in found)]

    def chars(self, start: int, end: int) -> int:
        """Return the characters in the rows ``start:end``."""
        return self._sums[bisect_left(self._rows, end)] - self._sums[bisect_left(self._rows, start)]

    def share(self, lists: Sequence[DataList]) -> float:
        """Return how much of the text from the first of the lists to the last is in them."""
        ranges = [span for one in lists for span in one.ranges]
        held = sum(self.chars(*span) for span in ranges)
        return held / max(self.chars(min(ranges)[0], max(end for _, end in ranges)), 1)


def _joined(lists: Sequence[DataList], parent: int, slot: tuple[int, ...]) -> DataList:
    items = tuple(item for one in lists for item in one.items)
    return DataList(items, tuple(span for one in lists for span in one.ranges), parent, slot)


def regions_of(page: Page, data: Data, rule: MainListRule = WIDE_RULE) -> list[Region]:
    """Return the lists of a page as regions: those that can be the main list, longest first, then the others."""
    every = (*lists_in(data), *(interrupted_lists(data) if rule.joins_interrupted else ()))
    found = [one for one in every if len(one.items) >= rule.min_items]
    masses = {id(one): sum(len(page.text_of(*span)) for span in one.ranges) for one in found}
    ranked = [(rank(one, masses[id(one)], rule), one.ranges[0], one) for one in found if masses[id(one)]]
    ranked.sort(key=lambda row: row[:2])
    return [_region(page, one, masses[id(one)], is_main=tier == 0) for (tier, _, _), _, one in ranked[:MAX_REGIONS]]


def rank(found: DataList, mass: int, rule: MainListRule = WIDE_RULE) -> tuple[int, int, int]:
    """Return a list's rank, better ones smaller: what the rule allows, then lists of short records, then the rest.

    Of those that can be the main list the longest is best, of the rest the one with most text.
    """
    tier = 0 if rule.allows(found) else 1 if _SHORT_RECORDS.allows(found) else WORST_TIER
    return tier, -len(found.items) if tier < WORST_TIER else 0, -mass


def _region(page: Page, found: DataList, chars: int, *, is_main: bool) -> Region:
    share = chars / max(len(page.text_of(page.body)), chars, 1)
    counts = [sum(1 for _ in texts(item)) for item in found.items]
    reasons = (
        Reason("length", f"a list of {len(found.items)} items", len(found.items)),
        Reason("texts", f"{fmean(counts):.1f} texts in an item, give or take {pstdev(counts):.1f}", fmean(counts)),
        Reason("mass", f"they hold {share:.0%} of the page's text", round(share, 4)),
    )
    confidence = min(1.0, share**0.5) if is_main else min(_MAX_DOUBTED, share)
    values = record_values(found.items)
    slots = list_slots(values)
    columns = columns_of([(page, record) for record in values], slots)
    records = records_of(page, found.ranges, values, slots, columns)
    return Region(page.xpath(found.parent), records, round(confidence, 3), columns, reasons)


def record_values(items: Sequence[Data]) -> list[Values]:
    """Return the values of each item of a list, without the texts that nearly all items have."""
    template = common_texts(items)
    return [values_of(item, template) for item in items]


def common_texts(items: Sequence[Data]) -> CommonTexts:
    """Return the texts and attributes that nearly all items of a list have."""
    return template_texts([list(texts(item, attributes=True)) for item in items])


def list_slots(values: Sequence[Values]) -> list[Slot]:
    """Return the slots of a list that make columns, in order."""
    return slots_in_order(values, least=max(1.0, _MIN_FILL * len(values)))[:MAX_COLUMNS]


def records_of(
    page: Page,
    ranges: Sequence[Range],
    values: Sequence[Values],
    slots: Sequence[Slot],
    columns: Sequence[Column],
) -> tuple[Record, ...]:
    """Return the records of a list: where each stands, and its cells under the names of the columns."""
    names = {slot: column.name for slot, column in zip(slots, columns, strict=True)}
    return tuple(
        Record((span,), page.text_of(*span), page.xpath(span[0]), fields=cells_of(page, record, names))
        for span, record in zip(ranges, values, strict=True)
    )

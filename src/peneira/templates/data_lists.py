"""The lists in the data of a page as regions of records, the main list first (Moura 2018, section 3.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean, pstdev

from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.result import Range, Record, Region
from peneira.table import Column
from peneira.templates.template_columns import (
    MAX_COLUMNS,
    CommonTexts,
    Slot,
    Values,
    cells_of,
    columns_of,
    common_texts_of,
    slots_in_order,
    values_of,
)
from peneira.templates.template_data import Data, DataItem, DataList, texts_in, walk_data

# A list that breaks the rule of main lists gets less than even confidence
_MAX_OTHER_CONFIDENCE = 0.49
# A slot that fewer items have is noise of single items
_MIN_FILL = 0.1
# Parts of an interrupted list must hold this share of the text from the first part to the last
_MIN_JOINED_SHARE = 0.8
MAX_REGIONS = 20
WORST_TIER = 2


@dataclass(frozen=True, slots=True)
class MainListRule:
    """Which lists can be the main list: lists of tuples with enough items and texts per item.

    The number of texts per item may deviate by ``max_deviation`` texts or by ``max_relative_deviation`` of the mean,
    whichever is larger. With ``joins_interrupted`` the parts of an interrupted list are one list.
    """

    min_items: int = 2
    min_texts: float = 3.0
    max_deviation: float = 3.5
    max_relative_deviation: float = 0.0
    joins_interrupted: bool = False

    def allows(self, data_list: DataList) -> bool:
        """Return whether a list can be the main list."""
        if len(data_list.items) < self.min_items or not all(isinstance(item, DataItem) for item in data_list.items):
            return False
        counts = [sum(1 for _ in texts_in(item)) for item in data_list.items]
        mean = fmean(counts)
        max_deviation = max(self.max_deviation, self.max_relative_deviation * mean)
        return mean >= self.min_texts and pstdev(counts) <= max_deviation


PUBLISHED_RULE = MainListRule()
# 3.5 texts are a lot for a job of ten texts but few for a product of thirty: record F1 over all corpora 0.748 -> 0.795
WIDE_RULE = MainListRule(max_relative_deviation=0.5, joins_interrupted=True)
# The second choice, if the rule allows no list
_SHORT_RECORDS = MainListRule(min_texts=2.0, max_relative_deviation=0.5)


def lists_in(data: Data) -> Iterator[DataList]:
    """Yield all lists in the data; a list of lists, such as the rows of a grid, also as one list of all their items."""
    for part in walk_data(data):
        if isinstance(part, DataList):
            yield part
            inner = [item for item in part.items if isinstance(item, DataList)]
            if len(inner) == len(part.items):
                yield _joined(inner, part.parent, (*part.repetition, *inner[0].repetition))


def interrupted_lists(data: Data) -> Iterator[DataList]:
    """Yield the lists that something interrupts, such as an advert: parts with one parent and little text between."""
    parts_of_list: dict[tuple[int, tuple[int, ...]], list[DataList]] = {}
    for data_list in lists_in(data):
        parts_of_list.setdefault((data_list.parent, data_list.repetition), []).append(data_list)
    lengths = _TextLengths(data)
    for (parent, repetition), parts in parts_of_list.items():
        if len(parts) > 1 and lengths.share(parts) >= _MIN_JOINED_SHARE:
            yield _joined(parts, parent, repetition)


def lists_by_repetition(data: Data) -> dict[tuple[int, ...], DataList]:
    """Return, for every repetition of the template, the best list that it gives on a page."""
    best: dict[tuple[int, ...], tuple[tuple[int, int, int], DataList]] = {}
    for data_list in (*lists_in(data), *interrupted_lists(data)):
        rank = list_rank(data_list, list_chars(data_list))
        if data_list.repetition not in best or rank < best[data_list.repetition][0]:
            best[data_list.repetition] = rank, data_list
    return {repetition: data_list for repetition, (_, data_list) in best.items()}


def list_chars(data_list: DataList) -> int:
    """Return the number of characters of text in a list."""
    return sum(len(text.text) for item in data_list.items for text in texts_in(item))


class _TextLengths:
    """The number of characters between any two rows of a page."""

    def __init__(self, data: Data) -> None:
        texts = sorted((text.row, len(text.text)) for text in texts_in(data))
        self._rows = [row for row, _ in texts]
        self._sums = [0, *accumulate(chars for _, chars in texts)]

    def chars(self, start: int, end: int) -> int:
        """Return the number of characters in the rows ``start:end``."""
        return self._sums[bisect_left(self._rows, end)] - self._sums[bisect_left(self._rows, start)]

    def share(self, lists: Sequence[DataList]) -> float:
        """Return the share of the text from the first of the lists to the last that is in them."""
        ranges = [span for data_list in lists for span in data_list.ranges]
        inside = sum(self.chars(*span) for span in ranges)
        return inside / max(self.chars(min(ranges)[0], max(end for _, end in ranges)), 1)


def _joined(lists: Sequence[DataList], parent: int, repetition: tuple[int, ...]) -> DataList:
    items = tuple(item for data_list in lists for item in data_list.items)
    return DataList(items, tuple(span for data_list in lists for span in data_list.ranges), parent, repetition)


def regions_of(page: Page, data: Data, rule: MainListRule = WIDE_RULE) -> list[Region]:
    """Return the lists of a page as regions: possible main lists first, the longest first, then the others."""
    all_lists = (*lists_in(data), *(interrupted_lists(data) if rule.joins_interrupted else ()))
    lists = [data_list for data_list in all_lists if len(data_list.items) >= rule.min_items]
    chars_of = {id(data_list): sum(len(page.text_of(*span)) for span in data_list.ranges) for data_list in lists}
    ranked = [
        (list_rank(data_list, chars, rule), data_list.ranges[0], data_list)
        for data_list in lists
        if (chars := chars_of[id(data_list)])
    ]
    ranked.sort(key=lambda row: row[:2])
    return [
        _region(page, data_list, chars_of[id(data_list)], is_main=tier == 0)
        for (tier, _, _), _, data_list in ranked[:MAX_REGIONS]
    ]


def list_rank(data_list: DataList, chars: int, rule: MainListRule = WIDE_RULE) -> tuple[int, int, int]:
    """Return the sort key of a list: lists that the rule allows come first, then lists of short records, then the rest.

    Lists of the first two kinds are sorted by length, longest first; the rest by their text, longest first.
    """
    tier = 0 if rule.allows(data_list) else 1 if _SHORT_RECORDS.allows(data_list) else WORST_TIER
    return tier, -len(data_list.items) if tier < WORST_TIER else 0, -chars


def _region(page: Page, data_list: DataList, chars: int, *, is_main: bool) -> Region:
    share = chars / max(len(page.text_of(page.body)), chars, 1)
    counts = [sum(1 for _ in texts_in(item)) for item in data_list.items]
    reasons = (
        Reason(ReasonCode.LENGTH, f"a list of {len(data_list.items)} items", len(data_list.items)),
        Reason(ReasonCode.TEXTS, f"{fmean(counts):.1f} ± {pstdev(counts):.1f} texts per item", fmean(counts)),
        Reason(ReasonCode.SHARE, f"the items hold {share:.0%} of the page's text", round(share, 4)),
    )
    confidence = min(1.0, share**0.5) if is_main else min(_MAX_OTHER_CONFIDENCE, share)
    values = record_values(data_list.items)
    slots = list_slots(values)
    columns = columns_of([(page, record) for record in values], slots)
    records = records_of(page, data_list.ranges, values, slots, columns)
    return Region(page.xpath(data_list.parent), records, round(confidence, 3), columns, reasons)


def record_values(items: Sequence[Data]) -> list[Values]:
    """Return the values of each item of a list, without the texts that nearly all items have."""
    common = common_item_texts(items)
    return [values_of(item, common) for item in items]


def common_item_texts(items: Sequence[Data]) -> CommonTexts:
    """Return the texts and attribute values that nearly all items of a list have."""
    return common_texts_of([list(texts_in(item, attributes=True)) for item in items])


def list_slots(values: Sequence[Values]) -> list[Slot]:
    """Return the slots of a list that become columns, in order."""
    return slots_in_order(values, min_records=max(1.0, _MIN_FILL * len(values)))[:MAX_COLUMNS]


def records_of(
    page: Page,
    ranges: Sequence[Range],
    values: Sequence[Values],
    slots: Sequence[Slot],
    columns: Sequence[Column],
) -> tuple[Record, ...]:
    """Return the records of a list with their cells by column name."""
    names = {slot: column.name for slot, column in zip(slots, columns, strict=True)}
    return tuple(
        Record((span,), page.text_of(*span), "", fields=cells_of(page, record, names), node=page.node(span[0]))
        for span, record in zip(ranges, values, strict=True)
    )

"""The records of a list page: what the selectors of a wrapper find, without what only looks like a record from outside.

A record is known by its shape and by its columns together: one whose classes are new has the shape, one that is laid
out anew has the columns, and a row of headings, a menu or the table around the whole list has neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from statistics import fmean

from peneira.page import Page
from peneira.wrappers.record_shapes import Shape, counts_of, likeness
from peneira.wrappers.saved_columns import ColumnReader, Found, SavedColumn
from peneira.xpath.selectors import Selector

# A column that nearly all records had is what a record, or a page, of the template is known by
CORE_FILL = 0.8
# What a record must have of its shape and of its core columns, both as shares, added up; less if the learning pages
# have records with less. Of what selectors find on 41 sites, 5 of 24,930 records have less, and 151 of 231 others
MIN_FIT = 0.5
# Of its core columns alone it must have so many where it does not stand in the usual place, and so much of its shape
MIN_CORE_ELSEWHERE = 0.7
MIN_SHAPE_ELSEWHERE = 0.5
# With fewer records than this share of the fewest so far, the other ways to them are tried
FEW_RECORDS = 0.6
# A column of which so many values differed tells records apart; if so few do, and what was found has so little of the
# shape of a record, it is parts of records, such as their labels. Told from so many on
KEY_DISTINCT = 0.9
MIN_DISTINCT = 0.5
MIN_MEAN_SHAPE = 0.5
MIN_PARTS = 8
# Texts that are no records although they stand where records do: so many are kept, of such a length
MAX_SKIPS = 8
MAX_SKIP_CHARS = 120

Roots = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """Where the records of list pages are: the selector of their first nodes, and how many siblings one has at most.

    ``others`` are tried where it finds few. ``shape``: the elements of a record; ``least``: how much of shape and core
    columns one has at least; ``skips``: how texts begin that stand among records and are none, such as headings.
    """

    selector: Selector
    nodes: int = 1
    others: tuple[Selector, ...] = ()
    shape: Shape = field(default_factory=dict)
    least: float = 0.0
    skips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it was found: its topmost rows, and its values by the name of the column."""

    top_rows: Roots
    values: dict[str, Found]


class RecordFinder:
    """Finds the records of pages. ``core``: the columns that nearly all records had; ``keys``: texts of them that tell
    records apart."""

    def __init__(self, records: RecordSpec, fields: Sequence[SavedColumn]) -> None:
        self.records, self.fields = records, fields
        self.core = [one for one in fields if one.stats.fill >= CORE_FILL]
        self.keys = [one for one in self.core if one.stats.distinct >= KEY_DISTINCT and not one.selector.attribute]

    def found(self, reader: ColumnReader, fewest: int = 1) -> list[Row]:
        """Return the records of a page; the other ways are taken if they find twice as many, and the usual one few."""
        rows = self.at(reader, self.records.selector)
        rows = [] if self._are_parts(reader.page, rows) else rows
        if len(rows) > FEW_RECORDS * fewest:
            return rows
        for other in self.records.others:
            elsewhere = self.at(reader, other, is_usual=False)
            if len(elsewhere) > 2 * len(rows):
                return elsewhere
        return rows

    def at(self, reader: ColumnReader, selector: Selector, *, is_usual: bool = True) -> list[Row]:
        """Return the records that one way leads to."""
        heads = reader.finder.rows(selector)
        rows = [self.row(reader, roots) for roots in extents(reader.page, heads, self.records.nodes)]
        those = [row for row in rows if self._is_record(reader.page, row, is_usual=is_usual)]
        return _apart(reader.page, those, lambda row: self.fit(reader.page, row))

    def row(self, reader: ColumnReader, roots: Roots) -> Row:
        """Return what stands at these topmost rows, whatever it is."""
        return Row(roots, {one.name: found for one in self.fields if (found := reader.found(one, roots)) is not None})

    def fit(self, page: Page, row: Row) -> float:
        """Return how much of a record something has: of its columns and of its shape, from 0 to 2."""
        return self._core_share(row) + self._likeness(page, row)

    def with_least(self, found: Iterable[tuple[ColumnReader, Roots]]) -> RecordSpec:
        """Return the records with the least that one must have: the usual, or what one of those found has."""
        fits = [self.fit(reader.page, self.row(reader, roots)) for reader, roots in found]
        return replace(self.records, least=min(MIN_FIT, floor(100 * min(fits, default=0.0)) / 100))

    def _are_parts(self, page: Page, rows: Sequence[Row]) -> bool:
        """Tell whether rows are parts of records of another template: values that told records apart repeat in them."""
        if len(rows) < MIN_PARTS:
            return False
        values = ([row.values[one.name].texts for row in rows if one.name in row.values] for one in self.keys)
        if not any(len(set(those)) < MIN_DISTINCT * len(those) for those in values):
            return False
        return fmean(self._likeness(page, row) for row in rows) < MIN_MEAN_SHAPE

    def _core_share(self, row: Row) -> float:
        return sum(one.name in row.values for one in self.core) / len(self.core) if self.core else 1.0

    def _likeness(self, page: Page, row: Row) -> float:
        return likeness(counts_of(page, row.top_rows), self.records.shape)

    def _is_record(self, page: Page, row: Row, *, is_usual: bool) -> bool:
        if self.records.skips and start_of(page, row.top_rows) in self.records.skips:
            return False
        share = self._core_share(row)
        if is_usual:  # the shape costs more than the columns, and is asked for only where they do not settle it
            return share >= self.records.least or share + self._likeness(page, row) >= self.records.least
        return share >= MIN_CORE_ELSEWHERE and self._likeness(page, row) >= MIN_SHAPE_ELSEWHERE


def start_of(page: Page, roots: Roots) -> str:
    """Return how the text of a record begins."""
    return page.text_of(roots[0], page.lists.end[roots[-1]])[:MAX_SKIP_CHARS]


def extents(page: Page, heads: Sequence[int], nodes: int) -> list[Roots]:
    """Return the topmost rows of each record: its first node and the siblings after it, up to the next record."""
    if nodes <= 1:
        return [(head,) for head in heads]
    ends = page.lists.end
    parents = page.lists.parent
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


def _apart(page: Page, rows: Sequence[Row], fit: Callable[[Row], float]) -> list[Row]:
    """Return the records without those that lie in others, or hold them: the better one of the two stays."""
    ends = page.lists.end
    kept: list[Row] = []
    for row in rows:
        while kept and row.top_rows[0] < ends[kept[-1].top_rows[-1]] and fit(row) >= fit(kept[-1]):
            kept.pop()
        if not kept or row.top_rows[0] >= ends[kept[-1].top_rows[-1]]:
            kept.append(row)
    return kept

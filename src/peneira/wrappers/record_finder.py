"""Finding the records of a list page by the selectors of a wrapper, and rejecting what is no record.

A record is recognized by its shape and its columns together: after a change of classes it keeps the shape, after a
change of layout it keeps the columns; a row of headings, a menu or the table around the whole list has neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from statistics import fmean

from peneira.page import Page
from peneira.wrappers.record_shapes import Shape, element_counts, shape_similarity
from peneira.wrappers.saved_columns import ColumnReader, FoundValues, SavedColumn
from peneira.xpath.finder import Finder
from peneira.xpath.selectors import Selector

# A column that nearly all records had is a core column: records and pages of the template are recognized by it
CORE_FILL = 0.8
# How many texts that look like records are kept to be skipped, and how much of each
MAX_SKIPS = 8
MAX_SKIP_CHARS = 120

# The topmost rows of a record, which are siblings
TopRows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """When something that a selector finds is a record. The score of a record: shape similarity + share of core
    columns, 0..2."""

    # Less if the learning pages have records with less. Of what selectors find on 41 sites, 5 of 24,930 records have
    # less, and 151 of 231 others
    min_score: float = 0.5
    # Both are needed where an alternative selector found it
    min_core_elsewhere: float = 0.7
    min_shape_elsewhere: float = 0.5
    # With fewer than this share of the fewest records on a learning page, the alternative selectors are tried
    few_records: float = 0.6
    # A column with this share of distinct values is a key
    key_distinct: float = 0.9
    # From this many records on: if values of a key repeat and the shapes differ, these are parts of records
    min_parts: int = 8
    min_distinct: float = 0.5
    min_mean_shape: float = 0.5


OPTIONS = RecordOptions()


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """Where the records of list pages are: the selector of their first nodes, and how many siblings each has at most.

    ``alternatives``: selectors to try where it finds few; ``shape``: the elements of a record; ``min_score``: the least
    score of a record; ``skips``: how the texts of non-records start that stand among records, such as headings;
    ``further``: selectors of records that stand elsewhere or are built otherwise, which are always read too.
    """

    selector: Selector
    max_nodes: int = 1
    alternatives: tuple[Selector, ...] = ()
    shape: Shape = field(default_factory=dict, hash=False)
    min_score: float = 0.0
    skips: tuple[str, ...] = ()
    further: tuple[Selector, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record on a page: its topmost rows, and its values by the name of the column."""

    top_rows: TopRows
    values: dict[str, FoundValues]


class RecordFinder:
    """Finds the records of pages. ``core``: the columns that nearly all records had; ``keys``: core columns of texts
    with distinct values."""

    def __init__(self, spec: RecordSpec, columns: Sequence[SavedColumn]) -> None:
        self.spec, self.columns = spec, columns
        self.core = [column for column in columns if column.stats.fill >= CORE_FILL and column.source == "page"]
        self.keys = [
            column
            for column in self.core
            if column.stats.distinct >= OPTIONS.key_distinct and not column.selector.attribute
        ]

    def records(self, reader: ColumnReader, min_records: int = 1) -> list[FoundRecord]:
        """Return the records of a page; an alternative selector is used if the usual finds few, and it twice as many.

        ``min_records``: the fewest records on a learning page.
        """
        usual = self.records_at(reader, self.spec.selector, *self.spec.further)
        usual = [] if self._are_parts(reader.page, usual) else usual
        if len(usual) > OPTIONS.few_records * min_records:
            return usual
        for selector in self.spec.alternatives:
            elsewhere = self.records_at(reader, selector, is_usual=False)
            if len(elsewhere) > 2 * len(usual):
                return elsewhere
        return usual

    def records_at(self, reader: ColumnReader, *selectors: Selector, is_usual: bool = True) -> list[FoundRecord]:
        """Return the records that any of the selectors finds."""
        page = reader.page
        heads = rows_of_any(reader.finder, selectors)
        extents = record_extents(page, heads, self.spec.max_nodes)
        found = [FoundRecord(top_rows, {}) for top_rows in extents]
        for column in self.columns:
            for record, values in zip(found, reader.values_in_each(column, extents), strict=True):
                if values is not None:
                    record.values[column.name] = values
        records = [record for record in found if self._is_record(page, record, is_usual=is_usual)]
        return _without_nested(page, records, lambda record: self.score(page, record))

    def record(self, reader: ColumnReader, top_rows: TopRows) -> FoundRecord:
        """Return what stands at these topmost rows, be it a record or not."""
        values = {
            column.name: found for column in self.columns if (found := reader.values(column, top_rows)) is not None
        }
        return FoundRecord(top_rows, values)

    def score(self, page: Page, record: FoundRecord) -> float:
        """Return the share of core columns plus the shape similarity, 0..2."""
        return self._core_share(record) + self._shape_similarity(page, record)

    def with_min_score(self, known: Iterable[tuple[ColumnReader, TopRows]]) -> RecordSpec:
        """Return the spec with the least score of these known records, the usual minimum at most."""
        scores = [self.score(reader.page, self.record(reader, top_rows)) for reader, top_rows in known]
        lowest = floor(100 * min(scores, default=0.0)) / 100
        return replace(self.spec, min_score=min(OPTIONS.min_score, lowest))

    def _are_parts(self, page: Page, records: Sequence[FoundRecord]) -> bool:
        """Return whether these are parts of records of another template: the values of a key repeat in them."""
        if len(records) < OPTIONS.min_parts:
            return False
        values_of_keys = (
            [record.values[key.name].texts for record in records if key.name in record.values] for key in self.keys
        )
        if not any(len(set(values)) < OPTIONS.min_distinct * len(values) for values in values_of_keys):
            return False
        return fmean(self._shape_similarity(page, record) for record in records) < OPTIONS.min_mean_shape

    def _core_share(self, record: FoundRecord) -> float:
        return sum(column.name in record.values for column in self.core) / len(self.core) if self.core else 1.0

    def _shape_similarity(self, page: Page, record: FoundRecord) -> float:
        return shape_similarity(element_counts(page, record.top_rows), self.spec.shape)

    def _is_record(self, page: Page, record: FoundRecord, *, is_usual: bool) -> bool:
        if self.spec.skips and start_of_text(page, record.top_rows) in self.spec.skips:
            return False
        share = self._core_share(record)
        if is_usual:  # the shape costs more than the columns, so it is computed only where they do not decide
            return share >= self.spec.min_score or share + self._shape_similarity(page, record) >= self.spec.min_score
        if share < OPTIONS.min_core_elsewhere:
            return False
        return self._shape_similarity(page, record) >= OPTIONS.min_shape_elsewhere


def rows_of_any(finder: Finder, selectors: Sequence[Selector]) -> list[int]:
    """Return the rows that any of the selectors selects, in order."""
    if len(selectors) == 1:
        return finder.rows(selectors[0])
    return sorted({row for selector in selectors for row in finder.rows(selector)})


def start_of_text(page: Page, top_rows: TopRows) -> str:
    """Return how the text of a record starts."""
    return page.text_of(top_rows[0], page.lists.end[top_rows[-1]])[:MAX_SKIP_CHARS]


def record_extents(page: Page, heads: Sequence[int], max_nodes: int) -> list[TopRows]:
    """Return the topmost rows of each record: its first node and the siblings after it, up to the next record."""
    if max_nodes <= 1:
        return [(head,) for head in heads]
    ends = page.lists.end
    parents = page.lists.parent
    is_head = set(heads)
    extents = []
    for head in heads:
        top_rows = [head]
        end = ends[parents[head]] if parents[head] >= 0 else len(page)
        at = ends[head]
        while at < end and at not in is_head and len(top_rows) < max_nodes:
            top_rows.append(at)
            at = ends[at]
        extents.append(tuple(top_rows))
    return extents


def _without_nested(
    page: Page, records: Sequence[FoundRecord], score: Callable[[FoundRecord], float]
) -> list[FoundRecord]:
    """Return the records without nesting: of two nested records the one with the higher score stays."""
    ends = page.lists.end
    kept: list[FoundRecord] = []
    for record in records:
        start = record.top_rows[0]
        while kept and start < ends[kept[-1].top_rows[-1]] and score(record) >= score(kept[-1]):
            kept.pop()
        if not kept or start >= ends[kept[-1].top_rows[-1]]:
            kept.append(record)
    return kept

"""A learning page with its list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from peneira.columns.builder import with_columns
from peneira.lists.arrangements import ArrangementSpec
from peneira.lists.rearranged import is_in_pieces, rearranged_page
from peneira.page import Page
from peneira.result import Record, Region
from peneira.wrappers.record_finder import TopRows
from peneira.wrappers.saved_columns import ColumnReader


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page with its list: the reader, the region, and the topmost rows of each record."""

    reader: ColumnReader
    region: Region
    records: tuple[TopRows, ...]

    @property
    def page(self) -> Page:
        """The page."""
        return self.reader.page


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list with the page on which its records are in one piece; ``arrangement`` is None where that is the page as
    it is."""

    page: Page
    region: Region
    arrangement: ArrangementSpec | None = None


def found_list(page: Page, region: Region) -> FoundList:
    """Return a list of a page; where its records are in pieces, as a list of the rearranged page."""
    rearranged = rearranged_page(page) if is_in_pieces(region) else None
    arranged = rearranged.from_whole_page(region) if rearranged is not None else None
    if rearranged is None or arranged is None:
        return FoundList(page, region)
    records = tuple(replace(record, fields={}, records=()) for record in arranged.records)
    filled = with_columns(rearranged.page, replace(arranged, records=records, columns=(), all_columns=()))
    return FoundList(rearranged.page, filled, rearranged.records[records[0].ranges[0][0]].spec)


def arranged_alike(lists: Sequence[FoundList]) -> list[FoundList]:
    """Return the lists that are arranged as most of them are: one wrapper cannot read both."""
    kinds = [found.arrangement.kind if found.arrangement is not None else "" for found in lists]
    usual = max(kinds, key=lambda kind: (kinds.count(kind), kind))
    return [found for found, kind in zip(lists, kinds, strict=True) if kind == usual]


def top_rows(page: Page, record: Record) -> TopRows:
    """Return the topmost rows of a record."""
    return tuple(page.top_rows(*record.ranges))

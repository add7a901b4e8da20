"""A learning page with its list."""

from __future__ import annotations

from dataclasses import dataclass

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


def top_rows(page: Page, record: Record) -> TopRows:
    """Return the topmost rows of a record."""
    ends = page.lists.end
    rows = []
    for start, end in record.ranges:
        at = start
        while at < end:
            rows.append(at)
            at = ends[at]
    return tuple(rows)

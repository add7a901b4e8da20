"""The records of the pages of a list as rows: each once, with the address of its own page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from peneira.result import Record, Region
from peneira.scrapy.details import Details, join_details
from peneira.table import Table, stack

SOURCE = "source"


def record_key(record: Record) -> str:
    """Return what tells a record from others: the address of its own page, else its text."""
    return str(record.url.value or record.url.text) if record.url is not None else record.text


def detail_address(record: Record) -> str | None:
    """Return the address of a record's own page, None where it has none."""
    address = record_key(record) if record.url is not None else ""
    return address if address.startswith(("http://", "https://")) else None


@dataclass(frozen=True, slots=True)
class RecordRows:
    """A table with a row per record, its column ``source`` first; the addresses of the records' own pages.

    ``repeated``: how many records were on several pages, and are here once.
    """

    table: Table
    addresses: tuple[str | None, ...]
    repeated: int

    def joined(self, details: Mapping[str, Details]) -> RecordRows:
        """Return the rows with what the records' own pages say."""
        return replace(self, table=join_details(self.table, self.addresses, details))


def record_rows(lists: Sequence[tuple[str, Region]]) -> RecordRows:
    """Return the records of lists, which have one schema, with the addresses of the pages they are on."""
    seen: set[str] = set()
    tables: list[tuple[tuple[str, ...], Table]] = []
    addresses: list[str | None] = []
    repeated = 0
    for url, region in lists:
        rows = []
        for record, row in zip(region.records, region.table.rows, strict=True):
            key = record_key(record)
            repeated += key in seen
            if key not in seen:
                seen.add(key)
                addresses.append(detail_address(record))
                rows.append(row)
        tables.append(((url,), Table(region.columns, tuple(rows))))
    return RecordRows(stack((SOURCE,), tables), tuple(addresses), repeated)

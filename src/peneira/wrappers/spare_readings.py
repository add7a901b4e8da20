"""Columns that a page of the template does not have where they were: read by their spare selectors.

A spare selector goes by tags and positions alone. It is used where the usual ones find nothing on a whole page, as
where a section of a site has class names of its own, and only if what it reads looks like the column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from peneira.wrappers.record_finder import FoundRecord
from peneira.wrappers.saved_columns import ColumnReader, FoundValues, SavedColumn, alike_share

# A column is missing if so many records would hardly all be without it by chance
MIN_RECORDS = 3
MIN_FILL = 0.5
# What a spare reads is the column if this share of its values is alike, and it is as full as this share of before
MIN_ALIKE = 0.8
MIN_FILL_SHARE = 0.6
# and no other column has more than this share of the values
MAX_SHARED = 0.3


def with_spares(reader: ColumnReader, columns: Sequence[SavedColumn], records: list[FoundRecord]) -> list[FoundRecord]:
    """Return the records of a page of the template, with the columns that only spare selectors read."""
    if len(records) < MIN_RECORDS:
        return records
    for column in columns:
        if column.spares and column.stats.fill >= MIN_FILL and not any(column.name in own.values for own in records):
            found = _by_spares(reader, column, records)
            records = [
                record if values is None else replace(record, values={**record.values, column.name: values})
                for record, values in zip(records, found, strict=True)
            ]
    return records


def _by_spares(
    reader: ColumnReader, column: SavedColumn, records: Sequence[FoundRecord]
) -> list[FoundValues | None]:
    for selector in column.spares:
        reading = replace(column.readings[0], selector=selector) if column.readings else None
        if reading is None:
            break
        spare = replace(column, readings=(reading,))
        found = [reader.values(spare, record.top_rows) for record in records]
        texts = [values.texts for values in found if values is not None]
        if len(texts) < MIN_FILL_SHARE * column.stats.fill * len(records):
            continue
        if column.stats.distinct > MAX_SHARED and len(set(texts)) == 1:
            continue
        shared = sum(
            values is not None and any(values.texts == other.texts for other in record.values.values())
            for values, record in zip(found, records, strict=True)
        )
        if shared <= MAX_SHARED * len(texts) and alike_share(column, [own[0] for own in texts]) >= MIN_ALIKE:
            return found
    return [None] * len(records)

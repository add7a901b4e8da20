"""Columns that a page of the template does not have where they were: read by their spare selectors.

A spare selector goes by tags and positions alone. It is used where the usual ones find nothing on a whole page, as
where a section of a site has class names of its own, and only if what it reads looks like the column. Looks are
patterns of values, not types, so that an exported module, which knows no types, reads the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from peneira.wrappers.record_finder import FoundRecord
from peneira.wrappers.saved_columns import MAX_PATTERNS, ColumnReader, FoundValues, SavedColumn, value_pattern

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
    for column in filter(has_spares, columns):
        if not any(column.name in own.values for own in records):
            found = _by_spares(reader, column, records)
            records = [
                record if values is None else replace(record, values={**record.values, column.name: values})
                for record, values in zip(records, found, strict=True)
            ]
    return records


def has_spares(column: SavedColumn) -> bool:
    """Return whether the spares of a column are used; a column of a table is missing where its header is."""
    return bool(column.spares and column.readings) and column.stats.fill >= MIN_FILL and column.header is None


def _by_spares(reader: ColumnReader, column: SavedColumn, records: Sequence[FoundRecord]) -> list[FoundValues | None]:
    for selector in column.spares:
        spare = replace(column, readings=(replace(column.readings[0], selector=selector),))
        found = reader.values_in_each(spare, [record.top_rows for record in records])
        texts = [values.texts for values in found if values is not None]
        if len(texts) < MIN_FILL_SHARE * column.stats.fill * len(records):
            continue
        if column.stats.distinct > MAX_SHARED and len(set(texts)) == 1:
            continue
        shared = sum(
            values is not None and any(values.texts == other.texts for other in record.values.values())
            for values, record in zip(found, records, strict=True)
        )
        if shared <= MAX_SHARED * len(texts) and _pattern_share(column, texts) >= MIN_ALIKE:
            return found
    return [None] * len(records)


def _pattern_share(column: SavedColumn, texts: Sequence[tuple[str, ...]]) -> float:
    """Return the share of values with the patterns that the column had; 1 where these were too many to tell."""
    patterns = column.stats.patterns
    if not 0 < len(patterns) < MAX_PATTERNS or column.selector.attribute:
        return 1.0
    return sum(value_pattern(own[0]) in patterns for own in texts) / len(texts)

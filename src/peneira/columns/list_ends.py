"""Lists that begin or end with a value: "$12.95", "or best offer", "free shipping" are a price, and what is said of it;
"Ann v Bob", "27/12/2024" are a title and a date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from peneira.columns.raw_columns import RawColumn, RawValue
from peneira.columns.value_patterns import value_pattern

# So many records show it, this share of them has the value at the end, and at most this share of the other items are
# such values
MIN_RECORDS = 5
MIN_SHARE = 0.8
MAX_OTHER_SHARE = 0.2
# An item that is longer is no value
MAX_VALUE_CHARS = 40
MAX_SAMPLED = 5


class _End(NamedTuple):
    """The place of an item in its list, and the pattern of its texts."""

    place: int
    pattern: str


_ENDS = (_End(0, "money"), _End(-1, "date"))


def with_list_ends(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """Return the columns with the values that lists begin or end with in a column of their own."""
    found: list[RawColumn] = []
    for column in columns:
        end = None
        if column.is_list and not column.attribute and not column.nested:
            end = next((end for end in _ENDS if _has_end(column, end)), None)
        found += _cut(column, end) if end is not None else [column]
    return found


def _cut(column: RawColumn, end: _End) -> list[RawColumn]:
    """Return the values at the end of a list, and the rest, in the order of the page."""
    taken = {record: values[end.place] for record, values in column.values.items() if _is_value(values, end)}
    rests = {
        record: [value for value in values if value is not taken.get(record)]
        for record, values in column.values.items()
    }
    ends = replace(column, is_list=False, values={record: [value] for record, value in taken.items()})
    rest = replace(column, values={record: values for record, values in rests.items() if values})
    rest.settle()
    return [ends, rest] if end.place == 0 else [rest, ends]


def _has_end(column: RawColumn, end: _End) -> bool:
    lists = list(column.values.values())
    if len(lists) < MIN_RECORDS or not any(_is_value(values, end) for values in islice(lists, MAX_SAMPLED)):
        return False
    with_value = [values for values in lists if _is_value(values, end)]
    if len(with_value) < MIN_SHARE * len(lists) or len(with_value) == sum(map(len, lists)):
        return False
    total = sum(_is_of_pattern(value.text, end.pattern) for values in lists for value in values)
    others = sum(map(len, lists)) - len(lists)
    return total - len(with_value) <= MAX_OTHER_SHARE * others


def _is_value(values: Sequence[RawValue], end: _End) -> bool:
    return _is_of_pattern(values[end.place].text, end.pattern)


def _is_of_pattern(text: str, pattern: str) -> bool:
    return len(text) <= MAX_VALUE_CHARS and value_pattern(text) == pattern

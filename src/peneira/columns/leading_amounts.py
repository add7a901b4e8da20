"""Lists that begin with the price: "$12.95", "or best offer", "free shipping" are a price, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from peneira.columns.raw_columns import RawColumn
from peneira.columns.value_patterns import value_pattern

# So many records show it, this share of them begins with an amount, and at most this share of the other items are some
MIN_RECORDS = 5
MIN_LEADING_SHARE = 0.8
MAX_OTHER_SHARE = 0.2
# An item that is longer is no amount
MAX_AMOUNT_CHARS = 40
MAX_SAMPLED = 5


def with_leading_amounts(columns: Sequence[RawColumn]) -> list[RawColumn]:
    """Return the columns with the amounts that lists begin with in a column of their own."""
    found: list[RawColumn] = []
    for column in columns:
        if not column.is_list or column.attribute or column.nested or not _begins_with_amounts(column):
            found.append(column)
            continue
        firsts = {record: values[:1] for record, values in column.values.items() if _is_amount(values[0].text)}
        rests = {record: values[record in firsts :] for record, values in column.values.items()}
        rest = replace(column, values={record: values for record, values in rests.items() if values})
        rest.settle()
        found += [replace(column, is_list=False, values=firsts), rest]
    return found


def _begins_with_amounts(column: RawColumn) -> bool:
    lists = list(column.values.values())
    if len(lists) < MIN_RECORDS or not any(_is_amount(values[0].text) for values in islice(lists, MAX_SAMPLED)):
        return False
    leading = sum(_is_amount(values[0].text) for values in lists)
    others = [value.text for values in lists for value in values[1:]]
    amounts = sum(map(_is_amount, others))
    return leading >= MIN_LEADING_SHARE * len(lists) and amounts <= MAX_OTHER_SHARE * len(others)


def _is_amount(text: str) -> bool:
    return len(text) <= MAX_AMOUNT_CHARS and value_pattern(text) == "money"

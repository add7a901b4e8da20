"""Typed values as texts, numbers, booleans and lists, for formats that have no other types."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import TypeAlias

from peneira.output.schema import Field, seconds
from peneira.values import Scalar

BasicValue: TypeAlias = str | int | float | bool | tuple[str, ...] | None


def basic_values(field: Field) -> Iterator[BasicValue]:
    """Yield the values of a field: dates and times in ISO 8601, durations in seconds.

    Decimals are floats where a double holds all of the field exactly, else texts.
    """
    exact = field.exact_as_double
    for value in field.values:
        yield _basic_value(value, exact)


def _basic_value(value: Scalar, exact: bool) -> BasicValue:
    match value:
        case Decimal():
            return float(value) if exact else str(value)
        case datetime.timedelta():
            return float(seconds(value))
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return value

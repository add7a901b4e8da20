"""A table as a pandas data frame, with nullable types: a missing number stays missing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, cast

from peneira.account import Tally
from peneira.errors import MissingExtra
from peneira.output.basic_values import basic_values
from peneira.output.characters import UNICODE
from peneira.output.schema import Field, Kind, fields
from peneira.table import Table
from peneira.values import Scalar

if TYPE_CHECKING:
    import pandas

_DTYPES: dict[Kind, str] = {
    "text": "string",
    "integer": "Int64",
    "boolean": "boolean",
    "date": "datetime64[us]",
    "datetime": "datetime64[us]",
    "instant": "datetime64[us, UTC]",
    "duration": "timedelta64[us]",
}


def data_frame(table: Table) -> pandas.DataFrame:
    """Return the table as a frame. Raises ``MissingExtra`` without pandas.

    Decimals are floats where a double holds all of the field exactly, else ``Decimal`` objects; dates are midnights.
    Nested records are lists of dictionaries, with dates as such.
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtra("pandas", "making a pandas frame") from error
    columns = {field.name: _series(field) for field in fields(table)}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(table.rows)))


def _series(field: Field) -> pandas.Series:
    import pandas

    if field.table is not None:
        return pandas.Series(_records(field), dtype="object")
    if field.kind == "decimal" and field.exact_as_double:
        return pandas.Series(list(basic_values(field)), dtype="Float64")
    return pandas.Series(_clean_values(field), dtype=_DTYPES.get(field.kind, "object"))


def _clean_values(field: Field) -> list[Scalar | float]:
    return [UNICODE.replace_forbidden_in(value, Tally()) for value in field.values]


def _records(field: Field) -> list[list[dict[str, object]] | None]:
    """Return the nested records of each record as dictionaries, None where it has none."""
    assert field.table is not None
    nested = fields(field.table)
    names = [inner.name for inner in nested]
    rows = zip(*map(_plain_values, nested), strict=True)
    return [
        None if count is None else [dict(zip(names, row, strict=True)) for row in islice(rows, cast("int", count))]
        for count in field.values
    ]


def _plain_values(field: Field) -> Sequence[object]:
    if field.table is not None:
        return _records(field)
    return list(basic_values(field)) if field.kind == "decimal" and field.exact_as_double else _clean_values(field)

"""A table as a pandas data frame, with nullable types: a missing number stays missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peneira.account import Tally
from peneira.errors import MissingExtra
from peneira.output.basic_values import basic_values
from peneira.output.characters import UNICODE
from peneira.output.schema import Field, Kind, fields
from peneira.table import Table

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
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtra("pandas", "making a pandas frame") from error
    columns = {field.name: _series(field) for field in fields(table)}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(table.rows)))


def _series(field: Field) -> pandas.Series:
    import pandas

    if field.kind == "decimal" and field.exact_as_double:
        return pandas.Series(list(basic_values(field)), dtype="Float64")
    values = [UNICODE.replace_forbidden_in(value, Tally()) for value in field.values]
    return pandas.Series(values, dtype=_DTYPES.get(field.kind, "object"))

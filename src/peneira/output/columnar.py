"""A table as Arrow, and with it as Parquet and Feather files: real types, nulls where there is nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, BinaryIO, cast

from peneira.account import NO_COLUMN, Account, Tally
from peneira.errors import MissingExtra
from peneira.output.characters import UNICODE
from peneira.output.schema import DECIMAL_DIGITS, Field, fields, scale_of
from peneira.table import Table

if TYPE_CHECKING:
    import pyarrow


def write_parquet(table: Table, file: BinaryIO) -> Account:
    """Write a Parquet file and return the account. Raises ``MissingExtra`` without pyarrow."""
    arrow, account = arrow_table(table)
    from pyarrow import parquet

    parquet.write_table(arrow, file)
    return account


def write_feather(table: Table, file: BinaryIO) -> Account:
    """Write an Arrow file (IPC, Feather version 2) and return the account. Raises ``MissingExtra`` without pyarrow."""
    arrow, account = arrow_table(table)
    from pyarrow import ipc

    with ipc.new_file(file, arrow.schema) as writer:
        writer.write_table(arrow)
    return account


def arrow_table(table: Table) -> tuple[pyarrow.Table, Account]:
    """Return the table as an Arrow table, and the account. Raises ``MissingExtra`` without pyarrow."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("parquet", "writing Parquet or Arrow") from error
    tally = Tally()
    table_fields = fields(table)
    arrays = [_array(field, tally) for field in table_fields]
    arrow = pyarrow.Table.from_arrays(arrays, names=[field.name for field in table_fields])
    if not table_fields:
        tally.lose("records", NO_COLUMN, len(table.rows))
    return arrow, tally.account(len(table.rows), len(table.rows) if table_fields else 0)


def _array(field: Field, tally: Tally) -> pyarrow.Array:
    """Return the values of a field; nested records are lists of structs."""
    import pyarrow

    if field.table is None:
        return pyarrow.array([UNICODE.replace_forbidden_in(value, tally) for value in field.values], arrow_type(field))
    nested = fields(field.table)
    arrays = [_array(inner, tally) for inner in nested]
    records = pyarrow.StructArray.from_arrays(arrays, names=[inner.name for inner in nested])
    offsets: list[int | None] = []  # where the nested records of each record start, None where it has none
    end = 0
    for count in field.values:
        offsets.append(None if count is None else end)
        end += cast("int", count or 0)
    return pyarrow.ListArray.from_arrays(pyarrow.array([*offsets, end], pyarrow.int32()), records)


def arrow_type(field: Field) -> pyarrow.DataType:
    """Return the type of a field without nested records."""
    import pyarrow

    if field.kind == "decimal":
        _, after = scale_of([value for value in field.values if isinstance(value, Decimal)])
        return pyarrow.decimal128(DECIMAL_DIGITS, after)  # one precision, so that files of one site go together
    return {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "boolean": pyarrow.bool_(),
        "date": pyarrow.date32(),
        "datetime": pyarrow.timestamp("us"),
        "instant": pyarrow.timestamp("us", tz="UTC"),
        "time": pyarrow.time64("us"),
        "duration": pyarrow.duration("us"),
        "list": pyarrow.list_(pyarrow.string()),
    }[field.kind]

"""Tables for the tests of the writers, and every format read back by a foreign reader."""

from __future__ import annotations

import csv
import datetime
import io
import json
import sqlite3
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from peneira.output.formulas import unguarded
from peneira.output.schema import fields
from peneira.table import Cell, Column, Table
from peneira.values import ColumnType, Money, Quantity, Rating, Value

Texts = list[dict[str, str | None]]


def cell(text: str, value: Value = None, items: tuple[str, ...] = (), type_: ColumnType = "integer") -> Cell:
    """Return a cell that was read as the type, or a text where there is no value."""
    return Cell(text, "", "text" if value is None else type_, value, items)


def text_table(names: list[str], rows: list[list[str | None]]) -> Table:
    """Return a table of texts; None is a missing cell."""
    columns = tuple(Column(name, caption=name, fill=1.0) for name in names)
    return Table(columns, tuple(tuple(None if text is None else cell(text) for text in row) for row in rows))


def typed_column(type_: ColumnType, *cells: Cell | None) -> Table:
    """Return a table of one typed column, ``x``."""
    return Table((Column("x", caption="x", fill=1.0, type=type_),), tuple((_of_type(each, type_),) for each in cells))


def _of_type(each: Cell | None, type_: ColumnType) -> Cell | None:
    return each if each is None or each.type == "text" else replace(each, type=type_)


_TYPED: dict[ColumnType, tuple[str, Value]] = {
    "text": ("Ana, \"A\"\nBia", None),
    "integer": ("1,234", 1234),
    "number": ("12,50", Decimal("12.50")),
    "money": ("R$ 1.299,00", Money(Decimal("1299.00"), "BRL")),
    "percent": ("-7.5 %", Decimal("-7.5")),
    "quantity": ("85 m²", Quantity(Decimal(85), "m2")),
    "date": ("15 Nov 2026", datetime.date(2026, 11, 15)),
    "datetime": ("15 Nov 2026 10:30", datetime.datetime(2026, 11, 15, 10, 30)),
    "time": ("half past ten", datetime.time(10, 30)),
    "duration": ("1 h 30 min", datetime.timedelta(minutes=90)),
    "url": ("https://shop.example/1", "https://shop.example/1"),
    "email": ("ana (at) mail.example", "ana@mail.example"),
    "rating": ("4.5 of 5", Rating(Decimal("4.5"), Decimal(5))),
    "boolean": ("in stock", True),
    "list": ("red blue", ("red", "blue")),
}  # fmt: skip
# One record with everything, one with nothing, one whose texts could not be read
EVERY_TYPE = Table(
    tuple(Column(f"{type_}_column", caption="", fill=0.5, type=type_) for type_ in _TYPED),
    (
        tuple(cell(text, value, type_=type_) for type_, (text, value) in _TYPED.items()),
        tuple(None for _ in _TYPED),
        tuple(cell("unreadable") for _ in _TYPED),
    ),
)


def texts_of(table: Table) -> Texts:
    """Return the raw texts of a table of unique names: what every format must give back."""
    return [dict(zip(table.names, (c and c.text for c in row), strict=True)) for row in table.rows]


def _texts(table: Table, records: list[dict[str, object]]) -> Texts:
    """Return the raw texts from typed records: ``<name>_text`` where there is one, else ``<name>``."""
    made = {field.name for field in fields(table)}
    place = {name: f"{name}_text" if f"{name}_text" in made else name for name in table.names}
    return [{name: record.get(place[name]) for name in table.names} for record in records]  # type: ignore[misc]


def from_csv(table: Table, *, delimiter: str = ",") -> Texts:
    file = io.StringIO(newline="")
    (table.to_csv if delimiter == "," else table.to_tsv)(file)
    file.seek(0)
    header, *rows = csv.reader(file, delimiter=delimiter, strict=True)
    return [dict(zip(map(unguarded, header), map(unguarded, row), strict=True)) for row in rows]


def from_tsv(table: Table) -> Texts:
    return from_csv(table, delimiter="\t")


def from_json(table: Table) -> Texts:
    file = io.StringIO()
    table.to_json(file)
    return _texts(table, json.loads(file.getvalue()))


def from_jsonl(table: Table) -> Texts:
    file = io.StringIO()
    table.to_jsonl(file)
    return _texts(table, [json.loads(line) for line in file.getvalue().split("\n")[:-1]])


def from_parquet(table: Table) -> Texts:
    from pyarrow import parquet

    file = io.BytesIO()
    table.to_parquet(file)
    return _texts(table, parquet.read_table(file).to_pylist())


def from_feather(table: Table) -> Texts:
    from pyarrow import ipc

    file = io.BytesIO()
    table.to_feather(file)
    return _texts(table, ipc.open_file(file).read_all().to_pylist())


def from_pandas(table: Table) -> Texts:
    frame = table.to_pandas().astype(object)
    return _texts(table, frame.where(frame.notna(), None).to_dict("records"))


def sheet_of(table: Table, *, raw: bool = False) -> list[list[object]]:
    from openpyxl import load_workbook

    file = io.BytesIO()
    table.to_xlsx(file, raw=raw)
    return [list(row) for row in load_workbook(file).active.iter_rows(values_only=True)]


def from_xlsx(table: Table) -> Texts:
    header, *rows = sheet_of(table)
    return _texts(table, [dict(zip(map(str, header), row, strict=True)) for row in rows])


def from_sqlite(table: Table, path: Path) -> Texts:
    table.to_sqlite(path, table_name="t")
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute("SELECT * FROM t")]
    connection.close()
    return _texts(table, rows)

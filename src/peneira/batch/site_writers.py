"""The tables of sites as files: Parquet and JSON Lines in a folder for each site, or tables of one SQLite database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from peneira.batch.row_schema import PAGE_FIELDS, PAGES, TaskTable
from peneira.batch.site_names import folder_name, table_name
from peneira.batch.site_tables import DECIMAL_PLACES, SiteTable, site_tables
from peneira.batch.sqlite_target import add_rows, add_table, chunk_transaction
from peneira.batch.table_parts import GROUP_ROWS, part_path, row_writer
from peneira.batch.tasks import PageOutcome
from peneira.files import OwnPath, binary_file, text_file
from peneira.output.basic_values import basic_values
from peneira.output.columnar import arrow_type
from peneira.output.database import identifier
from peneira.output.schema import DECIMAL_DIGITS, Field


def write_site_parts(
    outcomes: Sequence[PageOutcome], folder: Path, number: int, table: TaskTable, format_: str, state: Path
) -> None:
    """Write the part files of each site (``records/site=example.org/part-000000.parquet``), and last of ``pages``."""
    for own in site_tables(outcomes, state, number):
        path = part_path(folder / table.name / folder_name(own.site), number, format_)
        path.parent.mkdir(parents=True, exist_ok=True)
        if format_ == "parquet":
            _write_parquet(own, path)
        else:
            _write_jsonl(own, path)
    path = part_path(folder / PAGES, number, format_)
    with row_writer(path, PAGE_FIELDS, "parquet" if format_ == "parquet" else "jsonl") as writer:
        writer.write([outcome.page for outcome in outcomes])


def _write_parquet(own: SiteTable, path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    decimal = pyarrow.decimal128(DECIMAL_DIGITS, DECIMAL_PLACES)
    arrays = [
        pyarrow.array(field.values, decimal if field.kind == "decimal" else arrow_type(field)) for field in own.fields
    ]
    table = pyarrow.Table.from_arrays(arrays, names=[field.name for field in own.fields])
    with binary_file(OwnPath(path)) as file:
        parquet.write_table(table, file, compression="zstd", row_group_size=GROUP_ROWS)


def _write_jsonl(own: SiteTable, path: Path) -> None:
    with text_file(OwnPath(path)) as file:
        for row in zip(*map(basic_values, own.fields), strict=True):
            known = {field.name: value for field, value in zip(own.fields, row, strict=True) if value is not None}
            file.write(json.dumps(known, ensure_ascii=False) + "\n")


def write_site_database(
    outcomes: Sequence[PageOutcome], folder: Path, number: int, table: TaskTable, state: Path
) -> None:
    """Write the rows of each site into a table of its own (``records_example_org``), which grows by adding columns."""
    with chunk_transaction(folder, number) as connection:
        if connection is None:
            return
        add_table(connection, PAGES, PAGE_FIELDS)
        add_rows(connection, PAGES, PAGE_FIELDS, (outcome.page for outcome in outcomes))
        for own in site_tables(outcomes, state, number):
            _add_site(connection, table_name(table.name, own.site), own.fields)


def _add_site(connection: sqlite3.Connection, name: str, fields: Sequence[Field]) -> None:
    connection.execute(f"CREATE TABLE IF NOT EXISTS {identifier(name)} ({identifier(fields[0].name)})")
    has = {row[1] for row in connection.execute(f"PRAGMA table_info({identifier(name)})")}
    for field in fields:
        if field.name not in has:
            connection.execute(f"ALTER TABLE {identifier(name)} ADD COLUMN {identifier(field.name)}")
    names, marks = ", ".join(identifier(field.name) for field in fields), ", ".join("?" * len(fields))
    values = ([_bound(value) for value in basic_values(field)] for field in fields)
    connection.executemany(f"INSERT INTO {identifier(name)} ({names}) VALUES ({marks})", zip(*values, strict=True))


def _bound(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value

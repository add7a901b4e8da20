"""A run as one SQLite database: each part of the run is one transaction, which also notes that it is there."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from peneira.batch.cell_form import Json, JsonObject
from peneira.batch.row_schema import PAGE_FIELDS, PAGES, FieldSpec, TaskTable
from peneira.batch.table_parts import GROUP_ROWS, task_rows
from peneira.batch.tasks import PageOutcome
from peneira.errors import OutputError
from peneira.output.database import identifier

DATABASE = "data.sqlite"
_CHUNKS = "peneira_chunks"
_AFFINITY = {"text": "TEXT", "integer": "INTEGER", "number": "REAL", "cells": "TEXT"}


@contextlib.contextmanager
def chunk_transaction(folder: Path, number: int) -> Iterator[sqlite3.Connection | None]:
    """Give the database within the transaction of a part of the run, None where that part is in it already."""
    path = folder / DATABASE
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"CREATE TABLE IF NOT EXISTS {_CHUNKS} (number INTEGER PRIMARY KEY)")
            if connection.execute(f"SELECT 1 FROM {_CHUNKS} WHERE number = ?", (number,)).fetchone():
                yield None
                return
            yield connection
            connection.execute(f"INSERT INTO {_CHUNKS} VALUES (?)", (number,))
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise OutputError(path, f"cannot be written: {error}") from error


def write_database(outcomes: Iterable[PageOutcome], folder: Path, number: int, table: TaskTable) -> None:
    """Write a part of the run into the database."""
    with chunk_transaction(folder, number) as connection:
        if connection is None:
            return
        add_table(connection, PAGES, PAGE_FIELDS)
        add_table(connection, table.name, table.all_fields)
        remaining = iter(outcomes)
        while some := list(islice(remaining, GROUP_ROWS)):
            add_rows(connection, PAGES, PAGE_FIELDS, (outcome.page for outcome in some))
            add_rows(connection, table.name, table.all_fields, (row for outcome in some for row in task_rows(outcome)))


def add_table(connection: sqlite3.Connection, name: str, fields: Sequence[FieldSpec]) -> None:
    """Make a table, unless it is there."""
    columns = ", ".join(f"{identifier(field)} {_AFFINITY[kind]}" for field, kind in fields)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {identifier(name)} ({columns})")


def add_rows(
    connection: sqlite3.Connection, name: str, fields: Sequence[FieldSpec], rows: Iterable[JsonObject]
) -> None:
    """Add rows to a table; cells are JSON."""
    marks = ", ".join("?" * len(fields))
    connection.executemany(
        f"INSERT INTO {identifier(name)} VALUES ({marks})",
        (tuple(_bound(row.get(field)) for field, _ in fields) for row in rows),
    )


def _bound(value: Json) -> str | int | float | None:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value

"""A table as a new table of an SQLite database.

Values are as in ``basic_values``: dates and times as SQLite's own functions take them. Booleans are 0 or 1, lists
are JSON arrays. Nested records are a table of their own, ``<table>_<column>``: its ``record_id`` is that of the record
they belong to.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from peneira.account import NO_COLUMN, Account, Tally
from peneira.errors import OutputError
from peneira.files import FilePath, replacing
from peneira.output.basic_values import BasicValue, basic_values
from peneira.output.characters import WITHOUT_NUL
from peneira.output.schema import Field, Relation, relations, unused_name
from peneira.output.schema_difference import schema_difference
from peneira.table import Table

_DEFAULT_NAME = "records"
_RESERVED_START = "sqlite_"
_NOT_A_WORD = re.compile(r"\W+")


def write_sqlite(table: Table, path: FilePath, *, table_name: str | None = None, append: bool = False) -> Account:
    """Write the table into the database and return the account. All of it is written, or nothing.

    Raises ``OutputError`` where the database has a table of that name, unless ``append`` adds to one of the same
    columns, or cannot be written.
    """
    tables = relations(table)
    names = _table_names(tables, table_name_for(path, table_name))
    tally = Tally()
    with _database(path) as connection:
        if not tables[0].fields:
            tally.lose("records", NO_COLUMN, len(table.rows))
            return tally.account(len(table.rows), 0)
        max_columns = connection.getlimit(sqlite3.SQLITE_LIMIT_COLUMN)
        offsets: list[int] = []
        for relation, name in zip(tables, names, strict=True):
            if len(relation.fields) > max_columns:
                count = f"{len(relation.fields):,} columns"
                raise OutputError(path, f"{count} are more than the {max_columns:,} that SQLite holds")
            parent = identifier(names[relation.parent]) if relation.path else ""
            if not append:
                _refuse_existing(connection, path, name)
            offsets.append(_prepare(connection, path, relation, name, parent))
            parent_offset = offsets[relation.parent] if relation.path else 0
            _insert(connection, relation, identifier(name), offsets[-1], parent_offset, tally)
    return tally.account(len(table.rows))


def _table_names(tables: Sequence[Relation], name: str) -> list[str]:
    """Return the names of the tables: that of nested records is the name of the table and the path of their column."""
    names: list[str] = []
    for relation in tables:
        taken = {other.casefold() for other in names}
        names.append(unused_name("_".join((name, *relation.path)), taken))
    return names


def _prepare(connection: sqlite3.Connection, path: FilePath, relation: Relation, name: str, parent: str) -> int:
    """Make the table, or compare its columns where it is there; return the greatest number of its records."""
    there = {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({identifier(name)})")}
    if there:
        own = {field.name: _affinity(field) for field in relation.fields}
        if difference := schema_difference(there, own):
            raise OutputError(path, f"cannot append to {name!r}: {difference}")
        if not relation.key:
            return 0
        query = f"SELECT max({identifier(relation.key)}) FROM {identifier(name)}"
        return int(connection.execute(query).fetchone()[0] or 0)
    columns = [f"{identifier(field.name)} {_affinity(field)}" for field in relation.fields]
    for k, field in enumerate(relation.fields):
        if field.name == relation.key:
            columns[k] += " PRIMARY KEY"
        elif field.name == relation.parent_key:
            columns[k] += f" REFERENCES {parent}"
    connection.execute(f"CREATE TABLE {identifier(name)} ({', '.join(columns)})")
    return 0


def _insert(
    connection: sqlite3.Connection, relation: Relation, name: str, offset: int, parent_offset: int, tally: Tally
) -> None:
    """Write the rows; those that are added are numbered after those that are there."""
    shifts = {relation.key: offset, relation.parent_key: parent_offset}
    columns = [
        [_shifted(_bound(value, tally), shifts.get(field.name, 0)) for value in basic_values(field)]
        for field in relation.fields
    ]
    listed = ", ".join(identifier(field.name) for field in relation.fields)
    marks = ", ".join("?" * len(relation.fields))
    connection.executemany(f"INSERT INTO {name} ({listed}) VALUES ({marks})", zip(*columns, strict=True))


def _shifted(value: str | int | float | None, shift: int) -> str | int | float | None:
    return value + shift if shift and isinstance(value, int) else value


def table_name_for(path: FilePath, name: str | None) -> str:
    """Return the name of the table: the given one, else the name of the file."""
    if name is None:
        derived = _NOT_A_WORD.sub("_", Path(path).stem).strip("_")
        return f"_{derived}" if derived.casefold().startswith(_RESERVED_START) else derived or _DEFAULT_NAME
    if not name or not name.isprintable() or name.casefold().startswith(_RESERVED_START):
        raise OutputError(path, f"{name!r} cannot be the name of a table")
    return name


def check_sqlite(path: FilePath, *, table_name: str | None = None) -> None:
    """Raise ``OutputError`` where ``write_sqlite`` would refuse, before there is anything to write."""
    name = table_name_for(path, table_name)
    if Path(path).exists():
        with _database(path) as connection:
            _refuse_existing(connection, path, name)


@contextlib.contextmanager
def _database(path: FilePath) -> Iterator[sqlite3.Connection]:
    """Give the database within a transaction; a new database is put in its place only when it is complete."""
    target = Path(os.path.realpath(path))
    with contextlib.nullcontext(target) if target.exists() else replacing(path) as file:
        try:
            with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise OutputError(path, f"cannot be written as an SQLite database: {error}") from error


def _refuse_existing(connection: sqlite3.Connection, path: FilePath, name: str) -> None:
    # names in SQLite ignore ASCII case
    query = "SELECT name FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')"
    if connection.execute(query, (name,)).fetchone():
        raise OutputError(path, f"has a table {name!r} already; name another (--table) or add to it (--append)")


def identifier(name: str) -> str:
    """Return a name as SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def _affinity(field: Field) -> str:
    if field.kind in ("integer", "boolean"):
        return "INTEGER"
    return "REAL" if field.kind == "duration" or (field.kind == "decimal" and field.exact_as_double) else "TEXT"


def _bound(value: BasicValue, tally: Tally) -> str | int | float | None:
    if isinstance(value, tuple):
        value = json.dumps(value, ensure_ascii=False)
    return WITHOUT_NUL.replace_forbidden(value, tally) if isinstance(value, str) else value

"""A table as a table of a PostgreSQL database (extra ``postgres``), with the types of the server.

Money and other decimals are ``numeric``, lists are ``text[]``. Nested records are a table of their own, as in SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from peneira.account import NO_COLUMN, Account, Tally
from peneira.credentials import hidden_credentials
from peneira.errors import MissingExtra, OutputError
from peneira.output.characters import WITHOUT_NUL
from peneira.output.schema import Kind, Relation, relations, unused_name
from peneira.output.schema_difference import schema_difference
from peneira.table import Table
from peneira.values import Scalar

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")
DEFAULT_NAME = "records"
_MAX_NAME_BYTES = 63
_TYPES: dict[Kind, str] = {
    "text": "text",
    "integer": "bigint",
    "decimal": "numeric",
    "boolean": "boolean",
    "date": "date",
    "datetime": "timestamp without time zone",
    "instant": "timestamp with time zone",
    "time": "time without time zone",
    "duration": "interval",
    "list": "text[]",
    "records": "bigint",
}


def is_postgres(target: str) -> bool:
    """Return whether a target is the address of a PostgreSQL database."""
    return target.lower().startswith(SCHEMES)


def check_postgres(address: str, *, table_name: str | None = None, append: bool = False) -> None:
    """Raise ``OutputError`` where ``write_postgres`` would refuse, before there is anything to write."""
    with _connected(address) as connection:
        if not append:
            _refuse_existing(connection, address, table_name or DEFAULT_NAME)


def write_postgres(table: Table, address: str, *, table_name: str | None = None, append: bool = False) -> Account:
    """Write the table into the database and return the account. All of it is written, or nothing.

    Raises ``OutputError`` where the database has a table of that name, unless ``append`` adds to one of the same
    columns.
    """
    tally = Tally()
    parts = relations(table)
    if not parts[0].fields:
        tally.lose("records", NO_COLUMN, len(table.rows))
        return tally.account(len(table.rows), 0)
    names: list[str] = []
    for part in parts:
        name = "_".join((table_name or DEFAULT_NAME, *part.path)).encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
        names.append(unused_name(name, {other.casefold() for other in names}))
    with _connected(address) as connection:
        offsets = [
            _prepare(connection, address, part, name, append=append) for part, name in zip(parts, names, strict=True)
        ]
        for part, name, offset in zip(parts, names, offsets, strict=True):
            parent_offset = offsets[part.parent] if part.path else 0
            _insert(connection, part, name, offset, parent_offset, tally)
    return tally.account(len(table.rows))


def _prepare(connection: psycopg.Connection[Any], address: str, part: Relation, name: str, *, append: bool) -> int:
    """Make the table, or compare it where it is there; return the greatest number of its records."""
    columns = _columns(connection, name)
    own = {field.name: _TYPES[field.kind] for field in part.fields}
    if not columns:
        listed = ", ".join(f"{_identifier(column)} {kind}" for column, kind in own.items())
        connection.execute(_query(f"CREATE TABLE {_identifier(name)} ({listed})"))
        return 0
    if not append:
        _refuse_existing(connection, address, name)
    if difference := schema_difference(columns, own):
        raise OutputError(hidden_credentials(address), f"cannot append to {name!r}: {difference}")
    if not part.key:
        return 0
    greatest = connection.execute(_query(f"SELECT max({_identifier(part.key)}) FROM {_identifier(name)}")).fetchone()
    return int(greatest[0] or 0) if greatest else 0


def _insert(
    connection: psycopg.Connection[Any], part: Relation, name: str, offset: int, parent_offset: int, tally: Tally
) -> None:
    shifts = {part.key: offset, part.parent_key: parent_offset}
    columns = [[_bound(value, tally, shifts.get(field.name, 0)) for value in field.values] for field in part.fields]
    listed = ", ".join(_identifier(field.name) for field in part.fields)
    with connection.cursor() as cursor, cursor.copy(_query(f"COPY {_identifier(name)} ({listed}) FROM STDIN")) as copy:
        for row in zip(*columns, strict=True):
            copy.write_row(row)


def _bound(value: Scalar, tally: Tally, shift: int) -> object:
    if isinstance(value, str):
        return WITHOUT_NUL.replace_forbidden(value, tally)
    if isinstance(value, tuple):
        return [WITHOUT_NUL.replace_forbidden(item, tally) for item in value]
    return value + shift if shift and type(value) is int else value


def _columns(connection: psycopg.Connection[Any], name: str) -> dict[str, str]:
    query = (
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
        " WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
    )
    return dict(connection.execute(query, (_identifier(name),)).fetchall())


def _refuse_existing(connection: psycopg.Connection[Any], address: str, name: str) -> None:
    if _columns(connection, name):
        message = f"has a table {name!r} already; name another (--table) or add to it (--append)"
        raise OutputError(hidden_credentials(address), message)


@contextmanager
def _connected(address: str) -> Iterator[psycopg.Connection[Any]]:
    """Give a connection within a transaction; errors of the server are ``OutputError``."""
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtra("postgres", "writing to PostgreSQL") from error
    try:
        with psycopg.connect(address, connect_timeout=10) as connection:
            yield connection
    except psycopg.Error as error:
        message = " ".join(str(error).split())[:300]
        raise OutputError(hidden_credentials(address), f"cannot be written: {message}") from error


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _query(text: str) -> Any:
    return text.encode()

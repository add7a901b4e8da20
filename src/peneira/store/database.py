"""The two databases that a history can be in: SQLite in a file, PostgreSQL by its address (extra ``postgres``).

Work is a function that gets a session and runs in one transaction: all of it is kept, or nothing. Transactions of one
name wait for each other, also those of other processes. Where the connection to a server is lost, the work is done
again on a new one: it must be such that doing it twice is doing it once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from peneira.credentials import hidden_credentials
from peneira.errors import MissingExtra, StoreError
from peneira.output.postgres_table import is_postgres

if TYPE_CHECKING:
    import psycopg

Result = TypeVar("Result")
Values = Sequence[object]

# How often work is tried on a new connection, and the pause before each further try
_TRIES = 4
_PAUSE_S = 0.5
_BUSY_S = 60.0


class Session(Protocol):
    """A transaction of a database. Placeholders are question marks."""

    def rows(self, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    def run(self, statement: str, values: Values = ()) -> None:
        """Run a statement."""

    def run_many(self, statement: str, rows: Iterable[Values]) -> None:
        """Run a statement once for each row of values."""


class Database(Protocol):
    """A database that does work in transactions."""

    name: str
    time_type: str

    def work(self, work: Callable[[Session], Result], *, lock: str) -> Result:
        """Do work in one transaction, when no other work of the same lock is under way."""

    def close(self) -> None:
        """Close the connection."""


def open_database(target: str | Path, *, must_exist: bool = False) -> Database:
    """Return the database at a path or address. Raises ``StoreError`` where it cannot be opened."""
    if isinstance(target, str) and is_postgres(target):
        return PostgresDatabase(target)
    return SqliteDatabase(Path(target), must_exist=must_exist)


class SqliteDatabase:
    """An SQLite database in a file."""

    time_type = "TEXT"

    def __init__(self, path: Path, *, must_exist: bool = False) -> None:
        self.name = str(path)
        if must_exist and not path.is_file():
            raise StoreError(self.name, "no such store; `peneira track` makes one")
        try:
            self._connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(self.name, f"cannot be opened as an SQLite database: {error}") from error

    def work(self, work: Callable[[Session], Result], *, lock: str) -> Result:
        """Do work in one transaction; SQLite has one writer at a time, whatever the lock."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(_SqliteSession(self._connection))
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(self.name, f"cannot be used as a store: {error}") from error
        return result

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class _SqliteSession:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, tuple(values)).fetchall()

    def run(self, statement: str, values: Values = ()) -> None:
        self._connection.execute(statement, tuple(values))

    def run_many(self, statement: str, rows: Iterable[Values]) -> None:
        self._connection.executemany(statement, map(tuple, rows))


class PostgresDatabase:
    """A PostgreSQL database; the password of its address is in no message."""

    time_type = "TIMESTAMPTZ"

    def __init__(self, address: str) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtra("postgres", "a PostgreSQL store") from error
        self.name = hidden_credentials(address)
        self._address = address
        self._failure = psycopg.OperationalError
        self._error = psycopg.Error
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    def work(self, work: Callable[[Session], Result], *, lock: str) -> Result:
        """Do work in one transaction; on a lost connection, do it again on a new one."""
        for tries_left in reversed(range(_TRIES)):
            try:
                return self._work(work, lock)
            except self._failure as error:
                self.close()
                if not tries_left:
                    message = f"no connection, and nothing was recorded ({_line(error)}); try again"
                    raise StoreError(self.name, message) from error
                time.sleep(_PAUSE_S * (_TRIES - tries_left))
            except self._error as error:
                raise StoreError(self.name, f"cannot be used as a store: {_line(error)}") from error
        raise AssertionError("the last try returns or raises")

    def _work(self, work: Callable[[Session], Result], lock: str) -> Result:
        import psycopg

        if self._connection is None:
            self._connection = psycopg.connect(self._address, connect_timeout=10)
        with self._connection.transaction():
            session = _PostgresSession(self._connection)
            session.rows("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (f"peneira {lock}",))
            return work(session)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _PostgresSession:
    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    def rows(self, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(_marked(query), tuple(values)).fetchall()

    def run(self, statement: str, values: Values = ()) -> None:
        self._connection.execute(_marked(statement), tuple(values))

    def run_many(self, statement: str, rows: Iterable[Values]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_marked(statement), list(map(tuple, rows)))


def _marked(statement: str) -> Any:
    """Return a statement with the placeholders of psycopg; the statements are ours and hold no other question marks."""
    return statement.replace("%", "%%").replace("?", "%s")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]

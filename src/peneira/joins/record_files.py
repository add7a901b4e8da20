"""Tables read back from files: every cell as text, whatever the format holds."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from peneira.errors import InputError, MissingExtra

# Cells of CSV files are longer than the limit of the module where a page has long texts
_MAX_CELL_CHARS = 2**27
# Whole numbers below it are exact as floats
_MAX_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The records of a file: the names of its columns, and the texts of each record without its empty cells."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]


def read_records(path: Path) -> RecordFile:
    """Return the records of a CSV, TSV, JSON, JSON Lines, Parquet, Arrow or SQLite file. Raises ``InputError``."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: unknown ending; records are read from {' '.join(_READERS)}")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        rows = [{str(name): text for name, value in row.items() if (text := _text(value))} for row in reader(path)]
    except (OSError, UnicodeError, ValueError, csv.Error, sqlite3.Error, AttributeError) as error:
        raise InputError(f"{path}: cannot be read as {path.suffix.lower()[1:]}: {error}") from error
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return RecordFile(path.stem, columns, tuple(rows))


def _text(value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_EXACT:
        return str(int(value))  # columns of whole numbers with gaps are floats in some files
    return str(value)


def _delimited(separator: str) -> Callable[[Path], Iterable[dict[str, object]]]:
    def read(path: Path) -> Iterable[dict[str, object]]:
        csv.field_size_limit(_MAX_CELL_CHARS)
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=separator))
        return [{name: value for name, value in row.items() if name is not None} for row in rows]

    return read


def _json(path: Path) -> Iterable[dict[str, object]]:
    found = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(found, list):
        raise ValueError("it is not an array of objects")
    return found


def _json_lines(path: Path) -> Iterable[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8-sig").split("\n") if line.strip()]


def _arrow(path: Path) -> Iterable[dict[str, object]]:
    try:
        from pyarrow import feather, parquet
    except ImportError as error:
        raise MissingExtra("parquet", "reading Parquet or Arrow") from error
    table = parquet.read_table(path) if path.suffix.lower() in (".parquet", ".pq") else feather.read_table(path)
    rows: list[dict[str, object]] = table.to_pylist()
    return rows


def _sqlite(path: Path) -> Iterable[dict[str, object]]:
    """Return the rows of the table that is named after the file, else of the only one."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        chosen = path.stem if path.stem in names else names[0] if len(names) == 1 else None
        if chosen is None:
            raise ValueError(f"it has {len(names)} tables and none is called {path.stem!r}")
        connection.row_factory = sqlite3.Row
        quoted = chosen.replace('"', '""')
        return [dict(row) for row in connection.execute(f'SELECT * FROM "{quoted}"')]


_READERS: dict[str, Callable[[Path], Iterable[dict[str, object]]]] = {
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _arrow,
    ".pq": _arrow,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".sqlite": _sqlite,
    ".sqlite3": _sqlite,
    ".db": _sqlite,
}

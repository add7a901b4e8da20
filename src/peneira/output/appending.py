"""Records added to a file that is there already, where the format allows it and the columns are the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from peneira.account import Account
from peneira.errors import OutputError
from peneira.files import binary_file, text_file
from peneira.output.columnar import arrow_table
from peneira.output.schema_difference import schema_difference
from peneira.table import Table

TextWriter = Callable[[TextIO], Account]


def append_delimited(path: Path, write: TextWriter, *, separator: str) -> Account:
    """Add the rows that a writer writes, without its header, to a CSV or TSV file with the same header."""
    text = io.StringIO()
    account = write(text)
    header, rows = _first_row(text.getvalue(), separator)
    before = _read(path)
    there, _ = _first_row(before.removeprefix("\ufeff"), separator)
    if there != header:
        new, old = dict.fromkeys(header, ""), dict.fromkeys(there, "")
        difference = schema_difference(old, new) or "its columns are in another order"
        raise OutputError(path, f"cannot append: {difference}")
    newline = "" if before.endswith("\n") else "\r\n"
    with text_file(path) as file:
        file.write(before + newline + rows)
    return account


def append_lines(path: Path, write: TextWriter) -> Account:
    """Add objects to a JSON Lines file whose objects have, taken together, all keys of the new ones."""
    before = _read(path)
    try:
        there = {name for line in before.splitlines() if line.strip() for name in json.loads(line)}
    except (ValueError, TypeError) as error:
        raise OutputError(path, f"cannot append: it is not JSON Lines ({error})") from error
    text = io.StringIO()
    account = write(text)
    new = {name for line in text.getvalue().splitlines() for name in json.loads(line)}
    if there and not new <= there:  # cells that are empty everywhere have no key
        difference = schema_difference({}, dict.fromkeys(sorted(new - there), ""))
        raise OutputError(path, f"cannot append: {difference}")
    with text_file(path) as file:
        file.write(before + ("" if before.endswith("\n") or not before else "\n") + text.getvalue())
    return account


def append_parquet(table: Table, path: Path) -> Account:
    """Add rows to a Parquet file with the same columns; the file is written again."""
    new, account = arrow_table(table)
    import pyarrow
    from pyarrow import parquet

    try:
        before = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise OutputError(path, f"cannot append: {error}") from error
    there, own = ({field.name: str(field.type) for field in each.schema} for each in (before, new))
    if difference := schema_difference(there, own):
        raise OutputError(path, f"cannot append: {difference}")
    with binary_file(path) as file:
        parquet.write_table(pyarrow.concat_tables([before, new.select(before.schema.names)]), file)
    return account


def _first_row(text: str, separator: str) -> tuple[list[str], str]:
    """Return the first row, and the text after it."""
    source = io.StringIO(text, newline="")
    reader = csv.reader(iter(source.readline, ""), delimiter=separator)
    return next(reader, []), source.read()


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeError) as error:
        raise OutputError(path, f"cannot append: {error}") from error

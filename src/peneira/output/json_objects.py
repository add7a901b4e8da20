"""A table as JSON and JSON Lines: an object per record, or per page with its records. Equal tables give equal bytes.

The keys of a missing cell are left out; values are as in ``basic_values``. Nested records are arrays of objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TextIO, TypeAlias, cast

from peneira.account import Account, Tally
from peneira.budget import spend
from peneira.output.basic_values import basic_values
from peneira.output.characters import UNICODE
from peneira.output.schema import Field, fields
from peneira.table import Table
from peneira.values import Scalar

JsonObject: TypeAlias = "dict[str, Scalar | float | list[JsonObject]]"


def objects_of(table: Table) -> list[JsonObject]:
    """Return the records as the objects that are written."""
    return list(_objects(table, Tally()))


def write_jsonl(table: Table, file: TextIO) -> Account:
    """Write one JSON object per line and return the account."""
    tally = Tally()
    for record in _objects(table, tally):
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return tally.account(len(table.rows))


def write_json(table: Table, file: TextIO) -> Account:
    """Write one JSON array of objects and return the account."""
    return write_json_of_tables([table], file)


def write_json_of_tables(tables: Sequence[Table], file: TextIO) -> Account:
    """Write one JSON array of the records of all tables, whatever their columns, and return the account."""
    tally = Tally()
    json.dump([record for table in tables for record in _objects(table, tally)], file, ensure_ascii=False, indent=2)
    file.write("\n")
    return tally.account(sum(len(table.rows) for table in tables))


def write_pages(pages: Sequence[tuple[Mapping[str, object], Table]], file: TextIO, *, as_lines: bool) -> Account:
    """Write an object per page: what is given of it, and its records as an array. Return the account."""
    tally = Tally()
    objects = ({**keys, "records": list(_objects(table, tally))} for keys, table in pages)
    if as_lines:
        for page in objects:
            file.write(json.dumps(page, ensure_ascii=False) + "\n")
    else:
        json.dump(list(objects), file, ensure_ascii=False, indent=2)
        file.write("\n")
    return tally.account(sum(len(table.rows) for _, table in pages))


def _objects(table: Table, tally: Tally) -> Iterator[JsonObject]:
    columns = [(field.name, field.column, _values(field, tally)) for field in fields(table)]
    for row in table.rows:
        spend("output_bytes", sum(len(cell.text) for cell in row if cell is not None))
        values = [(name, k, next(more)) for name, k, more in columns]
        yield {name: value for name, k, value in values if row[k] is not None}


def _values(field: Field, tally: Tally) -> Iterator[Scalar | float | list[JsonObject]]:
    if field.table is None:
        for value in basic_values(field):
            yield UNICODE.replace_forbidden_in(value, tally)
        return
    objects = _objects(field.table, tally)
    for count in field.values:
        yield None if count is None else list(islice(objects, cast("int", count)))

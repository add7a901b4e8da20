"""A table as JSON and JSON Lines: an object per record. Equal tables give equal bytes.

The keys of a missing cell are left out; values are as in ``basic_values``. Nested records are arrays of objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TextIO, TypeAlias, cast

from peneira.account import Account, Tally
from peneira.output.basic_values import basic_values
from peneira.output.characters import UNICODE
from peneira.output.schema import Field, fields
from peneira.table import Table
from peneira.values import Scalar

JsonObject: TypeAlias = "dict[str, Scalar | float | list[JsonObject]]"


def write_jsonl(table: Table, file: TextIO) -> Account:
    """Write one JSON object per line and return the account."""
    tally = Tally()
    for record in _objects(table, tally):
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return tally.account(len(table.rows))


def write_json(table: Table, file: TextIO) -> Account:
    """Write one JSON array of objects and return the account."""
    tally = Tally()
    json.dump(list(_objects(table, tally)), file, ensure_ascii=False, indent=2)
    file.write("\n")
    return tally.account(len(table.rows))


def _objects(table: Table, tally: Tally) -> Iterator[JsonObject]:
    columns = [(field.name, field.column, _values(field, tally)) for field in fields(table)]
    for row in table.rows:
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

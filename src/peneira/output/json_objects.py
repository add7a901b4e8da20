"""A table as JSON and JSON Lines: an object per record. Equal tables give equal bytes.

The keys of a missing cell are left out; values are as in ``basic_values``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from peneira.account import Account, Tally
from peneira.output.basic_values import basic_values
from peneira.output.characters import UNICODE
from peneira.output.schema import fields
from peneira.table import Table
from peneira.values import Scalar


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


def _objects(table: Table, tally: Tally) -> Iterator[dict[str, Scalar | float]]:
    columns = [(field.name, field.column, basic_values(field)) for field in fields(table)]
    for row in table.rows:
        values = [(name, k, UNICODE.replace_forbidden_in(next(more), tally)) for name, k, more in columns]
        yield {name: value for name, k, value in values if row[k] is not None}

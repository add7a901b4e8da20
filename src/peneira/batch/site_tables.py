"""A table for each site, with typed columns of its own, which grows by adding columns.

Which columns of a page are which of the site is told by ``columns.site_fields``, with the columns that the site has
already as its first page. A column keeps the name and the type that it got first; a value that is not of that type is
null, and its text stands beside it (``output.schema``). A site has at most ``MAX_FIELDS`` columns: what is in further
ones stands as JSON in the column ``more_columns``. What a site has is kept with the number of the part of the run
that brought it, so that a part that is written again gets the same columns.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import cast

from peneira.batch.cell_form import JsonObject, cell_of, column_form, column_of
from peneira.batch.tasks import PageOutcome
from peneira.columns.site_fields import PageColumns, site_fields
from peneira.errors import OutputError
from peneira.output.schema import Field, Kind, fields, spelled, unused_name
from peneira.table import Cell, Column, Table, joined_type
from peneira.values import Scalar

UNKNOWN_SITE = "unknown"
# Digits after the point of all decimals, so that the files of a site go together
DECIMAL_PLACES = 10
# SQLite holds 2,000 columns in a table, and pages whose site is not known may be of any number of sites
MAX_FIELDS = 1_000
MORE_COLUMNS = "more_columns"
_KEYS = ("source", "page_url", "number")
_TAKEN = (*_KEYS, MORE_COLUMNS)
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS columns (site TEXT, form TEXT, chunk INTEGER)",
    "CREATE TABLE IF NOT EXISTS fields (site TEXT, name TEXT, kind TEXT, chunk INTEGER)",
    "CREATE INDEX IF NOT EXISTS columns_of_site ON columns (site)",
    "CREATE INDEX IF NOT EXISTS fields_of_site ON fields (site)",
)


@dataclass(frozen=True, slots=True)
class SiteTable:
    """The rows of one site in one part of the run, under all fields that the site has so far."""

    site: str
    fields: tuple[Field, ...]


def site_tables(outcomes: Sequence[PageOutcome], state: Path, chunk: int) -> Iterator[SiteTable]:
    """Yield the tables of all sites of a part of the run, in order of their names; what they add is kept."""
    by_site: dict[str, list[PageOutcome]] = {}
    for outcome in outcomes:
        if outcome.rows:
            by_site.setdefault(str(outcome.page["site"] or UNKNOWN_SITE), []).append(outcome)
    with _schemas(state) as connection:
        for site in sorted(by_site):
            yield _site_table(connection, site, by_site[site], chunk)


@contextlib.contextmanager
def _schemas(state: Path) -> Iterator[sqlite3.Connection]:
    path = state / "sites.sqlite"
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            yield connection
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise OutputError(path, f"cannot be written: {error}") from error


def _site_table(connection: sqlite3.Connection, site: str, outcomes: Sequence[PageOutcome], chunk: int) -> SiteTable:
    # what this part or a later one brought, before the run was stopped, is found again
    for name in ("columns", "fields"):
        connection.execute(f"DELETE FROM {name} WHERE site = ? AND chunk >= ?", (site, chunk))
    forms = connection.execute("SELECT form FROM columns WHERE site = ? ORDER BY rowid", (site,)).fetchall()
    known = [column_of(json.loads(form)) for (form,) in forms]
    table, added = grown_table(known, outcomes)
    kinds = dict(connection.execute("SELECT name, kind FROM fields WHERE site = ? ORDER BY rowid", (site,)).fetchall())
    found = within_limit([*_key_fields(outcomes), *fields(table)], kinds, len(table))
    kept = {field.column for field in found}
    added = [column for number, column in enumerate(added, start=len(known)) if number in kept]
    connection.executemany(
        "INSERT INTO columns VALUES (?, ?, ?)", [(site, json.dumps(column_form(column)), chunk) for column in added]
    )
    own = settled_fields(found, kinds, len(table))
    new = [(site, field.name, field.kind, chunk) for field in own if field.name not in kinds]
    connection.executemany("INSERT INTO fields VALUES (?, ?, ?, ?)", new)
    return SiteTable(site, own)


def grown_table(known: Sequence[Column], outcomes: Sequence[PageOutcome]) -> tuple[Table, list[Column]]:
    """Return the rows of all pages under the columns of the site, and those of them that are new."""
    pages = [PageColumns(known, ())]
    for outcome in outcomes:
        pages.append(PageColumns([column_of(form) for form in outcome.columns], [_cells(row) for row in outcome.rows]))
    taken = {*_TAKEN, *(column.name.casefold() for column in known)}
    added: list[Column] = []
    names: list[dict[str, str]] = [{} for _ in pages]  # of each page, from its columns to those of the site
    for field in site_fields(pages):
        if 0 in field.columns:
            name = field.columns[0].name
        else:
            name = unused_name(field.first.name, taken)
            taken.add(name.casefold())
            type_ = joined_type({column.type for column in field.columns.values()})
            added.append(replace(field.first, name=name, type=type_))
        for number, column in field.columns.items():
            names[number][column.name] = name
    columns = (*known, *added)
    rows = []
    for page, own in zip(pages[1:], names[1:], strict=True):
        for cells in page.cells:
            row = {own[name]: cell for name, cell in cells.items()}
            rows.append(tuple(row.get(column.name) for column in columns))
    return Table(columns, tuple(rows)), added


def _key_fields(outcomes: Sequence[PageOutcome]) -> list[Field]:
    """Return the fields that tell the page of each row, and its number there."""
    pages = [(outcome, number) for outcome in outcomes for number in range(1, len(outcome.rows) + 1)]
    texts = [tuple(cast("str | None", outcome.page[name]) for outcome, _ in pages) for name in _KEYS[:2]]
    own = [Field(name, "text", -1, values) for name, values in zip(_KEYS, texts, strict=False)]
    return [*own, Field(_KEYS[2], "integer", -1, tuple(number for _, number in pages))]


def _cells(row: JsonObject) -> dict[str, Cell]:
    forms = row["cells"]
    assert isinstance(forms, list)
    return {str(form["name"]): cell_of(form) for form in forms if isinstance(form, dict)}


def within_limit(found: Sequence[Field], kinds: Mapping[str, Kind], rows: int) -> list[Field]:
    """Return the fields that a site has or may still get, and one with the values of all others as JSON."""
    room = MAX_FIELDS - len(kinds)
    kept: list[Field] = []
    more: list[Field] = []
    for field in found:
        is_new = field.name not in kinds
        (more if is_new and room <= 0 else kept).append(field)
        room -= is_new
    if more:
        rest = [
            {field.name: spelled(field.values[k]) for field in more if field.values[k] is not None} for k in range(rows)
        ]
        texts = tuple(json.dumps(each, ensure_ascii=False) if each else None for each in rest)
        kept.append(Field(MORE_COLUMNS, "text", -1, texts))
    return kept


def settled_fields(found: Sequence[Field], kinds: Mapping[str, Kind], rows: int) -> tuple[Field, ...]:
    """Return all fields of a site: those that it has keep their kinds, and are empty where these rows lack them."""
    by_name = {field.name: field for field in found}
    nothing: tuple[Scalar, ...] = (None,) * rows
    kept = [
        _of_kind(by_name[name], kind) if name in by_name else Field(name, kind, -1, nothing)
        for name, kind in kinds.items()
    ]
    return (*kept, *(_of_kind(field, field.kind) for field in found if field.name not in kinds))


def _of_kind(field: Field, kind: Kind) -> Field:
    if kind == "text" and field.kind != "text":
        values: Sequence[Scalar] = [None if value is None else spelled(value) for value in field.values]
    elif kind != field.kind:
        values = [None] * len(field.values)  # its text is in the field beside it
    else:
        values = [_fitting(value) if isinstance(value, Decimal) else value for value in field.values]
    return Field(field.name, kind, field.column, tuple(values))


def _fitting(value: Decimal) -> Decimal | None:
    """Return a decimal with the digits that all files of a site have, None where it has more."""
    digits = value.as_tuple()
    exponent = int(digits.exponent)
    is_small = value.adjusted() + 1 <= 38 - DECIMAL_PLACES
    return value if -exponent <= DECIMAL_PLACES and is_small else None

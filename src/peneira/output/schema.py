"""The one schema of all formats: which fields a table becomes, under which names.

The text of a cell, as the page shows it, is always reachable, and its typed value stands beside it:

- A column of type text is one field: the text.
- Any other column is a field of the same name with the typed value, and a field ``<name>_text`` with the text. A value
  that could not be read is null; its text is there. Columns of type url, image, email and phone have texts as values:
  there ``<name>_text`` is left out where every value is the text itself, or no cell has a value.
- Money is an amount, and its currency in ``<name>_currency``; where any cell is a range, ``<name>_max`` has the upper
  bounds, and the amounts are the lower ones. A quantity is an amount, and its unit in ``<name>_unit``. A rating is a
  score, and the best in ``<name>_best``.
- Where cells of another type than list have items, ``<name>_items`` has them.
- Nested records are a field of records with fields of their own, by the same rules. A format without such fields has a
  table for them (``relations``): its first field has the number of the record that they belong to, which the records
  then have in a field ``record_id``.

CSV, TSV, Markdown and the terminal show the texts alone, under the same names as the other formats.

Names never collide, not even for readers that ignore case: the second of two gets ``_2``.

A field whose values do not all fit its kind is a field of text: whole numbers beyond 64 bits, decimals beyond
38 digits, times with and without a time zone in one column. Datetimes with a time zone are given in UTC.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias, cast

from peneira.budget import check_budget
from peneira.table import Cell, Column, Table
from peneira.values import ColumnType, Money, Quantity, Rating, Scalar, Value

Kind = Literal[
    "text", "integer", "decimal", "boolean", "date", "datetime", "instant", "time", "duration", "list", "records"
]
Part: TypeAlias = tuple[str, Kind, tuple[Scalar, ...]]

DECIMAL_DIGITS = 38  # what Arrow's decimal128 holds
DOUBLE_DIGITS = 15  # significant digits that survive the way through a double and back
_INT64 = range(-(2**63), 2**63)
_MICROSECOND = datetime.timedelta(microseconds=1)
_TEXT_VALUED = frozenset({"url", "image", "email", "phone"})
# The kinds that a column of a type can have, the first that fits; money, quantities and ratings have further fields
_KINDS: dict[ColumnType, tuple[Kind, ...]] = {
    "integer": ("integer",),
    "number": ("decimal",),
    "money": ("decimal",),
    "percent": ("decimal",),
    "quantity": ("decimal",),
    "rating": ("decimal",),
    "date": ("date",),
    "datetime": ("datetime", "instant"),
    "time": ("time",),
    "duration": ("duration",),
    "boolean": ("boolean",),
    "list": ("list",),
}
_NOT_IN_NAMES = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_DEFAULT_NAME = "column"
_KEY_NAME = "record_id"


@dataclass(frozen=True, slots=True)
class Field:
    """One column of the written table: its values of one kind, one per record, None where there is nothing.

    ``column`` is the index of the table's column that it comes from, -1 for a key. The values of the kind "records" are
    how many nested records each record has; ``table`` has these, those of all records under each other.
    """

    name: str
    kind: Kind
    column: int
    values: tuple[Scalar, ...]
    table: Table | None = None

    @property
    def exact_as_double(self) -> bool:
        """Whether all decimals survive as double-precision numbers."""
        return all(is_exact(value) for value in self.values if isinstance(value, Decimal))


@dataclass(frozen=True, slots=True)
class Relation:
    """A table without nested records: the records themselves, or the nested records of one column.

    ``path``: the name of that column, after those of the columns it is nested in, () for the records themselves.
    ``key``: the field that numbers the rows, "" where nothing is nested in them. ``parent_key``: the field with the
    number of the record that a nested record belongs to; ``parent``: the position of that record's relation.
    """

    path: tuple[str, ...]
    fields: tuple[Field, ...]
    rows: int
    key: str = ""
    parent_key: str = ""
    parent: int = -1


def relations(table: Table) -> tuple[Relation, ...]:
    """Return the table as tables without nested records, those of the nested records after the one they belong to."""
    result: list[Relation] = []
    pending: list[tuple[tuple[str, ...], Table, tuple[int, ...], int]] = [((), table, (), -1)]
    for path, current, parents, parent in pending:  # grows while it is read
        own = fields(current)
        nested = [field for field in own if field.table is not None]
        taken = {field.name.casefold() for field in own}
        keys: list[Field] = []
        if path:
            keys.append(_key(parents, taken))
        if nested:
            keys.append(_key(range(1, len(current.rows) + 1), taken))
        flat = (*keys, *(field for field in own if field.table is None))
        key, parent_key = keys[-1].name if nested else "", keys[0].name if path else ""
        pending += [((*path, field.name), field.table, _numbers(field), len(result)) for field in nested if field.table]
        result.append(Relation(path, flat, len(current.rows), key, parent_key, parent))
    return tuple(result)


def _key(numbers: Sequence[int], taken: set[str]) -> Field:
    name = unused_name(_KEY_NAME, taken)
    taken.add(name.casefold())
    return Field(name, "integer", -1, tuple(numbers))


def _numbers(field: Field) -> tuple[int, ...]:
    """Return for each nested record the number of the record that it belongs to."""
    return tuple(n for n, count in enumerate(field.values, start=1) for _ in range(cast("int", count or 0)))


def field_names(table: Table) -> tuple[str, ...]:
    """Return the names of the columns as every format has them: unique, without control characters, never empty."""
    names = [_NOT_IN_NAMES.sub(" ", name).strip() or _DEFAULT_NAME for name in table.names]
    taken = {name.casefold() for name in names}
    seen: set[str] = set()
    unique = []
    for name in names:
        chosen = unused_name(name, taken) if name.casefold() in seen else name
        seen.add(chosen.casefold())
        taken.add(chosen.casefold())
        unique.append(chosen)
    return tuple(unique)


def fields(table: Table) -> tuple[Field, ...]:
    """Return the typed fields of the table, those of one column next to each other."""
    names = field_names(table)
    taken = {name.casefold() for name in names}
    table_fields = []
    for k, name in enumerate(names):
        check_budget()
        column, cells = table.columns[k], [row[k] for row in table.rows]
        for suffix, kind, values in _parts(column, cells):
            part_name = unused_name(name + suffix, taken) if suffix else name
            taken.add(part_name.casefold())
            nested = _nested_table(column, cells) if kind == "records" else None
            table_fields.append(Field(part_name, kind, k, values, nested))
    return tuple(table_fields)


def _nested_table(column: Column, cells: Sequence[Cell | None]) -> Table:
    """Return the nested records of all cells of a column under each other, with the columns of the column."""
    names = tuple(nested.name for nested in column.columns)
    rows: list[tuple[Cell | None, ...]] = []
    for cell in cells:
        if cell is None or cell.table is None:
            continue
        if cell.table.names == names:
            rows += cell.table.rows
        else:
            index = {name: k for k, name in reversed(list(enumerate(cell.table.names)))}
            rows += [tuple(row[index[name]] if name in index else None for name in names) for row in cell.table.rows]
    return Table(column.columns, tuple(rows))


def is_exact(number: Decimal) -> bool:
    """Return whether a decimal of at most 38 digits survives as a double."""
    return len("".join(map(str, number.as_tuple().digits)).strip("0")) <= DOUBLE_DIGITS


def scale_of(values: Sequence[Decimal]) -> tuple[int, int]:
    """Return the digits before and after the point that hold all of the decimals."""
    whole = max((value.adjusted() + 1 for value in values if value), default=1)
    after = max((-int(value.as_tuple().exponent) for value in values), default=0)
    return max(whole, 1), max(after, 0)


def unused_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number where it is taken whatever its case. ``taken``: names in lower case."""
    chosen, number = name, 1
    while chosen.casefold() in taken:
        number += 1
        chosen = f"{name}_{number}"
    return chosen


def _parts(column: Column, cells: Sequence[Cell | None]) -> Iterator[Part]:
    """Yield the fields that a column becomes, each as the suffix of its name, its kind and its values."""
    type_ = column.type
    if type_ == "records":
        if column.columns:
            yield "", "records", tuple(len(cell.table) if cell and cell.table else None for cell in cells)
            yield "_text", "text", tuple(cell.text if cell else None for cell in cells)
            return
        type_ = "list"  # no columns, no records
    texts = tuple(cell.text if cell else None for cell in cells)
    # in a typed column, a cell of type text is one that could not be read
    values = tuple(cell.value if cell and (cell.type != "text" or type_ == "text") else None for cell in cells)
    if type_ in _TEXT_VALUED and any(value is not None for value in values):
        yield "", *_settled(values, ("text",))
        if values != texts:
            yield "_text", "text", texts
    elif type_ in _KINDS:
        yield from _typed_parts(type_, cells, values)
        yield "_text", "text", texts
    else:
        yield "", "text", texts
    if type_ != "list" and any(cell and cell.items for cell in cells):
        yield "_items", "list", tuple(cell.items if cell and cell.items else None for cell in cells)


def _typed_parts(type_: ColumnType, cells: Sequence[Cell | None], values: tuple[Value, ...]) -> Iterator[Part]:
    if type_ == "money":
        prices = [value if isinstance(value, Money) else None for value in values]
        yield "", *_settled([value.amount if isinstance(value, Money) else value for value in values], _KINDS[type_])
        if any(price and price.upper is not None for price in prices):
            yield "_max", *_settled([price.upper if price else None for price in prices], _KINDS[type_])
        yield "_currency", "text", tuple(price.currency or None if price else None for price in prices)
    elif type_ == "quantity":
        yield "", *_settled([value.amount if isinstance(value, Quantity) else value for value in values], _KINDS[type_])
        yield "_unit", "text", tuple(value.unit if isinstance(value, Quantity) else None for value in values)
    elif type_ == "rating":
        yield "", *_settled([value.score if isinstance(value, Rating) else value for value in values], _KINDS[type_])
        yield "_best", *_settled([value.best if isinstance(value, Rating) else None for value in values], ("decimal",))
    elif type_ == "list":
        items = [cell.items or None if cell else None for cell in cells]
        yield "", *_settled([value or more for value, more in zip(values, items, strict=True)], _KINDS[type_])
    else:
        yield "", *_settled(values, _KINDS[type_])


def _settled(values: Sequence[Value], kinds: Sequence[Kind]) -> tuple[Kind, tuple[Scalar, ...]]:
    """Return the first of the kinds that all values fit, and the values as such; else they are spelled out."""
    for kind in kinds:
        fitting = tuple(None if value is None else _FIT[kind](value) for value in values)
        if all((value is None) == (fit is None) for value, fit in zip(values, fitting, strict=True)) and (
            kind != "decimal" or _fits_decimal([fit for fit in fitting if isinstance(fit, Decimal)])
        ):
            return kind, fitting
    return "text", tuple(None if value is None else spelled(value) for value in values)


def _fits_decimal(values: Sequence[Decimal]) -> bool:
    return sum(scale_of(values)) <= DECIMAL_DIGITS


def spelled(value: Value) -> str:
    """Return a value as text, for a field whose values have no common kind."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(Decimal(value))  # Python refuses to print an int of more than 4,300 digits
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return str(seconds(value))
        case tuple():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def seconds(duration: datetime.timedelta) -> Decimal:
    """Return a duration in seconds, exactly."""
    whole, rest = divmod(duration // _MICROSECOND, 10**6)
    return Decimal(f"{whole}.{rest:06}".rstrip("0").rstrip(".")) if whole >= 0 else -seconds(-duration)


def _integer(value: Value) -> Scalar:
    return value if type(value) is int and value in _INT64 else None


def _decimal(value: Value) -> Scalar:
    if type(value) is int:
        return Decimal(value)
    return value if isinstance(value, Decimal) and value.is_finite() else None


def _datetime(value: Value) -> Scalar:
    return value if isinstance(value, datetime.datetime) and value.tzinfo is None else None


def _instant(value: Value) -> Scalar:
    if not isinstance(value, datetime.datetime) or value.utcoffset() is None:
        return None
    try:
        return value.astimezone(datetime.UTC)
    except OverflowError:  # within a day of the years 1 and 9999
        return None


def _date(value: Value) -> Scalar:
    return value if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime) else None


def _time(value: Value) -> Scalar:
    return value if isinstance(value, datetime.time) and value.tzinfo is None else None


def _duration(value: Value) -> Scalar:
    return value if isinstance(value, datetime.timedelta) and value // _MICROSECOND in _INT64 else None


_FIT: dict[Kind, Callable[[Value], Scalar]] = {
    "text": lambda value: value if isinstance(value, str) else None,
    "integer": _integer,
    "decimal": _decimal,
    "boolean": lambda value: value if isinstance(value, bool) else None,
    "date": _date,
    "datetime": _datetime,
    "instant": _instant,
    "time": _time,
    "duration": _duration,
    "list": lambda value: value if isinstance(value, tuple) else None,
}

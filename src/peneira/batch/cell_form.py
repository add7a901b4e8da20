"""Cells as plain data, in the one form that fits every page of every site, and back as typed cells."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TypeAlias, cast

from peneira.output.schema import seconds, spelled
from peneira.table import Cell, Column, Table
from peneira.values import ColumnType, Money, Quantity, Rating, Value

# A cell, a row or an outcome as JSON has it
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]
# Fields of a cell that are texts; a cell of a list has ``items``, one of nested records ``records`` of such cells
NESTED_FIELDS = ("name", "type", "text", "value", "upper", "unit")
CELL_FIELDS = ("name", "role", *NESTED_FIELDS[1:])
_WITHOUT_VALUE = frozenset({"text", "list", "records"})


def cell_form(column: Column, cell: Cell) -> JsonObject:
    """Return a cell as plain data; what it has not is left out.

    ``value`` spells the typed value: numbers with a point, dates and times in ISO 8601, durations in seconds. ``unit``
    is the currency or the unit, ``upper`` the end of a range or the best of a rating. ``records``: nested records, each
    a list of cells; what is nested in those is a text.
    """
    form: JsonObject = {"name": column.name}
    if column.role:
        form["role"] = column.role
    form |= {"type": cell.type, "text": cell.text}
    if cell.table is not None:
        form["records"] = [_nested_cells(cell.table, row) for row in cell.table.rows]
    else:
        form |= _typed_form(cell)
    if cell.items:
        form["items"] = list(cell.items)
    return form


def _typed_form(cell: Cell) -> JsonObject:
    return _value_form(cell.value) if cell.type not in _WITHOUT_VALUE and cell.value is not None else {}


def _nested_cells(table: Table, row: Sequence[Cell | None]) -> list[Json]:
    return [
        {"name": name, "type": cell.type, "text": cell.text, **_typed_form(cell)}
        for name, cell in zip(table.names, row, strict=True)
        if cell is not None
    ]


def _value_form(value: Value) -> JsonObject:
    match value:
        case Money():
            form: JsonObject = {"value": spelled(value.amount)}
            form |= {} if value.upper is None else {"upper": spelled(value.upper)}
            return form | ({"unit": value.currency} if value.currency else {})
        case Quantity():
            return {"value": spelled(value.amount), "unit": value.unit}
        case Rating():
            form = {"value": spelled(value.score)}
            return form if value.best is None else form | {"upper": spelled(value.best)}
        case datetime.timedelta():
            return {"value": str(seconds(value))}
        case _:
            return {"value": spelled(value)}


def short_value(form: Mapping[str, Json]) -> str:
    """Return the one text that stands for a cell: its typed value, else its text."""
    is_whole = form["type"] not in _WITHOUT_VALUE and "value" in form
    return cast("str", form["value"] if is_whole else form["text"])


def cell_of(form: Mapping[str, Json]) -> Cell:
    """Return the typed cell of plain data. Nested records come back as the list of their texts."""
    type_ = cast("ColumnType", "list" if form["type"] == "records" else form["type"])
    items = tuple(cast("list[str]", form.get("items") or ()))
    text = cast("str", form["text"])
    if type_ == "list":
        return Cell(text, "", "list", items or (text,), items)
    return Cell(text, "", type_, text if type_ == "text" else _value_of(type_, form), items)


def _value_of(type_: ColumnType, form: Mapping[str, Json]) -> Value:
    value, upper, unit = (cast("str | None", form.get(name)) for name in ("value", "upper", "unit"))
    if value is None:
        return None
    try:
        match type_:
            case "money":
                return Money(Decimal(value), unit or "", None if upper is None else Decimal(upper))
            case "quantity":
                return Quantity(Decimal(value), unit or "")
            case "rating":
                return Rating(Decimal(value), None if upper is None else Decimal(upper))
            case "integer":
                return int(Decimal(value))
            case "number" | "percent":
                return Decimal(value)
            case "boolean":
                return value == "true"
            case "date":
                return datetime.date.fromisoformat(value)
            case "datetime":
                return datetime.datetime.fromisoformat(value)
            case "time":
                return datetime.time.fromisoformat(value)
            case "duration":
                return datetime.timedelta(microseconds=int(Decimal(value) * 10**6))
            case _:
                return value
    except (ValueError, InvalidOperation, OverflowError):
        return None


def column_form(column: Column) -> JsonObject:
    """Return a column as plain data: what tells which columns of other pages are the same field."""
    names = ("name", "caption", "path", "type", "role", "source", "label", "part")
    return {name: getattr(column, name) for name in names if getattr(column, name)}


def column_of(form: Mapping[str, Json]) -> Column:
    """Return the column of plain data."""
    known = cast("dict[str, str]", dict(form))
    type_ = known.pop("type", "text")
    columns = {"name": "", "caption": "", **known, "type": "list" if type_ == "records" else type_}
    return Column(fill=1.0, **columns)  # type: ignore[arg-type]

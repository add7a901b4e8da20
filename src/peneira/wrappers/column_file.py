"""The columns of a wrapper as JSON: how each is read, named and typed, and what it had on the learning pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as fields_of
from decimal import Decimal
from typing import TypeAlias, get_args

from peneira.errors import SelectorError
from peneira.types.column_types import InferredType
from peneira.types.notation import Notation
from peneira.values import ColumnType, Role
from peneira.wrappers.json_reader import JsonObject
from peneira.wrappers.saved_columns import ColumnStats, Reading, SavedColumn
from peneira.wrappers.table_headers import TableHeader
from peneira.wrappers.text_cuts import EDGE, Cut, Mark, MarkKind
from peneira.wrappers.tree_file import read_slot
from peneira.xpath.selectors import Selector, parse
from peneira.xpath.stability import stability

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
# Far beyond what learning writes; they bound the cost of an edited or hostile file
MAX_COLUMNS = 1_000
MAX_READINGS = 20
MAX_MARK_CHARS = 200
MAX_MARK_INDEX = 1_000
COLUMN = (
    "name",
    "caption",
    "role",
    "type",
    "source",
    "readings",
    "spares",
    "list",
    "above",
    "columns",
    "notation",
    "confidence",
    "fill",
    "distinct",
    "shapes",
    "samples",
)
# Only in columns of tables, and in those of the templates of published methods
_HEADER, _SLOT = "header", "slot"
READING = ("xpath", "css", "stability", "label", "cut")
_CUT = ("start", "end", "trimmed")
_MARK = ("kind", "text", "index", "inside")
_SOURCES = ("page", "json-ld", "microdata", "rdfa", "script-state")


def selector_json(selector: Selector) -> dict[str, Json]:
    """Return a selector as XPath, the same as CSS where CSS can say it, and its stability."""
    return {"xpath": str(selector), "css": selector.css, "stability": stability(selector)}


def column_json(column: SavedColumn) -> dict[str, Json]:
    """Return a column as a JSON object."""
    header: dict[str, Json] = {}
    if column.header is not None:
        header[_HEADER] = {"text": column.header.text, "column": column.header.column}
    if column.slot is not None:
        header[_SLOT] = list(column.slot)
    return {
        "name": column.name,
        "caption": column.caption,
        "role": column.role,
        "type": column.typing.type,
        "source": column.source,
        "readings": [_reading_json(reading) for reading in column.readings],
        "spares": [str(selector) for selector in column.spares],
        "list": column.is_list,
        "above": column.is_above,
        "columns": [column_json(inner) for inner in column.columns],
        "notation": _notation_json(column.typing.notation),
        "confidence": column.typing.confidence,
        "fill": column.stats.fill,
        "distinct": column.stats.distinct,
        "shapes": list(column.stats.patterns),
        "samples": list(column.stats.samples),
        **header,
    }


def _reading_json(reading: Reading) -> dict[str, Json]:
    cut = reading.cut
    return {
        **selector_json(reading.selector),
        "label": reading.label,
        "cut": None
        if cut is None
        else {"start": _mark_json(cut.start), "end": _mark_json(cut.end), "trimmed": cut.is_trimmed},
    }


def _mark_json(mark: Mark) -> Json:
    if mark == EDGE:
        return None
    return {"kind": mark.kind, "text": mark.text, "index": mark.index, "inside": mark.is_inside}


def _notation_json(notation: Notation) -> dict[str, Json]:
    """Return how the values of a column are written, as far as it differs from the default."""
    default = Notation()
    changed: dict[str, Json] = {}
    for each in fields_of(Notation):
        value = getattr(notation, each.name)
        if value != getattr(default, each.name):
            is_pair = each.name == "wrapping"
            changed[each.name] = str(value) if isinstance(value, Decimal) else list(value) if is_pair else value
    return changed


def read_columns(
    top: JsonObject, key: str = "columns", *, is_relative: bool, is_nested: bool = False
) -> tuple[SavedColumn, ...]:
    """Return the columns under a key of an object; no two may have the same name."""
    rows = top.get(key, list)
    if len(rows) > MAX_COLUMNS:
        raise top.error(key, f"a wrapper has at most {MAX_COLUMNS:,} columns, not {len(rows):,}")
    columns = tuple(
        _column(JsonObject(f"{top.where}: {key}[{k}]", row), is_relative=is_relative, is_nested=is_nested)
        for k, row in enumerate(rows)
    )
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise top.error(key, f"two columns are named {name!r}")
    return columns


def _column(part: JsonObject, *, is_relative: bool, is_nested: bool) -> SavedColumn:
    part.only((*COLUMN, *(key for key in (_HEADER, _SLOT) if key in part.names())))
    slot = read_slot(part, _SLOT) if _SLOT in part.names() else None
    name = part.get("name", str)
    if not name.strip():
        raise part.error("name", "is empty")
    type: ColumnType = part.choice("type", get_args(ColumnType))  # type: ignore[assignment]
    inner = () if is_nested else read_columns(part, is_relative=True, is_nested=True)
    if (type == "records") != bool(inner) or (is_nested and part.get("columns", list)):
        raise part.error("columns", "a column of records has columns, which have none; no other column has any")
    source = part.choice("source", _SOURCES)
    is_above = part.get("above", bool)
    readings = _readings(part, is_relative=is_relative and not is_above)
    if bool(readings) != (source == "page" and slot is None):
        raise part.error("readings", "a column of the page has readings, one of embedded data or a template has none")
    return SavedColumn(
        name,
        part.get("caption", str),
        readings,
        InferredType(type, part.share("confidence"), _notation(part)),
        ColumnStats(
            part.share("fill"), part.share("distinct"), tuple(part.texts("shapes")), tuple(part.texts("samples"))
        ),
        part.get("list", bool),
        part.choice("role", ("", *get_args(Role))),  # type: ignore[arg-type]
        is_above,
        source,
        inner,
        tuple(parsed(part, "spares", xpath, is_relative=is_relative) for xpath in part.texts("spares")),
        _header(part) if _HEADER in part.names() else None,
        slot,
    )


def _header(part: JsonObject) -> TableHeader:
    own = part.part(_HEADER, ("text", "column"))
    return TableHeader(own.get("text", str), own.count("column"))


def _readings(part: JsonObject, *, is_relative: bool) -> tuple[Reading, ...]:
    entries = part.get("readings", list)
    if len(entries) > MAX_READINGS:
        raise part.error("readings", f"has more than {MAX_READINGS} entries")
    readings = []
    for k, entry in enumerate(entries):
        own = JsonObject(f"{part.where}: readings[{k}]", entry)
        own.only(READING)
        selector = read_selector(own, is_relative=is_relative)
        readings.append(Reading(selector, own.get("label", str), _cut(own)))
    return tuple(readings)


def _cut(part: JsonObject) -> Cut | None:
    if part.get("cut", (dict, type(None))) is None:
        return None
    own = part.part("cut", _CUT)
    return Cut(_mark(own, "start"), _mark(own, "end"), own.get("trimmed", bool))


def _mark(part: JsonObject, key: str) -> Mark:
    if part.get(key, (dict, type(None))) is None:
        return EDGE
    own = part.part(key, _MARK)
    kind: MarkKind = own.choice("kind", ("text", "date", "number"))  # type: ignore[assignment]
    text, index = own.get("text", str), own.get("index", int)
    if len(text) > MAX_MARK_CHARS or (kind == "text") != bool(text):
        raise own.error("text", f"a mark of the kind text has one, of at most {MAX_MARK_CHARS} characters, others none")
    if abs(index) > MAX_MARK_INDEX:
        raise own.error("index", f"is beyond {MAX_MARK_INDEX:,}")
    return Mark(kind, text, index, own.get("inside", bool))


def read_selector(part: JsonObject, *, is_relative: bool) -> Selector:
    """Return the selector of a part; CSS and stability are derived from it, and what the file has is not used."""
    part.get("css", (str, type(None)))
    part.share("stability")
    return parsed(part, "xpath", part.get("xpath", str), is_relative=is_relative)


def parsed(part: JsonObject, key: str, xpath: str, *, is_relative: bool) -> Selector:
    """Return the selector of an XPath, which must be relative or not."""
    try:
        selector = parse(xpath)
    except SelectorError as error:
        raise part.error(key, str(error)) from error
    if selector.is_relative != is_relative:
        begin = "a dot, as it is read within a record" if is_relative else "a slash, as it is read from the page"
        raise part.error(key, f"{xpath!r} must begin with {begin}")
    return selector


_CHOICES: Mapping[str, tuple[str, ...]] = {"decimal": ("", ".", ","), "order": ("", "dmy", "mdy", "ymd")}


def _notation(part: JsonObject) -> Notation:
    own = part.part("notation", tuple(each.name for each in fields_of(Notation)), all_needed=False)
    values: dict[str, object] = {}
    for name in own.names():
        if name in _CHOICES:
            values[name] = own.choice(name, _CHOICES[name])
        elif name == "best":
            values[name] = own.decimal(name)
        elif name == "minutes":
            values[name] = own.get(name, bool)
        elif name == "wrapping":
            pair = own.texts(name)
            if len(pair) != 2:
                raise own.error(name, "is two texts: what stands before a value and what after it")
            values[name] = tuple(pair)
        else:
            values[name] = own.get(name, str)
    return Notation(**values)  # type: ignore[arg-type]

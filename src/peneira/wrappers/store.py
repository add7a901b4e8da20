"""Wrappers as files: JSON of a fixed layout that people can read, compare and edit. Nothing in it is ever executed.

``wrapper.schema.json`` beside this module describes the layout. Reading is strict: an unknown key, a value of the wrong
type, a selector outside the subset of wrappers or a future version is an error that states where it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from decimal import Decimal
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias, get_args

from peneira.errors import SelectorError, WrapperError
from peneira.lists.arrangements import ArrangementKind, ArrangementSpec
from peneira.lists.cell_kinds import CellKind
from peneira.types.column_types import InferredType
from peneira.types.notation import Notation
from peneira.values import ColumnType
from peneira.wrappers.correction_file import corrections_json, read_corrections
from peneira.wrappers.corrections import NO_CORRECTIONS
from peneira.wrappers.json_reader import MAX_COUNT, JsonObject, unique_names
from peneira.wrappers.record_finder import RecordSpec
from peneira.wrappers.record_shapes import Shape
from peneira.wrappers.saved_columns import ColumnStats, SavedColumn
from peneira.wrappers.wrapper import Baseline, PageKind, Wrapper
from peneira.xpath.selectors import Selector, parse
from peneira.xpath.stability import stability

FORMAT = "peneira-wrapper"
VERSION = 1
# Far beyond what learning writes; they bound the cost of an edited or hostile file
MAX_BYTES = 5_000_000
MAX_COLUMNS = 1_000
MAX_NODES = 100_000

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_TOP = ("format", "version", "kind", "url", "records", "columns", "baseline")
# Only in files of wrappers whose records are in pieces, and of those that a user corrected
_ARRANGEMENT, _CORRECTIONS = "arrangement", "corrections"
_RECORDS = ("xpath", "css", "stability", "nodes", "others", "shape", "least", "skips")
_COLUMN = (
    "name",
    "caption",
    "type",
    "xpath",
    "css",
    "stability",
    "label",
    "list",
    "notation",
    "confidence",
    "fill",
    "distinct",
    "shapes",
    "samples",
)
# Nested records are saved as one list per field
_SAVED_TYPES = tuple(name for name in get_args(ColumnType) if name != "records")
_BASELINE = ("pages", "fewest_records", "most_records")


def dumps(wrapper: Wrapper) -> str:
    """Return a wrapper as JSON text; equal wrappers give equal text."""
    records = wrapper.records
    document: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": wrapper.kind,
        "url": wrapper.url,
        "records": None if records is None else _records_json(records),
        "columns": [_column_json(column) for column in wrapper.fields],
        "baseline": {
            "pages": wrapper.baseline.pages,
            "fewest_records": wrapper.baseline.min_records,
            "most_records": wrapper.baseline.max_records,
        },
    }
    if wrapper.arrangement is not None:
        document[_ARRANGEMENT] = {"kind": wrapper.arrangement.kind, "cells": list(wrapper.arrangement.kinds)}
    if wrapper.corrections:
        document[_CORRECTIONS] = corrections_json(wrapper.corrections)  # type: ignore[assignment]
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _selector_json(selector: Selector) -> dict[str, Json]:
    return {"xpath": str(selector), "css": selector.css, "stability": stability(selector)}


def _column_json(column: SavedColumn) -> dict[str, Json]:
    return {
        "name": column.name,
        "caption": column.caption,
        "type": column.typing.type,
        **_selector_json(column.selector),
        "label": column.label,
        "list": column.is_list,
        "notation": _notation_json(column.typing.notation),
        "confidence": column.typing.confidence,
        "fill": column.stats.fill,
        "distinct": column.stats.distinct,
        "shapes": list(column.stats.patterns),
        "samples": list(column.stats.samples),
    }


def _records_json(spec: RecordSpec) -> dict[str, Json]:
    return {
        **_selector_json(spec.selector),
        "nodes": spec.max_nodes,
        "others": [str(selector) for selector in spec.alternatives],
        "shape": {kind: list(bounds) for kind, bounds in spec.shape.items()},
        "least": spec.min_score,
        "skips": list(spec.skips),
    }


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


def load(path: str | PathLike[str]) -> Wrapper:
    """Return the wrapper in a file."""
    try:
        with Path(path).open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise WrapperError(path, f"cannot be read: {error.strerror or error}") from error
    if len(body) > MAX_BYTES:
        raise WrapperError(path, f"larger than {MAX_BYTES:,} bytes, which no wrapper is")
    try:
        return loads(body.decode("utf-8"), fspath(path))
    except UnicodeDecodeError as error:
        raise WrapperError(path, "is not UTF-8 text, so it is not a wrapper") from error


def loads(text: str, where: str = "wrapper") -> Wrapper:
    """Return the wrapper of a JSON text. ``where`` names it in errors."""
    try:
        document = json.loads(text, object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        raise WrapperError(where, f"is not whole JSON: {why}; is it cut off, or edited?") from error
    top = JsonObject(where, document)
    if top.get("format", str) != FORMAT:
        raise WrapperError(where, f"is not a wrapper: its format is not {FORMAT!r}")
    version = top.count("version")
    if version != VERSION:
        newer = "made by a newer peneira: update peneira" if version > VERSION else "of a version that never was"
        raise WrapperError(where, f"version {version} is {newer}; this one reads version {VERSION}")
    optional = tuple(name for name in (_ARRANGEMENT, _CORRECTIONS) if name in top.names())
    top.only((*_TOP, *optional))
    wrapper = _wrapper(top)
    arrangement = _arrangement(top) if _ARRANGEMENT in optional else None
    corrections = read_corrections(where, top.get(_CORRECTIONS, list)) if _CORRECTIONS in optional else NO_CORRECTIONS
    return replace(wrapper, arrangement=arrangement, corrections=corrections)


def _wrapper(top: JsonObject) -> Wrapper:
    kind = top.choice("kind", get_args(PageKind))
    has_records = top.get("records", (dict, type(None))) is not None
    spec = _record_spec(top.part("records", _RECORDS)) if has_records else None
    if has_records != (kind == "list"):
        raise top.error("records", "a list has records with a selector, a detail page has none")
    rows = top.get("columns", list)
    if len(rows) > MAX_COLUMNS or (kind == "detail" and not rows):
        raise top.error("columns", f"a wrapper has 1 to {MAX_COLUMNS} columns, not {len(rows)}")
    columns = tuple(_column(JsonObject(f"{top.where}: columns[{k}]", row), kind) for k, row in enumerate(rows))
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise top.error("columns", f"two columns are named {name!r}")
    baseline = top.part("baseline", _BASELINE)
    counts = [baseline.count(name) for name in _BASELINE]
    if not 0 < counts[1] <= counts[2]:
        raise baseline.error("fewest_records", "must be 1 at least, and most_records no less")
    return Wrapper(kind, columns, Baseline(*counts), spec, top.get("url", str))  # type: ignore[arg-type]


def _arrangement(top: JsonObject) -> ArrangementSpec:
    if top.get("kind", str) != "list":
        raise top.error(_ARRANGEMENT, "a detail page is one record, which is in one piece")
    part = top.part(_ARRANGEMENT, ("kind", "cells"))
    kind: ArrangementKind = part.choice("kind", get_args(ArrangementKind))  # type: ignore[assignment]
    unknown = [name for name in part.texts("cells") if name not in set(CellKind)]
    if unknown:
        raise part.error("cells", f"{unknown[0]!r} is not one of {', '.join(map(repr, CellKind))}")
    return ArrangementSpec(kind, tuple(map(CellKind, part.texts("cells"))))


def _record_spec(part: JsonObject) -> RecordSpec:
    nodes = part.count("nodes")
    if not 1 <= nodes <= MAX_NODES:
        raise part.error("nodes", f"a record has 1 to {MAX_NODES:,} nodes, not {nodes:,}")
    alternatives = tuple(_parsed(part, "others", text, is_relative=False) for text in part.texts("others"))
    min_score = part.number("least", 0, 2)
    selector = _selector(part, is_relative=False)
    return RecordSpec(selector, nodes, alternatives, _shape(part), min_score, tuple(part.texts("skips")))


def _shape(part: JsonObject) -> Shape:
    """Return the fewest and the most elements of each kind in a record."""
    shape = {}
    for kind, bounds in part.get("shape", dict).items():
        counts = bounds if isinstance(bounds, list) else []
        if (
            len(counts) != 2
            or any(type(count) is not int for count in counts)
            or not 0 <= counts[0] <= counts[1] <= MAX_COUNT
        ):
            raise part.error("shape", f"{kind!r} must have two whole numbers, the fewest and the most")
        shape[kind] = (counts[0], counts[1])
    return shape


def _column(part: JsonObject, kind: str) -> SavedColumn:
    part.only(_COLUMN)
    name = part.get("name", str)
    if not name.strip():
        raise part.error("name", "is empty")
    type: ColumnType = part.choice("type", _SAVED_TYPES)  # type: ignore[assignment]
    typing = InferredType(type, part.share("confidence"), _notation(part))
    patterns, samples = tuple(part.texts("shapes")), tuple(part.texts("samples"))
    stats = ColumnStats(part.share("fill"), part.share("distinct"), patterns, samples)
    is_list = part.get("list", bool)
    selector = _selector(part, is_relative=kind == "list")
    return SavedColumn(name, part.get("caption", str), selector, typing, stats, part.get("label", str), is_list)


def _selector(part: JsonObject, *, is_relative: bool) -> Selector:
    """Return the selector of a part; CSS and stability are derived from it, and what the file has is not used."""
    part.get("css", (str, type(None)))
    part.share("stability")
    return _parsed(part, "xpath", part.get("xpath", str), is_relative=is_relative)


def _parsed(part: JsonObject, key: str, xpath: str, *, is_relative: bool) -> Selector:
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

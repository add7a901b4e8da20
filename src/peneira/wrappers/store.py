"""Wrappers as files: JSON of a fixed layout that people can read, compare and edit. Nothing in it is ever run.

``wrapper.schema.json`` beside this module describes the layout. Reading is strict: a key that is not known, a value of
the wrong kind, a selector outside the language of wrappers, a version of the future, all are errors that say where.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as fields_of
from decimal import Decimal, InvalidOperation
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias, get_args

from peneira.errors import SelectorError, WrapperError
from peneira.types.column_types import InferredType
from peneira.types.notation import Notation
from peneira.values import ColumnType
from peneira.wrappers.record_members import RecordSpec
from peneira.wrappers.record_shapes import Shape
from peneira.wrappers.saved_columns import ColumnStats, SavedColumn
from peneira.wrappers.wrapper import Baseline, PageKind, Wrapper
from peneira.xpath.selectors import Selector, parse
from peneira.xpath.stability import stability

FORMAT = "peneira-wrapper"
VERSION = 1
MAX_BYTES = 5_000_000
MAX_COLUMNS = 1_000
MAX_NODES = 100_000

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_TOP = ("format", "version", "kind", "url", "records", "columns", "baseline")
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
_BASELINE = ("pages", "fewest_records", "most_records")


def dumps(wrapper: Wrapper) -> str:
    """Return a wrapper as JSON text; equal wrappers give equal text."""
    records = wrapper.records
    document: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": wrapper.kind,
        "url": wrapper.url,
        "records": None if records is None else _written_records(records),
        "columns": [_column(one) for one in wrapper.fields],
        "baseline": {
            "pages": wrapper.baseline.pages,
            "fewest_records": wrapper.baseline.fewest_records,
            "most_records": wrapper.baseline.max_records,
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _address(selector: Selector) -> dict[str, Json]:
    return {"xpath": str(selector), "css": selector.css, "stability": stability(selector)}


def _column(one: SavedColumn) -> dict[str, Json]:
    return {
        "name": one.name,
        "caption": one.caption,
        "type": one.typing.type,
        **_address(one.selector),
        "label": one.label,
        "list": one.is_list,
        "notation": _notation(one.typing.notation),
        "confidence": one.typing.confidence,
        "fill": one.stats.fill,
        "distinct": one.stats.distinct,
        "shapes": list(one.stats.shapes),
        "samples": list(one.stats.samples),
    }


def _written_records(records: RecordSpec) -> dict[str, Json]:
    return {
        **_address(records.selector),
        "nodes": records.nodes,
        "others": [str(one) for one in records.others],
        "shape": {kind: list(bounds) for kind, bounds in records.shape.items()},
        "least": records.least,
        "skips": list(records.skips),
    }


def _notation(notation: Notation) -> dict[str, Json]:
    """Return the habits of a column that are not the usual ones."""
    usual = Notation()
    own: dict[str, Json] = {}
    for each in fields_of(Notation):
        value = getattr(notation, each.name)
        if value != getattr(usual, each.name):
            is_pair = each.name == "wrapping"
            own[each.name] = str(value) if isinstance(value, Decimal) else list(value) if is_pair else value
    return own


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
        raise WrapperError(path, "is not UTF-8 text, so it is no wrapper") from error


def loads(text: str, where: str = "wrapper") -> Wrapper:
    """Return the wrapper of a JSON text. ``where`` is named in errors."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        raise WrapperError(where, f"is not whole JSON: {why}; is it cut off, or edited?") from error
    top = _Part(where, document)
    if top.get("format", str) != FORMAT:
        raise WrapperError(where, f"is no wrapper: its format is not {FORMAT!r}")
    version = top.get("version", int)
    if version != VERSION:
        newer = "made by a newer peneira: update peneira" if version > VERSION else "of a version that never was"
        raise WrapperError(where, f"version {version} is {newer}; this one reads version {VERSION}")
    top.only(_TOP)
    return _wrapper(top)


def _wrapper(top: _Part) -> Wrapper:
    kind = top.choice("kind", get_args(PageKind))
    records = None if top.get("records", (dict, type(None))) is None else _records(top.part("records", _RECORDS))
    if (records is None) == (kind == "list"):
        raise top.error("records", "a list has records with a selector, a detail page has none")
    rows = top.get("columns", list)
    if len(rows) > MAX_COLUMNS or (kind == "detail" and not rows):
        raise top.error("columns", f"a wrapper has 1 to {MAX_COLUMNS} columns, not {len(rows)}")
    fields = tuple(_field(_Part(f"{top.where}: columns[{k}]", row), kind) for k, row in enumerate(rows))
    names = [one.name for one in fields]
    for name in names:
        if names.count(name) > 1:
            raise top.error("columns", f"two columns are named {name!r}")
    past = top.part("baseline", _BASELINE)
    counts = [past.count(name) for name in _BASELINE]
    if not 0 < counts[1] <= counts[2]:
        raise past.error("fewest_records", "must be 1 at least, and most_records no less")
    return Wrapper(kind, fields, Baseline(*counts), records, top.get("url", str))  # type: ignore[arg-type]


def _records(part: _Part) -> RecordSpec:
    nodes = part.count("nodes")
    if not 1 <= nodes <= MAX_NODES:
        raise part.error("nodes", f"a record has 1 to {MAX_NODES:,} nodes, not {nodes:,}")
    others = tuple(part.selector_of("others", text, is_relative=False) for text in part.texts("others"))
    least = part.number("least", 0, 2)
    return RecordSpec(part.selector(is_relative=False), nodes, others, _shape(part), least, tuple(part.texts("skips")))


def _shape(part: _Part) -> Shape:
    """Return how many elements of each kind a record has: a kind, and the fewest and the most."""
    shape = {}
    for kind, bounds in part.get("shape", dict).items():
        counts = bounds if isinstance(bounds, list) else []
        if len(counts) != 2 or any(type(count) is not int for count in counts) or not 0 <= counts[0] <= counts[1]:
            raise part.error("shape", f"{kind!r} must have two whole numbers, the fewest and the most, not {bounds!r}")
        shape[kind] = (counts[0], counts[1])
    return shape


def _field(part: _Part, kind: str) -> SavedColumn:
    part.only(_COLUMN)
    name = part.get("name", str)
    if not name.strip():
        raise part.error("name", "is empty")
    type: ColumnType = part.choice("type", get_args(ColumnType))  # type: ignore[assignment]
    typing = InferredType(type, part.share("confidence"), _read_notation(part))
    past = ColumnStats(
        part.share("fill"), part.share("distinct"), tuple(part.texts("shapes")), tuple(part.texts("samples"))
    )
    is_list = part.get("list", bool)
    selector = part.selector(is_relative=kind == "list")
    return SavedColumn(name, part.get("caption", str), selector, typing, past, part.get("label", str), is_list)


_CHOICES: Mapping[str, tuple[str, ...]] = {"decimal": ("", ".", ","), "order": ("", "dmy", "mdy", "ymd")}


def _read_notation(part: _Part) -> Notation:
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


class _Part:
    """An object of the document, and where it is; everything asked of it is checked."""

    def __init__(self, where: str, data: object) -> None:
        self.where = where
        if not isinstance(data, dict):
            raise WrapperError(where, f"must be an object, not {_kind_name(data)}")
        self._data = data

    def error(self, key: str, message: str) -> WrapperError:
        """Return an error about one key."""
        return WrapperError(self.where, f"{key}: {message}")

    def names(self) -> list[str]:
        """Return the keys."""
        return list(self._data)

    def only(self, known: tuple[str, ...], *, all_needed: bool = True) -> None:
        """Refuse keys that are not known, and say which are missing."""
        for key in self._data:
            if key not in known:
                raise self.error(key, f"is not known here; known are {', '.join(known)}")
        missing = [key for key in known if key not in self._data] if all_needed else []
        if missing:
            raise self.error(missing[0], "is missing")

    def get(self, key: str, kind: type | tuple[type, ...]):  # type: ignore[no-untyped-def]
        """Return a value of the kind that is expected."""
        value = self._data.get(key)
        is_number_for_truth = isinstance(value, bool) and kind is not bool
        if key not in self._data or is_number_for_truth or not isinstance(value, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            wanted = " or ".join(_KIND_NAMES[each] for each in kinds)
            raise self.error(key, f"must be {wanted}, not {_kind_name(value) if key in self._data else 'missing'}")
        return value

    def part(self, key: str, known: tuple[str, ...], *, all_needed: bool = True) -> _Part:
        """Return an object within."""
        part = _Part(f"{self.where}: {key}", self._data.get(key))
        part.only(known, all_needed=all_needed)
        return part

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        values: list[str] = self.get(key, list)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "must be a list of texts")
        return values

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        """Return one of the texts that are known."""
        value: str = self.get(key, str)
        if value not in known:
            raise self.error(key, f"{value!r} is not one of {', '.join(map(repr, known))}")
        return value

    def count(self, key: str) -> int:
        """Return a number that is not negative."""
        value: int = self.get(key, int)
        if value < 0:
            raise self.error(key, "must not be negative")
        return value

    def share(self, key: str) -> float:
        """Return a number from 0 to 1."""
        return self.number(key, 0, 1)

    def number(self, key: str, least: int, most: int) -> float:
        """Return a number within bounds."""
        value = self.get(key, (int, float))
        if not least <= value <= most:
            raise self.error(key, f"must be from {least} to {most}, not {value}")
        return float(value)

    def decimal(self, key: str) -> Decimal:
        """Return a decimal number that is written as text."""
        try:
            value = Decimal(self.get(key, str))
        except InvalidOperation as error:
            raise self.error(key, "must be a decimal number as text") from error
        if not value.is_finite():
            raise self.error(key, "must be a decimal number as text")
        return value

    def selector(self, *, is_relative: bool) -> Selector:
        """Return the selector of this part; its CSS and stability are derived, and what the file says is not used."""
        self.get("css", (str, type(None)))
        self.share("stability")
        return self.selector_of("xpath", self.get("xpath", str), is_relative=is_relative)

    def selector_of(self, key: str, text: str, *, is_relative: bool) -> Selector:
        """Return a selector that is written as text."""
        try:
            selector = parse(text)
        except SelectorError as error:
            raise self.error(key, str(error)) from error
        if selector.is_relative != is_relative:
            begin = "a point, as it is read within a record" if is_relative else "a slash, as it is read from the page"
            raise self.error(key, f"{text!r} must begin with {begin}")
        return selector


_KIND_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def _kind_name(value: object) -> str:
    return _KIND_NAMES.get(type(value), type(value).__name__)

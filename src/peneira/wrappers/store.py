"""Wrappers as files: JSON of a fixed layout that people can read, compare and edit. Nothing in it is ever executed.

``wrapper.schema.json`` beside this module describes the layout. Reading is strict: an unknown key, a value of the wrong
type, a selector outside the subset of wrappers or a future version is an error that states where it is.
"""

from __future__ import annotations

import json
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import get_args

from peneira.errors import WrapperError
from peneira.lists.arrangements import ArrangementKind, ArrangementSpec
from peneira.lists.cell_kinds import CellKind
from peneira.reasons import Reason, ReasonCode
from peneira.templates.tree_wrapper import TreeWrapper
from peneira.wrappers.column_file import Json, column_json, parsed, read_columns, read_selector, selector_json
from peneira.wrappers.correction_file import corrections_json, read_corrections
from peneira.wrappers.corrections import NO_CORRECTIONS
from peneira.wrappers.first_version import upgraded
from peneira.wrappers.json_reader import MAX_COUNT, JsonObject, unique_names
from peneira.wrappers.record_finder import RecordSpec
from peneira.wrappers.record_shapes import Shape
from peneira.wrappers.saved_columns import SavedColumn
from peneira.wrappers.tree_file import read_tree, tree_json
from peneira.wrappers.wrapper import TREE_METHODS, Baseline, PageKind, Wrapper

FORMAT = "peneira-wrapper"
VERSION = 2
# Far beyond what learning writes; they bound the cost of an edited or hostile file
MAX_BYTES = 5_000_000
MAX_NODES = 100_000


_HEAD = ("format", "version")
_TOP = ("kind", "url", "records", "columns", "baseline")
# Only in files of wrappers whose records are in pieces, of those that a user corrected, of those that lack something
_ARRANGEMENT, _CORRECTIONS, _NOTES = "arrangement", "corrections", "notes"
# Only in files of lists that have columns which are not shown
_HIDDEN = "hidden"
# Only in files of the published methods: which one, and the template in place of selectors
_METHOD, _TEMPLATE = "method", "template"
_OPTIONAL = (_ARRANGEMENT, _NOTES, _CORRECTIONS, _HIDDEN, _METHOD, _TEMPLATE)
# The other templates of a site
_TEMPLATES = "templates"
MAX_TEMPLATES = 100
_RECORDS = ("xpath", "css", "stability", "further", "nodes", "others", "shape", "least", "skips")
_NOTE = ("code", "detail", "value")
_BASELINE = ("pages", "fewest_records", "most_records")


def dumps(wrapper: Wrapper) -> str:
    """Return a wrapper as JSON text; equal wrappers give equal text."""
    document: dict[str, Json] = {"format": FORMAT, "version": VERSION, **_document(wrapper)}
    if wrapper.others:
        document[_TEMPLATES] = [_document(other) for other in wrapper.others]
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _document(wrapper: Wrapper) -> dict[str, Json]:
    """Return what a file says of one template."""
    records = wrapper.records
    document: dict[str, Json] = {
        "kind": wrapper.kind,
        "url": wrapper.url,
        "records": None if records is None else _records_json(records),
        "columns": [column_json(column) for column in wrapper.fields],
        "baseline": {
            "pages": wrapper.baseline.pages,
            "fewest_records": wrapper.baseline.min_records,
            "most_records": wrapper.baseline.max_records,
        },
    }
    if wrapper.tree is not None:
        document[_METHOD] = wrapper.tree.method
        document[_TEMPLATE] = tree_json(wrapper.tree)  # type: ignore[assignment]
    if wrapper.arrangement is not None:
        document[_ARRANGEMENT] = {"kind": wrapper.arrangement.kind, "cells": list(wrapper.arrangement.kinds)}
    if wrapper.corrections:
        document[_CORRECTIONS] = corrections_json(wrapper.corrections)  # type: ignore[assignment]
    if wrapper.hidden:
        document[_HIDDEN] = [column_json(column) for column in wrapper.hidden]
    if wrapper.notes:
        document[_NOTES] = [{"code": note.code, "detail": note.detail, "value": note.value} for note in wrapper.notes]
    return document


def _records_json(spec: RecordSpec) -> dict[str, Json]:
    return {
        **selector_json(spec.selector),
        "further": [str(selector) for selector in spec.further],
        "nodes": spec.max_nodes,
        "others": [str(selector) for selector in spec.alternatives],
        "shape": {kind: list(bounds) for kind, bounds in spec.shape.items()},
        "least": spec.min_score,
        "skips": list(spec.skips),
    }


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
    if version == 1:
        top = JsonObject(where, upgraded(top))
    elif version != VERSION:
        newer = "made by a newer peneira: update peneira" if version > VERSION else "of a version that never was"
        raise WrapperError(where, f"version {version} is {newer}; this one reads versions 1 and {VERSION}")
    names = top.names()
    top.only((*_HEAD, *_TOP, *(name for name in _OPTIONAL if name in names), *((_TEMPLATES,) * (_TEMPLATES in names))))
    others = top.get(_TEMPLATES, list) if _TEMPLATES in names else []
    if len(others) > MAX_TEMPLATES:
        raise top.error(_TEMPLATES, f"a site has at most {MAX_TEMPLATES} templates")
    return replace(
        _template(top), others=tuple(_other(f"{where}: templates[{k}]", other) for k, other in enumerate(others))
    )


def _other(where: str, document: object) -> Wrapper:
    part = JsonObject(where, document)
    part.only((*_TOP, *(name for name in _OPTIONAL if name in part.names())))
    return _template(part)


def _template(top: JsonObject) -> Wrapper:
    """Return the wrapper of one template."""
    names = top.names()
    return replace(
        _wrapper(top),
        arrangement=_arrangement(top) if _ARRANGEMENT in names else None,
        corrections=read_corrections(top.where, top.get(_CORRECTIONS, list))
        if _CORRECTIONS in names
        else NO_CORRECTIONS,
        notes=_notes(top) if _NOTES in names else (),
        hidden=_hidden(top) if _HIDDEN in names else (),
    )


def _tree(top: JsonObject, kind: str, columns: tuple[SavedColumn, ...]) -> TreeWrapper | None:
    """Return the template of a published method, None for a wrapper of selectors."""
    slots = [column.slot for column in columns if column.slot is not None]
    has_template = _TEMPLATE in top.names()
    if len(slots) != (len(columns) if has_template else 0):
        raise top.error("columns", "the columns of a template have a slot, and only these")
    if not has_template:
        return None
    method = top.choice(_METHOD, tuple(TREE_METHODS))
    part = JsonObject(f"{top.where}: {_TEMPLATE}", top.get(_TEMPLATE, dict))
    tree = read_tree(part, method, kind, tuple(slots))
    return replace(tree, columns=tuple(column.column for column in columns))


def _hidden(top: JsonObject) -> tuple[SavedColumn, ...]:
    if top.get("kind", str) != "list":
        raise top.error(_HIDDEN, "only lists have hidden columns")
    columns = read_columns(top, _HIDDEN, is_relative=True)
    shown = {row.get("name") for row in top.get("columns", list) if isinstance(row, dict)}
    for column in columns:
        if column.name in shown:
            raise top.error(_HIDDEN, f"two columns are named {column.name!r}")
    return columns


def _notes(top: JsonObject) -> tuple[Reason, ...]:
    notes = []
    for k, entry in enumerate(top.get(_NOTES, list)):
        part = JsonObject(f"{top.where}: notes[{k}]", entry)
        part.only(_NOTE)
        value = part.get("value", (int, float, type(None)))
        code = ReasonCode(part.choice("code", tuple(ReasonCode)))
        notes.append(
            Reason(code, part.get("detail", str), None if value is None else part.number("value", 0, MAX_COUNT))
        )
    return tuple(notes)


def _wrapper(top: JsonObject) -> Wrapper:
    kind = top.choice("kind", get_args(PageKind))
    has_records = top.get("records", (dict, type(None))) is not None
    spec = _record_spec(top.part("records", _RECORDS)) if has_records else None
    if has_records != (kind == "list" and _TEMPLATE not in top.names()):
        raise top.error("records", "a list has records with a selector, a detail page has none")
    rows = top.get("columns", list)
    if kind == "detail" and not rows:
        raise top.error("columns", "a wrapper of detail pages has at least one column")
    columns = read_columns(top, is_relative=kind == "list")
    baseline = top.part("baseline", _BASELINE)
    counts = [baseline.count(name) for name in _BASELINE]
    if not 0 < counts[1] <= counts[2]:
        raise baseline.error("fewest_records", "must be 1 at least, and most_records no less")
    tree = _tree(top, kind, columns)
    return Wrapper(kind, columns, Baseline(*counts), spec, top.get("url", str), tree=tree)  # type: ignore[arg-type]


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
    alternatives = tuple(parsed(part, "others", text, is_relative=False) for text in part.texts("others"))
    further = tuple(parsed(part, "further", text, is_relative=False) for text in part.texts("further"))
    min_score = part.number("least", 0, 2)
    selector = read_selector(part, is_relative=False)
    return RecordSpec(selector, nodes, alternatives, _shape(part), min_score, tuple(part.texts("skips")), further)


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

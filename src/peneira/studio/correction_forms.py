"""Forms of the studio as corrections: each is one change that the user makes to the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import get_args

from peneira.errors import ArgumentError
from peneira.result import Region
from peneira.values import ColumnType
from peneira.wrappers.corrections import (
    Correction,
    Hide,
    Merge,
    Rename,
    Reorder,
    Retype,
    Show,
    SkipRecord,
    Split,
)

# Types that a user may choose; nested records cannot be made from texts
TYPES: tuple[ColumnType, ...] = tuple(name for name in get_args(ColumnType) if name != "records")
MAX_PARTS = 12
Form = Mapping[str, str]


def correction_of(form: Form, region: Region) -> Correction:
    """Return the correction that a form asks for, on the table as it is now."""
    kind = form.get("kind", "")
    if kind not in _FORMS:
        raise ArgumentError(f"{kind!r} is no correction; there are {', '.join(_FORMS)}")
    return _FORMS[kind](form, region)


def _rename(form: Form, region: Region) -> Correction:
    return Rename(form.get("column", ""), form.get("name", "").strip())


def _retype(form: Form, region: Region) -> Correction:
    wanted = next((name for name in TYPES if name == form.get("type")), None)
    if wanted is None:
        raise ArgumentError(f"{form.get('type')!r} is no type; there are {', '.join(TYPES)}")
    return Retype(form.get("column", ""), wanted)


def _move(form: Form, region: Region) -> Correction:
    names = [column.name for column in region.columns]
    column = form.get("column", "")
    if column in names:
        at = names.index(column)
        names.insert(max(at + (-1 if form.get("to") == "left" else 1), 0), names.pop(at))
    return Reorder(tuple(names))


def _merge(form: Form, region: Region) -> Correction:
    column, other = form.get("column", ""), form.get("other", "")
    return Merge((column, other), form.get("name", "").strip() or column, form.get("separator", " "))


def _split(form: Form, region: Region) -> Correction:
    column, separator = form.get("column", ""), form.get("separator", "")
    if not separator:
        raise ArgumentError("write what stands between the parts: a comma, a dash, a word")
    texts = [cell.text for record in region.records if (cell := record.get(column)) is not None]
    parts = min(max((text.count(separator) for text in texts), default=0) + 1, MAX_PARTS)
    if parts < 2:
        raise ArgumentError(f"no value of {column} has {separator!r} in it")
    names = [name.strip() for name in form.get("names", "").split(",") if name.strip()]
    taken = {other.name for other in (*region.columns, *region.all_columns)} - {column}
    for number in range(len(names) + 1, parts + 1):
        names.append(next(name for name in _numbered(column, number) if name not in taken and name not in names))
    return Split(column, tuple(names[: max(parts, 2)]), separator)


def _numbered(column: str, number: int) -> list[str]:
    return [f"{column}_{k}" for k in range(number, number + 1000)]


def _skip(form: Form, region: Region) -> Correction:
    number = form.get("record", "")
    is_number = number.isascii() and number.isdigit() and len(number) < 7
    if not is_number or int(number) >= len(region.records):
        raise ArgumentError("there is no such record")
    text = region.records[int(number)].text
    if form.get("mark") != record_mark(text):
        raise ArgumentError("the table has changed; look again")
    return SkipRecord(text)


def record_mark(text: str) -> str:
    """Return a mark of a record's text, by which a form names the record that its user saw."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_FORMS: dict[str, Callable[[Form, Region], Correction]] = {
    "rename": _rename,
    "hide": lambda form, _: Hide(form.get("column", "")),
    "show": lambda form, _: Show(form.get("column", "")),
    "retype": _retype,
    "move": _move,
    "merge": _merge,
    "split": _split,
    "skip": _skip,
}


def in_words(correction: Correction) -> str:
    """Return a correction in a few words, for the list of what was changed."""
    match correction:
        case Rename(column, name):
            return f"{column} is called {name}"
        case Hide(column):
            return f"{column} is hidden"
        case Show(column):
            return f"{column} is shown"
        case Retype(column, type_):
            return f"{column} is read as {type_}"
        case Reorder():
            return "columns in another order"
        case Merge(columns, name):
            return f"{' and '.join(columns)} are merged as {name}"
        case Split(column, names):
            return f"{column} is split into {', '.join(names)}"
        case SkipRecord(text):
            return f"no record: {text[:60]}"

"""Corrections as JSON: a list of objects, each with the kind of the correction and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import get_args

from peneira.values import ColumnType
from peneira.wrappers.corrections import (
    Correction,
    Corrections,
    Hide,
    Merge,
    Rename,
    Reorder,
    Retype,
    Show,
    SkipRecord,
    Split,
)
from peneira.wrappers.json_reader import JsonObject

# Far beyond what a person does; it bounds the cost of an edited file
MAX_CORRECTIONS = 1_000
KINDS: Mapping[str, type[Correction]] = {
    "rename": Rename,
    "hide": Hide,
    "show": Show,
    "retype": Retype,
    "reorder": Reorder,
    "merge": Merge,
    "split": Split,
    "skip-record": SkipRecord,
}
_KIND_OF = {made: kind for kind, made in KINDS.items()}
_LISTS = frozenset({"columns", "names"})


def corrections_json(corrections: Corrections) -> list[dict[str, object]]:
    """Return corrections as a JSON document."""
    return [_correction_json(correction) for correction in corrections.steps]


def _correction_json(correction: Correction) -> dict[str, object]:
    document: dict[str, object] = {"kind": _KIND_OF[type(correction)]}
    for each in fields_of(correction):
        value = getattr(correction, each.name)
        document[each.name] = list(value) if each.name in _LISTS else value
    return document


def read_corrections(where: str, documents: object) -> Corrections:
    """Return the corrections of a JSON document; a ``WrapperError`` states what is wrong in it. ``where`` names it."""
    top = JsonObject(where, {"corrections": documents})
    entries = top.get("corrections", list)
    if len(entries) > MAX_CORRECTIONS:
        raise top.error("corrections", f"has more than {MAX_CORRECTIONS:,} entries")
    return Corrections(
        tuple(_correction(JsonObject(f"{where}: correction {k}", entry)) for k, entry in enumerate(entries, 1))
    )


def _correction(part: JsonObject) -> Correction:
    made = KINDS[part.choice("kind", tuple(KINDS))]
    names = tuple(each.name for each in fields_of(made))
    part.only(("kind", *names))
    values: dict[str, object] = {}
    for name in names:
        if name in _LISTS:
            values[name] = tuple(part.texts(name))
            if not values[name]:
                raise part.error(name, "is empty")
        elif name == "type":
            values[name] = part.choice(name, tuple(each for each in get_args(ColumnType) if each != "records"))
        else:
            values[name] = part.get(name, str)
    return made(**values)  # type: ignore[arg-type]

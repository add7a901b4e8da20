"""The schema of a wrapper: the types of its data, basic, tuple, optional and set (Kayed and Chang 2010, section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from peneira.templates.expressions import Disjunction, Expression, Optional, Repeat, Symbol, below
from peneira.templates.template import Place
from peneira.templates.template_columns import Slot
from peneira.templates.tree_wrapper import TreeWrapper

Type = Literal["basic", "fixed", "tuple", "optional", "set"]


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A type. ``name`` is the column of a basic type, or the text of a fixed one, which is template and not data."""

    type: Type
    parts: tuple[Schema, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return "\n".join(lines(self))


def schema_of(wrapper: TreeWrapper) -> Schema:
    """Return the schema of the wrapper's columns: nodes with one child drop out, and what holds no data.

    Columns that are told by their labels may each be missing, wherever in a list they stand.
    """
    places = wrapper.template.places
    leaves = _leaves(wrapper)
    found: list[Schema | None] = [None] * len(places)
    for number in range(len(places) - 1, -1, -1):
        content = _of_place(places[number], found)
        parts = [*leaves.get(number, ()), *([content] if content else [])]
        found[number] = _tuple(parts)
    return found[0] or Schema("tuple")


def _leaves(wrapper: TreeWrapper) -> dict[int, list[Schema]]:
    leaves: dict[int, list[Schema]] = {}
    for slot, column in zip(wrapper.slots, wrapper.columns, strict=True):
        basic = Schema("basic", name=column.name)
        if slot[2]:
            leaves.setdefault(0, []).append(Schema("optional", (basic,)))
        else:
            leaves.setdefault(slot[0], []).append(basic)
    for slot, text in _texts_only(wrapper.fixed).items():
        leaves.setdefault(slot[0], []).append(Schema("fixed", name=text))
    return leaves


def _texts_only(fixed: Mapping[Slot, str]) -> dict[Slot, str]:
    return {slot: text for slot, text in fixed.items() if not slot[1]}


def _of_place(place: Place, found: Sequence[Schema | None]) -> Schema | None:
    done: dict[int, Schema | None] = {}
    for part in reversed(_within(place.level.grammar.expression)):
        if isinstance(part, Symbol):
            assert isinstance(part.name, int)
            done[id(part)] = found[place.places[part.name]]
            continue
        inner = [one for one in (done[id(item)] for item in below(part)) if one is not None]
        if isinstance(part, Disjunction):  # one of them is there, each may be missing
            inner = [_wrapped("optional", one) for one in inner]
        kind: Type | None = "set" if isinstance(part, Repeat) else "optional" if isinstance(part, Optional) else None
        done[id(part)] = _wrapped(kind, inner[0]) if kind and inner else _tuple(inner)
    return done[id(place.level.grammar.expression)]


def _within(expression: Expression) -> list[Expression]:
    found = [expression]
    for part in found:
        found.extend(below(part))
    return found


def _wrapped(kind: Type, inner: Schema) -> Schema:
    """Return the type around another; what is fixed is neither a set nor optional, it is just template."""
    return inner if inner.type in (kind, "fixed") else Schema(kind, (inner,))


def _tuple(parts: Sequence[Schema]) -> Schema | None:
    flat = [one for part in parts for one in (part.parts if part.type == "tuple" else (part,))]
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else Schema("tuple", tuple(flat))


def lines(schema: Schema) -> list[str]:
    """Return the schema as indented lines, one for each type."""
    out: list[str] = []
    waiting = [(0, schema)]
    while waiting:
        depth, one = waiting.pop()
        said = {"basic": one.name, "fixed": repr(one.name)}.get(one.type, one.type)
        out.append("  " * depth + said)
        waiting.extend((depth + 1, part) for part in reversed(one.parts))
    return out

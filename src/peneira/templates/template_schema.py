"""The schema of a tree wrapper: basic, tuple, optional and set types (Kayed and Chang 2010, section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from peneira.templates.expressions import Disjunction, Expression, Optional, Repeat, Symbol, parts_of
from peneira.templates.template import TemplateNode
from peneira.templates.template_columns import Slot
from peneira.templates.tree_wrapper import TreeWrapper

SchemaType = Literal["basic", "fixed", "tuple", "optional", "set"]


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A type. ``name`` is the column of a basic type, or the text of a fixed type, which is template and not data."""

    type: SchemaType
    parts: tuple[Schema, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return "\n".join(schema_lines(self))


def schema_of(wrapper: TreeWrapper) -> Schema:
    """Return the schema of the wrapper's columns, without nodes that have one child or hold no data.

    Columns identified by a label are optional, wherever in a list they are.
    """
    nodes = wrapper.template.nodes
    leaves = _leaves(wrapper)
    schemas: list[Schema | None] = [None] * len(nodes)
    for number in range(len(nodes) - 1, -1, -1):
        content = _node_schema(nodes[number], schemas)
        parts = [*leaves.get(number, ()), *([content] if content else [])]
        schemas[number] = _tuple(parts)
    return schemas[0] or Schema("tuple")


def _leaves(wrapper: TreeWrapper) -> dict[int, list[Schema]]:
    leaves: dict[int, list[Schema]] = {}
    for (node, _, label), column in zip(wrapper.slots, wrapper.columns, strict=True):
        basic = Schema("basic", name=column.name)
        if label:
            leaves.setdefault(0, []).append(Schema("optional", (basic,)))
        else:
            leaves.setdefault(node, []).append(basic)
    for (node, _, _), text in _without_attributes(wrapper.fixed_texts).items():
        leaves.setdefault(node, []).append(Schema("fixed", name=text))
    return leaves


def _without_attributes(texts: Mapping[Slot, str]) -> dict[Slot, str]:
    return {slot: text for slot, text in texts.items() if not slot[1]}


def _node_schema(node: TemplateNode, schemas: Sequence[Schema | None]) -> Schema | None:
    expression = node.child_model.grammar.expression
    done: dict[int, Schema | None] = {}
    for part in reversed(_breadth_first(expression)):
        if isinstance(part, Symbol):
            assert isinstance(part.name, int)
            done[id(part)] = schemas[node.children[part.name]]
            continue
        inner = [schema for schema in (done[id(item)] for item in parts_of(part)) if schema is not None]
        if isinstance(part, Disjunction):  # exactly one is present, so each may be missing
            inner = [_wrapped("optional", schema) for schema in inner]
        kind: SchemaType | None = (
            "set" if isinstance(part, Repeat) else "optional" if isinstance(part, Optional) else None
        )
        done[id(part)] = _wrapped(kind, inner[0]) if kind and inner else _tuple(inner)
    return done[id(expression)]


def _breadth_first(expression: Expression) -> list[Expression]:
    expressions = [expression]
    for part in expressions:
        expressions.extend(parts_of(part))
    return expressions


def _wrapped(kind: SchemaType, inner: Schema) -> Schema:
    """Return the type around another type; a fixed type, which is template, stays as it is."""
    return inner if inner.type in (kind, "fixed") else Schema(kind, (inner,))


def _tuple(parts: Sequence[Schema]) -> Schema | None:
    flat = [inner for part in parts for inner in (part.parts if part.type == "tuple" else (part,))]
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else Schema("tuple", tuple(flat))


def schema_lines(schema: Schema) -> list[str]:
    """Return the schema as indented lines, one per type."""
    lines: list[str] = []
    stack = [(0, schema)]
    while stack:
        depth, current = stack.pop()
        text = {"basic": current.name, "fixed": repr(current.name)}.get(current.type, current.type)
        lines.append("  " * depth + text)
        stack.extend((depth + 1, part) for part in reversed(current.parts))
    return lines

"""The schema of a tree wrapper: basic, tuple, optional and set types (Kayed and Chang 2010, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from peneira.templates.expressions import Conjunction, Repeat, Symbol
from peneira.templates.label_pairs import Labels
from peneira.templates.template import TemplateNode
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

    A list whose items have labels is no set, but a type for each value of a label: optional if some list lacks it.
    """
    nodes = wrapper.template.nodes
    leaves = _leaves(wrapper)
    schemas: list[_Labelled] = [{} for _ in nodes]
    for number in range(len(nodes) - 1, -1, -1):
        content = _node_schema(number, nodes[number], schemas, wrapper.labels)
        schemas[number] = _tuples([leaves.get(number, {}), content])
    return _tuple([*schemas[0].values()]) or Schema("tuple")


# The schemas of a part of the template by label: those of values whose list is further up, "" for all others
_Labelled = dict[str, Schema]


def _leaves(wrapper: TreeWrapper) -> dict[int, _Labelled]:
    found: dict[int, list[_Labelled]] = {}
    for slot, column in zip(wrapper.slots, wrapper.columns, strict=True):
        node, _, label = slot
        basic = Schema("basic", name=column.name)
        is_optional = label and slot not in wrapper.labels.always
        found.setdefault(node, []).append({label: _wrapped("optional", basic) if is_optional else basic})
    for (node, attribute, label), text in wrapper.fixed_texts.items():
        if not attribute:
            found.setdefault(node, []).append({label: Schema("fixed", name=text)})
    return {node: _tuples(own) for node, own in found.items()}


def _node_schema(number: int, node: TemplateNode, schemas: Sequence[_Labelled], labels: Labels) -> _Labelled:
    parts = node.child_model.grammar.parts
    done: list[_Labelled] = [{} for _ in parts]
    for k in range(len(parts) - 1, -1, -1):
        part, inner = parts[k]
        if isinstance(part, Symbol):
            assert isinstance(part.name, int)
            done[k] = schemas[node.children[part.name]]
        elif isinstance(part, Repeat):
            done[k] = _repeated(done[inner[0]], labels.labels_at((number, k)))
        elif isinstance(part, Conjunction):
            done[k] = _tuples([done[item] for item in inner])
        else:  # of alternatives exactly one is present, so each may be missing
            done[k] = _tuples([_maybe_missing(done[item]) for item in inner])
    return done[0]


def _repeated(item: _Labelled, labels: frozenset[str]) -> _Labelled:
    """Return the schemas of a repetition: sets of all but the values of its labels."""
    return _tuples(
        [{"": schema} if label in labels else {label: _wrapped("set", schema)} for label, schema in item.items()]
    )


def _maybe_missing(part: _Labelled) -> _Labelled:
    """Return the schemas of an option. Whether a value with a label may be missing is known from the lists instead."""
    return {label: schema if label else _wrapped("optional", schema) for label, schema in part.items()}


def _tuples(found: Sequence[_Labelled]) -> _Labelled:
    """Return the schemas of each label as one tuple."""
    by_label: dict[str, list[Schema]] = {}
    for own in found:
        for label, schema in own.items():
            by_label.setdefault(label, []).append(schema)
    return {label: tuple_type for label, parts in by_label.items() if (tuple_type := _tuple(parts))}


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

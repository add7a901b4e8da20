"""Nested objects as flat properties: ``{"offers": {"price": 12}}`` has the property ``offers.price``."""

from __future__ import annotations

from collections.abc import Mapping

from peneira.embedded.items import Scalar
from peneira.embedded.literals import Json, Name

MAX_DEPTH = 4
MAX_PROPERTIES = 80
MAX_CHARS = 2000
# So many values of an array are joined into one
MAX_JOINED = 20
# What a thing among others is called: of an array of things only these remain
_NAMES = ("name", "title", "label", "@value")
# Keys of JSON-LD that describe the description
_SKIPPED = frozenset({"@context", "@type"})

Nodes = Mapping[str, Mapping[str, Json]]
NO_NODES: Nodes = {}


def flat_properties(thing: Mapping[str, Json], nodes: Nodes = NO_NODES) -> dict[str, Scalar]:
    """Return the scalar properties of a thing and of those below it, as many as a table could have.

    ``nodes`` are the things of a graph by ``@id``, for which the graph has references elsewhere.
    """
    properties: dict[str, Scalar] = {}
    _flatten(thing, "", MAX_DEPTH, nodes, properties)
    return properties


def _flatten(thing: Mapping[str, Json], prefix: str, depth: int, nodes: Nodes, properties: dict[str, Scalar]) -> None:
    for key, value in thing.items():
        if len(properties) >= MAX_PROPERTIES:
            return
        if key in _SKIPPED:
            continue
        path = prefix if key == "@value" and prefix else f"{prefix}.{key}" if prefix else key
        scalar = _scalar(value)
        if scalar is not None:
            properties.setdefault(path, scalar)
            continue
        below = _single(value)
        if isinstance(below, dict) and depth > 1:
            _flatten(_resolved(below, nodes), path, depth - 1, nodes, properties)
        elif isinstance(below, list) and (names := _joined_names(below, nodes)):
            properties.setdefault(f"{path}.name", names)


def _scalar(value: Json) -> Scalar | None:
    """Return a value that a cell can have: a text, a number, a boolean, or several of them joined."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and not isinstance(value, Name):
        stripped = value.strip()
        if not stripped:
            return None
        # a ``Number`` is stripped already, and stays one
        return value if stripped == value and len(value) <= MAX_CHARS else stripped[:MAX_CHARS]
    if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value[:MAX_JOINED]):
        texts = [entry.strip() for entry in value[:MAX_JOINED] if isinstance(entry, str)]
        return ", ".join(filter(None, texts))[:MAX_CHARS] or None
    return None


def _single(value: Json) -> Json:
    """Return the only entry of an array, else the value."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _resolved(thing: Mapping[str, Json], nodes: Nodes) -> Mapping[str, Json]:
    identifier = thing.get("@id")
    if len(thing) == 1 and isinstance(identifier, str):
        return nodes.get(identifier, thing)
    return thing


def _joined_names(things: list[Json], nodes: Nodes) -> str:
    names = []
    for thing in things[:MAX_JOINED]:
        if isinstance(thing, dict):
            resolved = _resolved(thing, nodes)
            name = next((text for key in _NAMES if isinstance(text := resolved.get(key), str)), "").strip()
            names.append(name)
    return ", ".join(dict.fromkeys(filter(None, names)))[:MAX_CHARS]

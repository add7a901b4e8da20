"""JSON-LD: the things that scripts of type ``application/ld+json`` describe, and the lists of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from peneira.embedded.flat_properties import NO_NODES, Nodes, flat_properties
from peneira.embedded.items import EmbeddedItem, EmbeddedList
from peneira.embedded.literals import Json
from peneira.embedded.script_data import ScriptValue

MAX_DEPTH = 12
MAX_THINGS = 5000
# Things that say where a page stands on its site, not what is on it
SITE_TYPES = frozenset({"BreadcrumbList", "SearchAction", "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar"})
# An element of a list, which may say only where the thing stands
_LIST_ITEM = "ListItem"

Thing: TypeAlias = "Mapping[str, Json]"


def read_json_ld(values: list[ScriptValue]) -> tuple[list[EmbeddedItem], list[EmbeddedList]]:
    """Return the things of the JSON-LD of a page: those of their own, and those that stand in a list."""
    items: list[EmbeddedItem] = []
    lists: list[EmbeddedList] = []
    for value in values:
        nodes = _nodes(value.value)
        for path, things in _groups(value.value):
            group = tuple(_item(thing, nodes, value.row) for thing in things)
            if len(group) > 1 and path:
                lists.append(EmbeddedList(group, "json-ld", path))
            else:
                items.extend(group)
    return items, [*lists, *lists_by_type(items)]


def lists_by_type(items: list[EmbeddedItem]) -> Iterator[EmbeddedList]:
    """Yield a list of the items of each type that several items have: pages describe their records one by one too."""
    by_type: dict[str, list[EmbeddedItem]] = {}
    for item in items:
        by_type.setdefault(item.type, []).append(item)
    for kind, same in by_type.items():
        if len(same) > 1 and kind not in SITE_TYPES:
            yield EmbeddedList(tuple(same), same[0].source, kind)


def type_name(value: Json) -> str:
    """Return the name of a type without its vocabulary: ``http://schema.org/Product`` is ``Product``."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, str):
        return ""
    return first.strip().rstrip("/#").replace("#", "/").rpartition("/")[2].rpartition(":")[2]


def _groups(root: Json) -> Iterator[tuple[str, list[Thing]]]:
    """Yield the things of a document: those at the top alone, with no path; those of an array with its path."""
    pending: deque[tuple[Json, str, int]] = deque([(root, "", 0)])
    things_left = MAX_THINGS
    while pending and things_left > 0:
        value, path, depth = pending.popleft()
        if depth > MAX_DEPTH:
            continue
        if isinstance(value, list):
            things: list[Thing] = [entry for entry in value[:things_left] if isinstance(entry, dict)]
            if path and things:
                yield path, things
            things_left -= len(things)
            pending.extend((thing, path, depth + 1) for thing in things if isinstance(thing, dict))
        elif isinstance(value, dict):
            kind = type_name(value.get("@type"))
            if kind in SITE_TYPES:
                continue
            if kind and not path:
                yield "", [value]
                things_left -= 1
            for key, entry in value.items():
                if isinstance(entry, (list, dict)):
                    pending.append((entry, "" if key == "@graph" else f"{kind or path}.{key}", depth + 1))


def _nodes(root: Json) -> Nodes:
    """Return the things of a graph by their ``@id``."""
    graph = root.get("@graph") if isinstance(root, dict) else root
    if not isinstance(graph, list):
        return NO_NODES
    nodes: dict[str, Thing] = {}
    for thing in graph[:MAX_THINGS]:
        if isinstance(thing, dict) and isinstance(identifier := thing.get("@id"), str) and len(thing) > 1:
            nodes[identifier] = thing
    return nodes


def _item(thing: Thing, nodes: Nodes, row: int) -> EmbeddedItem:
    """Return a thing as an item; an element of a list is the thing that stands there."""
    kind = type_name(thing.get("@type"))
    inner = thing.get("item")
    if isinstance(inner, dict) and (kind in (_LIST_ITEM, "") or not set(thing) - {"@type", "position", "item"}):
        identifier = inner.get("@id")
        resolved = nodes.get(identifier, inner) if isinstance(identifier, str) and len(inner) == 1 else inner
        outer = {key: entry for key, entry in thing.items() if key not in ("item", "position", "@type", "@id")}
        return EmbeddedItem(
            type_name(resolved.get("@type")), flat_properties({**outer, **resolved}, nodes), "json-ld", row
        )
    if kind == _LIST_ITEM and isinstance(inner, str):
        thing = {**thing, "url": inner}
    elif kind == _LIST_ITEM:
        thing = {key: entry for key, entry in thing.items() if key != "position"}
    return EmbeddedItem(kind, flat_properties(thing, nodes), "json-ld", row)

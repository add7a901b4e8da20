"""Microdata and RDFa: things that the attributes of elements mark, with properties in the elements below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from peneira.embedded.flat_properties import MAX_CHARS, MAX_PROPERTIES
from peneira.embedded.items import EmbeddedItem, EmbeddedList, EmbeddedSource, Scalar
from peneira.embedded.json_ld import SITE_TYPES, type_name
from peneira.page import Page, rows_with

MAX_ITEMS = 5000
# The attribute that has the value of a property, by tag; else it is the text
_VALUE_ATTRIBUTES: Mapping[str, str] = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("img", "audio", "embed", "iframe", "source", "track", "video"), "src"),
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
    "meta": "content",
}
# Properties may be nested to any depth: without a limit, the text below would be read once for each
_MAX_VALUE_ROWS = 200
_NAME_PROPERTIES = frozenset({"name", "title", "headline"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The attributes that mark things, their types and their properties."""

    source: EmbeddedSource
    scope: str
    type: str
    property: str


MICRODATA = Vocabulary("microdata", "itemscope", "itemtype", "itemprop")
RDFA = Vocabulary("rdfa", "typeof", "typeof", "property")


@dataclass(slots=True)
class _Scope:
    """A thing that is being read: its properties so far, and the thing that it is a property of."""

    row: int
    type: str
    parent: int
    prefix: str
    properties: dict[str, Scalar]


def read_annotations(
    page: Page, vocabulary: Vocabulary, *, min_items: int = 1
) -> tuple[list[EmbeddedItem], list[EmbeddedList]]:
    """Return the things that a page marks, in document order, and lists of those of one type at one depth.

    The properties of a thing within a thing are also those of the outer one: ``offers.price``. ``min_items``: a page
    that marks fewer things is not read.
    """
    scopes = _scopes(page, vocabulary, min_items)
    items = [EmbeddedItem(scope.type, scope.properties, vocabulary.source, scope.row) for scope in scopes]
    groups: dict[tuple[str, int], list[EmbeddedItem]] = {}
    for scope, item in zip(scopes, items, strict=True):
        if item.properties and scope.type not in SITE_TYPES:
            groups.setdefault((scope.type, scope.parent), []).append(item)
    lists = [
        EmbeddedList(tuple(same), vocabulary.source, kind or "item")
        for (kind, _), same in groups.items()
        if len(same) > 1
    ]
    return [item for scope, item in zip(scopes, items, strict=True) if scope.parent < 0], lists


def _scopes(page: Page, vocabulary: Vocabulary, min_items: int) -> list[_Scope]:
    if len(rows_with(page, (vocabulary.scope,))) < max(min_items, 1):
        return []
    scopes: list[_Scope] = []
    open_scopes: list[int] = []
    known_names: dict[str, list[str]] = {}  # of properties as they are written: all records have the same
    ends = page.lists.end
    for row in rows_with(page, (vocabulary.scope, vocabulary.property)):
        attrs = page.attrs[row]
        while open_scopes and ends[scopes[open_scopes[-1]].row] <= row:
            open_scopes.pop()
        written = attrs.get(vocabulary.property, "")
        names = known_names.get(written)
        if names is None:
            names = known_names[written] = [type_name(name) for name in written.split()[:4]]
        outer = open_scopes[-1] if open_scopes else -1
        if vocabulary.scope in attrs:
            if len(scopes) >= MAX_ITEMS:
                break
            kind = type_name((attrs.get(vocabulary.type, "").split() or [""])[0])
            scope = _Scope(row, kind, outer if names else -1, names[0] if names else "", {})
            _add_address(page, row, scope)
            open_scopes.append(len(scopes))
            scopes.append(scope)
        elif outer >= 0 and names and (value := _value(page, row)):
            for name in names:
                _add(scopes, outer, name, value)
    return scopes


def _add_address(page: Page, row: int, scope: _Scope) -> None:
    """Add where a thing is to be found, if its element says so."""
    attrs = page.attrs[row]
    identifier = attrs.get("itemid") or attrs.get("about") or attrs.get("resource") or ""
    if identifier:
        scope.properties["@id"] = identifier[:MAX_CHARS]


def _add(scopes: list[_Scope], number: int, name: str, value: Scalar) -> None:
    """Add a property to a thing and, with the path as its name, to those around it."""
    path = name
    for _ in range(4):
        scope = scopes[number]
        if path in scope.properties and path in _NAME_PROPERTIES:
            return
        if len(scope.properties) < MAX_PROPERTIES:
            scope.properties.setdefault(path, value)
        if scope.parent < 0:
            return
        path, number = f"{scope.prefix}.{path}", scope.parent


def attribute_value(page: Page, row: int) -> str:
    """Return the value of a property that an attribute holds, "" if it is the text of the element."""
    attrs = page.attrs[row]
    return (attrs.get("content") or attrs.get(_VALUE_ATTRIBUTES.get(page.name(row), ""), "")).strip()


def _value(page: Page, row: int) -> str:
    """Return the value of a property: that of the attribute that holds it, else the text of the element."""
    end = min(page.lists.end[row], row + _MAX_VALUE_ROWS)
    return (attribute_value(page, row) or page.text_of(row, end))[:MAX_CHARS]

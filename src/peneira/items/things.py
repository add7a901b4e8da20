"""The things that a page describes in JSON-LD, microdata and RDFa, nested as the page nests them.

``peneira.embedded`` flattens things for tables; here the order and the number of values matter: every ingredient, every
step, every offer. Nothing is run, and depth and number are bounded.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from peneira.embedded.annotations import MICRODATA, RDFA, Vocabulary, attribute_value
from peneira.embedded.items import EmbeddedSource
from peneira.embedded.json_ld import type_name
from peneira.embedded.literals import Json, Name
from peneira.embedded.script_data import json_ld_values
from peneira.items.lines import lines_of
from peneira.page import Page, rows_with

MAX_THINGS = 2000
MAX_DEPTH = 10
# Values of one property that are read
MAX_VALUES = 1000
MAX_CHARS = 200_000
_TAG = re.compile(r"<[^<>]{0,2000}>")
_BREAK = re.compile(r"<(?:br|/p|/li|/div|/h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"(?<!\s)\s*\n\s*")
# What a thing that is a value is called
_NAMES = ("name", "@value", "text", "title", "value")
# Below these a thing is another one, not what the page is about
_OTHER_THINGS = frozenset(
    "isrelatedto issimilarto isaccessoryorsparepartfor isconsumablefor review reviews hasvariant isvariantof "
    "itemlistelement breadcrumb publisher author creator offers aggregaterating brand manufacturer ispartof "
    "potentialaction comment comments mentions citation hasofferscatalog hasoffercatalog makesoffer subjectof".split()
)

Things = Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing with a type: its properties by name in lower case, where it is written, and what its graph refers to."""

    type: str
    properties: Mapping[str, Json] = field(hash=False)
    source: EmbeddedSource
    row: int
    nodes: Things = field(hash=False, repr=False)

    def texts(self, key: str, *names: str) -> list[str]:
        """Return the texts of a property; of things among its values what they are called, or the ``names`` given."""
        texts = (self._text(value, names or _NAMES) for value in self._values(key))
        return [text for text in texts if text]

    def text(self, *keys: str) -> str:
        """Return the first text of the first of these properties that has one."""
        return next((text for key in keys for text in self.texts(key)), "")

    def lines(self, key: str) -> list[str]:
        """Return the lines of a property: each value, and each line of a value that has several."""
        lines = (line for text in self.texts(key) for line in text.split("\n"))
        return [stripped for line in lines if (stripped := line.strip())]

    def things(self, key: str) -> list[Thing]:
        """Return the things among the values of a property."""
        return [self._thing(value) for value in self._values(key) if isinstance(value, dict)]

    def entries(self, key: str) -> list[Thing | str]:
        """Return the values of a property: things as they are, all others as texts."""
        values = self._values(key)
        return [self._thing(value) if isinstance(value, dict) else _plain(value) for value in values]

    def has(self, key: str) -> bool:
        """Return whether a property has a value."""
        return self.properties.get(key) not in (None, "", [], {})

    def _values(self, key: str) -> list[Json]:
        value = self.properties.get(key)
        if isinstance(value, list):
            return [inner for entry in value[:MAX_VALUES] for inner in (entry if isinstance(entry, list) else [entry])]
        return [] if value is None else [value]

    def _thing(self, value: Mapping[str, Json]) -> Thing:
        return _thing(_resolved(value, self.nodes), self.source, self.row, self.nodes)

    def _text(self, value: Json, names: tuple[str, ...]) -> str:
        if isinstance(value, dict):
            inner = self._thing(value)
            found = (text for name in names for entry in inner._values(name) if (text := _plain(entry)))
            return next(found, "")
        return _plain(value)


def things_of(page: Page) -> list[Thing]:
    """Return the things that a page describes and that it may be about, in the order JSON-LD, microdata, RDFa."""
    things: list[Thing] = []
    for script in json_ld_values(page):
        nodes = _nodes(script.value)
        things.extend(_top_things(script.value, script.row, nodes))
    for vocabulary in (MICRODATA, RDFA):
        things.extend(_marked_things(page, vocabulary))
    return things[:MAX_THINGS]


def clean_text(text: str) -> str:
    """Return a text of a script as a reader would see it: no markup, no entities, one space between words."""
    return " ".join(_plain(text).split())


def _plain(value: Json) -> str:
    """Return a scalar as text without markup; the ends of its blocks are line ends."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str) or isinstance(value, Name):
        return ""
    text = value[:MAX_CHARS]
    if "&" in text:
        text = unescape(text)
        text = unescape(text) if "&" in text else text
    if "<" in text:
        text = _TAG.sub(" ", _BREAK.sub("\n", text))
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()


def _thing(data: Mapping[str, Json], source: EmbeddedSource, row: int, nodes: Things) -> Thing:
    properties: dict[str, Json] = {}
    for key, value in data.items():
        properties.setdefault(type_name(key).lower() or key.lower(), value)
    return Thing(_type(data.get("@type")), properties, source, row, nodes)


def _type(value: Json) -> str:
    """Return the type, in lower case; of several the one that says most of what the page is about."""
    names = [type_name(entry).lower() for entry in (value if isinstance(value, list) else [value])[:8]]
    specific = [name for name in names if name not in ("webpage", "thing", "creativework", "")]
    return (specific or names or [""])[0]


def _resolved(thing: Mapping[str, Json], nodes: Things) -> Mapping[str, Json]:
    identifier = thing.get("@id")
    return nodes.get(identifier, thing) if isinstance(identifier, str) and len(thing) <= 2 else thing


def _nodes(root: Json) -> Things:
    """Return the things of a graph by their ``@id``."""
    graph = root.get("@graph") if isinstance(root, dict) else root
    if not isinstance(graph, list):
        return {}
    nodes: dict[str, Mapping[str, Json]] = {}
    for thing in graph[:MAX_THINGS]:
        if isinstance(thing, dict) and isinstance(identifier := thing.get("@id"), str) and len(thing) > 1:
            nodes[identifier] = thing
    return nodes


def _top_things(root: Json, row: int, nodes: Things) -> Iterator[Thing]:
    """Yield the things of a document that are not parts of others, such as the offers of a product."""
    pending: deque[tuple[Json, int]] = deque([(root, 0)])
    left = MAX_THINGS
    while pending and left > 0:
        value, depth = pending.popleft()
        left -= 1
        if depth > MAX_DEPTH:
            continue
        if isinstance(value, list):
            pending.extend((entry, depth + 1) for entry in value[:left] if isinstance(entry, (dict, list)))
        elif isinstance(value, dict):
            if "@type" in value:
                yield _thing(value, "json-ld", row, nodes)
            for key, entry in value.items():
                if isinstance(entry, (dict, list)) and key.lower() not in _OTHER_THINGS:
                    pending.append((entry, depth + 1))


def _marked_things(page: Page, vocabulary: Vocabulary) -> list[Thing]:
    """Return the things that attributes of elements mark, those alone that are no property of another one."""
    if not rows_with(page, (vocabulary.scope,)):
        return []
    ends = page.lists.end
    top: list[Thing] = []
    open_things: list[tuple[int, dict[str, Json]]] = []
    count = 0
    for row in rows_with(page, (vocabulary.scope, vocabulary.property)):
        attrs = page.attrs[row]
        while open_things and open_things[-1][0] <= row:
            open_things.pop()
        names = [type_name(name) for name in attrs.get(vocabulary.property, "").split()[:4]]
        value: Json
        if vocabulary.scope in attrs:
            count += 1
            if count > MAX_THINGS or len(open_things) >= MAX_DEPTH:
                continue
            data: dict[str, Json] = {"@type": (attrs.get(vocabulary.type, "").split() or [""])[0]}
            value = data
            if not (open_things and names):
                top.append(Thing(_type(data["@type"]), data, vocabulary.source, row, {}))
        elif open_things and names:
            value = _marked_value(page, row)
        else:
            continue
        for name in names if open_things else ():
            values = open_things[-1][1].setdefault(name.lower(), [])
            if isinstance(values, list) and len(values) < MAX_VALUES and value != "":
                values.append(value)
        if isinstance(value, dict):
            open_things.append((ends[row], value))
    return top


def _marked_value(page: Page, row: int) -> str:
    """Return the value of a marked property; that of an element with blocks in it has a line for each."""
    return attribute_value(page, row) or "\n".join(line.text for line in lines_of(page, row))

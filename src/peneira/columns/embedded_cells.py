"""Columns and cells of embedded properties: their values cleaned, typed and marked with their source."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, cast

from peneira.columns.absolute_urls import absolute_url
from peneira.columns.embedded_properties import CODES, ROLES, PropertyName, property_name
from peneira.embedded.items import EmbeddedItem, EmbeddedSource, Number, Scalar
from peneira.late_patterns import late_pattern
from peneira.node_paths import PageNode
from peneira.table import Cell, Column
from peneira.values import ColumnType, Role, Value

if TYPE_CHECKING:
    from peneira.types.column_types import InferredType

# Programs write numbers and dates as in English, whatever the language of the page
_LANGUAGE = "en"
_TAG = late_pattern(r"<[^<>]{0,2000}>")
_VOCABULARY = late_pattern(r"https?://schema\.org/(\w+)/?$")
# 2001 to 2100 in seconds or thousandths of them
_EPOCH = late_pattern(r"(?:9\d{8}|[1-4]\d{9})(\d{3})?$")
_URL_COLUMNS: Mapping[str, ColumnType] = {"url": "url", "image": "image"}


@dataclass(frozen=True, slots=True)
class EmbeddedColumn:
    """A property of the items of some records: its column name, and its texts by record.

    ``is_flag``: the values are true and false; ``is_tracking``: the items are what the page tells those who count its
    visitors.
    """

    property: PropertyName
    source: EmbeddedSource
    texts: Mapping[int, str]
    is_flag: bool = False
    is_tracking: bool = False


def embedded_column_list(
    items: Mapping[int, EmbeddedItem], base: str, *, is_tracking: bool = False
) -> list[EmbeddedColumn]:
    """Return the properties of the items as columns, in the order in which they first appear.

    Properties of one name are one column: the first that an item has.
    """
    names: dict[str, PropertyName] = {}
    texts: dict[str, dict[int, str]] = {}
    named: dict[str, PropertyName] = {}
    flags: set[str] = set()
    source: EmbeddedSource = "script-state"
    for record, item in items.items():
        source = item.source
        for path, value in item.properties.items():
            if path not in names:
                names[path] = property_name(path)
            name = names[path]
            own = texts.get(name.name)
            is_flag = isinstance(value, bool)
            if not name.name or (own is not None and record in own and not is_flag):
                continue
            text = value_text(value, name, base)
            if not text:
                continue
            if own is None:
                named[name.name] = name
                own = texts[name.name] = {}
            own.setdefault(record, text)
            if is_flag:
                flags.add(name.name)
    return [EmbeddedColumn(named[name], source, texts[name], name in flags, is_tracking) for name in texts]


def value_text(value: Scalar, name: PropertyName, base: str = "") -> str:
    """Return a value as a reader would write it: without markup, a time as an ISO time, an address made absolute."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        is_time = name.role in ("date", "end_date") or name.name.endswith(("_date", "_at", "_time"))
        return _iso_time(value) if is_time and _EPOCH.match(value) else str(value)
    if match := _VOCABULARY.match(value):
        return match[1]
    text = unescape(value) if "&" in value else value
    if name.name in _URL_COLUMNS:
        return absolute_url(base, text) if "/" in text and " " not in text.strip() else ""
    return " ".join((_TAG.sub(" ", text) if "<" in text else text).split())


def _iso_time(epoch: str) -> str:
    seconds = int(epoch) // (1000 if len(epoch) > 10 else 1)
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def typed(
    embedded: EmbeddedColumn,
    name: str,
    role: str,
    nodes: Mapping[int, PageNode],
    records: int,
    *,
    is_template: bool = False,
) -> tuple[Column, dict[int, Cell]]:
    """Return the column and its cells by record."""
    inferred = _inferred(embedded.property.name, embedded.texts.values())
    source = embedded.source
    column = Column(
        name,
        caption=name,
        fill=len(embedded.texts) / records,
        type=inferred.type,
        confidence=inferred.confidence,
        is_template=is_template,
        role=cast("Role", role) if role in ROLES else "",
        source=source,
    )
    cells = {}
    for record, text in embedded.texts.items():
        value: Value = text if inferred.type in ("url", "image") else inferred.value(text)
        kind = "text" if value is None else inferred.type
        cells[record] = Cell(text, "", kind, value, source=source, node=nodes[record])
    return column, cells


def _inferred(name: str, texts: Iterable[str]) -> InferredType:
    from peneira.types.column_types import InferredType, infer_type

    if name in CODES:
        return InferredType("text", 1.0)
    if name in _URL_COLUMNS:
        return InferredType(_URL_COLUMNS[name], 1.0)
    inferred = infer_type(list(texts), caption=name, language=_LANGUAGE)
    # a text with commas in it is no list unless the page wrote one
    return InferredType("text", 1.0) if inferred.type in ("list", "boolean") else inferred

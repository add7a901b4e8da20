"""The data of a page, extracted with a template (ExtractData): rows are matched with template nodes, bottom up.

Nodes that the template does not know are skipped: a node without a match loses its own subtree and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from peneira.page import Page
from peneira.templates.grammar import ParseNode
from peneira.templates.row_matching import match_rows
from peneira.templates.template import Template
from peneira.templates.template_data import EMPTY, Data, DataItem, DataList, DataText

# Attributes that hold data for readers or programs, besides all of ``data-*``
DATA_ATTRIBUTES = frozenset({"href", "src", "alt", "title", "datetime"})
_DATA_PREFIX = "data-"
_LINK_ATTRIBUTES = ("href", "src")
_NOT_LINKS = ("javascript:", "data:", "#")


@dataclass(frozen=True, slots=True)
class PageData:
    """The data of a page, the template node of each matched row, and the topmost rows without a match."""

    data: Data
    node_of_row: Mapping[int, int]
    unmatched: tuple[int, ...]


def extract_data(
    template: Template, page: Page, shapes: Sequence[int], start: tuple[int, int] | None = None
) -> PageData:
    """Return the data of a page, or of the subtree at ``start``, which is a row and its template node.

    ``shapes`` are those of the page's rows in the subtree index of the template.
    """
    if not len(page):
        return PageData(EMPTY, {}, ())
    first, node = start or (page.body, 0)
    node_of_row, parses, unmatched = match_rows(template, page, shapes, (first, node))
    data: dict[int, Data] = {}
    for row in reversed(node_of_row):
        if page.is_text(row):
            data[row] = _text(page, row, node_of_row[row])
        else:
            content = _content(*parses[row], data, page, node_of_row[row]) if row in parses else EMPTY
            data[row] = _with_attributes(content, page, row, node_of_row[row])
    return PageData(data[first], node_of_row, tuple(unmatched))


def _text(page: Page, row: int, node: int) -> Data:
    text = " ".join(page.text[row].split())
    return DataText(text, row, node) if text else EMPTY


def _with_attributes(content: Data, page: Page, row: int, node: int) -> Data:
    values = tuple(
        DataText(value.strip(), row, node, name)
        for name, value in page.attrs[row].items()
        if (name in DATA_ATTRIBUTES or name.startswith(_DATA_PREFIX))
        and value.strip()
        and not (name in _LINK_ATTRIBUTES and value.strip().lower().startswith(_NOT_LINKS))
    )
    if not values:
        return content
    if content is EMPTY:
        return values[0] if len(values) == 1 else DataItem(values)
    return DataItem((*values, *(content.parts if isinstance(content, DataItem) else (content,))))


def _content(children: Sequence[int], parsed: ParseNode, data: Mapping[int, Data], page: Page, node: int) -> Data:
    """Return the data of a sequence of children: an item, or its only part."""
    done: dict[int, Data] = {}
    for part in reversed(_breadth_first(parsed)):
        values = [_value(child, children, data, done) for child in part.parts]
        done[id(part)] = _list(part, values, children, page, node) if part.is_list else _item(values)
    return done[id(parsed)]


def _breadth_first(parsed: ParseNode) -> list[ParseNode]:
    nodes = [parsed]
    for node in nodes:
        nodes.extend(part for part in node.parts if isinstance(part, ParseNode))
    return nodes


def _value(
    part: ParseNode | int | None, children: Sequence[int], data: Mapping[int, Data], done: Mapping[int, Data]
) -> Data | None:
    """Return the data of a part; None for a child that is present but holds no data, such as a line break."""
    if part is None:
        return EMPTY
    value = done[id(part)] if isinstance(part, ParseNode) else data[children[part]]
    return None if value is EMPTY else value


def _item(values: Sequence[Data | None]) -> Data:
    parts = tuple(value for value in values if value is not None)
    if all(part is EMPTY for part in parts):
        return EMPTY
    return parts[0] if len(parts) == 1 else DataItem(parts)


def _list(parsed: ParseNode, values: Sequence[Data | None], children: Sequence[int], page: Page, node: int) -> Data:
    ranges = []
    for part in parsed.parts:
        assert part is not None  # the iterations of a repetition are never missing
        start, stop = (part.start, part.stop) if isinstance(part, ParseNode) else (part, part + 1)
        ranges.append((children[start], int(page.end[children[stop - 1]])))
    kept = [(value, span) for value, span in zip(values, ranges, strict=True) if value is not None]
    if not kept:
        return EMPTY
    items, spans = zip(*kept, strict=True)
    return DataList(items, spans, int(page.parent[children[0]]), (node, parsed.expression_node))

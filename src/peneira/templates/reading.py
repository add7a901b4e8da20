"""Reading a page by a template (ExtractData): every row finds its place, every place gives its data.

What a page has and the template does not know is passed over, whatever it is: a node that fits nowhere costs its own
subtree and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from peneira.page import Page
from peneira.templates.parsing import Match
from peneira.templates.row_placement import place_rows
from peneira.templates.template import Template
from peneira.templates.template_data import EMPTY, Data, DataItem, DataList, DataText

# Attributes that hold data for a reader or a machine, besides all of ``data-*``
DATA_ATTRIBUTES = frozenset({"href", "src", "alt", "title", "datetime"})
_DATA_PREFIX = "data-"
_LINK_ATTRIBUTES = ("href", "src")
_NOT_LINKS = ("javascript:", "data:", "#")


@dataclass(frozen=True, slots=True)
class Reading:
    """The data of a page, the place of each row that has one, and the rows that fit nowhere (their tops only)."""

    data: Data
    place_of: Mapping[int, int]
    strays: tuple[int, ...]


def read_data(template: Template, page: Page, shapes: Sequence[int], start: tuple[int, int] | None = None) -> Reading:
    """Return the data of a page, or of a part of it: ``start`` is a row and its place.

    ``shapes`` are those of the page's rows in the forest of the template.
    """
    if not len(page):
        return Reading(EMPTY, {}, ())
    first, place = start or (page.body, 0)
    placed, matches, strays = place_rows(template, page, shapes, (first, place))
    data: dict[int, Data] = {}
    for row in reversed(placed):
        if page.is_text(row):
            data[row] = _text(page, row, placed[row])
        else:
            content = _content(*matches[row], data, page, placed[row]) if row in matches else EMPTY
            data[row] = _with_attributes(content, page, row, placed[row])
    return Reading(data[first], placed, tuple(strays))


def _text(page: Page, row: int, slot: int) -> Data:
    text = " ".join(page.text[row].split())
    return DataText(text, row, slot) if text else EMPTY


def _with_attributes(content: Data, page: Page, row: int, slot: int) -> Data:
    values = tuple(
        DataText(value.strip(), row, slot, name)
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


def _content(children: Sequence[int], match: Match, data: Mapping[int, Data], page: Page, slot: int) -> Data:
    """Return the data of a sequence: its parts, or the part alone if there is only one."""
    done: dict[int, Data] = {}
    for part in reversed(_matches_within(match)):
        values = [_value(one, children, data, done) for one in part.parts]
        done[id(part)] = _list(part, values, children, page, slot) if part.is_list else _item(values)
    return done[id(match)]


def _matches_within(match: Match) -> list[Match]:
    found = [match]
    for part in found:
        found.extend(one for one in part.parts if isinstance(one, Match))
    return found


def _value(
    part: Match | int | None, children: Sequence[int], data: Mapping[int, Data], done: Mapping[int, Data]
) -> Data | None:
    """Return the data of a part; None where a child is there and has none, such as a line break."""
    if part is None:
        return EMPTY
    value = done[id(part)] if isinstance(part, Match) else data[children[part]]
    return None if value is EMPTY else value


def _item(values: Sequence[Data | None]) -> Data:
    parts = tuple(value for value in values if value is not None)
    if all(part is EMPTY for part in parts):
        return EMPTY
    return parts[0] if len(parts) == 1 else DataItem(parts)


def _list(part: Match, values: Sequence[Data | None], children: Sequence[int], page: Page, slot: int) -> Data:
    ranges = []
    for one in part.parts:
        assert one is not None  # a turn of a repetition is there
        start, stop = (one.start, one.stop) if isinstance(one, Match) else (one, one + 1)
        ranges.append((children[start], int(page.end[children[stop - 1]])))
    kept = [(value, span) for value, span in zip(values, ranges, strict=True) if value is not None]
    if not kept:
        return EMPTY
    items, spans = zip(*kept, strict=True)
    return DataList(items, spans, int(page.parent[children[0]]), (slot, part.node))

"""The data that a template extracts from a page: texts, items (tuples), lists and empty positions, nested.

These are DataText, DataItem, DataList and EmptyData of the G-STM wrapper generator (Moura 2018, section 3.2.2).
Attribute values are texts too, which that work left for later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from peneira.result import Range


@dataclass(frozen=True, slots=True, eq=False)
class DataText:
    """A text of the page, or the value of an attribute. ``node`` is its template node."""

    text: str
    row: int
    node: int
    attribute: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class DataItem:
    """A tuple of different values that belong together."""

    parts: tuple[Data, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DataList:
    """A list of values of one kind. ``ranges`` are the rows of each value, ``parent`` is the row that contains them.

    ``repetition`` is equal for lists that come from the same repetition of the template.
    """

    items: tuple[Data, ...]
    ranges: tuple[Range, ...]
    parent: int
    repetition: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EmptyData:
    """An optional part that is missing."""


Data = DataText | DataItem | DataList | EmptyData
EMPTY = EmptyData()

PlainData = str | None | tuple["PlainData", ...] | list["PlainData"]


def walk_data(data: Data) -> Iterator[Data]:
    """Yield the data and all data nested in it, in document order."""
    stack = [data]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, DataItem):
            stack.extend(reversed(part.parts))
        elif isinstance(part, DataList):
            stack.extend(reversed(part.items))


def texts_in(data: Data, *, attributes: bool = False) -> Iterator[DataText]:
    """Yield the texts in the data, and the attribute values if ``attributes`` is set."""
    return (part for part in walk_data(data) if isinstance(part, DataText) and (attributes or not part.attribute))


def plain_data(data: Data, *, attributes: bool = False) -> PlainData:
    """Return the data as strings, tuples, lists and None, for printing and comparing."""
    done: dict[int, PlainData] = {}
    for part in reversed(list(walk_data(data))):
        if isinstance(part, DataItem):
            included = [child for child in part.parts if attributes or not _is_attribute(child)]
            values = tuple(done[id(child)] for child in included)
            done[id(part)] = values[0] if len(values) == 1 else values
        elif isinstance(part, DataList):
            done[id(part)] = [done[id(item)] for item in part.items]
        else:
            done[id(part)] = part.text if isinstance(part, DataText) else None
    return done[id(data)]


def _is_attribute(data: Data) -> bool:
    return isinstance(data, DataText) and bool(data.attribute)

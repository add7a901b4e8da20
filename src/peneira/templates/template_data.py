"""What a wrapper reads from a page: texts, items (tuples), lists, and empty places, nested as the page nests them.

These are DataText, DataItem, DataList and EmptyData of the G-STM wrapper generator (Moura 2018, section 3.2.2);
attributes are texts too, which there was a wish.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from peneira.result import Range


@dataclass(frozen=True, slots=True, eq=False)
class DataText:
    """A text of the page, or the value of an attribute. ``slot`` is its place in the template."""

    text: str
    row: int
    slot: int
    attribute: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class DataItem:
    """Different values that belong together: a tuple."""

    parts: tuple[Data, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DataList:
    """Values of one kind. ``ranges`` are the rows of each, ``parent`` is the node that holds them.

    ``slot`` is equal for lists that are made by the same repetition of the template.
    """

    items: tuple[Data, ...]
    ranges: tuple[Range, ...]
    parent: int
    slot: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EmptyData:
    """The place of something that may be there, and is not."""


Data = DataText | DataItem | DataList | EmptyData
EMPTY = EmptyData()

Plain = str | None | tuple["Plain", ...] | list["Plain"]


def within(data: Data) -> Iterator[Data]:
    """Yield the data and all in it, in the order of the page."""
    waiting = [data]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, DataItem):
            waiting.extend(reversed(part.parts))
        elif isinstance(part, DataList):
            waiting.extend(reversed(part.items))


def texts(data: Data, *, attributes: bool = False) -> Iterator[DataText]:
    """Yield the texts in the data, those of attributes only if asked for."""
    return (part for part in within(data) if isinstance(part, DataText) and (attributes or not part.attribute))


def plain(data: Data, *, attributes: bool = False) -> Plain:
    """Return the data as strings, tuples, lists and None, which is what one wants to print or compare."""
    done: dict[int, Plain] = {}
    for part in reversed(list(within(data))):
        if isinstance(part, DataItem):
            shown = [one for one in part.parts if attributes or not _is_attribute(one)]
            values = tuple(done[id(one)] for one in shown)
            done[id(part)] = values[0] if len(values) == 1 else values
        elif isinstance(part, DataList):
            done[id(part)] = [done[id(item)] for item in part.items]
        else:
            done[id(part)] = part.text if isinstance(part, DataText) else None
    return done[id(data)]


def _is_attribute(data: Data) -> bool:
    return isinstance(data, DataText) and bool(data.attribute)

"""The one form of embedded data: an item has flat properties, a list has items of one kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

EmbeddedSource = Literal["json-ld", "microdata", "rdfa", "opengraph", "script-state"]


class Number(str):
    """A number as the page wrote it, so that no digit is lost."""

    __slots__ = ()


# A ``Number`` is a ``str``
Scalar: TypeAlias = str | bool


@dataclass(frozen=True, slots=True)
class EmbeddedItem:
    """One thing that the page describes: its schema.org type ("" in script state) and its properties.

    Properties of nested things have the path as their name: ``offers.price``. ``row`` is the element that holds the
    item: a script, or the element that microdata and RDFa mark.
    """

    type: str
    properties: Mapping[str, Scalar] = field(hash=False)
    source: EmbeddedSource
    row: int


@dataclass(frozen=True, slots=True)
class EmbeddedList:
    """At least two items of one kind. ``path`` says where they stand: ``ItemList``, ``props.pageProps.products``."""

    items: tuple[EmbeddedItem, ...]
    source: EmbeddedSource
    path: str

    @property
    def row(self) -> int:
        """The row of the element that holds the first item."""
        return self.items[0].row


@dataclass(frozen=True, slots=True)
class EmbeddedData:
    """All that a page says about itself: single items in document order, and lists of them."""

    items: tuple[EmbeddedItem, ...] = ()
    lists: tuple[EmbeddedList, ...] = ()

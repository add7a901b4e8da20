"""Positional XPaths and CSS selectors of nodes, made when they are asked for.

The XPath of a node nested a thousand deep has tens of kilobytes, so results keep a ``PageNode`` and no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from peneira.kept_property import kept_property
from peneira.kernels import compiled
from peneira.markup import NodeLists

node_columns = compiled("node_columns")

FOREIGN_TAGS = frozenset({"svg", "math"})
_XPATH_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
# Longer paths are not kept: those of the ancestors of one deep node alone would take a hundred megabytes
_MAX_KEPT_CHARS = 400
_MAX_RECENT = 8


# The attribute with the text of an XPath that a result has itself, "" where it is that of its node
OWN_XPATH = "_own_xpath"


class NodePaths:
    """The XPaths and CSS selectors of the nodes of one page."""

    def __init__(self, lists: Callable[[], NodeLists], tag_names: Sequence[str]) -> None:
        """``lists``: makes the columns of the page as lists, which results that nobody looks at do not need."""
        self._make_lists, self._names = lists, tag_names
        self._kept: dict[int, str] = {-1: ""}
        self._recent: dict[int, str] = {}

    @kept_property
    def _lists(self) -> NodeLists:
        return self._make_lists()

    @kept_property
    def _tags(self) -> list[int]:
        return self._lists.tag

    @kept_property
    def _parents(self) -> list[int]:
        return self._lists.parent

    @kept_property
    def _ordinals(self) -> tuple[list[int], list[int], list[bool]]:
        """Each node's position among siblings of its tag and among all elements, and whether XPath can name it."""
        return _ordinals(self._lists, self._names)

    def xpath(self, i: int) -> str:
        """Return the positional XPath of node ``i``."""
        return f"{self._element_path(self._parents[i])}/{self.step(i)}"

    def _element_path(self, i: int) -> str:
        if (known := self._kept.get(i)) is not None or (known := self._recent.get(i)) is not None:
            return known
        steps = []
        node = i
        while (known := self._kept.get(node)) is None and (known := self._recent.get(node)) is None:
            steps.append(node)
            node = self._parents[node]
        path = known
        while steps and len(path) <= _MAX_KEPT_CHARS:
            node = steps.pop()
            path = self._kept[node] = f"{path}/{self.step(node)}"
        if not steps:
            return path
        # neighbours are asked for one after the other: their parent is near
        above = "/".join((path, *map(self.step, reversed(steps[1:]))))
        if len(self._recent) > _MAX_RECENT:
            self._recent.clear()
        path = f"{above}/{self.step(i)}"
        self._recent[self._parents[i]], self._recent[i] = above, path
        return path

    def step(self, i: int) -> str:
        """Return the last step of the XPath of node ``i``."""
        among_same, among_all, nameable = self._ordinals
        if self._tags[i] == 0:
            return f"text()[normalize-space()][{among_same[i]}]"
        name = self._names[self._tags[i]]
        return f"{name}[{among_same[i]}]" if nameable[i] else f"*[{among_all[i]}]"

    def position(self, i: int) -> int:
        """Return the position of node ``i``, from 1, among its siblings of the same tag; of a text among the texts."""
        return self._ordinals[0][i]

    def css(self, i: int) -> str:
        """Return a CSS selector of node ``i``; for a text node, which CSS cannot select, that of its parent."""
        among_same, among_all, nameable = self._ordinals
        node = self._parents[i] if self._tags[i] == 0 else i
        steps = []
        while node >= 0:
            name = self._names[self._tags[node]]
            if self._parents[node] < 0:
                steps.append(name)
            elif nameable[node]:
                steps.append(f"{name}:nth-of-type({among_same[node]})")
            else:
                steps.append(f":nth-child({among_all[node]})")
            node = self._parents[node]
        return " > ".join(reversed(steps))


class PageNode:
    """A node of a page as results keep it: its XPath is made when it is asked for. It is pickled as None."""

    __slots__ = ("_paths", "row")

    def __init__(self, paths: NodePaths, row: int) -> None:
        self._paths, self.row = paths, row

    @property
    def xpath(self) -> str:
        """The positional XPath."""
        return self._paths.xpath(self.row)

    def __repr__(self) -> str:
        return f"<PageNode {self.row}>"

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()  # who is pickled has the XPath as text then


# In the order of its fields
NODE_SLOTS = (PageNode.__dict__["_paths"], PageNode.__dict__["row"])


class HasNode(Protocol):
    """A result with an XPath, and the node that it is of."""

    @property
    def xpath(self) -> str: ...
    @property
    def node(self) -> PageNode | None: ...


Result = TypeVar("Result", bound=HasNode)


def with_xpath_of_node(owner: type[Result]) -> type[Result]:
    """Return the slotted dataclass, its ``xpath`` being that of its ``node`` where it was given none.

    A property stands in front of the slot of that name, so that comparing, pickling and ``dataclasses.replace`` see the
    text, which is made when it is read.
    """
    slot: Any = owner.__dict__["xpath"]
    own_text = slot.__get__

    def xpath(result: HasNode) -> str:
        text: str = own_text(result)
        return text or (result.node.xpath if result.node is not None else "")

    setattr(owner, "xpath", property(xpath, slot.__set__))  # noqa: B010
    setattr(owner, OWN_XPATH, slot)
    return owner


def own_xpath(result: HasNode) -> str:
    """Return the text of an XPath that a result has itself, "" where it is that of its node and made on demand."""
    text: str = getattr(result, OWN_XPATH)
    return text


def keep_node_alone(result: HasNode) -> None:
    """Drop the text of an XPath that is that of the node, as ``dataclasses.replace`` hands it on."""
    if result.node is not None and (own := getattr(result, OWN_XPATH)) and own == result.node.xpath:
        object.__setattr__(result, "xpath", "")


def _ordinals(lists: NodeLists, tag_names: Sequence[str]) -> tuple[list[int], list[int], list[bool]]:
    """Return each node's position among siblings of its tag and among all elements, and whether XPath can name it."""
    tags, parents = np.array(lists.tag, dtype=np.int64), np.array(lists.parent, dtype=np.int64)
    can_name = np.array(
        [bool(_XPATH_NAME.fullmatch(name)) and name not in FOREIGN_TAGS for name in tag_names], dtype=np.bool_
    )
    nameable = can_name[tags]
    foreign = [code for code, name in enumerate(tag_names) if name in FOREIGN_TAGS]
    for i in np.flatnonzero(np.isin(tags, foreign)).tolist() if foreign else ():
        nameable[i : lists.end[i]] = False
    if node_columns is not None:
        same, every = node_columns.ordinals(tags.astype(np.int32), parents.astype(np.int32), len(tag_names))
        return same.tolist(), every.tolist(), nameable.tolist()
    among_same = _positions(parents * len(tag_names) + tags)
    among_all = _positions(parents * 2 + (tags == 0))
    return among_same.tolist(), among_all.tolist(), nameable.tolist()


def _positions(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each row's position among the rows of the same key, from 1."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(key) else order
    position = np.empty(len(key), dtype=np.int64)
    position[order] = np.arange(1, len(key) + 1) - np.repeat(starts, np.diff(starts, append=len(key)))
    return position

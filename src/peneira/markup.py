"""The node table back as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from peneira.kernels import node_loops

VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
RAW_TEXT_TAGS = frozenset("script style xmp iframe noembed noframes plaintext".split())
# The parser drops one newline right after these start tags
NEWLINE_EATING_TAGS = frozenset({"pre", "textarea", "listing"})
_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"})
_VALUE_ESCAPES = str.maketrans(
    {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"}
)

_TEXT_SPECIAL = re.compile("[&<>\u00a0\r]")
_VALUE_SPECIAL = re.compile('[&"<>\u00a0\r]')


class NodeLists(NamedTuple):
    """Columns of the node table as plain lists: the code of the tag, the end of the subtree, the parent of each row."""

    tag: list[int]
    end: list[int]
    parent: list[int]


class NodeTable(Protocol):
    """What is read of a ``Page`` to write it as HTML."""

    @property
    def lists(self) -> NodeLists: ...
    @property
    def tag_names(self) -> Sequence[str]: ...
    @property
    def text(self) -> list[str]: ...
    @property
    def attrs(self) -> Sequence[Mapping[str, str]]: ...
    @property
    def spaced(self) -> list[bool]: ...


def serialise(page: NodeTable, root: int, *, doctype: str = "", keep: NDArray[np.bool_] | None = None) -> str:
    """Return the subtree of ``root`` as HTML, after ``doctype``; only the rows of ``keep``, if given.

    With a row, its ancestors must be kept.
    """
    tags = page.lists.tag
    ends = page.lists.end
    parents = page.lists.parent
    rows = list(range(root, ends[root])) if keep is None else (root + np.flatnonzero(keep[root : ends[root]])).tolist()
    out = [doctype]
    node_loops.write_rows(
        rows, tags, ends, parents, page.spaced, page.text, page.attrs, list(page.tag_names), VOID_TAGS,
        out, _text, _attributes,
    )  # fmt: skip
    return "".join(out)


def _attributes(attrs: Mapping[str, str]) -> str:
    if _VALUE_SPECIAL.search("".join(attrs.values())):
        return "".join([f' {key}="{value.translate(_VALUE_ESCAPES)}"' for key, value in attrs.items()])
    return "".join([f' {key}="{value}"' for key, value in attrs.items()])


def _text(text: str, around: str, is_first: bool) -> str:
    """Return a text as HTML, given the tag of its parent and whether it is the first thing in it."""
    if around in RAW_TEXT_TAGS:
        return text
    eaten = is_first and around in NEWLINE_EATING_TAGS and text.startswith("\n")
    escaped = text.translate(_TEXT_ESCAPES) if _TEXT_SPECIAL.search(text) else text
    return f"\n{escaped}" if eaten else escaped

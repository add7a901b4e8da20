"""Which elements a parser of HTML takes for SVG or MathML, by their names and ancestors (HTML, section 13.2.6).

In foreign content ``style``, ``xmp`` and their like hold ordinary text, and no element is void. Who writes such a tree
as HTML must know it: text that was inert would else become markup when it is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

Namespace = Literal["html", "svg", "math"]
# The names of the codes in the namespace column of a page
NAMESPACES: Sequence[Namespace] = ("html", "svg", "math")

_SVG_INTEGRATION = frozenset({"foreignobject", "desc", "title"})
_MATH_TEXT_INTEGRATION = frozenset({"mi", "mo", "mn", "ms", "mtext"})
_MATH_WITHIN_TEXT = frozenset({"mglyph", "malignmark"})
_HTML_ENCODINGS = frozenset({"text/html", "application/xhtml+xml"})
_ROOTS: Mapping[str, Namespace] = {"svg": "svg", "math": "math"}


class Tree(Protocol):
    """What is read of a table of nodes."""

    @property
    def tag(self) -> list[int]: ...
    @property
    def end(self) -> list[int]: ...
    @property
    def parent(self) -> list[int]: ...


def foreign_rows(tree: Tree, names: Sequence[str], attrs: Sequence[Mapping[str, str]]) -> dict[int, Namespace]:
    """Return the namespace of each element that is not HTML, as a parser sees it when the rows are written and read.

    This is the namespace that the element had, but for trees that HTML cannot express: the parser takes an ``mglyph``
    out of a table in ``mtext`` as one of HTML, and reads it again as one of MathML. Rows that only scripts can make
    count as foreign where they are below a foreign row.
    """
    if "svg" not in names and "math" not in names:
        return {}
    lowered = [name.lower() for name in names]
    roots = {k for k, name in enumerate(lowered) if name in _ROOTS}
    found: dict[int, Namespace] = {}
    for root in sorted(row for code in roots for row in rows_of_code(tree.tag, code)):
        if root not in found:
            for i in range(root, tree.end[root]):
                parent = tree.parent[i]
                around = found.get(parent, "html") if parent >= 0 else "html"
                space = _namespace(lowered[tree.tag[i]], around, lowered[tree.tag[parent]], attrs[parent])
                if space != "html" and tree.tag[i]:
                    found[i] = space
    return found


def rows_of_code(tags: list[int], code: int) -> Iterator[int]:
    """Yield the rows with a code: found by the list itself, in a fraction of the time of a loop."""
    row = -1
    for _ in range(tags.count(code)):
        row = tags.index(code, row + 1)
        yield row


def _namespace(name: str, around: Namespace, parent: str, parent_attrs: Mapping[str, str]) -> Namespace:
    """Return the namespace of an element, given its parent and the namespace of that."""
    if around == "svg":
        return _ROOTS.get(name, "html") if parent in _SVG_INTEGRATION else "svg"
    if around == "math":
        if parent in _MATH_TEXT_INTEGRATION:
            return "math" if name in _MATH_WITHIN_TEXT else _ROOTS.get(name, "html")
        if parent == "annotation-xml":
            is_html = parent_attrs.get("encoding", "").lower() in _HTML_ENCODINGS
            return _ROOTS.get(name, "html") if is_html else "svg" if name == "svg" else "math"
        return "math"
    return _ROOTS.get(name, "html")

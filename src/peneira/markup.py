"""The node table back as HTML: read again, it is the same table, and no text of it has become markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from peneira.kernels import compiled, node_loops
from peneira.namespaces import foreign_rows, rows_of_code

VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
RAW_TEXT_TAGS = frozenset("script style xmp iframe noembed noframes plaintext".split())
# The parser drops one newline right after these start tags
NEWLINE_EATING_TAGS = frozenset({"pre", "textarea", "listing"})
_SPECIAL_TAGS = VOID_TAGS | RAW_TEXT_TAGS | NEWLINE_EATING_TAGS
# Marks behind names of tags, which are taken off again; no tag of a page has such a character in its name
_FOREIGN, _IN_NOSCRIPT = "\x00", "\x01"
# Elements whose texts are not only escaped
_APART = NEWLINE_EATING_TAGS | RAW_TEXT_TAGS | {f"{name}{_IN_NOSCRIPT}" for name in RAW_TEXT_TAGS}
_MARKED_TAG = re.compile("^(</?[^\x00\x01 >]+)[\x00\x01]")
_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"})
_VALUE_ESCAPES = str.maketrans(
    {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;", "\r": "&#13;"}
)

_TEXT_SPECIAL = re.compile("[&<>\u00a0\r]")
_VALUE_SPECIAL = re.compile('[&"<>\u00a0\r]')

text_scan = compiled("text_scan")
# The same as ``_escaped``, None where it is not compiled
_compiled_escapes: Callable[[str], str] | None = text_scan and text_scan.TextEscapes(_TEXT_ESCAPES)


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
    @property
    def namespace(self) -> NDArray[np.int8]: ...
    @property
    def marked_rows(self) -> tuple[list[int], list[str]]: ...


def serialise(page: NodeTable, root: int, *, doctype: str = "", keep: NDArray[np.bool_] | None = None) -> str:
    """Return the subtree of ``root`` as HTML, after ``doctype``; only the rows of ``keep``, if given.

    With a row, its ancestors must be kept.
    """
    tags, names = page.marked_rows
    ends = page.lists.end
    parents = page.lists.parent
    rows = list(range(root, ends[root])) if keep is None else (root + np.flatnonzero(keep[root : ends[root]])).tolist()
    out = [doctype]
    node_loops.write_rows(
        rows, tags, ends, parents, page.spaced, page.text, names, VOID_TAGS, _APART,
        out, _text, _compiled_escapes or _escaped, _attribute_writer(page.attrs),
    )  # fmt: skip
    if len(names) > len(page.tag_names):
        out = [_MARKED_TAG.sub(r"\1", part) if _FOREIGN in part or _IN_NOSCRIPT in part else part for part in out]
    return "".join(out)


def marked_rows(page: NodeTable) -> tuple[list[int], list[str]]:
    """Return the codes of the rows and the names of the codes, with marked names where a name is not what it seems.

    These are elements of SVG and MathML with the name of a special element of HTML (they are not void, and hold no raw
    text), by their own namespace or by that in which they are read again: what is escaped is inert in both. And raw
    text in ``noscript``, which browsers with scripts read as one text up to its end tag.
    """
    tags, names = page.lists.tag, list(page.tag_names)
    marked_codes: dict[tuple[str, int], int] = {}

    def marked(code: int, mark: str) -> int:
        if (mark, code) not in marked_codes:
            marked_codes[mark, code] = len(names)
            names.append(names[code] + mark)
        return marked_codes[mark, code]

    special = {code for code, name in enumerate(names) if name in _SPECIAL_TAGS}
    raw = {code for code, name in enumerate(names) if name in RAW_TEXT_TAGS}
    foreign = dict.fromkeys(foreign_rows(page.lists, names, page.attrs), special)
    foreign = {**dict.fromkeys(np.flatnonzero(page.namespace).tolist(), raw), **foreign}
    changed = {i: marked(tags[i], _FOREIGN) for i, codes in foreign.items() if tags[i] in codes}
    if raw and "noscript" in names:
        noscript, end = names.index("noscript"), 0
        for start in rows_of_code(tags, noscript):
            # what is in an outer one is done
            inside = (i for i in range(max(start, end), page.lists.end[start]) if tags[i] in raw and i not in changed)
            changed.update((i, marked(tags[i], _IN_NOSCRIPT)) for i in inside)
            end = max(end, page.lists.end[start])
    return [changed.get(i, code) for i, code in enumerate(tags)] if changed else tags, names


def _raw(text: str, around: str) -> str:
    """Return a text that HTML does not escape; an end tag in it, which only scripts can put there, is broken up."""
    name = around.removesuffix(_IN_NOSCRIPT)
    if "</" not in text or (name == "script" and "<!--" in text and "<script" in text.lower()):
        return text  # a script in a comment in a script may hold an end tag
    ends = f"{name}|noscript" if around != name else name
    return re.sub(f"</(?={ends})", r"<\\/", text, flags=re.IGNORECASE)


def _attribute_writer(all_attrs: Sequence[Mapping[str, str]]) -> Callable[[int], str]:
    """Return what writes the attributes of a row: that of the kernel where the page was read by it."""
    if hasattr(all_attrs, "markup"):
        write: Callable[[int], str] = all_attrs.markup
        return write
    return lambda row: _attributes(all_attrs[row])


def _attributes(attrs: Mapping[str, str]) -> str:
    if _VALUE_SPECIAL.search("".join(attrs.values())):
        return "".join([f' {key}="{value.translate(_VALUE_ESCAPES)}"' for key, value in attrs.items()])
    return "".join([f' {key}="{value}"' for key, value in attrs.items()])


def _text(text: str, around: str, is_first: bool) -> str:
    """Return a text as HTML, given the tag of its parent and whether it is the first thing in it."""
    if around.removesuffix(_IN_NOSCRIPT) in RAW_TEXT_TAGS:
        return _raw(text, around)
    eaten = is_first and around in NEWLINE_EATING_TAGS and text.startswith("\n")
    return f"\n{_escaped(text)}" if eaten else _escaped(text)


def _escaped(text: str) -> str:
    return text.translate(_TEXT_ESCAPES) if _TEXT_SPECIAL.search(text) else text

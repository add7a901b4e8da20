"""What Chromium answers to ``DOMSnapshot.captureSnapshot``, into a page with boxes.

Chromium's nodes are in document order already, shadow trees flattened into their hosts. The documents of frames are
separate: those of the page's own process come with it, those of other processes as parts of their own.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.kernels import node_loops
from peneira.layout import PROPERTIES, Layout, Property, Styles
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.namespaces import Namespace
from peneira.page import NO_ATTRS, TEXT, Page, Rows

FORMAT = "peneira-snapshot"
VERSION = 1
BLANK = " \t\n\f\r"

_ELEMENT, _TEXT, _COMMENT, _DOCTYPE = 1, 3, 8, 10
_NO_ROW = -1
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Names have capitals and small letters of ASCII; all others are as they were written
_SMALL_LETTER = re.compile("[a-z]")
_SMALL_LETTERS = str.maketrans(ascii_uppercase, ascii_lowercase)
# A blank document: itself, html, head and body
_BLANK_NODES = 4


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The answers of Chromium for one page, unchanged.

    ``parts``: one answer per process, that of the page itself first. ``owners``: (part, backend id of the frame
    element in it, part of the frame's document).
    """

    parts: Sequence[Mapping[str, Any]]
    owners: Sequence[tuple[int, int, int]] = ()

    def to_bytes(self) -> bytes:
        """Return the snapshot as compressed JSON; equal snapshots give equal bytes."""
        document = {"format": FORMAT, "version": VERSION, "parts": self.parts, "owners": self.owners}
        return gzip.compress(json.dumps(document, separators=(",", ":")).encode(), compresslevel=6, mtime=0)

    @classmethod
    def from_bytes(cls, data: bytes) -> Snapshot:
        """Return the snapshot that ``to_bytes`` wrote."""
        document = json.loads(gzip.decompress(data))
        if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
            raise ValueError(f"not a snapshot of version {VERSION}")
        return cls(document["parts"], [tuple(owner) for owner in document["owners"]])


def page_of(
    snapshot: Snapshot,
    *,
    url: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    cuts: Sequence[Cut] = (),
    screenshot: bytes | None = None,
) -> Page:
    """Return the page of a snapshot. ``url`` is used in place of the document's own."""
    return page_and_node_ids(snapshot, url=url, limits=limits, cuts=cuts, screenshot=screenshot)[0]


def page_and_node_ids(
    snapshot: Snapshot,
    *,
    url: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    cuts: Sequence[Cut] = (),
    screenshot: bytes | None = None,
) -> tuple[Page, dict[int, int]]:
    """Return the page of a snapshot, and by row what Chromium calls the nodes of the page's own process."""
    reader = _Reader(snapshot, limits)
    reader.read()
    main = reader.documents[0]
    page = Page(
        reader.rows,
        url=url or main.string(main.raw["documentURL"]) or None,
        encoding=main.string(main.raw["encodingName"]) or "utf-8",
        encoding_reason="decided by the browser",
        doctype=_doctype(main),
        cuts=(*cuts, *reader.cuts),
        layout=reader.layout(screenshot),
    )
    return page, reader.node_ids(len(snapshot.parts[0]["documents"]))


@dataclass(slots=True)
class _Document:
    """One document of a snapshot, and where its corner lies on the page."""

    raw: Mapping[str, Any]
    strings: Sequence[str]
    frames: Mapping[int, int] = field(default_factory=dict)
    corner: tuple[float, float] = (0.0, 0.0)

    def string(self, index: int) -> str:
        return self.strings[index] if index >= 0 else ""

    def has_content(self) -> bool:
        """Return whether a frame has a page in it, and not nothing or Chromium's own error page."""
        is_error = self.string(self.raw["documentURL"]).startswith("chrome-error:")
        return not is_error and len(self.raw["nodes"]["nodeType"]) > _BLANK_NODES


class _DocumentCursor(NamedTuple):
    """A document being read: its index, the rows of its nodes so far, and its nodes still to come."""

    document: int
    row_of: list[int]
    nodes: Iterator[int]


class _Reader:
    """Reads the documents of a snapshot into rows, each below its frame element."""

    def __init__(self, snapshot: Snapshot, limits: Limits) -> None:
        self.limits = limits
        self._foreign: dict[int, Namespace] = {}
        self.rows = Rows(foreign=self._foreign)
        self.cuts: list[Cut] = []
        self.documents = _documents(snapshot)
        self._codes: dict[str, int] = {TEXT: 0}
        self._html_names = {TEXT}
        self._row_of: list[list[int]] = [[] for _ in self.documents]

    def read(self) -> None:
        """Fill the rows. Open frames are kept on a stack of our own, so that deep nesting needs no recursion."""
        stack = [self._opened(0)]
        above = [_NO_ROW]
        while stack:
            frame = self._read_to_frame(stack[-1], above[-1])
            if frame is None:
                stack.pop()
                above.pop()
            elif frame[1] not in {cursor.document for cursor in stack}:
                above.append(frame[0])
                stack.append(self._opened(frame[1]))

    def _opened(self, document: int) -> _DocumentCursor:
        row_of = self._row_of[document]
        return _DocumentCursor(document, row_of, iter(range(len(self.documents[document].raw["nodes"]["nodeType"]))))

    def _read_to_frame(self, cursor: _DocumentCursor, above: int) -> tuple[int, int] | None:
        """Read nodes up to the next frame with a document; return its row and that document, None at the end."""
        document, rows, row_of = self.documents[cursor.document], self.rows, cursor.row_of
        nodes, strings = document.raw["nodes"], document.strings
        kinds, names, values = nodes["nodeType"], nodes["nodeName"], nodes["nodeValue"]
        parents, attributes = nodes["parentIndex"], nodes["attributes"]
        tags, row_parents, texts, attrs, spaced = rows.tag, rows.parent, rows.text, rows.attrs, rows.spaced
        codes, frames, max_rows = self._codes, document.frames, self.limits.nodes
        html_names, foreign = self._html_names, self._foreign
        run, space = _NO_ROW - 1, False
        pre, blank = _NO_ROW, ""  # the row of the last `pre`, the white space in it before the next text
        for i in cursor.nodes:
            kind = kinds[i]
            parent = parents[i]
            # what hangs below the document, or below a row of ours; a pseudo-element and its parts do not
            over = row_of[parent] if parent > 0 else above
            if parent > 0 and over == _NO_ROW:
                row_of.append(_NO_ROW)
                continue
            if kind == _TEXT and over != above:
                text = strings[values[i]] if values[i] >= 0 else ""
                if not text.strip(BLANK):
                    space = True
                    if pre != _NO_ROW and node_loops.is_inside(row_parents, over, pre):
                        blank += text
                    row_of.append(_NO_ROW)
                    continue
                if over == run and not space:  # neighbouring texts are one in the HTML of the page
                    texts[-1] += text
                    row_of.append(len(tags) - 1)
                    continue
                if blank and node_loops.is_inside(row_parents, over, pre):
                    text = blank + text
                run, name, blank = over, TEXT, ""
            elif kind == _ELEMENT and not (name := strings[names[i]]).startswith("::"):
                run, text = _NO_ROW - 1, ""
            else:
                if kind != _ELEMENT:
                    run = _NO_ROW - 1
                row_of.append(_NO_ROW)
                continue
            if len(tags) >= max_rows:
                self.cuts = [Cut("nodes", max_rows, "the nodes that come after were not read")]
                row_of.extend([_NO_ROW] * (len(kinds) - len(row_of)))
                return None
            row_of.append(len(tags))
            code = codes.get(name)
            if code is None:
                code = codes[name] = self._code(name)
            if self.rows.tag_names[code] == "pre":
                pre, blank = len(tags), ""
            if name not in html_names:
                foreign[len(tags)] = (
                    "math" if name == "math" or (name != "svg" and foreign.get(over) == "math") else "svg"
                )
            tags.append(code)
            row_parents.append(over)
            texts.append(text)
            pairs = attributes[i] if kind == _ELEMENT else ()
            named = zip(pairs[::2], pairs[1::2], strict=True)  # no value is -1
            attrs.append({strings[k]: strings[v] if v >= 0 else "" for k, v in named} or NO_ATTRS)
            spaced.append(space)
            space = False
            if i in frames:
                return len(tags) - 1, frames[i]
        return None

    def _code(self, name: str) -> int:
        """Return the code of a node name: elements of HTML are named in capitals there, in small letters here."""
        small = name
        if _SMALL_LETTER.search(name) is None:
            small = name.translate(_SMALL_LETTERS)
            self._html_names.add(name)
        if small not in self._codes:
            self._codes[small] = len(self.rows.tag_names)
            self.rows.tag_names.append(small)
        return self._codes[small]

    def node_ids(self, documents: int) -> dict[int, int]:
        """Return Chromium's ids of the nodes of the first documents, by row."""
        found = zip(self.documents[:documents], self._row_of, strict=False)
        return {
            row: node_id
            for document, row_of in found
            for row, node_id in zip(row_of, document.raw["nodes"]["backendNodeId"], strict=False)
            if row != _NO_ROW
        }

    def layout(self, screenshot: bytes | None) -> Layout:
        """Return boxes and styles of the rows read."""
        count = len(self.rows.tag)
        boxes = np.zeros((count, 4))
        has_box = np.zeros(count, dtype=np.bool_)
        strings: dict[str, int] = {"": 0}
        codes = np.zeros((count, len(PROPERTIES)), dtype=np.int32)
        for document, row_of in zip(self.documents, self._row_of, strict=True):
            if row_of:
                _set_boxes(document, row_of, boxes, has_box, codes, strings)
                _set_corners(document, self.documents)
        values = tuple(strings)
        styles: dict[Property, Styles] = {name: _compact(codes[:, k], values) for k, name in enumerate(PROPERTIES)}
        main = self.documents[0].raw
        return Layout(boxes, has_box, styles, float(main["contentWidth"]), float(main["contentHeight"]), screenshot)


def _documents(snapshot: Snapshot) -> list[_Document]:
    """Return all documents of all parts, each with its frames and the documents these show."""
    first = running_sum([len(part["documents"]) for part in snapshot.parts]).tolist()
    documents = []
    for number, part in enumerate(snapshot.parts):
        strings = _without_lone_surrogates(part["strings"])
        for raw in part["documents"]:
            inner = raw["nodes"].get("contentDocumentIndex", {"index": [], "value": []})
            frames = dict(zip(inner["index"], [first[number] + index for index in inner["value"]], strict=True))
            documents.append(_Document(raw, strings, frames))
    for number, backend_id, inner_part in snapshot.owners:
        for document in documents[first[number] : first[number + 1]]:
            ids = document.raw["nodes"]["backendNodeId"]
            if backend_id in ids:
                document.frames = {**document.frames, ids.index(backend_id): first[inner_part]}
    for document in documents:
        document.frames = {node: k for node, k in document.frames.items() if documents[k].has_content()}
    return documents


def _without_lone_surrogates(strings: Sequence[str]) -> Sequence[str]:
    """Return the strings with U+FFFD for lone surrogates, which scripts can make and no file can hold."""
    if not any(map(_LONE_SURROGATE.search, strings)):
        return strings
    return [_LONE_SURROGATE.sub("\ufffd", string) for string in strings]


def _set_boxes(
    document: _Document,
    row_of: list[int],
    boxes: NDArray[np.float64],
    has_box: NDArray[np.bool_],
    codes: NDArray[np.int32],
    strings: dict[str, int],
) -> None:
    """Write the boxes and styles of a document into those of the page."""
    layout = document.raw["layout"]
    rows = np.array([row_of[i] for i in layout["nodeIndex"]], dtype=np.int64)
    # a node has several layout objects where it has markers or columns: the first is its own
    _, own = np.unique(rows, return_index=True)
    own = own[(rows[own] >= 0)]
    own = own[[bool(layout["styles"][k]) for k in own.tolist()]] if len(own) else own
    if not len(own):
        return
    bounds = np.array(layout["bounds"], dtype=np.float64)[own]
    bounds[:, :2] += document.corner
    boxes[rows[own]] = bounds
    has_box[rows[own]] = True
    styles = np.array([layout["styles"][k] for k in own.tolist()], dtype=np.int64)
    used, local = np.unique(styles, return_inverse=True)
    known = [strings.setdefault(document.string(index), len(strings)) for index in used.tolist()]
    codes[rows[own]] = np.array(known, dtype=np.int32)[local.reshape(styles.shape)]


def _set_corners(document: _Document, documents: Sequence[_Document]) -> None:
    """Set the corners of the documents in the frames of a document."""
    layout = document.raw["layout"]
    for node, inner in document.frames.items():
        if node not in layout["nodeIndex"]:
            continue
        x, y, width, height = layout["bounds"][layout["nodeIndex"].index(node)]
        framed = documents[inner]
        bounds = framed.raw["layout"]["bounds"]
        # what is around the document is border and padding, as a rule the same on both sides
        left = (width - bounds[0][2]) / 2 if bounds else 0.0
        top = (height - bounds[0][3]) / 2 if bounds else 0.0
        framed.corner = (
            document.corner[0] + x + max(left, 0.0) - framed.raw["scrollOffsetX"],
            document.corner[1] + y + max(top, 0.0) - framed.raw["scrollOffsetY"],
        )


def _compact(codes: NDArray[np.int32], values: tuple[str, ...]) -> Styles:
    """Return the styles with only the values in use; "" stays the first."""
    used = np.unique(np.append(codes, 0))
    return Styles(np.searchsorted(used, codes).astype(np.int32), tuple(values[code] for code in used.tolist()))


def _doctype(document: _Document) -> str:
    nodes = document.raw["nodes"]
    for kind, name in zip(nodes["nodeType"][:8], nodes["nodeName"], strict=False):
        if kind == _DOCTYPE:
            public, system = document.string(document.raw["publicId"]), document.string(document.raw["systemId"])
            identifier = f' PUBLIC "{public}"' if public else " SYSTEM" if system else ""
            return f"<!DOCTYPE {document.string(name)}{identifier}" + (f' "{system}">' if system else ">")
    return ""

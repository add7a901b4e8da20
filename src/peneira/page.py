"""The page as a table of nodes: one row per element and per non-blank text node, in document order.

Blank means what it means in HTML and XPath: only space, tab, newline, form feed, return. A lone ``&nbsp;`` is a node.

A node is a row number. A subtree is the slice ``i:end[i]``. Every view that a method needs (tag paths, shapes, visible
text, XPath, HTML) is derived from the columns; the parser's own tree is never seen outside ``peneira.sources``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from peneira.budget import check_budget
from peneira.credentials import checked_url
from peneira.kept_property import kept_property
from peneira.kernels import compiled, node_loops
from peneira.layout import Boxes, Layout
from peneira.lazy import load
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.markup import NodeLists, marked_rows, serialise
from peneira.namespaces import NAMESPACES, Namespace, foreign_rows
from peneira.node_paths import NodePaths, PageNode

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Namespaces = NDArray[np.int8]
# A mapping for each row, made on demand where the page was read by lexbor
Attributes = Sequence[Mapping[str, str]]
Reading = tuple[str, Sequence[int], Sequence[int]]

node_columns = compiled("node_columns")
page_facts = compiled("page_facts")
page_parts = compiled("page_parts")

TEXT = "#text"
NO_ATTRS: Mapping[str, str] = {}
_NOT_PICKLED = frozenset({"_reading", "_full_reading", "_ends", "_tags", "_parents", "addresses"})

# Characters with no width of their own: never part of visible text
ZERO_WIDTH = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DROP_ZERO_WIDTH = str.maketrans("", "", ZERO_WIDTH)

SILENT_TAGS = frozenset({"head", "script", "style", "noscript", "template"})
# Nothing in them is a value of a record: controls that offer all possible values, and drawings
CONTROLS_AND_DRAWINGS = frozenset({"svg", "math", "select", "datalist", "iframe", "canvas"})
# With less text or fewer texts, noscript holds a message; so does a longer one that has few links and names JavaScript
MIN_NOSCRIPT_CHARS = 400
MIN_NOSCRIPT_TEXTS = 3
MAX_NOSCRIPT_MESSAGE_CHARS = 1000
MIN_NOSCRIPT_LINKS = 3
# Elements that run on in the line: their edges are no word boundary. Everything else is read as a block
INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small "
    "span strike strong sub sup time tt u var wbr".split()
)
# What counts as "style" in a tag path, as the author of the TPS filter ran it
STYLE_ATTRIBUTES = frozenset("style class color bgcolor width height align valign halign colspan rowspan".split())
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)


@dataclass(slots=True)
class Rows:
    """The columns that a source must fill; everything else on a ``Page`` is derived from them.

    ``foreign``: the rows that are not HTML, if the source knows them; else they follow from names and ancestors.
    """

    tag_names: list[str] = field(default_factory=lambda: [TEXT])
    tag: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    attrs: list[Mapping[str, str]] = field(default_factory=list)
    spaced: list[bool] = field(default_factory=list)
    foreign: Mapping[int, Namespace] | None = None


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """The same columns as arrays, with what is known of the tree, as a compiled source makes them."""

    tag_names: Sequence[str]
    tag: Codes
    parent: Codes
    end: Codes
    depth: Codes
    text: list[str]
    attrs: Attributes
    spaced: list[bool]
    namespace: Namespaces


class _ListsOnDemand:
    """Columns as lists, made when they are first asked for."""

    def __init__(self, tag: Codes, end: Codes, parent: Codes, lists: NodeLists | None = None) -> None:
        self._tag, self._end, self._parent, self._lists = tag, end, parent, lists

    def __call__(self) -> NodeLists:
        if self._lists is None:
            columns = self._tag, self._end, self._parent
            lists = [column.tolist() for column in columns] if node_columns is None else node_columns.as_lists(*columns)
            self._lists = NodeLists(*lists)
        return self._lists


class Page:
    """One web page as parallel columns over its nodes; immutable by convention.

    ``tag[i]`` is a code into ``tag_names`` (0 is ``#text``), ``parent[0]`` is -1, ``text[i]`` is the raw text of a text
    node ("" for an element; in a ``pre`` it begins with the white space between it and the text before), ``spaced[i]``
    is true where nothing but white space stands before the node. ``layout`` has the boxes and styles of a rendered
    page, None for a page that was not rendered.
    """

    def __init__(
        self,
        rows: Rows | NodeColumns,
        *,
        url: str | None = None,
        encoding: str = "utf-8",
        encoding_reason: str = "given as text",
        doctype: str = "",
        cuts: Sequence[Cut] = (),
        layout: Layout | None = None,
    ) -> None:
        self.url = url
        self.encoding = encoding
        self.encoding_reason = encoding_reason
        self.doctype = doctype
        self.cuts = tuple(cuts)
        self.layout = layout
        self.tag_names = tuple(rows.tag_names)
        self.text = rows.text
        self.attrs: Attributes = rows.attrs
        self.spaced = rows.spaced
        if isinstance(rows, Rows):
            lists = NodeLists(rows.tag, node_loops.ends_of(rows.parent), rows.parent)
            self.tag: Codes = np.array(rows.tag, dtype=np.int32)
            self.parent: Codes = np.array(rows.parent, dtype=np.int32)
            self.depth: Codes = np.array(node_loops.depths_of(rows.parent), dtype=np.int32)
            self.end: Codes = np.array(lists.end, dtype=np.int32)
            self._lists = _ListsOnDemand(self.tag, self.end, self.parent, lists)
            self._foreign = rows.foreign
        else:
            self.tag, self.parent, self.depth, self.end = rows.tag, rows.parent, rows.depth, rows.end
            self.namespace = rows.namespace
            self._lists = _ListsOnDemand(self.tag, self.end, self.parent)

    @kept_property
    def lists(self) -> NodeLists:
        """The columns as lists too, which plain loops read faster than arrays."""
        return self._lists()

    @kept_property
    def _ends(self) -> memoryview[int]:
        """The column ``end``, of which single numbers are read faster than from an array."""
        return self.end.data

    @kept_property
    def _tags(self) -> memoryview[int]:
        """The column ``tag``, likewise; single names need no lists of all rows."""
        return self.tag.data

    @kept_property
    def _parents(self) -> memoryview[int]:
        """The column ``parent``, likewise."""
        return self.parent.data

    @kept_property
    def namespace(self) -> Namespaces:
        """The namespace of each row, a code into ``NAMESPACES``: 0 is HTML, also for texts."""
        foreign = self._foreign
        if foreign is None:
            foreign = foreign_rows(self.lists, self.tag_names, self.attrs)
        codes = np.zeros(len(self), dtype=np.int8)
        codes[list(foreign)] = [NAMESPACES.index(name) for name in foreign.values()]
        return codes

    @property
    def url(self) -> str | None:
        """The address of the page, without user name and password, None where it is not known."""
        return self._url

    @url.setter
    def url(self, url: str | None) -> None:
        self._url = checked_url(url)

    @property
    def boxes(self) -> Boxes | None:
        """x, y, width and height of each row in CSS pixels, None for a page that was not rendered."""
        return self.layout.boxes if self.layout else None

    @classmethod
    def from_html(cls, html: bytes | str, *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Page:
        """Return the page of HTML text, or of bytes as a server sends them. ``url`` makes links absolute."""
        page: Page = load("peneira.sources.html:read_page")(html, url=url, limits=limits)
        return page

    @classmethod
    def from_file(cls, path: str | PathLike[str], *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Page:
        """Return the page of an HTML file, which may be packed with gzip (``page.html.gz``)."""
        page: Page = load("peneira.sources.html:read_page")(Path(path), url=url, limits=limits)
        return page

    def __len__(self) -> int:
        return len(self.tag)

    def __getstate__(self) -> dict[str, object]:
        """Return the columns without what cannot be pickled and is made again, as the offsets of the visible text."""
        return {name: value for name, value in self.__dict__.items() if name not in _NOT_PICKLED}

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without URL'}: {len(self)} nodes>"

    # --- derived columns -------------------------------------------------------------------------------------------

    @kept_property
    def silent_tags(self) -> frozenset[str]:
        """Names of the elements that count in no view: ``noscript`` only where it does not hold the content.

        Discussion software writes its threads into ``noscript``, for readers without scripts, and nothing elsewhere.
        """
        return SILENT_TAGS - {"noscript"} if self._has_content_in_noscript() else SILENT_TAGS

    @kept_property
    def skipped_tags(self) -> frozenset[str]:
        """Names of the elements in which nothing is a value of a record."""
        return self.silent_tags | CONTROLS_AND_DRAWINGS

    @kept_property
    def silent(self) -> Flags:
        """Nodes in head, script, style, noscript, template (``silent_tags``): rows that count in no view."""
        return self._below_tags(self.silent_tags)

    def _has_content_in_noscript(self) -> bool:
        # a browser with scripts, whose pages have a layout, keeps noscript as one text of markup
        if "noscript" not in self.tag_names or self.layout is not None:
            return False
        roots = self.rows_of("noscript")
        spans = zip(roots.tolist(), self.end[roots].tolist(), strict=True)
        inside = [text for start, end in spans for text in self.text[start:end] if text]
        if len(inside) < MIN_NOSCRIPT_TEXTS or sum(map(len, inside)) < MIN_NOSCRIPT_CHARS:
            return False
        unread = self._below_tags(SILENT_TAGS - {"noscript"})
        spare = self._below_tags(frozenset({"noscript"})) & ~unread
        texts = self._stripped_texts(spare)
        chars = sum(map(len, texts))
        if len(texts) < MIN_NOSCRIPT_TEXTS or chars < MIN_NOSCRIPT_CHARS:
            return False
        if chars <= sum(map(len, self._stripped_texts(~(unread | spare)))):
            return False
        links = self.tag_names.index("a") if "a" in self.tag_names else -1
        has_links = int(np.count_nonzero(spare & (self.tag == links))) >= MIN_NOSCRIPT_LINKS
        is_short = chars <= MAX_NOSCRIPT_MESSAGE_CHARS
        return has_links or not (is_short and any("javascript" in text.lower() for text in texts))

    def _stripped_texts(self, rows: Flags) -> list[str]:
        return [self.text[i].strip() for i in np.flatnonzero(rows & (self.tag == 0)).tolist()]

    def _below_tags(self, names: frozenset[str]) -> Flags:
        if page_parts is not None:
            wanted = np.array([name in names for name in self.tag_names], dtype=np.uint8)
            below: Flags = page_parts.inside_tags(self.tag, self.end, wanted)
            return below
        return self.flags_below(self.rows_of(*names).tolist())

    @kept_property
    def hidden(self) -> Flags:
        """Nodes that the page itself hides: ``hidden`` attribute, inline ``display:none`` or ``visibility:hidden``.

        On a rendered page: nodes of which the browser painted nothing.
        """
        if self.layout:
            return ~(self.layout.visible_rows(self.end) | self.silent)
        rows, codes, styles = attribute_column(self, "style")
        hides = [_HIDING_STYLE.search(style) is not None for style in styles]
        roots = rows[np.array(hides, dtype=np.bool_)[codes]].tolist()
        return self.flags_below([*roots, *rows_with(self, ("hidden",))])

    @kept_property
    def seen(self) -> Flags:
        """Nodes that are neither silent nor hidden."""
        return ~(self.silent | self.hidden)

    @kept_property
    def addresses(self) -> tuple[Codes, Codes, list[str]]:
        """The rows with an address, the code of the address in each, and the address of each code."""
        return attribute_column(self, "href")

    @kept_property
    def path(self) -> Codes:
        """Codes of the tag paths (tags only): equal codes, equal paths from the root."""
        return self._path_codes(None)

    @kept_property
    def styled_path(self) -> Codes:
        """Codes of the tag paths with style: the symbols of the tag path sequence (Velloso 2014, Definition 3)."""
        return self._path_codes(self.style)

    def _path_codes(self, styles: Codes | None) -> Codes:
        if node_columns is not None:
            codes: Codes = node_columns.path_codes(self.tag, self.parent, styles)
            return codes
        plain = node_loops.path_codes(
            self.lists.tag, self.lists.parent, styles.tolist() if styles is not None else None
        )
        return np.array(plain, dtype=np.int32)

    @kept_property
    def style(self) -> Codes:
        """Codes of the nodes' own style attributes: equal codes, equal style. 0 is none."""
        return attribute_codes(self, STYLE_ATTRIBUTES)

    @kept_property
    def shape(self) -> Codes:
        """Hash-consed ids of the subtrees over tags: equal ids, structurally equal subtrees. Silent nodes do not count
        in the shape of a parent that is not silent itself."""
        parents = np.where(self.silent & ~self.silent[self.parent], np.int32(-1), self.parent)
        if node_columns is not None:
            shapes: Codes = node_columns.shape_ids(self.tag, parents)
            return shapes
        return np.array(node_loops.shape_ids(self.lists.tag, parents.tolist()), dtype=np.int32)

    def flags_below(self, roots: Sequence[int]) -> Flags:
        """Return which rows lie in the subtree of one of the roots."""
        flags = np.zeros(len(self), dtype=np.bool_)
        if not roots:
            return flags
        for start, end in zip(roots, self.end[list(roots)].tolist(), strict=True):
            if not flags[start]:  # one that lies in another is flagged with it
                flags[start:end] = True
        return flags

    @kept_property
    def _rows_by_tag(self) -> dict[str, Codes]:
        """The rows of the tags that the page has."""
        if page_facts is not None:
            rows, first = page_facts.rows_by_code(self.tag)
        else:
            rows = np.argsort(self.tag, kind="stable").astype(np.int32)
            first = np.searchsorted(self.tag[rows], np.arange(len(self.tag_names) + 1))
        starts = first.tolist()
        # tags whose rows were all left out have none
        return {name: rows[start:end] for name, (start, end) in zip(self.tag_names, pairwise(starts), strict=False)}

    def rows_of(self, *names: str) -> Codes:
        """Return the rows of the elements with these tags, in document order."""
        by_tag = self._rows_by_tag
        parts = [by_tag[name] for name in names if name in by_tag]
        if not parts:
            return np.zeros(0, dtype=np.int32)
        return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))

    # --- navigation ------------------------------------------------------------------------------------------------

    def name(self, i: int) -> str:
        """Return the tag name of node ``i``, ``#text`` for text."""
        return self.tag_names[self._tags[i]]

    def is_text(self, i: int) -> bool:
        """Return whether node ``i`` is a text node."""
        return self._tags[i] == 0

    def children(self, i: int) -> Iterator[int]:
        """Yield the children of node ``i`` in document order."""
        return self.top_rows((i + 1, self._ends[i]))

    def ancestors(self, i: int) -> Iterator[int]:
        """Yield the parent of node ``i``, its parent, and so on up to the root."""
        check_budget()
        parents = self._parents
        parent = parents[i]
        while parent >= 0:
            yield parent
            parent = parents[parent]

    def top_rows(self, *ranges: tuple[int, int]) -> Iterator[int]:
        """Yield the topmost nodes of each range ``start:end`` of rows, which must be whole subtrees."""
        check_budget()
        ends = self._ends
        for start, end in ranges:
            i = start
            while i < end:
                yield i
                i = ends[i]

    def siblings(self, i: int) -> Iterator[int]:
        """Yield all children of the parent of node ``i``, node ``i`` among them."""
        parent = self._parents[i]
        return self.children(parent) if parent >= 0 else iter((i,))

    @kept_property
    def body(self) -> int:
        """The row of the body element (of the root where there is none, as in a frameset)."""
        if "body" in self.tag_names:
            for i in self.rows_of("body").tolist():
                if self.parent[i] == 0:
                    return int(i)
        return 0

    # --- visible text ----------------------------------------------------------------------------------------------

    @kept_property
    def _reading(self) -> Reading:
        return _read(self, self.seen)

    @kept_property
    def _full_reading(self) -> Reading:
        return _read(self, ~self.silent)

    @property
    def reading(self) -> Reading:
        """The visible text of the page; per row, the offsets where its text starts and where that before it ends."""
        return self._reading

    def visible_text(self, start: int, end: int | None = None) -> str:
        """Return the text a reader sees in node ``start``, or in the rows ``start:end``; white space collapsed.

        The edges of blocks and ``br`` are spaces, the edges of inline elements are not: ``H<sub>2</sub>O`` is "H2O".
        """
        check_budget()
        text, starts, ends = self._reading
        return text[starts[start] : ends[self._ends[start] if end is None else end]]

    def text_of(self, start: int, end: int | None = None) -> str:
        """Return the same, but if node ``start`` is hidden, its text as if it were not.

        Pages hide what a script shows later, lists of records for example.
        """
        check_budget()
        text, starts, ends = self._full_reading if self.hidden[start] else self._reading
        return text[starts[start] : ends[self._ends[start] if end is None else end]]

    def visible_texts(self, ranges: Sequence[tuple[int, int]]) -> list[str]:
        """Return ``visible_text`` for many ranges of rows at once."""
        check_budget()
        text, starts, ends = self._reading
        return [text[starts[start] : ends[end]] for start, end in ranges]

    def texts_of(self, ranges: Sequence[tuple[int, int]]) -> list[str]:
        """Return ``text_of`` for many ranges of rows at once."""
        check_budget()
        text, starts, ends = self._reading
        if not self.hidden.any():
            return [text[starts[start] : ends[end]] for start, end in ranges]
        hidden = self.hidden.tolist()
        return [self.text_of(start, end) if hidden[start] else text[starts[start] : ends[end]] for start, end in ranges]

    def own_texts(self, rows: Sequence[int]) -> list[str]:
        """Return the text of each of these rows, hidden or not; white space collapsed. None may be silent."""
        check_budget()
        text, starts, ends = self.own_reading
        return [text[starts[row] : ends[row + 1]] for row in rows]

    @property
    def own_reading(self) -> Reading:
        """The text of the page that ``own_texts`` reads, hidden text included."""
        return self._full_reading if self.hidden.any() else self._reading

    @kept_property
    def text_chars(self) -> Codes:
        """Number of characters of visible text in each node's subtree."""
        _, starts, ends = self._reading
        lengths = np.asarray(ends, dtype=np.int32)[self.end] - np.asarray(starts, dtype=np.int32)[:-1]
        return np.asarray(np.maximum(lengths, 0), dtype=np.int32)

    # --- addresses and markup --------------------------------------------------------------------------------------

    @kept_property
    def paths(self) -> NodePaths:
        """The XPaths and CSS selectors of the nodes."""
        return NodePaths(self._lists, self.tag_names)

    def node(self, i: int) -> PageNode:
        """Return node ``i`` as results keep it, which make its XPath when it is asked for."""
        check_budget()
        return PageNode(self.paths, i)

    def xpath(self, i: int) -> str:
        """Return the positional XPath of node ``i``, valid in any standard HTML5 tree of the page.

        Foreign elements (svg, math) and elements whose names XPath cannot express are counted among all elements
        (``*[2]``); blank texts are not counted (``text()[normalize-space()][1]``).
        """
        return self.paths.xpath(i)

    def position(self, i: int) -> int:
        """Return the position of node ``i``, from 1, among its siblings of the same tag; of a text among the texts."""
        return self.paths.position(i)

    def css(self, i: int) -> str:
        """Return a CSS selector of node ``i``; for a text node, which CSS cannot select, that of its parent."""
        return self.paths.css(i)

    @kept_property
    def marked_rows(self) -> tuple[list[int], list[str]]:
        """The codes of the rows and the names of the codes as they are written as HTML."""
        return marked_rows(self)

    def html(self, i: int | None = None) -> str:
        """Return node ``i`` as HTML, or the whole document with its doctype.

        Comments are left out. Parsing the result gives the same table for every tree that HTML can express.
        """
        return serialise(self, 0 if i is None else i, doctype=self.doctype if i is None else "")


def attribute_column(page: Page, name: str) -> tuple[Codes, Codes, list[str]]:
    """Return the rows that have an attribute, the code of its value in each, and the value of each code."""
    if hasattr(page.attrs, "column"):
        column: tuple[Codes, Codes, list[str]] = page.attrs.column(name)
        return column
    known: dict[str, int] = {}
    rows = [i for i, attrs in enumerate(page.attrs) if name in attrs]
    codes = [known.setdefault(page.attrs[i][name], len(known)) for i in rows]
    return np.array(rows, dtype=np.int32), np.array(codes, dtype=np.int32), list(known)


def attribute_counts(page: Page) -> Codes:
    """Return how many attributes each row has."""
    if hasattr(page.attrs, "counts"):
        counts: Codes = page.attrs.counts()
        return counts
    return np.fromiter(map(len, page.attrs), np.int32, len(page))


def rows_with(page: Page, names: Collection[str]) -> Sequence[int]:
    """Return the rows that have one of these attributes."""
    if hasattr(page.attrs, "rows_with"):
        rows: list[int] = page.attrs.rows_with(names)
        return rows
    return [i for i, attrs in enumerate(page.attrs) if attrs and any(name in attrs for name in names)]


def rows_with_other_than(page: Page, names: frozenset[str]) -> Sequence[int]:
    """Return the rows that have an attribute that is none of these."""
    if hasattr(page.attrs, "names"):
        return rows_with(page, frozenset(page.attrs.names) - names)
    return [i for i, attrs in enumerate(page.attrs) if attrs and not names.issuperset(attrs)]


def attribute_codes(page: Page, names: frozenset[str]) -> Codes:
    """Return a code per row, equal for equal values of these attributes in any order; 0 means that it has none."""
    if hasattr(page.attrs, "codes"):
        codes: Codes = page.attrs.codes(names)
        return codes
    return np.array(node_loops.style_codes(page.attrs, names), dtype=np.int32)


def _breaks(page: Page, visible: Flags) -> NDArray[np.int32]:
    """Return, for each row boundary, how many word boundaries (block edges, spaces) stand before it or earlier."""
    is_block = np.array(_are_blocks(page), dtype=np.bool_)[page.tag] & visible
    edges = np.bincount(page.end[is_block], minlength=len(page) + 1)
    edges[:-1] += is_block
    edges[:-1] += np.array(page.spaced, dtype=np.bool_)
    return np.cumsum(edges).astype(np.int32)


def _are_blocks(page: Page) -> list[bool]:
    """Return by the code of a tag whether its elements are blocks."""
    return [name not in INLINE_TAGS and name != TEXT for name in page.tag_names]


def _read(page: Page, visible: Flags) -> Reading:
    """Return the text of the visible rows; per row, the offsets where its text starts and where that before it ends."""
    if node_columns is None:
        return _read_plain(page, visible)
    is_block = np.array(_are_blocks(page), dtype=np.uint8)
    text, starts, ends = node_columns.visible_text(
        page.text, page.tag, page.end, visible.view(np.uint8), is_block, page.spaced
    )
    # an element of a memoryview is an int, which slices faster than a number of numpy
    return text, memoryview(starts), memoryview(ends)


def _read_plain(page: Page, visible: Flags) -> Reading:
    """Return the text of the visible rows; per row, the offsets where its text starts and where that before it ends."""
    breaks = _breaks(page, visible)
    rows = np.flatnonzero((page.tag == 0) & visible).tolist()
    parts: list[str] = []
    part_rows: list[int] = []
    part_starts: list[int] = []
    part_ends: list[int] = []
    length, before, open_space = 0, 0, False
    texts = page.text
    for row, boundary in zip(rows, breaks[rows].tolist(), strict=True):
        raw = texts[row]
        words = raw.translate(_DROP_ZERO_WIDTH) if not raw.isascii() else raw
        piece = " ".join(words.split())
        if not piece:
            continue
        if parts and (open_space or boundary > before or words[0].isspace()):
            parts.append(" ")
            length += 1
        parts.append(piece)
        part_rows.append(row)
        part_starts.append(length)
        length += len(piece)
        part_ends.append(length)
        before, open_space = boundary, words[-1].isspace()
    boundaries = np.arange(len(page) + 1)
    first = np.searchsorted(np.array(part_rows, dtype=np.int64), boundaries)
    starts = np.array([*part_starts, length], dtype=np.int64)[first]
    ends = np.array([0, *part_ends], dtype=np.int64)[first]
    return "".join(parts), starts.tolist(), ends.tolist()

"""A tree of lexbor, parsed part by part, and its node table: by the compiled walk over its nodes, or by the plain one.

selectolax exports lexbor's functions and tells the address of a node; the layout of a node is not part of its promise.
So the kernel is used only after a probe: the links of a few nodes must be where they are expected, and the table of a
small document must be the one that the plain walk makes of selectolax's Python objects. Checked with selectolax 1.0.1
and 1.0.2.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any

import selectolax.lexbor
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from peneira.budget import check_budget, has_used
from peneira.errors import InputError, LimitExceeded
from peneira.kernels import compiled, node_loops
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.page import NO_ATTRS, TEXT, NodeColumns, Page, Rows
from peneira.sources.parser_limits import NODES_LEFT_OUT

_CLOCK_EVERY_ROWS = 4096

# The clock is read after each part; a page of less is parsed at once
_PART_BYTES = 16384
# What parsing may use of the seconds that are left: the other part is for what is done with the page
_PARSING_SHARE = 0.5
_PROBE_PART_BYTES = 7
# A document without a doctype is in quirks mode, where tables do not end paragraphs, and would stay so
_EMPTY = b"<!doctype html>"

_FUNCTIONS = (
    "lxb_dom_element_first_attribute_noi", "lxb_dom_attr_qualified_name", "lxb_dom_element_qualified_name",
    "lxb_html_document_parse_chunk_begin", "lxb_html_document_parse_chunk", "lxb_html_document_parse_chunk_end",
)  # fmt: skip
# Text beside text, space, code, comments, attributes with and without values, foreign elements, nested templates
PROBE = (
    "<!doctype html><html lang=en><head><title>probe &amp; all</title></head><body class='a b' data-x><p id=p>one"
    "<!--c-->two <b>three</b> <i hidden>é</i></p><svg viewBox='0 0 1 1'><use xlink:href='#u' href=v></use></svg>"
    "<math><mi>x<b>y</b></mi></math>"
    "<pre></pre><b> </b><pre> <i>for</i> <i>\n  x</i>\n    <i> </i><i>in</i> <b>\n</b></pre> <i>y</i> "
    "<unknown-tag a=1></unknown-tag>"
    "<template id=t><li>four<template><b>five</b></template></li></template><table><td>six</table>"
)


def parsed_tree(body: bytes, limits: Limits, cuts: list[Cut]) -> LexborHTMLParser:
    """Return the tree of HTML in UTF-8, as far as there is time to parse it.

    lexbor compares every new name of a tag or an attribute with a part of those that it knows: 400,000 names take
    hours, and there are other such costs. So a long page is parsed part by part, with a look at the clock after each.
    """
    kernel = _checked_kernel() if len(body) > _PART_BYTES else None
    try:
        tree = LexborHTMLParser(body if kernel is None else _EMPTY)
    except (SelectolaxError, ValueError) as error:
        raise InputError(f"the page cannot be parsed: {error}") from error
    if kernel is None or tree.root is None:
        return tree
    parsed = kernel.parse_in_parts(tree.root.mem_id, body, _PART_BYTES, has_used(_PARSING_SHARE))
    if parsed < 0:
        raise InputError("the page cannot be parsed: there is not enough memory")
    if parsed < len(body):
        cuts.append(Cut("seconds", limits.seconds, f"the page after its first {parsed} bytes was not parsed"))
    return tree


def node_table(tree: LexborHTMLParser, limits: Limits, cuts: list[Cut]) -> Rows | NodeColumns:
    """Return the rows of a tree as far as the limits go; from lexbor's own nodes where the compiled walk fits them."""
    cuts_before = list(cuts)
    table = _compiled_table(tree, limits, cuts)
    if table is not None:
        return table
    cuts[:] = cuts_before
    return _rows(tree, limits, cuts)


def _compiled_table(tree: LexborHTMLParser, limits: Limits, cuts: list[Cut]) -> NodeColumns | None:
    cuts_before = list(cuts)
    table = _walked(tree, limits, cuts, with_templates=False)
    if table is None or "template" not in table.tag_names:
        return table
    cuts[:] = cuts_before  # few pages have templates
    return _walked(tree, limits, cuts, with_templates=True)


def _walked(tree: LexborHTMLParser, limits: Limits, cuts: list[Cut], *, with_templates: bool) -> NodeColumns | None:
    """Return the table of the compiled walk, None where there is none or the tree is one that it does not know."""
    kernel = _checked_kernel()
    if kernel is None or tree.root is None:
        return None
    walk = _compiled_walk(kernel, tree.root, with_templates=with_templates)
    while walk.advance(min(_CLOCK_EVERY_ROWS, limits.nodes)):
        cut = _cut(walk.has_more, walk.row_count, walk.attribute_count, limits)
        if cut is not None:
            cuts.extend([cut] if cut not in cuts else [])
            break
    tag, parent, end, depth, names, spaced, texts, attrs, namespace = walk.columns()
    table = NodeColumns([TEXT, *names], tag, parent, end, depth, texts, attrs, spaced, namespace)
    if with_templates and int((tag == table.tag_names.index("template")).sum()) != walk.template_count:
        return None  # templates of SVG
    return table


def _compiled_walk(kernel: Any, root: LexborNode, *, with_templates: bool) -> Any:
    return kernel.NodeWalk(root.mem_id, dict(_contents(root)) if with_templates else {})


def _contents(node: LexborNode) -> list[tuple[int, int]]:
    """Return the addresses of all templates below a node, and those of their contents."""
    found: list[tuple[int, int]] = []
    pending = [node]
    while pending:
        for fragment in pending.pop().template_fragments():
            host = fragment.parent
            if host is not None:
                found.append((host.mem_id, fragment.mem_id))
                pending.append(fragment)
    return found


@cache
def _checked_kernel() -> Any:
    """Return the kernel if it reads the trees of the installed selectolax rightly, else None."""
    kernel = compiled("lexbor_nodes")
    if kernel is None or not hasattr(LexborNode, "template_fragments"):  # selectolax 1.0.0 has none
        return None
    try:
        library = ctypes.CDLL(selectolax.lexbor.__file__)
        addresses = [ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in _FUNCTIONS]
    except (AttributeError, OSError):  # the functions are not exported on this platform
        return None
    kernel.set_functions(*addresses)
    tree = LexborHTMLParser(PROBE)
    if not (_has_known_layout(kernel, tree) and _reads_rightly(kernel, tree, tree)):
        return None
    in_parts = LexborHTMLParser(_EMPTY)
    assert in_parts.root is not None
    kernel.parse_in_parts(in_parts.root.mem_id, PROBE.encode(), _PROBE_PART_BYTES, lambda: False)
    return kernel if _reads_rightly(kernel, in_parts, tree) else None


def _has_known_layout(kernel: Any, tree: LexborHTMLParser) -> bool:
    """Return whether the links between the first nodes are where the kernel expects them."""
    root = tree.root
    body = root.last_child if root is not None else None
    head = root.first_child if root is not None else None
    if root is None or body is None or head is None:
        return False
    nodes = (root, head, body)
    links = (
        (
            node.tag_id,
            *(_address(other) for other in (node.next, node.prev, node.parent, node.first_child, node.last_child)),
        )
        for node in nodes
    )
    return all(kernel.links(node.mem_id) == own for node, own in zip(nodes, links, strict=True))


def _address(node: LexborNode | None) -> int:
    return node.mem_id if node is not None else 0


def _reads_rightly(kernel: Any, tree: LexborHTMLParser, same: LexborHTMLParser) -> bool:
    """Return whether the compiled walk makes the same table of the probe as the plain one of the same page."""
    rows = _rows(same, DEFAULT_LIMITS, [])
    assert tree.root is not None
    walk = _compiled_walk(kernel, tree.root, with_templates=True)
    walk.advance(1 << 20)
    tag, parent, _, _, names, spaced, texts, attrs, namespace = walk.columns()
    table = (tag.tolist(), parent.tolist(), [TEXT, *names], spaced, texts, list(attrs), namespace.tolist())
    own = Page(rows).namespace.tolist()
    return table == (rows.tag, rows.parent, rows.tag_names, rows.spaced, rows.text, rows.attrs, own)


# --- the plain walk ---


def _rows(tree: LexborHTMLParser, limits: Limits, cuts: list[Cut]) -> Rows:
    root = tree.root
    if root is None:
        return Rows()
    cuts_before = list(cuts)
    rows = _walk(root.traverse(include_text=True), limits, cuts)
    if "template" in rows.tag_names:  # few pages have templates, and walking into them is slower
        cuts[:] = cuts_before
        rows = _walk(_with_templates(root.traverse(include_text=True)), limits, cuts)
    return rows


def _with_templates(nodes: Iterator[LexborNode]) -> Iterator[LexborNode]:
    """Yield the nodes in document order; the content of a template stands below it, as in the HTML text."""
    pending = [nodes]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            continue
        yield node
        if node.tag == "template":
            pending.extend(part.traverse(include_text=True) for part in reversed(node.template_fragments()))


def _walk(nodes: Iterator[LexborNode], limits: Limits, cuts: list[Cut]) -> Rows:
    rows = Rows()

    attributes = counted = 0

    def has_reached_limit() -> bool:
        nonlocal attributes, counted
        attributes += sum(map(len, islice(rows.attrs, counted, None)))
        counted = len(rows.attrs)
        cut = _cut(partial(_is_more, nodes), len(rows.tag), attributes, limits)
        cuts.extend([cut] if cut and cut not in cuts else [])
        return cut is not None

    node_loops.walk(
        nodes,
        rows.tag_names,
        rows.tag,
        rows.parent,
        rows.text,
        rows.attrs,
        rows.spaced,
        NO_ATTRS,
        min(_CLOCK_EVERY_ROWS, limits.nodes),
        has_reached_limit,
    )
    return rows


def _is_more(nodes: Iterator[LexborNode]) -> bool:
    return any(node.is_element_node or (node.is_text_node and not node.is_empty_text_node) for node in nodes)


def _cut(is_more: Callable[[], bool], rows: int, attributes: int, limits: Limits) -> Cut | None:
    if rows >= limits.nodes:
        return Cut("nodes", limits.nodes, NODES_LEFT_OUT) if is_more() else None
    if attributes > limits.attributes:
        return Cut("attributes", limits.attributes, f"the nodes after the first {rows} were not read")
    try:
        check_budget()
    except LimitExceeded as error:
        return Cut(error.limit, error.allowed, f"the nodes after the first {rows} were not read")
    return None

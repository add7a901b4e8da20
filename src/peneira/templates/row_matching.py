"""Matching the rows of a page with the nodes of a template, by equal shape or else by similarity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from peneira.page import Page
from peneira.templates.grammar import ParseNode
from peneira.templates.template import Template, TemplateNode
from peneira.trees.shapes import NO_SHAPE

# Symbols of the children of a row (-1 for those without a match), their parse, and the indexes of the unmatched
ParsedChildren = tuple[list[int], ParseNode, list[int]]
# An unknown node matches a symbol if it is similar, or if this share of its ids and classes was seen there
MIN_SELECTOR_SHARE = 0.5
# Number of shapes of each symbol that an unknown shape is compared with, to bound the time
MAX_COMPARED = 8


def match_rows(
    template: Template, page: Page, shapes: Sequence[int], start: tuple[int, int]
) -> tuple[dict[int, int], dict[int, tuple[list[int], ParseNode]], list[int]]:
    """Return the template node of each row, the children of each element with their parse, and the unmatched rows.

    ``start`` is the first row and its template node.
    """
    node_of_row: dict[int, int] = {}
    parses: dict[int, tuple[list[int], ParseNode]] = {}
    unmatched: list[int] = []
    parser = _ChildParser(template, page, shapes)
    pending = [start]
    while pending:
        row, node = pending.pop()
        node_of_row[row] = node
        children = [child for child in page.children(row) if shapes[child] != NO_SHAPE]
        if not children:
            continue
        symbols, parsed, misfits = parser.parse(node, row, children)
        parses[row] = children, parsed
        child_nodes = template.nodes[node].children
        pending.extend(
            (child, child_nodes[symbol]) for child, symbol in zip(children, symbols, strict=True) if symbol >= 0
        )
        unmatched.extend(children[k] for k in misfits)
    return dict(sorted(node_of_row.items())), parses, unmatched


def with_selectors(template: Template, pages: Iterable[tuple[Page, Iterable[tuple[int, int]]]]) -> Template:
    """Return the template with the ids and classes seen at its nodes, from pages and the node of each of their rows."""
    selectors: list[set[str]] = [set() for _ in template.nodes]
    for page, rows in pages:
        for row, node in rows:
            selectors[node].update(css_selectors(page, row))
    return replace(template, selectors=tuple(map(frozenset, selectors)))


def css_selectors(page: Page, row: int) -> set[str]:
    """Return the id and the classes of a node as CSS selectors, without those that contain digits, mostly counters."""
    attrs = page.attrs[row]
    selectors = [f"#{attrs['id']}"] if attrs.get("id") else []
    selectors += [f".{name}" for name in attrs.get("class", "").split()]
    return {selector for selector in selectors if not any(letter.isdigit() for letter in selector)}


def rows_with_selectors(template: Template, page: Page, node: int) -> list[int]:
    """Return the rows with the tag and exactly the ids and classes of a template node; none if it has neither."""
    selectors = template.selectors[node] if template.selectors else frozenset()
    name = template.nodes[node].name
    if not selectors or name not in page.tag_names:
        return []
    rows = (page.tag == page.tag_names.index(name)).nonzero()[0].tolist()
    return [row for row in rows if not page.silent[row] and selectors == css_selectors(page, row)]


def most_similar_row(template: Template, page: Page, shapes: Sequence[int], node: int) -> int | None:
    """Return the row whose subtree is most similar to a template node, the first in a tie; None if none is similar."""
    template_node, matcher = template.nodes[node], template.matcher
    if template_node.name not in page.tag_names:
        return None
    rows = (page.tag == page.tag_names.index(template_node.name)).nonzero()[0].tolist()
    first_row: dict[int, int] = {}
    for row in rows:
        if shapes[row] != NO_SHAPE:
            first_row.setdefault(shapes[row], row)
    similarity = {
        row: max(matcher.generalised_similarity(shape, known) for known in template_node.shapes[:MAX_COMPARED])
        for shape, row in first_row.items()
    }
    best = max(similarity, key=lambda row: (similarity[row], -row), default=None)
    return best if best is not None and similarity[best] > matcher.thresholds.tau1 else None


class _ChildParser:
    """Parses the children of rows with the grammars of template nodes; equal inputs are parsed once."""

    def __init__(self, template: Template, page: Page, shapes: Sequence[int]) -> None:
        self._template = template
        self._page = page
        self._shapes = shapes
        self._parsed: dict[tuple[int, int], ParsedChildren] = {}
        self._symbols: dict[tuple[int, int, frozenset[str]], int] = {}

    def parse(self, node: int, row: int, children: Sequence[int]) -> ParsedChildren:
        """Return the parse of the children of a row that matches a template node."""
        model = self._template.nodes[node].child_model
        key = (id(model), self._shapes[row])
        if key in self._parsed:
            return self._parsed[key]
        symbols = [model.symbol_of.get(self._shapes[child], -1) for child in children]
        all_known = -1 not in symbols
        if not all_known:
            symbols = [
                symbol if symbol >= 0 else self._symbol(node, child)
                for symbol, child in zip(symbols, children, strict=True)
            ]
        symbols = model.with_variants(symbols)
        parsed, misfits = model.grammar.parse(symbols)
        for k in misfits:
            symbols[k] = -1
        if all_known:
            self._parsed[key] = symbols, parsed, misfits
        return symbols, parsed, misfits

    def _symbol(self, node: int, child: int) -> int:
        """Return the symbol of a child whose shape is unknown at the template node; -1 if no symbol is similar."""
        selectors = frozenset(css_selectors(self._page, child)) if self._template.selectors else frozenset()
        key = (node, self._shapes[child], selectors)
        if key not in self._symbols:
            self._symbols[key] = self._most_similar_symbol(self._template.nodes[node], *key[1:])
        return self._symbols[key]

    def _most_similar_symbol(self, node: TemplateNode, shape: int, selectors: frozenset[str]) -> int:
        matcher = self._template.matcher
        labels = matcher.subtrees.labels
        shapes_of: dict[int, list[int]] = {}
        for known, symbol in sorted(node.child_model.symbol_of.items()):
            if labels[known] == labels[shape]:
                shapes_of.setdefault(symbol, []).append(known)
        if len(shapes_of) <= 1:  # no other symbol has this tag
            return next(iter(shapes_of), -1)
        best, best_score = -1, 0.0
        for symbol, known_shapes in shapes_of.items():
            similarity = max(matcher.generalised_similarity(known, shape) for known in known_shapes[:MAX_COMPARED])
            share = self._selector_share(node, symbol, selectors)
            is_match = similarity > matcher.thresholds.tau1 or share >= MIN_SELECTOR_SHARE
            if is_match and similarity + share > best_score:
                best, best_score = symbol, similarity + share
        return best

    def _selector_share(self, node: TemplateNode, symbol: int, selectors: frozenset[str]) -> float:
        """Return the share of the selectors that were seen at the nodes of a symbol."""
        if not selectors:
            return 0.0
        variants = node.child_model.variants.get(symbol, (symbol,))
        seen = frozenset().union(*(self._template.selectors[node.children[variant]] for variant in variants))
        return len(selectors & seen) / len(selectors)

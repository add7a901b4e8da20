"""Templates: a tree of template nodes, each with a grammar over the kinds of children that pages have there.

A template is learned from the shapes that correspond to each other in all pages and in all items of a list. Their
children get symbols, the same symbol for similar children; the strings of symbols give the grammar of the template
node, and the children with one symbol form the next template node. A single page is matched with its own clone; several
pages give one template node with several shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from peneira.page import Page
from peneira.templates.disjoint_sets import DisjointSets
from peneira.templates.grammar import Grammar
from peneira.templates.nfa import build_nfa, regular_expression
from peneira.trees.alignment import aligned_children
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import PUBLISHED_THRESHOLDS, Thresholds, TreeMatcher

SymbolStrings = Sequence[Sequence[int]]
# Similar children with these tags are columns in HTML itself, so each gets a symbol by its position in the row
CELL_TAGS = frozenset({"td", "th"})
# A cell with this many texts or more is a box of a grid, not a value
MIN_GRID_TEXTS = 3
# Siblings with more variants in all get them in order, without a search, which takes their square
MAX_VARIANTS = 2_000
# With more kinds of children than this, only equal children and those of one parent share a symbol
MAX_KINDS = 1_000


@dataclass(frozen=True, slots=True)
class ChildModel:
    """The children of a template node: the symbol of each known shape, and the grammar of symbols 0..symbol_count - 1.

    A symbol in ``variants`` stands for several grammar symbols, in order. With ``variants_by_count`` its first
    occurrence among siblings is the first variant, its second the second; otherwise the variants are those with which
    the grammar accepts the siblings. If it accepts them with none, an occurrence is the first variant that comes after
    the symbol of its left neighbour.
    """

    symbol_of: Mapping[int, int]
    grammar: Grammar
    symbol_count: int
    variants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    variants_by_count: bool = False

    def with_variants(self, symbols: Sequence[int]) -> list[int]:
        """Return the symbols of siblings with each symbol that has variants replaced by the right variant."""
        if not self.variants:
            return list(symbols)
        if self.variants_by_count:
            return _variants_by_count(symbols, self.variants)
        options = [self.variants.get(symbol, (symbol,)) for symbol in symbols]
        chosen = self.grammar.choose(options) if sum(map(len, options)) <= MAX_VARIANTS else None
        return chosen or self._by_order(symbols)

    def _by_order(self, symbols: Sequence[int]) -> list[int]:
        result = list(symbols)
        order = self.grammar.order
        last = -1
        for k, symbol in enumerate(result):
            variants = self.variants.get(symbol)
            if variants is not None:
                symbol = result[k] = next((variant for variant in variants if order[variant] > last), variants[-1])
            last = order.get(symbol, last)
        return result


# From the shapes of one template node to the model of their children, and the string of symbols of each shape
LearnChildModel = Callable[[TreeMatcher, Sequence[int]], tuple[ChildModel, SymbolStrings]]


@dataclass(frozen=True, slots=True)
class TemplateNode:
    """A node of a template: its tag, the shapes seen there, and the number of the child node of each symbol."""

    name: str
    parent: int
    shapes: tuple[int, ...]
    child_model: ChildModel
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """The template nodes, the root first, parents before their children.

    ``selectors`` are, for each template node, the ids and classes seen there as CSS selectors; empty if not recorded.
    """

    nodes: tuple[TemplateNode, ...]
    matcher: TreeMatcher
    selectors: tuple[frozenset[str], ...] = ()


def learn_page_template(
    pages: Sequence[Page], learn_child_model: LearnChildModel, thresholds: Thresholds = PUBLISHED_THRESHOLDS
) -> tuple[Template, list[list[int]]]:
    """Return the template of pages of one kind, and the shapes of the rows of each page."""
    subtrees = SubtreeIndex()
    shapes = [subtrees.add(page) for page in pages]
    matcher = TreeMatcher(subtrees, thresholds=thresholds)
    roots = [row_shapes[page.body] for page, row_shapes in zip(pages, shapes, strict=True) if len(page)]
    return learn_template(matcher, roots, learn_child_model), shapes


def learn_template(matcher: TreeMatcher, roots: Sequence[int], learn_child_model: LearnChildModel) -> Template:
    """Return the template of trees of one kind, such as the bodies of pages. Equal sets of shapes are learned once."""
    models: dict[tuple[int, ...], tuple[ChildModel, SymbolStrings]] = {}
    pending: list[tuple[int, tuple[int, ...]]] = [(-1, tuple(sorted(set(roots))))]
    nodes: list[TemplateNode] = []
    while len(nodes) < len(pending):
        number = len(nodes)
        parent, shapes = pending[number]
        if shapes not in models:
            models[shapes] = learn_child_model(matcher, shapes)
        model, strings = models[shapes]
        groups = _shapes_by_symbol(matcher, shapes, model.symbol_count, strings)
        children = tuple(range(len(pending), len(pending) + len(groups)))
        pending.extend((number, group) for group in groups)
        nodes.append(TemplateNode(matcher.subtrees.name(shapes[0]), parent, shapes, model, children))
    return Template(tuple(nodes), matcher)


def _shapes_by_symbol(
    matcher: TreeMatcher, shapes: Sequence[int], symbol_count: int, strings: SymbolStrings
) -> list[tuple[int, ...]]:
    groups: list[set[int]] = [set() for _ in range(symbol_count)]
    for shape, string in zip(shapes, strings, strict=True):
        for child, symbol in zip(matcher.subtrees.children[shape], string, strict=True):
            groups[symbol].add(child)
    return [tuple(sorted(group)) for group in groups]


_NO_CHILDREN = ChildModel({}, Grammar(regular_expression(build_nfa([()]))), 0)


def gstm_child_model(matcher: TreeMatcher, shapes: Sequence[int]) -> tuple[ChildModel, SymbolStrings]:
    """Return the child model of corresponding shapes by generalised tree matching and grammar induction."""
    children = [matcher.subtrees.children[shape] for shape in shapes]
    if not any(children):
        return _NO_CHILDREN, children
    return induced_child_model(matcher, children, similar_children(matcher, shapes))


def induced_child_model(
    matcher: TreeMatcher, children: SymbolStrings, class_of: Mapping[int, int]
) -> tuple[ChildModel, SymbolStrings]:
    """Return the child model of children whose shapes are grouped into classes, with the grammar of their strings.

    Alternatives with equal tags are merged into one symbol: nodes with the same tag and position correspond to each
    other, however different their descendants.
    """
    while True:
        symbol_of, strings = number_symbols(children, class_of)
        variants = cell_variants(matcher, children, strings)
        variant_strings = [_variants_by_count(string, variants) for string in strings]
        nfa = build_nfa(sorted(set(map(tuple, variant_strings))), insert=True)
        joined = _joined_alternatives(matcher, nfa.levels, symbol_of)
        if joined is None:
            break
        class_of = joined
    count = len(set(symbol_of.values())) + sum(len(symbols) - 1 for symbols in variants.values())
    grammar = Grammar(regular_expression(nfa))
    return ChildModel(symbol_of, grammar, count, variants, variants_by_count=True), variant_strings


def _joined_alternatives(
    matcher: TreeMatcher, levels: Sequence[Sequence[int | str]], symbol_of: Mapping[int, int]
) -> dict[int, int] | None:
    """Return classes in which alternatives with equal tags are merged; None if there are no such alternatives."""
    tag_of = {symbol: matcher.subtrees.labels[shape] for shape, symbol in symbol_of.items()}
    classes = DisjointSets(range(len(tag_of)))
    for names in levels:
        first_of_tag: dict[int, int] = {}
        for name in names:
            if isinstance(name, int) and name in tag_of:
                classes.union(first_of_tag.setdefault(tag_of[name], name), name)
    joined = {shape: classes.find(symbol) for shape, symbol in symbol_of.items()}
    return joined if joined != symbol_of else None


def number_symbols(children: SymbolStrings, class_of: Mapping[int, int]) -> tuple[dict[int, int], list[list[int]]]:
    """Return a symbol 0, 1, 2... for each shape, in order of first occurrence, and the strings of symbols."""
    numbers: dict[int, int] = {}
    for string in children:
        for child in string:
            numbers.setdefault(class_of[child], len(numbers))
    symbol_of = {shape: numbers[group] for shape, group in class_of.items()}
    return symbol_of, [[symbol_of[child] for child in string] for string in children]


def _variants_by_count(string: Sequence[int], variants: Mapping[int, tuple[int, ...]]) -> list[int]:
    seen: Counter[int] = Counter()
    result = []
    for symbol in string:
        own = variants.get(symbol)
        result.append(symbol if own is None else own[min(seen[symbol], len(own) - 1)])
        seen[symbol] += 1
    return result


def cell_variants(matcher: TreeMatcher, children: SymbolStrings, strings: SymbolStrings) -> dict[int, tuple[int, ...]]:
    """Return a variant per position for the cells of table rows, which are columns and not a list."""
    max_count: Counter[int] = Counter()
    for string in strings:
        max_count |= Counter(string)
    shapes_of: dict[int, set[int]] = {}
    for shapes, string in zip(children, strings, strict=True):
        for shape, symbol in zip(shapes, string, strict=True):
            shapes_of.setdefault(symbol, set()).add(shape)
    variants: dict[int, tuple[int, ...]] = {}
    next_symbol = len(max_count)
    for symbol in sorted(max_count):
        if max_count[symbol] > 1 and _are_cells(matcher, shapes_of[symbol]):
            variants[symbol] = (symbol, *range(next_symbol, next_symbol + max_count[symbol] - 1))
            next_symbol += max_count[symbol] - 1
    return variants


def _are_cells(matcher: TreeMatcher, shapes: set[int]) -> bool:
    subtrees = matcher.subtrees
    return all(subtrees.name(shape) in CELL_TAGS and subtrees.texts[shape] < MIN_GRID_TEXTS for shape in shapes)


def similar_children(matcher: TreeMatcher, shapes: Sequence[int]) -> dict[int, int]:
    """Return a class for every child of the shapes, the same class for similar children.

    Children of one shape are compared with each other, as with a clone of the shape. Children of several shapes are
    aligned (partial tree alignment) and compared by the same thresholds, where the best is that among the other shapes.
    A tag that no shape has twice is one class, since a child only needs to be distinguished from its siblings.
    """
    matcher.prepare()
    kinds = sorted({child for shape in shapes for child in matcher.subtrees.children[shape]})
    classes = DisjointSets(kinds)
    for shape in shapes:
        for child, symbol in matcher.child_symbols[shape].items():
            classes.union(child, symbol)
    if len(shapes) > 1 and len(kinds) <= MAX_KINDS and matcher.spend(len(kinds) ** 2 // 2):
        _join_aligned(matcher, shapes, classes)
        _join_similar(matcher, shapes, kinds, classes)
        _join_single_tags(matcher, shapes, classes)
    return {kind: classes.find(kind) for kind in kinds}


def _join_aligned(matcher: TreeMatcher, shapes: Sequence[int], classes: DisjointSets) -> None:
    """Merge children that partial tree alignment puts in one position, if they are similar."""
    for children in aligned_children(matcher, shapes):
        first, *others = sorted(children)
        for other in others:
            if matcher.generalised_similarity(first, other) > matcher.thresholds.tau1:
                classes.union(first, other)


def _join_similar(matcher: TreeMatcher, shapes: Sequence[int], kinds: Sequence[int], classes: DisjointSets) -> None:
    parents: dict[int, set[int]] = {kind: set() for kind in kinds}
    for shape in shapes:
        for child in matcher.subtrees.children[shape]:
            parents[child].add(shape)
    labels, thresholds = matcher.subtrees.labels, matcher.thresholds
    similarities: dict[tuple[int, int], float] = {}
    best = {kind: 1.0 if len(parents[kind]) > 1 else 0.0 for kind in kinds}
    for i, c in enumerate(kinds):
        for d in kinds[:i]:
            if labels[c] == labels[d] and parents[c] != parents[d]:
                similarity = similarities[c, d] = matcher.generalised_similarity(c, d)
                best[c], best[d] = max(best[c], similarity), max(best[d], similarity)
    for (c, d), similarity in similarities.items():
        if similarity > thresholds.tau1 and similarity >= thresholds.tau2 * max(best[c], best[d]):
            classes.union(c, d)


def _join_single_tags(matcher: TreeMatcher, shapes: Sequence[int], classes: DisjointSets) -> None:
    labels = matcher.subtrees.labels
    first_of_tag: dict[int, int] = {}
    repeated_tags: set[int] = set()
    for shape in shapes:
        counts = Counter(labels[child] for child in matcher.subtrees.children[shape])
        repeated_tags.update(label for label, count in counts.items() if count > 1)
    for shape in shapes:
        for child in matcher.subtrees.children[shape]:
            label = labels[child]
            if label not in repeated_tags:
                classes.union(first_of_tag.setdefault(label, child), child)

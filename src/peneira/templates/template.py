"""Templates: a tree of places, each with a grammar over the kinds of children that pages have there.

A template is learned from the shapes that stand at one place in all pages and all items of a list. Their children are
given symbols, one symbol to those that are alike; the strings of symbols make the grammar of the place, and what has
one symbol makes the next place. One page alone is its own clone; several pages are one place with several shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from peneira.page import Page
from peneira.templates.equivalence import Classes
from peneira.templates.grammar import generate, regular_expression
from peneira.templates.parsing import Grammar
from peneira.trees.alignment import aligned_children
from peneira.trees.scores import PUBLISHED, Matcher, Thresholds
from peneira.trees.shapes import SubtreeIndex

Strings = Sequence[Sequence[int]]
# How many children of one symbol are told apart by their turn, where HTML itself says that they are columns
CELL_TAGS = frozenset({"td", "th"})
# A cell with so many texts is a box of a grid, not a value
MAX_CELL_TEXTS = 3


@dataclass(frozen=True, slots=True)
class Level:
    """The children of one place: the symbol of each known shape, and the grammar over symbols 0..count - 1.

    A symbol in ``turns`` stands for several of the grammar, in order. If ``is_counted``, its first child takes the
    first, its second the second; else a child takes the first that comes after the symbol of its left neighbour.
    """

    symbol_of: Mapping[int, int]
    grammar: Grammar
    count: int
    turns: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    is_counted: bool = False

    def told_apart(self, symbols: Sequence[int]) -> list[int]:
        """Return the symbols of neighbours, with those that stand for several replaced by the one that is meant."""
        if not self.turns:
            return list(symbols)
        return _by_count(symbols, self.turns) if self.is_counted else self._by_order(symbols)

    def _by_order(self, symbols: Sequence[int]) -> list[int]:
        found = list(symbols)
        order = self.grammar.order
        last = -1
        for k, symbol in enumerate(found):
            turns = self.turns.get(symbol)
            if turns is not None:
                symbol = found[k] = next((turn for turn in turns if order[turn] > last), turns[-1])
            last = order.get(symbol, last)
        return found


# From the shapes at one place to the symbols and the grammar of their children, and the string of each shape
MakeLevel = Callable[[Matcher, Sequence[int]], tuple[Level, Strings]]


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a template: what stands there, and which place each symbol of its level is."""

    name: str
    parent: int
    shapes: tuple[int, ...]
    level: Level
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """All places, the root first, parents before their children.

    ``looks`` are the ids and classes that the nodes at each place had, as far as they are known.
    """

    places: tuple[Place, ...]
    matcher: Matcher
    looks: tuple[frozenset[str], ...] = ()


def learn_pages(
    pages: Sequence[Page], make_level: MakeLevel, thresholds: Thresholds = PUBLISHED
) -> tuple[Template, list[list[int]]]:
    """Return the template of pages of one kind, and the shapes of the rows of each page."""
    forest = SubtreeIndex()
    shapes = [forest.add(page) for page in pages]
    matcher = Matcher(forest, thresholds=thresholds)
    roots = [rows[page.body] for page, rows in zip(pages, shapes, strict=True) if len(page)]
    return learn_template(matcher, roots, make_level), shapes


def learn_template(matcher: Matcher, roots: Sequence[int], make_level: MakeLevel) -> Template:
    """Return the template of trees of one kind, such as the bodies of pages. Equal places are worked out once."""
    levels: dict[tuple[int, ...], tuple[Level, Strings]] = {}
    drafts: list[tuple[int, tuple[int, ...]]] = [(-1, tuple(sorted(set(roots))))]
    places: list[Place] = []
    while len(places) < len(drafts):
        number = len(places)
        parent, shapes = drafts[number]
        if shapes not in levels:
            levels[shapes] = make_level(matcher, shapes)
        level, strings = levels[shapes]
        groups = _shapes_by_symbol(matcher, shapes, level.count, strings)
        below = tuple(range(len(drafts), len(drafts) + len(groups)))
        drafts.extend((number, group) for group in groups)
        places.append(Place(matcher.forest.name(shapes[0]), parent, shapes, level, below))
    return Template(tuple(places), matcher)


def _shapes_by_symbol(matcher: Matcher, shapes: Sequence[int], count: int, strings: Strings) -> list[tuple[int, ...]]:
    groups: list[set[int]] = [set() for _ in range(count)]
    for shape, string in zip(shapes, strings, strict=True):
        for child, symbol in zip(matcher.forest.children[shape], string, strict=True):
            groups[symbol].add(child)
    return [tuple(sorted(group)) for group in groups]


_NO_CHILDREN = Level({}, Grammar(regular_expression(generate([()]))), 0)


def gstm_level(matcher: Matcher, shapes: Sequence[int]) -> tuple[Level, Strings]:
    """Return the level of shapes that stand at one place, by generalised tree matching and induced grammar."""
    children = [matcher.forest.children[shape] for shape in shapes]
    if not any(children):
        return _NO_CHILDREN, children
    return induced_level(matcher, children, similar_children(matcher, shapes))


def induced_level(matcher: Matcher, children: Strings, class_of: Mapping[int, int]) -> tuple[Level, Strings]:
    """Return the level of children whose shapes have been classed, with the grammar of their strings.

    Alternatives of one tag are one symbol after all: nodes of one tag at one place match, however much is below them.
    """
    while True:
        symbol_of, strings = numbered(children, class_of)
        turns = _cell_turns(matcher, children, strings)
        told_apart = [_by_count(string, turns) for string in strings]
        nfa = generate(sorted(set(map(tuple, told_apart))), insert=True)
        joined = _joined_alternatives(matcher, nfa.levels, symbol_of)
        if joined is None:
            break
        class_of = joined
    count = len(set(symbol_of.values())) + sum(len(those) - 1 for those in turns.values())
    return Level(symbol_of, Grammar(regular_expression(nfa)), count, turns, is_counted=True), told_apart


def _joined_alternatives(
    matcher: Matcher, levels: Sequence[Sequence[int | str]], symbol_of: Mapping[int, int]
) -> dict[int, int] | None:
    """Return classes in which alternatives of one tag are one; None if there are no such alternatives."""
    tag_of = {symbol: matcher.forest.labels[shape] for shape, symbol in symbol_of.items()}
    classes = Classes(range(len(tag_of)))
    for names in levels:
        firsts: dict[int, int] = {}
        for name in names:
            if isinstance(name, int) and name in tag_of:
                classes.join(firsts.setdefault(tag_of[name], name), name)
    joined = {shape: classes.of(symbol) for shape, symbol in symbol_of.items()}
    return joined if joined != symbol_of else None


def numbered(children: Strings, class_of: Mapping[int, int]) -> tuple[dict[int, int], list[list[int]]]:
    """Return symbols 0, 1, 2... for the shapes, in the order in which their classes come, and strings of them."""
    numbers: dict[int, int] = {}
    for string in children:
        for child in string:
            numbers.setdefault(class_of[child], len(numbers))
    symbol_of = {shape: numbers[kind] for shape, kind in class_of.items()}
    return symbol_of, [[symbol_of[child] for child in string] for string in children]


def _by_count(string: Sequence[int], turns: Mapping[int, tuple[int, ...]]) -> list[int]:
    seen: Counter[int] = Counter()
    found = []
    for symbol in string:
        own = turns.get(symbol)
        found.append(symbol if own is None else own[min(seen[symbol], len(own) - 1)])
        seen[symbol] += 1
    return found


def _cell_turns(matcher: Matcher, children: Strings, strings: Strings) -> dict[int, tuple[int, ...]]:
    """Return symbols by turn for the cells of table rows, which are columns and not a list."""
    most: Counter[int] = Counter()
    for string in strings:
        most |= Counter(string)
    shapes_of: dict[int, set[int]] = {}
    for shapes, string in zip(children, strings, strict=True):
        for shape, symbol in zip(shapes, string, strict=True):
            shapes_of.setdefault(symbol, set()).add(shape)
    turns: dict[int, tuple[int, ...]] = {}
    following = len(most)
    for symbol in sorted(most):
        if most[symbol] > 1 and _are_cells(matcher, shapes_of[symbol]):
            turns[symbol] = (symbol, *range(following, following + most[symbol] - 1))
            following += most[symbol] - 1
    return turns


def _are_cells(matcher: Matcher, shapes: set[int]) -> bool:
    forest = matcher.forest
    return all(forest.name(shape) in CELL_TAGS and forest.texts[shape] < MAX_CELL_TEXTS for shape in shapes)


# With more kinds of children than this, only equal ones and those of one parent are compared
MAX_KINDS = 1_000


def similar_children(matcher: Matcher, shapes: Sequence[int]) -> dict[int, int]:
    """Return a class for every child of the shapes, the same for children that are alike.

    Children of one shape are compared with each other, as in its clone. Those of several shapes are aligned (partial
    tree alignment) and compared by the same thresholds, where the best is that among the other shapes. A tag that no
    shape has twice is one class: a child needs to be told from its siblings only.
    """
    matcher.prepare()
    kinds = sorted({child for shape in shapes for child in matcher.forest.children[shape]})
    classes = Classes(kinds)
    for shape in shapes:
        for child, symbol in matcher.groups[shape].items():
            classes.join(child, symbol)
    if len(shapes) > 1 and len(kinds) <= MAX_KINDS and matcher.spend(len(kinds) ** 2 // 2):
        _join_aligned(matcher, shapes, classes)
        _join_alike(matcher, shapes, kinds, classes)
        _join_single_tags(matcher, shapes, classes)
    return {kind: classes.of(kind) for kind in kinds}


def _join_aligned(matcher: Matcher, shapes: Sequence[int], classes: Classes) -> None:
    """Make those one that partial tree alignment puts at one place, if they are alike at all."""
    for children in aligned_children(matcher, shapes):
        first, *others = sorted(children)
        for other in others:
            if matcher.likeness(first, other) > matcher.thresholds.tau1:
                classes.join(first, other)


def _join_alike(matcher: Matcher, shapes: Sequence[int], kinds: Sequence[int], classes: Classes) -> None:
    owners: dict[int, set[int]] = {kind: set() for kind in kinds}
    for shape in shapes:
        for child in matcher.forest.children[shape]:
            owners[child].add(shape)
    labels, bounds = matcher.forest.labels, matcher.thresholds
    likeness: dict[tuple[int, int], float] = {}
    best = {kind: 1.0 if len(owners[kind]) > 1 else 0.0 for kind in kinds}
    for i, c in enumerate(kinds):
        for d in kinds[:i]:
            if labels[c] == labels[d] and owners[c] != owners[d]:
                like = likeness[c, d] = matcher.likeness(c, d)
                best[c], best[d] = max(best[c], like), max(best[d], like)
    for (c, d), like in likeness.items():
        if like > bounds.tau1 and like >= bounds.tau2 * max(best[c], best[d]):
            classes.join(c, d)


def _join_single_tags(matcher: Matcher, shapes: Sequence[int], classes: Classes) -> None:
    labels = matcher.forest.labels
    firsts: dict[int, int] = {}
    several: set[int] = set()
    for shape in shapes:
        own = Counter(labels[child] for child in matcher.forest.children[shape])
        several.update(label for label, count in own.items() if count > 1)
    for shape in shapes:
        for child in matcher.forest.children[shape]:
            label = labels[child]
            if label not in several:
                classes.join(firsts.setdefault(label, child), child)

"""Generalised tree matching by its definition (figures 7, 9 and 12 of Moura's thesis (2018)), as a slow reference.

Where the document is silent or contradicts itself, ``docs/trees.md`` states what is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from statistics import fmean

from peneira.templates.expressions import Expression, Repeat, Symbol, parts_of
from peneira.templates.nfa import build_nfa, regular_expression
from tuple_trees import Tree, name_and_children

TAU1, TAU2 = 0.5, 0.7


def name(tree: Tree) -> str:
    return name_and_children(tree)[0]


def children(tree: Tree) -> tuple[Tree, ...]:
    return name_and_children(tree)[1]


@cache
def match(a: Tree, b: Tree) -> tuple[float, float, float]:
    """Return the score of two trees, and the nodes of each, where a list counts once."""
    if a == b or name(a) != name(b):
        return (own(a) if a == b else 0.0), own(a), own(b)
    classes = classes_of([*similar_in(a), *similar_in(b), *similar_between(a, b)], [*children(a), *children(b)])
    symbols_a, symbols_b = [[classes[child] for child in children(tree)] for tree in (a, b)]
    repeated = repeated_symbols(symbols_a) | repeated_symbols(symbols_b)
    means = {symbol: list_mean(symbol, a, b, symbols_a, symbols_b) for symbol in repeated}
    nodes = [
        1.0
        + sum(means[s][1 + k] for s in repeated)
        + sum(own(c) for c, s in zip(kids, string, strict=True) if s not in repeated)
        for k, (kids, string) in enumerate(((children(a), symbols_a), (children(b), symbols_b)))
    ]

    def score(i: int, j: int) -> float:
        if symbols_a[i] == symbols_b[j] and symbols_a[i] in repeated:
            return means[symbols_a[i]][0]
        return match(children(a)[i], children(b)[j])[0]

    @cache
    def best(rows: tuple[int, ...], columns: tuple[int, ...]) -> float:
        if not rows or not columns:
            return 0.0
        both = best(rows[1:], columns[1:]) + score(rows[0], columns[0])
        return max(both, best(rows[1:], columns), best(rows, columns[1:]))

    whole = 1.0 + best(counted_once(symbols_a, repeated), counted_once(symbols_b, repeated))
    return min(whole, *nodes), nodes[0], nodes[1]


@cache
def own(tree: Tree) -> float:
    """Return the nodes of a tree where a list counts once, as the mean of its items."""
    classes = classes_of(similar_in(tree), children(tree))
    string = [classes[child] for child in children(tree)]
    repeated = repeated_symbols(string)
    items = {s: [own(c) for c, t in zip(children(tree), string, strict=True) if t == s] for s in repeated}
    return (
        1.0
        + sum(map(fmean, items.values()))
        + sum(own(c) for c, s in zip(children(tree), string, strict=True) if s not in items)
    )


def similarity(a: Tree, b: Tree) -> float:
    score, nodes_a, nodes_b = match(a, b)
    return min(1.0, score / max(nodes_a, nodes_b))


def similar_in(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the similar children of a tree: its clone contains each child, so the best similarity is 1."""
    for c, d in product(children(tree), repeat=2):
        if name(c) == name(d) and similarity(c, d) >= max(TAU1, TAU2):
            yield c, d


def similar_between(a: Tree, b: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the similar children of two trees (DetectLists)."""
    for c, d in product(children(a), children(b)):
        similar = similarity(c, d) if name(c) == name(d) else 0.0
        others = [similarity(c, other) for other in children(b) if name(other) == name(c)]
        others += [similarity(other, d) for other in children(a) if name(other) == name(d)]
        best = max(others, default=0.0)
        if similar > TAU1 and similar >= TAU2 * best:
            yield c, d


def classes_of(
    pairs: Sequence[tuple[Tree, Tree]] | Iterator[tuple[Tree, Tree]], trees: Sequence[Tree]
) -> dict[Tree, int]:
    """Return the number of each tree's class."""
    classes = {tree: k for k, tree in enumerate(dict.fromkeys(trees))}
    for c, d in pairs:
        old, new = classes[d], classes[c]
        classes = {tree: new if number == old else number for tree, number in classes.items()}
    return classes


def repeated_symbols(string: Sequence[int]) -> set[int]:
    """Return the symbols in repetitions of the string's grammar."""
    found: set[int] = set()
    stack: list[tuple[Expression, bool]] = [(regular_expression(build_nfa([string])), False)]
    while stack:
        part, is_repeated = stack.pop()
        if isinstance(part, Symbol) and is_repeated:
            assert isinstance(part.name, int)
            found.add(part.name)
        stack.extend((inner, is_repeated or isinstance(part, Repeat)) for inner in parts_of(part))
    return found


def list_mean(
    symbol: int, a: Tree, b: Tree, symbols_a: Sequence[int], symbols_b: Sequence[int]
) -> tuple[float, float, float]:
    """Return the mean score of the items of a list in both trees, and their mean nodes in each (UpdateW)."""
    in_a = [child for child, own_symbol in zip(children(a), symbols_a, strict=True) if own_symbol == symbol]
    in_b = [child for child, own_symbol in zip(children(b), symbols_b, strict=True) if own_symbol == symbol]
    scores = [match(c, d)[0] for c, d in product(in_a, in_b)]
    return mean(scores), mean(list(map(own, in_a))), mean(list(map(own, in_b)))


def mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def counted_once(string: Sequence[int], repeated: set[int]) -> tuple[int, ...]:
    """Return the indexes that count: symbols outside lists, and the first item of each list."""
    return tuple(k for k, symbol in enumerate(string) if symbol not in repeated or symbol not in string[:k])

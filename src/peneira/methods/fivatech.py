"""FiVaTech: schema and template of a site from two or more of its pages (Kayed and Chang 2010).

The children of nodes that stand at one place form a peer matrix, a column per node. Children that match by simple tree
matching are peers and get one symbol; columns are shifted until every row holds peers or nothing; repeated patterns of
rows are merged into a set; rows that some column lacks are optional. The result is the fixed/variant pattern tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from peneira.page import Page
from peneira.templates.disjoint_sets import DisjointSets
from peneira.templates.expressions import Conjunction, Expression, Optional, Repeat, Symbol
from peneira.templates.grammar import Grammar
from peneira.templates.template import (
    MAX_KINDS,
    ChildModel,
    SymbolStrings,
    Template,
    induced_child_model,
    learn_page_template,
    number_symbols,
)
from peneira.trees.tree_matching import TreeMatcher

# Children of one tag are peers from this share of the larger tree on
MIN_SIMILARITY = 0.6
# A matrix that takes more shifts has no order to be found; its grammar is induced instead
MAX_SHIFTS = 3_000
MAX_SCANNED = 40_000_000
MAX_COLUMNS = 60
# The longest pattern of rows that is looked for
MAX_PATTERN = 12
NOTHING = -1


def learn(pages: Sequence[Page]) -> tuple[Template, list[list[int]]]:
    """Return the pattern tree of pages of one kind, and the shapes of the rows of each page."""
    return learn_page_template(pages, pattern_level)


def pattern_level(matcher: TreeMatcher, shapes: Sequence[int]) -> tuple[ChildModel, SymbolStrings]:
    """Return the level of shapes that stand at one place: peers, aligned, mined for sets, options merged.

    Where a pattern has no such level, its grammar is induced: that node is looser, and no other.
    """
    children = [matcher.subtrees.children[shape] for shape in shapes]
    class_of = peers(matcher, children)
    symbol_of, strings = number_symbols(children, class_of)
    columns = sorted(set(map(tuple, strings)), key=lambda column: (-len(column), column))
    rows = align(columns) if len(columns) <= MAX_COLUMNS else None
    found = _level(symbol_of, children, fold(rows)) if rows else None
    return found or induced_child_model(matcher, children, class_of)


def _level(
    symbol_of: dict[int, int], children: SymbolStrings, pattern: Sequence[Fold]
) -> tuple[ChildModel, SymbolStrings] | None:
    """Return the level of a pattern. A symbol that stands in several rows has a symbol of its own in each.

    None where that cannot be: a symbol stands in a set and elsewhere, no child comes to stand in some row, or a column
    does not follow the pattern.
    """
    often = Counter(symbol for one in pattern for symbol in _symbols(one))
    if any(often[symbol] > 1 for one in pattern if one.parts for symbol in _symbols(one)):
        return None
    following = len(often)
    turns: dict[int, list[int]] = {}
    renamed: list[Fold] = []
    for one in pattern:
        if one.parts or often[one.symbol] == 1:
            renamed.append(one)
            continue
        own = turns.setdefault(one.symbol, [])
        own.append(following if own else one.symbol)
        following += len(own) > 1
        renamed.append(Fold(own[-1], (), one.present))
    everywhere = [[True] * len(pattern[0].present[0])]
    grammar = Grammar(pattern_expression(renamed, everywhere))
    level = ChildModel(symbol_of, grammar, following, {symbol: tuple(own) for symbol, own in turns.items()})
    strings = [level.with_variants([symbol_of[child] for child in string]) for string in children]
    is_sound = len({symbol for string in strings for symbol in string}) == following
    return (level, strings) if is_sound and all(map(grammar.accepts, strings)) else None


def _symbols(one: Fold) -> Iterator[int]:
    if one.parts:
        for part in one.parts:
            yield from _symbols(part)
    else:
        yield one.symbol


# --- peer node recognition --------------------------------------------------------------------------------------------


def peers(matcher: TreeMatcher, children: SymbolStrings) -> dict[int, int]:
    """Return a class for every child, the same for peers: one tag, and trees that match well enough.

    Where there are too many kinds of children, peers are only those that are equal.
    """
    kinds = sorted({child for string in children for child in string})
    labels = matcher.subtrees.labels
    classes = DisjointSets(kinds)
    if len(kinds) <= MAX_KINDS and matcher.spend(len(kinds) ** 2 // 2):
        for i, c in enumerate(kinds):
            for d in kinds[:i]:
                if labels[c] == labels[d] and matcher.simple_similarity(c, d) >= MIN_SIMILARITY:
                    classes.union(c, d)
    return {kind: classes.find(kind) for kind in kinds}


# --- alignment of the peer matrix -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the aligned matrix: its symbol, and which columns have it."""

    symbol: int
    present: tuple[bool, ...]


def align(columns: Sequence[Sequence[int]]) -> list[Row] | None:
    """Return the columns aligned row by row, None where that takes too many shifts.

    In a row of different symbols, a column whose symbol came up less than its span ago waits for one row; else the
    column whose symbol stands nearest further down in another column waits until there; else all symbols but the
    first wait.
    """
    matrix = [list(column) for column in columns]
    scanned = 0  # a shift looks through all columns for the symbols of all others
    spans = _spans(columns)
    rows: list[Row] = []
    last_seen: dict[int, int] = {}
    shifts = 0
    while any(len(column) > len(rows) for column in matrix):
        r = len(rows)
        here = [column[r] if r < len(column) else NOTHING for column in matrix]
        symbols = {symbol for symbol in here if symbol != NOTHING}
        if len(symbols) <= 1:
            if symbols:
                (symbol,) = symbols
                last_seen[symbol] = r
                rows.append(Row(symbol, tuple(one != NOTHING for one in here)))
            else:  # all columns wait here
                for column in matrix:
                    del column[r : r + 1]
            continue
        shifts += 1
        scanned += len(matrix) ** 2 * (max(map(len, matrix)) - r)
        if shifts > MAX_SHIFTS or scanned > MAX_SCANNED:
            return None
        for c, distance in _shifts(matrix, here, r, spans, last_seen):
            matrix[c][r:r] = [NOTHING] * distance
    return rows


def _spans(columns: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return for each symbol the most different symbols from one occurrence in a column up to the next."""
    spans: dict[int, int] = {}
    for column in columns:
        before: dict[int, int] = {}
        for place, symbol in enumerate(column):
            if symbol in before:
                spans[symbol] = max(spans.get(symbol, 0), len(set(column[before[symbol] : place])))
            before[symbol] = place
    return spans


def _shifts(
    matrix: Sequence[Sequence[int]], here: Sequence[int], r: int, spans: dict[int, int], last_seen: dict[int, int]
) -> list[tuple[int, int]]:
    """Return which columns wait at row r, and for how many rows."""
    for c, symbol in enumerate(here):
        if symbol in last_seen and r - last_seen[symbol] < spans.get(symbol, 0):
            return [(c, 1)]
    below = [(down, c) for c, symbol in enumerate(here) if symbol != NOTHING for down in _below(matrix, r, c, symbol)]
    if below:
        down, c = min(below)
        return [(c, down - r)]
    first = next(symbol for symbol in here if symbol != NOTHING)
    return [(c, 1) for c, symbol in enumerate(here) if symbol not in (first, NOTHING)]


def _below(matrix: Sequence[Sequence[int]], r: int, c: int, symbol: int) -> Iterator[int]:
    """Yield the next row in which each other column has the symbol, if it does not have it in this one."""
    for other, column in enumerate(matrix):
        if other != c and r < len(column) and column[r] != symbol:
            down = next((k for k in range(r + 1, len(column)) if column[k] == symbol), None)
            if down is not None:
                yield down


# --- repetitive pattern mining and optional merging -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fold:
    """A stretch of aligned rows: one symbol, or a set whose ``parts`` repeat. ``present`` is by turn and column."""

    symbol: int
    parts: tuple[Fold, ...]
    present: tuple[tuple[bool, ...], ...]

    @property
    def columns(self) -> tuple[bool, ...]:
        """Which columns have it at all."""
        return tuple(any(turn[c] for turn in self.present) for c in range(len(self.present[0])))

    @property
    def key(self) -> object:
        """What makes two folds the same pattern."""
        return (self.symbol, tuple(part.key for part in self.parts))


def fold(rows: Sequence[Row]) -> list[Fold]:
    """Return the rows with repeated patterns merged into sets, shorter patterns first."""
    folds = [Fold(row.symbol, (), (row.present,)) for row in rows]
    size = 1
    while size <= min(MAX_PATTERN, len(folds) // 2):
        merged = _merged(folds, size)
        # what a merger leaves may make a shorter pattern repeat
        size = 1 if len(merged) < len(folds) and size > 1 else size + 1
        folds = merged
    return folds


def _merged(folds: Sequence[Fold], size: int) -> list[Fold]:
    result: list[Fold] = []
    k = 0
    keys = [one.key for one in folds]
    while k < len(folds):
        turns = 1
        while keys[k : k + size] == keys[k + turns * size : k + (turns + 1) * size]:
            turns += 1
        if turns > 1:
            result.append(_set(folds[k : k + turns * size], size))
            k += turns * size
        else:
            result.append(folds[k])
            k += 1
    return result


def _set(folds: Sequence[Fold], size: int) -> Fold:
    """Return one set for the turns of a pattern; of a pattern that is a set itself, the longer set."""
    parts = tuple(_joined(folds[place::size]) for place in range(size))
    present = tuple(
        tuple(any(one.columns[c] for one in folds[k : k + size]) for c in range(len(folds[0].columns)))
        for k in range(0, len(folds), size)
    )
    if size == 1 and folds[0].parts:
        return Fold(NOTHING, parts[0].parts, parts[0].present)
    return Fold(NOTHING, parts, present)


def _joined(folds: Sequence[Fold]) -> Fold:
    """Return the turns of one part as one, the parts in it too."""
    inner = tuple(_joined([one.parts[k] for one in folds]) for k in range(len(folds[0].parts)))
    return Fold(folds[0].symbol, inner, tuple(turn for one in folds for turn in one.present))


def pattern_expression(folds: Sequence[Fold], turns: Sequence[Sequence[bool]]) -> Expression:
    """Return the pattern as an expression: sets repeat, and neighbours that are missing together are one option.

    ``turns`` says in which turns, by column, the pattern as a whole is there.
    """
    items: list[Expression] = []
    options: list[tuple[tuple[tuple[bool, ...], ...], list[Expression]]] = []
    for one in folds:
        inner: Expression = Symbol(one.symbol)
        if one.parts:
            inner = Repeat(pattern_expression(one.parts, one.present))
        missing = _missing(one, turns)
        if not missing:
            items.append(inner)
        elif options and items and options[-1][0] == missing and items[-1] is _MARK:
            options[-1][1].append(inner)
        else:
            options.append((missing, [inner]))
            items.append(_MARK)
    merged = iter(options)
    done = [Optional(_row(next(merged)[1])) if item is _MARK else item for item in items]
    return _row(done)


# Stands for an option until all of its neighbours are known
_MARK = Symbol("")


def _missing(one: Fold, turns: Sequence[Sequence[bool]]) -> tuple[tuple[bool, ...], ...]:
    """Return by turn and column where the pattern is there and this part of it is not; nothing if it always is."""
    if len(one.present) == len(turns):
        found = tuple(
            tuple(there and not here for there, here in zip(turn, own, strict=True))
            for turn, own in zip(turns, one.present, strict=True)
        )
    else:  # a set inside, with turns of its own
        whole = [any(turn[c] for turn in turns) for c in range(len(turns[0]))]
        found = (tuple(there and not here for there, here in zip(whole, one.columns, strict=True)),)
    return found if any(any(turn) for turn in found) else ()


def _row(items: Sequence[Expression]) -> Expression:
    return items[0] if len(items) == 1 else Conjunction(tuple(items))

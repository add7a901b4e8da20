"""FiVaTech: schema and template of a site from two or more of its pages (Kayed and Chang 2010).

The children of corresponding nodes form a peer matrix, a column per node. Children that match well are peers and get
the same symbol; their score counts a repeated pattern once, since lists of different length are peers too. Columns
are shifted until every row has only peers or nothing; repeated patterns of rows are merged into a set; rows that some
column lacks are optional. The result is the fixed/variant pattern tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import nextafter

from peneira.page import Page
from peneira.templates.expressions import Conjunction, Expression, Optional, Repeat, Symbol
from peneira.templates.grammar import Grammar
from peneira.templates.template import (
    MAX_KINDS,
    ChildModel,
    SymbolStrings,
    Template,
    cell_variants,
    induced_child_model,
    learn_page_template,
    number_symbols,
)
from peneira.trees.tree_matching import TreeMatcher

# Children of one tag are peers if more than half of the larger tree matches. With each repetition counted and .6 of it,
# P/R of schema nodes is 49/73, not 89/97 (`peneira bench gstm --only schemas`)
MIN_SIMILARITY = nextafter(0.5, 1)
# A matrix that needs more columns, shifts or scanned cells has no order; its grammar is induced instead
MAX_COLUMNS = 60
MAX_SHIFTS = 3_000
MAX_SCANNED_CELLS = 40_000_000
# Rows of the longest repeated pattern
MAX_PATTERN = 12
EMPTY = -1  # an empty cell of the matrix, and the symbol of a set


def learn(pages: Sequence[Page]) -> tuple[Template, list[list[int]]]:
    """Return the pattern tree of pages of the same kind, and the shapes of the rows of each page."""
    return learn_page_template(pages, pattern_level)


def pattern_level(matcher: TreeMatcher, shapes: Sequence[int]) -> tuple[ChildModel, SymbolStrings]:
    """Return the level of corresponding shapes: peers found, aligned, sets mined, options merged.

    The cells of table rows are columns and not a set, in order already. Their grammar is induced, and so is that of a
    pattern that cannot be expressed as a level; it is less strict.
    """
    children = [matcher.subtrees.children[shape] for shape in shapes]
    class_of = peers(matcher, children)
    symbol_of, strings = number_symbols(children, class_of)
    if cell_variants(matcher, children, strings):
        return induced_child_model(matcher, children, class_of)
    columns = sorted(set(map(tuple, strings)), key=lambda column: (-len(column), column))
    rows = align(columns) if len(columns) <= MAX_COLUMNS else None
    level = _level(symbol_of, children, fold(rows)) if rows else None
    return level or induced_child_model(matcher, children, class_of)


def _level(
    symbol_of: dict[int, int], children: SymbolStrings, pattern: Sequence[Fold]
) -> tuple[ChildModel, SymbolStrings] | None:
    """Return the level of a pattern. A symbol that occurs in several rows gets a symbol of its own in each.

    None if that is impossible: some row gets no child, or a column does not follow the pattern. None too if a symbol is
    in several sets, which are one set that something interrupts.
    """
    repeated = [symbol for item in pattern if item.parts for symbol in set(_symbols(item))]
    if len(set(repeated)) < len(repeated):
        return None
    symbols: dict[int, list[int]] = {symbol: [] for symbol in sorted(set(symbol_of.values()))}
    next_symbols = count(len(symbols))
    renamed = [_renamed(item, symbols, next_symbols) for item in pattern]
    everywhere = [[True] * len(pattern[0].present[0])]
    grammar = Grammar(pattern_expression(renamed, everywhere))
    variants = {symbol: tuple(own) for symbol, own in symbols.items() if len(own) > 1}
    level = ChildModel(symbol_of, grammar, next(next_symbols), variants)
    strings = [level.with_variants([symbol_of[child] for child in string]) for string in children]
    is_complete = len({symbol for string in strings for symbol in string}) == level.symbol_count
    return (level, strings) if is_complete and all(map(grammar.accepts, strings)) else None


def _symbols(item: Fold) -> Iterator[int]:
    if item.parts:
        for part in item.parts:
            yield from _symbols(part)
    else:
        yield item.symbol


def _renamed(item: Fold, symbols: dict[int, list[int]], next_symbols: Iterator[int]) -> Fold:
    """Return the item with new symbols for those that occurred before, and note them."""
    if item.parts:
        return Fold(EMPTY, tuple(_renamed(part, symbols, next_symbols) for part in item.parts), item.present)
    own = symbols[item.symbol]
    own.append(next(next_symbols) if own else item.symbol)
    return Fold(own[-1], (), item.present)


# --- peer node recognition --------------------------------------------------------------------------------------------


def peers(matcher: TreeMatcher, children: SymbolStrings) -> dict[int, int]:
    """Return a class for every child, the same for peers: equal tags, and trees that match well enough.

    If there are too many kinds of children to compare, only equal children are peers.
    """
    kinds = tuple(sorted({child for string in children for child in string}))
    return matcher.groups(kinds, MIN_SIMILARITY) if len(kinds) <= MAX_KINDS else {kind: kind for kind in kinds}


# --- alignment of the peer matrix -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the aligned matrix: its symbol, and which columns have it."""

    symbol: int
    present: tuple[bool, ...]


def align(columns: Sequence[Sequence[int]]) -> list[Row] | None:
    """Return the columns aligned row by row, None if that takes too many shifts.

    In a row with different symbols, a column whose symbol occurred less than its span ago is shifted down by one row;
    else the column whose symbol comes next in another column is shifted down to that row; else all columns are shifted
    but those with the first symbol.
    """
    matrix = [list(column) for column in columns]
    scanned = 0  # a shift searches all columns for the symbols of all others
    spans = _spans(columns)
    rows: list[Row] = []
    last_seen: dict[int, int] = {}
    shifts = 0
    while any(len(column) > len(rows) for column in matrix):
        r = len(rows)
        here = [column[r] if r < len(column) else EMPTY for column in matrix]
        symbols = {symbol for symbol in here if symbol != EMPTY}
        if len(symbols) <= 1:
            if symbols:
                (symbol,) = symbols
                last_seen[symbol] = r
                rows.append(Row(symbol, tuple(cell != EMPTY for cell in here)))
            else:  # all columns were shifted here
                for column in matrix:
                    del column[r : r + 1]
            continue
        shifts += 1
        scanned += len(matrix) ** 2 * (max(map(len, matrix)) - r)
        if shifts > MAX_SHIFTS or scanned > MAX_SCANNED_CELLS:
            return None
        for c, distance in _shifts(matrix, here, r, spans, last_seen):
            matrix[c][r:r] = [EMPTY] * distance
    return rows


def _spans(columns: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return each symbol's span: the most different symbols from one occurrence in a column up to the next."""
    spans: dict[int, int] = {}
    for column in columns:
        previous: dict[int, int] = {}
        for k, symbol in enumerate(column):
            if symbol in previous:
                spans[symbol] = max(spans.get(symbol, 0), len(set(column[previous[symbol] : k])))
            previous[symbol] = k
    return spans


def _shifts(
    matrix: Sequence[Sequence[int]], here: Sequence[int], r: int, spans: dict[int, int], last_seen: dict[int, int]
) -> list[tuple[int, int]]:
    """Return which columns are shifted down at row r, and by how many rows."""
    for c, symbol in enumerate(here):
        if symbol in last_seen and r - last_seen[symbol] < spans.get(symbol, 0):
            return [(c, 1)]
    below = [(down, c) for c, symbol in enumerate(here) if symbol != EMPTY for down in _below(matrix, r, c, symbol)]
    if below:
        down, c = min(below)
        return [(c, down - r)]
    first = next(symbol for symbol in here if symbol != EMPTY)
    return [(c, 1) for c, symbol in enumerate(here) if symbol not in (first, EMPTY)]


def _below(matrix: Sequence[Sequence[int]], r: int, c: int, symbol: int) -> Iterator[int]:
    """Yield the next row in which another column has the symbol, for columns that do not have it in this row."""
    for other, column in enumerate(matrix):
        if other != c and r < len(column) and column[r] != symbol:
            down = next((k for k in range(r + 1, len(column)) if column[k] == symbol), None)
            if down is not None:
                yield down


# --- repetitive pattern mining and optional merging -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fold:
    """Aligned rows as one item of the pattern: a symbol, or a set whose ``parts`` repeat.

    ``present``: by repetition and column, whether the item is there.
    """

    symbol: int
    parts: tuple[Fold, ...]
    present: tuple[tuple[bool, ...], ...]

    @property
    def columns(self) -> tuple[bool, ...]:
        """Which columns have the item in any repetition."""
        return tuple(any(repetition[c] for repetition in self.present) for c in range(len(self.present[0])))

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
        # after merging, a shorter pattern may repeat
        size = 1 if len(merged) < len(folds) and size > 1 else size + 1
        folds = merged
    return folds


def _merged(folds: Sequence[Fold], size: int) -> list[Fold]:
    result: list[Fold] = []
    k = 0
    keys = [item.key for item in folds]
    while k < len(folds):
        times = 1
        while keys[k : k + size] == keys[k + times * size : k + (times + 1) * size]:
            times += 1
        if times > 1:
            result.append(_set(folds[k : k + times * size], size))
            k += times * size
        else:
            result.append(folds[k])
            k += 1
    return result


def _set(folds: Sequence[Fold], size: int) -> Fold:
    """Return the repetitions of a pattern as one set; if the pattern is a set itself, as a longer set."""
    parts = tuple(_joined(folds[k::size]) for k in range(size))
    present = tuple(
        tuple(any(item.columns[c] for item in folds[k : k + size]) for c in range(len(folds[0].columns)))
        for k in range(0, len(folds), size)
    )
    if size == 1 and folds[0].parts:
        return Fold(EMPTY, parts[0].parts, parts[0].present)
    return Fold(EMPTY, parts, present)


def _joined(folds: Sequence[Fold]) -> Fold:
    """Return the repetitions of a part joined, and the parts inside it too."""
    inner = tuple(_joined([item.parts[k] for item in folds]) for k in range(len(folds[0].parts)))
    return Fold(folds[0].symbol, inner, tuple(present for item in folds for present in item.present))


def pattern_expression(folds: Sequence[Fold], present: Sequence[Sequence[bool]]) -> Expression:
    """Return the pattern as an expression: sets repeat, and neighbours that are missing together are one option.

    ``present``: by repetition and column, whether the pattern as a whole is there.
    """
    items: list[Expression] = []
    options: list[tuple[tuple[tuple[bool, ...], ...], list[Expression]]] = []
    for item in folds:
        inner: Expression = Symbol(item.symbol)
        if item.parts:
            inner = Repeat(pattern_expression(item.parts, item.present))
        missing = _missing(item, present)
        if not missing:
            items.append(inner)
        elif options and items and options[-1][0] == missing and items[-1] is _OPTION:
            options[-1][1].append(inner)
        else:
            options.append((missing, [inner]))
            items.append(_OPTION)
    merged = iter(options)
    return _conjunction([Optional(_conjunction(next(merged)[1])) if item is _OPTION else item for item in items])


# Placeholder of an option until all of its neighbours are known
_OPTION = Symbol("")


def _missing(item: Fold, present: Sequence[Sequence[bool]]) -> tuple[tuple[bool, ...], ...]:
    """Return by repetition and column where the pattern is there but this item is not; () if it always is."""
    if len(item.present) == len(present):
        missing = tuple(
            tuple(whole and not own for whole, own in zip(pattern_row, item_row, strict=True))
            for pattern_row, item_row in zip(present, item.present, strict=True)
        )
    else:  # a set inside, with repetitions of its own
        columns = [any(repetition[c] for repetition in present) for c in range(len(present[0]))]
        missing = (tuple(whole and not own for whole, own in zip(columns, item.columns, strict=True)),)
    return missing if any(any(row) for row in missing) else ()


def _conjunction(items: Sequence[Expression]) -> Expression:
    return items[0] if len(items) == 1 else Conjunction(tuple(items))

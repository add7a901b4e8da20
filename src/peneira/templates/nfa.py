"""Grammar induction: an automaton (NFA) built from strings of symbols, and its regular expression.

This is GrammarGeneration and RegularExpression of the G-STM wrapper generator (Jindal and Liu 2010; Moura 2018). The
automaton is a chain of levels: reading a symbol leads from one state to the next, and every symbol has one level.
Where an example does not follow the chain, a jump is added: the levels under a forward jump are optional, those under a
backward jump are repeated. So every symbol occurs once in the expression, which makes parsing linear.

The published heuristic can produce jumps that cross, which no expression can represent. Here crossing repetitions are
joined and crossing options are split in two. Both only accept more strings: the expression accepts every example.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from peneira.templates.expressions import Conjunction, Disjunction, Expression, Optional, Repeat, Symbol

Name = int | str
Jump = tuple[int, int]
Span = tuple[int, int]

# With more jumps the order of the symbols carries no information: the grammar is any symbol, any number of times
MAX_JUMPS = 400
# An inserted level moves all levels after it, so longer automata only get alternatives
MAX_LEVELS = 2_000
# Symbols after a new symbol that are searched for a known one
_LOOK_AHEAD = 20


class Nfa:
    """An automaton: state k reads any symbol of ``levels[k]`` and moves to k + 1; ``jumps`` move without reading.

    It starts in state 0 and accepts in the last state. ``ends`` are the states in which examples ended.
    """

    def __init__(self) -> None:
        self.levels: list[list[Name]] = []
        self.jumps: set[Jump] = set()
        self.ends: set[int] = set()
        self._level_of: dict[Name, int] = {}

    def read(self, string: Sequence[Name], *, insert: bool = False) -> None:
        """Extend the automaton so that it accepts the string.

        As published, a new symbol becomes an alternative on the next level. With ``insert`` it becomes an optional
        level of its own if the next known symbol is on that level: partial tree alignment for strings.
        """
        state = 0
        for k, symbol in enumerate(string):
            level = self._level_of.get(symbol)
            if level is None:
                level = state
                if insert and self._belongs_before(state, string[k + 1 : k + 1 + _LOOK_AHEAD]):
                    self._insert_level(state)
                elif state == len(self.levels):
                    self.levels.append([])
                self.levels[state].append(symbol)
                self._level_of[symbol] = state
            elif level != state:
                self.jumps.add((state, level))
            state = level + 1
        self.ends.add(state)

    def _belongs_before(self, state: int, following: Sequence[Name]) -> bool:
        next_level = next((self._level_of[symbol] for symbol in following if symbol in self._level_of), None)
        return next_level == state and len(self.levels) < MAX_LEVELS

    def _insert_level(self, state: int) -> None:
        """Insert an empty level that all examples read so far skip."""
        self.levels.insert(state, [])
        for symbol, level in self._level_of.items():
            if level >= state:
                self._level_of[symbol] = level + 1
        moved = {(start + (start > state), end + (end >= state)) for start, end in self.jumps}
        self.jumps = moved | {(state, state + 1)}
        self.ends = {end + (end > state) for end in self.ends}

    @property
    def all_jumps(self) -> set[Jump]:
        """The jumps, including those from the ends of examples to the accepting state."""
        last = len(self.levels)
        return self.jumps | {(end, last) for end in self.ends if end != last}


def build_nfa(strings: Iterable[Sequence[Name]], *, insert: bool = False) -> Nfa:
    """Return the automaton of the strings, built from the longest first (GrammarGeneration)."""
    nfa = Nfa()
    for string in sorted(strings, key=len, reverse=True):
        nfa.read(string, insert=insert)
    return nfa


def regular_expression(nfa: Nfa) -> Expression:
    """Return an expression that accepts every string that the automaton has read (RegularExpression)."""
    jumps = nfa.all_jumps
    if len(jumps) > MAX_JUMPS:
        return _any_symbols(nfa)
    repeats, optional = _nested_repeats(sorted((end, start) for start, end in jumps if end < start))
    skips = sorted({(start, end) for start, end in jumps if end > start} | optional)
    return _nested_expression(nfa.levels, repeats, _nested_options(skips, repeats))


def _any_symbols(nfa: Nfa) -> Expression:
    symbols = tuple(Symbol(name) for level in nfa.levels for name in level)
    loop = Repeat(symbols[0] if len(symbols) == 1 else Disjunction(symbols))
    return Optional(loop) if 0 in nfa.ends else loop


def _nested_repeats(spans: Sequence[Span]) -> tuple[list[Span], set[Span]]:
    """Return the spans with crossing spans joined, and the spans that become optional because of it.

    Where a loop over a-b is replaced by a loop over a-c, b-c must be optional; likewise at the start.
    """
    nested: list[Span] = []
    optional: set[Span] = set()
    open_spans: list[Span] = []
    for span in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        start, end = span
        while open_spans and open_spans[-1][1] <= start:
            nested.append(open_spans.pop())
        while open_spans and open_spans[-1][1] < end:
            first, last = open_spans.pop()
            optional.add((last, end))
            if first < start:
                optional.add((first, start))
            start = first
        if (start, end) not in open_spans:
            open_spans.append((start, end))
    return sorted({*nested, *open_spans}), optional


def _nested_options(skips: Sequence[Span], repeats: Sequence[Span]) -> list[Span]:
    """Return the skipped spans, each split in two where it crosses a repetition or another skipped span."""
    kept: list[Span] = []
    pending = list(reversed(skips))
    while pending:
        skip = pending.pop()
        split = next((at for other in (*repeats, *kept) if (at := _crossing(skip, other)) is not None), None)
        if split is not None:
            pending.extend(((split, skip[1]), (skip[0], split)))
        elif skip not in kept:
            insort(kept, skip)
    return kept


def _crossing(span: Span, other: Span) -> int | None:
    """Return the only border of ``other`` that is inside ``span``; None if the spans do not cross."""
    if other[0] < span[0] < other[1] < span[1]:
        return other[1]
    if span[0] < other[0] < span[1] < other[1]:
        return other[0]
    return None


def _nested_expression(
    levels: Sequence[Sequence[Name]], repeats: Sequence[Span], options: Sequence[Span]
) -> Expression:
    """Return the sequence of levels, nested by the spans; of two equal spans the option is outside the repetition."""
    spans = [(start, -end, kind) for kind, spans in ((0, options), (1, repeats)) for start, end in spans]
    starting: dict[int, list[tuple[int, int]]] = {}
    for start, negative_end, kind in sorted(spans):
        starting.setdefault(start, []).append((-negative_end, kind))
    open_spans: list[tuple[int, int, list[Expression]]] = []
    items: list[Expression] = []
    for k, names in enumerate(levels):
        for end, kind in starting.get(k, ()):
            open_spans.append((end, kind, items))
            items = []
        items.append(_alternatives(names))
        while open_spans and open_spans[-1][0] == k + 1:
            _, kind, outer = open_spans.pop()
            outer.append(Repeat(_sequence(items)) if kind else Optional(_sequence(items)))
            items = outer
    return _sequence(items)


def _alternatives(names: Sequence[Name]) -> Expression:
    symbols = tuple(Symbol(name) for name in names)
    return symbols[0] if len(symbols) == 1 else Disjunction(symbols)


def _sequence(items: Sequence[Expression]) -> Expression:
    return items[0] if len(items) == 1 else Conjunction(tuple(items))

"""Grammars from examples: an automaton grown over strings of symbols, and the regular expression of it.

This is GrammarGeneration and RegularExpression of the G-STM wrapper generator (Jindal and Liu 2010; Moura 2018). The
automaton is a chain of levels: reading a symbol leads from one state to the next, and every symbol has one level.
Where an example does not follow the chain it leaves a jump: forwards, what lies between is optional; backwards, it is
repeated. So every symbol stands at one place of the expression, which is what makes matching linear.

The published heuristic can leave jumps that cross, of which no expression can be made. Here crossing repetitions are
joined and crossing options are cut in two; both accept more, never less: the expression accepts every example.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from peneira.templates.expressions import Conjunction, Disjunction, Expression, Optional, Repeat, Symbol

Name = int | str
Jump = tuple[int, int]
Span = tuple[int, int]

# More jumps than this and the order of the symbols says nothing: the grammar is any of them, any number of times
MAX_JUMPS = 400
# Beyond so many levels a new symbol is no longer inserted between them, as that moves all levels after it
MAX_LEVELS = 2_000
_LOOK_AHEAD = 20


class Nfa:
    """The automaton: state k reads any symbol of ``levels[k]`` and is then k + 1; ``jumps`` lead on without reading.

    It starts in state 0 and accepts in the last. ``ends`` are the states in which examples ended.
    """

    def __init__(self) -> None:
        self.levels: list[list[Name]] = []
        self.jumps: set[Jump] = set()
        self.ends: set[int] = set()
        self._level_of: dict[Name, int] = {}

    def read(self, string: Sequence[Name], *, insert: bool = False) -> None:
        """Extend the automaton so that it accepts the string.

        As published, a new symbol becomes an alternative of the level that is next. With ``insert`` it becomes an
        optional level of its own where the symbol after it says so: partial tree alignment, for strings.
        """
        state = 0
        for place, symbol in enumerate(string):
            level = self._level_of.get(symbol)
            if level is None:
                level = state
                if insert and self._belongs_before(state, string[place + 1 : place + 1 + _LOOK_AHEAD]):
                    self._make_room(state)
                elif state == len(self.levels):
                    self.levels.append([])
                self.levels[state].append(symbol)
                self._level_of[symbol] = state
            elif level != state:
                self.jumps.add((state, level))
            state = level + 1
        self.ends.add(state)

    def _belongs_before(self, state: int, following: Sequence[Name]) -> bool:
        known = next((self._level_of[symbol] for symbol in following if symbol in self._level_of), None)
        return known == state and len(self.levels) < MAX_LEVELS

    def _make_room(self, state: int) -> None:
        """Insert an empty level that all examples so far skip."""
        self.levels.insert(state, [])
        for symbol, level in self._level_of.items():
            if level >= state:
                self._level_of[symbol] = level + 1
        moved = {(start + (start > state), end + (end >= state)) for start, end in self.jumps}
        self.jumps = moved | {(state, state + 1)}
        self.ends = {end + (end > state) for end in self.ends}

    @property
    def all_jumps(self) -> set[Jump]:
        """The jumps, those from where an example ended to the accepting state included."""
        last = len(self.levels)
        return self.jumps | {(end, last) for end in self.ends if end != last}


def generate(strings: Iterable[Sequence[Name]], *, insert: bool = False) -> Nfa:
    """Return the automaton of the strings, grown over the longest first (GrammarGeneration)."""
    nfa = Nfa()
    for string in sorted(strings, key=len, reverse=True):
        nfa.read(string, insert=insert)
    return nfa


def regular_expression(nfa: Nfa) -> Expression:
    """Return an expression that accepts every string the automaton has read (RegularExpression)."""
    jumps = nfa.all_jumps
    if len(jumps) > MAX_JUMPS:
        return _anything(nfa)
    repeats, loosened = _nested_repeats(sorted((end, start) for start, end in jumps if end < start))
    skips = sorted({(start, end) for start, end in jumps if end > start} | loosened)
    return _folded(nfa.levels, repeats, _nested_options(skips, repeats))


def _anything(nfa: Nfa) -> Expression:
    symbols = tuple(Symbol(name) for level in nfa.levels for name in level)
    loop = Repeat(symbols[0] if len(symbols) == 1 else Disjunction(symbols))
    return Optional(loop) if 0 in nfa.ends else loop


def _nested_repeats(spans: Sequence[Span]) -> tuple[list[Span], set[Span]]:
    """Return the spans with those that cross joined, and what must be optional to make up for it.

    A loop over a-b where one over a-c is meant needs b-c to be optional; likewise at the front.
    """
    nested: list[Span] = []
    loosened: set[Span] = set()
    open_spans: list[Span] = []
    for span in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        start, end = span
        while open_spans and open_spans[-1][1] <= start:
            nested.append(open_spans.pop())
        while open_spans and open_spans[-1][1] < end:
            first, last = open_spans.pop()
            loosened.add((last, end))
            if first < start:
                loosened.add((first, start))
            start = first
        if (start, end) not in open_spans:
            open_spans.append((start, end))
    return sorted({*nested, *open_spans}), loosened


def _nested_options(skips: Sequence[Span], repeats: Sequence[Span]) -> list[Span]:
    """Return the skipped spans, each cut in two where it crosses a repetition or another skipped span."""
    kept: list[Span] = []
    waiting = list(reversed(skips))
    while waiting:
        skip = waiting.pop()
        cut = next((at for other in (*repeats, *kept) if (at := _crossing(skip, other)) is not None), None)
        if cut is not None:
            waiting.extend(((cut, skip[1]), (skip[0], cut)))
        elif skip not in kept:
            insort(kept, skip)
    return kept


def _crossing(span: Span, other: Span) -> int | None:
    """Return where the other span cuts this one: a border of it inside, while the other border lies outside."""
    if other[0] < span[0] < other[1] < span[1]:
        return other[1]
    if span[0] < other[0] < span[1] < other[1]:
        return other[0]
    return None


def _folded(levels: Sequence[Sequence[Name]], repeats: Sequence[Span], options: Sequence[Span]) -> Expression:
    """Return the levels in a row, folded by nested spans; over one span, an option lies outside a repetition."""
    spans = [(start, -end, kind) for kind, spans in ((0, options), (1, repeats)) for start, end in spans]
    starting: dict[int, list[tuple[int, int]]] = {}
    for start, negative_end, kind in sorted(spans):
        starting.setdefault(start, []).append((-negative_end, kind))
    open_spans: list[tuple[int, int, list[Expression]]] = []
    row: list[Expression] = []
    for k, names in enumerate(levels):
        for end, kind in starting.get(k, ()):
            open_spans.append((end, kind, row))
            row = []
        row.append(_alternatives(names))
        while open_spans and open_spans[-1][0] == k + 1:
            _, kind, outer = open_spans.pop()
            outer.append(Repeat(_sequence(row)) if kind else Optional(_sequence(row)))
            row = outer
    return _sequence(row)


def _alternatives(names: Sequence[Name]) -> Expression:
    symbols = tuple(Symbol(name) for name in names)
    return symbols[0] if len(symbols) == 1 else Disjunction(symbols)


def _sequence(row: Sequence[Expression]) -> Expression:
    return row[0] if len(row) == 1 else Conjunction(tuple(row))

"""Reading strings by a grammar: which symbol stands where in the expression, in linear time.

Every symbol stands at one place of the expression, so a string says by itself where in the expression it is. From one
symbol to the next the way is either on, over options, or back through the innermost repetition that holds both: no
choices, no backtracking. A step costs at most the depth of the expression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from peneira.templates.expressions import Conjunction, Expression, Optional, Repeat, Symbol, below


@dataclass(eq=False, slots=True)
class Match:
    """What one sequence or repetition of the expression matched.

    ``parts`` are places in the string or further matches: of a sequence one per item, None where an option is not
    taken; of a repetition one per turn. ``start:stop`` is the stretch of the string, ``node`` tells sequences and
    repetitions of one expression apart.
    """

    is_list: bool
    node: int = 0
    parts: list[Match | int | None] = field(default_factory=list)
    start: int = 0
    stop: int = 0


class Grammar:
    """A regular expression, ready to read strings. No symbol may stand in it twice."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self._nodes: list[Expression] = []
        self._parent: list[int] = []
        self._place: list[int] = []
        self._depth: list[int] = []
        self._leaf: dict[int | str, int] = {}
        root = expression if isinstance(expression, Conjunction) else Conjunction((expression,))
        self._index(root)
        self._children = self._children_of()
        self._nullable, self._needed = self._nullables()
        self._first = {leaf: self._outermost(leaf, is_first=True) for leaf in self._leaf.values()}
        self._last = {leaf: self._outermost(leaf, is_first=False) for leaf in self._leaf.values()}

    def __str__(self) -> str:
        return str(self.expression)

    @property
    def order(self) -> Mapping[int | str, int]:
        """A number for each symbol, larger for those further right in the expression."""
        return self._leaf

    def accepts(self, string: Sequence[int | str]) -> bool:
        """Tell whether the whole string is one of the grammar's."""
        leaves = [self._leaf.get(symbol, -1) for symbol in string]
        if not leaves:
            return self._nullable[0]
        if -1 in leaves or self._first[leaves[0]] or self._last[leaves[-1]]:
            return False
        return all(self._way(a, b, strict=True) >= 0 for a, b in pairwise(leaves))

    def parse(self, string: Sequence[int | str]) -> tuple[Match, list[int]]:
        """Return what the string matches, and the places of symbols that fit nowhere.

        Where the string breaks the grammar, as one of another page may, reading goes on from the symbol at hand: what
        is missing is missing, and a symbol that can come neither on nor again is left out.
        """
        root = Match(is_list=False, parts=[None] * len(below(self._nodes[0])))
        path = [(0, root)]
        strays: list[int] = []
        current = -1
        for place, symbol in enumerate(string):
            leaf = self._leaf.get(symbol, -1)
            pivot = -1 if leaf < 0 else self._pivot(current, leaf)
            if pivot < 0:
                strays.append(place)
                continue
            while path[-1][0] != pivot:
                path.pop()
            self._descend(path, leaf, place)
            current = leaf
        return root, strays

    def _pivot(self, current: int, leaf: int) -> int:
        """Return the sequence or repetition in which the way from one symbol to the next turns; -1 if there is none."""
        if current < 0:
            return 0
        strict = self._way(current, leaf, strict=True)
        return strict if strict >= 0 else self._way(current, leaf, strict=False)

    def _way(self, a: int, b: int, *, strict: bool) -> int:
        one, other = a, b
        below_one, below_other = a, b
        while one != other:
            if self._depth[one] >= self._depth[other]:
                below_one, one = one, self._parent[one]
            else:
                below_other, other = other, self._parent[other]
        if self._goes_on(a, b, one, (below_one, below_other), strict):
            return one
        return self._goes_back(a, b, one, strict)

    def _goes_on(self, a: int, b: int, meeting: int, items: tuple[int, int], strict: bool) -> bool:
        """Tell whether b can follow a inside the sequence where their ways meet."""
        before, after = items
        if a == b or not isinstance(self._nodes[meeting], Conjunction) or self._place[before] >= self._place[after]:
            return False
        if not strict:
            return True
        needed = self._needed[after] - self._needed[before] - (not self._nullable[before])
        return needed == 0 and self._last[a] <= self._depth[meeting] + 1 and self._first[b] <= self._depth[meeting] + 1

    def _goes_back(self, a: int, b: int, meeting: int, strict: bool) -> int:
        """Return the innermost repetition around both that b can begin anew where a ends."""
        node = meeting
        while node >= 0:
            if isinstance(self._nodes[node], Repeat):
                inner = self._depth[node] + 1
                if not strict or (self._last[a] <= inner and self._first[b] <= inner):
                    return node
            node = self._parent[node]
        return -1

    def _descend(self, path: list[tuple[int, Match]], leaf: int, place: int) -> None:
        """Open what lies between the end of the path and the symbol, and put the symbol there."""
        steps = []
        node = leaf
        while node != path[-1][0]:
            steps.append(node)
            node = self._parent[node]
        slot = 0
        for node in reversed(steps):
            if isinstance(self._nodes[self._parent[node]], Conjunction):
                slot = self._place[node]
            expression = self._nodes[node]
            if isinstance(expression, Conjunction | Repeat):
                empty = [] if isinstance(expression, Repeat) else [None] * len(expression.items)
                match = Match(isinstance(expression, Repeat), node, [*empty], place)
                _attach(path[-1][1], slot, match)
                path.append((node, match))
        _attach(path[-1][1], slot, place)
        for _, match in path:
            match.stop = place + 1

    # --- the expression as a table of nodes: 0 is the root, parents come before their parts ---------------------------

    def _index(self, root: Conjunction) -> None:
        waiting: list[tuple[Expression, int, int]] = [(root, -1, 0)]
        while waiting:
            expression, parent, place = waiting.pop()
            number = len(self._nodes)
            self._nodes.append(expression)
            self._parent.append(parent)
            self._place.append(place)
            self._depth.append(self._depth[parent] + 1 if parent >= 0 else 0)
            if isinstance(expression, Symbol):
                if expression.name in self._leaf:
                    raise ValueError(f"the symbol {expression.name!r} stands in the expression twice")
                self._leaf[expression.name] = number
            parts = [(part, number, k) for k, part in enumerate(below(expression))]
            waiting.extend(reversed(parts))

    def _children_of(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self._nodes]
        for number, parent in enumerate(self._parent):
            if parent >= 0:
                children[parent].append(number)
        return children

    def _nullables(self) -> tuple[list[bool], list[int]]:
        """Return which nodes match nothing as well, and per node how many before it in its sequence do not."""
        nullable = [False] * len(self._nodes)
        for number in range(len(self._nodes) - 1, -1, -1):
            parts = [nullable[child] for child in self._children[number]]
            node = self._nodes[number]
            if isinstance(node, Optional):
                nullable[number] = True
            elif not isinstance(node, Symbol):
                nullable[number] = all(parts) if isinstance(node, Conjunction) else any(parts)
        needed = [0] * len(self._nodes)
        for children in self._children:
            count = 0
            for child in children:
                needed[child] = count
                count += not nullable[child]
        return nullable, needed

    def _outermost(self, leaf: int, *, is_first: bool) -> int:
        """Return the depth of the outermost node that can begin (or end) with the symbol."""
        node = leaf
        while self._parent[node] >= 0:
            parent = self._parent[node]
            if isinstance(self._nodes[parent], Conjunction):
                final = self._children[parent][-1]
                after = self._needed[final] + (not self._nullable[final]) - self._needed[node]
                if (is_first and self._needed[node]) or (not is_first and after - (not self._nullable[node])):
                    break
            node = parent
        return self._depth[node]


def _attach(match: Match, slot: int, part: Match | int) -> None:
    if match.is_list:
        match.parts.append(part)
    else:
        match.parts[slot] = part

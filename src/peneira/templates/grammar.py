"""Parsing strings of symbols with a grammar in linear time.

Every symbol occurs once in the expression, so each symbol of a string determines its position there. From one symbol to
the next, parsing either moves forward over options, or back to the start of the innermost repetition that contains
both: there is no choice and no backtracking. A step costs at most the depth of the expression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from peneira.templates.expressions import Conjunction, Expression, Optional, Repeat, Symbol, parts_of


@dataclass(eq=False, slots=True)
class ParseNode:
    """The part of a string that a sequence or a repetition of the expression matched, ``start:stop``.

    ``parts`` are indexes in the string or nested parse nodes: one per item of a sequence, None for a missing option;
    one per iteration of a repetition. ``expression_node`` is the number of the sequence or repetition.
    """

    is_list: bool
    expression_node: int = 0
    parts: list[ParseNode | int | None] = field(default_factory=list)
    start: int = 0
    stop: int = 0


class Grammar:
    """A regular expression prepared for parsing. No symbol may occur in it twice."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self._nodes: list[Expression] = []
        self._parent: list[int] = []
        self._index: list[int] = []
        self._depth: list[int] = []
        self._leaf: dict[int | str, int] = {}
        root = expression if isinstance(expression, Conjunction) else Conjunction((expression,))
        self._add_nodes(root)
        self._children = self._children_of()
        self._nullable, self._required = self._nullables()
        self._first = {leaf: self._outermost(leaf, is_first=True) for leaf in self._leaf.values()}
        self._last = {leaf: self._outermost(leaf, is_first=False) for leaf in self._leaf.values()}

    def __str__(self) -> str:
        return str(self.expression)

    @property
    def order(self) -> Mapping[int | str, int]:
        """A number for each symbol that grows from left to right in the expression."""
        return self._leaf

    @property
    def parts(self) -> Sequence[tuple[Expression, Sequence[int]]]:
        """The parts of the expression by number, the root first, each with the numbers of its own parts."""
        return list(zip(self._nodes, self._children, strict=True))

    def accepts(self, string: Sequence[int | str]) -> bool:
        """Return whether the grammar accepts the whole string."""
        leaves = [self._leaf.get(symbol, -1) for symbol in string]
        if not leaves:
            return self._nullable[0]
        if -1 in leaves or self._first[leaves[0]] or self._last[leaves[-1]]:
            return False
        return all(self._common_node(a, b, strict=True) >= 0 for a, b in pairwise(leaves))

    def choose(self, options: Sequence[Sequence[int]]) -> list[int] | None:
        """Return the first accepted string whose symbols are among the options of each place; None if there is none.

        Earlier options are preferred, from the left. O(places * options^2) steps.
        """
        ahead: list[dict[int, int]] = []  # by place from the end: the options that can go on, and with what next
        for place in range(len(options) - 1, -1, -1):
            following: dict[int, int] = {}
            for symbol in options[place]:
                leaf = self._leaf.get(symbol, -1)
                if leaf < 0:
                    continue
                if not ahead:
                    if not self._last[leaf]:
                        following[symbol] = symbol
                    continue
                next_symbols = (
                    other for other in ahead[-1] if self._common_node(leaf, self._leaf[other], strict=True) >= 0
                )
                if (next_symbol := next(next_symbols, None)) is not None:
                    following[symbol] = next_symbol
            ahead.append(following)
        first = next((symbol for symbol in ahead[-1] if not self._first[self._leaf[symbol]]), None) if ahead else None
        if first is None:
            return None
        chosen = [first]
        for following in ahead[:0:-1]:
            chosen.append(following[chosen[-1]])
        return chosen

    def parse(self, string: Sequence[int | str]) -> tuple[ParseNode, list[int]]:
        """Return the parse tree of the string, and the indexes of symbols that do not fit.

        A string that the grammar does not accept, such as that of a new page, is parsed as far as possible: missing
        symbols are skipped, and a symbol that can neither follow nor start a new iteration is left out.
        """
        root = ParseNode(is_list=False, parts=[None] * len(parts_of(self._nodes[0])))
        path = [(0, root)]
        unmatched: list[int] = []
        current = -1
        for index, symbol in enumerate(string):
            leaf = self._leaf.get(symbol, -1)
            resume_node = -1 if leaf < 0 else self._resume_node(current, leaf)
            if resume_node < 0:
                unmatched.append(index)
                continue
            while path[-1][0] != resume_node:
                path.pop()
            self._descend(path, leaf, index)
            current = leaf
        return root, unmatched

    def _resume_node(self, current: int, leaf: int) -> int:
        """Return the sequence or repetition in which the next symbol continues; -1 if it cannot follow."""
        if current < 0:
            return 0
        strict = self._common_node(current, leaf, strict=True)
        return strict if strict >= 0 else self._common_node(current, leaf, strict=False)

    def _common_node(self, a: int, b: int, *, strict: bool) -> int:
        """Return the sequence in which b can follow a, or the repetition that b can start again; -1 for neither.

        ``strict`` means that no required part may be missing in between.
        """
        ancestor_a, ancestor_b = a, b
        child_a, child_b = a, b
        while ancestor_a != ancestor_b:
            if self._depth[ancestor_a] >= self._depth[ancestor_b]:
                child_a, ancestor_a = ancestor_a, self._parent[ancestor_a]
            else:
                child_b, ancestor_b = ancestor_b, self._parent[ancestor_b]
        if self._can_follow(a, b, ancestor_a, (child_a, child_b), strict):
            return ancestor_a
        return self._repetition(a, b, ancestor_a, strict)

    def _can_follow(self, a: int, b: int, ancestor: int, items: tuple[int, int], strict: bool) -> bool:
        """Return whether b can follow a inside their lowest common ancestor, where ``items`` contain them."""
        before, after = items
        if a == b or not isinstance(self._nodes[ancestor], Conjunction) or self._index[before] >= self._index[after]:
            return False
        if not strict:
            return True
        skipped = self._required[after] - self._required[before] - (not self._nullable[before])
        item_depth = self._depth[ancestor] + 1
        return skipped == 0 and self._last[a] <= item_depth and self._first[b] <= item_depth

    def _repetition(self, a: int, b: int, ancestor: int, strict: bool) -> int:
        """Return the innermost repetition around both symbols in which b can start a new iteration after a; else -1."""
        node = ancestor
        while node >= 0:
            if isinstance(self._nodes[node], Repeat):
                inner = self._depth[node] + 1
                if not strict or (self._last[a] <= inner and self._first[b] <= inner):
                    return node
            node = self._parent[node]
        return -1

    def _descend(self, path: list[tuple[int, ParseNode]], leaf: int, index: int) -> None:
        """Open the parse nodes between the end of the path and the symbol, and attach the symbol."""
        nodes = []
        node = leaf
        while node != path[-1][0]:
            nodes.append(node)
            node = self._parent[node]
        item = 0
        for node in reversed(nodes):
            if isinstance(self._nodes[self._parent[node]], Conjunction):
                item = self._index[node]
            expression = self._nodes[node]
            if isinstance(expression, Conjunction | Repeat):
                empty = [] if isinstance(expression, Repeat) else [None] * len(expression.items)
                parsed = ParseNode(isinstance(expression, Repeat), node, [*empty], index)
                _attach(path[-1][1], item, parsed)
                path.append((node, parsed))
        _attach(path[-1][1], item, index)
        for _, parsed in path:
            parsed.stop = index + 1

    # --- the expression as a table of nodes: 0 is the root, parents come before their parts ---------------------------

    def _add_nodes(self, root: Conjunction) -> None:
        stack: list[tuple[Expression, int, int]] = [(root, -1, 0)]
        while stack:
            expression, parent, index = stack.pop()
            number = len(self._nodes)
            self._nodes.append(expression)
            self._parent.append(parent)
            self._index.append(index)
            self._depth.append(self._depth[parent] + 1 if parent >= 0 else 0)
            if isinstance(expression, Symbol):
                if expression.name in self._leaf:
                    raise ValueError(f"the symbol {expression.name!r} occurs twice in the expression")
                self._leaf[expression.name] = number
            parts = [(part, number, k) for k, part in enumerate(parts_of(expression))]
            stack.extend(reversed(parts))

    def _children_of(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self._nodes]
        for number, parent in enumerate(self._parent):
            if parent >= 0:
                children[parent].append(number)
        return children

    def _nullables(self) -> tuple[list[bool], list[int]]:
        """Return which nodes match the empty string, and for each node how many siblings before it do not."""
        nullable = [False] * len(self._nodes)
        for number in range(len(self._nodes) - 1, -1, -1):
            parts = [nullable[child] for child in self._children[number]]
            node = self._nodes[number]
            if isinstance(node, Optional):
                nullable[number] = True
            elif not isinstance(node, Symbol):
                nullable[number] = all(parts) if isinstance(node, Conjunction) else any(parts)
        required = [0] * len(self._nodes)
        for children in self._children:
            count = 0
            for child in children:
                required[child] = count
                count += not nullable[child]
        return nullable, required

    def _outermost(self, leaf: int, *, is_first: bool) -> int:
        """Return the depth of the outermost node that can start (or end) with the symbol."""
        node = leaf
        while self._parent[node] >= 0:
            parent = self._parent[node]
            if isinstance(self._nodes[parent], Conjunction):
                final = self._children[parent][-1]
                after = self._required[final] + (not self._nullable[final]) - self._required[node]
                if (is_first and self._required[node]) or (not is_first and after - (not self._nullable[node])):
                    break
            node = parent
        return self._depth[node]


def _attach(parsed: ParseNode, item: int, part: ParseNode | int) -> None:
    if parsed.is_list:
        parsed.parts.append(part)
    else:
        parsed.parts[item] = part

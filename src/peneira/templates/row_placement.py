"""Where the rows of a page belong in a template: by the shape of a node, or by what it looks like most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from peneira.page import Page
from peneira.templates.parsing import Match
from peneira.templates.template import Place, Template
from peneira.trees.shapes import NO_SHAPE

# Symbols of children, -1 for those that fit nowhere, their match, and the places of the misfits
Read = tuple[list[int], Match, list[int]]
# An unknown node belongs where it is alike, or where nodes have had so many of its ids and classes
MIN_LOOK = 0.5
# With how many shapes of each symbol an unknown one is compared
MAX_COMPARED = 8


def place_rows(
    template: Template, page: Page, shapes: Sequence[int], start: tuple[int, int]
) -> tuple[dict[int, int], dict[int, tuple[list[int], Match]], list[int]]:
    """Return the place of each row, the children and their match of each element, and the rows without a place.

    ``start`` is the row to begin with and its place.
    """
    placed: dict[int, int] = {}
    matches: dict[int, tuple[list[int], Match]] = {}
    strays: list[int] = []
    placer = _Placer(template, page, shapes)
    waiting = [start]
    while waiting:
        row, number = waiting.pop()
        placed[row] = number
        children = [child for child in page.children(row) if shapes[child] != NO_SHAPE]
        if not children:
            continue
        symbols, match, unread = placer.read(number, row, children)
        matches[row] = children, match
        below = template.places[number].places
        waiting.extend((child, below[symbol]) for child, symbol in zip(children, symbols, strict=True) if symbol >= 0)
        strays.extend(children[k] for k in unread)
    return dict(sorted(placed.items())), matches, strays


def with_looks(template: Template, pages: Iterable[tuple[Page, Iterable[tuple[int, int]]]]) -> Template:
    """Return the template with the looks of its places, from pages and the place of each of their rows."""
    looks: list[set[str]] = [set() for _ in template.places]
    for page, placed in pages:
        for row, number in placed:
            looks[number].update(look_of(page, row))
    return replace(template, looks=tuple(map(frozenset, looks)))


def look_of(page: Page, row: int) -> set[str]:
    """Return the id and the classes of a node, those with digits left out: they count, they do not name."""
    attrs = page.attrs[row]
    words = [f"#{attrs['id']}"] if attrs.get("id") else []
    words += [f".{word}" for word in attrs.get("class", "").split()]
    return {word for word in words if not any(letter.isdigit() for letter in word)}


def rows_of_look(template: Template, page: Page, number: int) -> list[int]:
    """Return the rows that have the tag and all ids and classes of a place; none for a place without any."""
    look = template.looks[number] if template.looks else frozenset()
    name = template.places[number].name
    if not look or name not in page.tag_names:
        return []
    rows = (page.tag == page.tag_names.index(name)).nonzero()[0].tolist()
    return [row for row in rows if not page.silent[row] and look == look_of(page, row)]


def most_alike_row(template: Template, page: Page, shapes: Sequence[int], number: int) -> int | None:
    """Return the row whose tree is most like those of a place, the first of several; None if none is alike."""
    place, matcher = template.places[number], template.matcher
    if place.name not in page.tag_names:
        return None
    rows = (page.tag == page.tag_names.index(place.name)).nonzero()[0].tolist()
    firsts: dict[int, int] = {}
    for row in rows:
        if shapes[row] != NO_SHAPE:
            firsts.setdefault(shapes[row], row)
    likeness = {
        row: max(matcher.likeness(shape, known) for known in place.shapes[:MAX_COMPARED])
        for shape, row in firsts.items()
    }
    best = max(likeness, key=lambda row: (likeness[row], -row), default=None)
    return best if best is not None and likeness[best] > matcher.thresholds.tau1 else None


class _Placer:
    """Reads children by the grammars of places. What is equal is read once."""

    def __init__(self, template: Template, page: Page, shapes: Sequence[int]) -> None:
        self._template = template
        self._page = page
        self._shapes = shapes
        self._read: dict[tuple[int, int], Read] = {}
        self._nearest: dict[tuple[int, int, frozenset[str]], int] = {}

    def read(self, number: int, row: int, children: Sequence[int]) -> Read:
        """Return how the children of a row at a place are read."""
        level = self._template.places[number].level
        key = (id(level), self._shapes[row])
        if key in self._read:
            return self._read[key]
        known = level.symbol_of
        found = [known.get(self._shapes[child], -1) for child in children]
        is_known = -1 not in found
        if not is_known:
            found = [
                symbol if symbol >= 0 else self._symbol(number, child)
                for symbol, child in zip(found, children, strict=True)
            ]
        symbols = level.told_apart(found)
        match, unread = level.grammar.parse(symbols)
        for k in unread:
            symbols[k] = -1
        if is_known:
            self._read[key] = symbols, match, unread
        return symbols, match, unread

    def _symbol(self, number: int, child: int) -> int:
        """Return the symbol of a child whose shape is not known at the place; -1 if it is like nothing there."""
        look = frozenset(look_of(self._page, child)) if self._template.looks else frozenset()
        key = (number, self._shapes[child], look)
        if key not in self._nearest:
            self._nearest[key] = self._find(self._template.places[number], *key[1:])
        return self._nearest[key]

    def _find(self, place: Place, shape: int, look: frozenset[str]) -> int:
        matcher = self._template.matcher
        labels = matcher.forest.labels
        by_symbol: dict[int, list[int]] = {}
        for known, symbol in sorted(place.level.symbol_of.items()):
            if labels[known] == labels[shape]:
                by_symbol.setdefault(symbol, []).append(known)
        if len(by_symbol) <= 1:  # nothing else has this tag
            return next(iter(by_symbol), -1)
        best, best_score = -1, 0.0
        for symbol, those in by_symbol.items():
            like = max(matcher.likeness(known, shape) for known in those[:MAX_COMPARED])
            seen = self._look_share(place, symbol, look)
            if (like > matcher.thresholds.tau1 or seen >= MIN_LOOK) and like + seen > best_score:
                best, best_score = symbol, like + seen
        return best

    def _look_share(self, place: Place, symbol: int, look: frozenset[str]) -> float:
        """Return how much of a look nodes of a symbol have had."""
        if not look:
            return 0.0
        turns = place.level.turns.get(symbol, (symbol,))
        seen = frozenset().union(*(self._template.looks[place.places[turn]] for turn in turns))
        return len(look & seen) / len(look)

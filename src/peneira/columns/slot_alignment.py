"""Alignment: the prototypes of a region laid over each other, so that equal parts of records share a slot.

The profile is a tree of slots that grows as prototypes are merged into it, the most frequent first, as in the partial
tree alignment of DEPTA (Zhai and Liu, "Web Data Extraction Based on Partial Tree Alignment", WWW 2005). The children of
a block are laid over those of a slot in order, at the greatest sum of likeness; what finds no place gets a slot of its
own between its neighbours. A missing part leaves its slot empty and moves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from peneira.columns.outline import BLOCK, MEDIUM, TEXT
from peneira.columns.prototypes import Face, Group, Prototype

# Parts that are less alike than this are different fields
MIN_LIKENESS = 0.25
# So many pairs of children are compared per part of all prototypes, which keeps the cost linear in the page; after
# that, equal children are paired in order and the others are not compared
PAIRS_PER_PART = 20
MIN_PAIRS = 10_000
# Of so many children of a block, the words are held against each other
MAX_PAIRED = 20
# Beyond so many different children of a block, the rest share its last slot, as a list
MAX_CHILDREN = 1000
APART = -1.0
_GENERIC_TAGS = frozenset("div span p section article li dd td a h1 h2 h3 h4 h5 h6 b strong em #text".split())


@dataclass(slots=True, eq=False)
class Slot:
    """A place in the profile. ``inner``: the slot of the text or medium, once it turned out to be part of a block."""

    face: Face
    core: Face
    parent: Slot | None
    label: str = ""
    column: int = -1
    is_list: bool = False
    children: list[Slot] = field(default_factory=list)
    inner: Slot | None = None

    @property
    def kind(self) -> int:
        """Whether the slot is for texts, media or blocks."""
        return BLOCK if self.children else self.face.kind


class Profile:
    """The slots of a region, and for each prototype where its nodes go."""

    def __init__(self, prototypes: Sequence[Prototype], roots: Sequence[int]) -> None:
        self.prototypes = prototypes
        self._apart = _seen_together(prototypes)
        self._likeness: dict[tuple[int, int], float] = {}  # faces by identity: equal ones are one object
        self._places: dict[tuple[int, int], list[tuple[Slot, float]]] = {}
        self._pairs_left = MIN_PAIRS + PAIRS_PER_PART * sum(len(one.groups) for one in prototypes)
        counts = Counter(roots)
        first = {number: k for k, number in reversed(list(enumerate(roots)))}
        size = {number: len(prototypes[number].groups) for number in counts}
        seeds = sorted(counts, key=lambda number: (-counts[number], -size[number], first[number]))
        face = prototypes[seeds[0]].face
        self.root = Slot(face, face, None)
        for number in seeds:
            self._merge(number)

    def slots(self, root: int) -> list[tuple[Slot, float, int]]:
        """Return for each node of a root's prototype, the root first, its slot, its fit (0..1) and its kind."""
        found: list[tuple[Slot, float, int]] = []
        waiting = [(root, self.root, 1.0)]
        while waiting:
            number, slot, fit = waiting.pop()
            prototype = self.prototypes[number]
            kind = prototype.face.kind
            found.append((_leaf(slot, kind), fit, kind))
            if prototype.groups:
                places = self._places[number, id(slot)]
                for group, (place, own) in zip(reversed(prototype.groups), reversed(places), strict=True):
                    waiting.extend([(member, place, min(fit, own)) for member in reversed(group.members)])
        return found

    def in_order(self) -> list[Slot]:
        """Return all slots in the order of the page."""
        found, waiting = [], [self.root]
        while waiting:
            slot = waiting.pop()
            found.append(slot)
            waiting.extend(reversed(slot.children))
        return found

    def _merge(self, root: int) -> None:
        waiting = [(root, self.root)]
        while waiting:
            number, slot = waiting.pop()
            key = (number, id(slot))
            if key in self._places:
                continue
            groups = self._groups(number, slot)
            places = self._lay(groups, slot)
            self._places[key] = places
            for group, (place, _) in zip(groups, places, strict=True):
                waiting.extend([(member, place) for member in group.members if self._is_inner(member)])

    def _is_inner(self, number: int) -> bool:
        return self.prototypes[number].face.kind == BLOCK

    def _groups(self, number: int, slot: Slot) -> tuple[Group, ...]:
        """Return the children of a prototype as the slot needs them."""
        prototype = self.prototypes[number]
        if prototype.face.kind == BLOCK and slot.kind != BLOCK:
            self._open(slot)
        return prototype.groups

    def _open(self, slot: Slot) -> None:
        """Make the slot of a text or medium one of a block that holds it."""
        if slot.face.kind != BLOCK and slot.inner is None:
            slot.inner = Slot(slot.core, slot.core, slot)
            slot.children.append(slot.inner)

    def _lay(self, groups: Sequence[Group], slot: Slot) -> list[tuple[Slot, float]]:
        """Return the child slot of each group and how well it fits; slots that are missing are made."""
        pairs = self._pairs(groups, slot.children)
        places: list[tuple[Slot, float]] = []
        at = 0  # where a new slot would go
        for group, child in zip(groups, pairs, strict=True):
            if child is None and len(slot.children) >= MAX_CHILDREN:
                child = slot.children[-1]
                child.is_list = True
                places.append((child, MIN_LIKENESS))
            elif child is None:
                child = self._new(group, slot)
                slot.children.insert(at, child)
                places.append((child, 1.0))
            else:
                places.append((child, self._fit(group, child)))
                child.is_list |= group.is_list
            at = _place_of(child, slot.children, at) + 1
        return places

    def _new(self, group: Group, parent: Slot) -> Slot:
        prototype = self.prototypes[group.members[0]]
        return Slot(prototype.face, prototype.core, parent, group.label, group.column, group.is_list)

    def _pairs(self, groups: Sequence[Group], slots: Sequence[Slot]) -> list[Slot | None]:
        """Return for each group the slot that is laid under it: in order, at the greatest sum of likeness."""
        start, stop = 0, 0
        while start < min(len(groups), len(slots)) and self._is_same(groups[start], slots[start]):
            start += 1
        most = min(len(groups), len(slots)) - start
        while stop < most and self._is_same(groups[-1 - stop], slots[-1 - stop]):
            stop += 1
        inner, under = groups[start : len(groups) - stop], slots[start : len(slots) - stop]
        self._pairs_left -= len(inner) * len(under)
        middle = self._best(inner, under) if self._pairs_left >= 0 else self._greedy(inner, under)
        return [*slots[:start], *middle, *slots[len(slots) - stop :]]

    def _is_same(self, group: Group, slot: Slot) -> bool:
        face = self.prototypes[group.members[0]].face
        return face is slot.face and group.label == slot.label and group.column == slot.column

    def _greedy(self, groups: Sequence[Group], slots: Sequence[Slot]) -> list[Slot | None]:
        places: dict[tuple[int, str, int], list[int]] = {}
        for k in range(len(slots) - 1, -1, -1):
            places.setdefault((id(slots[k].face), slots[k].label, slots[k].column), []).append(k)
        found: list[Slot | None] = []
        last = -1
        for group in groups:
            free = places.get((id(self.prototypes[group.members[0]].face), group.label, group.column), [])
            while free and free[-1] <= last:
                free.pop()
            found.append(slots[free[-1]] if free else None)
            last = free.pop() if free else last
        return found

    def _best(self, groups: Sequence[Group], slots: Sequence[Slot]) -> list[Slot | None]:
        if not groups or not slots:
            return [None] * len(groups)
        fits = [[self._fit_raw(group, slot) for slot in slots] for group in groups]
        width = len(slots) + 1
        best = [[0.0] * width]
        for row in fits:
            above, current = best[-1], [0.0]
            for k, fit in enumerate(row):
                value = max(above[k + 1], current[k])
                if fit >= MIN_LIKENESS and above[k] + fit > value:
                    value = above[k] + fit
                current.append(value)
            best.append(current)
        return _traced(fits, best, slots)

    def _fit(self, group: Group, slot: Slot) -> float:
        return 1.0 if self._is_same(group, slot) else round(min(1.0, self._fit_raw(group, slot)), 3)

    def _fit_raw(self, group: Group, slot: Slot) -> float:
        if group.column >= 0 and slot.column >= 0:
            return 3.0 if group.column == slot.column else APART
        if group.label or slot.label:
            if group.label == slot.label:
                return 3.0
            if group.label and slot.label:
                return APART
        return self._like(self.prototypes[group.members[0]].face, slot)

    def _like(self, face: Face, slot: Slot) -> float:
        key = (id(face), id(slot.face))
        known = self._likeness.get(key)
        if known is None:
            are_apart = frozenset((face.words, slot.face.words)) in self._apart
            known = self._likeness[key] = APART if are_apart else likeness(face, slot.face)
        return known


def _seen_together(prototypes: Sequence[Prototype]) -> set[frozenset[frozenset[str]]]:
    """Return the pairs of class words that one block has side by side: they are words of different fields."""
    pairs = set()
    for prototype in prototypes:
        faces = [prototypes[group.members[0]].face for group in prototype.groups[:MAX_PAIRED]]
        words = sorted({face.words for face in faces if face.words}, key=sorted)
        pairs |= {frozenset(pair) for pair in combinations(words, 2) if pair[0].isdisjoint(pair[1])}
    return pairs


def _place_of(child: Slot, slots: Sequence[Slot], start: int) -> int:
    for k in range(start, len(slots)):
        if slots[k] is child:
            return k
    return len(slots) - 1


def _leaf(slot: Slot, kind: int) -> Slot:
    """Return the slot of a text or medium where other records may have a block: the first of its kind inside."""
    while slot.inner is not None and slot.inner.face.kind == kind:
        slot = slot.inner
    if slot.face.kind == kind or kind == BLOCK:
        return slot
    return next((child for child in slot.children if child.kind == kind), slot)


def _traced(
    fits: Sequence[Sequence[float]], best: Sequence[Sequence[float]], slots: Sequence[Slot]
) -> list[Slot | None]:
    found: list[Slot | None] = [None] * len(fits)
    i, k = len(fits), len(slots)
    while i and k:
        if best[i][k] == best[i][k - 1]:
            k -= 1
        elif best[i][k] == best[i - 1][k]:
            i -= 1
        else:
            i, k = i - 1, k - 1
            found[i] = slots[k]
    return found


def likeness(one: Face, other: Face) -> float:
    """Return how much two parts seem to be the same field: below ``MIN_LIKENESS`` they are not."""
    if one is other:
        return 2.0
    if {one.kind, other.kind} == {TEXT, MEDIUM}:
        return APART
    if one.lead or other.lead:
        if one.lead == other.lead:
            return 2.0
        if one.lead and other.lead:
            return APART
    points = 0.5 if one.kind == other.kind else 0.2
    if one.tag == other.tag:
        points += 0.4
    elif not (one.tag in _GENERIC_TAGS and other.tag in _GENERIC_TAGS):
        return APART
    points += _words_in_common(one.words, other.words)
    if one.kind == other.kind == TEXT:
        points += _looks_in_common(one.sketch, other.sketch)
    elif one.kind == other.kind == BLOCK and one.inner and other.inner:
        points += len(one.inner & other.inner) / len(one.inner | other.inner) - 0.3
    return points


def _words_in_common(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0 if one == other else -0.15
    shared = len(one & other) / min(len(one), len(other))
    return shared if shared else -0.3


def _looks_in_common(one: str, other: str) -> float:
    if one == other:
        return 0.6 if one else 0.1
    is_constant = one.startswith("=") or other.startswith("=")
    if is_constant and one.startswith("=") and other.startswith("="):
        return -0.6
    if one and other:
        return -0.2 if is_constant else -0.4
    return -0.2

"""Alignment: the prototypes of a region merged into one tree of slots, so that equal parts of records share a slot.

The tree grows as prototypes are merged into it, the most frequent first, as in the partial tree alignment of DEPTA
(Zhai and Liu, "Web Data Extraction Based on Partial Tree Alignment", WWW 2005). The children of a block are aligned
with those of a slot in order, at the greatest sum of similarities; a child without a partner gets a new slot between
its neighbours. A missing part leaves its slot empty and shifts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from peneira.columns.outline import BLOCK
from peneira.columns.prototypes import ChildGroup, NodeFeatures, Prototype
from peneira.columns.similarity import DIFFERENT, MIN_SIMILARITY, similarity

# Pairs of children that are compared: a fixed number, and more per group of all prototypes, which keeps the cost linear
# in the page. After that, equal children are paired in order and the others are not compared
BASE_PAIRS = 10_000
PAIRS_PER_GROUP = 20
# Children of a block whose words are compared with each other, which takes quadratic time
MAX_COMPARED_CHILDREN = 20
# Beyond this many different children of a block, the rest share its last slot as a list
MAX_CHILDREN = 1000
# A label or a table column that two children share outweighs all they differ in
SAME_LABEL_OR_COLUMN = 3.0

# A slot and the confidence, 0..1, that a node belongs there
Assignment = tuple["Slot", float]


@dataclass(slots=True, eq=False)
class Slot:
    """A node of the aligned tree, which holds one part of every record.

    ``leaf_slot``: the slot of its text or media, if the slot was made for these and other records have a block there.
    """

    features: NodeFeatures
    leaf_features: NodeFeatures
    parent: Slot | None
    label: str = ""
    column: int = -1
    is_list: bool = False
    children: list[Slot] = field(default_factory=list)
    leaf_slot: Slot | None = None

    @property
    def kind(self) -> int:
        """Whether the slot holds texts, media or blocks."""
        return BLOCK if self.children else self.features.kind


class NodeSlot(NamedTuple):
    """The slot of a node, the confidence (0..1) that it belongs there, and its kind.

    ``item_offset``: how many nodes before it the list item stands that the node is or is part of, -1 outside lists; of
    lists in lists, the outer one counts. ``aligned``: the slot that the node was aligned with, which for a text may be
    a block that contains its slot.
    """

    slot: Slot
    confidence: float
    kind: int
    item_offset: int
    aligned: Slot


_new_node = tuple.__new__  # twice as fast as the constructor of a named tuple

# A prototype, the slot that it was aligned with, and the confidence that it belongs there
_PlacedPrototype = tuple[int, Slot, float]


class SlotTree:
    """The slots of a region, and for each prototype the slots of its nodes."""

    def __init__(self, prototypes: Sequence[Prototype], roots: Sequence[int]) -> None:
        self.prototypes = prototypes
        self._different_words = _words_side_by_side(prototypes)
        self._similarities: dict[tuple[int, int], float] = {}  # by identity: equal features are one object
        self._assignments: dict[tuple[int, int], list[Assignment]] = {}
        self._placed: dict[tuple[int, int, float], list[NodeSlot]] = {}  # the nodes of a prototype in a slot
        self._pairs_left = BASE_PAIRS + PAIRS_PER_GROUP * sum(len(prototype.groups) for prototype in prototypes)
        counts = Counter(roots)
        first = {number: k for k, number in reversed(list(enumerate(roots)))}
        size = {number: len(prototypes[number].groups) for number in counts}
        seeds = sorted(counts, key=lambda number: (-counts[number], -size[number], first[number]))
        features = prototypes[seeds[0]].features
        self.root = Slot(features, features, None)
        for number in seeds:
            self._merge(number)

    def node_slots(self, root: int) -> list[NodeSlot]:
        """Return the slot of each node of a root's prototype, the root first.

        Prototypes share most of their parts: each part is placed once, and those around it take its nodes over.
        """
        placed, prototypes = self._placed, self.prototypes
        # each with its children, once they are known
        pending: list[tuple[_PlacedPrototype, list[_PlacedPrototype] | None]] = [((root, self.root, 1.0), None)]
        while pending:
            own, children = pending[-1]
            number, slot, confidence = own
            if (number, id(slot), confidence) in placed:
                pending.pop()
                continue
            if children is None:
                children = self._placed_children(number, slot, confidence)
                pending[-1] = own, children
                missing = False
                for child in children:
                    key = (child[0], id(child[1]), child[2])
                    if key not in placed:
                        if prototypes[child[0]].groups:
                            pending.append((child, None))
                            missing = True
                        else:
                            placed[key] = self._nodes(child, ())
                if missing:
                    continue
            placed[number, id(slot), confidence] = self._nodes(own, children)
        return placed[root, id(self.root), 1.0]

    def _nodes(self, placed: _PlacedPrototype, children: Sequence[_PlacedPrototype]) -> list[NodeSlot]:
        """Return the slots of the nodes of a prototype whose children are placed."""
        number, slot, confidence = placed
        features = self.prototypes[number].features
        place = self._slot_of_kind(slot, features)
        nodes = [_new_node(NodeSlot, (place, confidence, features.kind, -1, slot))]
        for child_number, child, own in children:
            nodes += self._placed[child_number, id(child), own]
        if slot.is_list:
            return [
                _new_node(NodeSlot, (own_slot, own, kind, offset, aligned))
                for offset, (own_slot, own, kind, _, aligned) in enumerate(nodes)
            ]
        return nodes

    def _placed_children(self, number: int, slot: Slot, confidence: float) -> list[_PlacedPrototype]:
        """Return the children of a prototype in a slot, in document order."""
        groups = self.prototypes[number].groups
        return [
            (member, child, own if own < confidence else confidence)
            for group, (child, own) in zip(groups, self._assignments[number, id(slot)] if groups else (), strict=True)
            for member in group.members
        ]

    def _slot_of_kind(self, slot: Slot, features: NodeFeatures) -> Slot:
        """Return the slot of a text or media node where other records have a block: the most similar of its kind."""
        if features.kind == BLOCK or slot.kind != BLOCK:
            return slot
        children = [child for child in slot.children[:MAX_COMPARED_CHILDREN] if child.kind == features.kind]
        if slot.leaf_slot is not None and slot.leaf_slot.features.kind == features.kind:
            # a child with other words is another field, whatever else is alike: <b class=now> and <b class=old>
            children = [child for child in children if not child.features.words.isdisjoint(features.words)]
            children.insert(0, slot.leaf_slot)
        return max(children, key=lambda child: self._feature_similarity(features, child.features), default=slot)

    def in_order(self) -> list[Slot]:
        """Return all slots in document order."""
        slots, pending = [], [self.root]
        while pending:
            slot = pending.pop()
            slots.append(slot)
            pending.extend(reversed(slot.children))
        return slots

    def _merge(self, root: int) -> None:
        pending = [(root, self.root)]
        while pending:
            number, slot = pending.pop()
            key = (number, id(slot))
            if key in self._assignments:
                continue
            prototype = self.prototypes[number]
            if prototype.features.kind == BLOCK and slot.kind != BLOCK:
                _make_block(slot, prototype.features)
            assigned = self._assign(prototype.groups, slot)
            self._assignments[key] = assigned
            for group, (child, _) in zip(prototype.groups, assigned, strict=True):
                pending.extend([(member, child) for member in group.members if self._is_block(member)])

    def _is_block(self, number: int) -> bool:
        return self.prototypes[number].features.kind == BLOCK

    def _assign(self, groups: Sequence[ChildGroup], slot: Slot) -> list[Assignment]:
        """Return the child slot of each group and its confidence; slots that are missing are added."""
        if not slot.children and len(groups) <= MAX_CHILDREN:
            slot.children += [self._new_slot(group, slot) for group in groups]
            return [(child, 1.0) for child in slot.children]
        partners = self._partners(groups, slot.children)
        assigned: list[Assignment] = []
        position = 0  # where a new slot would go
        for group, child in zip(groups, partners, strict=True):
            if child is None and len(slot.children) >= MAX_CHILDREN:
                child = slot.children[-1]
                child.is_list = True
                assigned.append((child, MIN_SIMILARITY))
            elif child is None:
                child = self._new_slot(group, slot)
                slot.children.insert(position, child)
                assigned.append((child, 1.0))
            else:
                assigned.append((child, self._confidence(group, child)))
                child.is_list |= group.is_list
            position = _position(child, slot.children, position)
        return assigned

    def _new_slot(self, group: ChildGroup, parent: Slot) -> Slot:
        prototype = self.prototypes[group.members[0]]
        return Slot(prototype.features, prototype.leaf_features, parent, group.label, group.column, group.is_list)

    def _partners(self, groups: Sequence[ChildGroup], slots: Sequence[Slot]) -> list[Slot | None]:
        """Return the slot that each group is aligned with: in order, at the greatest sum of similarities."""
        start, stop = 0, 0
        while start < min(len(groups), len(slots)) and self._is_equal(groups[start], slots[start]):
            start += 1
        left = min(len(groups), len(slots)) - start
        while stop < left and self._is_equal(groups[-1 - stop], slots[-1 - stop]):
            stop += 1
        inner_groups, inner_slots = groups[start : len(groups) - stop], slots[start : len(slots) - stop]
        self._pairs_left -= len(inner_groups) * len(inner_slots)
        align = self._best_partners if self._pairs_left >= 0 else self._equal_partners
        partners = self._with_labels(inner_groups, inner_slots, align(inner_groups, inner_slots))
        return [*slots[:start], *partners, *slots[len(slots) - stop :]]

    def _with_labels(
        self, groups: Sequence[ChildGroup], slots: Sequence[Slot], partners: list[Slot | None]
    ) -> list[Slot | None]:
        """Return the partners; a group that has none gets the slot of its label, wherever that stands."""
        labels = [
            self._label(group) if partner is None else None for group, partner in zip(groups, partners, strict=True)
        ]
        if not any(map(any, filter(None, labels))):
            return partners
        taken = {id(partner) for partner in partners}
        free = {(slot.label, slot.features.label): slot for slot in reversed(slots) if id(slot) not in taken}
        for k, label in enumerate(labels):
            if label is not None and any(label):
                partners[k] = free.pop(label, None)
        return partners

    def _label(self, group: ChildGroup) -> tuple[str, str]:
        """Return the label beside a group, and the one inside."""
        return group.label, self.prototypes[group.members[0]].features.label

    def _is_equal(self, group: ChildGroup, slot: Slot) -> bool:
        features = self.prototypes[group.members[0]].features
        return features is slot.features and group.label == slot.label and group.column == slot.column

    def _equal_partners(self, groups: Sequence[ChildGroup], slots: Sequence[Slot]) -> list[Slot | None]:
        """Return the next slot that equals each group, None if there is none."""
        positions: dict[tuple[int, str, int], list[int]] = {}
        for k in range(len(slots) - 1, -1, -1):
            positions.setdefault((id(slots[k].features), slots[k].label, slots[k].column), []).append(k)
        partners: list[Slot | None] = []
        last = -1
        for group in groups:
            free = positions.get((id(self.prototypes[group.members[0]].features), group.label, group.column), [])
            while free and free[-1] <= last:
                free.pop()
            partners.append(slots[free[-1]] if free else None)
            last = free.pop() if free else last
        return partners

    def _best_partners(self, groups: Sequence[ChildGroup], slots: Sequence[Slot]) -> list[Slot | None]:
        """Return the alignment with the greatest sum of similarities, by dynamic programming."""
        if not groups or not slots:
            return [None] * len(groups)
        above = [0.0] * (len(slots) + 1)
        best = [above]
        for row in self._similarities_of(groups, slots):
            value = 0.0
            current = [value]
            for k, points in enumerate(row):
                if above[k + 1] > value:
                    value = above[k + 1]
                if points >= MIN_SIMILARITY and above[k] + points > value:
                    value = above[k] + points
                current.append(value)
            best.append(current)
            above = current
        return _traced_back(best, slots)

    def _similarities_of(self, groups: Sequence[ChildGroup], slots: Sequence[Slot]) -> Iterator[list[float]]:
        """Yield for each group its similarity to each slot."""
        known, prototypes = self._similarities, self.prototypes
        are_bare = not any(slot.label or slot.column >= 0 for slot in slots)
        features = [slot.features for slot in slots]
        ids = list(map(id, features))
        for group in groups:
            if not are_bare or group.label:
                yield [self._similarity(group, slot) for slot in slots]
                continue
            own = prototypes[group.members[0]].features
            own_id = id(own)
            row: list[float | None] = [known.get((own_id, other)) for other in ids]
            yield [
                self._feature_similarity(own, features[k]) if points is None else points for k, points in enumerate(row)
            ]

    def _confidence(self, group: ChildGroup, slot: Slot) -> float:
        return 1.0 if self._is_equal(group, slot) else round(min(1.0, self._similarity(group, slot)), 3)

    def _similarity(self, group: ChildGroup, slot: Slot) -> float:
        if group.column >= 0 and slot.column >= 0:
            return SAME_LABEL_OR_COLUMN if group.column == slot.column else DIFFERENT
        if group.label or slot.label:
            if group.label == slot.label:
                return SAME_LABEL_OR_COLUMN
            if group.label and slot.label:
                return DIFFERENT
        return self._feature_similarity(self.prototypes[group.members[0]].features, slot.features)

    def _feature_similarity(self, first: NodeFeatures, second: NodeFeatures) -> float:
        key = (id(first), id(second))
        known = self._similarities.get(key)
        if known is None:
            are_different = frozenset((first.words, second.words)) in self._different_words
            known = self._similarities[key] = DIFFERENT if are_different else similarity(first, second)
        return known


def with_ancestors(slot: Slot, top: Slot | None = None) -> Iterator[Slot]:
    """Yield the slot and those around it, innermost first, up to ``top``."""
    current: Slot | None = slot
    while current is not None:
        yield current
        current = None if current is top else current.parent


def _make_block(slot: Slot, block: NodeFeatures) -> None:
    """Turn the slot of a text or media into one of a block that contains it.

    The words that the block has not are those of an element inside: what was one flag among flags keeps its class.
    """
    if slot.features.kind != BLOCK and slot.leaf_slot is None:
        leaf = slot.leaf_features
        if not leaf.words and slot.features.words & block.words:
            inner = tuple(word for word in slot.features.ordered_words if word not in block.words)
            leaf = leaf._replace(words=frozenset(inner), ordered_words=inner)
        slot.leaf_slot = Slot(leaf, leaf, slot)
        slot.children.append(slot.leaf_slot)


def _words_side_by_side(prototypes: Sequence[Prototype]) -> set[frozenset[frozenset[str]]]:
    """Return the pairs of class words that one block has side by side: they name different fields."""
    pairs = set()
    for prototype in prototypes:
        if len(prototype.groups) > 1:
            words = {prototypes[group.members[0]].features.words for group in prototype.groups[:MAX_COMPARED_CHILDREN]}
            words.discard(frozenset())
            if len(words) > 1:
                pairs |= {frozenset(pair) for pair in combinations(words, 2) if pair[0].isdisjoint(pair[1])}
    return pairs


def _position(child: Slot, slots: Sequence[Slot], start: int) -> int:
    """Return the position after a slot; the start if the slot stands before it."""
    for k in range(start, len(slots)):
        if slots[k] is child:
            return k + 1
    return start


def _traced_back(best: Sequence[Sequence[float]], slots: Sequence[Slot]) -> list[Slot | None]:
    """Return the partners that the table of best sums stands for."""
    partners: list[Slot | None] = [None] * (len(best) - 1)
    i, k = len(partners), len(slots)
    while i and k:
        if best[i][k] == best[i][k - 1]:
            k -= 1
        elif best[i][k] == best[i - 1][k]:
            i -= 1
        else:
            i, k = i - 1, k - 1
            partners[i] = slots[k]
    return partners

"""Habits: what holds over all records of a region, and what is therefore done with each.

Siblings of one kind whose number changes from record to record are a list. Text with elements strewn into it,
differently in each record, is prose; where they follow one pattern, they are fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from peneira.columns.element_signatures import Steps
from peneira.columns.outline import BLOCK, MEDIUM, TEXT
from peneira.columns.skeletons import (
    IS_BROKEN,
    IS_LABEL,
    IS_LABELLED,
    IS_TEXT,
    IS_TOLD,
    STEP,
    Parts,
    Skeleton,
    leaf_of,
    preorder,
    symbol_of,
)

# Where this share of the parents have the same number of children of a kind, the number is fixed: no list
FIXED_SHARE = 0.8
MANY = 4
FIXED_SHARE_OF_MANY = 0.95
# A stretch of text whose elements follow one pattern in this share of the records is fields, otherwise prose
PATTERN_SHARE = 0.6
FORMATTED_PATTERN_SHARE = 0.8
USUAL_SHARE = 0.5
MAX_PATTERN_PARTS = 6
# Repeated children of these are a list even if their number takes two values only
LIST_TAGS = frozenset({"li", "p", "tr", "a"})
CELL_TAGS = frozenset({"td", "th"})
_NEVER_LISTED = CELL_TAGS | {"dt", "dd"}


class Habits:
    """What holds over all records of a region: which children repeat, and where texts are prose."""

    def __init__(self, steps: Steps, skeletons: Sequence[Skeleton]) -> None:
        self.steps = steps
        self._numbers: dict[tuple[int, int], int] = {}
        self._plans: dict[tuple[int, tuple[int, ...]], list[tuple[int, int, str]]] = {}
        by_path: dict[int, Counter[tuple[int, ...]]] = {}
        for skeleton in skeletons:
            skeleton.paths = self._paths(skeleton)
            symbols = [(step << STEP) + flags for step, flags in zip(skeleton.step, skeleton.flags, strict=True)]
            for path, kids in zip(skeleton.paths, skeleton.kids, strict=True):
                if kids:
                    found = by_path.get(path)
                    if found is None:
                        found = by_path[path] = Counter()
                    found[tuple([symbols[kid] for kid in kids])] += skeleton.times
        self.lists = {(path, step) for path, found in by_path.items() for step in self._repeated(found)}
        self.prose = {path for path, found in by_path.items() if self._is_prose(found)}
        self.special = self.prose | {path for path, _ in self.lists}

    def _paths(self, skeleton: Skeleton) -> list[int]:
        """Return a number for the steps from the root to each node; those of all roots are equal."""
        numbers = self._numbers
        paths = [0] * skeleton.size
        for k, kids in enumerate(skeleton.kids):
            for kid in kids:
                paths[kid] = numbers.setdefault((paths[k], skeleton.step[kid]), len(numbers) + 1)
        return paths

    def plan(self, path: int, sequence: tuple[int, ...]) -> list[tuple[int, int, str]]:
        """Return the children of a block in parts: from, to, and "one", "list" or "join"."""
        key = (path, sequence)
        if key not in self._plans:
            self._plans[key] = self._planned(path, sequence)
        return self._plans[key]

    def _planned(self, path: int, sequence: tuple[int, ...]) -> list[tuple[int, int, str]]:
        joined = dict(self._running(sequence)) if path in self.prose else {}
        parts, i = [], 0
        while i < len(sequence):
            step, end = sequence[i] >> STEP, i + 1
            if i in joined:
                end = joined[i]
                parts.append((i, end, "join"))
            elif (path, step) in self.lists:
                while end < len(sequence) and sequence[end] >> STEP == step:
                    end += 1
                parts.append((i, end, "list"))
            else:
                parts.append((i, end, "one"))
            i = end
        return parts

    def _repeated(self, found: Mapping[tuple[int, ...], int]) -> list[int]:
        """Return the steps that are lists below a path: ``found`` are the children that it has, and how often."""
        repeated = {step for sequence in found if len(sequence) > 1 for step in _twice(sequence)}
        repeated = {step for step in repeated if step and self.steps.all[step].tag not in _NEVER_LISTED}
        if not repeated:
            return []
        numbers: dict[int, Counter[int]] = {step: Counter() for step in repeated}
        labelled = set()
        for sequence, times in found.items():
            for step, number in Counter([one >> STEP for one in sequence]).items():
                if step in repeated:
                    numbers[step][number] += times
            labelled.update([one >> STEP for one in sequence if one & IS_LABELLED])
        return [step for step in sorted(repeated - labelled) if self._is_list(step, numbers[step])]

    def _is_list(self, step: int, numbers: Mapping[int, int]) -> bool:
        """Tell whether a step is a list. ``numbers``: how often there are so many of it."""
        usual, times = max(numbers.items(), key=lambda item: (item[1], item[0]))
        share = FIXED_SHARE if usual < MANY else FIXED_SHARE_OF_MANY
        if times >= share * sum(numbers.values()):
            return False
        own = self.steps.all[step]
        return len(numbers) > 2 or own.tag in LIST_TAGS or bool(own.words)

    def _is_prose(self, found: Mapping[tuple[int, ...], int]) -> bool:
        patterns: Counter[tuple[int, ...]] = Counter()
        for sequence, times in found.items():
            for start, end in self._running(sequence):
                patterns[tuple(one >> STEP for one in sequence[start:end])] += times
        if not patterns:
            return False
        pattern, times = max(patterns.items(), key=lambda item: (item[1], item[0]))
        is_formatted = all(self.steps.is_plain(step) for step in pattern)
        if is_formatted and times < USUAL_SHARE * sum(found.values()):  # now and then a word is in bold
            return True
        share = FORMATTED_PATTERN_SHARE if is_formatted else PATTERN_SHARE
        return times < share * sum(patterns.values()) or len(pattern) > MAX_PATTERN_PARTS

    def _running(self, sequence: Sequence[int]) -> list[tuple[int, int]]:
        """Return the stretches of texts that are not all elements of their own."""
        return [
            (start, end)
            for start, end in _stretches(sequence)
            if any(self.steps.is_plain(one >> STEP) for one in sequence[start:end])
        ]


class Reduction:
    """Makes the nodes of a skeleton those of its prototype: joins what runs on, groups what repeats, takes single
    texts and media for the blocks around them, and drops what holds nothing."""

    def __init__(self, skeleton: Skeleton, habits: Habits) -> None:
        self.skeleton, self.habits = skeleton, habits
        self.kept = [True] * skeleton.size

    def run(self) -> None:
        """Reduce the skeleton, from the leaves up."""
        skeleton = self.skeleton
        for k in range(skeleton.size - 1, -1, -1):
            if skeleton.kind[k] == BLOCK:
                self._reduce(k)
        skeleton.order = preorder(skeleton.parts)
        skeleton.leaves = [leaf_of(skeleton, k) for k in skeleton.order if skeleton.kind[k] == TEXT]
        skeleton.labels = {leaf.node for leaf in skeleton.leaves if leaf.is_label}
        tags = self.habits.steps.all
        skeleton.cells = [k for k in skeleton.order if tags[skeleton.step[k]].tag in CELL_TAGS]

    def _reduce(self, k: int) -> None:
        skeleton = self.skeleton
        kids = [kid for kid in skeleton.kids[k] if self.kept[kid]]
        parts = self._parts(k, kids)
        single = parts[0][0][0] if len(parts) == 1 and len(parts[0][0]) == 1 and not parts[0][1] else None
        if not parts and k:
            self.kept[k] = bool(skeleton.flags[k] & IS_TOLD)
            skeleton.kind[k] = MEDIUM
        elif single is not None and k and skeleton.kind[single] != BLOCK:
            skeleton.kind[k] = skeleton.kind[single]
            skeleton.owner[single] = k
            skeleton.taken[k] = [*skeleton.taken.get(single, [skeleton.step[single]]), skeleton.step[k]]
            skeleton.text_end[k] = skeleton.text_end[single]
            skeleton.kids[k] = [single]
        else:
            skeleton.parts[k] = parts

    def _parts(self, k: int, kids: Sequence[int]) -> Parts:
        if self.skeleton.paths[k] not in self.habits.special:
            return [([kid], False) for kid in kids]
        parts: Parts = []
        for start, end, what in self.habits.plan(
            self.skeleton.paths[k], tuple([symbol_of(self.skeleton, kid) for kid in kids])
        ):
            members = list(kids[start:end])
            if what == "join":
                self._join(members)
                members = members[:1]
            parts.append((members, what == "list"))
        return parts

    def _join(self, members: Sequence[int]) -> None:
        """Make one plain text of several that follow each other."""
        first = members[0]
        self.skeleton.text_end[first] = members[-1]
        self.skeleton.taken[first] = [0]
        for member in members[1:]:
            self.skeleton.owner[member] = first


def _twice(sequence: Sequence[int]) -> list[int]:
    steps = [one >> STEP for one in sequence]
    return [step for step, times in Counter(steps).items() if times > 1] if len(set(steps)) < len(steps) else []


def _stretches(sequence: Sequence[int]) -> list[tuple[int, int]]:
    """Return where two or more texts run on in one line, labels apart."""
    found, start = [], 0
    for i in range(1, len(sequence) + 1):
        runs_on = i < len(sequence) and _runs_on(sequence[i - 1], sequence[i])
        if not runs_on:
            if i - start > 1:
                found.append((start, i))
            start = i
    return found


def _runs_on(before: int, after: int) -> bool:
    return bool(before & after & IS_TEXT) and not after & IS_BROKEN and not (before | after) & IS_LABEL

"""Labels and their values, in whatever markup a page writes such pairs.

A label is a short text that comes back in record after record beside a value that changes: in a table row of its own,
in bold before a text, in an element of the class "key" before one of the class "value". Labels that stand in one block
and their values in the next are paired by position. The unit after a number ("3 beds") names it in the same way.
A record has several such pairs; a short text that stands alone, such as a badge, is a value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from peneira.columns.labels import MAX_LABEL_WORDS, normalized_label
from peneira.columns.outline import Outline
from peneira.columns.value_patterns import common_pattern
from peneira.late_patterns import late_pattern

MAX_LABEL_CHARS = 40
MAX_UNIT_WORDS = 2
# The share of the texts that must have the same unit for it to name them
MIN_COMMON_UNIT_SHARE = 0.8
_LABEL = late_pattern(r"[^\W\d_][^\d.!?]*(?:\d{1,2}|\.)?[^\d.!?]*$")
_NUMBER = late_pattern(r"[+~<>≥≤]?\d[\d.,]{0,12}\+?$")
_NUMBER_AND_WORDS = late_pattern(r"\(?\+?(\d[\d.,]{0,12}[kKmM]?)\+?\s?([^\W\d_][^\d:,;|/()]{1,30})\)?")
_NUMBER_AND_UNIT = late_pattern(r"([+~<>≥≤]?\d[\d.,]{0,12}\+?)\s*([^\W\d_][^\d:,;|/()]{0,30}[23]?)$")
_CELL_TAGS = frozenset({"td", "th"})
# A singular and its plural have at least this many letters in common
MIN_STEM_CHARS = 3


@dataclass(frozen=True, slots=True)
class PairOptions:
    """When texts at the same place are labels."""

    # This share of them reads like a label, comes back in another record, and has a value beside it
    min_share: float = 0.9
    min_value_share: float = 0.8
    # There are at most this many different ones for each time that one is used
    max_variety: float = 1 / 3
    # and for each label of a record; texts that vary more are values
    max_alternatives: float = 3.0
    # This share of the records that have any has several
    min_several_share: float = 0.5
    # At most this share of neighbours stands the other way round elsewhere
    max_swaps: float = 0.2
    # A unit is in at least this share of the records that have any
    min_unit_share: float = 0.4


OPTIONS = PairOptions()


@dataclass(slots=True)
class LabelPairs:
    """The labels of a region's outline.

    ``labels``: the text nodes that are labels; ``label_of``: for values, the node of their label; ``names``: what
    labels with several forms are called; ``units``: texts that are a number with its unit, and what that is called.
    """

    labels: set[int] = field(default_factory=set)
    label_of: dict[int, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


class _Place(NamedTuple):
    """A text, the outermost node that contains nothing else, and the nodes beside that one, -1 for none."""

    record: int
    text: int
    top: int
    before: int
    after: int


# What texts at the same place have in common: the signature of the block, those of the text, odd or even among equals
_Group = tuple[int, tuple[int, ...], int]


def label_pairs(outline: Outline, texts: Sequence[str], known: Iterable[int] = ()) -> LabelPairs:
    """Return the labels among the texts of an outline. ``known``: nodes that are labels by themselves."""
    pairs = LabelPairs()
    finder = _Finder(outline, texts, frozenset(known))
    for places in finder.groups().values():
        finder.add_pairs(places, pairs)
    for places in finder.lists().values():
        finder.add_parallel_lists(places, pairs)
    finder.add_units(pairs)
    return pairs


class _Finder:
    def __init__(self, outline: Outline, texts: Sequence[str], known: frozenset[int]) -> None:
        self.outline, self.texts, self.known = outline, texts, known
        size = len(outline)
        self.parent = parents = [k - offset for k, offset in enumerate(outline.parent_offset)]
        self.children = children = [0] * size
        self.index, self.before, self.after = index, before, after = [0] * size, [-1] * size, [-1] * size
        last = [-1] * size
        for k, parent in enumerate(parents):
            if parent == k:
                continue
            previous = last[parent]
            index[k], before[k] = children[parent], previous
            if previous >= 0:
                after[previous] = k
            last[parent] = k
            children[parent] += 1
        self.places = list(self._places())

    def _places(self) -> Iterator[_Place]:
        parents, children, known = self.parent, self.children, self.known
        record = -1
        for k, text in enumerate(self.texts):
            parent = parents[k]
            if parent == k:
                record += 1
            if text and k not in known:
                top = k  # the outermost block that holds nothing but the text, below the record itself
                while children[parent] == 1 and parents[parent] != parent:
                    top, parent = parent, parents[parent]
                yield _Place(record, k, top, self.before[top], self.after[top])

    def _signatures(self, place: _Place) -> tuple[int, ...]:
        signatures, k = [self.outline.signature[place.text]], place.text
        while k != place.top:
            k = self.parent[k]
            signatures.append(self.outline.signature[k])
        return tuple(signatures)

    def groups(self) -> dict[_Group, list[_Place]]:
        """Return the texts by place. Cells of a record that is a table row are columns already."""
        groups: dict[_Group, list[_Place]] = {}
        signature, signatures = self.outline.signature, self.outline.signatures.signatures
        parents, starts_line = self.parent, self.outline.starts_line
        for place in self.places:
            _, text, top, before, after = place
            own, block = signature[top], parents[top]
            is_within_line = not own and not starts_line[text]  # "by" in "by X in Y"
            if is_within_line or (parents[block] == block and signatures[own].tag in _CELL_TAGS):
                continue
            is_beside_own = (before >= 0 and signature[before] == own) or (after >= 0 and signature[after] == own)
            parity = 1 + self.index[top] % 2 if is_beside_own else 0
            of_text = (own,) if text == top else self._signatures(place)
            groups.setdefault((signature[block], of_text, parity), []).append(place)
        return groups

    def lists(self) -> dict[tuple[int, ...], list[_Place]]:
        """Return the texts whose siblings are all of their kind, in a block that is followed by another block."""
        lists: dict[tuple[int, ...], list[_Place]] = {}
        for place in self.places:
            block = self.parent[place.top]
            other = self.after[block]
            if other >= 0 and self.children[block] == self.children[other]:
                key = (*self._signatures(place), self.outline.signature[block], self.outline.signature[other])
                lists.setdefault(key, []).append(place)
        return lists

    def add_pairs(self, places: Sequence[_Place], pairs: LabelPairs) -> None:
        """Add the texts at one place if they are labels of what stands beside them."""
        if not self._are_labels(places):
            return
        numbers = sum(self._is_number(place.before) for place in places)
        if numbers >= OPTIONS.min_share * len(places) and numbers > sum(self._is_number(p.after) for p in places):
            self._add(places, [place.before for place in places], pairs)
            pairs.names.update(plural_names([(self._first_text(p.before), self.texts[p.text]) for p in places]))
        elif self._have_values(places, [place.after for place in places]):
            self._add(places, [place.after for place in places], pairs)

    def add_parallel_lists(self, places: Sequence[_Place], pairs: LabelPairs) -> None:
        """Add the texts of blocks that hold nothing else, if they are labels of the texts in the blocks after them."""
        if any(place.text in pairs.labels for place in places) or not self._are_labels(places):
            return
        values = []
        block, value = -1, -1
        for place in places:
            if self.parent[place.top] != block:
                block = self.parent[place.top]
                value = self.after[block] + 1  # its first child
            while self.index[value] < self.index[place.top]:
                value = self.after[value]
            values.append(value)
        if self._have_values(places, values):
            self._add(places, values, pairs)

    def add_units(self, pairs: LabelPairs) -> None:
        """Add the texts that are a number with its unit, if records have several of them."""
        groups: dict[int, list[tuple[int, re.Match[str]]]] = {}
        for place in self.places:
            match = number_and_unit(self.texts[place.text])
            if match and place.text not in pairs.labels and place.top not in pairs.label_of:
                block = self.outline.signature[self.parent[place.top]]
                groups.setdefault(block, []).append((place.record, match))
        for found in groups.values():
            names = plural_names([(match[1], match[2]) for _, match in found])
            if are_units([(record, names[match[2]]) for record, match in found]):
                pairs.units.update({match[0]: names[match[2]] for _, match in found})

    def _are_labels(self, places: Sequence[_Place]) -> bool:
        if len({place.record for place in places}) == len(places):
            return False  # no record has several of them
        readable = sum([is_label_like(self.texts[place.text]) for place in places])
        return readable >= OPTIONS.min_share * len(places) and recur_like_labels(
            [(place.record, normalized_label(self.texts[place.text])) for place in places]
        )

    def _have_values(self, places: Sequence[_Place], values: Sequence[int]) -> bool:
        """Return whether the texts have values beside them that vary more than they do."""
        labels = {self.texts[place.text] for place in places}
        texts = [text for value in values if value >= 0 and (text := self._first_text(value))]
        if len(texts) < OPTIONS.min_value_share * len(places) or common_pattern(texts) == "money":
            return False
        repeated = sum(text in labels for text in texts)
        return len(set(texts)) > len(labels) and repeated <= (1.0 - OPTIONS.min_share) * len(texts)

    def _add(self, places: Sequence[_Place], values: Sequence[int], pairs: LabelPairs) -> None:
        for place, value in zip(places, values, strict=True):
            pairs.labels.add(place.text)
            if value >= 0:
                pairs.label_of[value] = place.text

    def _is_number(self, k: int) -> bool:
        return k >= 0 and is_number(self._first_text(k))

    def _first_text(self, k: int) -> str:
        """Return the text that a node begins with, "" if it begins with something else."""
        while not self.texts[k] and self.children[k]:
            k += 1
        return self.texts[k]


def is_label_like(text: str) -> bool:
    """Return whether a text could be a label: a few words, hardly a digit, no sentence."""
    return len(text) <= MAX_LABEL_CHARS and len(text.split()) <= MAX_LABEL_WORDS and bool(_LABEL.match(text))


def recur_like_labels(texts: Sequence[tuple[int, str]]) -> bool:
    """Return whether texts come back from record to record as labels do, given with their records in order."""
    counts = Counter(text for _, text in set(texts))
    recurring = sum(counts[text] > 1 for _, text in texts)
    if len(set(texts)) < len(texts) or recurring < OPTIONS.min_share * len(texts):
        return False
    per_record = Counter(record for record, _ in texts)
    several = sum(count > 1 for count in per_record.values())
    if len(counts) < 2 or several < OPTIONS.min_several_share * len(per_record):
        return False
    if len(counts) > min(OPTIONS.max_variety * len(texts), OPTIONS.max_alternatives * len(texts) / len(per_record)):
        return False
    neighbours = Counter((before[1], after[1]) for before, after in pairwise(texts) if before[0] == after[0])
    swaps = sum(
        min(count, neighbours[after, before]) for (before, after), count in neighbours.items() if before < after
    )
    return swaps <= OPTIONS.max_swaps * sum(neighbours.values())


def number_and_unit(text: str) -> re.Match[str] | None:
    """Return the number and the unit that a text consists of, as the groups of a match."""
    match = _NUMBER_AND_UNIT.match(text)
    return match if match and len(match[2].split()) <= MAX_UNIT_WORDS else None


def is_number(text: str) -> bool:
    """Return whether a text is a number that a unit could follow."""
    return _NUMBER.match(text) is not None


def are_units(found: Sequence[tuple[int, str]]) -> bool:
    """Return whether words after numbers name them, given with their records in order."""
    records = len({record for record, _ in found})
    counts = Counter(unit for _, unit in found)
    return min(counts.values()) >= OPTIONS.min_unit_share * records and recur_like_labels(found)


def common_unit(texts: Sequence[str]) -> str:
    """Return the words that follow a number in nearly all texts, in the plural: "comments" for "3 comments"."""
    found: list[tuple[str, str]] = []
    least, others = max(MIN_COMMON_UNIT_SHARE * len(texts), 2), 0
    for text in texts:
        match = _NUMBER_AND_WORDS.fullmatch(text)
        if match and len(match[2].split()) <= MAX_UNIT_WORDS:
            found.append((match[1], match[2]))
        else:
            others += 1
            if len(texts) - others < least:
                return ""
    if len(found) < least:
        return ""
    names = plural_names(found)
    unit, count = Counter(names[unit] for _, unit in found).most_common(1)[0]
    return unit if count >= MIN_COMMON_UNIT_SHARE * len(texts) else ""


def plural_names(found: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the name of each unit, given after its number: of words that stand after 1 alone, their plural."""
    numbers: dict[str, set[str]] = {}
    for number, unit in found:
        numbers.setdefault(unit, set()).add(number)
    plurals: dict[str, str] = {}
    for unit in sorted(numbers, reverse=True):
        if numbers[unit] != {"1"}:
            plurals.update(dict.fromkeys(_stems(unit, 2), unit.lower()))
    return {
        unit: next((plurals[stem] for stem in _stems(unit, 1) if own == {"1"} and stem in plurals), unit.lower())
        for unit, own in sorted(numbers.items())
    }


def _stems(unit: str, letters: int) -> list[str]:
    """Return the word, and the word without up to so many letters at its end."""
    word = unit.lower()
    return [word, *(word[:-k] for k in range(1, letters + 1) if len(word) - k >= MIN_STEM_CHARS)]

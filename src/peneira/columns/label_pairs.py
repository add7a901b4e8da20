"""Labels and their values, in whatever markup a page writes such pairs.

A label is a short text that comes back in record after record beside a value that changes: in a table row of its own,
in bold before a text, in an element of the class "key" before one of the class "value". Labels that stand in one block
and their values in the next are paired by position. The unit after a number ("3 beds") names it in the same way.
A record has several such pairs; a short text that stands alone, such as a badge, is a value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from peneira.character_search import character_search
from peneira.columns.labels import MAX_LABEL_WORDS, normalized_label
from peneira.columns.outline import Outline
from peneira.columns.outline_shapes import STARTS_LINE, OutlineShape
from peneira.columns.table_grid import CELL_TAGS
from peneira.columns.value_looks import TIME_AGO_WORDS
from peneira.columns.value_patterns import CONJUNCTIONS, common_pattern
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern

record_texts = compiled("record_texts")

MAX_LABEL_CHARS = 40
MAX_UNIT_WORDS = 2
# The share of the texts that must have the same unit for it to name them
MIN_COMMON_UNIT_SHARE = 0.8
_LABEL = late_pattern(r"[^\W\d_][^\d.!?]*(?:\d{1,2}|\.)?[^\d.!?]*$")
_NUMBER = late_pattern(r"[+~<>≥≤]?\d[\d.,]{0,12}\+?$")
_NUMBER_AND_WORDS = late_pattern(r"\(?\+?(\d[\d.,]{0,12}[kKmM]?)\+?\s?([^\W\d_][^\d:,;|/()]{1,30})\)?")
_NUMBER_AND_UNIT = late_pattern(r"([+~<>≥≤]?\d[\d.,]{0,12}\+?)\s*([^\W\d_][^\d:,;|/()]{0,30}[23]?)$")
_SIGNS_OF_NUMBERS = "+~<>≥≤"
_MAY_BE_NUMBER = character_search("(+", digits=True)
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
    """A text of a shape, the outermost node that contains nothing else, and the nodes beside that one, -1 for none.

    ``group`` and ``list_group``: what texts at the same place have in common, None for those that cannot be labels: the
    signature of the block, those of the text, odd or even among equals; of the texts of a block whose children are all
    of their kind, followed by a block of as many, the signatures of text and blocks.
    """

    text: int
    top: int
    before: int
    after: int
    group: tuple[int, tuple[int, ...], int] | None
    list_group: tuple[int, ...] | None


class _RecordText(NamedTuple):
    """A place in a record: the record's number, the node of its root and its shape, and the place in it."""

    record: int
    root: int
    shape: OutlineShape
    place: _Place


def label_pairs(
    outline: Outline,
    shapes: Sequence[OutlineShape],
    texts: Sequence[str],
    known: Collection[int],
    distinct: Iterable[str],
) -> LabelPairs:
    """Return the labels among the texts of an outline. ``known``: nodes that are labels by themselves; ``distinct``:
    the different texts."""
    pairs = LabelPairs()
    finder = _Finder(outline, shapes, texts, frozenset(known))
    for places in finder.groups(attrgetter("group")):
        finder.add_pairs(places, pairs)
    for places in finder.groups(attrgetter("list_group")):
        finder.add_parallel_lists(places, pairs)
    finder.add_units(pairs, distinct)
    return pairs


class _Finder:
    def __init__(
        self, outline: Outline, shapes: Sequence[OutlineShape], texts: Sequence[str], known: frozenset[int]
    ) -> None:
        self.outline, self.shapes, self.texts, self.known = outline, shapes, texts, known
        distinct = {id(shape): shape for shape in shapes}
        if record_texts is None:
            self.places = {key: list(self._places(shape)) for key, shape in distinct.items()}
        else:
            is_cell = [signature.tag in CELL_TAGS for signature in outline.signatures.signatures]
            self.places = {
                key: record_texts.text_places(_Place, shape.texts, shape.signature, shape.parent, shape.flags, is_cell)
                for key, shape in distinct.items()
            }

    def _places(self, shape: OutlineShape) -> Iterator[_Place]:
        """Yield the places of the texts of a shape. Cells of a record that is a table row are columns already."""
        signature, parents, flags, siblings = shape.signature, shape.parent, shape.flags, shape.siblings
        children, signatures = siblings.children, self.outline.signatures.signatures
        for text in shape.texts:
            top, block, own_signatures = text, parents[text], [signature[text]]
            while block and children[block] == 1:  # blocks that hold nothing but the text, below the record itself
                top, block = block, parents[block]
                own_signatures.append(signature[top])
            own, of_text = signature[top], tuple(own_signatures)
            before, after, group = siblings.before[top], siblings.after[top], None
            is_within_line = not own and not flags[text] & STARTS_LINE  # "by" in "by X in Y"
            if not is_within_line and (block or signatures[own].tag not in CELL_TAGS):
                is_beside_own = (before >= 0 and signature[before] == own) or (after >= 0 and signature[after] == own)
                group = signature[block], of_text, 1 + siblings.index[top] % 2 if is_beside_own else 0
            other = siblings.after[block]
            is_in_list = other >= 0 and children[block] == children[other]
            list_group = (*of_text, signature[block], signature[other]) if is_in_list else None
            yield _Place(text, top, before, after, group, list_group)

    def groups(self, group_of: Callable[[_Place], tuple[object, ...] | None]) -> list[list[_RecordText]]:
        """Return the texts by group, of groups that some record has several texts of: others are no labels."""
        several: set[tuple[object, ...]] = set()
        for places in self.places.values():
            seen: set[tuple[object, ...]] = set()
            for group in map(group_of, places):
                if group in seen:
                    several.add(group)
                elif group is not None:
                    seen.add(group)
        groups: dict[tuple[object, ...], list[_RecordText]] = {}
        for own in self._texts(lambda place: group_of(place) in several) if several else ():
            group = group_of(own.place)
            assert group is not None
            groups.setdefault(group, []).append(own)
        return list(groups.values())

    def _texts(self, is_wanted: Callable[[_Place], bool]) -> Iterator[_RecordText]:
        """Yield the texts at wanted places, record by record, without those that are labels by themselves."""
        wanted = {key: list(filter(is_wanted, places)) for key, places in self.places.items()}
        texts, known = self.texts, self.known
        for record, (root, shape) in enumerate(zip(self.outline.roots, self.shapes, strict=True)):
            for place in wanted[id(shape)]:
                if texts[root + place.text] and root + place.text not in known:
                    yield _RecordText(record, root, shape, place)

    def add_pairs(self, places: Sequence[_RecordText], pairs: LabelPairs) -> None:
        """Add the texts at one place if they are labels of what stands beside them."""
        if not self._are_labels(places):
            return
        numbers = sum(self._is_number(own, own.place.before) for own in places)
        afterwards = [own.place.after for own in places]
        if numbers >= OPTIONS.min_share * len(places) and numbers > sum(map(self._is_number, places, afterwards)):
            self._add(places, [own.place.before for own in places], pairs)
            counted = [(self._first_text(own, own.place.before), self._text(own)) for own in places]
            pairs.names.update(plural_names(counted))
        elif self._have_values(places, afterwards):
            self._add(places, afterwards, pairs)

    def add_parallel_lists(self, places: Sequence[_RecordText], pairs: LabelPairs) -> None:
        """Add the texts of blocks that hold nothing else, if they are labels of the texts in the blocks after them."""
        if any(own.root + own.place.text in pairs.labels for own in places) or not self._are_labels(places):
            return
        values = []
        last_block, value = -1, -1
        for _, root, shape, place in places:
            block, siblings = shape.parent[place.top], shape.siblings
            if root + block != last_block:
                last_block = root + block
                value = siblings.after[block] + 1  # its first child
            while siblings.index[value] < siblings.index[place.top]:
                value = siblings.after[value]
            values.append(value)
        if self._have_values(places, values):
            self._add(places, values, pairs)

    def add_units(self, pairs: LabelPairs, distinct: Iterable[str]) -> None:
        """Add the texts that are a number with its unit, if records have several of them."""
        matches = {
            text: match
            for text in distinct
            if ((first := text[:1]).isdecimal() or first in _SIGNS_OF_NUMBERS) and (match := number_and_unit(text))
        }
        groups: dict[int, list[tuple[int, re.Match[str]]]] = {}
        texts, known = self.texts, self.known
        for record, (root, shape) in enumerate(zip(self.outline.roots, self.shapes, strict=True)) if matches else ():
            for place in self.places[id(shape)]:
                match = matches.get(texts[root + place.text])
                if match is None or root + place.text in known:
                    continue
                if root + place.text not in pairs.labels and root + place.top not in pairs.label_of:
                    groups.setdefault(shape.signature[shape.parent[place.top]], []).append((record, match))
        for found in groups.values():
            names = plural_names([(match[1], match[2]) for _, match in found])
            if are_units([(record, names[match[2]]) for record, match in found]):
                pairs.units.update({match[0]: names[match[2]] for _, match in found})

    def _are_labels(self, places: Sequence[_RecordText]) -> bool:
        if len({own.record for own in places}) == len(places):
            return False  # no record has several of them
        texts = list(map(self._text, places))
        readable = sum(map(is_label_like, texts))
        return readable >= OPTIONS.min_share * len(places) and recur_like_labels(
            [(own.record, normalized_label(text)) for own, text in zip(places, texts, strict=True)]
        )

    def _have_values(self, places: Sequence[_RecordText], values: Sequence[int]) -> bool:
        """Return whether the texts have values beside them that vary more than they do."""
        labels = set(map(self._text, places))
        texts = [
            text
            for own, value in zip(places, values, strict=True)
            if value >= 0 and (text := self._first_text(own, value))
        ]
        if len(texts) < OPTIONS.min_value_share * len(places) or common_pattern(texts) == "money":
            return False
        between = sum(text in CONJUNCTIONS for text in texts)
        if between > (1.0 - OPTIONS.min_value_share) * len(texts) and all(map(self._is_link, places)):
            return False  # "Ann and Bob", whose names lead to their pages
        repeated = sum(text in labels for text in texts)
        return len(set(texts)) > len(labels) and repeated <= (1.0 - OPTIONS.min_share) * len(texts)

    def _is_link(self, own: _RecordText) -> bool:
        shape = own.shape
        node = own.place.text
        return any(
            self.outline.signatures.signatures[shape.signature[k]].tag == "a" for k in (node, shape.parent[node])
        )

    def _add(self, places: Sequence[_RecordText], values: Sequence[int], pairs: LabelPairs) -> None:
        for own, value in zip(places, values, strict=True):
            pairs.labels.add(own.root + own.place.text)
            if value >= 0:
                pairs.label_of[own.root + value] = own.root + own.place.text

    def _text(self, own: _RecordText) -> str:
        return self.texts[own.root + own.place.text]

    def _is_number(self, own: _RecordText, k: int) -> bool:
        return k >= 0 and is_number(self._first_text(own, k))

    def _first_text(self, own: _RecordText, k: int) -> str:
        """Return the text that a node of a record begins with, "" if it begins with something else."""
        children = own.shape.siblings.children
        while not self.texts[own.root + k] and children[k]:
            k += 1
        return self.texts[own.root + k]


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
    if not (text[:1].isdecimal() or text[:1] in _SIGNS_OF_NUMBERS):
        return None
    match = _NUMBER_AND_UNIT.match(text)
    words = match[2].split() if match else []
    return match if 0 < len(words) <= MAX_UNIT_WORDS and words[-1] not in TIME_AGO_WORDS else None


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
    if not _MAY_BE_NUMBER.starts_most(texts, least):
        return ""
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

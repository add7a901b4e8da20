"""Prototypes: what alignment sees of records. Records whose nodes and texts look alike have one prototype."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from peneira.columns.element_signatures import Steps
from peneira.columns.outline import BLOCK, TEXT, Outline
from peneira.columns.prose_and_lists import Habits, Reduction
from peneira.columns.skeletons import Parts, Skeleton, Skeletons, preorder
from peneira.columns.value_patterns import label, plain_label, value_pattern
from peneira.page import Page


class Face(NamedTuple):
    """What alignment sees of a node; equal faces are one object.

    Its kind, tag and words; the label its text starts with; what its text looks like; the tags and words right inside
    it. ``names``: its words in the author's order; ``prop``: what microdata call it.
    """

    kind: int
    tag: str
    words: frozenset[str]
    lead: str = ""
    sketch: str = ""
    inner: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    prop: str = ""


class Group(NamedTuple):
    """One child of a block, or several of one kind. ``label``: the label beside it; ``column``: of a table, else -1."""

    label: str
    column: int
    is_list: bool
    members: tuple[int, ...]


class Prototype(NamedTuple):
    """A structure. ``core``: the face of the text inside, where blocks around a single text were taken as one."""

    face: Face
    core: Face
    groups: tuple[Group, ...] = ()


class Shape(NamedTuple):
    """How the nodes of a record become its prototype. Nodes are counted from the record's root.

    ``order``: the nodes left, as the prototype lists them; ``place``: of every node of the outline, where in ``order``
    the node stands that it is part of, -1 for none.
    """

    prototype: int
    order: tuple[int, ...]
    place: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shaped:
    """The records of a region by shape, with the texts of their nodes in the order of the shape."""

    prototypes: list[Prototype]
    shapes: list[Shape]
    texts: list[list[str]]


def shape(page: Page, outline: Outline, columns: Mapping[int, int]) -> Shaped:
    """Return the records by prototype. ``columns``: the table column of each cell, by its row."""
    skeletons = Skeletons(page, outline)
    habits = Habits(outline.steps, skeletons.all)
    for skeleton in skeletons.all:
        Reduction(skeleton, habits).run()
    numbering = _Numbering(outline.steps, skeletons)
    shapes, texts = [], []
    for record, skeleton in enumerate(skeletons.of_record):
        base = outline.roots[record]
        own = _texts(page, outline, base, skeleton, skeletons.texts)
        cells = {k: columns.get(outline.row[base + k], -1) for k in skeleton.cells} if columns else {}
        found = numbering.shape(skeleton, own, cells)
        shapes.append(found)
        texts.append([own.get(k, "") for k in found.order])
    return Shaped(numbering.prototypes, shapes, texts)


def _texts(page: Page, outline: Outline, base: int, skeleton: Skeleton, texts: Sequence[str]) -> dict[int, str]:
    """Return the texts of a record's nodes; those that were joined are read as one."""
    found = {}
    for leaf in skeleton.leaves:
        if leaf.first == leaf.last:
            found[leaf.node] = texts[base + leaf.first]
        else:
            found[leaf.node] = page.text_of(outline.row[base + leaf.first], outline.end[base + leaf.last])
    return found


class _Numbering:
    """The prototypes of a region by number."""

    def __init__(self, steps: Steps, skeletons: Skeletons) -> None:
        self.steps, self.constants, self.leads = steps.all, skeletons.constants, skeletons.leads
        self.prototypes: list[Prototype] = []
        self._numbers: dict[Prototype, int] = {}
        self._faces: dict[Face, Face] = {}
        self._shapes: dict[tuple[int, ...], Shape] = {}
        self._leaves: dict[tuple[int, ...], int] = {}
        self._looks: dict[tuple[str, str], int] = {}
        self._look_of: list[tuple[str, str]] = []
        self._look_of_text: dict[tuple[str, bool], int] = {}

    def shape(self, skeleton: Skeleton, texts: Mapping[int, str], columns: Mapping[int, int]) -> Shape:
        """Return the shape of a record with these texts, and with cells in these table columns."""
        looks = [self._look(texts[leaf.node], leaf.is_label) for leaf in skeleton.leaves]
        key = (id(skeleton), *looks, *columns.values())
        found = self._shapes.get(key)
        if found is None:
            found = self._shapes[key] = self._shape(skeleton, dict(zip(texts, looks, strict=True)), texts, columns)
        return found

    def _look(self, text: str, is_label: bool) -> int:
        """Return a number for what alignment sees of a text: its label and its sketch."""
        known = self._look_of_text.get((text, is_label))
        if known is not None:
            return known
        match = label(text) if ":" in text else None
        lead = plain_label(text) if is_label else match[1].lower() if match and match[1] in self.leads else ""
        look = (lead, f"={text}" if text in self.constants else value_pattern(text))
        number = self._looks.setdefault(look, len(self._look_of))
        if number == len(self._look_of):
            self._look_of.append(look)
        self._look_of_text[text, is_label] = number
        return number

    def _shape(
        self, skeleton: Skeleton, looks: Mapping[int, int], texts: Mapping[int, str], columns: Mapping[int, int]
    ) -> Shape:
        numbers = [0] * skeleton.size
        parts = dict(skeleton.parts)
        parts[0] = _by_column(parts.get(0, []), columns)
        for k in reversed(skeleton.order):
            if skeleton.kind[k] == BLOCK:
                groups = tuple(self._groups(skeleton, parts[k], numbers, texts, columns))
                face = self._block_face(skeleton, k, groups)
                numbers[k] = self._number(Prototype(face, face, groups))
            else:
                numbers[k] = self._leaf(skeleton, k, looks.get(k, -1))
        order = preorder(parts)
        at = {k: place for place, k in enumerate(order)}
        place = tuple(at.get(skeleton.owner_of(k), -1) for k in range(skeleton.size))
        return Shape(numbers[0], tuple(order), place)

    def _leaf(self, skeleton: Skeleton, k: int, look: int) -> int:
        """Return the prototype of a text or medium, with the blocks around it that are one with it."""
        taken = skeleton.taken.get(k, [skeleton.step[k]])
        key = (skeleton.kind[k], look, *taken)
        if key not in self._leaves:
            lead, sketch = self._look_of[look] if look >= 0 else ("", "")
            core = face = self._face(skeleton.kind[k], taken[0], lead, sketch)
            for number in taken[1:]:
                step = self.steps[number]
                names = tuple(dict.fromkeys((*face.names, *step.names)))
                words, prop = face.words | step.words, face.prop or step.prop
                face = self._one(face._replace(tag=step.tag, words=words, names=names, prop=prop))
            self._leaves[key] = self._number(Prototype(face, core))
        return self._leaves[key]

    def _groups(
        self,
        skeleton: Skeleton,
        parts: Parts,
        numbers: Sequence[int],
        texts: Mapping[int, str],
        columns: Mapping[int, int],
    ) -> Iterator[Group]:
        beside = ""
        for members, is_list in parts:
            first = members[0]
            own = tuple([numbers[kid] for kid in members])
            column = columns.get(first, -1)
            if first in skeleton.labels:
                yield Group("", column, is_list, own)
                beside = plain_label(texts[first])
            else:
                yield Group(beside, column, is_list, own)
                beside = beside if self.steps[skeleton.step[first]].tag == "dd" else ""

    def _block_face(self, skeleton: Skeleton, k: int, groups: Sequence[Group]) -> Face:
        inner = [self.prototypes[member].face for group in groups for member in group.members]
        # a block of one label and its value is known by the label; one of several labels is not
        lead = inner[0].lead if k and inner and inner[0].kind == TEXT else ""
        if lead and sum(bool(face.lead) for face in inner) > 1:
            lead = ""
        names = frozenset(word for face in inner for word in (face.tag, *face.words))
        return self._face(BLOCK, skeleton.step[k], lead, "", names)

    def _face(
        self, kind: int, number: int, lead: str = "", sketch: str = "", inner: frozenset[str] = frozenset()
    ) -> Face:
        step = self.steps[number]
        return self._one(Face(kind, step.tag, step.words, lead, sketch, inner, step.names, step.prop))

    def _one(self, face: Face) -> Face:
        """Return the one face that equals this one, so that alignment need not look into faces to compare them."""
        return self._faces.setdefault(face, face)

    def _number(self, prototype: Prototype) -> int:
        number = self._numbers.setdefault(prototype, len(self.prototypes))
        if number == len(self.prototypes):
            self.prototypes.append(prototype)
        return number


def _by_column(parts: Parts, columns: Mapping[int, int]) -> Parts:
    """Return the parts in the order of their table columns: cells that reach into a row from above were read last."""
    if any(columns.get(members[0], -1) < 0 for members, _ in parts):
        return list(parts)
    return sorted(parts, key=lambda part: columns[part[0][0]])

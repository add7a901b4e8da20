"""Prototypes: what alignment compares of records. Records with equal nodes and texts of equal patterns share one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from peneira.budget import check_budget
from peneira.columns.element_signatures import SignatureTable
from peneira.columns.labels import normalized_label
from peneira.columns.outline import BLOCK, TEXT, Outline
from peneira.columns.prose_and_lists import ProseAndLists
from peneira.columns.prose_blocks import ChildLengths
from peneira.columns.skeleton_reduction import reduce_skeleton
from peneira.columns.skeletons import NodeGroups, RegionSkeletons, Skeleton, preorder
from peneira.columns.value_patterns import value_pattern
from peneira.page import Page

# The pattern of a text of the template: this sign and the text itself
CONSTANT_SIGN = "="
# What a button says is not data, whatever is around the button
BUTTON_TAG = "button"


class NodeFeatures(NamedTuple):
    """What alignment compares of a node; equal features are one object.

    ``label``: the label that its text starts with; ``pattern``: that of its text; ``child_words``: tags and words of
    its children; ``ordered_words``: its words in the author's order; ``prop``: its microdata or RDFa property.
    """

    kind: int
    tag: str
    words: frozenset[str]
    label: str = ""
    pattern: str = ""
    child_words: frozenset[str] = frozenset()
    ordered_words: tuple[str, ...] = ()
    prop: str = ""


class ChildGroup(NamedTuple):
    """A child of a block, or several that form a list. ``label``: the label beside it; ``column``: the table column of
    a cell, else -1; ``members``: prototypes by number."""

    label: str
    column: int
    is_list: bool
    members: tuple[int, ...]


class Prototype(NamedTuple):
    """The features of a node and the groups of its children.

    ``leaf_features``: the features of the single text or media inside, where the blocks around it were merged into it.
    """

    features: NodeFeatures
    leaf_features: NodeFeatures
    groups: tuple[ChildGroup, ...] = ()


class NodeMapping(NamedTuple):
    """How the nodes of a record map to those of its prototype. Nodes are counted from the record's root.

    ``nodes``: the nodes left after the reduction, as the prototype lists them; ``positions``: for every node of the
    outline, the position in ``nodes`` of the node that it became part of, -1 for none.
    """

    prototype: int
    nodes: tuple[int, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordPrototypes:
    """The prototypes of a region; per record its mapping, and the texts of its nodes in the order of the mapping."""

    prototypes: list[Prototype]
    mappings: list[NodeMapping]
    texts: list[list[str]]


def record_prototypes(page: Page, outline: Outline, columns: Mapping[int, int]) -> RecordPrototypes:
    """Return the records by prototype. ``columns``: the table column of each cell, by its row."""
    skeletons = RegionSkeletons(page, outline)
    lengths = ChildLengths(page, outline, skeletons.texts, skeletons.of_record)
    prose_and_lists = ProseAndLists(outline.signatures, skeletons.distinct, lengths)
    for skeleton in skeletons.distinct:
        reduce_skeleton(skeleton, prose_and_lists)
    table = _PrototypeTable(outline.signatures, skeletons)
    mappings, texts = [], []
    for record, skeleton in enumerate(skeletons.of_record):
        root = outline.roots[record]
        own_texts = _texts(page, outline, root, skeleton, skeletons.texts)
        check_budget()
        cells = {k: columns.get(outline.row[root + k], -1) for k in skeleton.cells} if columns else {}
        mapping = table.mapping(skeleton, own_texts, cells)
        mappings.append(mapping)
        texts.append([own_texts.get(k, "") for k in mapping.nodes])
    return RecordPrototypes(table.prototypes, mappings, texts)


def _texts(page: Page, outline: Outline, root: int, skeleton: Skeleton, texts: Sequence[str]) -> dict[int, str]:
    """Return the texts of a record's nodes; texts that were joined are read as one."""
    own_texts = {}
    for node, first, last, _ in skeleton.leaves:
        if first == last:
            own_texts[node] = texts[root + first]
        else:
            own_texts[node] = page.text_of(outline.row[root + first], outline.end[root + last])
    return own_texts


class _PrototypeTable:
    """The distinct prototypes of a region, by number."""

    def __init__(self, signatures: SignatureTable, skeletons: RegionSkeletons) -> None:
        self.signatures, self.constants, self.labels = signatures.signatures, skeletons.constants, skeletons.labels
        self.label_names, self.units = skeletons.label_names, skeletons.units
        self._leading_label = skeletons.leading_label
        self.prototypes: list[Prototype] = []
        self._numbers: dict[Prototype, int] = {}
        self._features: dict[NodeFeatures, NodeFeatures] = {}
        self._mappings: dict[tuple[int, ...], NodeMapping] = {}
        self._blocks: dict[tuple[int, ...], int] = {}
        self._orders: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._leaves: dict[tuple[int, ...], int] = {}
        # label and pattern of texts, by number
        self._text_features: list[tuple[str, str]] = []
        self._text_feature_numbers: dict[tuple[str, str], int] = {}
        self._number_of_text: dict[tuple[str, bool], int] = {}

    def mapping(self, skeleton: Skeleton, texts: Mapping[int, str], columns: Mapping[int, int]) -> NodeMapping:
        """Return the mapping of a record with these texts, and with cells in these table columns."""
        known = self._number_of_text
        numbers = []
        for node, _, _, is_label in skeleton.leaves:
            text = texts[node]
            number = known.get((text, is_label))
            numbers.append(self._text_number(text, is_label) if number is None else number)
        key = (id(skeleton), *numbers, *columns.values())
        mapping = self._mappings.get(key)
        if mapping is None:
            text_numbers = dict(zip(texts, numbers, strict=True))
            mapping = self._mappings[key] = self._mapping(skeleton, text_numbers, texts, columns)
        return mapping

    def _text_number(self, text: str, is_label: bool) -> int:
        """Return a number for what alignment compares of a text: its label and its pattern."""
        leading = self._leading_label(text) if ":" in text else None
        if is_label:
            label = self._label(text)
        else:
            label = leading[0].lower() if leading and leading[0] in self.labels else self.units.get(text, "")
        features = (label, f"{CONSTANT_SIGN}{text}" if text in self.constants else value_pattern(text))
        number = self._text_feature_numbers.setdefault(features, len(self._text_features))
        if number == len(self._text_features):
            self._text_features.append(features)
        self._number_of_text[text, is_label] = number
        return number

    def _label(self, text: str) -> str:
        """Return what a bare label names its value."""
        return self.label_names.get(text) or normalized_label(text)

    def _mapping(
        self, skeleton: Skeleton, text_numbers: Mapping[int, int], texts: Mapping[int, str], columns: Mapping[int, int]
    ) -> NodeMapping:
        numbers = [0] * skeleton.size
        groups = dict(skeleton.groups)
        groups[0] = _by_column(groups.get(0, []), columns)
        # without labels and table columns, a block is what its children are
        is_plain = not (columns or skeleton.labels or skeleton.label_of)
        for k in reversed(skeleton.order):
            if skeleton.kind[k] != BLOCK:
                numbers[k] = self._leaf(skeleton, k, text_numbers.get(k, -1))
                continue
            key = (id(skeleton), k, *[numbers[node] for nodes, _ in groups[k] for node in nodes]) if is_plain else ()
            number = self._blocks.get(key, -1)
            if number < 0:
                children = tuple(self._child_groups(skeleton, groups[k], numbers, texts, columns))
                features = self._block_features(skeleton, k, children)
                number = self._number(Prototype(features, features, children))
                if is_plain:
                    self._blocks[key] = number
            numbers[k] = number
        nodes, positions = self._order(skeleton, groups, is_by_column=bool(columns))
        return NodeMapping(numbers[0], nodes, positions)

    def _order(
        self, skeleton: Skeleton, groups: Mapping[int, NodeGroups], *, is_by_column: bool
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return nodes and positions of a mapping; without table columns, they are the same for all of a skeleton."""
        known = None if is_by_column else self._orders.get(id(skeleton))
        if known is None:
            nodes = preorder(groups)
            position_of = {k: position for position, k in enumerate(nodes)}
            positions = [position_of.get(skeleton.final_node(k), -1) for k in range(skeleton.size)]
            known = tuple(nodes), tuple(positions)
            if not is_by_column:
                self._orders[id(skeleton)] = known
        return known

    def _leaf(self, skeleton: Skeleton, k: int, text_number: int) -> int:
        """Return the prototype of a text or media node, with the blocks that were merged into it."""
        merged = skeleton.merged_signatures.get(k, [skeleton.signature[k]])
        key = (skeleton.kind[k], text_number, *merged)
        if key not in self._leaves:
            label, pattern = self._text_features[text_number] if text_number >= 0 else ("", "")
            leaf_features = features = self._new_features(skeleton.kind[k], merged[0], label, pattern)
            for number in merged[1:]:
                signature = self.signatures[number]
                features = self._shared(
                    features._replace(
                        tag=features.tag if features.tag == BUTTON_TAG else signature.tag,
                        words=features.words | signature.words,
                        ordered_words=tuple(dict.fromkeys((*features.ordered_words, *signature.ordered_words))),
                        prop=features.prop or signature.prop,
                    )
                )
            self._leaves[key] = self._number(Prototype(features, leaf_features))
        return self._leaves[key]

    def _child_groups(
        self,
        skeleton: Skeleton,
        groups: NodeGroups,
        numbers: Sequence[int],
        texts: Mapping[int, str],
        columns: Mapping[int, int],
    ) -> Iterator[ChildGroup]:
        label = ""  # of the values that follow
        paired = set(skeleton.label_of.values()) if skeleton.label_of else ()
        for nodes, is_list in groups:
            first = nodes[0]
            members = tuple([numbers[node] for node in nodes])
            column = columns.get(first, -1)
            if first in skeleton.label_of:
                yield ChildGroup(self._label(texts.get(skeleton.label_of[first], "")), column, is_list, members)
                label = ""
            elif first in skeleton.labels:
                yield ChildGroup("", column, is_list, members)
                label = "" if first in paired else self._label(texts[first])
            else:
                yield ChildGroup(label, column, is_list, members)
                label = label if self.signatures[skeleton.signature[first]].tag == "dd" else ""

    def _block_features(self, skeleton: Skeleton, k: int, groups: Sequence[ChildGroup]) -> NodeFeatures:
        children = [self.prototypes[member].features for group in groups for member in group.members]
        # a block of one label and its value has the label of the value; a block of several labels has none
        label = (children[0].label or groups[0].label) if k and children and children[0].kind == TEXT else ""
        if label and sum(bool(child.label) for child in children) != 1:
            label = ""
        child_words = frozenset(word for child in children for word in (child.tag, *child.words))
        return self._new_features(BLOCK, skeleton.signature[k], label, "", child_words)

    def _new_features(
        self, kind: int, number: int, label: str = "", pattern: str = "", child_words: frozenset[str] = frozenset()
    ) -> NodeFeatures:
        signature = self.signatures[number]
        named = signature.ordered_words, signature.prop
        return self._shared(NodeFeatures(kind, signature.tag, signature.words, label, pattern, child_words, *named))

    def _shared(self, features: NodeFeatures) -> NodeFeatures:
        """Return the one object for these features, so that alignment can compare features by identity."""
        return self._features.setdefault(features, features)

    def _number(self, prototype: Prototype) -> int:
        number = self._numbers.setdefault(prototype, len(self.prototypes))
        if number == len(self.prototypes):
            self.prototypes.append(prototype)
        return number


def _by_column(groups: NodeGroups, columns: Mapping[int, int]) -> NodeGroups:
    """Return the groups in the order of their table columns, since cells that span into a row were read last."""
    if any(columns.get(nodes[0], -1) < 0 for nodes, _ in groups):
        return list(groups)
    return sorted(groups, key=lambda group: columns[group[0][0]])

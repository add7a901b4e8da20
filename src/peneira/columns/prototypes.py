"""Prototypes: what alignment compares of records. Records with equal nodes and texts of equal patterns share one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from peneira.budget import check_budget
from peneira.columns.element_signatures import SignatureTable
from peneira.columns.labels import normalized_label
from peneira.columns.outline import BLOCK, MEDIA, TEXT, Outline
from peneira.columns.prose_and_lists import ProseAndLists
from peneira.columns.prose_blocks import ChildLengths
from peneira.columns.skeleton_reduction import reduce_skeleton
from peneira.columns.skeletons import MIN_CONSTANT_SHARE, NodeGroups, RegionSkeletons, Skeleton, preorder, record_texts
from peneira.columns.value_patterns import MAX_MATCHED_CHARS, value_pattern
from peneira.page import Page

# The pattern of a text of the template: this sign and the text itself
CONSTANT_SIGN = "="
# What a button says is not data, whatever is around the button
BUTTON_TAG = "button"
_new_tuple = tuple.__new__  # twice as fast as the constructor of a named tuple


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
    outline, the position in ``nodes`` of the node that it became part of, -1 for none. ``text_order``: the number of
    each text of the skeleton, as the prototype lists them; () if the skeleton lists them so too.
    """

    prototype: int
    nodes: tuple[int, ...]
    positions: tuple[int, ...]
    text_order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordPrototypes:
    """The prototypes of a region; per record its mapping, and its texts in the order of the mapping."""

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
    mappings, texts, rows = [], [], outline.row
    for root, skeleton in zip(outline.roots, skeletons.of_record, strict=True):
        check_budget()
        cells = [columns.get(rows[root + k], -1) for k in skeleton.cells] if columns else []
        if skeletons.by_number is None or skeleton.has_joined_texts or skeleton.labels:
            own_texts = _texts(page, outline, root, skeleton, skeletons.texts)
            mapping = table.mapping(skeleton, own_texts, cells)
        else:
            own_texts, mapping = table.numbered_mapping(skeleton, root, cells)
        mappings.append(mapping)
        texts.append([own_texts[k] for k in mapping.text_order] if mapping.text_order else own_texts)
    return RecordPrototypes(table.prototypes, mappings, texts)


def _texts(page: Page, outline: Outline, root: int, skeleton: Skeleton, texts: Sequence[str]) -> list[str]:
    """Return the texts of a record, in the order of its skeleton; texts that were joined are read as one."""
    if not skeleton.has_joined_texts:
        return [texts[root + leaf.first] for leaf in skeleton.leaves]
    return [
        texts[root + first] if first == last else page.text_of(outline.row[root + first], outline.end[root + last])
        for _, first, last, _ in skeleton.leaves
    ]


class _PlannedBlock(NamedTuple):
    """A block of the records with one skeleton and cells in the same table columns.

    ``groups``: those of its children; ``columns``: the table column of each, None if all have none; ``members``: gives
    the numbers of the children among those of all nodes, None if some of them form lists.
    """

    node: int
    signature: int
    groups: NodeGroups
    columns: tuple[int, ...] | None
    members: Callable[[Sequence[int]], object] | None


class _Plan(NamedTuple):
    """What the mappings of the records with one skeleton and cells in the same table columns share.

    ``blocks``: those inside before those around them; ``columns``: the table column of each cell, by node.
    """

    blocks: list[_PlannedBlock]
    columns: Mapping[int, int]
    nodes: tuple[int, ...]
    positions: tuple[int, ...]
    text_order: tuple[int, ...]


class _PrototypeTable:
    """The distinct prototypes of a region, by number."""

    def __init__(self, signatures: SignatureTable, skeletons: RegionSkeletons) -> None:
        self.signatures, self.constants, self.labels = signatures.signatures, skeletons.constants, skeletons.labels
        self.label_names, self.units = skeletons.label_names, skeletons.units
        self._leading_label = skeletons.leading_label
        self.prototypes: list[Prototype] = []
        self._numbers: dict[tuple[int, int, tuple[ChildGroup, ...]], int] = {}
        self._features: dict[NodeFeatures, NodeFeatures] = {}
        self._mappings: dict[tuple[int, ...], NodeMapping] = {}
        self._blocks: dict[tuple[int, bool, tuple[ChildGroup, ...]], int] = {}
        self._plain_blocks: dict[tuple[object, ...], int] = {}  # by signature and the prototypes of the children
        self._plans: dict[tuple[int, ...], _Plan] = {}
        self._leaves: dict[tuple[int, ...], int] = {}
        self._merged_elements: dict[tuple[int, ...], tuple[str, frozenset[str], tuple[str, ...], str]] = {}
        self._by_number = skeletons.by_number
        self._numbered: dict[tuple[object, ...], NodeMapping] = {}
        self._min_constant = MIN_CONSTANT_SHARE * len(skeletons.of_record)
        # by skeleton, the prototypes of its media by node, and those of each of its texts by the number of the text
        self._leaf_tables: dict[int, tuple[list[int], list[dict[int, int]]]] = {}
        # label and pattern of texts, by number
        self._text_features: list[tuple[str, str]] = []
        self._text_feature_numbers: dict[tuple[str, str], int] = {}
        self._plain = -1  # the number of words without a label or a pattern
        self._number_of_text: dict[str, int] = {}
        self._number_of_label: dict[str, int] = {}

    def mapping(self, skeleton: Skeleton, texts: Sequence[str], columns: Sequence[int]) -> NodeMapping:
        """Return the mapping of a record with these texts, and with its cells in these table columns."""
        if skeleton.labels:
            numbers = [
                self._label_number(text) if leaf.is_label else self._text_number(text)
                for leaf, text in zip(skeleton.leaves, texts, strict=True)
            ]
        else:
            numbers = list(map(self._number_of_text.get, texts, repeat(-1)))
            if -1 in numbers:
                numbers = list(map(self._text_number, texts))
        key = (id(skeleton), *numbers, *columns)
        mapping = self._mappings.get(key)
        if mapping is None:
            mapping = self._mappings[key] = self._mapping(skeleton, numbers, texts, columns)
        return mapping

    def numbered_mapping(self, skeleton: Skeleton, root: int, columns: Sequence[int]) -> tuple[list[str], NodeMapping]:
        """Return the texts and the mapping of a record without bare labels and joined texts, by numbers of texts."""
        if self._plain < 0:
            self._plain = self._numbered_features("", "")
        texts, features = self._by_number.leaves(
            root, skeleton.first_nodes, self._text_number, self._plain, self._min_constant, MAX_MATCHED_CHARS
        )
        key = (id(skeleton), features, *columns)
        mapping = self._numbered.get(key)
        if mapping is None:
            numbers = record_texts.numbers_of_key(features)
            mapping = self._numbered[key] = self._mapping(skeleton, numbers, texts, columns)
        return texts, mapping

    def _text_number(self, text: str) -> int:
        """Return a number for what alignment compares of a text: its label and its pattern."""
        number = self._number_of_text.get(text)
        if number is None:
            leading = self._leading_label(text) if ":" in text else None
            label = leading[0].lower() if leading and leading[0] in self.labels else self.units.get(text, "")
            number = self._number_of_text[text] = self._feature_number(label, text)
        return number

    def _label_number(self, text: str) -> int:
        """Return a number for what alignment compares of a bare label: what it names its value, and its pattern."""
        number = self._number_of_label.get(text)
        if number is None:
            number = self._number_of_label[text] = self._feature_number(self._label(text), text)
        return number

    def _feature_number(self, label: str, text: str) -> int:
        return self._numbered_features(
            label, f"{CONSTANT_SIGN}{text}" if text in self.constants else value_pattern(text)
        )

    def _numbered_features(self, label: str, pattern: str) -> int:
        features = (label, pattern)
        number = self._text_feature_numbers.setdefault(features, len(self._text_features))
        if number == len(self._text_features):
            self._text_features.append(features)
        return number

    def _label(self, text: str) -> str:
        """Return what a bare label names its value."""
        return self.label_names.get(text) or normalized_label(text)

    def _mapping(
        self, skeleton: Skeleton, text_numbers: Sequence[int], texts: Sequence[str], columns: Sequence[int]
    ) -> NodeMapping:
        plan = self._plan(skeleton, columns)
        numbers = self._leaf_numbers(skeleton, text_numbers)
        if skeleton.labels or skeleton.label_of:
            text_of = {leaf.node: text for leaf, text in zip(skeleton.leaves, texts, strict=True)}
            for block in plan.blocks:
                children = tuple(self._child_groups(skeleton, block.groups, numbers, text_of, plan.columns))
                numbers[block.node] = self._block(block.signature, children, is_root=not block.node)
        else:
            for block in plan.blocks:
                numbers[block.node] = self._plain_block(block, numbers)
        return NodeMapping(numbers[0], plan.nodes, plan.positions, plan.text_order)

    def _plan(self, skeleton: Skeleton, columns: Sequence[int]) -> _Plan:
        """Return what the records with a skeleton share; ``columns``: the table columns of its cells, if any."""
        key = (id(skeleton), *columns)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = _new_plan(skeleton, dict(zip(skeleton.cells, columns, strict=False)))
        return plan

    def _plain_block(self, block: _PlannedBlock, numbers: Sequence[int]) -> int:
        """Return the prototype of a block without labels: its children and their columns say what it is."""
        node, signature, groups, columns, members = block
        own: object
        if members is not None:
            own = members(numbers)
        else:
            own = (None, *[(is_list, *[numbers[inner] for inner in nodes]) for nodes, is_list in groups])
        key = (signature, not node, columns, own)
        number = self._plain_blocks.get(key)
        if number is None:
            children = tuple(
                [
                    _new_tuple(ChildGroup, ("", column, is_list, tuple([numbers[inner] for inner in nodes])))
                    for (nodes, is_list), column in zip(groups, columns or repeat(-1), strict=False)
                ]
            )
            number = self._plain_blocks[key] = self._block(signature, children, is_root=not node)
        return number

    def _leaf_numbers(self, skeleton: Skeleton, text_numbers: Sequence[int]) -> list[int]:
        """Return by node the prototypes of a skeleton's texts and media, 0 for other nodes."""
        tables = self._leaf_tables.get(id(skeleton))
        if tables is None:
            numbers = [0] * skeleton.size
            for k in skeleton.order:
                if skeleton.kind[k] == MEDIA:
                    numbers[k] = self._leaf(skeleton, k, -1)
            tables = self._leaf_tables[id(skeleton)] = numbers, [{} for _ in skeleton.leaves]
        numbers = list(tables[0])
        for leaf, by_text, text_number in zip(skeleton.leaves, tables[1], text_numbers, strict=True):
            number = by_text.get(text_number)
            if number is None:
                number = by_text[text_number] = self._leaf(skeleton, leaf.node, text_number)
            numbers[leaf.node] = number
        return numbers

    def _block(self, signature: int, children: tuple[ChildGroup, ...], *, is_root: bool) -> int:
        """Return the prototype of a block."""
        key = (signature, is_root, children)
        number = self._blocks.get(key)
        if number is None:
            features = self._block_features(signature, children, is_root=is_root)
            number = self._blocks[key] = self._number(Prototype(features, features, children))
        return number

    def _leaf(self, skeleton: Skeleton, k: int, text_number: int) -> int:
        """Return the prototype of a text or media node, with the blocks that were merged into it."""
        merged = skeleton.merged_signatures.get(k, (skeleton.signature[k],))
        kind = skeleton.kind[k]
        key = (kind, text_number, *merged)
        number = self._leaves.get(key)
        if number is None:
            label, pattern = self._text_features[text_number] if text_number >= 0 else ("", "")
            leaf_features = features = self._new_features(kind, merged[0], label, pattern)
            if len(merged) > 1:
                tag, words, ordered_words, prop = self._merged_element(tuple(merged))
                features = self._shared(
                    _new_tuple(
                        NodeFeatures, (kind, tag, words, label, pattern, leaf_features.child_words, ordered_words, prop)
                    )
                )
            number = self._leaves[key] = self._number(Prototype(features, leaf_features))
        return number

    def _merged_element(self, merged: tuple[int, ...]) -> tuple[str, frozenset[str], tuple[str, ...], str]:
        """Return tag, words, words in the author's order and property of elements that became one, innermost first."""
        known = self._merged_elements.get(merged)
        if known is None:
            own = [self.signatures[number] for number in merged]
            tag = BUTTON_TAG if any(each.tag == BUTTON_TAG for each in own) else own[-1].tag
            words = frozenset().union(*[each.words for each in own])
            ordered_words = tuple(dict.fromkeys([word for each in own for word in each.ordered_words]))
            prop = next((each.prop for each in own if each.prop), "")
            known = self._merged_elements[merged] = tag, words, ordered_words, prop
        return known

    def _child_groups(
        self,
        skeleton: Skeleton,
        groups: Iterable[tuple[list[int], bool]],
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

    def _block_features(self, signature: int, groups: Sequence[ChildGroup], *, is_root: bool) -> NodeFeatures:
        children = [self.prototypes[member].features for group in groups for member in group.members]
        # a block of one label and its value has the label of the value; a block of several labels has none
        label = (children[0].label or groups[0].label) if children and children[0].kind == TEXT and not is_root else ""
        if label and sum(bool(child.label) for child in children) != 1:
            label = ""
        child_words = {child.tag for child in children}
        child_words.update(*[child.words for child in children])
        return self._new_features(BLOCK, signature, label, "", frozenset(child_words))

    def _new_features(
        self, kind: int, number: int, label: str = "", pattern: str = "", child_words: frozenset[str] = frozenset()
    ) -> NodeFeatures:
        own = self.signatures[number]
        return self._shared(
            _new_tuple(
                NodeFeatures, (kind, own.tag, own.words, label, pattern, child_words, own.ordered_words, own.prop)
            )
        )

    def _shared(self, features: NodeFeatures) -> NodeFeatures:
        """Return the one object for these features, so that alignment can compare features by identity."""
        return self._features.setdefault(features, features)

    def _number(self, prototype: Prototype) -> int:
        # equal features are one object
        key = (id(prototype.features), id(prototype.leaf_features), prototype.groups)
        number = self._numbers.setdefault(key, len(self.prototypes))
        if number == len(self.prototypes):
            self.prototypes.append(prototype)
        return number


def _new_plan(skeleton: Skeleton, columns: Mapping[int, int]) -> _Plan:
    """Return the plan of a skeleton. ``columns``: the table column of each cell, by node, none without a table."""
    groups: Mapping[int, NodeGroups] = skeleton.groups
    order = skeleton.order
    text_order: tuple[int, ...] = ()
    if columns:
        groups = {**groups, 0: _by_column(groups.get(0, []), columns)}
        order = preorder(groups)
        number_of_text = {leaf.node: number for number, leaf in enumerate(skeleton.leaves)}
        text_order = tuple([number_of_text[k] for k in order if k in number_of_text])
    position_of = {k: position for position, k in enumerate(order)}
    positions = tuple([position_of.get(k, -1) for k in skeleton.final_nodes()])
    is_in_order = text_order == tuple(range(len(text_order)))
    blocks = [_planned_block(k, skeleton.signature[k], groups[k], columns) for k in reversed(skeleton.blocks)]
    return _Plan(blocks, columns, tuple(order), positions, () if is_in_order else text_order)


def _planned_block(node: int, signature: int, groups: NodeGroups, columns: Mapping[int, int]) -> _PlannedBlock:
    own = tuple([columns.get(nodes[0], -1) for nodes, _ in groups]) if columns else ()
    are_single = groups and not any(is_list or len(nodes) > 1 for nodes, is_list in groups)
    members = itemgetter(*[nodes[0] for nodes, _ in groups]) if are_single else None
    return _PlannedBlock(node, signature, groups, own if any(k >= 0 for k in own) else None, members)


def _by_column(groups: NodeGroups, columns: Mapping[int, int]) -> NodeGroups:
    """Return the groups in the order of their table columns, since cells that span into a row were read last."""
    if any(columns.get(nodes[0], -1) < 0 for nodes, _ in groups):
        return list(groups)
    return sorted(groups, key=lambda group: columns[group[0][0]])

"""Skeletons: what outlines with the same nodes share whatever their texts, so that each structure is handled once."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from peneira.budget import check_budget
from peneira.columns.label_pairs import label_pairs
from peneira.columns.labels import leading_label
from peneira.columns.outline import Outline
from peneira.columns.outline_shapes import OutlineShape, outline_shapes
from peneira.kernels import compiled
from peneira.page import Page

record_texts = compiled("record_texts")

# A text that more than this share of the records has is part of the template
MIN_CONSTANT_SHARE = 0.5
# Words before a colon are a label if this share of the records has them; a smaller share if no value follows the colon
MIN_LABEL_SHARE = 0.2
MIN_BARE_LABEL_SHARE = 0.05
# Terms recur: there are at most this many different ones for each time that one is used
MAX_TERM_VARIETY = 0.6
# and where no record has two, one of them has at least this share
MIN_ALONE_SHARE = 0.5
# A text of one record alone is a value of that record
MIN_RECORDS = 2

# Flags of a node, beside those that its outline tells. A node's signature number above its flags makes its code
IS_LABEL, STARTS_WITH_LABEL, HAS_LABEL = 1, 8, 32
FLAG_BITS = 6

# The children of a block: nodes that form a list together or stand alone, and whether they are a list
NodeGroups = list[tuple[list[int], bool]]


class TextLeaf(NamedTuple):
    """A node that is a text after the reduction, the first and last node of its text, whether it is a bare label."""

    node: int
    first: int
    last: int
    is_label: bool


class Skeleton:
    """Outlines with the same nodes, whatever their texts; nodes are counted from the root.

    The reduction fills in the rest: ``groups``, the children of each block; ``text_end``, the last node of a joined
    text; ``merged_signatures``, the signatures of a node and of the blocks merged into it, innermost first;
    ``merged_into``, the node that a node became part of; ``order``, ``blocks``, ``leaves``, ``labels`` and ``cells``,
    the nodes that are left, the blocks, texts, labels and table cells among them; ``has_joined_texts``, whether any of
    the texts comes from several nodes; ``first_nodes``, the first node of each text; ``prose_blocks``, the texts made
    of several blocks; ``label_of``, for values with a label elsewhere than in front of them, the node of the label.
    """

    def __init__(
        self,
        signatures: Sequence[int],
        kinds: Sequence[int],
        parents: Sequence[int],
        flags: Sequence[int],
        label_offsets: Sequence[int],
    ) -> None:
        self.signature, self.kind, self.flags, self.label_offset = signatures, list(kinds), flags, label_offsets
        self.size, self.records = len(signatures), 0
        self.parent = parents
        self.children: list[list[int]] = [[] for _ in signatures]
        for k in range(1, self.size):
            self.children[self.parent[k]].append(k)
        self.groups: dict[int, NodeGroups] = {}
        self.text_end = list(range(self.size))
        self.merged_signatures: dict[int, list[int]] = {}
        self.merged_into = list(range(self.size))
        self.paths: list[int] = []
        self.order: list[int] = []
        self.blocks: list[int] = []
        self.leaves: list[TextLeaf] = []
        self.has_joined_texts = False
        self.first_nodes: list[int] = []
        self.prose_blocks: set[int] = set()
        self.labels: set[int] = set()
        self.label_of: dict[int, int] = {}
        self.cells: list[int] = []

    def final_node(self, k: int) -> int:
        """Return the node that a node is part of after the reduction."""
        while self.merged_into[k] != k:
            k = self.merged_into[k]
        return k

    def final_nodes(self) -> list[int]:
        """Return for each node the one that it is part of after the reduction."""
        merged_into = self.merged_into
        return [own if merged_into[own] == own else self.final_node(own) for own in merged_into]

    def code(self, k: int) -> int:
        """Return the signature and the flags of a node as one number."""
        return (self.signature[k] << FLAG_BITS) + self.flags[k]

    def text_leaf(self, k: int) -> TextLeaf:
        """Return a node that became a text, with the nodes of the outline that its text comes from."""
        first = k
        while self.children[first]:
            first = self.children[first][0]
        is_label = k not in self.prose_blocks and bool(self.flags[first] & IS_LABEL)
        return TextLeaf(k, first, self.text_end[k], is_label)


def preorder(groups: Mapping[int, NodeGroups]) -> list[int]:
    """Return the root and all nodes below it in document order, from the children of each block."""
    order, pending = [], [0]
    while pending:
        k = pending.pop()
        order.append(k)
        if own := groups.get(k):
            pending.extend([child for members, _ in reversed(own) for child in reversed(members)])
    return order


def _texts(page: Page, outline: Outline, shapes: Sequence[OutlineShape]) -> list[str]:
    """Return the texts of the nodes of an outline, "" for those that are no texts."""
    texts = [""] * len(outline)
    nodes = [root + k for root, shape in zip(outline.roots, shapes, strict=True) for k in shape.texts]
    rows, ends = outline.row, outline.end
    for k, text in zip(nodes, page.texts_of([(rows[k], ends[k]) for k in nodes]), strict=True):
        texts[k] = text
    return texts


def _numbered_texts(page: Page, outline: Outline) -> Any:
    """Return the texts of the nodes of an outline by number, None where the kernel is not compiled."""
    reading = page.reading
    if record_texts is None or not isinstance(reading[1], memoryview):
        return None
    check_budget()
    hidden = page.hidden.view(np.uint8) if page.hidden.any() else None
    return record_texts.RecordTexts(outline, reading, hidden, page.text_of)


class RegionSkeletons:
    """The skeletons of a region's records, and what their texts have in common.

    ``constants``: the texts of the template; ``labels``: words before a colon that name a value; ``repeated``: the
    texts that several records have; ``by_number``: all texts as the kernel reads them, None where it is not compiled;
    ``label_names`` and ``units``: what labels with several forms, and numbers with their units, are called.
    """

    def __init__(self, page: Page, outline: Outline) -> None:
        self.outline = outline
        self.shapes = outline_shapes(outline)
        self.by_number = _numbered_texts(page, outline)
        if self.by_number is None:
            self.texts = _texts(page, outline, self.shapes)
        else:
            self.texts = self.by_number.texts
        self._label_of: dict[str, tuple[str, bool] | None] = {}
        self.constants, self.labels, self.repeated = self._frequent_texts()
        self.distinct: list[Skeleton] = []
        self.of_record: list[Skeleton] = []
        label_offset: dict[int, int] = {}
        flags = self._label_flags(label_offset)
        marked, at = sorted(flags), 0
        known: dict[tuple[int, tuple[tuple[int, int, int], ...]], Skeleton] = {}
        for shape, (start, stop) in zip(self.shapes, pairwise((*outline.roots, len(outline))), strict=True):
            marks: list[tuple[int, int, int]] = []
            while at < len(marked) and marked[at] < stop:
                k = marked[at]
                marks.append((k - start, flags[k], label_offset.get(k, 0)))
                at += 1
            key = (id(shape), tuple(marks))
            skeleton = known.get(key)
            if skeleton is None:
                skeleton = known[key] = _skeleton(shape, marks)
                self.distinct.append(skeleton)
            skeleton.records += 1
            self.of_record.append(skeleton)

    def leading_label(self, text: str) -> tuple[str, bool] | None:
        """Return the label that a text with a colon starts with, and whether the text has nothing else."""
        try:
            return self._label_of[text]
        except KeyError:
            match = leading_label(text)
            label = (match[1], match.end() == len(text)) if match else None
            self._label_of[text] = label
            return label

    def _text_counts(self) -> Mapping[str, int]:
        """Return how many records have each text."""
        if self.by_number is not None:
            return dict(zip(self.by_number.distinct, self.by_number.records, strict=True))
        counts: Counter[str] = Counter()
        for start, stop in pairwise((*self.outline.roots, len(self.outline))):
            counts.update(set(self.texts[start:stop]))
        return counts

    def _frequent_texts(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Return the texts of the template, the labels, and the texts that several records have."""
        text_counts = self._text_counts()
        self._distinct = text_counts.keys()
        records = len(self.outline.roots)
        least = min(MIN_RECORDS, records)
        repeated = [(text, count) for text, count in text_counts.items() if count >= least]
        constants = frozenset([text for text, count in repeated if text and count > MIN_CONSTANT_SHARE * records])
        return constants, self._frequent_labels(text_counts, least), frozenset([text for text, _ in repeated])

    def _frequent_labels(self, texts: Iterable[str], least: int) -> frozenset[str]:
        """Return the labels that enough records have."""
        labelled = {text: label for text in texts if ":" in text and (label := self.leading_label(text))}
        if not labelled:
            return frozenset()
        label_counts: Counter[str] = Counter()
        bare_label_counts: Counter[str] = Counter()
        records = len(self.outline.roots)
        for start, stop in pairwise((*self.outline.roots, len(self.outline))):
            labels_here = [labelled[text] for text in labelled.keys() & self.texts[start:stop]]
            if labels_here:
                label_counts.update({label for label, _ in labels_here})
                bare_label_counts.update({label for label, is_bare in labels_here if is_bare})
        labels = {label for label, count in label_counts.items() if count >= max(least, MIN_LABEL_SHARE * records)}
        labels |= {
            label for label, count in bare_label_counts.items() if count >= max(least, MIN_BARE_LABEL_SHARE * records)
        }
        return frozenset(labels)

    def _label_flags(self, label_offset: dict[int, int]) -> dict[int, int]:
        """Return the flags of the nodes of the outline that are labels, have one, or start with one.

        Sets how far after a value its label stands, if it has one.
        """
        flags: dict[int, int] = {}
        if self.labels:
            for k, text in enumerate(self.texts):
                label = self.leading_label(text) if ":" in text else None
                if label and label[0] in self.labels:
                    flags[k] = STARTS_WITH_LABEL | (IS_LABEL if label[1] else 0)
        for k in self._terms():
            if k not in flags and self.texts[k] in self.repeated:
                flags[k] = STARTS_WITH_LABEL | IS_LABEL  # a term of one record alone is its title
        self._add_pairs(flags, label_offset)
        parent_offset = self.outline.parent_offset
        for k in sorted(flags, reverse=True):
            while parent_offset[k] == 1:  # a block that starts with a label
                k -= 1
                flags[k] = flags.get(k, 0) | STARTS_WITH_LABEL
        return flags

    def _terms(self) -> set[int]:
        """Return the texts in ``dt`` elements; none if most of them differ, as titles and names of users do."""
        terms = self._texts_in("dt")
        if not terms:
            return terms
        counts = Counter(self.texts[k] for k in terms)
        if len(counts) > MAX_TERM_VARIETY * len(terms) or self._are_alone(terms, counts):
            return set()
        return terms

    def _are_alone(self, terms: set[int], counts: Counter[str]) -> bool:
        """Return whether no record has two terms, none is that of most records, and several values follow most of them,
        as the name of who wrote a post."""
        in_record = self._by_record(terms)
        if max(in_record.values(), default=2) > 1 or max(counts.values()) >= MIN_ALONE_SHARE * len(terms):
            return False
        values = self._by_record(self._texts_in("dd"))
        return 2 * sum(count > 1 for count in values.values()) > len(terms)

    def _by_record(self, nodes: Iterable[int]) -> Counter[int]:
        """Return how many of the nodes each record has."""
        return Counter(bisect_right(self.outline.roots, k) for k in nodes)

    def _texts_in(self, tag: str) -> set[int]:
        """Return the texts right in elements with a tag."""
        outline = self.outline
        tags = {number for number, signature in enumerate(outline.signatures.signatures) if signature.tag == tag}
        if not tags:
            return set()
        return {
            k for k, text in enumerate(self.texts) if text and outline.signature[k - outline.parent_offset[k]] in tags
        }

    def _add_pairs(self, flags: dict[int, int], label_offset: dict[int, int]) -> None:
        """Set the flags of labels without a colon, and of the values beside them."""
        pairs = label_pairs(self.outline, self.shapes, self.texts, flags, self._distinct)
        self.label_names, self.units = pairs.names, pairs.units
        for k in pairs.labels:
            flags[k] = STARTS_WITH_LABEL | IS_LABEL
        for value, label in pairs.label_of.items():
            label_offset[value] = label - value
            flags[value] = flags.get(value, 0) | HAS_LABEL
        if pairs.units:
            for k, text in enumerate(self.texts):
                if text in pairs.units:
                    flags[k] = flags.get(k, 0) | STARTS_WITH_LABEL


def _skeleton(shape: OutlineShape, marks: Sequence[tuple[int, int, int]]) -> Skeleton:
    """Return a new skeleton. ``marks``: nodes with a label, the flags that say so, and how far after them it stands."""
    flags, label_offset = list(shape.flags), [0] * len(shape.flags)
    for k, own, offset in marks:
        flags[k] |= own
        label_offset[k] = offset
    return Skeleton(shape.signature, shape.kind, shape.parent, flags, label_offset)

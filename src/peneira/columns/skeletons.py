"""Skeletons: outlines with the same nodes, whatever their texts, so that each structure is looked at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from peneira.columns.outline import TEXT, Outline
from peneira.columns.value_patterns import label
from peneira.page import Page

# A text that this share of the records has is one of the template's
CONSTANT_SHARE = 0.5
# Words before a colon are a label if this share of the records has them; fewer do if nothing follows the colon
LABEL_SHARE = 0.2
LONE_LABEL_SHARE = 0.05
MIN_LABELLED = 2

# What is known of a node, in bits: it is a label, stands on a line of its own, is a text, starts with a label, has
# attributes that may be data. With its step above them they make a symbol
IS_LABEL, IS_BROKEN, IS_TEXT, IS_LABELLED, IS_TOLD = 1, 2, 4, 8, 16
STEP = 5

# The children of a block; several together where they repeat, and whether they do
Parts = list[tuple[list[int], bool]]


class Leaf(NamedTuple):
    """A node that is a text after the reduction, the first and last node of its text, and whether it is but a label."""

    node: int
    first: int
    last: int
    is_label: bool


class Skeleton:
    """Outlines with the same nodes, whatever their texts; nodes are counted from the root.

    What a reduction makes of them: ``parts`` are the children of a block, marked where they repeat; ``text_end`` is the
    last node of a joined text; ``taken`` are the steps of the blocks that are one with a node, from the inside out;
    ``owner`` is the node that a node became part of; ``order``, ``leaves`` and ``cells`` are the nodes that are left.
    """

    def __init__(self, steps: Sequence[int], kinds: Sequence[int], ups: Sequence[int], flags: Sequence[int]) -> None:
        self.step, self.kind, self.flags = steps, list(kinds), flags
        self.size, self.times = len(steps), 0
        self.kids: list[list[int]] = [[] for _ in steps]
        for k in range(1, self.size):
            self.kids[k - ups[k]].append(k)
        self.parts: dict[int, Parts] = {}
        self.text_end = list(range(self.size))
        self.taken: dict[int, list[int]] = {}
        self.owner = list(range(self.size))
        self.paths: list[int] = []
        self.order: list[int] = []
        self.leaves: list[Leaf] = []
        self.labels: set[int] = set()
        self.cells: list[int] = []

    def owner_of(self, k: int) -> int:
        """Return the node that a node is part of, after the reduction."""
        while self.owner[k] != k:
            k = self.owner[k]
        return k


def symbol_of(skeleton: Skeleton, k: int) -> int:
    """Return a node as a number: its step and its flags."""
    return (skeleton.step[k] << STEP) + skeleton.flags[k]


def leaf_of(skeleton: Skeleton, k: int) -> Leaf:
    """Return a node that became a text, with the nodes of the outline that the text comes from."""
    first = k
    while skeleton.kids[first]:
        first = skeleton.kids[first][0]
    return Leaf(k, first, skeleton.text_end[k], bool(skeleton.flags[first] & IS_LABEL))


def preorder(parts: Mapping[int, Parts]) -> list[int]:
    """Return the nodes below the root, and the root first, given the children of each."""
    order, waiting = [], [0]
    while waiting:
        k = waiting.pop()
        order.append(k)
        waiting.extend(reversed([kid for members, _ in parts.get(k, ()) for kid in members]))
    return order


class Skeletons:
    """The skeletons of a region's records, and what their texts have in common."""

    def __init__(self, page: Page, outline: Outline) -> None:
        self.outline = outline
        rows, ends = outline.row, outline.end
        self.texts = [page.text_of(rows[k], ends[k]) if kind == TEXT else "" for k, kind in enumerate(outline.kind)]
        self.constants, self.leads, self.repeated = self._frequent()
        flags = self._flags()
        self.all: list[Skeleton] = []
        self.of_record: list[Skeleton] = []
        known: dict[tuple[tuple[int, ...], ...], Skeleton] = {}
        for record in range(len(outline.roots)):
            nodes = outline.nodes(record)
            part = slice(nodes.start, nodes.stop)
            key = tuple(outline.step[part]), tuple(outline.kind[part]), tuple(outline.up[part]), tuple(flags[part])
            skeleton = known.get(key)
            if skeleton is None:
                skeleton = known[key] = Skeleton(*key)
                self.all.append(skeleton)
            skeleton.times += 1
            self.of_record.append(skeleton)

    def _frequent(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Return the texts of the template, the labels, and the texts that several records have."""
        holders: Counter[str] = Counter()
        labelled: Counter[str] = Counter()
        alone: Counter[str] = Counter()
        records = len(self.outline.roots)
        for record in range(records):
            nodes = self.outline.nodes(record)
            texts = set(self.texts[nodes.start : nodes.stop])
            holders.update(texts)
            matches = [(label(text), text) for text in texts if ":" in text]
            labelled.update({match[1] for match, _ in matches if match})
            alone.update({match[1] for match, text in matches if match and match.end() == len(text)})
        least = min(MIN_LABELLED, records)
        constants = {text for text, n in holders.items() if text and n > CONSTANT_SHARE * records and n >= least}
        leads = {name for name, n in labelled.items() if n >= max(least, LABEL_SHARE * records)}
        leads |= {name for name, n in alone.items() if n >= max(least, LONE_LABEL_SHARE * records)}
        repeated = {text for text, n in holders.items() if n >= least}
        return frozenset(constants), frozenset(leads), frozenset(repeated)

    def _flags(self) -> list[int]:
        """Return what is known of each node in one number."""
        out = self.outline
        flags = [
            (kind == TEXT) * IS_TEXT + broken * IS_BROKEN + told * IS_TOLD
            for kind, broken, told in zip(out.kind, out.is_broken, out.is_told, strict=True)
        ]
        terms = {number for number, step in enumerate(out.steps.all) if step.tag == "dt"}
        for k, text in enumerate(self.texts):
            if not text:
                continue
            match = label(text) if ":" in text else None
            if match and match[1] in self.leads:
                flags[k] |= IS_LABELLED | (IS_LABEL if match.end() == len(text) else 0)
            elif text in self.repeated and out.step[k - out.up[k]] in terms:  # a term of one record alone is its title
                flags[k] |= IS_LABELLED | IS_LABEL
        for k in range(len(out) - 1, 0, -1):  # a block that starts with a label
            if out.up[k] == 1 and flags[k] & IS_LABELLED:
                flags[k - 1] |= IS_LABELLED
        return flags

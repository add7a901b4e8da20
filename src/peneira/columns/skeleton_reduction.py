"""The reduction of a skeleton to the nodes that alignment compares."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.columns.outline import BLOCK, MEDIA, TEXT
from peneira.columns.outline_shapes import HAS_ATTRIBUTES
from peneira.columns.prose_and_lists import ProseAndLists
from peneira.columns.skeletons import NodeGroups, Skeleton, preorder
from peneira.columns.table_grid import CELL_TAGS


def reduce_skeleton(skeleton: Skeleton, prose_and_lists: ProseAndLists) -> None:
    """Join the texts of prose, group the items of lists, merge blocks into the single text or media they contain, and
    drop nodes that contain nothing."""
    _Reduction(skeleton, prose_and_lists).run()


class _Reduction:
    def __init__(self, skeleton: Skeleton, prose_and_lists: ProseAndLists) -> None:
        self.skeleton, self.prose_and_lists = skeleton, prose_and_lists
        self.is_kept = [True] * skeleton.size

    def run(self) -> None:
        """Reduce the skeleton, from the leaves up."""
        skeleton = self.skeleton
        for k in range(skeleton.size - 1, -1, -1):
            if skeleton.kind[k] == BLOCK:
                self._reduce_block(k)
        skeleton.order = preorder(skeleton.groups)
        skeleton.blocks = [k for k in skeleton.order if skeleton.kind[k] == BLOCK]
        skeleton.leaves = [skeleton.text_leaf(k) for k in skeleton.order if skeleton.kind[k] == TEXT]
        skeleton.has_joined_texts = any(leaf.first != leaf.last for leaf in skeleton.leaves)
        skeleton.first_nodes = [leaf.first for leaf in skeleton.leaves]
        skeleton.labels = {leaf.node for leaf in skeleton.leaves if leaf.is_label}
        skeleton.label_of = {
            skeleton.final_node(k): skeleton.final_node(k + offset)
            for k, offset in enumerate(skeleton.label_offset)
            if offset
        }
        signatures = self.prose_and_lists.signatures.signatures
        skeleton.cells = [k for k in skeleton.order if signatures[skeleton.signature[k]].tag in CELL_TAGS]

    def _reduce_block(self, k: int) -> None:
        skeleton = self.skeleton
        is_kept = self.is_kept
        children = [child for child in skeleton.children[k] if is_kept[child]]
        if skeleton.paths[k] in self.prose_and_lists.paths:
            groups = self._groups(k, children)
            only = groups[0][0][0] if len(groups) == 1 and len(groups[0][0]) == 1 and not groups[0][1] else None
        else:
            groups = [([child], False) for child in children]
            only = children[0] if len(children) == 1 else None
        if not groups and k:
            self.is_kept[k] = bool(skeleton.flags[k] & HAS_ATTRIBUTES)
            skeleton.kind[k] = MEDIA
        elif only is not None and k and skeleton.kind[only] != BLOCK:
            skeleton.kind[k] = skeleton.kind[only]
            skeleton.merged_into[only] = k
            inner = skeleton.merged_signatures.get(only, [skeleton.signature[only]])
            skeleton.merged_signatures[k] = [*inner, skeleton.signature[k]]
            skeleton.text_end[k] = skeleton.text_end[only]
            skeleton.children[k] = [only]
            if only in skeleton.prose_blocks:
                skeleton.prose_blocks.add(k)
        else:
            skeleton.groups[k] = groups

    def _groups(self, k: int, children: Sequence[int]) -> NodeGroups:
        """Return the children of a block at a path with prose or lists in groups; join those that are one text."""
        path = self.skeleton.paths[k]
        groups: NodeGroups = []
        sequence = tuple([self.skeleton.code(child) for child in children])
        for start, end, handling in self.prose_and_lists.plan(path, sequence):
            members = list(children[start:end])
            if handling == "join":
                self._join(members)
                members = members[:1]
            elif handling == "prose":
                self._join_blocks(members, self.prose_and_lists.blocks.signature(path))
                members = members[:1]
            groups.append((members, handling == "list"))
        return groups

    def _join(self, members: Sequence[int]) -> None:
        """Make one text of several that follow each other."""
        first = members[0]
        self.skeleton.text_end[first] = members[-1]
        self.skeleton.merged_signatures[first] = [0]
        for member in members[1:]:
            self.skeleton.merged_into[member] = first

    def _join_blocks(self, members: Sequence[int], signature: int) -> None:
        """Make one text of blocks and all that they contain; only pictures keep their attributes."""
        skeleton, first, last = self.skeleton, members[0], self._last_node(members[-1])
        for k in range(first + 1, last + 1):
            skeleton.merged_into[k] = first if skeleton.kind[k] == MEDIA else k
            skeleton.groups.pop(k, None)
        skeleton.groups.pop(first, None)
        skeleton.kind[first] = TEXT
        skeleton.text_end[first] = last
        skeleton.merged_signatures[first] = [signature]
        skeleton.prose_blocks.add(first)

    def _last_node(self, k: int) -> int:
        """Return the last node of the outline inside a node."""
        last = k + 1
        while last < self.skeleton.size and self.skeleton.parent[last] >= k:
            last += 1
        return last - 1

"""Decision forests: trained elsewhere (LightGBM, ``peneira train``), read from a file, scored, explained.

A forest is a few parallel arrays over the nodes of all its trees. The right child follows the left one. A leaf is its
own left child with an infinite threshold, so all rows of a table descend all trees at once, in as many steps as the
deepest tree has levels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import running_sum
from peneira.budget import check_budget
from peneira.kernels import compiled

Numbers = NDArray[np.float64]
Nodes = NDArray[np.int32]

forest_walk = compiled("forest_walk")
forest_masks = compiled("forest_masks")

FORMAT = "peneira-forest"
# 1: JSON; 2: a line of JSON, then the arrays
VERSION = 1
BINARY_VERSION = 2
SUFFIX = ".forest"
_BINARY_START = f'{{"format":"{FORMAT}","version":{BINARY_VERSION},'.encode()
# A node with children is written as feature, threshold, left child, value
ROW_LENGTH = 4

# Numpy's descent needs about 30 bytes per row and tree: a list of 100,000 members took 430 MB at once
BATCH_ROWS = 8192


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees over named features: at a node, ``feature <= threshold`` goes to ``left``, any other row to ``left + 1``.

    ``value`` of a node is the mean of its leaves. The score of a row is the sum of the values of the leaves it reaches.
    """

    names: tuple[str, ...]
    roots: Nodes
    feature: Nodes
    threshold: Numbers
    left: Nodes
    value: Numbers
    depth: int
    _packed: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)
    _masks: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)
    _of_columns: list[Forest] = field(default_factory=list, init=False, repr=False, compare=False)
    _joined: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)
    _splits: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle keeps: the trees, not what was made of them for the processor at hand."""
        trees = (self.names, self.roots, self.feature, self.threshold, self.left, self.value, self.depth)
        return Forest, trees

    def predict(self, table: Numbers) -> Numbers:
        """Return one score per row of ``table``, whose columns are ``names``."""
        if table.shape[1] != len(self.names):
            raise ValueError(f"the table has {table.shape[1]} columns, the forest needs {len(self.names)}")
        masks = self._leaf_masks()
        if masks is None and not self._has_walk():
            return self.predict_plain(table)
        scores = np.zeros(len(table))
        table = np.ascontiguousarray(table, dtype=np.float64)
        for start in range(0, len(table), BATCH_ROWS):
            check_budget()
            rows = slice(start, start + BATCH_ROWS)
            if masks is not None:
                masks.add_scores(table[rows], scores[rows])
                continue
            nodes, levels = self._packed_nodes()
            forest_walk.descend(table[rows], self.roots, levels, nodes, self.value, scores[rows])
        return scores

    def predict_alike(self, table: Numbers, shared: int, ends: NDArray[np.int64]) -> Numbers:
        """Return one score per row, where rows come in groups with the first ``shared`` features in common.

        ``ends``: where each group ends. What rows have in common is looked at once per group.
        """
        splits = self._splits_by_feature() if forest_walk is not None and len(ends) else None
        if splits is None or table.shape[1] != len(self.names):
            return self.predict(table)
        check_budget()
        scores = np.zeros(len(table))
        forest_walk.score_groups(table, ends, shared, *splits, scores)
        return scores

    def _splits_by_feature(self) -> Any:
        """Return the nodes of the trees by feature as the kernel reads them, None where it cannot; made once."""
        if not self._splits:
            is_split = bool((self.left != np.arange(len(self.left))).any())
            width = len(self.names)
            arrays = (self.threshold, self.feature, self.left, self.roots, self.value)
            self._splits.append(forest_walk.splits_by_feature(*arrays, width) if is_split else None)
        return self._splits[0]

    def predict_columns(self, table: Numbers, places: NDArray[np.int64]) -> Numbers:
        """Return one score per column of ``table``, whose rows ``places`` are ``names``."""
        if len(places) != len(self.names):
            raise ValueError(f"the table has {len(places)} rows, the forest needs {len(self.names)}")
        masks = self._leaf_masks()
        if masks is None and not self._has_walk():
            return self.predict_plain(table[places].T)
        scores = np.zeros(table.shape[1])
        check_budget()
        if masks is not None:
            masks.add_scores_of_columns(table, places, scores)
            return scores
        nodes, _ = self._packed_nodes()
        forest_walk.descend_columns(table, places, self.roots, nodes, self.value, scores)
        return scores

    def predict_groups(self, row: Numbers, ends: NDArray[np.int64]) -> Numbers:
        """Return a score of one row per group of trees; ``ends``: the number of trees up to the end of each group."""
        if len(row) != len(self.names):
            raise ValueError(f"the row has {len(row)} features, the forest needs {len(self.names)}")
        scores: Numbers
        if (masks := self._leaf_masks()) is not None:
            scores = masks.scores_of_groups(row, ends)
            return scores
        if self._has_walk():
            nodes, levels = self._packed_nodes()
            scores = forest_walk.scores_of_groups(row, self.roots, levels, nodes, self.value, ends)
            return scores
        *_, node = self._descend(row[None])
        values = np.split(self.value[node[0]], ends[:-1])
        return np.array([own.cumsum()[-1] if len(own) else 0.0 for own in values])

    def of_columns(self, names: tuple[str, ...]) -> Forest:
        """Return the same trees for tables with these columns, among which are those of the forest; made once."""
        if names is self.names:
            return self
        for known in self._of_columns:
            if known.names is names:
                return known
        number = {name: k for k, name in enumerate(names)}
        columns = np.array([number[name] for name in self.names], dtype=np.int32)
        other = replace(self, names=names, feature=columns[self.feature])
        self._of_columns.append(other)
        return other

    def joined_with(self, others: Sequence[Forest]) -> tuple[Forest, NDArray[np.int64]]:
        """Return this forest and others of the same features as one, and where the trees of each end; made once."""
        if not self._joined or any(a is not b for a, b in zip_longest(self._joined[0], others)):
            forests = (self, *others)
            ends = np.cumsum([len(forest.roots) for forest in forests], dtype=np.int64)
            self._joined[:] = (tuple(others), blend(forests, [1.0] * len(forests)), ends)
        _, joined, ends = self._joined
        return joined, ends

    def predict_plain(self, table: Numbers) -> Numbers:
        """Return the same scores with numpy alone, which takes a few times as long."""
        scores = np.zeros(len(table))
        for start in range(0, len(table), BATCH_ROWS):
            check_budget()
            batch = slice(start, start + BATCH_ROWS)
            *_, node = self._descend(table[batch])
            if len(self.roots):
                scores[batch] = self.value[node].cumsum(axis=1)[:, -1]  # in the order of the trees, as the kernel adds
        return scores

    def contributions(self, table: Numbers) -> Numbers:
        """Return how much each feature moved the score of each row away from the mean of the roots.

        Every step down a tree changes the mean target; the change is credited to the feature that the node splits on
        (Saabas 2014). The contributions of a row and the roots' values add up to its score.
        """
        contributions = np.zeros(table.shape)
        if forest_walk is not None:
            table = np.ascontiguousarray(table, dtype=np.float64)
            nodes, _ = self._packed_nodes()
            forest_walk.credit(table, self.roots, self.depth, nodes, self.value, contributions)
            return contributions
        return self.contributions_plain(table)

    def _leaf_masks(self) -> Any:
        """Return the trees with bits for their leaves, None where the kernel cannot score them so; made once."""
        if not self._masks:
            has_kernel = forest_masks is not None and forest_masks.is_wide()
            arrays = (self.threshold, self.feature, self.left, self.roots, self.value)
            self._masks.append(forest_masks.masks_of(*arrays, len(self.names)) if has_kernel else None)
        return self._masks[0]

    def _has_walk(self) -> bool:
        """Return whether the kernel goes down the trees: where there are no features, all of them are leaves."""
        return forest_walk is not None and bool(self.names)

    def _packed_nodes(self) -> tuple[Any, Any]:
        """Return the nodes as the kernel reads them and the levels of each tree; made once."""
        if not self._packed:  # replaced as a whole, as two threads may get here
            self._packed[:] = forest_walk.packed(self.threshold, self.feature, self.left, self.roots)
        nodes, levels = self._packed
        return nodes, levels

    def contributions_plain(self, table: Numbers) -> Numbers:
        """Return the same contributions with numpy alone."""
        contributions = np.zeros(table.shape)
        rows = np.arange(len(table))[:, None]
        before: Nodes | None = None
        for node in self._descend(table):
            if before is not None:
                np.add.at(contributions, (rows, self.feature[before]), self.value[node] - self.value[before])
            before = node
        return contributions

    def _descend(self, table: Numbers) -> Iterator[Nodes]:
        """Yield the node that each row (first axis) has reached in each tree (second axis), from roots to leaves."""
        flat, width = np.ascontiguousarray(table, dtype=np.float64).ravel(), table.shape[1]
        offset = (np.arange(len(table), dtype=np.int32) * width)[:, None]
        node = np.broadcast_to(self.roots, (len(table), len(self.roots)))
        yield node
        for _ in range(self.depth):
            node = self.left[node] + (flat[offset + self.feature[node]] > self.threshold[node])
            yield node

    def to_json(self) -> str:
        """Return the forest as a JSON document, one line per tree."""
        head = {"format": FORMAT, "version": VERSION, "names": list(self.names)}
        edges = [*self.roots.tolist(), len(self.value)]
        lines = [json.dumps(self._tree(a, b), separators=(",", ":")) for a, b in pairwise(edges)]
        return json.dumps(head)[:-1] + ', "trees": [\n' + ",\n".join(lines) + "\n]}\n"

    def _tree(self, start: int, end: int) -> list[list[float]]:
        """Return a tree as rows of feature, threshold, left child and value; the row of a leaf is its value alone."""
        return [
            [_short(self.value[i])]
            if self.left[i] == i
            else [int(self.feature[i]), _short(self.threshold[i]), int(self.left[i] - start), _short(self.value[i])]
            for i in range(start, end)
        ]

    @classmethod
    def from_json(cls, text: str) -> Forest:
        """Return the forest that a JSON document holds."""
        data: Mapping[str, Any] = json.loads(text)
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"not a {FORMAT} document of version {VERSION}")
        return forest_from_trees(data["names"], data["trees"])

    def to_bytes(self) -> bytes:
        """Return the forest as it is in a file: a line of JSON, then its arrays, which are read without parsing.

        Numbers are those of ``to_json``: rounded to six digits.
        """
        head = {
            "format": FORMAT, "version": BINARY_VERSION, "depth": self.depth, "trees": len(self.roots),
            "nodes": len(self.value), "names": list(self.names),
        }  # fmt: skip
        node = np.arange(len(self.left), dtype=np.int32)
        is_leaf = self.left == node
        thresholds = [0.0 if leaf else _short(value) for leaf, value in zip(is_leaf, self.threshold, strict=True)]
        arrays = (
            np.array(thresholds, dtype="<f8"),
            np.array([_short(value) for value in self.value], dtype="<f8"),
            self.roots.astype("<i4"),
            # from a node to its left child: 0 for a leaf
            (self.left - node).astype("<u2"),
            self.feature.astype("<u2"),
        )
        line = json.dumps(head, separators=(",", ":")).encode() + b" " * 8
        return line[: len(line) // 8 * 8 - 1] + b"\n" + b"".join(array.tobytes() for array in arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Forest:
        """Return the forest that a file of either version holds."""
        if not data.startswith(_BINARY_START):
            return cls.from_json(data.decode("utf-8"))
        line, newline, _ = data.partition(b"\n")
        head: Mapping[str, Any] = json.loads(line)
        nodes, trees, offset = int(head["nodes"]), int(head["trees"]), len(line) + len(newline)
        arrays = []
        for dtype, count in (("<f8", nodes), ("<f8", nodes), ("<i4", trees), ("<u2", nodes), ("<u2", nodes)):
            array = np.frombuffer(data, dtype=dtype, count=count, offset=offset)
            arrays.append(array)
            offset += array.nbytes
        threshold, value, roots, step, feature = arrays
        left = np.arange(nodes, dtype=np.int32) + step.astype(np.int32)
        threshold = np.where(step == 0, np.inf, threshold)
        has_children = step > 0
        if bool((feature >= len(head["names"])).any()) or bool((left[has_children] + 1 >= nodes).any()):
            raise ValueError("a node of a tree has a feature or a child that does not exist")
        if bool((roots < 0).any()) or bool((roots >= nodes).any()) or bool((np.diff(roots) <= 0).any()):
            raise ValueError("a tree begins where it cannot")
        roots, feature = roots.astype(np.int32), feature.astype(np.int32)
        return cls(tuple(head["names"]), roots, feature, threshold, left, value.astype(np.float64), int(head["depth"]))


def read_forest(folder: Path, name: str) -> Forest:
    """Return the forest of a folder of models, of either version."""
    file = folder / f"{name}{SUFFIX}"
    return Forest.from_bytes((file if file.is_file() else folder / f"{name}.json").read_bytes())


def write_forest(folder: Path, name: str, forest: Forest) -> Path:
    """Write a forest to a folder of models, in place of one of the version before; return its file."""
    file = folder / f"{name}{SUFFIX}"
    file.write_bytes(forest.to_bytes())
    (folder / f"{name}.json").unlink(missing_ok=True)
    return file


def has_forest(folder: Path, name: str) -> bool:
    """Return whether a folder of models has a forest."""
    return any((folder / f"{name}{suffix}").is_file() for suffix in (SUFFIX, ".json"))


def forest_from_trees(names: Sequence[str], trees: Sequence[Sequence[Sequence[float]]]) -> Forest:
    """Return the forest of trees given as rows (see ``Forest._tree``), parents before their children."""
    sizes = np.array([len(tree) for tree in trees], dtype=np.int64)
    ends = np.cumsum(sizes)
    start, end = np.repeat(ends - sizes, sizes), np.repeat(ends, sizes)
    columns, is_leaf = _columns(list(chain.from_iterable(trees)))
    feature, threshold, left, value = columns
    node = np.arange(len(is_leaf))
    child = np.where(is_leaf, node, start + left)
    feature = np.where(is_leaf, 0, feature)
    if not sizes.all():
        raise ValueError("a tree has no node")
    is_right = (feature >= 0) & (feature < len(names)) & (child > node) & (child + 1 < end)  # a number, too
    for k in np.flatnonzero(~is_right & ~is_leaf)[:1].tolist():
        node_name = f"node {k - start[k]} of a tree"
        raise ValueError(f"{node_name} has feature {feature[k]:g} and child {left[k]:g}, one of which does not exist")
    roots, children = (ends - sizes).astype(np.int32), child.astype(np.int32)
    threshold = np.where(is_leaf, np.inf, threshold)
    return Forest(tuple(names), roots, feature.astype(np.int32), threshold, children, value, _depth(roots, children))


def _columns(rows: Sequence[Sequence[float]]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return feature, threshold, left child and value of each row, and which rows are leaves (a value alone)."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    is_leaf = lengths == 1
    if not bool((is_leaf | (lengths == ROW_LENGTH)).all()):
        raise ValueError(f"a node of a tree has neither 1 nor {ROW_LENGTH} numbers")
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.float64, count=int(lengths.sum()))
    first = running_sum(lengths)[:-1]
    return flat[first + np.arange(ROW_LENGTH)[:, None] * ~is_leaf], is_leaf


def _depth(roots: Nodes, left: Nodes) -> int:
    """Return how many steps the longest path from a root to a leaf has."""
    depth, level = 0, roots[left[roots] != roots]
    while len(level):
        below = np.concatenate((left[level], left[level] + 1))
        depth, level = depth + 1, below[left[below] != below]
    return depth


def blend(forests: Sequence[Forest], weights: Sequence[float]) -> Forest:
    """Return one forest whose score is the weighted sum of the forests' scores.

    All forests must have the same features.
    """
    if len({forest.names for forest in forests}) != 1:
        raise ValueError("only forests with the same features can be blended")
    starts = running_sum([len(forest.value) for forest in forests])[:-1].tolist()
    parts = list(zip(forests, starts, weights, strict=True))
    return Forest(
        forests[0].names,
        np.concatenate([forest.roots + start for forest, start, _ in parts]).astype(np.int32),
        np.concatenate([forest.feature for forest in forests]),
        np.concatenate([forest.threshold for forest in forests]),
        np.concatenate([forest.left + start for forest, start, _ in parts]).astype(np.int32),
        np.concatenate([forest.value * weight for forest, _, weight in parts]),
        max(forest.depth for forest in forests),
    )


def _short(value: float) -> float:
    """Return the value as it is written: rounded to six digits."""
    return float(f"{value:.6g}")

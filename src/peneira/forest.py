"""Decision forests in plain numpy: trained elsewhere (LightGBM, ``peneira train``), read from JSON, scored, explained.

A forest is a few parallel arrays over the nodes of all its trees. The right child stands behind the left one, and a
leaf is its own left child that nothing passes, so that every row of a table walks down all trees at once, in as many
steps as the deepest tree has levels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira import descent

Numbers = NDArray[np.float64]
Nodes = NDArray[np.int32]

# Without a compiler the loop of the kernel would take longer than numpy
IS_COMPILED = not (descent.__file__ or "").endswith(".py")

FORMAT = "peneira-forest"
VERSION = 1

# A walk holds some 30 bytes for each row and tree: a list of 100,000 members took 430 MB at once
ROWS_AT_ONCE = 8192


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees over named figures: from a node, ``figure <= threshold`` goes to ``left``, any other to the node behind it.

    ``value`` of a node is the mean of its leaves.
    The score of a row is the sum of the values of the leaves that it reaches.
    """

    names: tuple[str, ...]
    roots: Nodes
    feature: Nodes
    threshold: Numbers
    left: Nodes
    value: Numbers
    depth: int

    def predict(self, table: Numbers) -> Numbers:
        """Return one score per row of ``table``, whose columns are ``names``."""
        if table.shape[1] != len(self.names):
            raise ValueError(f"the table has {table.shape[1]} columns, the forest asks for {len(self.names)}")
        if IS_COMPILED:
            scores = np.zeros(len(table))
            table = np.asarray(table, dtype=np.float64)
            descent.descend(table, self.roots, self.feature, self.threshold, self.left, self.value, scores)
            return scores
        return self.predict_plain(table)

    def predict_plain(self, table: Numbers) -> Numbers:
        """Return the same scores by numpy alone, in a few times the time."""
        scores = np.zeros(len(table))
        for start in range(0, len(table), ROWS_AT_ONCE):
            those = slice(start, start + ROWS_AT_ONCE)
            *_, node = self._walk(table[those])
            if len(self.roots):
                scores[those] = self.value[node].cumsum(axis=1)[:, -1]  # in the order of the trees, as the kernel adds
        return scores

    def contributions(self, table: Numbers) -> Numbers:
        """Return how much each figure moved the score of each row away from the mean of the roots.

        Every step down a tree changes the mean target; the change is credited to the figure that was asked about
        (Saabas 2014). The credits of a row and the roots' values add up to its score.
        """
        credit = np.zeros(table.shape)
        rows = np.arange(len(table))[:, None]
        before: Nodes | None = None
        for node in self._walk(table):
            if before is not None:
                np.add.at(credit, (rows, self.feature[before]), self.value[node] - self.value[before])
            before = node
        return credit

    def _walk(self, table: Numbers) -> Iterator[Nodes]:
        """Yield where each row (first axis) stands in each tree (second axis), from the roots to the leaves."""
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
        """Return a tree as rows of feature, threshold, left, value; a leaf has its value alone."""
        return [
            [_short(self.value[i])]
            if self.left[i] == i
            else [int(self.feature[i]), _short(self.threshold[i]), int(self.left[i] - start), _short(self.value[i])]
            for i in range(start, end)
        ]

    @classmethod
    def from_json(cls, text: str) -> Forest:
        """Return the forest of a JSON document."""
        data: Mapping[str, Any] = json.loads(text)
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"not a {FORMAT} document of version {VERSION}")
        return grown(data["names"], data["trees"])


def grown(names: Sequence[str], trees: Sequence[Sequence[Sequence[float]]]) -> Forest:
    """Return the forest of trees written as rows (see ``Forest._tree``), parents before their children."""
    roots = np.cumsum([0, *(len(tree) for tree in trees)])
    rows: list[tuple[float, float, float, float]] = []
    depth = 0
    for start, tree in zip(roots.tolist(), trees, strict=False):
        level = [0] * len(tree)
        for i, row in enumerate(tree):
            if len(row) == 1:
                rows.append((0, np.inf, start + i, row[0]))
                depth = max(depth, level[i])
                continue
            feature, threshold, left, value = row
            if not (0 <= feature < len(names) and i < left < len(tree) - 1):
                raise ValueError(
                    f"node {i} of a tree asks for figure {feature:g} and goes on at {left:g}: there is no such"
                )
            level[int(left)] = level[int(left) + 1] = level[i] + 1
            rows.append((feature, threshold, start + left, value))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    feature, left = columns[0].astype(np.int32), columns[2].astype(np.int32)
    return Forest(tuple(names), roots[:-1].astype(np.int32), feature, columns[1].copy(), left, columns[3].copy(), depth)


def _short(value: float) -> float:
    return float(f"{value:.6g}")

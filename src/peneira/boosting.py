"""Gradient-boosted oblivious trees: all nodes of a level ask the same question, so numpy answers for all trees at once.

Friedman, "Greedy function approximation" (2001); oblivious trees as in Prokhorenkova et al., "CatBoost" (2018).
Training and scoring need numpy alone, equal data gives equal trees, and a model is a small JSON document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

FORMAT = "peneira-oblivious-trees"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Model:
    """An ensemble: at level k, tree t asks ``features[t, k] > thresholds[t, k]``; the answers pick the leaf to add."""

    names: tuple[str, ...]
    features: NDArray[np.int64]
    thresholds: Numbers
    leaves: Numbers
    base: float

    def predict(self, table: Numbers) -> Numbers:
        """Return one score per row of ``table``, whose columns are ``names``."""
        trees, depth = self.features.shape
        leaf = np.zeros((len(table), trees), dtype=np.int64)
        for level in range(depth):
            leaf += (table[:, self.features[:, level]] > self.thresholds[:, level]).astype(np.int64) << level
        picked: Numbers = self.leaves[np.arange(trees), leaf].sum(axis=1)
        return self.base + picked

    def to_json(self) -> str:
        """Return the model as a JSON document, one line per tree."""
        trees = [
            {"features": f.tolist(), "thresholds": [_short(t) for t in th], "leaves": [_short(v) for v in le]}
            for f, th, le in zip(self.features, self.thresholds, self.leaves, strict=True)
        ]
        head = {"format": FORMAT, "version": VERSION, "base": _short(self.base), "names": list(self.names)}
        lines = ",\n".join("  " + json.dumps(tree, separators=(",", ":")) for tree in trees)
        return json.dumps(head)[:-1] + ', "trees": [\n' + lines + "\n]}\n"

    @classmethod
    def from_json(cls, text: str) -> Model:
        """Return the model of a JSON document."""
        data: Mapping[str, Any] = json.loads(text)
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"not a {FORMAT} document of version {VERSION}")
        trees = data["trees"]
        return cls(
            names=tuple(data["names"]),
            features=np.array([tree["features"] for tree in trees], dtype=np.int64),
            thresholds=np.array([tree["thresholds"] for tree in trees], dtype=np.float64),
            leaves=np.array([tree["leaves"] for tree in trees], dtype=np.float64),
            base=float(data["base"]),
        )


def _short(value: float) -> float:
    return float(f"{value:.6g}")


@dataclass(frozen=True, slots=True)
class Training:
    """How a model is trained."""

    trees: int = 200
    depth: int = 5
    rate: float = 0.1
    bins: int = 32
    penalty: float = 5.0  # weight of rows that say 0 in every leaf: keeps small leaves modest
    least_weight: float = 20.0  # a split must leave this weight of rows on both sides
    rows: float = 0.7  # share of the rows that each tree sees
    columns: float = 0.6  # share of the features that each tree may ask about
    seed: int = 1


DEFAULT_TRAINING = Training()


def fit(
    table: Numbers, target: Numbers, weight: Numbers, names: Sequence[str], how: Training = DEFAULT_TRAINING
) -> Model:
    """Return the model that predicts ``target`` from the rows of ``table`` with the least weighted squared error."""
    chance = np.random.default_rng(how.seed)
    edges = [_edges(column, how.bins) for column in table.T]
    binned = np.column_stack([np.searchsorted(cuts, column) for cuts, column in zip(edges, table.T, strict=True)])
    base = float(np.average(target, weights=weight))
    score = np.full(len(target), base)
    features, thresholds, leaves = [], [], []
    for _ in range(how.trees):
        seen = chance.random(len(target)) < how.rows
        asked = np.sort(chance.permutation(table.shape[1])[: max(1, int(how.columns * table.shape[1]))])
        residual = (target - score) * weight
        questions, leaf = _grown(binned, residual * seen, weight * seen, asked, edges, how)
        total = np.bincount(leaf, residual * seen, minlength=1 << how.depth)
        mass = np.bincount(leaf, weight * seen, minlength=1 << how.depth)
        values = how.rate * total / (mass + how.penalty)
        score += values[leaf]
        features.append([feature for feature, _ in questions])
        thresholds.append([float(edges[feature][cut]) for feature, cut in questions])
        leaves.append(values)
    return Model(tuple(names), np.array(features), np.array(thresholds), np.array(leaves), base)


def _edges(column: Numbers, bins: int) -> Numbers:
    """Return the thresholds that cut a column into parts of about equal size; rounded, as they are written to JSON."""
    cuts = np.unique(np.quantile(column, np.linspace(0, 1, bins + 1)[1:-1], method="lower"))
    return np.array([_short(cut) for cut in cuts]) if len(cuts) else np.array([0.0])


def _grown(
    binned: NDArray[np.int64],
    residual: Numbers,
    weight: Numbers,
    asked: NDArray[np.int64],
    edges: Sequence[Numbers],
    how: Training,
) -> tuple[list[tuple[int, int]], NDArray[np.int64]]:
    """Return the questions of one tree, level by level the one that explains most, and the leaf of each row."""
    leaf = np.zeros(len(binned), dtype=np.int64)
    questions: list[tuple[int, int]] = []
    for level in range(how.depth):
        best = (-1.0, int(asked[0]), 0)
        for feature in asked.tolist():
            width = len(edges[feature]) + 1
            if width < 2:
                continue
            cell = leaf * width + binned[:, feature]
            totals, masses = (_sums(cell, values, width << level, width) for values in (residual, weight))
            gain, cut = _best_cut(totals, masses, how)
            if gain > best[0]:
                best = (gain, feature, cut)
        _, feature, cut = best
        questions.append((feature, cut))
        leaf += (binned[:, feature] > cut).astype(np.int64) << level
    return questions, leaf


def _sums(cell: NDArray[np.int64], values: Numbers, cells: int, width: int) -> Numbers:
    return np.bincount(cell, values, minlength=cells).astype(np.float64).reshape(-1, width)


def _best_cut(totals: Numbers, masses: Numbers, how: Training) -> tuple[float, int]:
    left, right = np.cumsum(totals, axis=1)[:, :-1], np.cumsum(masses, axis=1)[:, :-1]
    other, rest = totals.sum(axis=1, keepdims=True) - left, masses.sum(axis=1, keepdims=True) - right
    gains = (left**2 / (right + how.penalty) + other**2 / (rest + how.penalty)).sum(axis=0)
    gains[(right.sum(axis=0) < how.least_weight) | (rest.sum(axis=0) < how.least_weight)] = -1.0
    cut = int(np.argmax(gains))
    return float(gains[cut]), cut

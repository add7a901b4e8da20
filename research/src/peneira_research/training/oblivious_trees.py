"""Gradient-boosted oblivious trees: all nodes of a level split on the same feature, so numpy grows a level at once.

Friedman, "Greedy function approximation" (2001); oblivious trees as in Prokhorenkova et al., "CatBoost" (2018).
Training needs numpy alone, equal data gives equal trees, and what is returned is a ``Forest`` as any other model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.ml.forest import Forest, Numbers, forest_from_trees


def _short(value: float) -> float:
    return float(f"{value:.6g}")


Tree = list[list[float]]


@dataclass(frozen=True, slots=True)
class BoostingOptions:
    """How a model is trained."""

    trees: int = 200
    depth: int = 5
    rate: float = 0.1
    bins: int = 32
    penalty: float = (
        5.0  # L2: as if rows of this weight with target 0 were in every leaf; keeps the values of small leaves low
    )
    min_weight: float = 20.0  # a split must leave this weight of rows on both sides
    rows: float = 0.7  # share of the rows that each tree sees
    columns: float = 0.6  # share of the features that each tree may split on
    seed: int = 1


DEFAULT_OPTIONS = BoostingOptions()


def fit_oblivious_trees(
    table: Numbers,
    target: Numbers,
    weight: Numbers,
    names: Sequence[str],
    options: BoostingOptions = DEFAULT_OPTIONS,
) -> Forest:
    """Return the forest that predicts ``target`` from the rows of ``table`` with the least weighted squared error."""
    rng = np.random.default_rng(options.seed)
    edges = [_edges(column, options.bins) for column in table.T]
    binned = np.column_stack([np.searchsorted(cuts, column) for cuts, column in zip(edges, table.T, strict=True)])
    base = float(np.average(target, weights=weight))
    score = np.full(len(target), base)
    trees: list[Tree] = [[[_short(base)]]]
    for _ in range(options.trees):
        sampled = rng.random(len(target)) < options.rows
        features = np.sort(rng.permutation(table.shape[1])[: max(1, int(options.columns * table.shape[1]))])
        residual = (target - score) * weight
        splits, leaf = _grow(binned, residual * sampled, weight * sampled, features, edges, options)
        total = np.bincount(leaf, residual * sampled, minlength=1 << options.depth)
        mass = np.bincount(leaf, weight * sampled, minlength=1 << options.depth)
        values = options.rate * total / (mass + options.penalty)
        score += values[leaf]
        thresholds = [(feature, float(edges[feature][cut])) for feature, cut in splits]
        trees.append(_binary_tree(thresholds, [_short(value) for value in values]))
    return forest_from_trees(names, trees)


def _binary_tree(splits: Sequence[tuple[int, float]], leaves: Sequence[float]) -> Tree:
    """Return an oblivious tree as the rows of a forest: each level repeated for every node of it, children in pairs.

    Bit k of the number of a leaf is the side taken at level k; the value of a node is the mean of its leaves.
    """
    rows: Tree = []
    level_numbers = [0]
    for level, (feature, threshold) in enumerate(splits):
        first_child = len(rows) + len(level_numbers)
        for k, number in enumerate(level_numbers):
            below = [leaves[leaf] for leaf in range(number, len(leaves), 1 << level)]
            rows.append([feature, threshold, first_child + 2 * k, _short(sum(below) / len(below))])
        level_numbers = [number + (side << level) for number in level_numbers for side in (0, 1)]
    return rows + [[leaves[number]] for number in level_numbers]


def _edges(column: Numbers, bins: int) -> Numbers:
    """Return the thresholds that cut a column into parts of about equal size; rounded, as they are written to JSON."""
    cuts = np.unique(np.quantile(column, np.linspace(0, 1, bins + 1)[1:-1], method="lower"))
    return np.array([_short(cut) for cut in cuts]) if len(cuts) else np.array([0.0])


def _grow(
    binned: NDArray[np.int64],
    residual: Numbers,
    weight: Numbers,
    features: NDArray[np.int64],
    edges: Sequence[Numbers],
    options: BoostingOptions,
) -> tuple[list[tuple[int, int]], NDArray[np.int64]]:
    """Return the splits of one tree, on each level the one with the highest gain, and the leaf of each row."""
    leaf = np.zeros(len(binned), dtype=np.int64)
    splits: list[tuple[int, int]] = []
    for level in range(options.depth):
        best = (-1.0, int(features[0]), 0)
        for feature in features.tolist():
            width = len(edges[feature]) + 1
            if width < 2:
                continue
            cell = leaf * width + binned[:, feature]
            totals, masses = (_sums(cell, values, width << level, width) for values in (residual, weight))
            gain, cut = _best_cut(totals, masses, options)
            if gain > best[0]:
                best = (gain, feature, cut)
        _, feature, cut = best
        splits.append((feature, cut))
        leaf += (binned[:, feature] > cut).astype(np.int64) << level
    return splits, leaf


def _sums(cell: NDArray[np.int64], values: Numbers, cells: int, width: int) -> Numbers:
    return np.bincount(cell, values, minlength=cells).astype(np.float64).reshape(-1, width)


def _best_cut(totals: Numbers, masses: Numbers, options: BoostingOptions) -> tuple[float, int]:
    left, right = np.cumsum(totals, axis=1)[:, :-1], np.cumsum(masses, axis=1)[:, :-1]
    other, rest = totals.sum(axis=1, keepdims=True) - left, masses.sum(axis=1, keepdims=True) - right
    gains = (left**2 / (right + options.penalty) + other**2 / (rest + options.penalty)).sum(axis=0)
    gains[(right.sum(axis=0) < options.min_weight) | (rest.sum(axis=0) < options.min_weight)] = -1.0
    cut = int(np.argmax(gains))
    return float(gains[cut]), cut

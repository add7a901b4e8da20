"""Forests grown by LightGBM, read back as the ``Forest`` that runs without it. Equal data gives equal forests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.errors import MissingExtra
from peneira.ml.forest import Forest, forest_from_trees

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]
Params = Mapping[str, Any]

# What all forests share: shallow trees from samples of rows and features, one thread, no randomness between runs
COMMON_PARAMS: Params = {
    "feature_fraction": 0.3, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63,
    "max_depth": 7, "verbose": -1, "num_threads": 1, "seed": 1, "deterministic": True, "force_col_wise": True,
}  # fmt: skip


def fit_forest(
    names: Sequence[str],
    table: Small,
    target: NDArray[np.floating[Any]],
    weight: Numbers,
    params: Params,
    *,
    trees: int,
    groups: Sequence[int] | None = None,
) -> Forest:
    """Return the forest that LightGBM grows from the rows of ``table``, a column per feature name.

    ``params`` are LightGBM's, on top of ``COMMON_PARAMS``. ``groups``: for a ranking, how many rows each page has.
    """
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    data = lightgbm.Dataset(table, target, weight=weight / weight.mean(), group=groups)
    booster = lightgbm.train({**COMMON_PARAMS, **params}, data, trees)
    return as_saved(
        forest_from_trees(names, [tree_rows(info["tree_structure"]) for info in booster.dump_model()["tree_info"]])
    )


def fit_classes(
    names: Sequence[str], table: Small, target: NDArray[np.floating[Any]], params: Params, *, classes: int, trees: int
) -> list[Forest]:
    """Return a forest per class: the probabilities of the classes are the softmax of their scores.

    ``target`` has the number of the class of each row.
    """
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    data = lightgbm.Dataset(table, target)
    objective = {"objective": "multiclass", "num_class": classes}
    booster = lightgbm.train({**COMMON_PARAMS, **objective, **params}, data, trees)
    rows = [tree_rows(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]
    return [as_saved(forest_from_trees(names, rows[k::classes])) for k in range(classes)]


def with_used_features(forest: Forest) -> Forest:
    """Return the forest without the names of features that no tree asks for."""
    is_leaf = np.isinf(forest.threshold)
    used = np.unique(forest.feature[~is_leaf])
    number = np.zeros(len(forest.names), dtype=np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    feature = np.where(is_leaf, 0, number[forest.feature]).astype(np.int32)
    return replace(forest, names=tuple(forest.names[k] for k in used.tolist()), feature=feature)


def as_saved(forest: Forest) -> Forest:
    """Return the forest with its numbers rounded as in its JSON file."""
    return Forest.from_json(forest.to_json())


def tree_rows(root: Mapping[str, Any]) -> list[list[float]]:
    """Return a tree of LightGBM as rows for ``forest.grown``; the value of an inner node is the mean of its leaves."""
    nodes, parents = [root], [-1]
    rows: list[list[float]] = []
    for i, node in enumerate(nodes):  # grows while it is read
        if "leaf_value" in node:
            rows.append([node["leaf_value"]])
            continue
        rows.append([node["split_feature"], node["threshold"], len(nodes), 0.0])
        nodes += [node["left_child"], node["right_child"]]
        parents += [i, i]
    weights = [float(node.get("leaf_count", 0)) for node in nodes]
    totals = [weight * row[-1] for weight, row in zip(weights, rows, strict=True)]
    for i in range(len(rows) - 1, -1, -1):
        if len(rows[i]) > 1:
            rows[i][-1] = totals[i] / max(weights[i], 1.0)
        if parents[i] >= 0:
            weights[parents[i]] += weights[i]
            totals[parents[i]] += totals[i]
    return rows

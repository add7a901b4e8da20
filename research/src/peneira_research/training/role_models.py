"""Training the models of column roles from the columns of pages with gold fields (``role_examples.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from peneira.columns.column_evidence import HIT_FEATURES, NAME_FEATURES
from peneira.columns.roles import INTEREST_FEATURES, ROLE_FEATURES, RoleModels
from peneira.columns.whole_texts import WHOLE_FEATURES
from peneira.ml.forest import Forest, blend, forest_from_trees
from peneira_research.training.lightgbm_forest import Numbers, Params, Small, as_saved, fit_forest
from peneira_research.training.role_examples import UNKNOWN, RoleExample
from peneira_research.training.whole_examples import whole_rows

Number = TypeVar("Number", np.float32, np.float64, np.int8)

# More samples of fewer trees: with so few pages, a forest depends on its sample
TREES = 220
SEEDS = (1, 2, 3)
# What whole texts are learned with need not be as exact
INNER_SEEDS = SEEDS[:2]
PARAMS: Params = {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 20,
    "min_data_in_leaf": 8,
    "boost_from_average": False,
}
# Few texts with parts have gold: small trees, and several samples
WHOLE_TREES = 80
WHOLE_SEEDS = (1, 2, 3, 4)
# Two leaves need at least this many
MIN_WHOLE_ROWS = 20
WHOLE_PARAMS: Params = {
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 6,
    "min_data_in_leaf": 10,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "lambda_l2": 1.0,
    "boost_from_average": False,
}
# A whole is the likelier the more it is wanted itself, and the less so the more its parts are
WHOLE_RISING = frozenset({"interest", "best_role"})
WHOLE_FALLING = frozenset(
    {
        "max_interest", "second_interest", "sum_interest", "best_role_inside", "roles_inside", "sum_roles_inside",
    }
)  # fmt: skip
OF_NAMES = frozenset({*HIT_FEATURES, *NAME_FEATURES}) - {"type_fit", "look", "is_label"}
# More evidence for a role never makes it less likely
RISING = frozenset(
    {
        "label_hit",
        "header_hit",
        "prop_hit",
        "near_hit",
        "path_hit",
        "best_hit",
        "hit_lead",
        "type_fit",
        "look",
        "best_typed_hit",
    }
)


def train_role_models(examples: Sequence[RoleExample], folds: Mapping[str, int]) -> RoleModels:
    """Return the models trained on the columns of pages; ``folds``: by site, so that no model judges what it has seen.

    The model of whole texts sees scores of roles and interest as they are on unseen pages: of models that were trained
    without the fold of the page.
    """
    rows = [
        row
        for fold in sorted({folds[example.site] for example in examples})
        for row in _whole_rows(examples, folds, fold)
    ]
    roles, interest = _column_models(examples, SEEDS)
    return RoleModels(roles, interest, _whole_model(rows))


def _whole_model(rows: Sequence[tuple[NDArray[np.float64], float, float]]) -> Forest:
    """Return the model of whole texts, trained on features, labels and weights; of too few of them it has no trees."""
    if len(rows) < MIN_WHOLE_ROWS:
        return forest_from_trees(WHOLE_FEATURES, [])
    features, labels, weights = (np.array(column) for column in zip(*rows, strict=True))
    constraints = [int(name in WHOLE_RISING) - int(name in WHOLE_FALLING) for name in WHOLE_FEATURES]
    wholes = [
        fit_forest(
            WHOLE_FEATURES,
            features.astype(np.float32),
            labels,
            weights,
            {**WHOLE_PARAMS, "seed": seed, "monotone_constraints": constraints},
            trees=WHOLE_TREES,
        )
        for seed in WHOLE_SEEDS
    ]
    return _mean(wholes)


def _whole_rows(
    examples: Sequence[RoleExample], folds: Mapping[str, int], fold: int
) -> Iterator[tuple[NDArray[np.float64], float, float]]:
    """Yield the rows of the pages of a fold, scored by models that were trained without them."""
    others = [example for example in examples if folds[example.site] != fold]
    roles, interest = _column_models(others, INNER_SEEDS)
    models = RoleModels(roles, interest, interest)
    for example in examples:
        if folds[example.site] == fold and example.wholes is not None:
            yield from whole_rows(example.wholes, models)


def _column_models(examples: Sequence[RoleExample], seeds: Sequence[int]) -> tuple[Forest, Forest]:
    """Return the models of roles and of interest; each page counts as the square root of its columns.

    Roles are learned from every page a second time without its names: many authors give none that help.
    """
    pages = [page for example in examples for page in (example, _without_names(example))]
    roles = _fit(
        ROLE_FEATURES,
        _joined([page.pair_features for page in pages], np.zeros((0, len(ROLE_FEATURES)), dtype=np.float32)),
        _joined([page.pair_labels for page in pages], np.zeros(0, dtype=np.int8)),
        _joined([_weights(len(page.pairs)) for page in pages], np.zeros(0)),
        seeds,
    )
    known = [example.labels != UNKNOWN for example in examples]
    interest = _fit(
        INTEREST_FEATURES,
        _joined(
            [example.features[rows] for example, rows in zip(examples, known, strict=True)],
            np.zeros((0, len(INTEREST_FEATURES)), dtype=np.float32),
        ),
        _joined(
            [example.labels[rows] for example, rows in zip(examples, known, strict=True)], np.zeros(0, dtype=np.int8)
        ),
        _joined([_weights(int(rows.sum())) for rows in known], np.zeros(0)),
        seeds,
    )
    return roles, interest


def _joined(parts: Sequence[NDArray[Number]], empty: NDArray[Number]) -> NDArray[Number]:
    """Return the rows of all parts; those of ``empty`` if there are no parts."""
    return np.concatenate([empty, *parts])


def _fit(
    names: Sequence[str], features: Small, labels: NDArray[np.int8], weights: Numbers, seeds: Sequence[int]
) -> Forest:
    """Return the mean of forests grown from different samples: with so few pages, one forest depends on its sample.

    Without any example it has no trees.
    """
    if not len(labels):
        return forest_from_trees(names, [])
    params = {**PARAMS, "monotone_constraints": [int(name in RISING) for name in names]}
    forests = [
        fit_forest(names, features, labels.astype(np.float64), weights, {**params, "seed": seed}, trees=TREES)
        for seed in seeds
    ]
    return _mean(forests)


def _mean(forests: Sequence[Forest]) -> Forest:
    return as_saved(blend(forests, [1 / len(forests)] * len(forests)))


def role_models_by_site(examples: Sequence[RoleExample], folds: Mapping[str, int]) -> dict[str, RoleModels]:
    """Return for each site models trained without the pages of its fold."""
    trained = {
        fold: train_role_models([example for example in examples if folds[example.site] != fold], folds)
        for fold in sorted(set(folds.values()))
    }
    return {site: trained[fold] for site, fold in folds.items()}


def _weights(rows: int) -> NDArray[np.float64]:
    return np.full(rows, 1 / np.sqrt(max(rows, 1)))


def _without_names(example: RoleExample) -> RoleExample:
    """Return a page as if its author had named nothing."""
    pair_features = example.pair_features.copy()
    pair_features[:, [k for k, name in enumerate(ROLE_FEATURES) if name in OF_NAMES]] = 0
    return replace(example, pair_features=pair_features)

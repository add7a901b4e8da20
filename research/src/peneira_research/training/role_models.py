"""Training the models of column roles from the columns of pages with gold fields (``role_examples.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from peneira.columns.column_features import HIT_FEATURES, NAME_FEATURES
from peneira.columns.roles import INTEREST_FEATURES, ROLE_FEATURES, RoleModels
from peneira.ml.forest import Forest, blend
from peneira_research.training.lightgbm_forest import Numbers, Params, Small, as_saved, fit_forest
from peneira_research.training.role_examples import UNKNOWN, RoleExample

TREES = 300
SEEDS = (1, 2)
PARAMS: Params = {
    "objective": "binary",
    "learning_rate": 0.08,
    "num_leaves": 20,
    "min_data_in_leaf": 8,
    "boost_from_average": False,
}
OF_NAMES = frozenset({*HIT_FEATURES, *NAME_FEATURES}) - {"type_fit", "look", "is_label"}
# More evidence for a role never makes it less likely
RISING = frozenset(
    {"label_hit", "header_hit", "prop_hit", "near_hit", "best_hit", "hit_lead", "type_fit", "look", "best_typed_hit"}
)


def train_role_models(examples: Sequence[RoleExample]) -> RoleModels:
    """Return the models trained on the columns of pages; each page counts as the square root of its columns.

    Roles are learned from every page a second time without its names: many authors give none that help.
    """
    pages = [page for example in examples for page in (example, _without_names(example))]
    roles = _fit(
        ROLE_FEATURES,
        np.concatenate([page.pair_features for page in pages]),
        np.concatenate([page.pair_labels for page in pages]),
        np.concatenate([_weights(len(page.pairs)) for page in pages]),
    )
    known = [example.labels != UNKNOWN for example in examples]
    interest = _fit(
        INTEREST_FEATURES,
        np.concatenate([example.features[rows] for example, rows in zip(examples, known, strict=True)]),
        np.concatenate([example.labels[rows] for example, rows in zip(examples, known, strict=True)]),
        np.concatenate([_weights(int(rows.sum())) for rows in known]),
    )
    return RoleModels(roles, interest)


def _fit(names: Sequence[str], features: Small, labels: NDArray[np.int8], weights: Numbers) -> Forest:
    """Return the mean of forests grown from different samples: with so few pages, one forest depends on its sample."""
    params = {**PARAMS, "monotone_constraints": [int(name in RISING) for name in names]}
    forests = [
        fit_forest(names, features, labels.astype(np.float64), weights, {**params, "seed": seed}, trees=TREES)
        for seed in SEEDS
    ]
    return as_saved(blend(forests, [1 / len(forests)] * len(forests)))


def role_models_by_site(examples: Sequence[RoleExample], folds: Mapping[str, int]) -> dict[str, RoleModels]:
    """Return for each site models trained without the pages of its fold."""
    trained = {
        fold: train_role_models([example for example in examples if folds[example.site] != fold])
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

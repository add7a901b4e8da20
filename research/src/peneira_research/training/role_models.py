"""Training the models of column roles from the columns of pages with gold fields (``role_examples.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from peneira.columns.column_features import HIT_FEATURES, NAME_FEATURES
from peneira.columns.roles import INTEREST_FEATURES, ROLE_FEATURES, RoleModels
from peneira_research.training.lightgbm_forest import Params, fit_forest
from peneira_research.training.role_examples import UNKNOWN, RoleExample

TREES = 250
PARAMS: Params = {
    "objective": "binary",
    "learning_rate": 0.08,
    "num_leaves": 20,
    "min_data_in_leaf": 8,
    "boost_from_average": False,
}
# More evidence for a role never makes it less likely
OF_NAMES = frozenset({*HIT_FEATURES, *NAME_FEATURES}) - {"type_fit", "look", "is_label"}
RISING = frozenset({"label_hit", "header_hit", "prop_hit", "near_hit", "best_hit", "hit_lead", "type_fit", "look", "best_typed_hit"})


def train_role_models(examples: Sequence[RoleExample]) -> RoleModels:
    """Return the models trained on the columns of pages; each page counts as the square root of its columns.

    Roles are learned from every page a second time without its names: many authors give none that help.
    """
    pages = [page for example in examples for page in (example, _without_names(example))]
    roles = fit_forest(
        ROLE_FEATURES,
        np.concatenate([page.pair_features for page in pages]),
        np.concatenate([page.pair_labels for page in pages]).astype(np.float64),
        np.concatenate([_weights(len(page.pairs)) for page in pages]),
        _params(ROLE_FEATURES),
        trees=TREES,
    )
    known = [example.labels != UNKNOWN for example in examples]
    interest = fit_forest(
        INTEREST_FEATURES,
        np.concatenate([example.features[rows] for example, rows in zip(examples, known, strict=True)]),
        np.concatenate([e.labels[rows] for e, rows in zip(examples, known, strict=True)]).astype(np.float64),
        np.concatenate([_weights(int(rows.sum())) for rows in known]),
        _params(INTEREST_FEATURES),
        trees=TREES,
    )
    return RoleModels(roles, interest)


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


def _params(names: Sequence[str]) -> Params:
    return {**PARAMS, "monotone_constraints": [int(name in RISING) for name in names]}

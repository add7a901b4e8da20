"""Training the models of column roles from the columns of pages with gold fields (``role_examples.py``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
RISING = frozenset({"label_hit", "header_hit", "prop_hit", "near_hit", "best_hit", "hit_lead", "type_fit", "best_typed_hit"})


def train_role_models(examples: Sequence[RoleExample]) -> RoleModels:
    """Return the models trained on the columns of pages; each page counts as much as its square root of columns."""
    pair_features = np.concatenate([e.pair_features for e in examples])
    pair_labels = np.concatenate([e.pair_labels for e in examples]).astype(np.float64)
    pair_weights = np.concatenate([np.full(len(e.pairs), 1 / np.sqrt(max(len(e.pairs), 1))) for e in examples])
    known = [e.labels != UNKNOWN for e in examples]
    features = np.concatenate([e.features[rows] for e, rows in zip(examples, known, strict=True)])
    labels = np.concatenate([e.labels[rows] for e, rows in zip(examples, known, strict=True)]).astype(np.float64)
    weights = np.concatenate([np.full(int(rows.sum()), 1 / np.sqrt(max(rows.sum(), 1))) for rows in known])
    return RoleModels(
        fit_forest(ROLE_FEATURES, pair_features, pair_labels, pair_weights, _params(ROLE_FEATURES), trees=TREES),
        fit_forest(INTEREST_FEATURES, features, labels, weights, _params(INTEREST_FEATURES), trees=TREES),
    )


def _params(names: Sequence[str]) -> Params:
    return {**PARAMS, "monotone_constraints": [int(name in RISING) for name in names]}

from __future__ import annotations

import numpy as np
import pytest

from peneira.ml.forest import Forest
from peneira_research.training.oblivious_trees import BoostingOptions, fit_oblivious_trees

NAMES = ("a", "b", "c")
QUICK = BoostingOptions(trees=40, depth=3, rate=0.3, min_weight=1.0, penalty=0.1, rows=1.0, columns=1.0)


def data() -> tuple[np.ndarray, np.ndarray]:
    table = np.random.default_rng(3).random((400, 3))
    return table, np.where((table[:, 0] > 0.5) & (table[:, 1] > 0.3), 1.0, 0.0)


def test_a_model_learns_a_conjunction_of_two_features():
    table, target = data()
    model = fit_oblivious_trees(table, target, np.ones(len(target)), NAMES, QUICK)
    wrong = (np.round(model.predict(table)) != target).mean()
    assert wrong < 0.03


def test_equal_data_gives_equal_models():
    table, target = data()
    first, second = (fit_oblivious_trees(table, target, np.ones(len(target)), NAMES, QUICK).to_json() for _ in range(2))
    assert first == second


def test_a_model_survives_json():
    table, target = data()
    model = fit_oblivious_trees(table, target, np.ones(len(target)), NAMES, QUICK)
    again = Forest.from_json(model.to_json())
    assert again.names == NAMES
    assert np.allclose(again.predict(table), model.predict(table), atol=1e-4)
    assert again.to_json() == model.to_json()


def test_rows_of_no_weight_do_not_count():
    table, target = data()
    weight = (np.arange(len(target)) < 200).astype(float)
    spoilt = np.where(weight > 0, target, 9.0)
    assert fit_oblivious_trees(table, spoilt, weight, NAMES, QUICK).predict(table).max() < 1.5


def test_another_document_is_refused():
    with pytest.raises(ValueError, match="not a peneira-forest document"):
        Forest.from_json('{"format": "other"}')


def test_a_constant_column_is_never_split_on_with_gain():
    table = np.ones((50, 3))
    model = fit_oblivious_trees(table, np.ones(50), np.ones(50), NAMES, QUICK)
    assert np.allclose(model.predict(table), 1.0)

"""The calibration of content probabilities: its curve, its file, and what ``peneira.content`` does with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import peneira
from peneira.errors import ModelError
from peneira.ml.forest import forest_from_trees
from peneira.texts.content_calibration import CALIBRATION_FILE, PLAIN, ContentCalibration, Curve, load_calibration
from peneira.texts.content_model import shipped_light_models

PAGE = "<h1>Aquarius</h1><p>A music critic refuses to sell her flat.</p>"


def models_with(folder: Path, calibration: ContentCalibration | None) -> Path:
    """Write a model that gives every text the value 0.5."""
    (folder / "page.json").write_text(forest_from_trees(["chars"], [[[0.0]]]).to_json())
    if calibration is not None:
        (folder / CALIBRATION_FILE).write_text(calibration.to_json())
    return folder


def test_a_curve_has_straight_lines_between_its_points():
    curve = Curve((0.0, 0.5, 1.0), (0.0, 0.1, 0.9))
    assert curve(np.array([0.25, 0.5, 0.75, 2.0])).tolist() == pytest.approx([0.05, 0.1, 0.5, 0.9])


@pytest.mark.parametrize(("scores", "shares"), [((), ()), ((0.0, 1.0), (0.5, 0.4)), ((0.0, 1.0), (0.5,))])
def test_a_curve_that_falls_or_lacks_a_point_is_refused(scores: tuple[float, ...], shares: tuple[float, ...]):
    with pytest.raises(ValueError, match="as many scores as shares"):
        Curve(scores, shares)


def test_a_calibration_is_read_as_it_was_written():
    calibration = ContentCalibration(Curve((0.0, 1.0), (0.1, 0.8)), Curve(), 0.3)
    assert ContentCalibration.from_json(calibration.to_json()) == calibration


def test_probabilities_and_threshold_are_those_of_the_calibration(tmp_path: Path):
    low = ContentCalibration(Curve((0.0, 1.0), (0.0, 0.4)), Curve(), 0.15)
    models = models_with(tmp_path, low)
    assert [content.probability for content in peneira.content(PAGE, models=models)] == [0.2, 0.2]
    assert peneira.content(PAGE, models=models, min_probability=0.25) == []


def test_the_threshold_of_the_calibration_holds_where_none_is_given(tmp_path: Path):
    high = ContentCalibration(Curve((0.0, 1.0), (0.0, 0.4)), Curve(), 0.3)
    assert peneira.content(PAGE, models=models_with(tmp_path, high)) == []


def test_models_without_a_calibration_give_their_own_probabilities(tmp_path: Path):
    assert load_calibration(tmp_path) == PLAIN
    found = peneira.content(PAGE, models=models_with(tmp_path, None))
    assert [content.probability for content in found] == [0.5, 0.5]


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"format": "peneira content calibration", "version": 1}'])
def test_a_broken_calibration_is_named(tmp_path: Path, text: str):
    (tmp_path / CALIBRATION_FILE).write_text(text)
    with pytest.raises(ModelError, match="cannot be read as a calibration"):
        load_calibration(tmp_path)


def test_the_shipped_models_are_calibrated():
    calibration = shipped_light_models().calibration
    assert calibration != PLAIN
    assert 0 < calibration.threshold < 1

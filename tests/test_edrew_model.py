"""EDREW's model without torch: arrays, files, predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from peneira.errors import ModelError
from peneira.sources.html import read_page
from peneira.texts.edrew import (
    FILTER_WIDTHS,
    LAYERS,
    MAX_ENTRY_CHARS,
    LanguageModel,
    alphabet_of,
    character_codes,
    text_probabilities,
)
from peneira.texts.retps import DEFAULT_VOCABULARY, vocabulary_with


def small_model() -> LanguageModel:
    rng = np.random.default_rng(1)

    def array(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    weights = {"characters": array(30, 3)}
    weights["characters"][0] = 0
    for width in FILTER_WIDTHS:
        weights[f"characters_{width}_weight"] = array(2, 3, width)
        weights[f"characters_{width}_bias"] = array(2)
    for layer in LAYERS:
        inputs = 8 if layer.endswith("1") else 4
        weights |= {f"{layer}_input": array(16, inputs), f"{layer}_recurrent": array(16, 4), f"{layer}_bias": array(16)}
    weights |= {
        "dense_weight": array(5, 40),
        "dense_bias": array(5),
        "output_weight": array(1, 5),
        "output_bias": array(1),
    }
    return LanguageModel(weights, alphabet_of("<#CNT>|div12p"))


def test_the_probability_of_a_path_does_not_depend_on_other_paths():
    model, short, long = small_model(), ("div|1",), ("<#CNT>", "p|2", "div|1")
    alone, beside = model.probabilities([short]), model.probabilities([long, short, short])
    assert 0 < alone[0] < 1
    assert beside[1] == beside[2] == pytest.approx(alone[0])


def test_the_order_of_entries_matters():
    first, second = small_model().probabilities([("p|2", "div|1"), ("div|1", "p|2")])
    assert first != second


def test_no_paths_have_no_probabilities():
    assert small_model().probabilities([]).tolist() == []


def test_unknown_letters_have_a_code_and_long_entries_are_cut():
    alphabet = alphabet_of("ab")
    assert character_codes("bé", alphabet)[:3].tolist() == [3, 1, 0]
    assert character_codes("a" * 99, alphabet).tolist() == [2] * MAX_ENTRY_CHARS


def test_a_saved_model_gives_the_same_probabilities(tmp_path: Path):
    model, path = small_model(), tmp_path / "model.npz"
    model.save(path)
    paths = [("<#CNT>", "p|2", "div|1"), ("new|9",)]
    assert LanguageModel.load(path).probabilities(paths) == pytest.approx(model.probabilities(paths), abs=0.02)


def test_a_file_that_is_not_a_model_is_refused(tmp_path: Path):
    path = tmp_path / "model.npz"
    for wrong in (b"", b"PK no", b"\x80\x04."):
        path.write_bytes(wrong)
        with pytest.raises(ModelError, match=r"model\.npz: cannot be read as a model"):
            LanguageModel.load(path)
    np.savez(path, weights=np.zeros(2))
    with pytest.raises(ModelError):
        LanguageModel.load(path)


def test_arrays_of_python_objects_are_refused(tmp_path: Path):
    path = tmp_path / "model.npz"
    np.savez(path, format=np.array([{}], dtype=object), version=np.array(1))
    with pytest.raises(ModelError):
        LanguageModel.load(path)


def test_every_text_row_has_the_probability_of_its_run():
    page = read_page("<p>text <b>in bold</b></p><div>b</div>")
    rows = [i for i in range(len(page)) if page.is_text(i)]
    first, second, third = text_probabilities(page, rows, small_model()).tolist()
    assert first == second != third


def test_a_model_keeps_the_tokens_that_it_was_trained_with(tmp_path: Path):
    model, path = replace(small_model(), vocabulary=vocabulary_with(["author=<#AUTH>"])), tmp_path / "model.npz"
    model.save(path)
    loaded, page = LanguageModel.load(path), read_page("<p class=author>Ann</p>")
    assert loaded.vocabulary == model.vocabulary
    rows = [i for i in range(len(page)) if page.is_text(i)]
    plain = replace(loaded, vocabulary=DEFAULT_VOCABULARY)
    assert text_probabilities(page, rows, loaded).tolist() != text_probabilities(page, rows, plain).tolist()

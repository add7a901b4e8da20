"""The light models learn from labelled pages of our own, and the protocols run on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from labelled import product, write_labels
from peneira.ml.forest import Forest
from peneira.sources.html import read_page
from peneira.texts.content_calibration import load_calibration
from peneira.texts.content_model import light_probabilities
from peneira.texts.page_texts import PageTexts
from peneira.texts.site_pages import SitePages
from peneira_research.commands.train import train
from peneira_research.corpora.content_examples import ContentExample, SiteExamples, content_examples
from peneira_research.corpora.gold_texts import GoldTexts
from peneira_research.corpora.labelled_pages import read_labels
from peneira_research.reports.content_report import content_tables, draw_curve, reliability_table
from peneira_research.studies import content_protocols as protocols
from peneira_research.training import content_models
from peneira_research.training.content_calibration import (
    calibrated,
    fitted_curve,
    reliability,
    unseen_predictions,
)
from peneira_research.training.content_models import example_probabilities, train_content_models

QUICK = {"min_data_in_leaf": 2, "num_leaves": 4}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[ContentExample]:
    labels = read_labels(write_labels(tmp_path_factory.mktemp("labels")))
    sites = sorted({page.site for page in labels})
    return [e for site in sites for e in SiteExamples(peers=False)([page for page in labels if page.site == site])]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_models, "TREES", 20)
    monkeypatch.setattr(protocols, "SEEN_TREES", 5)
    monkeypatch.setattr(content_models, "PARAMS", {**content_models.PARAMS, **QUICK})


def test_a_trained_model_knows_content_on_a_site_that_it_has_not_seen(examples: list[ContentExample]):
    forests = train_content_models([e for e in examples if e.site != "site 5"])
    html, values = product(5, 0)
    texts = PageTexts(read_page(html))
    for site in (None, SitePages([read_page(product(5, page)[0]) for page in (1, 2)])):
        probabilities = light_probabilities(texts, site, forests)
        best = np.argsort(-probabilities, kind="stable")[: len(values)]
        assert {texts.strings[k] for k in best.tolist()} == set(values)


def test_training_twice_gives_the_same_model(examples: list[ContentExample]):
    first, second = (train_content_models(examples[:8]) for _ in range(2))
    assert (first.page.to_json(), first.site.to_json()) == (second.page.to_json(), second.site.to_json())


def test_an_example_has_the_probabilities_of_its_page(examples: list[ContentExample]):
    forests = train_content_models(examples)
    texts = PageTexts(read_page(product(0, 0)[0]))
    assert example_probabilities(examples[0], forests.page) == pytest.approx(
        light_probabilities(texts, None, forests), abs=1e-6
    )


def test_all_protocols_give_results_and_tables(examples: list[ContentExample], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocols, "SEEN_PARAMS", {**content_models.SEEN_PARAMS, **QUICK})
    halves = [replace(e, corpus="swde", group="ab"[k % 2], digest=e.id) for k, e in enumerate(examples)]
    modern = [replace(e, corpus="detail", group="recipes", site=f"modern {e.site}") for e in examples]
    steps: list[str] = []
    parts = list(protocols.run_protocols([*halves, *modern], None, steps.append))
    assert [sorted({result.protocol for result in part}) for part in parts] == [
        ["i, contents", "i, texts"],
        ["ii", "iv, by site"],
        ["iii"],
        ["iv, from SWDE"],
    ]
    results = [result for part in parts for result in part]
    assert {result.variant for result in results if result.protocol == "ii"} == {
        "light", "light, 2 pages", "everything", "text density",
    }  # fmt: skip
    assert all(0 <= result.metrics["f1"] <= 1 for result in results)
    assert steps[0].startswith("(i)")
    assert len(list(content_tables(results))) == 6


def test_a_fitted_curve_gives_the_shares_of_gold_and_never_falls(examples: list[ContentExample]):
    labels = np.array([0, 1, 0, 0, 1, 1, 1, 0], dtype=np.int8)
    scores = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9])
    example = replace(examples[0], gold=GoldTexts(labels))
    curve = fitted_curve([(example, scores)])
    assert curve(scores)[0] == 0.0
    assert np.all(np.diff(curve(np.linspace(0, 1, 50))) >= 0)
    assert curve(np.array([0.75]))[0] == pytest.approx(0.75)


def test_models_are_calibrated_on_sites_that_they_have_not_seen(examples: list[ContentExample]):
    modern = [replace(e, corpus="detail", site=f"modern {e.site}") for e in examples]
    unseen = unseen_predictions([*(replace(e, corpus="swde") for e in examples), *modern])
    assert unseen is not None
    assert 0 < calibrated(unseen).threshold < 1
    bands = list(reliability(unseen))
    assert {band.corpus for band in bands} == {"swde", "detail"}
    assert all(band.low <= band.stated <= band.high and 0 <= band.gold <= 1 for band in bands)
    assert reliability_table(bands).row_count == len(bands)


def test_too_few_sites_are_not_calibrated_on(examples: list[ContentExample]):
    assert unseen_predictions([e for e in examples if e.site in ("site 0", "site 1")]) is None


def test_the_user_trains_on_labels_of_their_own(tmp_path: Path):
    labels = write_labels(tmp_path / "pages")
    arguments = ["content", "--labels", str(labels), "--model", "light", "--jobs", "1", "-o", str(tmp_path)]
    result = CliRunner().invoke(train, arguments, env={"PENEIRA_CORPORA": ""})
    assert result.exit_code == 0, result.output
    assert Forest.from_json((tmp_path / "page.json").read_text()).names[0] == "chars"
    assert "site_pages" in Forest.from_json((tmp_path / "site.json").read_text()).names
    assert load_calibration(tmp_path).threshold > 0


def trained_on(folder: Path, *lines: str) -> tuple[int, str]:
    (folder / "mine.jsonl").write_text("\n".join(lines))
    arguments = ["content", "--labels", str(folder / "mine.jsonl"), "--model", "light", "--jobs", "1"]
    result = CliRunner().invoke(train, [*arguments, "-o", str(folder)], env={"PENEIRA_CORPORA": ""})
    return result.exit_code, result.output + str(result.exception or "")


def test_sites_of_one_page_train_the_page_model_alone(tmp_path: Path):
    lines = []
    for site in range(12):
        html, values = product(site, site)
        (tmp_path / f"{site}.html").write_text(html)
        lines.append(json.dumps({"file": f"{site}.html", "values": values}))
    code, output = trained_on(tmp_path, *lines)
    assert (code, "site.json: not made, as no site has two pages" in output) == (0, True)
    assert (tmp_path / "page.json").exists() and not (tmp_path / "site.json").exists()


def test_pages_that_show_none_of_their_values_are_named(tmp_path: Path):
    (tmp_path / "a.html").write_text("<p>a</p>")
    _, output = trained_on(tmp_path, '{"file": "a.html", "values": ["b"]}')
    assert "a.html: shows none of its values" in output
    assert "no page shows any of its values" in output


def test_training_needs_something_to_learn_from(tmp_path: Path):
    result = CliRunner().invoke(train, ["content", "-o", str(tmp_path)], env={"PENEIRA_CORPORA": ""})
    assert (result.exit_code, "give --corpora or --labels" in result.output) == (2, True)


def test_workers_read_pages_in_the_order_of_the_labels(tmp_path: Path):
    labels = read_labels(write_labels(tmp_path, sites=2, pages=2))
    ids = [e.id for site_examples in content_examples(None, labels, jobs=1) for e in site_examples]
    assert ids == ["0-0.html", "0-1.html", "1-0.html", "1-1.html"]


def test_a_learning_curve_is_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib")
    draw_curve([3.0, 2.0], [0.5, 0.4], tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()

"""The thesis's model is trained in torch, run without it, and its training resumes after an interruption."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from labelled import product, write_labels
from peneira.sources.html import read_page
from peneira.texts.edrew import Entries, LanguageModel, text_probabilities
from peneira_research.commands.train import train
from peneira_research.corpora.content_examples import ContentExample, SiteExamples
from peneira_research.corpora.labelled_pages import read_labels
from peneira_research.training import edrew_language
from peneira_research.training.edrew_classifier import embeddings, train_classifier, with_classifier
from peneira_research.training.edrew_language import coded, train_language_model
from peneira_research.training.edrew_run import train_edrew
from peneira_research.training.edrew_settings import ClassifierSettings, EdrewSettings
from peneira_research.training.path_embeddings import PathEmbeddings

TINY = EdrewSettings(
    letter_size=4, filters=3, state_size=8, min_count=1, batch=8, epochs=3,
    classifier=ClassifierSettings(size=8, epochs=40, batch=16),
)  # fmt: skip
PATHS: list[Entries] = [
    ("<#CNT>", f"{tag}|{place}", "div|5", "body|2") for tag in ("price", "h1", "td", "li") for place in (1, 8, 34)
]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[ContentExample]:
    labels = read_labels(write_labels(tmp_path_factory.mktemp("labels"), sites=4, pages=3))
    return SiteExamples(peers=False)(labels)


def test_the_loss_falls_and_equal_runs_are_equal():
    (first, losses), (second, _) = (train_language_model(PATHS, TINY) for _ in range(2))
    assert losses[-1] < losses[0]
    assert all((first.weights[name] == second.weights[name]).all() for name in first.weights)


def test_numpy_reads_paths_as_torch_does():
    import torch

    data = coded(PATHS, TINY)
    network = edrew_language._network(data, TINY)
    model = LanguageModel(edrew_language._weights(network), data.alphabet)
    entries = edrew_language._read(network, data, data.codes.reshape(-1)).reshape(*data.codes.shape, -1)
    first, _ = network["forward_1"](entries)
    second = first + network["forward_2"](first)[0]
    back, _ = network["backward_1"](torch.flip(entries, [1]))
    deep = back + network["backward_2"](back)[0]
    layers = (entries, first, back, second, deep)
    expected = torch.cat([*(layer.mean(dim=1) for layer in layers), *(layer[:, -1] for layer in layers[1:])], dim=1)
    assert model.embed(PATHS) == pytest.approx(expected.detach().numpy(), abs=1e-5)


def test_an_interrupted_run_resumes_with_equal_results(tmp_path: Path):
    checkpoint, whole = tmp_path / "c", train_language_model(PATHS, TINY)[0]

    def stop(done: int, total: int, loss: float) -> None:
        if done == total - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_language_model(PATHS, TINY, checkpoint=checkpoint, on_batch=stop)
    resumed, losses = train_language_model(PATHS, TINY, checkpoint=checkpoint)
    assert len(losses) == TINY.epochs
    assert all((resumed.weights[name] == whole.weights[name]).all() for name in whole.weights)


def test_a_checkpoint_of_other_paths_is_not_used(tmp_path: Path):
    checkpoint = tmp_path / "c"
    train_language_model(PATHS[:4], TINY, checkpoint=checkpoint)
    fresh, _ = train_language_model(PATHS, TINY, checkpoint=checkpoint)
    assert all((fresh.weights[n] == a).all() for n, a in train_language_model(PATHS, TINY)[0].weights.items())


def test_the_classifier_learns_which_paths_are_content():
    language, _ = train_language_model(PATHS, TINY)
    content = np.array([1.0 if path[1].startswith("price|") else 0.0 for path in PATHS])
    longer = replace(TINY, classifier=ClassifierSettings(size=8, epochs=200, batch=16, rate=0.02, dropout=0.0))
    classifier, losses = train_classifier(embeddings(language, PATHS), content, 1 - content, longer)
    probabilities = with_classifier(language, classifier).probabilities(PATHS)
    assert losses[-1] < losses[0]
    assert probabilities[content == 1].min() > probabilities[content == 0].mean()


def test_the_model_of_labelled_pages_separates_content_from_menus(examples: list[ContentExample]):
    model, _, _ = train_edrew(examples, TINY)
    page = read_page(product(0, 0)[0])
    rows = [i for i in range(len(page)) if page.is_text(i) and not page.silent[i]]
    probabilities = dict(zip((page.text[i] for i in rows), text_probabilities(page, rows, model), strict=True))
    assert probabilities["Kettle 00"] > probabilities["Books"]
    assert probabilities["$3.00"] > probabilities["Terms of use"]


def test_a_classifier_is_trained_on_embedded_paths(examples: list[ContentExample]):
    language, _ = train_language_model(sorted({path for e in examples for path in e.paths}), TINY)
    paths = PathEmbeddings(examples, language)
    predict = paths.trained(examples[:8], TINY)
    assert predict(examples[9]).shape == examples[9].lengths.shape


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("peneira_research.training.edrew_run.train_edrew.__defaults__", (TINY,))
    yield


def test_training_is_one_command(tmp_path: Path, tiny: None):
    labels = write_labels(tmp_path / "pages", sites=2, pages=2)
    arguments = ["content", "--labels", str(labels), "--model", "edrew", "--jobs", "1", "-o", str(tmp_path)]
    result = CliRunner().invoke(train, arguments, env={"PENEIRA_CORPORA": ""})
    assert result.exit_code == 0, result.output
    assert LanguageModel.load(tmp_path / "edrew.npz").probabilities([("p|1",)]).shape == (1,)
    assert not (tmp_path / "edrew.checkpoint").exists()

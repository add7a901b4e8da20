"""Training the ranking: scores of candidates, augmentation, and models trained on pages of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from peneira.lists.auto import find_lists
from peneira.lists.candidates import find_candidates
from peneira.lists.ranking import MODEL_NAMES
from peneira.ml.running_sums import RunningSums
from peneira.sources.html import read_page
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.rendered_pages import Snapshots
from peneira_research.scores.record_score import score
from peneira_research.squeezed_text import page_text
from peneira_research.training import list_models
from peneira_research.training.augmentation import bare_titles, few_records, flat_records, grid_of_records
from peneira_research.training.list_examples import CandidateScorer, list_examples, rendered_examples, wholeness
from peneira_research.training.list_models import ForestOptions, fitted_calibration, train_list_models

ROWS = "".join(f"<div class=r><a href=/{n}>Item {n}</a><p>about {n}</p></div>" for n in "abcdef")
PAGE = f"<ul><li>Home<li>Help</ul><div>{ROWS}</div>"


def records_of(html: str) -> list[tuple[int, int]]:
    page = read_page(html)
    return [(i, int(page.end[i])) for i in range(len(page)) if page.attrs[i].get("class") == "r"]


@pytest.mark.parametrize(
    "anchors", [["Item a", "Item b", "Item c"], [f"Item {n}" for n in "abcdef"], ["about a", "Help"]]
)
def test_candidates_are_scored_as_records_are(anchors: list[str]):
    page = read_page(PAGE)
    found = find_candidates(page, RunningSums(page))
    scores = CandidateScorer(page, anchors).scores(found)
    text = page_text(page)
    for k in range(len(found)):
        texts = [page.visible_text(start, end) for start, end in found.ranges(k)]
        assert scores[k] == pytest.approx(score(texts, anchors, text).f1)


def test_a_variant_with_few_records_keeps_neighbours_and_all_else():
    variant, kept = few_records(read_page(PAGE), records_of(PAGE), np.random.default_rng(1))
    names = ["a", "b", "c", "d", "e", "f"][kept]
    assert variant.visible_text(0) == "Home Help " + " ".join(f"Item {n} about {n}" for n in names)


def test_a_variant_with_titles_keeps_the_first_link_of_each_record():
    variant = bare_titles(read_page(PAGE), records_of(PAGE))
    assert variant.visible_text(0) == "Home Help " + " ".join(f"Item {n}" for n in "abcdef")


def test_a_grid_wraps_several_records_in_an_element():
    variant = grid_of_records(read_page(PAGE), records_of(PAGE), np.random.default_rng(1))
    assert variant is not None
    records = [i for i in range(len(variant)) if variant.attrs[i].get("class") == "r"]
    rows = {int(variant.parent[i]) for i in records}
    assert len(records) == 6
    assert 1 < len(rows) < 6
    assert len({int(variant.parent[i]) for i in rows}) == 1
    assert variant.visible_text(0) == read_page(PAGE).visible_text(0)


def test_a_flat_variant_has_the_parts_of_records_as_siblings():
    flat = flat_records(read_page(PAGE), records_of(PAGE))
    assert flat is not None
    variant, ranges = flat
    assert variant.visible_text(0) == read_page(PAGE).visible_text(0)
    assert [variant.visible_text(*own) for own in ranges] == [f"Item {n} about {n}" for n in "abcdef"]
    assert len({int(variant.parent[start]) for start, _ in ranges}) == 1
    assert not any(variant.attrs[i].get("class") == "r" for i in range(len(variant)))


def test_records_that_do_not_begin_alike_are_not_made_flat():
    rows = "".join(f"<div class=r><{tag}>Item</{tag}><p>more</p></div>" for tag in ("a", "b", "i", "u", "em"))
    assert flat_records(read_page(f"<div>{rows}</div>"), records_of(f"<div>{rows}</div>")) is None


def test_records_that_begin_too_late_score_lower_by_their_values():
    html = (
        "<div>" + "".join(f"<p class=s>{n}{n} street</p><h3>Item {n}</h3><p>about {n}</p>" for n in "abcdef") + "</div>"
    )
    page = read_page(html)
    found = find_candidates(page, RunningSums(page))
    anchors = [f"Item {n}" for n in "abcdef"]
    fields = [{"title": f"Item {n}", "address": f"{n}{n} street", "about": f"about {n}"} for n in "abcdef"]
    scorer = CandidateScorer(page, anchors)
    scores = scorer.scores(found)
    shares = {
        page.visible_text(*found.ranges(k)[0]): wholeness(scorer, found, scores, fields)[k] for k in range(len(found))
    }
    assert shares["aa street Item a about a"] == 1
    assert shares["Item a about a bb street"] == pytest.approx(12 / 18)


def test_the_calibration_follows_how_often_lists_are_right():
    products = np.repeat([0.2, 0.8], 500)
    is_right = np.concatenate((np.arange(500) < 50, np.arange(500) < 475)).astype(np.float64)
    curve = fitted_calibration(products, is_right, np.ones(1000))
    assert curve(np.array([0.2, 0.8])) == pytest.approx([0.1, 0.95], abs=0.01)


@pytest.fixture
def corpora(tmp_path: Path) -> Corpora:
    """Ten sites, each with a page of records and a menu that has as many links."""
    folder = tmp_path / "lists"
    folder.mkdir()
    lines = []
    for k in range(10):
        names = [f"Thing {k}{n}" for n in "abcdefgh"]
        rows = "".join(
            f"<div class=c{k}><b>{n}</b><p>sold in shop {k} for {i}9.90</p></div>" for i, n in enumerate(names)
        )
        menu = "".join(f"<li><a href=/{k}{n}>link {n}</a></li>" for n in range(8))
        (folder / f"{k}.html").write_text(f"<ul>{menu}</ul><div id=x>{rows}</div>", encoding="utf-8")
        entry = {"id": f"p{k}", "corpus": "own", "site": f"s{k}", "file": f"{k}.html", "anchors": names, "expected": 8}
        lines.append(json.dumps(entry))
    (folder / "lists.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "negatives.jsonl").write_text("", encoding="utf-8")
    return Corpora(tmp_path)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forests of few trees, whose leaves may hold few rows."""
    for name in ("SCREEN", "RANKING", "QUALITY", "CONFIDENCE", "MEMBERS", "PAGE_TYPE"):
        params = {**getattr(list_models, name).params, "min_data_in_leaf": 5}
        monkeypatch.setattr(list_models, name, ForestOptions(15, params))


# two folds of the sites
FOLDS = {f"s{k}": k % 2 for k in range(10)}


@pytest.mark.usefixtures("small")
def test_trained_models_find_the_records_of_an_unseen_site(corpora: Corpora):
    examples = list(list_examples(corpora, jobs=1))
    assert {example.id for example in examples} > {"p0", "p0 (few)", "p0 (rows)", "p1 (titles)"}
    models = train_list_models([example for example in examples if example.site != "s0"], FOLDS).plain
    page = read_page(corpora.page("p0").body())
    records = find_lists(page, models).regions[0].records
    assert [record.text for record in records][::7] == [
        "Thing 0a sold in shop 0 for 09.90",
        "Thing 0h sold in shop 0 for 79.90",
    ]
    again = train_list_models([example for example in examples if example.site != "s0"], FOLDS).plain
    assert [getattr(again, name).to_json() for name in MODEL_NAMES] == [
        getattr(models, name).to_json() for name in MODEL_NAMES
    ]


@pytest.mark.usefixtures("small")
def test_rendered_pages_train_a_choice_that_uses_boxes(corpora: Corpora, tmp_path: Path):
    snapshots = Snapshots(tmp_path / "snapshots")
    assert [error for _, error in snapshots.render(corpora.pages())] == [None] * 10
    rendered = list(rendered_examples(corpora, snapshots.folder, jobs=1))
    assert [example.id for example in rendered] == [f"p{k}" for k in range(10)]
    trained = train_list_models(list(list_examples(corpora, jobs=1)), FOLDS, rendered)
    assert trained.rendered is not None
    prefixes = [{name.split("_")[0] for name in models.ranking.names} for models in (trained.plain, trained.rendered)]
    assert ["box" in names for names in prefixes] == [False, True]
    assert trained.rendered.screening.to_json() == trained.plain.screening.to_json()
    page = snapshots.page(corpora.page("p3").body())
    assert len(find_lists(page, trained.rendered).regions[0].records) == 8

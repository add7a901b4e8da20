"""Gold texts and elements, scores, and the parts of the protocols."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from labelled import write_labels
from peneira.errors import CorpusError
from peneira.sources.html import read_page
from peneira.texts.page_texts import PageTexts
from peneira_research.corpora.archives import DetailPage, SwdePage
from peneira_research.corpora.content_examples import ContentExample, SiteExamples, page_digest
from peneira_research.corpora.gold_texts import (
    GOLD,
    NOISE,
    detail_gold,
    element_labels,
    elements_of,
    swde_gold,
    values_gold,
)
from peneira_research.corpora.labelled_pages import LabelledPage, read_labels
from peneira_research.scores.content_scores import (
    Confusion,
    confusion,
    element_score,
    kept_at_recall,
    roc_auc,
    text_score,
)
from peneira_research.studies.content_protocols import (
    as_contents,
    best_threshold,
    density,
    everything,
    predicted_contents,
    split,
    unique,
)
from peneira_research.training.content_models import averaged_by_content, page_weights, site_folds


def texts(html: str) -> PageTexts:
    return PageTexts(read_page(html))


def swde(html: str, site: str = "s", **values: tuple[str, ...]) -> list[int]:
    return swde_gold(texts(html), SwdePage("movie", site, "1", b"", values)).labels.tolist()


def detail_page(**values: tuple[str, ...]) -> DetailPage:
    return DetailPage("1", "source", "site", None, b"", values, {}, {}, {}, {})


def example(html: str, *values: str, site: str = "s") -> ContentExample:
    (found,) = SiteExamples(peers=False)([LabelledPage("1", site, html.encode(), values)])
    return found


def test_every_text_that_equals_a_value_is_gold_in_swde():
    assert swde("<p>Up</p><p> UP </p><p>Up, up</p>", title=("Up",)) == [1, 1, 0]


def test_a_value_that_no_text_equals_makes_gold_of_those_that_hold_it():
    assert swde("<p>by Ana</p><p>x</p>", director=("Ana",)) == [1, 0]


def test_labels_known_to_be_cut_short_are_left_out():
    assert swde("<p>PG</p><p>x</p>", site="allmovie", mpaa_rating=("P",)) == [-1, 0]


def test_a_value_of_several_texts_makes_gold_of_all():
    page = texts("<li><span>2</span> <b>cups</b> flour</li><p>flour</p>")
    assert values_gold(page, ["2 cups flour"]).labels.tolist() == [1, 1, 1, 0]


def test_a_text_that_holds_a_value_that_occurs_once_is_gold():
    assert values_gold(texts("<p>Serves 4 hungry people at any table</p>"), ["Serves 4"]).labels.tolist() == [1]


def test_a_value_that_occurs_twice_is_found_in_either_text():
    gold = values_gold(texts("<a>Soup</a><h1>Soup</h1><p>x</p>"), ["Soup"])
    assert (gold.labels.tolist(), gold.repeated) == ([-1, -1, 0], ((0, 1),))


def test_values_are_whole_words():
    assert values_gold(texts("<p>banana</p>"), ["ana"]).labels.tolist() == [0]


def test_weak_values_are_left_out():
    gold = detail_gold(texts("<p>Dinner</p><p>Boil.</p>"), detail_page(category=("Dinner",), instructions=("Boil.",)))
    assert gold.labels.tolist() == [-1, 1]


def test_hidden_texts_are_no_gold():
    assert values_gold(texts("<p hidden>Boil.</p>"), ["Boil."]).labels.tolist() == [0]


def test_texts_of_one_block_between_breaks_are_one_element():
    assert elements_of(texts("<p>a <b>b</b><br>c</p><div>d</div>")).tolist() == [0, 0, 1, 2]


def test_an_element_is_gold_by_most_of_its_characters():
    page = texts("<p>Note: <b>Boil the water well.</b></p><p>x</p>")
    gold = values_gold(page, ["Boil the water well."])
    assert element_labels(gold, elements_of(page), page.lengths).tolist() == [1, 0]


def test_counts_give_the_scores_of_both_classes():
    counts = confusion(np.array([1, 1, 0, 0, -1], dtype=np.int8), np.array([True, False, True, False, True]))
    assert counts == Confusion(1, 1, 1, 1)
    assert (counts.precision, counts.recall, counts.f1, counts.macro_f1, counts.weighted_f1) == (
        0.5,
        0.5,
        0.5,
        0.5,
        0.5,
    )


def test_a_constant_no_has_a_good_weighted_average_and_a_bad_score():
    counts = Confusion(gold_lost=2, noise_lost=98)
    assert (counts.f1, round(counts.weighted_f1, 2)) == (0.0, 0.97)


@pytest.mark.parametrize(
    ("probabilities", "expected"), [([0.1, 0.9, 0.5], 1.0), ([0.9, 0.1, 0.5], 0.0), ([0.5, 0.5, 0.5], 0.5)]
)
def test_the_roc_auc_is_how_often_gold_is_ahead(probabilities: list[float], expected: float):
    assert roc_auc(np.array([0, 1, -1], dtype=np.int8), np.array(probabilities)) == expected


def test_scores_over_texts_and_over_elements():
    page = example("<p>Red <b>kettle</b></p><p>Menu</p>", "Red kettle")
    predictions = [(page, np.array([0.9, 0.2, 0.6]))]
    assert text_score(predictions, 0.5).metrics() == {
        "pages": 1, "auc": 0.5, "gold_kept": 0.5, "texts_kept": 2 / 3, "texts_at_90": 1.0, "precision": 0.5,
        "recall": 0.5, "f1": 0.5, "macro_f1": 0.25, "weighted_f1": pytest.approx(1 / 3),
    }  # fmt: skip
    assert element_score(predictions, 0.4).confusion == Confusion(gold_kept=1, noise_kept=1)


@pytest.mark.parametrize(("share", "expected"), [(1.0, 0.75), (0.5, 0.25)])
def test_keeping_more_of_the_gold_keeps_more_texts(share: float, expected: float):
    labels = np.array([GOLD, NOISE, GOLD, NOISE], dtype=np.int8)
    assert kept_at_recall(labels, np.array([0.9, 0.5, 0.4, 0.1]), share) == expected


def test_without_gold_there_is_nothing_to_keep():
    assert np.isnan(kept_at_recall(np.zeros(2, dtype=np.int8), np.ones(2), 0.9))


def test_a_content_is_gold_if_any_text_of_it_is():
    page = example("<p>Price: <b>$5</b></p><p>Menu</p>", "$5")
    assert page.gold.labels.tolist() == [0, 1, 0]
    assert as_contents(page).gold.labels.tolist() == [1, 1, 0]


def test_contents_are_predicted_once_each():
    page = as_contents(example("<p>aa <b>$5</b></p><p>Menu</p>", "$5"))
    ((predicted, probabilities),) = predicted_contents([page], lambda _: np.array([0.2, 0.4, 1.0]))
    assert (predicted.gold.labels.tolist(), probabilities.tolist()) == ([1, 0], [pytest.approx(0.3), 1.0])


def test_a_repeated_value_counts_once():
    page = example("<a>Soup</a><h1>Soup</h1><p>x</p>", "Soup")
    assert element_score([(page, np.array([0.0, 1.0, 0.0]))], 0.5).confusion == Confusion(gold_kept=1, noise_lost=1)
    assert element_score([(page, np.zeros(3))], 0.5).f1_by_site == 0.0


def test_texts_of_one_content_share_their_probability():
    page = example("<p>aa <b>bb</b></p><p>c</p>")
    assert averaged_by_content(page, np.array([0.2, 0.4, 1.0])).tolist() == [
        pytest.approx(0.3),
        pytest.approx(0.3),
        1.0,
    ]


def test_pages_of_equal_elements_count_once():
    one, two, three = (example(html) for html in ("<p>a</p>", "<p>b</p>", "<div>a</div>"))
    assert [page.digest for page in unique([one, two, three])] == [one.digest, three.digest]


def test_the_digest_knows_elements_and_not_texts():
    digests = [page_digest(read_page(html)) for html in ("<p>a", "<p>b c", "<p>a<b>b")]
    assert (digests[0] == digests[1], digests[0] == digests[2]) == (True, False)


def test_pages_are_split_seven_two_one_and_always_alike():
    pages = [replace(example("<p>a"), id=str(k)) for k in range(10)]
    parts = split(pages)
    assert [len(part) for part in parts] == [7, 2, 1]
    assert [[page.id for page in part] for part in split(pages)] == [[page.id for page in part] for part in parts]


def test_the_best_threshold_is_that_of_gold():
    page = example("<p>Kettle</p><p>Menu</p>", "Kettle")
    assert 0.3 < best_threshold([(page, np.array([0.8, 0.3]))]) <= 0.8


def test_baselines_know_all_or_long_texts():
    page = example(f"<p>{'word ' * 30}</p><p><a href=x>Menu</a></p>")
    assert everything(page).tolist() == [1.0, 1.0]
    assert density(page)[0] > density(page)[1]


def test_noise_of_long_pages_weighs_less_and_left_out_texts_nothing():
    page = example("<a>Soup</a><h1>Soup</h1><p>Boil.</p><p>x</p><p>y</p>", "Soup", "Boil.")
    assert page_weights(page).round(3).tolist() == [0.0, 0.0, 2.121, 0.707, 0.707]


def test_all_pages_of_a_site_are_in_one_fold():
    pages = [example("<p>a", site=f"s{k % 7}") for k in range(14)]
    folds = site_folds(pages)
    assert len(folds) == 7 and set(folds.values()) == set(range(4))


def test_labels_are_read_from_json_lines(tmp_path: Path):
    pages = read_labels(write_labels(tmp_path, sites=2, pages=1))
    assert [(page.id, page.site, page.values[0]) for page in pages] == [
        ("0-0.html", "site 0", "Kettle 00"),
        ("1-0.html", "site 1", "Kettle 10"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "[" * 100_000, '{"file": "x.html"}', '{"file": "x.html", "values": ["a"]}', '{"values": ["a"]}',
        '{"file": 1, "values": ["a"]}', '{"file": ".", "values": "Red kettle"}', '{"file": ".", "values": [["a"]]}',
        '{"file": ".", "values": ["a"]}', '{"file": "a\\u0000b", "values": ["a"]}',
    ],
)  # fmt: skip
def test_a_broken_label_is_named_by_its_line(tmp_path: Path, line: str):
    path = tmp_path / "labels.jsonl"
    path.write_text(line)
    with pytest.raises(CorpusError, match=r"labels\.jsonl:1: "):
        read_labels(path)


@pytest.mark.parametrize(
    ("body", "message"), [(b"\n \n", "no labelled page"), (b'{"file": "\xff"}', "not a text in UTF-8")]
)
def test_a_file_without_labels_is_an_error(tmp_path: Path, body: bytes, message: str):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(body)
    with pytest.raises(CorpusError, match=message):
        read_labels(path)


def test_a_labelled_page_may_be_anything(tmp_path: Path):
    (tmp_path / "a.html").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "labels.jsonl").write_text('\ufeff{"file": "a.html", "values": ["x", 5]}', encoding="utf-8")
    (page,) = read_labels(tmp_path / "labels.jsonl")
    assert page.values == ("x", "5")
    assert len(SiteExamples(peers=False)([page])) <= 1

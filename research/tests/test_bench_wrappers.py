"""The wrapper score and the evaluation of records as sets of values."""

from __future__ import annotations

from pathlib import Path

import pytest

from peneira.result import Cell, Column, Extraction, Record, Region
from peneira.sources.html import read_page
from peneira.wrappers.learning import learn
from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.item_set_score import Counts, compare, record_sets, without_template
from peneira_research.scores.wrapper_score import by_vertical, score_list_site, score_site, sites
from peneira_research.studies.mutations import removed_column


def page(number: int, name: str, height: str, site: str = "one") -> SwdePage:
    body = f"<h1>{name}</h1><p>Height</p><b>{height}</b><i>All &amp; more</i>".encode()
    return SwdePage("nbaplayer", site, f"{number:04}", body, {"name": (name,), "height": (height,)})


PEOPLE = [("Ana", "1.80 m"), ("Bia", "1.75 m"), ("Cid", "1.91 m"), ("Dora", "1.69 m")]
SITE = [page(k, *person) for k, person in enumerate(PEOPLE)]


@pytest.mark.parametrize("method", ["gstm", "fivatech"])
def test_a_site_that_is_read_right_scores_1(method: str):
    score = score_site(SITE, method=method, learning_pages=2)
    assert (score.f1["height"], score.f1["name"]) == (1.0, 1.0)
    assert score.column_of["name"] == "title"


def test_a_label_that_no_column_gives_scores_0():
    odd = [SwdePage("v", "s", p.id, p.body, {"name": ("Nobody",)}) for p in SITE]
    score = score_site(odd, method="gstm", learning_pages=2)
    assert (score.f1, score.column_of, score.mean) == ({"name": 0.0}, {}, 0.0)


def test_an_attribute_without_gold_on_the_scored_pages_does_not_count():
    bare = [SwdePage("v", "s", p.id, p.body, {"name": p.values["name"], "team": ()}) for p in SITE]
    score = score_site(bare, method="auto", learning_pages=2)
    assert (dict(score.f1), score.column_of.get("team")) == ({"name": 1.0}, None)


def listing(names: list[str]) -> str:
    rows = "".join(
        f"<tr><td><a href='/{n}'>{n} of the long list of names</a></td><td>{len(n)} years and more</td></tr>"
        for n in names
    )
    return f"<html><body><table id=people><tr><th>Name</th><th>Age</th></tr>{rows}</table></body></html>"


def test_a_list_page_that_cannot_be_read_scores_0_and_the_others_are_measured(tmp_path: Path):
    pages = []
    for k, names in enumerate((["Ana", "Bia", "Cid", "Dora"], ["Eva", "Gil", "Hugo"], ["Ivo", "Lia", "Max"])):
        file = tmp_path / f"{k}.html"
        if k < 2:
            file.write_text(listing(names), encoding="utf-8")
        pages.append(GoldPage(f"{k}", "ours", "people", file, tuple(f"{n} of the long" for n in names)))
    score = score_list_site(pages, method="auto")
    assert (score.pages, score.f1, score.default_f1, score.otherwise_f1) == (2, 0.5, 0.5, 0.5)
    assert score.error is not None and score.error.startswith("2: CorpusError")


def test_a_removed_column_goes_with_its_heading():
    page = read_page(listing(["Ana", "Bia", "Cid", "Dora", "Eva"]))
    changed = read_page(removed_column(page, learn([page], kind="list")))
    assert [changed.name(i) for i in range(len(changed))].count("th") == 1
    assert changed.text_of(changed.body).count("years") in (0, 5)


def test_labels_known_to_be_broken_are_left_out():
    broken = [SwdePage("movie", "amctv", p.id, p.body, {"director": ("x",), "title": p.values["name"]}) for p in SITE]
    assert set(score_site(broken, method="gstm", learning_pages=2).f1) == {"title"}


def test_sites_are_grouped_and_ordered_and_few_if_wanted():
    pages = [page(1, "b", "c"), page(0, "a", "b"), page(2, "c", "d", "two"), page(3, "d", "e", "three")]
    assert [[p.id for p in site] for site in sites(pages, max_sites=2)] == [["0000", "0001"], ["0002"]]
    assert list(sites(pages, ["movie"])) == []


def test_means_are_over_pairs_of_site_and_attribute():
    score = score_site(SITE, method="gstm", learning_pages=2)
    assert by_vertical([score]).keys() == {"nbaplayer", "all"}


def test_records_match_above_35_percent_and_items_count_in_those_only():
    found = [frozenset("abc"), frozenset("xyz")]
    wanted = [frozenset("abd"), frozenset("pq")]
    assert compare(found, wanted) == (Counts(1, 1, 1), Counts(2, 1 + 3, 1 + 2))


def test_a_record_is_paired_once():
    assert compare([frozenset("ab")], [frozenset("ab"), frozenset("ab")])[0] == Counts(1, 0, 1)


def test_what_more_than_80_percent_of_the_records_have_is_template():
    sets = [frozenset({"apply", name}) for name in "abcde"]
    assert without_template(sets) == [frozenset({name}) for name in "abcde"]


def test_the_values_of_a_record_are_those_of_the_columns_that_are_shown():
    shown, hidden = Column("title", "Name", 1.0), Column("id", "Number", 1.0)
    records = tuple(
        Record(((k, k + 1),), name, "", fields={"title": Cell(name, ""), "id": Cell(f"no. {k}", "")})
        for k, name in enumerate(("Ana", "Bia"))
    )
    region = Region("/html", records, 1.0, (shown,), all_columns=(shown, hidden))
    assert record_sets(Extraction("list", (region,), region, "auto")) == [frozenset({"ana"}), frozenset({"bia"})]


def test_scores_of_counts():
    counts = Counts(right=3, wrong=1, missing=2)
    assert (counts.precision, counts.recall, counts.f_score) == (0.75, 0.6, 2 / 3)
    assert Counts().f_score == 0.0

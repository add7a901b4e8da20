"""The field score, on pages written for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from peneira.cli.main import cli
from peneira.sources.html import read_page
from peneira.values import ColumnType
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.scores.field_score import (
    GOLD_RECORDS,
    FieldOutcome,
    GoldValue,
    field_metrics,
    field_outcome,
    metrics_by_field,
)
from peneira_research.scores.gold_records import gold_region
from test_bench_corpora import write_corpora

CARDS = (
    "<ul class=menu><li>Home<li>Help</ul><base href=https://a.example/shop/><div>"
    "<article><h3><a href=p1>Red kettle</a></h3><p class=price>R$ 10</p></article>"
    "<article><h3><a href=p2>Blue kettle</a></h3><p class=price>R$ 20</p></article>"
    "<article><h3><a href=p3>Clay pot</a></h3><p class=price>R$ 30</p></article></div>"
)


def gold_page(
    tmp_path: Path, html: str, fields: list[dict[str, str]], anchors: list[str], layout: str = ""
) -> GoldPage:
    file = tmp_path / "page.html"
    file.write_text(html)
    return GoldPage("p", "modern", "a.example", file, tuple(anchors), len(anchors), tuple(fields), layout=layout)


def test_values_and_addresses_are_found_in_the_cells_of_their_records(tmp_path: Path):
    fields = [{"price": f"R$ {k}0", "url": f"p{k}"} for k in (1, 2, 3)]
    page = gold_page(tmp_path, CARDS, fields, ["Red kettle", "Blue kettle", "Clay pot"])
    found = field_outcome(page, GOLD_RECORDS)
    assert [value.columns for value in found.values] == [("price",), ("url",)] * 3
    assert all(value.is_reachable and value.is_in_default_column for value in found.values)
    assert metrics_by_field([found])["all"].purity == 1.0


def test_a_cell_that_is_much_longer_than_the_value_does_not_hold_it(tmp_path: Path):
    page = gold_page(tmp_path, CARDS, [{"a": "Red"}, {"a": "Blue kett"}], ["Red kettle", "Blue kettle"])
    assert [value.columns for value in field_outcome(page, GOLD_RECORDS).values] == [(), ("title",)]


def test_the_value_of_another_record_is_not_found(tmp_path: Path):
    page = gold_page(tmp_path, CARDS, [{"price": "R$ 20"}, {}], ["Red kettle", "Blue kettle"])
    assert [value.columns for value in field_outcome(page, GOLD_RECORDS).values] == [()]


def test_a_value_whose_record_was_not_found_counts_among_all_only(tmp_path: Path):
    page = gold_page(tmp_path, CARDS, [{"price": "R$ 10"}, {"price": "R$ 99"}], ["Red kettle", "Green kettle"])
    assert field_metrics([("p", value) for value in field_outcome(page, GOLD_RECORDS).values]).found_of_all == 0.5


def test_purity_is_the_share_of_the_most_frequent_column():
    columns = (("a",), ("a", "b"), ("b",), ())
    values = [("p", GoldValue("x", "", "", True, columns=names)) for names in columns]
    assert field_metrics(values).purity == pytest.approx(2 / 3)
    assert field_metrics(values).found == 0.75


def test_a_page_that_fails_counts_as_nothing_found(tmp_path: Path):
    page = gold_page(tmp_path, CARDS, [{"price": "R$ 10"}], ["Red kettle"])
    page.file.unlink()
    found = field_outcome(page, "auto")
    assert (found.error or "").startswith("CorpusError")
    assert metrics_by_field([found])["all"].found == 0.0


def test_records_of_the_gold_span_siblings_where_the_layout_says_so(tmp_path: Path):
    html = "<div><h3>One</h3><p>a</p><h3>Two</h3><p>b</p></div>"
    page = read_page(html)
    spans = gold_region(page, gold_page(tmp_path, html, [], ["One", "Two"], "siblings:h3"))
    rows = gold_region(page, gold_page(tmp_path, html, [], ["One", "Two"], "rows:h3"))
    assert spans is not None and rows is not None
    assert [record.text for record in spans.records] == ["One a", "Two b"]
    assert [record.text for record in rows.records] == ["One", "Two"]


def test_types_are_scored_on_the_cells_that_hold_gold_values(tmp_path: Path):
    days = ["3 May 2024", "14 June 2024", "7 July 2024"]
    html = "".join(
        f"<article><h3>Case {day}</h3><p class=day>{day}</p><p>{k}.50 EUR</p></article>" for k, day in enumerate(days)
    )
    fields = [{"date": day, "name": f"Case {day}", "title": f"{k}.50 EUR"} for k, day in enumerate(days)]
    found = metrics_by_field(
        [field_outcome(gold_page(tmp_path, html, fields, [f"Case {day}" for day in days]), GOLD_RECORDS)]
    )
    assert [found[f"  {name}"].dates_typed for name in ("date", "name", "title")] == [1.0, None, None]
    assert [found[f"  {name}"].mistyped for name in ("date", "name", "title")] == [0, 0, 3]


def test_a_cell_that_only_contains_the_value_is_ignored_where_another_equals_it(tmp_path: Path):
    html = "".join(
        f"<article><h3>{k}/2019</h3><p class=day>{k + 20}/0{k}/2019</p><p>no. {k}</p></article>" for k in (1, 2, 3)
    )
    page = gold_page(tmp_path, html, [{"reference": "1/2019"}, {}, {}], ["1/2019", "2/2019", "3/2019"])
    (found,) = field_outcome(page, GOLD_RECORDS).values
    assert (len(found.columns), found.types) == (2, ("text",))


def test_a_date_that_is_not_full_or_not_found_is_no_date_to_type():
    values = [
        GoldValue("date", "May 2024", "", True, columns=("a",), types=("text",)),
        GoldValue("date", "3 May 2024", "", True),
    ]
    assert field_metrics([("p", value) for value in values]).dates_typed is None


def test_a_date_in_a_cell_of_text_is_not_typed():
    types: list[ColumnType] = ["text", "datetime"]
    values = [("p", GoldValue("date_filed", "3/5/24", "", True, columns=("a",), types=(type_,))) for type_ in types]
    assert field_metrics(values).dates_typed == 0.5


def test_an_outcome_without_values_has_metrics():
    assert metrics_by_field([FieldOutcome("p", "s", "auto", ())])["all"].purity is None


def test_the_command_prints_the_document_and_the_table_beside_it(tmp_path: Path):
    corpora = write_corpora(tmp_path / "corpora")
    arguments = ["bench", "fields", "--corpora", str(corpora), "--jobs", "1", "--worst", "1"]
    result = CliRunner().invoke(cli, arguments, env={"PENEIRA_CORPORA": ""})
    assert result.exit_code == 0
    assert [page["id"] for page in json.loads(result.stdout)["pages"]] == ["m-1"]
    assert result.stderr.splitlines()[0].split()[:3] == ["values", "gold", "reachable"]

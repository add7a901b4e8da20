from __future__ import annotations

import pickle
from itertools import pairwise

import pytest

import peneira
from peneira.columns.builder import ColumnBuilder
from peneira.errors import ArgumentError, UnknownMethod
from peneira.findings import Findings

SHOP = """
<ul class=menu><li><a href=/>Home</a><li><a href=/b>Books</a><li><a href=/c>Help</a></ul>
<div id=list>
 <div class=item><h3><a href="/p/1">Red kettle, two litres</a></h3><span class=price>R$ 129,90</span></div>
 <div class=item><h3><a href="/p/2">Blue kettle with a whistle</a></h3></div>
 <div class=item><h3><a href="/p/3">Clay pot for slow soups</a></h3><span class=price>R$ 89,00</span></div>
</div>
"""


def test_the_main_list_is_the_records_and_not_the_menu():
    result = peneira.extract(SHOP)
    assert (result.verdict, result.status) == ("list", "complete")
    assert [record.text for record in result.main.records] == [
        "Red kettle, two litres R$ 129,90",
        "Blue kettle with a whistle",
        "Clay pot for slow soups R$ 89,00",
    ]
    assert result.main is result.regions[0]
    assert [record.text for record in result.regions[1].records] == ["Home", "Books", "Help"]


def test_the_columns_of_other_lists_are_filled_in_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    filled = []
    fill = ColumnBuilder.fill
    monkeypatch.setattr(ColumnBuilder, "fill", lambda self, region: filled.append(region.xpath) or fill(self, region))
    result = peneira.extract(SHOP)
    assert filled == [result.main.xpath]
    assert result.regions[1].table.names == ("title", "url")
    assert result.regions[1] is result.regions[-1]
    assert len(filled) == len(result.regions) == 2


def test_lists_compare_and_travel_as_values():
    result = peneira.extract(SHOP)
    assert pickle.loads(pickle.dumps(result)) == result == peneira.extract(SHOP)
    assert result.regions[:1] == (result.main,)
    assert hash(result) == hash(pickle.loads(pickle.dumps(result)))
    with pytest.raises(IndexError):
        result.regions[2]


def test_a_missing_field_is_an_empty_cell_and_shifts_nothing():
    result = peneira.extract(SHOP, url="https://shop.example/list/")
    table = result.main.table
    assert table.names == ("title", "price", "url")
    price = table.names.index("price")
    assert [row[price] and row[price].text for row in table.rows] == ["R$ 129,90", None, "R$ 89,00"]


def test_links_are_columns_of_their_own_and_absolute():
    result = peneira.extract(SHOP, url="https://shop.example/list/")
    cells = [record.fields["url"] for record in result.main.records]
    assert [cell.text for cell in cells] == [f"https://shop.example/p/{k}" for k in (1, 2, 3)]
    assert {cell.type for cell in cells} == {"url"}


def test_every_cell_says_where_it_stands():
    page = peneira.extract(SHOP).main
    assert page.records[0].fields["price"].xpath == "/html[1]/body[1]/div[1]/div[1]/span[1]"
    assert page.records[0].xpath == "/html[1]/body[1]/div[1]/div[1]"
    assert page.xpath == "/html[1]/body[1]/div[1]"


def test_the_result_gives_its_reasons():
    result = peneira.extract(SHOP)
    names = [reason.name for reason in result.reasons]
    assert names[:2] == ["cut", "score"]
    assert names[-1] == "margin"
    assert "runner-up" in names
    assert str(result.reasons[0]).startswith("3 records, each ")
    assert 0 < result.main.confidence <= 1


@pytest.mark.parametrize(
    ("html", "verdict"),
    [
        ("", "empty"),
        ("<div id=root></div><script src=app.js></script>", "script-shell"),
        ("<h1>A kettle</h1><p>Red.</p>", "detail"),
    ],
)
def test_verdicts(html: str, verdict: str):
    assert peneira.extract(html).verdict == verdict


def test_no_list_means_no_main():
    result = peneira.extract("<h1>A kettle</h1><p>Red.</p>")
    assert (result.main, result.regions) == (None, ())


def test_an_unknown_method_names_the_known_ones():
    with pytest.raises(UnknownMethod, match="no method 'magic'; there are: auto"):
        peneira.extract(SHOP, method="magic")


def test_records_are_disjoint_pieces_of_the_page(sample):
    for region in peneira.extract(sample).regions:
        ranges = [piece for record in region.records for piece in record.ranges]
        assert all(end <= start for (_, end), (start, _) in pairwise(ranges))


def test_the_sample_page_gives_all_its_jobs(sample):
    result = peneira.extract(sample)
    assert len(result.main.records) == 16
    titles = [record.fields["title"].text for record in result.main.records]
    assert (titles[0], titles[-1]) == ("Senior Backend Engineer", "Intern, Data Engineering")
    salaries = [record.fields["salary"].text for record in result.main.records if "salary" in record.fields]
    assert len(salaries) == 13


@pytest.mark.parametrize(("probability", "has_main"), [(0.23, True), (0.22, False), (0.06, False)])
def test_a_page_that_is_hardly_a_list_page_has_no_main_list(
    probability: float, has_main: bool, monkeypatch: pytest.MonkeyPatch
):
    region = peneira.extract("<p>a</p><p>b</p>", method="mdr").regions[0]
    page_types = {"list": probability, "article": 0.1, "detail": 0.7 - probability, "other": 0.2}
    monkeypatch.setattr("peneira.lists.auto.find_lists", lambda page: Findings([region], page_types=page_types))
    result = peneira.extract("<p>a</p><p>b</p>")
    assert (result.main is not None) == has_main
    assert (result.verdict, result.verdict_confidence) == (
        ("list", probability) if has_main else ("detail", pytest.approx(0.7 - probability))
    )


def test_a_result_has_at_most_20_lists(monkeypatch: pytest.MonkeyPatch):
    region = peneira.extract("<p>a</p><p>b</p>", method="mdr").regions[0]
    monkeypatch.setattr("peneira.lists.auto.find_lists", lambda page: Findings([region] * 21))
    assert len(peneira.extract("<p>a</p><p>b</p>").regions) == 20


def test_a_text_of_more_than_2000_characters_is_not_the_name_of_a_page():
    with pytest.raises(ArgumentError, match="is a URL"):
        peneira.extract("https://a.example/".ljust(2000, "x"))
    assert peneira.extract("https://a.example/".ljust(2001, "x")).verdict == "detail"

"""G-STM on pages: nested data, attributes, the main list."""

from __future__ import annotations

import pytest
from hypothesis import given

import peneira
from generated import soup
from peneira.methods import gstm
from peneira.page import Page
from peneira.sources.html import read_page
from peneira.templates.data_lists import PUBLISHED_RULE, WIDE_RULE, regions_of
from peneira.templates.label_pairs import learn_labels
from peneira.templates.page_data import extract_data
from peneira.templates.template_columns import common_texts_of
from peneira.templates.template_data import DataItem, DataList, DataText, EmptyData, PlainData, plain_data, walk_data
from peneira.trees import tree_matching
from work_counter import lines_executed


def data_of(html: str) -> tuple[Page, object]:
    page = read_page(html)
    template, (shapes,) = gstm.learn([page])
    return page, extract_data(template, page, shapes).data


def read(html: str, *, attributes: bool = False) -> PlainData:
    return plain_data(data_of(html)[1], attributes=attributes)  # type: ignore[arg-type]


def film(title: str, minutes: int, *actors: str) -> str:
    stars = "".join(f"<li><a>{actor}</a></li>" for actor in actors)
    return f"<div><h2>{title}</h2><p>{minutes} min</p><ul>{stars}</ul></div>"


# --- the data of a page -----------------------------------------------------------------------------------------------


def test_films_with_lists_of_actors_are_a_list_of_tuples_with_lists():
    page = "<h1>Films</h1>" + film("Up", 96, "Ed", "Chris") + film("Her", 126, "Joaquin", "Amy", "Rooney", "Scarlett")
    assert read(page) == (
        "Films",
        [("Up", "96 min", ["Ed", "Chris"]), ("Her", "126 min", ["Joaquin", "Amy", "Rooney", "Scarlett"])],
    )


def test_a_film_with_one_actor_has_a_list_of_one():
    page = film("Up", 96, "Ed") + film("Her", 126, "Joaquin", "Amy") + film("Big", 104, "Tom", "Liz", "Rob")
    assert read(page) == [
        ("Up", "96 min", ["Ed"]),
        ("Her", "126 min", ["Joaquin", "Amy"]),
        ("Big", "104 min", ["Tom", "Liz", "Rob"]),
    ]


def test_lists_nest_three_deep():
    def city(name: str, *streets: list[str]) -> str:
        inner = "".join(f"<dd><i>{s[0]}</i><ol>{''.join(f'<li>{x}</li>' for x in s[1:])}</ol></dd>" for s in streets)
        return f"<section><h2>{name}</h2><dl>{inner}</dl></section>"

    page = city("Faro", ["Rua A", "1", "2"], ["Rua B", "3"]) + city("Beja", ["Rua C", "4", "5", "6"])
    assert read(page) == [
        ("Faro", [("Rua A", ["1", "2"]), ("Rua B", ["3"])]),
        ("Beja", [("Rua C", ["4", "5", "6"])]),
    ]


def test_a_missing_part_is_none_and_the_other_values_stay_in_position():
    rows = "<p><b>Ana</b><i>31</i><u>Faro</u></p><p><b>Bia</b><u>Beja</u></p><p><b>Cid</b><i>45</i><u>Lagos</u></p>"
    assert read(rows) == [("Ana", "31", "Faro"), ("Bia", None, "Beja"), ("Cid", "45", "Lagos")]


def test_the_cells_of_a_table_are_columns_and_not_a_list():
    rows = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in [("Ana", 1), ("Bia", 2), ("Cid", 3)])
    assert read(f"<table>{rows}</table>") == [("Ana", "1"), ("Bia", "2"), ("Cid", "3")]


def test_records_that_span_siblings_are_items_of_a_list():
    assert read("<dl><dt>Ana<dd>31<dd>Faro<dt>Bia<dd>27<dd>Beja</dl>") == [
        ("Ana", ["31", "Faro"]),
        ("Bia", ["27", "Beja"]),
    ]


def test_attributes_are_data():
    links = "".join(f'<li><a href="/{n}" title="{n}!"><img src="{n}.png" alt=pic></a></li>' for n in "ab")
    assert read(f"<ul>{links}</ul>", attributes=True) == [
        ("/a", "a!", "a.png", "pic"),
        ("/b", "b!", "b.png", "pic"),
    ]


def test_data_attributes_are_data_and_dead_links_are_not():
    assert read('<p data-id=7>x</p><p data-id=8>y</p><a href="javascript:go()">z</a>', attributes=True) == (
        [("7", "x"), ("8", "y")],
        "z",
    )


def test_only_link_attributes_are_checked_for_dead_links():
    assert read('<p title="#1 in sales">x</p><a href="JavaScript:go()">z</a>', attributes=True) == (
        ("#1 in sales", "x"),
        "z",
    )


@pytest.mark.parametrize(("count", "is_template"), [(5, True), (4, False)])
def test_a_text_in_more_than_four_of_five_records_is_template(count: int, is_template: bool):
    records = [[DataText("new" if k < count else "old", k, 0), DataText(str(k), k, 0)] for k in range(5)]
    assert common_texts_of(records) == (frozenset({("", "new")}) if is_template else frozenset())


def test_attributes_that_all_records_have_are_template():
    items = "".join(
        f"<li data-type=job><img src=logo.png alt=Logo><h2>{name}</h2><b>{k}</b>" for k, name in enumerate("abc")
    )
    region = peneira.extract(f"<ul>{items}</ul>", method="gstm").main
    assert region is not None
    assert [[cell.text for cell in row if cell] for row in region.table.rows] == [["a", "0"], ["b", "1"], ["c", "2"]]


def test_silent_nodes_are_not_data():
    assert read("<p>a<script>b</script></p><style>c</style>") == "a"


def test_a_page_without_content_is_empty_data():
    page, data = data_of("<div><br></div>")
    assert isinstance(data, EmptyData)
    assert regions_of(page, data) == []


def test_data_has_the_rows_it_comes_from():
    page, data = data_of("<ul><li><b>x</b>1<li><b>y</b>2</ul>")
    (data_list,) = [part for part in walk_data(data) if isinstance(part, DataList)]  # type: ignore[arg-type]
    assert page.name(data_list.parent) == "ul"
    assert [page.visible_text(*span) for span in data_list.ranges] == ["x1", "y2"]
    first = data_list.items[0]
    assert isinstance(first, DataItem) and isinstance(first.parts[0], DataText)
    assert page.text[first.parts[0].row] == "x"


# --- the method -------------------------------------------------------------------------------------------------------


MENU = "<ul>" + "".join(f"<li><a href=/{k}>Menu {k}</a>" for k in range(9)) + "</ul>"
JOBS = "".join(
    f"<article><h2><a href=/job/{k}>{title}</a></h2><p>{firm}</p><div>{city}</div><hr><h4>Apply</h4></article>"
    for k, (title, firm, city) in enumerate([("Dev", "Acme", "Faro"), ("Cook", "Bar", "Beja"), ("Vet", "Zoo", "Évora")])
)


def test_the_main_list_is_the_longest_list_of_tuples_not_the_longest_list():
    result = peneira.extract(MENU + JOBS, method="gstm")
    assert result.main is not None
    assert [record.text for record in result.main.records] == [
        "Dev Acme Faro Apply",
        "Cook Bar Beja Apply",
        "Vet Zoo Évora Apply",
    ]
    assert [len(region.records) for region in result.regions] == [3, 9]


def test_the_published_rule_can_be_chosen():
    def item(count: int) -> str:
        return "<li><h3>a</h3>" + "".join(f"<p>{k}</p>" for k in range(count)) + "</li>"

    few = "<table>" + "".join(f"<tr><td>a{k}<td>b{k}<td>c{k}" for k in range(2)) + "</table>"
    page = f"<ul>{item(10)}{item(20)}{item(30)}</ul>{few}"
    by_wide, by_published = (peneira.extract(page, method=name).main for name in ("gstm", "gstm-published"))
    assert by_wide is not None and by_published is not None
    assert (len(by_wide.records), len(by_published.records)) == (3, 2)


def test_fields_are_the_texts_that_differ_between_records():
    result = peneira.extract(JOBS, method="gstm", url="https://x.example")
    assert result.main is not None
    table = result.main.table
    assert [cell.text for cell in table.rows[0] if cell] == ["https://x.example/job/0", "Dev", "Acme", "Faro"]
    assert [column.type for column in table.columns] == ["url", "text", "text", "text"]


def test_a_nested_list_is_a_cell_with_items():
    result = peneira.extract(film("Up", 96, "Ed", "Chris") + film("Her", 126, "Amy"), method="gstm")
    assert result.main is not None
    assert [record.fields["text_2"].items for record in result.main.records] == [("Ed", "Chris"), ()]
    assert [record.fields["text_2"].text for record in result.main.records] == ["Ed Chris", "Amy"]


def test_records_in_the_cells_of_a_grid_are_one_list():
    def cell(k: int) -> str:
        return f"<td><p>Thing {k}</p><p>{k} euro</p><div>in stock {k}</div></td>"

    rows = "".join(f"<tr>{''.join(cell(3 * r + c) for c in range(3))}</tr>" for r in range(4))
    result = peneira.extract(f"<table>{rows}</table>", method="gstm")
    assert result.main is not None
    assert [record.text for record in result.main.records] == [f"Thing {k} {k} euro in stock {k}" for k in range(12)]


def test_the_published_rule_limits_the_absolute_deviation_and_ours_the_relative():
    def item(count: int) -> str:
        return "<li><h3>a</h3>" + "".join(f"<p>{k}</p>" for k in range(count)) + "</li>"

    _, data = data_of("<ul>" + item(10) + item(20) + item(30) + "</ul>")
    (found,) = [p for p in walk_data(data) if isinstance(p, DataList) and isinstance(p.items[0], DataItem)]  # type: ignore[arg-type]
    assert (PUBLISHED_RULE.allows(found), WIDE_RULE.allows(found)) == (False, True)


def test_a_cut_is_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        tree_matching.TreeMatcher.__init__,
        "__kwdefaults__",
        {"thresholds": tree_matching.PUBLISHED_THRESHOLDS, "max_cells": 3},
    )
    result = peneira.extract(MENU + JOBS, method="gstm")
    assert result.status == "partial"
    assert "tree matching limit of 3" in str(result.cuts[0])


@given(soup)
def test_any_page_can_be_extracted(html: str):
    result = peneira.extract(html, method="gstm")
    assert all(record.ranges for region in result.regions for record in region.records)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 4000 + "x",
        "<div>x" * 3000,
        "".join(f"<x{k}>{k}</x{k}>" for k in range(3000)),
        "<p>a<b>c</b></p>" * 10_000,
        "".join("<p>" + "<i>x</i>" * (k % 90) + "<b>y</b>" * (k % 70) + "</p>" for k in range(350)),
        "".join("<ul>" + "<li>" * (k * k % 83) + "<p>z" * (k % 5) + "</ul>" for k in range(300)),
    ],
)
def test_work_on_hostile_pages_is_linear_in_their_nodes(html: str):
    page = read_page(html)
    assert lines_executed(lambda: peneira.extract(page, method="gstm")) < 3_000 * len(page)


def test_a_list_that_an_advert_interrupts_is_one_list():
    def job(k: int) -> str:
        return f"<article><h2>Job {k}</h2><p>Firm {k}</p><div>City {k}</div></article>"

    jobs = [job(k) for k in range(9)]
    page = "".join(jobs[:3]) + "<aside>ad</aside>" + "".join(jobs[3:7]) + "<aside>ad</aside>" + "".join(jobs[7:])
    result = peneira.extract(page, method="gstm")
    assert result.main is not None
    assert [record.text for record in result.main.records] == [f"Job {k} Firm {k} City {k}" for k in range(9)]


def test_lists_inside_records_are_not_joined():
    def person(name: str, *jobs: str) -> str:
        return f"<h2>{name} of a long and noble name</h2>" + "".join(
            f"<p><b>{j}</b><i>{j}1</i><u>{j}2</u></p>" for j in jobs
        )

    result = peneira.extract(
        person("Ana", "a", "b") + person("Bia", "c", "d", "e") + person("Cid", "f", "g"), method="gstm"
    )
    assert 7 not in [len(region.records) for region in result.regions]


def test_a_template_has_at_most_80_columns():
    rows = ["".join(f"<td>r{r} c{c}</td>" for c in range(81)) for r in range(3)]
    region = peneira.extract(f"<table><tr>{'<tr>'.join(rows)}</table>", method="gstm").main
    assert region is not None
    assert len(region.columns) == 80


def test_a_template_has_at_most_20_lists():
    tags = (
        "p pre section article h1 h2 h3 h4 h5 h6 main nav aside header footer blockquote address figure dl form ol"
    ).split()
    lists = ["".join(f"<{tag}><b>{tag} {k}</b><i>{k}{k}</i><u>v{k}</u></{tag}>" for k in range(4)) for tag in tags]
    page, data = data_of("".join(f"<div>{items}</div>" for items in lists))
    assert (len(tags), len(regions_of(page, data))) == (21, 20)  # type: ignore[arg-type]


def test_two_records_do_not_show_what_is_template():
    records = [[DataText("new", k, 0)] for k in range(3)]
    assert common_texts_of(records[:2]) == frozenset()
    assert common_texts_of(records) == {("", "new")}


def pairs(label: str, records: int, others: int = 0, texts: int = 2) -> frozenset[str]:
    """Return the labels that are learned from records with a list of one pair each, and from others without it."""

    def record(first: str) -> DataList:
        item = DataItem(tuple(DataText(text, 0, 0) for text in (first, *"vwxyz7"[: texts - 1])))
        return DataList((item,), ((0, 1),), 0, (1,))

    learned = learn_labels([*(record(label) for _ in range(records)), *(record(f"other {k}") for k in range(others))])
    return learned.first_texts.get((1,), frozenset())


def test_a_label_of_a_pair_has_at_most_60_characters():
    assert pairs("x" * 60, 2) == {"x" * 60}
    assert pairs("x" * 61, 2) == frozenset()


def test_a_label_of_a_pair_is_in_two_records_and_in_three_of_ten():
    assert (pairs("Year", 1), pairs("Year", 2)) == (frozenset(), {"Year"})
    assert (pairs("Year", 2, 8), pairs("Year", 3, 7)) == (frozenset(), {"Year"})


def test_an_item_of_more_than_six_texts_has_no_label():
    assert (pairs("Year", 2, texts=6), pairs("Year", 2, texts=7)) == ({"Year"}, frozenset())


def first_texts_of(*lists: str) -> frozenset[str]:
    """Return the labels that are learned from records with a list each, whose items start with these letters."""
    records = [
        DataList(
            tuple(DataItem((DataText(letter, 0, 0), DataText(f"{letter}{k}", 0, 1))) for letter in letters),
            tuple((0, 1) for _ in letters),
            0,
            (1,),
        )
        for k, letters in enumerate(lists)
    ]
    return learn_labels(records).first_texts.get((1,), frozenset())


def test_a_text_that_several_items_of_a_list_begin_with_is_no_label():
    assert first_texts_of("ab", "ab", "a") == {"a", "b"}
    assert first_texts_of("aab", "aaab", "a") == {"b"}

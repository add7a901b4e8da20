"""What a wrapper reads is the table of ``extract``: parts of texts, headings, nested records, data inside the page."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import lxml.html
import parsel
import pytest

import peneira
from peneira.errors import InputError
from peneira.page import Page
from peneira.result import Region
from peneira.wrappers.cut_learning import learn_cut
from peneira.wrappers.export import exported, site_data
from peneira.wrappers.exported_reader import Site, part_of, read
from peneira.wrappers.list_page import ListPage, top_rows
from peneira.wrappers.store import dumps, loads
from peneira.wrappers.text_cuts import EDGE, Cut, Mark
from peneira.wrappers.verification import verified
from peneira.wrappers.wrapper import column_reader
from peneira.xpath.selectors import parse

CASES = [
    ("Smith v. Jones", "12-345", "May 8, 2024"),
    ("Ann Gray v. State of Ohio", "9-21", "June 18, 2023"),
    ("Bob Stone v. Reed", "10-7", "July 1, 2023"),
    ("In re Moon", "77-12", "August 30, 2022"),
]
MORE = [
    ("Doe v. Roe", "1-2", "March 3, 2021"),
    ("Lake v. River", "31-88", "April 14, 2020"),
    ("Hill v. Dale", "5-5", "May 1, 2019"),
    ("In re Sun", "8-99", "June 2, 2018"),
]


def cases(rows: list[tuple[str, str, str]]) -> str:
    items = "".join(f'<li class="case">{name} (No. {number}), {date}</li>' for name, number, date in rows)
    return f"<h1>Opinions</h1><ul>{items}</ul>"


def texts(region: Region | None) -> list[dict[str, str]]:
    assert region is not None
    return [{name: record[name].text for name in names(region) if name in record} for record in region]


def names(region: Region) -> list[str]:
    return [column.name for column in region.columns]


def same_as_extract(page: str) -> bool:
    """Return whether a wrapper learned from a page, saved and loaded, reads the table of the page."""
    wrapper = loads(dumps(peneira.learn([page], kind="list")))
    main, read_again = peneira.extract(page).main, wrapper.extract(page).main
    assert main is not None and read_again is not None
    return names(main) == names(read_again) and main.to_dicts() == read_again.to_dicts()


def test_parts_of_a_text_are_read_again_and_on_other_pages():
    page = cases(CASES)
    assert same_as_extract(page)
    wrapper = peneira.learn([page], kind="list")
    found = [set(row.values()) for row in texts(wrapper.extract(cases(MORE)).main)]
    assert all({name, date} <= own for (name, _, date), own in zip(MORE, found, strict=True))


def test_a_heading_above_records_is_read_for_each_of_them():
    days = [("May 8, 2024", ["Red wine", "Blue tea"]), ("May 9, 2024", ["Old hat", "New shoe", "Big fish"])]
    groups = "".join(
        f'<h3 class="day">{day}</h3>'
        + "".join(f'<p class="item"><a href="/{k}">{name}</a></p>' for k, name in enumerate(own))
        for day, own in days
    )
    page = f"<div>{groups}</div>"
    assert same_as_extract(page)
    assert "May 9, 2024" in texts(peneira.learn([page], kind="list").extract(page).main)[-1].values()


def test_nested_records_are_nested_records():
    films = "".join(
        f'<li class="film"><h2>Film number {k}</h2><ul class="cast">'
        + "".join(f"<li><b>Actor {k}{n}</b> <i>as Role {n}{k}</i></li>" for n in range(2 + k % 3))
        + "</ul></li>"
        for k in range(6)
    )
    page = f"<ul>{films}</ul>"
    wrapper = loads(dumps(peneira.learn([page], kind="list")))
    main, again = peneira.extract(page).main, wrapper.extract(page).main
    assert main is not None and again is not None
    assert main.to_dicts() == again.to_dicts()
    assert any(column.columns for column in again.columns)


def test_data_inside_the_page_is_joined_again():
    things = [{"name": f"Thing number {k}", "sku": f"SKU-{k}77"} for k in range(5)]
    data = {
        "@type": "ItemList",
        "itemListElement": [{"@type": "ListItem", "item": {"@type": "Product", **thing}} for thing in things],
    }
    items = "".join(f'<li class="p"><h3>{thing["name"]}</h3><b>{k}.50 EUR</b></li>' for k, thing in enumerate(things))
    page = f'<script type="application/ld+json">{json.dumps(data)}</script><ul>{items}</ul>'
    assert same_as_extract(page)
    region = peneira.learn([page], kind="list").extract(page).main
    assert region is not None
    assert (region[1]["sku"].text, region[1]["sku"].source) == ("SKU-177", "json-ld")


def test_records_in_two_places_are_both_read():
    def block(first: int) -> str:
        return "".join(
            f'<div><h3>Job number {k}</h3><p class="pay">{k}00 EUR</p></div>' for k in range(first, first + 4)
        )

    page = f'<div class="top"><section>{block(1)}</section></div><p>More</p><div class="low">{block(5)}</div>'
    region = peneira.extract(page).main
    wrapper = peneira.learn([page], kind="list")
    again = wrapper.extract(page).main
    assert region is not None and again is not None
    assert len(again) == len(region)


def list_page(html: str) -> ListPage:
    page = Page.from_html(html)
    region = peneira.extract(page).main
    assert region is not None
    return ListPage(column_reader(page), region, tuple(top_rows(page, record) for record in region))


def test_records_that_are_not_read_again_are_said_and_a_wrapper_that_reads_none_is_refused():
    page = list_page(cases(CASES))
    wrapper = peneira.learn([page.page], kind="list")
    assert wrapper.records is not None
    first_only = replace(wrapper, records=replace(wrapper.records, selector=parse("//ul/li[1]"), alternatives=()))
    assert [note.detail for note in verified(first_only, [page]).notes] == [
        "3 of 4 records of the learning pages are not read"
    ]
    none = replace(wrapper, records=replace(wrapper.records, selector=parse("//ol/li"), alternatives=()))
    with pytest.raises(InputError, match="no wrapper reads them"):
        verified(none, [page])


@pytest.mark.parametrize(
    ("cut", "text", "value"),
    [
        (Cut(EDGE, Mark("text", " (")), "Smith (No. 1)", "Smith"),
        (Cut(Mark("text", "No. "), Mark("text", ")")), "Smith (No. 1)", "1"),
        (Cut(Mark("date", is_inside=True), Mark("date", is_inside=True)), "a, May 8, 2024; b", "May 8, 2024"),
        (Cut(Mark("text", ",", -1), EDGE), "a, b, c", "c"),
        (Cut(Mark("number", "", 1, True), EDGE), "3 beds 2 baths", "2 baths"),
        (Cut(Mark("text", "#"), EDGE), "no such mark", ""),
        (Cut(EDGE, Mark("text", ","), is_trimmed=False), " -a-, b", "-a-"),
    ],
)
def test_a_cut_is_the_part_between_its_marks_here_and_in_exports(cut: Cut, text: str, value: str):
    site = Site(months=["may"])
    marks = [
        None if mark == EDGE else (mark.kind, mark.text, mark.index, mark.is_inside) for mark in (cut.start, cut.end)
    ]
    assert cut.value(text) == value
    assert part_of(site, text, (marks[0], marks[1], cut.is_trimmed)) == value


def test_a_cut_is_learned_from_examples():
    wholes = {k: f"{name} (No. {number}), {date}" for k, (name, number, date) in enumerate(CASES)}
    for part in range(3):
        learned = learn_cut(wholes, {k: case[part] for k, case in enumerate(CASES)})
        assert learned is not None and learned[1] == 1.0
        assert learned[0].value("New v. Old (No. 4-4), May 5, 2020") == ("New v. Old", "4-4", "May 5, 2020")[part]


def test_an_exported_wrapper_reads_parts_and_headings_as_the_wrapper_does():
    page = cases(CASES)
    wrapper = peneira.learn([page], kind="list")
    site = Site(**site_data(wrapper))  # type: ignore[arg-type]
    assert list(read(parsel.Selector(text=page), site=site)) == texts(wrapper.extract(Page.from_html(page)).main)


def test_exports_leave_hidden_text_out_and_read_on_after_comments():
    page = (
        "<ul>" + "".join(f'<li><p>Name {k}<span style="display:none"> hidden</span></p></li>' for k in "abcd") + "</ul>"
    )
    wrapper = peneira.learn([page], kind="list")
    site = Site(**site_data(wrapper))  # type: ignore[arg-type]
    assert list(read(parsel.Selector(text=page), site=site)) == texts(wrapper.extract(page).main)


def test_an_exported_module_reads_a_response_of_scrapy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from scrapy.http import HtmlResponse

    page = cases(CASES)
    wrapper = peneira.learn([page], kind="list")
    path = tmp_path / "exported.py"
    path.write_text(exported(wrapper, "scrapy"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("exported_cases", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "exported_cases", module)
    spec.loader.exec_module(module)
    response = HtmlResponse("http://court.example/", body=page.encode(), encoding="utf-8")
    assert list(module.read(response.selector, response.url)) == texts(wrapper.extract(page).main)


def test_exported_xpaths_read_the_same_with_lxml_and_have_no_tbody():
    rows = "".join(f"<tr><td>{k}</td><td>Person {k}</td></tr>" for k in range(11, 17))
    page = f"<table id=people><tr><th>No</th><th>Name</th></tr>{rows}</table>"
    wrapper = peneira.learn([page], kind="list")
    lines = dict(line.split("\t") for line in exported(wrapper, "xpath").splitlines())
    assert "tbody" not in " ".join(lines.values())
    tree = lxml.html.fromstring(page)
    found = [
        {name: " ".join(record.xpath(lines[name])[0].text_content().split()) for name in lines if name != "records"}
        for record in tree.xpath(lines["records"])
        if record.xpath("./td")
    ]
    assert [row for row in found if row in texts(wrapper.extract(page).main)] == texts(wrapper.extract(page).main)


def test_a_wrapper_is_exported_as_a_schema():
    document = json.loads(exported(peneira.learn([cases(CASES)], kind="list"), "json"))
    assert document["baseSelector"].startswith("//")
    assert {field["type"] for field in document["fields"]} == {"text"}
    assert "date" in {field["value_type"] for field in document["fields"]}


def test_cells_of_a_column_are_those_of_its_values_one_by_one():
    page = Page.from_html(cases(CASES + MORE + CASES[:1]))
    wrapper = peneira.learn([page], kind="list")
    reader = column_reader(page)
    found = wrapper.found_records(reader)
    assert len(found) == 9
    for column in wrapper.fields:
        values = [record.values[column.name] for record in found]
        assert reader.cells(column, values) == [reader.cell(column, own) for own in values]

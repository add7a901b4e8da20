"""Wrappers, reports and drawings of pages whose records are in pieces."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import peneira
from command import peneira as command
from peneira.errors import ArgumentError, WrapperError
from peneira.layout import PROPERTIES, Layout, Styles
from peneira.lists.rearranged import rearranged_page
from peneira.output.overlay import marks_of
from peneira.output.report import report
from peneira.page import Page
from peneira.wrappers.export import exported, scrapy_module
from peneira.wrappers.store import dumps, loads
from pieces import NAMES, as_divisions, comparison, interleaved, price

URL = "http://shop.example/"
TABLE = interleaved(9, 3)
WRAPPER = peneira.learn([TABLE, interleaved(11, 3)])


def rows_read(wrapper: peneira.Wrapper, html: str) -> list[tuple[str, ...]]:
    main = wrapper.extract(html, url=URL).main
    assert main is not None
    return [tuple(record[name].text for name in ("title", "price", "url", "image")) for record in main]


def expected_rows(count: int) -> list[tuple[str, ...]]:
    return [(NAMES[k], price(k), f"{URL}p/{k}", f"{URL}i/{k}.jpg") for k in range(count)]


@pytest.mark.parametrize("count", [3, 5, 9])
def test_a_wrapper_reads_records_in_pieces_also_where_they_are_a_single_group(count: int):
    assert rows_read(WRAPPER, interleaved(count, 3)) == expected_rows(count)


def test_the_records_of_a_wrapper_have_the_ranges_that_extract_gives():
    read, found = WRAPPER.extract(TABLE).main, peneira.extract(TABLE).main
    assert read is not None and found is not None
    assert [(record.ranges, record.text, record.xpath) for record in read] == [
        (record.ranges, record.text, record.xpath) for record in found
    ]
    assert read.xpath == found.xpath
    assert read[1]["price"].xpath == found[1]["price"].xpath


def test_a_wrapper_of_divisions_and_one_of_a_comparison_read_their_pages_again():
    divisions = as_divisions(TABLE)
    assert rows_read(peneira.learn([divisions]), divisions) == expected_rows(9)
    wrapper = peneira.learn([comparison()])
    main = wrapper.extract(comparison(names=NAMES[:2])).main
    assert main is not None
    assert [record["title"].text for record in main] == list(NAMES[:2])
    assert [record["material"].text for record in main] == ["made of copper", "made of clay"]


def test_a_page_with_other_records_is_of_another_template():
    cards = "".join(f"<section><h2>{name}</h2><p>By hand</p></section>" for name in NAMES)
    assert WRAPPER.extract(f"<main>{cards}</main>").verdict == "other-template"


def test_a_check_of_the_same_template_is_ok_and_a_healed_wrapper_is_still_for_pieces():
    assert WRAPPER.check(TABLE).verdict == "ok"
    healing = WRAPPER.heal([TABLE.replace("<td>", "<td class=cell>")])
    assert healing.accepted and healing.wrapper.arrangement == WRAPPER.arrangement


def test_a_saved_wrapper_is_the_same_when_it_is_loaded(tmp_path: Path):
    WRAPPER.save(tmp_path / "site.json")
    assert peneira.Wrapper.load(tmp_path / "site.json") == WRAPPER
    document = json.loads(dumps(WRAPPER))
    assert document["arrangement"] == {"kind": "interleaved", "cells": ["pictures", "links", "prices"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arrangement": {"kind": "diagonal", "cells": []}}, "'diagonal' is not one of"),
        ({"arrangement": {"kind": "columns", "cells": ["jewels"]}}, "'jewels' is not one of"),
        ({"arrangement": None}, "must be an object"),
    ],
)
def test_an_arrangement_that_is_not_known_is_an_error(change: dict[str, object], message: str):
    with pytest.raises(WrapperError, match=message):
        loads(json.dumps(json.loads(dumps(WRAPPER)) | change))


@pytest.mark.parametrize("form", ["xpath", "css", "scrapy"])
def test_an_export_states_that_selectors_cannot_put_pieces_together(form: str):
    with pytest.raises(ArgumentError, match="in pieces"):
        exported(WRAPPER, form)
    with pytest.raises(ArgumentError, match="in pieces"):
        scrapy_module(WRAPPER)


def rendered(html: str) -> Page:
    """Return a page whose rows are boxes of 100 x 10, one below the other."""
    page = Page.from_html(html)
    rows = np.arange(len(page), dtype=np.float64)
    boxes = np.column_stack((np.zeros(len(page)), rows * 10, np.full(len(page), 100.0), np.full(len(page), 10.0)))
    visible = {name: Styles(np.ones(len(page), dtype=np.int32), ("", "visible")) for name in PROPERTIES}
    page.layout = Layout(boxes, np.ones(len(page), dtype=np.bool_), visible, 100, 1000)
    return page


def test_the_box_of_a_new_element_is_that_around_its_pieces():
    page = rendered(TABLE)
    rearranged = rearranged_page(page)
    assert rearranged is not None and rearranged.page.layout is not None
    row = next(iter(rearranged.records))
    pieces = [rearranged.origin[child] for child in rearranged.page.children(row)]
    assert rearranged.page.layout.boxes[row].tolist() == [0, 10 * pieces[0], 100, 10 * (pieces[-1] - pieces[0]) + 10]


def test_records_in_pieces_are_outlined_and_reported():
    page = rendered(TABLE)
    result = peneira.extract(page)
    marks = marks_of(page, result)
    assert [mark.label for mark in marks if mark.kind == "record"] == [str(k) for k in range(1, 10)]
    assert sum(mark.kind == "cell" for mark in marks) >= 18
    assert "Copper kettle" in report(page, result, "page.html")


def test_the_commands_read_records_in_pieces(tmp_path: Path):
    page, wrapper = tmp_path / "page.html", tmp_path / "site.json"
    page.write_text(TABLE)
    assert "Copper kettle" in command("extract", page).stdout
    assert command("plot", page, "-o", tmp_path / "plot.svg").returncode == 0
    assert command("learn", page, "-o", wrapper).returncode == 0
    assert "Copper kettle" in command("apply", wrapper, page).stdout
    assert "put together" in command("show", wrapper).stdout
    refused = command("export", wrapper)
    assert refused.returncode != 0 and "in pieces" in refused.stderr

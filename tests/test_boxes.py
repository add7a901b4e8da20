"""Boxes as evidence: figures of candidate lists on boxes given by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from generated import soup
from peneira.layout import PROPERTIES, Layout, Property, Styles
from peneira.lists.box_features import BoxFeatures, with_box_features
from peneira.lists.candidates import Candidates, find_candidates
from peneira.ml.running_sums import RunningSums
from peneira.page import Page
from peneira.sources.html import read_page

Box = tuple[float, float, float, float]


def shown(html: str, boxes: dict[str, Box], fonts: dict[str, float] | None = None) -> Page:
    """Return a page whose elements of those ids have those boxes, and their texts those fonts."""
    page = read_page(html)
    sizes = np.zeros((len(page), 4))
    font = np.zeros(len(page), dtype=np.int32)
    values = ["", "10px"]
    for i, attrs in enumerate(page.attrs):
        name = attrs.get("id", "")
        if name in boxes:
            sizes[i] = boxes[name]
        if page.is_text(i):
            own = (fonts or {}).get(page.attrs[page.parent[i]].get("id", ""))
            font[i] = 1 if own is None else len(values)
            values += [] if own is None else [f"{own}px"]
    plain = Styles(np.zeros(len(page), dtype=np.int32), ("",))
    styles: dict[Property, Styles] = dict.fromkeys(PROPERTIES, plain)
    styles["font-size"] = Styles(font, tuple(values))
    page.layout = Layout(sizes, sizes[:, 2] > 0, styles, 100, 200)
    return page


def one_list(page: Page, names: list[str]) -> Candidates:
    rows = [i for i, attrs in enumerate(page.attrs) if attrs.get("id") in names]
    whole = np.array(rows)
    one = np.array([1])
    return Candidates(whole, page.end[whole].astype(np.int64), np.array([len(rows)]), one, one)


def figures_of(page: Page, found: Candidates) -> dict[str, float]:
    return {name: round(float(column[0]), 4) for name, column in BoxFeatures(page, found).features().items()}


STACK = "<ul><li id=a><b>x</b> y<li id=b><b>x</b> y<li id=c><b>x</b> y<li id=d><b>x</b> y</ul>"


def test_records_below_each_other_share_an_edge():
    boxes = {name: (10.0, 20.0 * k, 80.0, 15.0) for k, name in enumerate("abcd")}
    page = shown(STACK, boxes)
    found = figures_of(page, one_list(page, list("abcd")))
    expected = {
        "box_area_share": 0.24, "box_left_mode": 1.0, "box_width_mode": 1.0, "box_height_mode": 1.0, "box_grid": 1.0,
        "box_gap": 0.3333, "box_overlap": 0.0, "box_shown": 1.0, "box_width_share": 0.8,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_a_grid_has_as_many_records_as_columns_times_rows():
    boxes = {name: (50.0 * (k % 2), 30.0 * (k // 2), 40.0, 20.0) for k, name in enumerate("abcd")}
    page = shown(STACK, boxes)
    found = figures_of(page, one_list(page, list("abcd")))
    assert (found["box_grid"], found["box_left_mode"], found["box_columns"]) == (1.0, 0.5, round(float(np.log(3)), 4))


def test_from_one_row_of_a_grid_to_the_next_the_gap_is_that_between_the_rows():
    boxes = {name: (80.0 * (k % 2), 30.0 * (k // 2), 40.0, 20.0) for k, name in enumerate("abcd")}
    page = shown(STACK, boxes)
    assert figures_of(page, one_list(page, list("abcd")))["box_gap"] == (40 + 10 + 40) / 3 / 20


def test_records_on_top_of_each_other_overlap():
    page = shown(STACK, dict.fromkeys("abcd", (0.0, 0.0, 50.0, 50.0)))
    assert figures_of(page, one_list(page, list("abcd")))["box_overlap"] == 1.0


def test_a_heading_stands_out_by_its_font():
    html = "<ul><li id=a><b id=t>x</b><i id=u>y</i><li id=b><b id=t>x</b><i id=u>y</i></ul>"
    page = shown(html, {"a": (0, 0, 50, 10), "b": (0, 20, 50, 10)}, {"t": 20, "u": 10})
    found = figures_of(page, one_list(page, ["a", "b"]))
    assert found["box_font_contrast"] == 2.0


def test_a_record_of_several_siblings_has_the_box_around_them():
    page = shown("<dl><dt id=a>x<dd id=b>y<dt id=c>x<dd id=d>y</dl>",
                 {"a": (0, 0, 50, 10), "b": (10, 10, 60, 10), "c": (0, 30, 50, 10), "d": (10, 40, 60, 10)})  # fmt: skip
    rows = [i for i, attrs in enumerate(page.attrs) if "id" in attrs]
    one = np.array([1])
    starts, ends = np.array([rows[0], rows[2]]), page.end[[rows[1], rows[3]]].astype(np.int64)
    evidence = BoxFeatures(page, Candidates(starts, ends, np.array([2]), one, one))
    assert evidence.low.tolist() == [[0, 0], [0, 30]]
    assert evidence.high.tolist() == [[70, 20], [70, 50]]


def test_records_without_boxes_are_counted_and_break_nothing():
    page = shown(STACK, {"a": (0, 0, 50, 10)})
    found = figures_of(page, one_list(page, list("abcd")))
    assert (found["box_shown"], found["box_left_mode"]) == (0.25, 0.25)
    assert all(np.isfinite(value) for value in found.values())


def test_a_list_without_any_box_is_no_grid():
    page = shown(STACK, {})
    found = figures_of(page, one_list(page, list("abcd")))
    assert (found["box_grid"], found["box_shown"], found["box_area_share"]) == (0.0, 0.0, 0.0)


def test_a_static_page_has_only_its_own_figures():
    page = read_page(STACK)
    found = one_list(page, list("abcd"))
    own = {"share": np.array([0.5])}
    assert with_box_features(page, found, own) == own
    boxed = shown(STACK, {"a": (0, 0, 50, 10)})
    assert len(with_box_features(boxed, found, own)) == 17


@given(soup)
def test_figures_are_finite_on_tag_soup(markup: str):
    page = read_page(markup)
    if not len(page):
        return
    rng = np.random.default_rng(len(markup))
    boxes = rng.integers(0, 50, (len(page), 4)).astype(np.float64)
    plain = Styles(np.zeros(len(page), dtype=np.int32), ("",))
    page.layout = Layout(boxes, boxes[:, 2] > 0, dict.fromkeys(PROPERTIES, plain), 100, 100)
    found = find_candidates(page, RunningSums(page))
    figures = BoxFeatures(page, found).features()
    assert all(len(column) == len(found) and np.isfinite(column.astype(float)).all() for column in figures.values())


@pytest.mark.parametrize("deep", [3, 400])
def test_depth_costs_nothing_special(deep: int):
    page = read_page("<div>" * deep + "<p>x")
    boxes = np.zeros((len(page), 4))
    boxes[-1] = (1, 2, 3, 4)
    layout = Layout(boxes, boxes[:, 2] > 0, {}, 100, 100)
    assert layout.extents(page.parent, page.depth)[0].tolist() == [1, 2, 3, 4]

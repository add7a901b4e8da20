"""Features of rendered candidate lists, on boxes set by hand."""

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


def rendered(html: str, boxes: dict[str, Box], fonts: dict[str, float] | None = None) -> Page:
    """Return a page with boxes by element id, and font sizes of texts by the id of their parent."""
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
    unused = np.array([1])
    return Candidates(whole, page.end[whole].astype(np.int64), np.array([len(rows)]), unused, unused)


def features_of(page: Page, found: Candidates) -> dict[str, float]:
    return {name: round(float(column[0]), 4) for name, column in BoxFeatures(page, found).features().items()}


STACK = "<ul><li id=a><b>x</b> y<li id=b><b>x</b> y<li id=c><b>x</b> y<li id=d><b>x</b> y</ul>"


def test_stacked_records_share_a_left_edge():
    boxes = {name: (10.0, 20.0 * k, 80.0, 15.0) for k, name in enumerate("abcd")}
    page = rendered(STACK, boxes)
    found = features_of(page, one_list(page, list("abcd")))
    expected = {
        "box_area_share": 0.24, "box_left_mode": 1.0, "box_width_mode": 1.0, "box_height_mode": 1.0, "box_grid": 1.0,
        "box_gap": 0.3333, "box_overlap": 0.0, "box_rendered": 1.0, "box_width_share": 0.8,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_a_grid_has_as_many_records_as_columns_times_rows():
    boxes = {name: (50.0 * (k % 2), 30.0 * (k // 2), 40.0, 20.0) for k, name in enumerate("abcd")}
    page = rendered(STACK, boxes)
    found = features_of(page, one_list(page, list("abcd")))
    assert (found["box_grid"], found["box_left_mode"], found["box_columns"]) == (1.0, 0.5, round(float(np.log(3)), 4))


def test_the_gap_from_one_grid_row_to_the_next_is_the_vertical_one():
    boxes = {name: (80.0 * (k % 2), 30.0 * (k // 2), 40.0, 20.0) for k, name in enumerate("abcd")}
    page = rendered(STACK, boxes)
    assert features_of(page, one_list(page, list("abcd")))["box_gap"] == (40 + 10 + 40) / 3 / 20


def test_records_on_top_of_each_other_overlap():
    page = rendered(STACK, dict.fromkeys("abcd", (0.0, 0.0, 50.0, 50.0)))
    assert features_of(page, one_list(page, list("abcd")))["box_overlap"] == 1.0


def test_the_font_contrast_of_a_record_is_that_of_its_heading():
    html = "<ul><li id=a><b id=t>x</b><i id=u>y</i><li id=b><b id=t>x</b><i id=u>y</i></ul>"
    page = rendered(html, {"a": (0, 0, 50, 10), "b": (0, 20, 50, 10)}, {"t": 20, "u": 10})
    found = features_of(page, one_list(page, ["a", "b"]))
    assert found["box_font_contrast"] == 2.0


def test_a_record_of_several_siblings_has_the_box_around_them():
    page = rendered("<dl><dt id=a>x<dd id=b>y<dt id=c>x<dd id=d>y</dl>",
                 {"a": (0, 0, 50, 10), "b": (10, 10, 60, 10), "c": (0, 30, 50, 10), "d": (10, 40, 60, 10)})  # fmt: skip
    rows = [i for i, attrs in enumerate(page.attrs) if "id" in attrs]
    unused = np.array([1])
    starts, ends = np.array([rows[0], rows[2]]), page.end[[rows[1], rows[3]]].astype(np.int64)
    features = BoxFeatures(page, Candidates(starts, ends, np.array([2]), unused, unused))
    assert features.low.tolist() == [[0, 0], [0, 30]]
    assert features.high.tolist() == [[70, 20], [70, 50]]


def test_records_without_boxes_lower_the_shares():
    page = rendered(STACK, {"a": (0, 0, 50, 10)})
    found = features_of(page, one_list(page, list("abcd")))
    assert (found["box_rendered"], found["box_left_mode"]) == (0.25, 0.25)
    assert all(np.isfinite(value) for value in found.values())


def test_a_list_without_boxes_is_no_grid():
    page = rendered(STACK, {})
    found = features_of(page, one_list(page, list("abcd")))
    assert (found["box_grid"], found["box_rendered"], found["box_area_share"]) == (0.0, 0.0, 0.0)


def test_only_rendered_pages_have_box_features():
    page = read_page(STACK)
    found = one_list(page, list("abcd"))
    own = {"share": np.array([0.5])}
    assert with_box_features(page, found, own) == own
    with_layout = rendered(STACK, {"a": (0, 0, 50, 10)})
    assert len(with_box_features(with_layout, found, own)) == 17


@given(soup)
def test_features_are_finite_on_tag_soup(markup: str):
    page = read_page(markup)
    if not len(page):
        return
    rng = np.random.default_rng(len(markup))
    boxes = rng.integers(0, 50, (len(page), 4)).astype(np.float64)
    plain = Styles(np.zeros(len(page), dtype=np.int32), ("",))
    page.layout = Layout(boxes, boxes[:, 2] > 0, dict.fromkeys(PROPERTIES, plain), 100, 100)
    found = find_candidates(page, RunningSums(page))
    features = BoxFeatures(page, found).features()
    assert all(len(column) == len(found) and np.isfinite(column.astype(float)).all() for column in features.values())


@pytest.mark.parametrize("deep", [3, 400])
def test_boxes_are_inferred_at_any_depth(deep: int):
    page = read_page("<div>" * deep + "<p>x")
    boxes = np.zeros((len(page), 4))
    boxes[-1] = (1, 2, 3, 4)
    layout = Layout(boxes, boxes[:, 2] > 0, {}, 100, 100)
    assert layout.extents(page.parent, page.depth)[0].tolist() == [1, 2, 3, 4]

"""DSRE: the tag path sequence as a signal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import peneira
from peneira.methods.dsre import contour_regions, find_regions, slope, strongest_frequency
from peneira.sources.html import read_page

CARDS = "".join(f"<div><h3>Title {k}</h3><p>A text of some length, number {k}</p></div>" for k in range(8))
PAGE = (
    f"<h1>Shop</h1><ul><li><a href=/a>Home</a></ul><section>{CARDS}</section><footer><small>About us</small></footer>"
)


def signal(*codes: int) -> np.ndarray:
    return np.array(codes, dtype=np.int64)


def test_a_region_is_a_rise_and_the_level_part_after_it():
    assert contour_regions(signal(1, 2, 3, 2, 3, 4, 5, 6, 5, 6)) == [(0, 5), (5, 10)]


def test_an_optional_part_of_a_record_starts_no_region():
    assert contour_regions(signal(1, 2, 3, 2, 3, 4, 2, 3, 2, 3)) == [(0, 10)]


def test_a_signal_that_repeats_itself_does_not_rise():
    assert slope(signal(*range(30))) == pytest.approx(1.0)
    assert slope(signal(*([1, 2, 3] * 10))) < 0.05


def test_the_strongest_frequency_is_the_number_of_records():
    assert strongest_frequency(signal(*([1, 2, 3, 4] * 6)))[0] == 6
    assert strongest_frequency(signal(1, 1, 1, 1)) == (0, 0.0)


def test_the_cards_of_a_page_are_its_main_list():
    (region, *_) = find_regions(read_page(PAGE))
    assert [record.text.split(" A ")[0] for record in region.records] == [f"Title {k}" for k in range(8)]


def test_records_of_several_siblings_are_whole():
    rows = "".join(f"<h3>Title {k}</h3><p>Text {k}</p><em>{k} left</em>" for k in range(6))
    (region, *_) = find_regions(read_page(f"<nav>Menu</nav><main>{rows}</main>"))
    assert [record.text for record in region.records] == [f"Title {k} Text {k} {k} left" for k in range(6)]


def test_the_method_has_a_name():
    assert len(peneira.extract(PAGE, method="dsre").main) == 8


@given(st.text(alphabet="<>/abdiptrul \n", max_size=200))
def test_any_page_gives_records_inside_the_page(html: str):
    page = read_page(html)
    for region in find_regions(page):
        for record in region.records:
            assert all(0 <= start < end <= len(page) for start, end in record.ranges)

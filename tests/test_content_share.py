"""The content probability of regions."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.sources.html import read_page
from peneira.texts.content_share import RegionProbabilities, is_content
from peneira.texts.tps import filtered_rows

PROSE = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built. "
MENU = "".join(f"<li class=menu><a href=/{k}>Aisle {k}</a></li>" for k in range(40))
STORY = f"<article><h1>The flood</h1><p>{PROSE}</p><p>{PROSE}</p></article>"
HTML = f"<title>The flood</title><ul class=nav>{MENU}</ul>{STORY}"


def rows(name: str) -> tuple[int, int]:
    page = read_page(HTML)
    (row,) = [i for i in range(len(page)) if page.name(i) == name]
    return row, int(page.end[row])


def test_a_menu_is_less_likely_content_than_prose():
    (menu, menu_end), (article, end) = rows("ul"), rows("article")
    probabilities = RegionProbabilities(read_page(HTML))
    low, high, none = probabilities.of(np.array([menu, article, 0]), np.array([menu_end, end, 0]))
    assert low < high
    assert none == 0
    assert probabilities.outside(article, end) < high


def test_a_menu_next_to_prose_is_not_content():
    page = read_page(HTML)
    assert not is_content(page, np.arange(*rows("ul"), dtype=np.int32))
    assert is_content(page, np.arange(*rows("article"), dtype=np.int32))
    assert not is_content(page, np.arange(0, dtype=np.int32))


def test_the_filter_keeps_the_rest_where_its_region_is_a_menu():
    page = read_page(HTML)
    keep = filtered_rows(page, "first-split", is_content=is_content)
    assert keep[slice(*rows("article"))].all()


@pytest.mark.parametrize(("probability", "expected"), [(0.25, True), (0.24, False)])
def test_a_region_with_less_than_a_quarter_of_the_probability_of_the_rest_is_not_content(
    probability: float, expected: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("peneira.texts.content_share.probabilities", lambda texts: np.array([probability, 1.0]))
    page = read_page("<p>one</p><p>two</p>")
    first = next(i for i in range(len(page)) if page.name(i) == "p")
    assert is_content(page, np.arange(first, int(page.end[first]), dtype=np.int32)) == expected

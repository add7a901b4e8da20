"""How much of a stretch of a page is content."""

from __future__ import annotations

import numpy as np

from peneira.sources.html import read_page
from peneira.texts.content_share import RegionChances, is_content
from peneira.texts.tps import filtered_rows

PROSE = "The river rose twice in that year, and nobody in the valley slept until the new bridge was built. "
MENU = "".join(f"<li class=menu><a href=/{k}>Aisle {k}</a></li>" for k in range(40))
STORY = f"<article><h1>The flood</h1><p>{PROSE}</p><p>{PROSE}</p></article>"
HTML = f"<title>The flood</title><ul class=nav>{MENU}</ul>{STORY}"


def rows(name: str) -> tuple[int, int]:
    page = read_page(HTML)
    (found,) = [i for i in range(len(page)) if page.name(i) == name]
    return found, int(page.end[found])


def test_a_menu_is_less_likely_content_than_prose():
    (menu, menu_end), (article, end) = rows("ul"), rows("article")
    chances = RegionChances(read_page(HTML))
    low, high, none = chances.of(np.array([menu, article, 0]), np.array([menu_end, end, 0]))
    assert low < high
    assert none == 0
    assert chances.outside(article, end) < high


def test_a_menu_is_no_content_beside_prose():
    page = read_page(HTML)
    assert not is_content(page, np.arange(*rows("ul"), dtype=np.int32))
    assert is_content(page, np.arange(*rows("article"), dtype=np.int32))
    assert not is_content(page, np.arange(0, dtype=np.int32))


def test_the_filter_keeps_the_rest_where_its_region_is_a_menu():
    page = read_page(HTML)
    keep = filtered_rows(page, "first-split", is_content=is_content)
    assert keep[slice(*rows("article"))].all()

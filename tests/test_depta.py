"""DEPTA: regions by tree matching, data items by partial tree alignment."""

from __future__ import annotations

import peneira
from peneira.methods.depta import Alignment, find_regions
from peneira.page import Page
from peneira.sources.html import read_page


def items(page: Page, *tags: str) -> list[list[str | None]]:
    rows = [(i,) for i in range(len(page)) if page.name(i) in tags]
    found = Alignment(page).items(rows)
    return [[None if node is None else page.text[node] for node in item.nodes] for item in found]


def test_texts_at_the_same_place_are_one_item():
    page = read_page("<ul><li><b>A</b><i>1</i><li><b>B</b><i>2</i></ul>")
    assert items(page, "li") == [["A", "B"], ["1", "2"]]


def test_an_optional_part_grows_the_seed_where_its_place_is_certain():
    page = read_page("<ul><li><b>A</b><i>1</i><li><b>B</b><u>new</u><i>2</i><li><b>C</b><i>3</i></ul>")
    assert items(page, "li") == [["A", "B", "C"], [None, "new", None], ["1", "2", "3"]]


def test_the_region_with_the_most_aligned_text_is_first():
    menu = "".join(f"<li><a href=/{k}>Go {k}</a>" for k in range(9))
    cards = "".join(f"<div><h3>Title {k}</h3><p>A longer text about {k}</p></div>" for k in range(6))
    (main, *_) = find_regions(read_page(f"<ul>{menu}</ul><section>{cards}</section>")).regions
    assert [record.text for record in main.records] == [f"Title {k} A longer text about {k}" for k in range(6)]
    assert 0 < main.confidence <= 1


def test_an_empty_page_has_no_regions():
    assert find_regions(read_page("")).regions == []


def test_the_method_has_a_name():
    page = "<section>" + "".join(f"<div><h3>T{k}</h3><p>Text {k}</p></div>" for k in range(5)) + "</section>"
    assert len(peneira.extract(page, method="depta").main) == 5

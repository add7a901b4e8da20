"""A selector that is evaluated for all records of a page at once finds what it finds in each of them."""

from __future__ import annotations

import pytest

from peneira.page import Page
from peneira.xpath import finder as finders
from peneira.xpath.finder import Finder, normalize_space
from peneira.xpath.selectors import TEXT, Selector, Step

PAGE = Page.from_html(
    "<ul><li class='a b'><b>1</b><a href=/x>one</a><i>2</i><div><b>3</b><b title=t>4</b></div>"
    "<li class=a><a>two</a><div><div><b>5</b></div></div><li>three</ul><b>out</b><dl><dt>p<dd>q<dt>r<dd><b>s</b></dl>"
)
ITEMS = [(row,) for row in PAGE.rows_of("li").tolist()]
TERMS = [(term, value) for term, value in zip(PAGE.rows_of("dt").tolist(), PAGE.rows_of("dd").tolist(), strict=True)]
NESTED = [(row,) for row in PAGE.rows_of("div").tolist()]
SELECTORS = [
    [Step("child", "b")],
    [Step("descendant", "b")],
    [Step("descendant", "b", position=2)],
    [Step("child", "div"), Step("descendant", "b"), Step("child", TEXT)],
    [Step("descendant", "a"), Step("child", "@href")],
    [Step("child", "b"), Step("nth-sibling", "a", position=1)],
    [Step("descendant", "b"), Step("following-sibling", "b")],
    [Step("nth-sibling", "li", position=1)],
    [Step("following-sibling", "li"), Step("child", "a")],
    [Step("child", "dd"), Step("child", "b")],
    [Step("child", "dd", position=1)],
    [],
]


@pytest.mark.parametrize("steps", SELECTORS)
@pytest.mark.parametrize("records", [ITEMS, TERMS, NESTED, ITEMS[:1], []])
@pytest.mark.parametrize("max_rows", [finders.MAX_ROWS, 2])
def test_all_records_at_once_are_each_of_them(
    steps: list[Step], records: list[tuple[int, ...]], max_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finders, "MAX_ROWS", max_rows)
    selector = Selector(tuple(steps), is_relative=True)
    found = Finder(PAGE).rows_in_each(records, selector)
    assert found == [Finder(PAGE).rows_in(record, selector) for record in records]


def test_all_records_at_once_find_the_rows_of_each() -> None:
    found = Finder(PAGE).rows_in_each(ITEMS, Selector((Step("descendant", "b"),), is_relative=True))
    assert [[PAGE.visible_text(row) for row in rows] for rows in found] == [["1", "3", "4"], ["5"], []]


def test_children_stay_the_same_however_often_they_are_looked_for() -> None:
    finder, selector = Finder(PAGE), Selector((Step("child", "b", position=1),), is_relative=True)
    first = [finder.rows_in(record, selector) for record in (*ITEMS, *NESTED)]
    assert [finder.rows_in(record, selector) for _ in range(9) for record in (*ITEMS, *NESTED)] == first * 9


def test_a_row_without_an_attribute_has_no_value_of_it() -> None:
    finder, links = Finder(PAGE), PAGE.rows_of("a").tolist()
    assert [dict(finder.attribute_values("href", row)) for row in links] == [{"href": "/x"}, {}]


@pytest.mark.parametrize(
    ("text", "collapsed"), [(" a  b ", "a b"), ("a\n\tb", "a b"), ("a\u00a0 b", "a\u00a0 b"), ("  ", ""), ("a ", "a")]
)
def test_white_space_is_collapsed_as_in_xpath(text: str, collapsed: str) -> None:
    assert normalize_space(text) == collapsed

"""The rendering-area method: its steps on boxes set by hand, and whole pages as Chromium renders them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

import peneira
from peneira.errors import InputError
from peneira.layout import PROPERTIES, Layout, Styles
from peneira.lists.subpage import Subpage
from peneira.methods.area import PUBLISHED, Parameters, find_regions, select
from peneira.methods.xpath_rank import find_regions as find_ranked_regions
from peneira.methods.xpath_rank import path_candidates
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from peneira.xpath.unique_xpath import predicate_xpath
from styled_pages import PAGES

# How many of the styled pages the method may get wrong
MAX_WRONG = 4


def rendered(html: str, boxes: Mapping[str, tuple[float, float]]) -> Page:
    """Return a page whose elements have sizes by id or tag; the others have no size."""
    page = read_page(html)
    sizes = np.zeros((len(page), 4))
    for i, attrs in enumerate(page.attrs):
        if (name := attrs.get("id", page.name(i))) in boxes:
            sizes[i, 2:] = boxes[name]
    blank = {name: Styles(np.ones(len(page), dtype=np.int32), ("", "visible")) for name in PROPERTIES}
    layout = Layout(sizes, np.ones(len(page), dtype=np.bool_), blank, 1000, 1000)
    return _with_layout(page, layout)


def _with_layout(page: Page, layout: Layout) -> Page:
    page.layout = layout
    return page


def chosen(html: str, boxes: Mapping[str, tuple[float, float]], parameters: Parameters = PUBLISHED) -> str:
    page = rendered(html, boxes)
    node = select(page, replace(parameters, infer_boxes=False)).node
    return page.attrs[node].get("id", page.name(node))


BODY = {"body": (1000.0, 1000.0)}
# the records of the two lists differ, so the method does not climb to both
TWO = "<ul id=menu><li>a<li>b<li>c</ul><ul id=list>" + "<li><b></b><i></i><u></u>" * 3 + "</ul>"


def test_the_largest_element_with_enough_children_wins():
    assert chosen(TWO, {**BODY, "menu": (300, 300), "list": (600, 600)}) == "list"


def test_children_of_one_tag_are_counted_but_form_fields_are_not():
    fields = "<form id=form><input><input><input></form>"
    html = f"<div id=mixed><p>a<b>c</b><i>d</i></div>{fields}<ul id=list><li><li><li></ul>"
    assert chosen(html, {**BODY, "mixed": (900, 900), "form": (900, 900), "list": (400, 400)}) == "list"


@pytest.mark.parametrize(
    ("menu", "without"),
    [
        ((1000, 190), "height"),  # a header: large, but low
        ((290, 1000), "width"),  # a menu at the side: large, but narrow
    ],
)
def test_each_filter_leaves_out_what_it_is_for(menu: tuple[float, float], without: str):
    boxes = {**BODY, "menu": menu, "list": (400, 400)}
    assert chosen(TWO, boxes) == "list"
    assert chosen(TWO, boxes, replace(PUBLISHED, **{f"use_{without}": False})) == "menu"


def test_a_region_below_a_tenth_of_the_body_is_left_out():
    assert chosen(TWO, {**BODY, "menu": (300, 300), "list": (300, 333)}) == "body"
    assert chosen(TWO, {**BODY, "menu": (300, 300), "list": (300, 334)}) == "list"


def test_a_candidate_replaces_its_parent_if_it_fills_a_fifth_of_it():
    html = "<div id=outer><div></div><div></div><div><ul id=list><li>a<li>b<li>c</ul></div></div>"
    assert chosen(html, {**BODY, "outer": (1000, 1000), "list": (500, 401)}) == "list"
    assert chosen(html, {**BODY, "outer": (1000, 1000), "list": (500, 399)}) == "outer"
    no_parent = replace(PUBLISHED, use_parent=False, use_climbing=False)
    assert chosen(html, {**BODY, "outer": (1000, 1000), "list": (900, 900)}, no_parent) == "outer"


GROUPS = (
    "<div id=all><div><ol id=one><li><b></b><i></i><li><b></b><i></i><li><b></b><i></i></ol></div><p>ad</p>"
    "<div><ol id=two>{0}</ol></div></div>"
)


def test_the_region_grows_to_include_similar_records_in_another_subtree():
    alike = GROUPS.format("<li><b></b><i></i>" * 3)
    other = GROUPS.format("<dt><b></b><i></i><u></u>" * 3)
    boxes = {**BODY, "one": (900.0, 500.0), "two": (900.0, 300.0)}
    assert chosen(alike, boxes) == "all"
    assert chosen(other, boxes) == "one"
    assert chosen(alike, boxes, replace(PUBLISHED, use_climbing=False)) == "one"


def test_a_record_may_differ_by_two_nodes_on_average():
    boxes = {**BODY, "one": (900.0, 500.0), "two": (900.0, 300.0)}
    assert chosen(GROUPS.format("<li><b></b><i></i><u></u><u></u>" * 3), boxes) == "all"
    assert chosen(GROUPS.format("<li><b></b><i></i><u></u><u></u><u></u>" * 3), boxes) == "one"


def test_links_and_headings_are_ignored_when_records_are_compared():
    boxes = {**BODY, "one": (900.0, 500.0), "two": (900.0, 300.0)}
    assert chosen(GROUPS.format("<li><a></a><h2></h2><a></a><br><b></b><i></i>" * 3), boxes) == "all"


def test_climbing_ends_after_three_steps():
    deep = "<div id=all><div><div><div><div>{0}</div></div></div></div>{1}</div>"
    group = "<ol id={0}>" + "<li><b></b>" * 3 + "</ol>"
    html = deep.format(group.format("one"), group.format("two"))
    assert chosen(html, {**BODY, "one": (900, 500), "two": (900, 300)}) == "one"


def test_without_a_candidate_the_body_is_selected():
    assert chosen("<p>a<p>b", BODY) == "body"


def test_an_element_without_a_box_takes_that_of_its_descendants():
    page = read_page("<div><p>a<p>b</div>")
    boxes = np.zeros((len(page), 4))
    rows = [i for i in range(len(page)) if page.name(i) == "p"]
    boxes[rows] = [(10, 20, 30, 40), (50, 20, 30, 60)]
    layout = Layout(boxes, boxes[:, 2] > 0, {}, 100, 100)
    assert layout.extents(page.parent, page.depth)[rows[0] - 1].tolist() == [10, 20, 70, 60]


def test_a_page_without_boxes_is_rejected_with_advice():
    with pytest.raises(InputError, match="--render always"):
        find_regions(read_page("<p>x"))


# --- pages with style sheets ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def styled(browser: Browser) -> dict[str, Page]:
    pages = {}
    before = browser.options
    for name, make in PAGES.items():
        browser.options = replace(before, width_px=make().width_px)
        pages[name] = browser.read(make().html)
    browser.options = before
    return pages


@pytest.mark.parametrize("name", PAGES)
def test_auto_finds_the_records_of_every_styled_page(styled: dict[str, Page], name: str):
    titles, result = PAGES[name]().titles, peneira.extract(styled[name])
    assert result.main is not None
    texts = [record.text for record in result.main.records]
    assert [[title for title in titles if title in text] for text in texts] == [[title] for title in titles]


@pytest.mark.parametrize("name", ["card_grid", "two_groups", "iframe", "floats"])
def test_the_region_is_cut_into_records(styled: dict[str, Page], name: str):
    titles = PAGES[name]().titles
    result = peneira.extract(styled[name], method="area")
    assert result.main is not None
    records = zip(result.main.records, titles, strict=True)
    assert [(title in record.text, record.fields != {}) for record, title in records] == [(True, True)] * len(titles)
    page, first = styled[name], result.main.records[0].ranges[0][0]
    assert result.main.xpath in [page.xpath(i) for i in (first, *page.ancestors(first))]


@pytest.mark.parametrize("name", ["card_grid", "search_results", "mobile", "hero"])
def test_xpath_ranking_finds_whole_records(styled: dict[str, Page], name: str):
    titles, result = PAGES[name]().titles, peneira.extract(styled[name], method="xpath-rank")
    assert result.main is not None
    assert [title in record.text for record, title in zip(result.main.records, titles, strict=True)] == [True] * 12


# --- parts ------------------------------------------------------------------------------------------------------------


def test_xpath_ranking_leaves_out_paths_whose_nodes_differ():
    different = "<div><p>a</p></div><div><ul><li>b</ul><b>x</b></div><div><table><tr><td>c</table></div>"
    assert path_candidates(read_page(different)) == []
    equal = "<div><p>a</p></div>" * 3
    assert [candidate.similarity for candidate in path_candidates(read_page(equal))] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div id=results><ul><li>x</ul></div>", "//div[@id='results']/ul[1]"),
        ("<div class='a1b2 listing'><ul><li>x</ul></div>",
         "//div[contains(concat(' ', normalize-space(@class), ' '), ' listing ')]/ul[1]"),
        ("<div id=x92><ul><li>x</ul></div>", "//body/div[1]/ul[1]"),
        ("<div class=row><ul><li>x</ul></div><div class=row></div>", "//body/div[1]/ul[1]"),
    ],
)  # fmt: skip
def test_an_xpath_by_attributes_uses_meaningful_names(html: str, expected: str):
    page = read_page(html)
    node = [page.name(i) for i in range(len(page))].index("ul")
    assert predicate_xpath(page, node) == expected


def test_an_xpath_by_attributes_selects_the_element():
    import lxml.html

    html = "<body><div><p>ad</p></div><div class='main listing'><ul><li>a<li>b</ul></div>"
    page = read_page(html)
    node = [page.name(i) for i in range(len(page))].index("ul")
    for variant in (html, html.replace("<div><p>", "<p>new</p><div><p>")):
        (element,) = lxml.html.document_fromstring(variant).xpath(predicate_xpath(page, node))
        assert element.text_content() == "ab"


def test_a_region_of_a_subpage_can_be_mapped_to_the_whole_page():
    page = read_page("<p>before<div><ul><li>a<li>b<li>c</ul></div><p>after")
    node = [page.name(i) for i in range(len(page))].index("ul")
    part = Subpage(page, node)
    assert part.page.visible_text(0) == "a b c"
    (region,) = [region for region in peneira.extract(part.page).regions if len(region.records) == 3]
    mapped = part.to_whole_page(region)
    assert [record.text for record in mapped.records] == ["a", "b", "c"]
    assert [record.xpath for record in mapped.records] == [page.xpath(record.ranges[0][0]) for record in mapped.records]
    assert [page.visible_text(*record.ranges[0]) for record in mapped.records] == ["a", "b", "c"]


def test_xpath_ranking_needs_three_nodes():
    assert path_candidates(read_page("<div><p>a</p></div>" * 2)) == []


def test_xpath_ranking_reports_at_most_five_lists():
    tags = ("p", "pre", "section", "article", "h4", "h5")
    html = "".join(f"<div>{f'<{tag}>{tag}</{tag}>' * 3}</div>" for tag in tags)
    assert len(find_ranked_regions(read_page(html))) == 5

"""The selectors of wrappers: a part of XPath, evaluated on the page table as lxml evaluates it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated import soup
from peneira.errors import SelectorError
from peneira.limits import Limits
from peneira.sources.html import read_page
from peneira.xpath.anchors import Anchors
from peneira.xpath.class_words import is_stable
from peneira.xpath.finder import MAX_SEARCHES, Finder, _normalized, normalize_space
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import Selector, Step, parse
from peneira.xpath.stability import stability
from peneira.xpath.unique_xpath import predicate_xpath
from standard_tree import by_html5lib

PAGE = """
<div id="main"><h1 class="big title">Up</h1>
<dl><dt>Year:</dt><dd>2009</dd><dt>Genres:</dt><dd><a>Drama</a>, <a>Comedy</a></dd></dl>
<p>Price: <b>12</b> <i>13</i></p><table><tr><td>a<td>b<tr><td>c<td>d</table></div><p class=note>Pages: 31</p>
"""
SELECTORS = (
    "//h1[contains(concat(' ', normalize-space(@class), ' '), ' title ')]/text()[normalize-space()]",
    "//div[@id='main']//tr[2]/td[1]/text()[normalize-space()][1]",
    "//dt[normalize-space()='Year:']/following-sibling::node()[self::* or self::text()[normalize-space()]][1][self::dd]"
    "//text()[normalize-space()]",
    "//dt[normalize-space()='Genres:']/following-sibling::dd//text()[normalize-space()]",
    "//text()[normalize-space()='Price:']/following-sibling::node()[self::* or self::text()[normalize-space()]][2]"
    "[self::i]/text()[normalize-space()]",
    "//p/text()[normalize-space()][starts-with(normalize-space(), 'Pages:')]",
    "//tr[count(ancestor::table)=1]/td[2]",
    "//div[*[contains(concat(' ', normalize-space(@class), ' '), ' title ')]]/h1",
    "//dl/dd[count(*)=2]",
)


def texts(html: str, xpath: str) -> list[str]:
    finder = Finder(read_page(html))
    page = finder.page
    return [page.text[row] if page.is_text(row) else page.text_of(row) for row in finder.rows(parse(xpath))]


def test_selectors_select_the_expected_texts():
    assert [texts(PAGE, xpath) for xpath in SELECTORS] == [
        ["Up"],
        ["c"],
        ["2009"],
        ["Drama", ", ", "Comedy"],
        ["13"],
        ["Pages: 31"],
        ["b", "d"],
        ["Up"],
        ["Drama, Comedy"],
    ]


@pytest.mark.parametrize("xpath", SELECTORS)
def test_lxml_selects_the_same(xpath: str):
    found = by_html5lib(PAGE).xpath(xpath)
    ours = texts(PAGE, xpath)
    assert [str(node) if isinstance(node, str) else "".join(node.itertext()).strip() for node in found] == ours


@pytest.mark.parametrize("xpath", SELECTORS)
def test_a_selector_is_written_as_it_was_read(xpath: str):
    assert str(parse(xpath)) == xpath


@pytest.mark.parametrize(
    "xpath", ["", "h1", "//h1[last()]", "//a | //b", "//p/text()[normalize-space()]/b", "//h1[@class]"]
)
def test_xpath_outside_the_subset_is_rejected(xpath: str):
    with pytest.raises(SelectorError):
        parse(xpath)


def test_selectors_are_css_where_css_can_express_them():
    assert [parse(xpath).css for xpath in SELECTORS[:3]] == [
        "h1.title::text",
        "div#main tr:nth-of-type(2) > td:nth-of-type(1)::text",
        None,
    ]


def test_a_record_of_several_siblings_is_read_as_their_parent():
    finder = Finder(read_page("<dl><dt>a<dd>1<dt>b<dd>2</dl>"))
    dl = finder.rows(parse("//dl"))[0]
    tops = list(finder.page.children(dl))
    found = finder.rows_in(tops[2:], parse("./dd[1]/text()[normalize-space()]"))
    assert [finder.page.text[row] for row in found] == ["2"]


def test_anchors_are_more_stable_than_positions():
    by_id = Selector((Step("descendant", "div", id="price"),))
    by_place = parse("//body/div[2]/p[3]")
    assert stability(by_id) > stability(by_place)


names = st.sampled_from(["div", "p", "a", "*"])
steps = st.builds(
    Step,
    st.sampled_from(["child", "descendant"]),
    names,
    id=st.sampled_from(["", "x"]),
    class_name=st.sampled_from(["", "it's"]),
    text=st.sampled_from(["", 'say "hi"']),
    position=st.integers(0, 3),
)


@given(st.lists(steps, min_size=1, max_size=4), st.booleans())
def test_every_selector_can_be_written_and_read(made: list[Step], is_relative: bool):
    selector = Selector(tuple(made), is_relative)
    assert parse(str(selector)) == selector


@given(soup, st.lists(steps, min_size=1, max_size=3))
def test_any_page_can_be_searched_and_what_is_found_is_in_order(page: str, made: list[Step]):
    rows = Finder(read_page(page)).rows(Selector(tuple(made)))
    assert rows == sorted(set(rows))


def test_a_long_xpath_is_rejected_in_a_file_but_made_for_a_deep_element():
    html = "<ul id=names>" + "<div>" * 3000 + "<b>x</b>" + "</div>" * 3000 + "</ul>"
    page = read_page(html, limits=Limits(depth=5000))
    row = [page.name(i) for i in range(len(page))].index("b")
    xpath = predicate_xpath(page, row)
    assert xpath == "//ul[@id='names']" + "/div[1]" * 3000 + "/b[1]"
    with pytest.raises(SelectorError, match="longer than 10000 characters"):
        parse(xpath)
    with pytest.raises(SelectorError, match="a position is beyond 100000"):
        parse("//p[100001]")


def test_white_space_is_collapsed_as_xpath_does():
    assert normalize_space("\n a \t b\u00a0 ") == "a b\u00a0"


@pytest.mark.parametrize(("chars", "expected"), [(60, True), (61, False)])
def test_a_name_of_more_than_60_characters_is_not_stable(chars: int, expected: bool):
    assert is_stable("name" * 15 + "s" * (chars - 60)) == expected


def anchors_of(*pages: str) -> Anchors:
    return Anchors([Finder(read_page(page)) for page in pages])


def test_a_label_has_at_most_60_characters():
    anchors = anchors_of(f"<p>{'x' * 60}</p><p>{'y' * 61}</p>")
    assert anchors.is_label("x" * 60)
    assert not anchors.is_label("y" * 61)


def test_a_label_is_on_three_pages_in_ten():
    pages = ["<p>Year"] * 3 + ["<p>Price"] * 2 + ["<p>none"] * 5
    assert anchors_of(*pages).is_label("Year")
    assert not anchors_of(*pages).is_label("Price")


def test_a_text_on_more_than_four_pages_in_five_is_fixed():
    assert not anchors_of(*["<p>Year"] * 4, "<p>none").is_fixed("Year")
    assert anchors_of(*["<p>Year"] * 5, "<p>none").is_fixed("Year")


def test_values_are_looked_for_among_the_six_nodes_after_a_label():
    finder = Finder(read_page("<h3>Year</h3>" + "".join(f"<p>value {k}</p>" for k in range(1, 8))))
    proposed = [selector.steps for selector in Proposer(finder, Anchors([finder])).selectors()]
    after_label = [steps for steps in proposed if any(step.text == "Year" for step in steps)]
    positions = {step.position for steps in after_label for step in steps if step.axis == "nth-sibling"}
    assert positions == {1, 2, 3, 4, 5, 6}


def test_many_texts_are_normalized_as_each_of_them():
    texts = ["", " a ", "a\nb", "a \t b", "\u00a0a ", "x\r\fy", "  "]
    assert _normalized(texts) == list(map(normalize_space, texts))
    assert _normalized([*texts, "with\0zero  byte"]) == list(map(normalize_space, [*texts, "with\0zero  byte"]))
    assert _normalized([]) == []


def test_a_text_is_found_however_many_were_searched_for_before():
    labels = [f"label {k}" for k in range(MAX_SEARCHES + 2)]
    page = read_page(
        "".join(f"<p>\u00a0{label}</p><p> {chr(10).join(label.split())}</p><p>{label}1</p>" for label in labels)
    )
    finder = Finder(page)
    for label in labels:
        found = finder.rows(parse(f"//p[normalize-space()='{label}']"))
        assert [page.visible_text(row) for row in found] == [label]

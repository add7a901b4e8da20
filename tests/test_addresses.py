"""XPath and CSS of a node, evaluated by others' code on a standard HTML5 tree, give that node back."""

from __future__ import annotations

import random
import re

import pytest
from cssselect import HTMLTranslator
from hypothesis import given
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from generated import soup, trees
from peneira.page import Page
from peneira.sources.html import read_page
from standard_tree import by_html5lib, by_lexbor

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def places(page: Page) -> dict[int, tuple[int, ...]]:
    """Return for each element where it is: its place among the elements below its parent, from the root down."""
    found: dict[int, tuple[int, ...]] = {0: ()}
    counts: dict[int, int] = {}
    for i in range(1, len(page)):
        parent = int(page.parent[i])
        if not page.is_text(i):
            found[i] = (*found[parent], counts.get(parent, 0))
            counts[parent] = counts.get(parent, 0) + 1
    return found


def at(root: etree._Element, place: tuple[int, ...]) -> etree._Element:
    for k in place:
        root = root.xpath("*")[k]
    return root


def assert_xpaths_hold(page: Page, root: etree._Element, nodes: list[int]) -> None:
    where = places(page)
    for i in nodes:
        (found,) = root.getroottree().xpath(page.xpath(i))
        if page.is_text(i):
            expected, text = _NOT_XML.sub("\ufffd", page.text[i]), str(found)
            if any(page.name(element) == "pre" for element in page.ancestors(i)):
                # the text of the page begins with the white space before its element
                assert expected.endswith(text.lstrip())
                expected = text
            assert (text, found.getparent() is not None) == (expected, True)
        else:
            assert found is at(root, where[i])


def assert_css_holds(page: Page, root: etree._Element, nodes: list[int]) -> None:
    where, translate = places(page), HTMLTranslator().css_to_xpath
    for i in nodes:
        element = int(page.parent[i]) if page.is_text(i) else i
        (found,) = root.xpath(translate(page.css(i), prefix="descendant-or-self::"))
        assert found is at(root, where[element])


def test_xpath_is_positional():
    page = read_page("<div>a<b>x</b>\n <b>y</b> z</div>")
    assert [page.xpath(i) for i in range(3, len(page))] == [
        "/html[1]/body[1]/div[1]",
        "/html[1]/body[1]/div[1]/text()[normalize-space()][1]",
        "/html[1]/body[1]/div[1]/b[1]",
        "/html[1]/body[1]/div[1]/b[1]/text()[normalize-space()][1]",
        "/html[1]/body[1]/div[1]/b[2]",
        "/html[1]/body[1]/div[1]/b[2]/text()[normalize-space()][1]",
        "/html[1]/body[1]/div[1]/text()[normalize-space()][2]",
    ]


def test_css_of_an_element_and_of_a_text():
    page = read_page("<div></div><div><p>x</p></div>")
    assert page.css(5) == "html > body:nth-of-type(1) > div:nth-of-type(2) > p:nth-of-type(1)"
    assert page.css(6) == page.css(5)


def test_names_that_xpath_cannot_spell_are_counted_among_all_elements():
    page = read_page("<p>a</p><o:p>b</o:p><svg><path></path></svg>")
    assert [page.xpath(i) for i in range(len(page)) if page.name(i) in ("o:p", "path")] == [
        "/html[1]/body[1]/*[2]",
        "/html[1]/body[1]/*[3]/*[1]",
    ]


@given(soup)
def test_addresses_hold_in_tag_soup(html: str):
    page, root = read_page(html), by_lexbor(html)
    nodes = list(range(len(page)))
    assert_xpaths_hold(page, root, nodes)
    assert_css_holds(page, root, nodes)


@given(trees())
def test_addresses_hold_in_the_tree_of_another_parser(html: str):
    page, root = read_page(html), by_html5lib(html)
    nodes = list(range(len(page)))
    assert_xpaths_hold(page, root, nodes)
    assert_css_holds(page, root, nodes)


@given(trees())
def test_css_holds_in_the_parser_itself(html: str):
    page, tree = read_page(html), LexborHTMLParser(html)
    for i in range(len(page)):
        if not page.is_text(i) and not page.silent[i]:
            (found,) = tree.css(page.css(i))
            assert found.tag == page.name(i)
            assert (found.attributes.get("class") or "") == page.attrs[i].get("class", "")


@pytest.mark.parametrize("part", range(4))
def test_addresses_hold_on_the_corpora(corpus_files, part: int):
    chance = random.Random(part)
    for file in corpus_files[part::4]:
        page = read_page(file)
        root = by_lexbor(text_of(file))
        nodes = chance.sample(range(len(page)), min(12, len(page)))
        assert_xpaths_hold(page, root, nodes)
        assert_css_holds(page, root, nodes[:4])


def text_of(file) -> str:
    from peneira.sources.encoding import decode

    return decode(file.read_bytes())[0]

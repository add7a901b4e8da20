from __future__ import annotations

import numpy as np
from hypothesis import given

from generated import soup
from peneira.page import Page
from peneira.sources.html import read_page


def names(page: Page) -> list[str]:
    return [page.name(i) for i in range(len(page))]


def test_rows_are_elements_and_non_blank_texts_in_document_order():
    page = read_page("<body><p>one <b>two</b> </p> <!-- no row --><br></body>")
    assert names(page) == ["html", "head", "body", "p", "#text", "b", "#text", "br"]
    assert [page.text[i] for i in (4, 6)] == ["one ", "two"]
    assert page.parent.tolist() == [-1, 0, 0, 2, 3, 3, 5, 2]
    assert page.depth.tolist() == [0, 1, 1, 2, 3, 3, 4, 2]
    assert page.end.tolist() == [8, 2, 8, 7, 5, 7, 7, 8]


def test_a_lone_non_breaking_space_is_a_node():
    page = read_page("<td>&nbsp;</td><p>&nbsp;</p>")
    assert names(page)[3:] == ["#text", "p", "#text"]
    assert page.visible_text(page.body) == ""


def test_attributes_without_a_value_are_empty_strings():
    page = read_page("<input disabled value='' data-x=1>")
    assert page.attrs[3] == {"disabled": "", "value": "", "data-x": "1"}


def test_tag_paths_are_equal_where_the_tags_from_the_root_are():
    page = read_page("<ul><li class=a>x<li class=b>y</ul><ol><li>z</ol>")
    items = [i for i in range(len(page)) if page.name(i) == "li"]
    first, second, other = items
    assert page.path[first] == page.path[second] != page.path[other]
    assert page.styled_path[first] != page.styled_path[second]


def test_style_is_the_same_in_whatever_order_its_attributes_are_written():
    page = read_page("<i class=a width=1></i><i width=1 class=a id=z></i><i width=2 class=a></i>")
    one, two, three = (i for i in range(len(page)) if page.name(i) == "i")
    assert page.styled_path[one] == page.styled_path[two] != page.styled_path[three]


def test_equal_shapes_are_equal_subtrees_over_tags():
    page = read_page("<ul><li><b>x</b> y<li><b>zzz</b> w<li><b>x</b></ul>")
    first, second, third = (i for i in range(len(page)) if page.name(i) == "li")
    assert page.shape[first] == page.shape[second] != page.shape[third]


def test_a_script_does_not_change_the_shape_around_it():
    page = read_page("<div><b>x</b></div><div><script>s()</script><b>x</b></div>")
    first, second = (i for i in range(len(page)) if page.name(i) == "div")
    assert page.shape[first] == page.shape[second]


def test_rows_of_several_tags_are_in_document_order():
    page = Page.from_html("<ul><li>a<li><b>b</b></ul><b>c</b>")
    assert [page.name(row) for row in page.rows_of("b", "ul", "li")] == ["ul", "li", "li", "b", "b"]
    assert page.rows_of("table").tolist() == page.rows_of().tolist() == []


def test_silent_nodes_are_rows_without_visible_text():
    page = read_page(
        "<head><title>t</title></head><body>a<script>b</script><noscript><p>c</p></noscript><style>d</style>e"
    )
    silent = {page.name(i) for i in range(len(page)) if page.silent[i]}
    assert silent == {"head", "title", "#text", "script", "noscript", "p", "style"}
    assert page.visible_text(0) == "ae"


def test_the_content_of_a_template_is_kept_and_silent():
    page = read_page("<div>a<template><p>b<template><i>c</i></template></p></template>d</div>")
    assert names(page)[3:] == ["div", "#text", "template", "p", "#text", "template", "i", "#text", "#text"]
    assert page.silent[3:].tolist() == [False, False, True, True, True, True, True, True, False]
    assert page.visible_text(0) == "ad"


def test_the_own_texts_of_rows_are_collapsed_and_hidden_ones_are_among_them():
    page = read_page("<p>a \n b<b> c\u200bd </b><i hidden>e </i><u>&nbsp;</u></p>")
    rows = [i for i in range(len(page)) if page.is_text(i)]
    assert page.own_texts(rows) == ["a b", "cd", "e", ""]


def test_hidden_nodes_are_flagged_and_left_out_of_visible_text():
    page = read_page(
        "<p>a</p><p hidden>b</p><p style='color:red; DISPLAY : none'>c</p><p style='visibility:hidden'><b>d</b></p>"
        "<p style='x-display:none-such'>e</p>"
    )
    assert page.visible_text(0) == "a e"
    assert [page.text[i] for i in range(len(page)) if page.hidden[i] and page.is_text(i)] == ["b", "c", "d"]


def test_navigation():
    page = read_page("<ul><li>a<li><b>b</b></ul>")
    ul = 3
    assert [page.name(i) for i in page.children(ul)] == ["li", "li"]
    first, second = page.children(ul)
    assert list(page.siblings(second)) == [first, second]
    assert [page.name(i) for i in page.ancestors(second)] == ["ul", "body", "html"]
    assert page.name(page.body) == "body"


def test_a_frameset_has_its_root_for_a_body():
    page = read_page("<frameset><frame src=a></frameset>")
    assert page.name(page.body) == "html"


@given(soup)
def test_ranges_nest_and_parents_come_first(html: str):
    page = read_page(html)
    assert page.parent[0] == -1
    assert page.end[0] == len(page)
    for i in range(1, len(page)):
        parent = int(page.parent[i])
        assert 0 <= parent < i < page.end[i] <= page.end[parent]
        assert page.depth[i] == page.depth[parent] + 1


@given(soup)
def test_columns_agree_with_plain_definitions(html: str):
    page = read_page(html)
    paths, shapes = {}, {}
    for i in range(len(page)):
        chain = tuple(page.name(a) for a in (i, *page.ancestors(i)))
        assert paths.setdefault(chain, page.path[i]) == page.path[i]
    assert len(set(paths.values())) == len(paths)
    for i in reversed(range(len(page))):
        children = [c for c in page.children(i) if not page.silent[c] or page.silent[i]]
        key = (page.name(i), tuple(int(page.shape[c]) for c in children))
        assert shapes.setdefault(key, page.shape[i]) == page.shape[i]
    assert len(set(shapes.values())) == len(shapes)


def test_equal_bytes_give_equal_columns(sample):
    one, two = read_page(sample), read_page(sample)
    for column in ("tag", "parent", "end", "depth", "path", "styled_path", "shape", "silent", "hidden"):
        assert np.array_equal(getattr(one, column), getattr(two, column))
    assert one.html() == two.html()

from __future__ import annotations

import pytest
from hypothesis import given

from generated import soup
from peneira.sources.html import read_page

CASES = [
    ("H<sub>2</sub>O", "H2O"),
    ("<b>12</b>,<sup>90</sup>", "12,90"),
    ("<p>one</p><p>two</p>", "one two"),
    ("one<br>two", "one two"),
    ("<b>one</b> <i>two</i>", "one two"),
    ("<b>one</b><i>two</i>", "onetwo"),
    ("<table><tr><td>a<td>b</table>", "a b"),
    ("  a \n\t b  ", "a b"),
    ("a&nbsp;&nbsp;b", "a b"),
    ("zero\u200bwidth\u00ad", "zerowidth"),
    ("12<!-- -->3", "123"),
    ("12<!-- --> <!-- -->3", "12 3"),
    ("a<script>x</script>b", "ab"),
    ("a<div hidden>x</div>b", "ab"),
    ("a<div></div>b", "a b"),
    ("<span><b>a</b> </span><i>b</i>", "a b"),
    ("<ul><li>a</li><li>b</li></ul>", "a b"),
    ("a<img src=x>b", "a b"),
    ("<my-price>1</my-price><my-price>2</my-price>", "1 2"),
    ("\u200b", ""),
    ("", ""),
]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_visible_text_is_what_a_reader_sees(html: str, text: str):
    page = read_page(f"<body>{html}")
    assert page.visible_text(page.body) == text


def test_text_of_a_range_of_siblings():
    page = read_page("<dl><dt>a<dd>b<dt>c<dd>d</dl>")
    dt = [i for i in range(len(page)) if page.name(i) == "dt"]
    assert page.visible_text(dt[0], dt[1]) == "a b"
    assert page.visible_text(dt[1], int(page.end[3])) == "c d"


def test_a_node_without_text_reads_as_nothing():
    page = read_page("a<p></p><img>b")
    assert [page.visible_text(i) for i in range(len(page)) if page.name(i) in ("p", "img")] == ["", ""]


@given(soup)
def test_the_text_of_a_node_is_inside_that_of_its_parent(html: str):
    page = read_page(html)
    for i in range(1, len(page)):
        text = page.visible_text(i)
        assert text in page.visible_text(int(page.parent[i]))
        assert len(text) == page.text_chars[i]
        assert text == " ".join(text.split())

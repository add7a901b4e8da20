"""Reversed, enriched tag paths, compared with the examples of the thesis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated import soup
from peneira.errors import ArgumentError
from peneira.sources.html import read_page
from peneira.texts.retps import (
    DEFAULT_VOCABULARY,
    MAX_ENTRIES,
    VALUE_TOKENS,
    Vocabulary,
    attribute_tokens,
    element_positions,
    fibonacci_class,
    text_paths,
    text_runs,
    vocabulary_with,
)


def paths(html: str, vocabulary: Vocabulary | None = None) -> list[str]:
    page = read_page(html)
    found = text_paths(page, vocabulary) if vocabulary else text_paths(page)
    return [str(path).replace("<#SEP>", " ") for path in found]


def runs(html: str) -> list[tuple[str, str]]:
    page = read_page(html)
    return [(page.name(element), "".join(page.text[i] for i in texts)) for element, texts in text_runs(page)]


def filler(count: int) -> str:
    return "<div></div>" * count


# The structure and the counters of the thesis's Figure 14: a price in the 72nd of 298 counted elements
FIGURE_14 = f"""<html lang="en"><head><title></title></head><body><form id="f" name="f" action="x">
<div id="a"><div id="b">{filler(31)}<div id="c">{filler(21)}<div id="d" class="k"><div id="e"><div id="g" class="k">
{filler(7)}<div class="k"><div class="align_lft">MSRP: $61,550</div></div></div></div></div></div></div></div>
{filler(226)}</form></body></html>"""


def test_the_counters_are_those_of_figure_14():
    page = read_page(FIGURE_14)
    running, total = element_positions(page)
    ((element, _),) = text_runs(page)
    ancestors = [element, *page.ancestors(element)]
    assert [int(running[i]) for i in ancestors] == [72, 71, 63, 62, 61, 39, 7, 6, 5, 4, 1]
    assert total == 298


def test_a_path_before_the_cut_has_the_entries_of_figure_14_in_reverse():
    (path,) = paths(FIGURE_14, Vocabulary(max_entries=99))
    assert path.split()[19:] == ["<#NAME>", "<#PROP>", "<#ID>", "form|1", "body|1", "<#PROP>", "html|1"]


def test_a_path_is_that_of_figure_14():
    assert paths(FIGURE_14) == [
        "<#CNT> <#CLSS> div|21 <#CLSS> div|21 <#CLSS> <#ID> div|21 <#ID> div|13 <#CLSS> <#ID> div|13 "
        "<#ID> div|13 <#ID> div|2 <#ID> div|2 <#NAME>"
    ]


@pytest.mark.parametrize(
    ("position", "total", "expected"),
    [(0, 100, 1), (1, 300, 1), (2, 100, 2), (4, 100, 3), (7, 100, 5), (63, 300, 21), (88, 100, 55), (99, 100, 89)],
)
def test_a_position_has_the_largest_class_that_is_not_above_it(position: int, total: int, expected: int):
    assert fibonacci_class(position, total) == expected


def test_the_last_element_has_the_last_class():
    assert fibonacci_class(7, 7) == 100


def test_a_page_without_elements_has_the_first_class():
    assert fibonacci_class(0, 0) == 1


def test_tags_of_lists_do_not_advance_the_position():
    page = read_page("<ul><li>a<li>b</ul><table><tr><td>c</table><div>d</div>")
    running, total = element_positions(page)
    # html head body table tbody div
    assert (int(running[-1]), total) == (6, 6)


def test_skipped_tags_do_not_advance_the_position():
    assert element_positions(read_page("<body><script>x</script><input><noscript><div></div></noscript><p>a"))[1] == 3


def test_a_wrapper_tag_with_text_counts_and_one_without_does_not():
    assert element_positions(read_page("<span><i>a</i></span>"))[1] == 4
    assert element_positions(read_page("<span>a</span>"))[1] == 4


def test_a_wrapper_tag_without_text_has_a_prefix():
    (path,) = paths("<div><span><a href=x>y</a></span></div>")
    assert path == "<#CNT> <#PROP> a|100 #WTspan|55 div|55 body|55 html|13"


def test_formatted_text_joins_the_text_around_it():
    assert runs("<div>text <b>in <i>bold</i></b> here</div>") == [("div", "text in bold here")]


def test_formatted_text_alone_is_its_own_run():
    assert runs("<p><b>alone</b></p>") == [("b", "alone")]


def test_links_and_line_breaks_end_a_run():
    assert runs("<p>a<br>b<a>c</a>d</p>") == [("p", "a"), ("p", "b"), ("a", "c"), ("p", "d")]


def test_a_line_after_a_break_has_the_break_in_its_path():
    first, second = paths("<p>a<br>b</p>")
    assert (first.split()[1], second.split()[1]) == ("p|100", "br")


def test_only_a_leaf_is_marked_as_content():
    assert [path.split()[0] for path in paths("<div>a<p>b</p></div>")] == ["div|100", "<#CNT>"]


@pytest.mark.parametrize("text", ["$ 5", " $5", "R$ 5", "€5"])
def test_a_text_that_starts_with_a_currency_sign_is_money(text: str):
    (path,) = paths(f"<p>{text}</p>")
    assert path.split()[:2] == ["<#$>", "<#CNT>"]


def test_tokens_are_in_the_order_of_the_thesis():
    attrs = {"style": "display: none", "itemprop": "price", "class": "item-name date", "id": "x"}
    assert attribute_tokens(attrs) == ["<#ID>", "<#CLSS>", "<#NAME>", "<#DATE>", "<#PROP>", "<#PRICE>", "<#HIDE>"]


def test_the_list_of_values_can_be_extended():
    vocabulary = Vocabulary(values={**VALUE_TOKENS, "isbn": "<#ISBN>"})
    assert paths("<p class=isbn-13>978</p>", vocabulary)[0].split()[:3] == ["<#CNT>", "<#ISBN>", "<#CLSS>"]


def test_further_tokens_are_written_as_words_and_tokens():
    vocabulary = vocabulary_with(["Author=<#AUTH>"])
    assert attribute_tokens({"class": "by-author"}, vocabulary) == ["<#CLSS>", "<#AUTH>"]
    assert vocabulary_with([]) is DEFAULT_VOCABULARY


@pytest.mark.parametrize("text", ["author", "=<#A>", "author=", "author=AUTH", "author=<#SEP>"])
def test_a_token_of_another_form_is_refused(text: str):
    with pytest.raises(ArgumentError, match="is no token: write WORD=<#NAME>"):
        vocabulary_with([text])


def test_custom_elements_and_attributes_keep_their_names():
    (path,) = paths("<dhi-new-input _ngcontent-c53 formcontrolname=q>a</dhi-new-input>")
    assert path.split()[:5] == ["<#CNT>", "<#CONT>", "<#NAME>", "<#PROP>", "dhi-new-input|100"]


def test_scripts_and_titles_are_not_runs():
    assert runs("<head><title>t</title></head><script>s</script><noscript>n</noscript><p>a") == [("p", "a")]


def test_visible_text_in_a_skipped_tag_of_foreign_content_is_a_run():
    assert runs("<svg><link>a</link></svg><p>b") == [("link", "a"), ("p", "b")]


def test_a_page_without_text_has_no_paths():
    assert paths("") == [] and paths("<div></div>") == []


@given(st.text(alphabet="<>/ab=\"' pdivbr", max_size=200) | soup)
def test_every_visible_text_is_in_exactly_one_run(html: str):
    page = read_page(html)
    found = [row for path in text_paths(page) for row in path.texts]
    assert found == [i for i in range(len(page)) if page.is_text(i) and not page.silent[i]]
    assert all(0 < len(path.entries) <= MAX_ENTRIES for path in text_paths(page))

"""What is known of the texts of a page, alone and beside other pages of its site."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from generated import soup
from peneira.sources.html import read_page
from peneira.texts.attribute_clues import NAMES, clues_of, element_clues, spread
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import PageTexts, TextFeatures, table_of


def texts(html: str) -> PageTexts:
    return PageTexts(read_page(html))


def figure(html: str, name: str) -> list[float]:
    return [round(float(value), 3) for value in texts(html).figures()[name]]


def words(bits: int) -> list[str]:
    return [name for k, name in enumerate(NAMES) if bits >> k & 1]


def test_texts_are_those_that_a_reader_may_see():
    html = "<title>t</title><script>s</script><p> a  b </p><p>&nbsp;</p><p>&#8203;</p><p hidden>c</p>"
    assert texts(html).words == ["a b", "c"]


def test_what_a_text_says_is_counted_by_kinds_of_characters():
    assert figure("<p>Ab 12", "digits") == [0.4]
    assert figure("<p>Ab 12", "capitals") == [0.2]
    assert figure("<p>Price:</p><p>$5</p><p>Yes.</p>", "ends_colon") == [1, 0, 0]
    assert figure("<p>Price:</p><p>$5</p><p>Yes.</p>", "starts_money") == [0, 1, 0]
    assert figure("<p>Price:</p><p>$5</p><p>Yes.</p>", "ends_sentence") == [0, 0, 1]


def test_letters_of_other_alphabets_are_letters():
    assert figure("<p>мир", "letters") == [1.0]


def test_the_block_of_a_text_is_the_nearest_element_that_is_not_inline():
    page = texts("<div><p>a <b>b <i>c</i></b></p>d</div>")
    assert [page.page.name(i) for i in page.blocks.tolist()] == ["p", "p", "p", "div"]


def test_the_share_of_links_is_that_of_the_characters():
    assert figure("<p>abc<a href=x>def</a></p>", "block_links") == [0.5, 0.5]


def test_a_text_knows_whether_a_label_stands_before_it():
    assert figure("<p>Price:</p><p>$5</p>", "colon_before") == [-1.0, 1.0]


def test_texts_of_one_path_are_counted_and_numbered():
    html = "<ul><li>a<li>b<li>b</ul><p>c"
    assert figure(html, "of_path") == pytest.approx([1.386, 1.386, 1.386, 0.693])
    assert figure(html, "path_turn") == [0, 0.333, 0.667, 0]
    assert figure(html, "path_distinct") == [0.667, 0.667, 0.667, 1.0]


def test_words_of_the_title_and_of_structured_data_are_known():
    data = '<script type="application/ld+json">{"name": "Red kettle", "url": "https://x.example/menu"}</script>'
    html = f"<title>Red kettle | Shop</title>{data}<h1>Red kettle</h1><p>Menu</p>"
    assert figure(html, "in_title") == [1.0, 0.0]
    assert figure(html, "whole_in_title") == [1.0, 0.0]
    assert figure(html, "in_structured") == [1.0, 0.0]


def test_broken_structured_data_is_read_as_text():
    html = '<script type="application/ld+json">{"name": "Red kettle", }</script><h1>Red kettle</h1>'
    assert figure(html, "in_structured") == [1.0]


def test_a_page_without_metadata_says_so():
    assert figure("<p>a", "in_title") == figure("<p>a", "in_structured") == [-1.0]


def test_clues_are_words_of_attributes_in_any_spelling():
    assert words(clues_of("product-title")) == ["name", "title"]
    assert words(clues_of("mainMenu")) == ["content", "nav"]
    assert words(clues_of("prices")) == ["price"]
    assert words(clues_of("")) == []


def test_clues_are_inherited_but_not_from_the_body():
    page = read_page('<body class="menu"><div class="footer"><p class="price">a</p></div></body>')
    _, above = element_clues(page)
    assert [words(above[i]) for i in range(len(page)) if page.name(i) == "p"] == [["footer", "price"]]


def test_each_clue_is_a_column():
    assert spread([0, 1, 2], 2).tolist() == [[0, 0], [1, 0], [0, 1]]


def test_what_stands_on_all_pages_is_known_from_what_changes():
    pages = [read_page(f"<p>Menu</p><h1>{name}</h1>") for name in ("Kettle", "Lamp", "Chair")]
    figures = SitePages(pages[1:]).figures(PageTexts(pages[0]))
    assert figures["same_text"].tolist() == [1.0, 0.0]
    assert figures["same_text_there"].tolist() == [1.0, 0.0]
    assert figures["same_spot"].tolist() == [1.0, 1.0]
    assert figures["changes_there"].tolist() == [0.0, 1.0]
    assert figures["different_there"].tolist() == [pytest.approx(1 / 3), 1.0]


def test_the_page_itself_among_the_others_tells_nothing():
    pages = [read_page(f"<p>Menu</p><h1>{name}</h1>") for name in ("Kettle", "Lamp")]
    alone, both = (SitePages(those).figures(PageTexts(pages[0])) for those in (pages[1:], pages))
    assert {name: column.tolist() for name, column in alone.items()} == {
        name: column.tolist() for name, column in both.items()
    }


def test_a_page_without_text_has_no_figures():
    assert texts("<div></div>").figures() == {}
    assert len(texts("")) == 0


@given(soup)
def test_figures_are_finite_numbers_on_any_page(html: str):
    page = texts(html)
    figures: TextFeatures = page.figures()
    if len(page):
        figures |= SitePages([read_page("<p>a"), page.page]).figures(page)
        table = table_of(figures, tuple(figures))
        assert table.shape == (len(page), len(figures))
        assert np.isfinite(table).all()

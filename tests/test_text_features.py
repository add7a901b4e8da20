"""Features of the texts of a page, alone and compared with other pages of its site."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from generated import soup
from peneira.sources.html import read_page
from peneira.texts.attribute_keywords import GROUP_NAMES, element_keywords, keyword_bits, unpack_bits
from peneira.texts.element_names import ElementNames
from peneira.texts.markup_words import WordShares, text_words
from peneira.texts.page_texts import PageTexts
from peneira.texts.site_pages import SitePages
from peneira.texts.text_features import feature_table, text_features
from peneira.texts.text_vocabulary import TextVocabulary
from peneira.texts.text_words import TextWords


def texts(html: str) -> PageTexts:
    return PageTexts(read_page(html))


def feature(html: str, name: str) -> list[float]:
    return [round(float(value), 3) for value in text_features(texts(html))[name]]


def groups(bits: int) -> list[str]:
    return [name for k, name in enumerate(GROUP_NAMES) if bits >> k & 1]


def test_texts_are_those_that_a_reader_may_see():
    html = "<title>t</title><script>s</script><p> a  b </p><p>&nbsp;</p><p>&#8203;</p><p hidden>c</p>"
    assert texts(html).strings == ["a b", "c"]


def test_characters_of_a_text_are_counted_by_kind():
    assert feature("<p>Ab 12", "digits") == [0.4]
    assert feature("<p>Ab 12", "capitals") == [0.2]
    assert feature("<p>Price:</p><p>$5</p><p>Yes.</p>", "ends_colon") == [1, 0, 0]
    assert feature("<p>Price:</p><p>$5</p><p>Yes.</p>", "starts_money") == [0, 1, 0]
    assert feature("<p>Price:</p><p>$5</p><p>Yes.</p>", "ends_sentence") == [0, 0, 1]


def test_letters_of_other_alphabets_are_letters():
    assert feature("<p>мир", "letters") == [1.0]


def test_the_block_of_a_text_is_the_nearest_element_that_is_not_inline():
    page = texts("<div><p>a <b>b <i>c</i></b></p>d</div>")
    assert [page.page.name(i) for i in page.blocks.tolist()] == ["p", "p", "p", "div"]


def test_the_share_of_links_is_that_of_the_characters():
    assert feature("<p>abc<a href=x>def</a></p>", "block_links") == [0.5, 0.5]


def test_a_label_before_a_text_is_a_feature():
    assert feature("<p>Price:</p><p>$5</p>", "colon_before") == [-1.0, 1.0]


def test_texts_of_one_path_are_counted_and_numbered():
    html = "<ul><li>a<li>b<li>b</ul><p>c"
    assert feature(html, "of_path") == pytest.approx([1.386, 1.386, 1.386, 0.693])
    assert feature(html, "path_turn") == [0, 0.333, 0.667, 0]
    assert feature(html, "path_distinct") == [0.667, 0.667, 0.667, 1.0]


def test_words_of_the_title_and_of_structured_data_are_known():
    data = '<script type="application/ld+json">{"name": "Red kettle", "url": "https://x.example/menu"}</script>'
    html = f"<title>Red kettle | Shop</title>{data}<h1>Red kettle</h1><p>Menu</p>"
    assert feature(html, "in_title") == [1.0, 0.0]
    assert feature(html, "whole_in_title") == [1.0, 0.0]
    assert feature(html, "in_structured") == [1.0, 0.0]


def test_broken_structured_data_is_read_as_text():
    html = '<script type="application/ld+json">{"name": "Red kettle", }</script><h1>Red kettle</h1>'
    assert feature(html, "in_structured") == [1.0]


def test_without_metadata_its_features_are_minus_one():
    assert feature("<p>a", "in_title") == feature("<p>a", "in_structured") == [-1.0]


def test_keywords_are_found_in_hyphenated_and_camel_case_names():
    assert groups(keyword_bits("product-title")) == ["name", "title"]
    assert groups(keyword_bits("mainMenu")) == ["content", "nav"]
    assert groups(keyword_bits("prices")) == ["price"]
    assert groups(keyword_bits("")) == []


def test_keywords_are_inherited_but_not_from_the_body():
    page = read_page('<body class="menu"><div class="footer"><p class="price">a</p></div></body>')
    _, above = element_keywords(page)
    assert [groups(above[i]) for i in range(len(page)) if page.name(i) == "p"] == [["footer", "price"]]


def test_each_bit_is_a_column():
    assert unpack_bits(np.array([0, 1, 2], dtype=np.uint64), 2).tolist() == [[0, 0], [1, 0], [0, 1]]


def test_texts_on_all_pages_differ_in_features_from_texts_that_change():
    pages = [read_page(f"<p>Menu</p><h1>{name}</h1>") for name in ("Kettle", "Lamp", "Chair")]
    features = SitePages(pages[1:]).features(PageTexts(pages[0]))
    assert features["same_text"].tolist() == [1.0, 0.0]
    assert features["same_text_there"].tolist() == [1.0, 0.0]
    assert features["same_spot"].tolist() == [1.0, 1.0]
    assert features["changes_there"].tolist() == [0.0, 1.0]
    assert features["different_there"].tolist() == [pytest.approx(1 / 3), 1.0]


def test_the_page_itself_among_the_others_is_ignored():
    pages = [read_page(f"<p>Menu</p><h1>{name}</h1>") for name in ("Kettle", "Lamp")]
    alone, both = (SitePages(others).features(PageTexts(pages[0])) for others in (pages[1:], pages))
    assert {name: column.tolist() for name, column in alone.items()} == {
        name: column.tolist() for name, column in both.items()
    }


def test_a_page_without_text_has_no_features():
    assert text_features(texts("<div></div>")) == {}
    assert len(texts("")) == 0


@given(soup)
def test_features_are_finite_numbers_on_any_page(html: str):
    page = texts(html)
    features = text_features(page)
    if len(page):
        features.add(SitePages([read_page("<p>a"), page.page]).features(page))
        table = feature_table(features, tuple(features))
        assert table.shape == (len(page), len(features))
        assert np.isfinite(table).all()


@pytest.mark.parametrize(("pages", "compared"), [(8, 8), (9, 8)])
def test_a_page_is_compared_with_at_most_eight_pages_of_its_site(pages: int, compared: int):
    site = SitePages([read_page(f"<p>text {k}</p>") for k in range(pages)])
    assert site.features(PageTexts(read_page("<p>own text</p>")))["site_pages"].tolist() == [compared]


def test_a_keyword_is_a_prefix_of_longer_words_if_it_has_four_letters():
    assert keyword_bits("footers") == keyword_bits("footer") != 0
    assert keyword_bits("menuitem") == keyword_bits("menu") != 0
    assert keyword_bits("ad") != 0 == keyword_bits("adxyz")


def test_keywords_beyond_400_characters_of_an_attribute_are_ignored():
    assert keyword_bits("menu".rjust(400)) == keyword_bits("menu")
    assert keyword_bits("menu".rjust(404)) == 0


def test_equal_names_have_one_code_and_those_of_the_body_none():
    page = read_page("<body class=shop><p class=a>x<p class=a>y<p id=a>z<p aria-hidden=true>w")
    names = ElementNames(page)
    body, first, second, third, last = (int(names.code[i]) for i in range(len(page)) if page.name(i) in ("body", "p"))
    assert body == last == 0
    assert first == second != third
    assert [names.distinct[code] for code in (body, first, third)] == [(), ("a",), ("a",)]
    assert [page.name(i) for i in names.unread] == ["p"]


def test_the_words_of_texts_know_their_text():
    found = TextWords(["Two Words, a number 42", "", "End"])
    assert found.words == ["two", "words", "number", "42", "end"]
    assert found.of_text == [["two", "words", "number", "42"], [], ["end"]]
    assert found.owner.tolist() == [0, 0, 0, 0, 2]
    assert found.counts.tolist() == [4, 0, 1]


def test_words_with_digits_are_not_learned_and_end_a_pair():
    assert text_words("Add 2 to cart 99x now") == ("add", "to", "cart", "now", "add to", "to cart")


def test_the_shares_of_words_are_read_as_they_were_written():
    texts = TextVocabulary.of({"cart": 0.125, "add to": 0.101, "to": 0.5, "to cart": 0.007})
    shares = WordShares({"sidebar": 0.033, "entry-content": 0.95}, texts)
    read = WordShares.from_bytes(shares.to_bytes())
    assert read.markup == shares.markup
    words = TextWords(["Add to cart", "add", "to"])
    assert read.of_texts(words).tolist() == [[0.007, 0.5, pytest.approx(0.18325)], [-1.0] * 3, [0.5] * 3]
    assert read.to_bytes() == shares.to_bytes()
    with pytest.raises(ValueError, match="not a peneira-words file"):
        WordShares.from_bytes(b'{"format":"other"}\n\n\n')


def test_without_known_pairs_words_alone_count():
    assert TextVocabulary.of({"cart": 0.25}).shares_of(TextWords(["to cart"])).tolist() == [[0.25] * 3]

"""The searches for phrases: the compiled ones give what the regular expressions give."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira import phrase_search as searches
from peneira.items import claims, lines
from peneira.items.claims import normal_form
from peneira.items.word_lists import word_lists
from peneira.kernels import compiled
from peneira.page import Page
from peneira.phrase_search import part_search, phrase_search
from peneira.types import money
from twins import without_kernels

needs_kernel = pytest.mark.skipif(compiled("phrase_scan") is None, reason="not compiled")
LETTERS = st.sampled_from("aAbKsi ſıİKé-_1/品ςσΣ")
PHRASES = st.lists(st.text(LETTERS, min_size=1, max_size=4), min_size=1, max_size=6)
BASIC_PLANE = [chr(code) for code in range(0x10000)]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "compiled", lambda name: None)


def test_the_least_number_of_the_phrases_of_a_text_is_found() -> None:
    search = phrase_search(["sold out", "not in stock"], ["in stock"])
    assert [search(text) for text in ("In stock!", "NOT IN STOCK", "restocked", "within stock", "")] == [
        1,
        0,
        -1,
        -1,
        -1,
    ]


def test_phrases_of_latin_letters_are_whole_words_and_others_need_no_space() -> None:
    search = phrase_search(["buy", "購入", "/kg"])
    assert search.which(["buy", "buyer", "to_buy", "今すぐ購入する", "3/kg", "3/kgs"]) == [0, 3, 4]


def test_parts_of_words_are_found_anywhere() -> None:
    search = part_search(["cart", "basket"])
    assert search.which(["minicarts", "BASKETBALL", "car"]) == [0, 1]
    assert not search.any_of(["car", "t"])
    assert search.any_of(["car", "Cart"])


@pytest.mark.usefixtures("plain")
def test_without_a_compiler_patterns_search() -> None:
    search = phrase_search(["a b"], ["b"])
    assert [search(text) for text in ("A B", "b", "ab")] == [0, 1, -1]
    assert search.which(["b", "", "a b"]) == [0, 2]
    assert part_search(["x"]).any_of(["axe"])


@needs_kernel
@given(PHRASES, PHRASES, st.text(LETTERS, max_size=12))
def test_the_kernel_finds_what_the_patterns_find(first: list[str], second: list[str], text: str) -> None:
    groups = [[(phrase, *searches._bounds(phrase)) for phrase in group] for group in (first, second)]
    assert phrase_search(first, second)(text) == searches._PatternSearch(groups)(text)
    assert part_search(first)(text) == searches._PatternSearch([[(phrase, False, False) for phrase in first]])(text)


@needs_kernel
def test_every_letter_of_the_word_lists_matches_the_forms_that_patterns_match() -> None:
    names = ("availability_words", "price_words", "recipe_words")
    letters = {letter for name in names for own in word_lists(name).values() for phrase in own for letter in phrase}
    every = "".join(BASIC_PLANE)
    for letter in sorted(letter for letter in letters if letter.lower() != letter.upper()):
        found = "".join(BASIC_PLANE[place] for place in part_search([letter]).which(BASIC_PLANE))
        assert found == "".join(re.findall(letter, every, re.IGNORECASE))


@needs_kernel
@given(st.text(st.characters(max_codepoint=127), max_size=40) | st.just("A b-" * 300))
def test_the_bare_form_of_ascii_texts_is_that_of_the_pattern(text: str) -> None:
    assert normal_form(text) == claims._form(text)


@needs_kernel
@given(st.text(st.sampled_from("a1 ٣²½一é_"), max_size=6))
def test_digits_of_all_scripts_are_found(text: str) -> None:
    assert lines.has_digit(text) == lines._has_digit(text)


@needs_kernel
@given(st.text(st.sampled_from("złkrKčUSD1_ .²-é٣"), max_size=8))
def test_words_of_currencies_are_whole_words(text: str) -> None:
    words = money._LETTERS.findall(text)
    assert money._has_sign_word()(text) == (not money._sign_words().isdisjoint(words))


LINES = (
    "<body>one <b>two</b><div>three<br>four <a href=x>five<p hidden>six</p></a> seven</div> <i>eight<script>9</script>"
    "</i> ten<select><option>11</select><ul><li>12<li><span><em>13</em></span></ul>"
)


def test_a_line_ends_at_the_edge_of_a_block() -> None:
    page = Page.from_html("<p>one <b>two</b><br>three</p><div><span>four<div>five</div></span></div>")
    found = [(line.text, page.name(line.block)) for line in lines.PageLines(page)]
    assert found == [("one two", "p"), ("three", "p"), ("four", "div"), ("five", "div")]


@needs_kernel
def test_the_lines_of_a_page_and_of_each_node_are_those_of_the_plain_way() -> None:
    page = Page.from_html(LINES)
    compiled_lines = [list(lines.PageLines(page)), *(lines.lines_of(page, row) for row in range(len(page)))]
    with without_kernels():
        plain_lines = [list(lines.PageLines(page)), *(lines.lines_of(page, row) for row in range(len(page)))]
    assert compiled_lines == plain_lines
    assert len(compiled_lines[0]) > 5


@needs_kernel
def test_what_is_no_text_is_refused() -> None:
    kernel, search = compiled("phrase_scan"), part_search(["a"])
    calls = (search, kernel.has_digit, kernel.letters_and_digits, kernel.WordSearch({"a"}))
    for call in (*calls, lambda text: search.any_of([text]), lambda text: search.which([text])):
        with pytest.raises(TypeError):
            call(None)
    for word in ("", "a" * 64, "\U0001d44e"):
        with pytest.raises(ValueError, match="1 to 63 characters"):
            kernel.WordSearch({word})

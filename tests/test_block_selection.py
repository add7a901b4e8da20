"""Which blocks of text are kept, given how probable each is content."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.sources.html import read_page
from peneira.texts.block_selection import (
    MAX_ITEM_WORDS,
    best_selection,
    of_similar_texts,
    of_whole_lists,
    of_whole_slots,
    of_whole_tables,
    shifted,
    without_equals,
    without_quoted,
    without_repeats,
)
from peneira.texts.text_blocks import TextBlocks


@pytest.mark.parametrize(
    ("probability", "kept"),
    [
        ([0.9, 0.9, 0.1], [True, True, False]),
        ([0.5, 0.3, 0.01], [True, True, False]),  # more is kept where all is in doubt
        ([0.0, 0.0, 0.0], [False, False, False]),
    ],
)
def test_blocks_are_kept_for_the_best_expected_word_f1(probability: list[float], kept: list[bool]):
    assert best_selection(np.array(probability), np.full(3, 10.0))[0].tolist() == kept


def test_a_more_probable_block_is_never_dropped_for_a_less_probable_one():
    probability = np.array([0.2, 0.8, 0.5, 0.6])
    kept, _ = best_selection(probability, np.array([1.0, 200.0, 3.0, 40.0]))
    assert probability[kept].min() >= probability[~kept].max(initial=0.0)


def evened(html: str, probability: list[float], words: list[float]) -> list[float]:
    blocks = TextBlocks(read_page(html))
    assert len(blocks) == len(probability)
    return of_whole_lists(np.array(probability), np.array(words), blocks).tolist()


def test_a_table_of_data_is_kept_whole_or_not_at_all():
    cells = "".join(f"<tr><td>Lake {k}<td>{k} m<td>{k}0 km" for k in range(3))
    blocks = TextBlocks(read_page(f"<p>Lakes</p><table>{cells}</table><table><tr><td>Menu<td>Search</table>"))
    probability = of_whole_tables(np.linspace(0.2, 0.8, 12), np.ones(12), blocks)
    assert probability[1:10].tolist() == pytest.approx([0.4727] * 9, abs=1e-4)
    assert probability[[0, 10, 11]].tolist() == pytest.approx([0.2, 0.7455, 0.8], abs=1e-4)


def test_less_of_a_page_is_kept_if_what_is_in_doubt_is_wrong_together():
    probability, words = np.array([0.9, *[0.25] * 20]), np.full(21, 10.0)
    assert best_selection(probability, words)[0].all()
    kept, f1 = best_selection(probability, words, spread=3.0)
    assert kept.tolist() == [True] + [False] * 20
    assert 0 < f1 < best_selection(probability, words)[1]


def test_short_items_of_a_list_share_their_mean_weighted_by_words():
    html = "<p>Text</p><ul><li><a>Python</a></li><li>Spark and Kafka</li></ul><ul><li>Go</li></ul>"
    assert evened(html, [0.9, 0.2, 0.6, 0.3], [1, 1, 3, 1]) == pytest.approx([0.9, 0.5, 0.5, 0.3])


@pytest.mark.parametrize(("words", "expected"), [(MAX_ITEM_WORDS, [0.4, 0.4]), (MAX_ITEM_WORDS + 1, [0.2, 0.6])])
def test_items_of_a_list_with_one_longer_item_stand_each_for_itself(words: float, expected: list[float]):
    assert evened("<ol><li>A<li>B</ol>", [0.2, 0.6], [words, words]) == pytest.approx(expected)


def test_a_paragraph_in_an_item_stands_for_itself():
    html = "<ul><li><span>A</span></li><li><p>B</p></li></ul>"
    assert evened(html, [0.2, 0.6], [1, 1]) == pytest.approx([0.2, 0.6])


LONG = "The river rose twice in that year and nobody in the valley slept until the bridge was built"


def read_once(html: str) -> list[str]:
    blocks = TextBlocks(read_page(html))
    words = np.array([float(len(text.split())) for text in blocks.strings])
    kept = without_repeats(np.ones(len(blocks), dtype=np.bool_), words, blocks)
    return [text for text, is_kept in zip(blocks.strings, kept.tolist(), strict=True) if is_kept]


def test_parts_of_cards_with_one_path_have_one_probability():
    blocks = TextBlocks(read_page("<div><b>A</b><p>1</div><div><b>B</b><p>2</div><div><b>C</b><p>3</div><h2>D</h2>"))
    words = np.ones(7)
    found = of_whole_slots(np.array([0.9, 0.2, 0.9, 0.6, 0.6, 0.1, 0.5]), words, blocks)
    assert np.round(found, 6).tolist() == [0.8, 0.3, 0.8, 0.3, 0.8, 0.3, 0.5]


def test_long_texts_of_one_path_keep_their_own_probabilities():
    blocks = TextBlocks(read_page("<p>A<p>B<p>C"))
    assert of_whole_slots(np.array([0.1, 0.5, 0.9]), np.full(3, 40.0), blocks).tolist() == [0.1, 0.5, 0.9]


def test_long_texts_of_one_form_are_drawn_to_their_mean():
    blocks = TextBlocks(read_page("<div><p>A<p>B<p>C</div><h2>D</h2>"))
    found = of_similar_texts(np.array([0.2, 0.6, 0.7, 0.2]), np.full(4, 40.0), blocks)
    assert found.tolist() == pytest.approx([0.3033, 0.5605, 0.6244, 0.2], abs=1e-4)


def test_short_texts_and_two_of_a_form_keep_their_own_probabilities():
    blocks, probability = TextBlocks(read_page("<p>A<p>B<p>C")), np.array([0.2, 0.6, 0.7])
    assert of_similar_texts(probability, np.full(3, 3.0), blocks).tolist() == probability.tolist()
    pair = TextBlocks(read_page("<p>A<p>B"))
    assert of_similar_texts(probability[:2], np.full(2, 40.0), pair).tolist() == probability[:2].tolist()


def test_odds_are_shifted_and_what_is_certain_stays_so():
    assert shifted(np.array([0.0, 0.5, 1.0]), np.log(3)).tolist() == pytest.approx([0.0, 0.75, 1.0])


def without_equal_texts(html: str, records: list[int] | None = None) -> list[bool]:
    blocks = TextBlocks(read_page(html))
    words = np.array([float(len(text.split())) for text in blocks.strings])
    of_blocks = np.array(records or [-1] * len(blocks))
    return without_equals(np.ones(len(blocks), dtype=np.bool_), words, blocks, of_blocks).tolist()


def test_of_equal_texts_of_four_words_or_more_the_first_is_kept():
    html = "<p>Save up to half</p><p>Add to cart</p><h3>save up to HALF</h3><h4>Add to cart</h4>"
    html += "<table><tr><td>Save up to half</table>"
    assert without_equal_texts(html) == [True, True, False, True, True]


def test_of_equal_texts_one_that_is_left_out_hides_no_other():
    blocks = TextBlocks(read_page("<p>Save up to half</p><h3>Save up to half</h3>"))
    kept = without_equals(np.array([False, True]), np.full(2, 4.0), blocks, np.full(2, -1))
    assert kept.tolist() == [False, True]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([1, 2, 3], [True, True, True]),
        ([1, 1, 2], [True, False, True]),
        ([1, 1, 1], [True, False, False]),
        ([-1, -1, -1], [True, False, True]),
        ([-1, 1, 1], [True, True, False]),
    ],
)
def test_equal_texts_of_several_records_are_all_kept(records: list[int], expected: list[bool]):
    html = "<p>Phone support any time</p><h3>Phone support any time</h3><p>Phone support any time</p>"
    assert without_equal_texts(html, records) == expected


@pytest.mark.parametrize(
    ("quote", "is_kept"), [(f"{LONG} Click to expand", False), (f"At last {LONG}", True), ("The river rose", True)]
)
def test_a_quote_that_begins_like_a_part_of_a_post_is_left_out(quote: str, is_kept: bool):
    blocks = TextBlocks(read_page(f"<p>It is true that {LONG} and later too</p><blockquote>{quote}</blockquote>"))
    words = np.array([float(len(text.split())) for text in blocks.strings])
    kept = without_quoted(np.array([True, True]), np.array([False, True]), words, blocks)
    assert kept.tolist() == [True, is_kept]


def test_a_quote_of_nothing_that_is_kept_stays():
    blocks = TextBlocks(read_page(f"<p>{LONG}</p><blockquote>{LONG}</blockquote>"))
    kept = without_quoted(np.array([False, True]), np.array([False, True]), np.full(2, 18.0), blocks)
    assert kept.tolist() == [False, True]


def test_a_long_text_that_the_page_repeats_is_kept_once():
    assert read_once(f"<p>{LONG}</p><p>So it was</p><blockquote>{LONG}</blockquote><p>So it was</p>") == [
        LONG,
        "So it was",
        "So it was",
    ]


def test_of_a_text_that_is_cut_off_and_whole_the_whole_one_is_kept():
    assert read_once(f"<p>{LONG[:88]}…</p><p>{LONG} again</p><p>{LONG} again and again</p>") == [
        f"{LONG} again and again"
    ]


def test_texts_that_differ_in_their_last_word_are_both_kept():
    assert read_once(f"<p>{LONG} here</p><p>{LONG} there</p>") == [f"{LONG} here", f"{LONG} there"]


def test_equal_rows_of_tables_and_code_are_all_kept():
    assert read_once(f"<table><tr><td>{LONG}<tr><td>{LONG}</table><pre>{LONG}</pre>") == [LONG, LONG, LONG]

"""Which blocks of text are kept, given how probable each is content."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.sources.html import read_page
from peneira.texts.block_selection import MAX_ITEM_WORDS, best_selection, of_whole_lists
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


def test_short_items_of_a_list_share_their_mean_weighted_by_words():
    html = "<p>Text</p><ul><li><a>Python</a></li><li>Spark and Kafka</li></ul><ul><li>Go</li></ul>"
    assert evened(html, [0.9, 0.2, 0.6, 0.3], [1, 1, 3, 1]) == pytest.approx([0.9, 0.5, 0.5, 0.3])


@pytest.mark.parametrize(("words", "expected"), [(MAX_ITEM_WORDS, [0.4, 0.4]), (MAX_ITEM_WORDS + 1, [0.2, 0.6])])
def test_items_of_a_list_with_one_longer_item_stand_each_for_itself(words: float, expected: list[float]):
    assert evened("<ol><li>A<li>B</ol>", [0.2, 0.6], [words, words]) == pytest.approx(expected)


def test_a_paragraph_in_an_item_stands_for_itself():
    html = "<ul><li><span>A</span></li><li><p>B</p></li></ul>"
    assert evened(html, [0.2, 0.6], [1, 1]) == pytest.approx([0.2, 0.6])

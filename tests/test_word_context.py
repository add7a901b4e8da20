"""What the words of the blocks around a block say, and how the type of the page shifts the decision."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.ml.forest import forest_from_trees
from peneira.sources.html import read_page
from peneira.texts.block_context import BlockGroups
from peneira.texts.block_features import block_features
from peneira.texts.block_model import ARTICLE_SHIFT, LOG_ODDS_SHIFT, TEXT_TYPES, BlockModels, decide
from peneira.texts.content_model import sigmoid
from peneira.texts.markup_words import WordShares
from peneira.texts.region_filter import ScoredRegions
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_vocabulary import UNKNOWN, TextVocabulary
from peneira.texts.word_context import word_context

PAGE = """<h1>Boots</h1>
<ul><li><b class=name>Fell</b><p class=price>$90</p></li><li><b class=name>Moor</b><p class=price>$80</p></li></ul>"""


def features(mean: list[float], markup: list[float]) -> dict[str, list[float]]:
    page = read_page(PAGE)
    blocks, none = TextBlocks(page), ScoredRegions(*([page.tag[:0]] * 4))
    assert blocks.strings == ["Boots", "Fell", "$90", "Moor", "$80"]
    columns = block_features(blocks, none)
    words = {
        "text_word_mean": np.array(mean),
        "text_word_low": np.array(mean) / 2,
        "word_mean": np.array(markup),
        "word_near": np.array(markup),
    }
    found = word_context({**columns, **words}, np.ones(5), BlockGroups(blocks, columns))
    return {name: np.asarray(column).tolist() for name, column in found.items()}


def test_blocks_of_one_form_share_the_mean_of_their_known_words():
    found = features([0.5, 0.9, UNKNOWN, UNKNOWN, UNKNOWN], [0.5] * 5)
    # the second name has no known word, the first one speaks for both; no price has any
    assert found["text_word_of_slot"] == [0.5, 0.9, UNKNOWN, 0.9, UNKNOWN]
    assert found["text_low_of_slot"] == [0.25, 0.45, UNKNOWN, 0.45, UNKNOWN]
    assert found["text_word_of_path"][1] == found["text_word_of_path"][3] == 0.9


def test_neighbours_without_known_words_do_not_count():
    found = features([0.5, 0.9, UNKNOWN, UNKNOWN, UNKNOWN], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert found["text_word_around_2"] == pytest.approx([0.7, 0.7, 0.7, 0.9, -1])
    assert found["word_around_2"] == pytest.approx([0.2, 0.25, 0.3, 0.35, 0.4])


def test_a_block_is_compared_with_its_page():
    found = features([0.5] * 5, [0.1, 0.2, 0.3, 0.4, 0.5])
    assert found["beside_page_word_mean"] == pytest.approx([-0.2, -0.1, 0.0, 0.1, 0.2])


@pytest.mark.parametrize("article", [0.0, 9.0])
def test_an_article_keeps_less_of_what_is_in_doubt(article: float):
    scores = {name: article if name == "article" else 0.0 for name in TEXT_TYPES}
    types = {name: forest_from_trees(["page.article"], [[[score]]]) for name, score in scores.items()}
    first, second = (forest_from_trees(["chars"], [[[score]]]) for score in (1.0, 2.0))
    words = WordShares({}, TextVocabulary.of({"one": 0.5, "one text": 0.5}))
    decision = decide(read_page("<p>One text of a page.</p>"), BlockModels(words, types, first, second))
    share = decision.types["article"]
    assert share == pytest.approx(1 if article else 1 / 7, abs=0.001)
    log_odds = np.array([2.0 + LOG_ODDS_SHIFT + ARTICLE_SHIFT * share])
    assert decision.probability.tolist() == pytest.approx(sigmoid(log_odds).tolist())

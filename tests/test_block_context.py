"""The second look at blocks: what the first said about the blocks of the same form, place and page."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.sources.html import read_page
from peneira.texts.block_context import BlockGroups, context_features
from peneira.texts.block_features import block_features
from peneira.texts.region_filter import ScoredRegions
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.word_counts import word_counts

PAGE = """<h1>Boots</h1><p>Warm boots for cold days, made by hand in a small town, and worn for many winters by all who
bought them.</p>
<ul><li><b class=name>Fell</b><p class=price>$90</p></li><li><b class=name>Moor</b><p class=price>$90</p></li></ul>"""


def features(probability: list[float]) -> dict[str, list[float]]:
    page = read_page(PAGE)
    blocks, none = TextBlocks(page), ScoredRegions(*([page.tag[:0]] * 4))
    assert blocks.strings[2:] == ["Fell", "$90", "Moor", "$90"]
    groups = BlockGroups(blocks, block_features(blocks, none))
    found = context_features(np.array(probability), word_counts(blocks.strings), groups)
    return {name.removeprefix("context."): np.asarray(column).tolist() for name, column in found.items()}


def test_blocks_of_one_form_share_their_mean():
    found = features([0.5, 0.9, 0.8, 0.1, 0.4, 0.3])
    assert found["of_slot"][3] == found["of_slot"][5] == pytest.approx(0.2)
    assert found["of_slot"][2] == found["of_slot"][4] == pytest.approx(0.6)
    assert found["first"] == [0.5, 0.9, 0.8, 0.1, 0.4, 0.3]


def test_a_repeated_text_knows_its_first_block():
    found = features([0.5, 0.9, 0.8, 0.1, 0.4, 0.3])
    assert found["repeat_of"] == [-1, -1, -1, -1, -1, 0.1]
    assert found["repeat"][4:] == [0, pytest.approx(np.log(2))]


def test_neighbours_headings_and_ranks():
    found = features([0.5, 0.9, 0.8, 0.1, 0.4, 0.3])
    assert found["at_1"] == [0.9, 0.8, 0.1, 0.4, 0.3, -1]
    assert found["at_-1"] == [-1, 0.5, 0.9, 0.8, 0.1, 0.4]
    assert found["heading_itself"] == [0.5] * 6
    assert found["rank"].index(min(found["rank"])) == 1
    assert found["rank"][3] == 1


def test_the_page_says_how_much_of_it_is_prose():
    found = features([0.5, 0.9, 0.8, 0.1, 0.4, 0.3])
    assert set(found["prose_mean"]) == {0.9}
    assert found["prose_share"][0] == pytest.approx(0.9 * 22 / (0.5 + 0.9 * 22 + 0.8 + 0.1 + 0.4 + 0.3))
    assert found["page_words"][0] == pytest.approx(np.log1p(27))

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import peneira
from generated import soup
from peneira.sources.html import read_page
from peneira.texts.blocks import _BlockBuilder
from peneira.texts.tps import tag_path_sequence
from test_tps import LISTING_31


def test_listing_31_has_three_regions():
    tree = peneira.segment(LISTING_31)
    assert tree.role == "page"
    assert [round(block.share * 27) for block in tree.children] == [8, 13, 6]


def test_the_list_of_the_sample_is_its_main_block(sample):
    tree = peneira.segment(sample)
    main = [block for _, block in tree.walk() if block.role == "main"]
    assert main and main[0].text.startswith("Senior Backend Engineer Maré Logística")
    links = [block for _, block in tree.walk() if block.role == "links"]
    assert any("Companies" in block.text for block in links)


def test_a_homogeneous_page_is_split_at_its_main_regions():
    rows = "".join(f"<p>record {k} with some words of its own</p>" for k in range(9))
    tree = peneira.segment(f"<p>head</p>{rows}")
    assert tree.role == "page"
    assert all(child.start < child.end for child in tree.children)


@given(soup)
def test_blocks_nest_and_are_in_order(html: str):
    tree = peneira.segment(html)
    for _, block in tree.walk():
        assert block.start <= block.end
        edges = [edge for child in block.children for edge in (child.start, child.end)]
        assert edges == sorted(edges)
        assert all(block.start <= child.start and child.end <= block.end for child in block.children)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<body></body>",
        "one text",
        "<p>",
        "<p>a</p>" * 50,
        "".join(f"<x{k}></x{k}>" for k in range(50)),
        "<b></b>" * 9,
    ],
)
def test_degenerate_pages_are_segmented(html: str):
    tree = peneira.segment(html)
    assert tree.role == "page"
    assert 0 <= tree.share <= 1


def test_blocks_nest_at_most_twelve_deep():
    # in each part, one element is more frequent than <s> in the rest of the page, so that only this part is split off
    parts = "".join("<s></s>" + f"<b class=c{k}></b>" * (22 - k) for k in range(20))
    assert max(depth for depth, _ in peneira.segment(parts + "<i></i>" * 30).walk()) == 12


@pytest.mark.parametrize(("linked", "role"), [(60, "text"), (61, "links")])
def test_a_block_with_more_than_six_characters_in_ten_in_links_is_links(linked: int, role: str):
    page = read_page(f"<a>{'x' * linked}</a><p>{'y' * (100 - linked)}</p>")
    sequence = tag_path_sequence(page)
    builder = _BlockBuilder(page, sequence, np.zeros(len(page), dtype=np.bool_))
    assert builder.block((0, len(sequence), [])).role == role

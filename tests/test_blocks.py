from __future__ import annotations

import pytest
from hypothesis import given

import peneira
from generated import soup
from peneira.sources.html import read_page
from peneira.texts.blocks import _BlockBuilder
from test_main_text import ARTICLE


def test_the_list_of_the_sample_is_its_main_block(sample):
    tree = peneira.segment(sample)
    main = [block for _, block in tree.walk() if block.role == "main" and not block.children]
    assert any("Senior Backend Engineer Maré Logística" in block.text for block in main)
    links = [block for _, block in tree.walk() if block.role == "links"]
    assert any("Companies" in block.text for block in links)


def test_an_article_is_one_block_and_its_menu_another():
    tree = peneira.segment(ARTICLE)
    roles = {block.role for block in tree.children}
    assert {"main", "links"} <= roles
    menu = next(block for _, block in tree.walk() if "Sport" in block.text and block.role == "links")
    assert "The river" not in menu.text


def test_blocks_are_whole_elements(sample):
    page = read_page(sample)
    for _, block in peneira.segment(page).walk():
        row = block.start
        while row < block.end:
            row = page.lists.end[row]
        assert row == block.end


def test_a_block_is_named_by_its_heading_or_its_markup():
    tree = peneira.segment(f"<nav class=x><a href=a>Home</a></nav>{ARTICLE}")
    labels = {block.label for _, block in tree.walk()}
    assert "The flood of the valley" in labels
    assert "nav" in labels


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


@pytest.mark.parametrize(("linked", "role"), [(60, "text"), (61, "links")])
def test_a_block_with_more_than_six_characters_in_ten_in_links_is_links(linked: int, role: str):
    page = read_page(f"<p><a>{'x' * linked}</a></p><p>{'y' * (100 - linked)}</p>")
    builder = _BlockBuilder(page)
    builder.sums[:, 1] = 0  # none of it is content
    assert builder.leaf(page.body, len(page)).role == role

"""Pages of ten megabytes, and descriptions that are deep or huge: ``text`` and ``item`` declare what they left out."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import peneira
from work_counter import lines_executed

PAGE_CHARS = 10_000_000
SENTENCE = "The river rose twice in that year, and nobody slept until the bridge was built. "
HEAD = "<title>Oak chair</title><h1>Oak chair</h1>"


def filled(unit: str) -> str:
    return HEAD + unit * (PAGE_CHARS // len(unit))


def described(script: str) -> str:
    return f'{HEAD}<script type="application/ld+json">{script}</script><p>{SENTENCE * 3}'


def deep_offers(depth: int) -> str:
    return '{"@type":"Product","name":"Oak chair","sku":"CH-1","offers":' * depth + "1" + "}" * depth


def many_reviews(count: int) -> str:
    reviews = [{"@type": "Review", "author": str(k), "reviewBody": SENTENCE} for k in range(count)]
    images = [f"/{k}.jpg" for k in range(count)]
    return json.dumps({"@type": "Product", "name": "Oak chair", "sku": "CH-1", "image": images, "review": reviews})


def test_ten_megabytes_of_paragraphs_are_read_whole():
    count = PAGE_CHARS // (12 * len(SENTENCE))
    page = HEAD + "".join(f"<p>Day {day}. {SENTENCE * 12}</p>" for day in range(count))
    text, item = peneira.text(page), peneira.item(page)
    assert (text.status, item.status) == ("complete", "complete")
    assert text.count(SENTENCE.strip()) == page.count(SENTENCE)
    assert item["title"].text == "Oak chair"


def test_a_page_with_too_many_blocks_says_so():
    page = filled("<p>ab c</p>")
    text, item = peneira.text(page), peneira.item(page)
    assert (text, text.status, item.status) == ("", "partial", "partial")
    assert {cut.limit for cut in text.cuts} >= {"blocks", "nodes"}
    assert item["title"].text == "Oak chair"


@pytest.mark.parametrize("script", [deep_offers(100_000), many_reviews(60_000)], ids=["deep", "huge"])
def test_a_deep_or_huge_description_leaves_the_page_readable(script: str):
    page = described(script)
    assert SENTENCE.strip() in peneira.text(page)
    item = peneira.item(page)
    assert (item["title"].text, item["sku"].text, item.status) == ("Oak chair", "CH-1", "complete")
    assert len(item["images"].items if "images" in item else ()) <= 50


@pytest.mark.parametrize("script", [deep_offers, many_reviews])
def test_a_description_takes_time_in_proportion(script: Callable[[int], str]):
    small, large = (lines_executed(lambda size=size: peneira.item(described(script(size)))) for size in (1000, 4000))
    assert large < 6 * small

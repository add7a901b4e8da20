"""Shapes: the distinct subtrees of pages."""

from __future__ import annotations

from peneira.sources.html import read_page
from peneira.trees.shapes import NO_SHAPE, SubtreeIndex


def test_equal_subtrees_have_one_shape_in_all_pages_of_an_index():
    subtrees = SubtreeIndex()
    page, second_page = read_page("<ul><li>x<li>y</ul>"), read_page("<p>z<ul><li>w</ul>")
    first, second = subtrees.add(page), subtrees.add(second_page)
    names = [[subtrees.name(s) if s != NO_SHAPE else None for s in rows] for rows in (first, second)]
    assert names[0] == ["html", None, "body", "ul", "li", "#text", "li", "#text"]
    assert names[1] == ["html", None, "body", "p", "#text", "ul", "li", "#text"]
    assert first[4] == first[6] == second[6]


def test_silent_nodes_have_no_shape_and_are_part_of_none():
    subtrees = SubtreeIndex()
    with_script, without = read_page("<p>a<script>b</script></p>"), read_page("<p>a</p>")
    assert subtrees.add(with_script)[3] == subtrees.add(without)[3]


def test_an_index_can_be_truncated():
    subtrees = SubtreeIndex()
    subtrees.add(read_page("<p>a"))
    shapes, names = len(subtrees), len(subtrees.names)
    subtrees.add(read_page("<section><p>a<p>b</section>"))
    subtrees.truncate(shapes, names)
    assert (len(subtrees), len(subtrees.names)) == (shapes, names)
    again = subtrees.add(read_page("<section><p>a<p>b</section>"))
    assert max(again) == shapes + 2  # section, and body and html around it

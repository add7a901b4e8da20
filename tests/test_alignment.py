"""Partial tree alignment."""

from __future__ import annotations

from hypothesis import given

from peneira.trees.alignment import align, aligned_children
from tuple_trees import Tree, matcher_of, trees


def as_tuples(seed: object) -> object:
    children = [as_tuples(child) for child in seed.children]  # type: ignore[attr-defined]
    return (seed.name, *children) if children else seed.name  # type: ignore[attr-defined]


def test_a_seed_tree_grows_where_the_position_is_certain():
    matcher, shapes = matcher_of(("r", "a", "b", "d"), ("r", "b", "c", "d"))
    assert as_tuples(align(matcher, shapes)) == ("r", "a", "b", "c", "d")


def test_one_level_of_a_seed_has_the_children_of_all_trees():
    matcher, shapes = matcher_of(("r", "a", ("b", "x"), "d"), ("r", ("b", "y"), "c", "d"))
    positions = aligned_children(matcher, shapes)
    assert [sorted({matcher.subtrees.name(child) for child in position}) for position in positions] == [
        ["a"],
        ["b"],
        ["c"],
        ["d"],
    ]
    assert [len(position) for position in positions] == [1, 2, 1, 1]


def test_a_tree_is_tried_again_when_the_seed_has_grown():
    # n has no certain position between b and k of a b d e k, but before c, which the third tree brings
    matcher, shapes = matcher_of(("r", *"abdek"), ("r", *"bnckg"), ("r", *"bcdhk"))
    assert as_tuples(align(matcher, shapes)) == ("r", *"abncdekg")


def test_every_tree_finds_its_nodes_in_the_seed():
    matcher, shapes = matcher_of(("r", "a", ("b", "x")), ("r", ("b", "x", "y"), "c"))
    seed = align(matcher, shapes)
    assert [(node.name, sorted(node.matches)) for node in seed.walk()] == [
        ("r", [0, 1]),
        ("a", [0]),
        ("b", [0, 1]),
        ("x", [0, 1]),
        ("y", [1]),
        ("c", [1]),
    ]


@given(trees, trees, trees)
def test_the_seed_contains_the_largest_tree_completely(a: Tree, b: Tree, c: Tree):
    matcher, shapes = matcher_of(a, b, c)
    seed = align(matcher, shapes)
    largest = max(shapes, key=lambda s: matcher.subtrees.sizes[s])
    number = shapes.index(largest)
    assert sum(number in node.matches for node in seed.walk()) == matcher.subtrees.sizes[largest]
    for k, tree in enumerate(shapes):
        assert sum(k in node.matches for node in seed.walk()) <= matcher.subtrees.sizes[tree]

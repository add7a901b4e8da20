"""Trees: shapes, simple and generalised matching, partial alignment."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given

import peneira
from forests import Tree, name_and_parts, shape, trees
from peneira.sources.html import read_page
from peneira.trees import matching, scores
from peneira.trees.alignment import align
from peneira.trees.scores import Matcher
from peneira.trees.shapes import NO_SHAPE, Forest


def plain_twin() -> ModuleType:
    """Return matching.py as plain Python, whatever was compiled."""
    file = Path(peneira.__file__).parent / "trees" / "matching.py"
    spec = importlib.util.spec_from_file_location("plain_matching", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = plain_twin()


def matcher_of(*written: Tree) -> tuple[Matcher, list[int]]:
    forest = Forest()
    shapes = [shape(forest, tree) for tree in written]
    return Matcher(forest), shapes


def simple(a: Tree, b: Tree) -> int:
    matcher, (one, other) = matcher_of(a, b)
    return matcher.simple(one, other)


@cache
def defined(a: Tree, b: Tree) -> int:
    """Simple tree matching as it is defined (figure 6 of the seed document), with no thought of speed."""
    (name, ones), (other_name, others) = name_and_parts(a), name_and_parts(b)
    return 1 + aligned(ones, others) if name == other_name else 0


def aligned(ones: tuple[Tree, ...], others: tuple[Tree, ...]) -> int:
    if not ones or not others:
        return 0
    return max(
        aligned(ones[:-1], others[:-1]) + defined(ones[-1], others[-1]),
        aligned(ones, others[:-1]),
        aligned(ones[:-1], others),
    )


# --- shapes -----------------------------------------------------------------------------------------------------------


def test_equal_subtrees_are_one_shape_in_all_pages_of_a_forest():
    forest = Forest()
    one, other = read_page("<ul><li>x<li>y</ul>"), read_page("<p>z<ul><li>w</ul>")
    first, second = forest.add(one), forest.add(other)
    names = [[forest.name(s) if s != NO_SHAPE else None for s in rows] for rows in (first, second)]
    assert names[0] == ["html", None, "body", "ul", "li", "#text", "li", "#text"]
    assert names[1] == ["html", None, "body", "p", "#text", "ul", "li", "#text"]
    assert first[4] == first[6] == second[6]


def test_silent_nodes_have_no_shape_and_count_in_none():
    forest = Forest()
    with_script, without = read_page("<p>a<script>b</script></p>"), read_page("<p>a</p>")
    assert forest.add(with_script)[3] == forest.add(without)[3]


def test_an_empty_page_has_no_shapes():
    assert len(Forest().add(read_page(""))) == len(read_page(""))


# --- simple tree matching ---------------------------------------------------------------------------------------------


def test_children_match_in_order_only():
    assert simple(("r", "a", "b"), ("r", "b", "a")) == 2
    assert simple(("r", "a", "b"), ("r", "a", "c", "b")) == 3


def test_trees_with_different_roots_do_not_match_at_all():
    assert simple(("a", "c"), ("b", "c")) == 0


@given(trees, trees)
def test_simple_matching_is_as_defined_symmetric_and_bounded(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score = matcher.simple(one, other)
    assert score == defined(a, b) == matcher.simple(other, one)
    assert score <= min(matcher.forest.sizes[one], matcher.forest.sizes[other])
    assert (matcher.similarity(one, other) == 1.0) == (one == other)


# --- generalised tree matching ----------------------------------------------------------------------------------------


def test_lists_that_differ_in_length_only_are_alike():
    item = ("li", ("a", "#text"))
    matcher, (short, long) = matcher_of(("ul", item, item), ("ul", item, item, item, item, item))
    assert matcher.similarity(short, long) == pytest.approx(7 / 16)
    assert matcher.generalised(short, long) == (4.0, 4.0, 4.0)
    assert matcher.likeness(short, long) == 1.0


def test_a_list_of_one_is_like_a_list_of_many():
    item = ("li", ("a", "#text"))
    matcher, (one, many) = matcher_of(("ul", item), ("ul", item, item, item, item, item))
    assert matcher.likeness(one, many) == 1.0


def test_nested_lists_do_not_make_their_items_different():
    def film(actors: int) -> Tree:
        return ("div", ("h2", "#text"), ("ul", *[("li", "#text")] * actors))

    matcher, (few, many) = matcher_of(film(2), film(9))
    assert matcher.similarity(few, many) < 0.5
    assert matcher.likeness(few, many) == 1.0


def test_a_repeated_pair_counts_once():
    matcher, (short, long) = matcher_of(("dl", *["dt", "dd"] * 2), ("dl", *["dt", "dd"] * 5))
    assert matcher.generalised(short, long) == (3.0, 3.0, 3.0)


def test_the_score_of_a_list_is_the_mean_of_its_items():
    full, bare = ("li", "a", "b", "c"), ("li", "a", "b")
    matcher, (one, other) = matcher_of(("ul", full, full), ("ul", bare, bare))
    assert matcher.generalised(one, other) == (4.0, 5.0, 4.0)


@given(trees, trees)
def test_generalised_matching_is_symmetric_bounded_and_whole_for_equal_shapes(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score, ones, others = matcher.generalised(one, other)
    assert matcher.generalised(other, one) == (score, others, ones)
    assert score <= min(ones, others)
    assert ones <= matcher.forest.sizes[one] and others <= matcher.forest.sizes[other]
    assert matcher.likeness(one, one) == 1.0


@given(trees, trees)
def test_both_twins_agree(a: Tree, b: Tree):
    results = []
    for module in (matching, PLAIN):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scores, "matching", module)
            matcher, (one, other) = matcher_of(a, b)
            results.append((matcher.simple(one, other), matcher.generalised(one, other), matcher.groups))
    assert results[0] == results[1]


def test_both_twins_agree_on_the_corpora(corpus_files: list[Path]):
    for file in corpus_files[::97]:
        results = []
        for module in (matching, PLAIN):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(scores, "matching", module)
                forest = Forest()
                rows = forest.add(read_page(file))
                matcher = Matcher(forest)
                results.append((matcher.generalised(rows[0], rows[0]), matcher.groups))
        assert results[0] == results[1]


def test_the_plain_twin_is_plain():
    assert PLAIN.__file__ is not None and PLAIN.__file__.endswith(".py")


def test_trees_of_any_depth_are_matched():
    forest = Forest()
    roots = []
    for leaf in ("a", "b"):
        deep = forest.shape(leaf)
        for _ in range(20_000):
            deep = forest.shape("div", (deep,))
        roots.append(deep)
    matcher = Matcher(forest)
    assert matcher.simple(*roots) == 20_000
    assert matcher.generalised(*roots)[0] == 20_000.0


def test_what_is_beyond_the_cells_is_compared_by_roots_and_declared():
    forest = Forest()
    one, other = (shape(forest, ("r", *"aaaa", x)) for x in "bc")
    matcher = Matcher(forest, most_cells=4)
    assert matcher.simple(one, other) == 1
    assert [str(cut) for cut in matcher.cuts] == [
        "tree matching limit of 4: 1 pairs of subtrees were compared by their roots only"
    ]


def test_a_refilled_matcher_forgets_what_was_only_a_bound():
    forest = Forest()
    one, other = (shape(forest, ("r", *"aaaa", x)) for x in "bc")
    matcher = Matcher(forest, most_cells=40)
    assert matcher.simple(one, other) == 5
    assert matcher.simple(shape(forest, ("r", *"aaab")), other) == 1
    matcher.refill()
    assert matcher.simple(shape(forest, ("r", *"aaab")), other) == 4
    assert matcher.cuts == ()


# --- partial tree alignment -------------------------------------------------------------------------------------------


def written(seed: object) -> object:
    children = [written(child) for child in seed.children]  # type: ignore[attr-defined]
    return (seed.name, *children) if children else seed.name  # type: ignore[attr-defined]


def test_a_seed_tree_grows_where_the_place_is_certain():
    matcher, shapes = matcher_of(("r", "a", "b", "d"), ("r", "b", "c", "d"))
    assert written(align(matcher, shapes)) == ("r", "a", "b", "c", "d")


def test_a_tree_is_tried_again_when_the_seed_has_grown():
    # n has no certain place between b and k of a b d e k, but before c, which the third tree brings
    matcher, shapes = matcher_of(("r", *"abdek"), ("r", *"bnckg"), ("r", *"bcdhk"))
    assert written(align(matcher, shapes)) == ("r", *"abncdekg")


def test_every_tree_finds_its_nodes_in_the_seed():
    matcher, shapes = matcher_of(("r", "a", ("b", "x")), ("r", ("b", "x", "y"), "c"))
    seed = align(matcher, shapes)
    assert [(node.name, sorted(node.places)) for node in seed.walk()] == [
        ("r", [0, 1]),
        ("a", [0]),
        ("b", [0, 1]),
        ("x", [0, 1]),
        ("y", [1]),
        ("c", [1]),
    ]


@given(trees, trees, trees)
def test_the_seed_holds_every_tree_that_was_inserted_whole(a: Tree, b: Tree, c: Tree):
    matcher, shapes = matcher_of(a, b, c)
    seed = align(matcher, shapes)
    largest = max(shapes, key=lambda s: matcher.forest.sizes[s])
    number = shapes.index(largest)
    assert sum(number in node.places for node in seed.walk()) == matcher.forest.sizes[largest]
    for k, one in enumerate(shapes):
        assert sum(k in node.places for node in seed.walk()) <= matcher.forest.sizes[one]

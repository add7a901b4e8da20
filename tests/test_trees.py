"""Trees: shapes, simple and generalised matching, partial alignment."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forests import Tree, name_and_parts, shape, trees
from gstm_reference import match, repeated_symbols
from peneira.kernels import matching
from peneira.sources.html import read_page
from peneira.trees import tree_matching
from peneira.trees.alignment import align, aligned_children
from peneira.trees.shapes import NO_SHAPE, SubtreeIndex
from peneira.trees.tree_matching import Thresholds, TreeMatcher
from twins import plain_twin

PLAIN = plain_twin("kernels/matching.py")


def matcher_of(*written: Tree) -> tuple[TreeMatcher, list[int]]:
    forest = SubtreeIndex()
    shapes = [shape(forest, tree) for tree in written]
    return TreeMatcher(forest), shapes


def simple(a: Tree, b: Tree) -> int:
    matcher, (one, other) = matcher_of(a, b)
    return matcher.simple_score(one, other)


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
    forest = SubtreeIndex()
    one, other = read_page("<ul><li>x<li>y</ul>"), read_page("<p>z<ul><li>w</ul>")
    first, second = forest.add(one), forest.add(other)
    names = [[forest.name(s) if s != NO_SHAPE else None for s in rows] for rows in (first, second)]
    assert names[0] == ["html", None, "body", "ul", "li", "#text", "li", "#text"]
    assert names[1] == ["html", None, "body", "p", "#text", "ul", "li", "#text"]
    assert first[4] == first[6] == second[6]


def test_silent_nodes_have_no_shape_and_count_in_none():
    forest = SubtreeIndex()
    with_script, without = read_page("<p>a<script>b</script></p>"), read_page("<p>a</p>")
    assert forest.add(with_script)[3] == forest.add(without)[3]


def test_a_forest_can_be_cut_back():
    forest = SubtreeIndex()
    forest.add(read_page("<p>a"))
    shapes, names = len(forest), len(forest.names)
    forest.add(read_page("<section><p>a<p>b</section>"))
    forest.truncate(shapes, names)
    assert (len(forest), len(forest.names)) == (shapes, names)
    again = forest.add(read_page("<section><p>a<p>b</section>"))
    assert max(again) == shapes + 2  # section, and body and html around it


# --- simple tree matching ---------------------------------------------------------------------------------------------


def test_children_match_in_order_only():
    assert simple(("r", "a", "b"), ("r", "b", "a")) == 2
    assert simple(("r", "a", "b"), ("r", "a", "c", "b")) == 3


def test_trees_with_different_roots_do_not_match_at_all():
    assert simple(("a", "c"), ("b", "c")) == 0


@given(trees, trees)
def test_simple_matching_is_as_defined_symmetric_and_bounded(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score = matcher.simple_score(one, other)
    assert score == defined(a, b) == matcher.simple_score(other, one)
    assert score <= min(matcher.subtrees.sizes[one], matcher.subtrees.sizes[other])
    assert (matcher.simple_similarity(one, other) == 1.0) == (one == other)


# --- generalised tree matching ----------------------------------------------------------------------------------------


def test_lists_that_differ_in_length_only_are_alike():
    item = ("li", ("a", "#text"))
    matcher, (short, long) = matcher_of(("ul", item, item), ("ul", item, item, item, item, item))
    assert matcher.simple_similarity(short, long) == pytest.approx(7 / 16)
    assert matcher.generalised_score(short, long) == (4.0, 4.0, 4.0)
    assert matcher.generalised_similarity(short, long) == 1.0


def test_a_list_of_one_is_like_a_list_of_many():
    item = ("li", ("a", "#text"))
    matcher, (one, many) = matcher_of(("ul", item), ("ul", item, item, item, item, item))
    assert matcher.generalised_similarity(one, many) == 1.0


def test_nested_lists_do_not_make_their_items_different():
    def film(actors: int) -> Tree:
        return ("div", ("h2", "#text"), ("ul", *[("li", "#text")] * actors))

    matcher, (few, many) = matcher_of(film(2), film(9))
    assert matcher.simple_similarity(few, many) < 0.5
    assert matcher.generalised_similarity(few, many) == 1.0


def test_a_repeated_pair_counts_once():
    matcher, (short, long) = matcher_of(("dl", *["dt", "dd"] * 2), ("dl", *["dt", "dd"] * 5))
    assert matcher.generalised_score(short, long) == (3.0, 3.0, 3.0)


def test_the_score_of_a_list_is_the_mean_of_its_items():
    full, bare = ("li", "a", "b", "c"), ("li", "a", "b")
    matcher, (one, other) = matcher_of(("ul", full, full), ("ul", bare, bare))
    assert matcher.generalised_score(one, other) == (4.0, 5.0, 4.0)


@given(trees, trees)
def test_generalised_matching_is_symmetric_bounded_and_whole_for_equal_shapes(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score, ones, others = matcher.generalised_score(one, other)
    mirrored, (second, first) = matcher_of(b, a)
    assert mirrored.generalised_score(second, first) == pytest.approx((score, others, ones))
    assert score <= min(ones, others)
    assert ones <= matcher.subtrees.sizes[one] and others <= matcher.subtrees.sizes[other]
    assert matcher.generalised_similarity(one, one) == 1.0


@given(trees, trees)
def test_generalised_matching_is_as_defined(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    assert matcher.generalised_score(one, other) == pytest.approx(match(a, b))


# r holds x and y; in the other tree r holds z. By their children, x is as like z as the test says
def _linked(xs: tuple[Tree, ...], zs: tuple[Tree, ...], **bounds: float) -> bool:
    """Return whether the first child of one tree has the symbol of the first child of the other."""
    forest = SubtreeIndex()
    one, other = shape(forest, ("r", *xs)), shape(forest, ("r", *zs))
    matcher = TreeMatcher(forest, thresholds=Thresholds(**bounds))
    matcher.generalised_score(one, other)
    links = matching.detect_lists(
        forest.labels, matcher._kinds, matcher._own, matcher.child_symbols, matcher._matches, one, other,
        matcher.thresholds.tau1, matcher.thresholds.tau2,
    )  # fmt: skip
    return matching.root_of(links, forest.children[one][0]) == matching.root_of(links, forest.children[other][0])


def test_figure_8_similar_children_of_two_trees_have_one_symbol():
    b, more = ("x", "k", "l", "m"), ("x", "k", "l", "m", "n")  # 4 of 5 nodes match
    c, other = ("y", "k", "l", "m", "o"), ("y", "k", "l", "o")
    forest = SubtreeIndex()
    one, two = shape(forest, ("r", "a", b, c, other, "d")), shape(forest, ("r", "a", more, b, other, c))
    matcher = TreeMatcher(forest)
    matcher.generalised_score(one, two)
    links = matching.detect_lists(
        forest.labels, matcher._kinds, matcher._own, matcher.child_symbols, matcher._matches, one, two, 0.5, 0.7
    )
    symbols: dict[int, str] = {}
    strings = [
        "".join(symbols.setdefault(matching.root_of(links, child), "abcde"[len(symbols)]) for child in children)
        for children in (forest.children[one], forest.children[two])
    ]
    assert strings == ["abccd", "abbcc"]


def test_children_of_two_trees_are_alike_above_tau1_only():
    half, whole = ("x", "a"), ("x", "a", "b", "c")  # 2 of 4 nodes match
    assert _linked((half,), (whole,), tau1=0.49)
    assert not _linked((half,), (whole,), tau1=0.5)


def test_children_of_two_trees_are_alike_from_tau2_of_the_best_on():
    some, best, whole = ("x", "a", "b"), ("x", "a", "b", "c", "d"), ("x", "a", "b", "c", "d")
    assert _linked((some, best), (whole,), tau1=0.1, tau2=0.6)  # 3 of 5 nodes, where another child has all
    assert not _linked((some, best), (whole,), tau1=0.1, tau2=0.61)


def test_what_repeats_in_one_tree_is_a_list_in_the_other_too():
    full, bare = ("li", "a", "b", "c"), ("li", "a", "b")
    matcher, (one, other) = matcher_of(("ul", full, full), ("ul", bare, "p"))
    assert matcher.generalised_score(one, other) == (4.0, 5.0, 5.0)
    assert match(("ul", full, full), ("ul", bare, "p")) == (4.0, 5.0, 5.0)


@given(st.lists(st.integers(0, 4), max_size=12))
def test_symbols_that_repeat_are_those_in_repetitions_of_the_grammar(string: list[int]):
    assert matching.repeated_symbols(string) == repeated_symbols(string)


@given(trees, trees)
def test_both_twins_agree(a: Tree, b: Tree):
    results = []
    for module in (matching, PLAIN):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tree_matching, "matching", module)
            matcher, (one, other) = matcher_of(a, b)
            results.append(
                (matcher.simple_score(one, other), matcher.generalised_score(one, other), matcher.child_symbols)
            )
    assert results[0] == results[1]


def test_both_twins_agree_on_the_corpora(corpus_files: list[Path]):
    for file in corpus_files[::97]:
        results = []
        for module in (matching, PLAIN):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(tree_matching, "matching", module)
                forest = SubtreeIndex()
                rows = forest.add(read_page(file))
                matcher = TreeMatcher(forest)
                results.append((matcher.generalised_score(rows[0], rows[0]), matcher.child_symbols))
        assert results[0] == results[1]


def test_the_plain_twin_is_plain():
    assert PLAIN.__file__ is not None and PLAIN.__file__.endswith(".py")


def test_trees_of_any_depth_are_matched():
    forest = SubtreeIndex()
    roots = []
    for leaf in ("a", "b"):
        deep = forest.shape(leaf)
        for _ in range(20_000):
            deep = forest.shape("div", (deep,))
        roots.append(deep)
    matcher = TreeMatcher(forest)
    assert matcher.simple_score(*roots) == 20_000
    assert matcher.generalised_score(*roots)[0] == 20_000.0


def test_what_is_beyond_the_cells_is_compared_by_roots_and_declared():
    forest = SubtreeIndex()
    one, other = (shape(forest, ("r", *"aaaa", x)) for x in "bc")
    matcher = TreeMatcher(forest, max_cells=4)
    assert matcher.simple_score(one, other) == 1
    assert [str(cut) for cut in matcher.cuts] == [
        "tree matching limit of 4: 1 pairs of subtrees were compared by their roots only"
    ]


def test_pairs_are_paid_for_before_they_are_looked_into():
    # a level of many children over another costs what it may cost, however deep the trees go on
    forest = SubtreeIndex()
    roots = []
    for leaf in ("a", "b"):
        level = [forest.shape("i", (forest.shape(leaf),) * (k + 1)) for k in range(40)]
        for _ in range(4):
            level = [forest.shape("i", tuple(level[k:] + level[:k])) for k in range(40)]
        roots.append(forest.shape("r", tuple(level)))
    matcher = TreeMatcher(forest, max_cells=5_000)
    matcher.simple_score(*roots)
    assert matcher.cuts and len(matcher._scores) < 5_000 / PLAIN.PAIR_CELLS


def test_a_matcher_comes_back_to_what_it_kept():
    forest = SubtreeIndex()
    one, other = (shape(forest, ("r", *"aaaa", x)) for x in "bc")
    matcher = TreeMatcher(forest, max_cells=40)
    assert matcher.simple_score(one, other) == 5
    matcher.save_state()
    size = len(forest)
    assert matcher.simple_score(shape(forest, ("r", *"aaab")), other) == 1
    assert matcher.cuts
    matcher.restore_state()
    assert (len(forest), matcher.cuts) == (size, ())
    assert matcher.simple_score(shape(forest, ("r", *"aaab")), other) == 4


# --- partial tree alignment -------------------------------------------------------------------------------------------


def written(seed: object) -> object:
    children = [written(child) for child in seed.children]  # type: ignore[attr-defined]
    return (seed.name, *children) if children else seed.name  # type: ignore[attr-defined]


def test_a_seed_tree_grows_where_the_place_is_certain():
    matcher, shapes = matcher_of(("r", "a", "b", "d"), ("r", "b", "c", "d"))
    assert written(align(matcher, shapes)) == ("r", "a", "b", "c", "d")


def test_one_level_of_a_seed_has_the_children_of_all_trees():
    matcher, shapes = matcher_of(("r", "a", ("b", "x"), "d"), ("r", ("b", "y"), "c", "d"))
    places = aligned_children(matcher, shapes)
    assert [sorted({matcher.subtrees.name(child) for child in place}) for place in places] == [
        ["a"],
        ["b"],
        ["c"],
        ["d"],
    ]
    assert [len(place) for place in places] == [1, 2, 1, 1]


def test_a_tree_is_tried_again_when_the_seed_has_grown():
    # n has no certain place between b and k of a b d e k, but before c, which the third tree brings
    matcher, shapes = matcher_of(("r", *"abdek"), ("r", *"bnckg"), ("r", *"bcdhk"))
    assert written(align(matcher, shapes)) == ("r", *"abncdekg")


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
def test_the_seed_holds_every_tree_that_was_inserted_whole(a: Tree, b: Tree, c: Tree):
    matcher, shapes = matcher_of(a, b, c)
    seed = align(matcher, shapes)
    largest = max(shapes, key=lambda s: matcher.subtrees.sizes[s])
    number = shapes.index(largest)
    assert sum(number in node.matches for node in seed.walk()) == matcher.subtrees.sizes[largest]
    for k, one in enumerate(shapes):
        assert sum(k in node.matches for node in seed.walk()) <= matcher.subtrees.sizes[one]

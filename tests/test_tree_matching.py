"""Simple and generalised tree matching."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gstm_reference import match, repeated_symbols
from peneira.kernels import matching
from peneira.sources.html import read_page
from peneira.trees import tree_matching
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_matching import Thresholds, TreeMatcher
from tuple_trees import Tree, matcher_of, name_and_children, shape, trees
from twins import plain_twin

PLAIN = plain_twin("kernels/matching.py")


def simple(a: Tree, b: Tree) -> int:
    matcher, (first, second) = matcher_of(a, b)
    return matcher.simple_score(first, second)


@cache
def defined(a: Tree, b: Tree) -> int:
    """Simple tree matching by its recursive definition (figure 6 of Moura's thesis (2018))."""
    (name_a, children_a), (name_b, children_b) = name_and_children(a), name_and_children(b)
    return 1 + aligned(children_a, children_b) if name_a == name_b else 0


def aligned(children_a: tuple[Tree, ...], children_b: tuple[Tree, ...]) -> int:
    if not children_a or not children_b:
        return 0
    return max(
        aligned(children_a[:-1], children_b[:-1]) + defined(children_a[-1], children_b[-1]),
        aligned(children_a, children_b[:-1]),
        aligned(children_a[:-1], children_b),
    )


# --- simple tree matching ---------------------------------------------------------------------------------------------


def test_children_match_in_order_only():
    assert simple(("r", "a", "b"), ("r", "b", "a")) == 2
    assert simple(("r", "a", "b"), ("r", "a", "c", "b")) == 3


def test_trees_with_different_roots_do_not_match_at_all():
    assert simple(("a", "c"), ("b", "c")) == 0


@given(trees, trees)
def test_simple_matching_agrees_with_its_definition_and_is_symmetric_and_bounded(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score = matcher.simple_score(one, other)
    assert score == defined(a, b) == matcher.simple_score(other, one)
    assert score <= min(matcher.subtrees.sizes[one], matcher.subtrees.sizes[other])
    assert (score == max(matcher.subtrees.sizes[one], matcher.subtrees.sizes[other])) == (one == other)


# --- generalised tree matching ----------------------------------------------------------------------------------------


def test_lists_that_differ_in_length_only_are_similar():
    item = ("li", ("a", "#text"))
    matcher, (short, long) = matcher_of(("ul", item, item), ("ul", item, item, item, item, item))
    assert (matcher.simple_score(short, long), matcher.subtrees.sizes[long]) == (7, 16)
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
    assert (matcher.simple_score(few, many), matcher.subtrees.sizes[many]) == (8, 22)
    assert matcher.generalised_similarity(few, many) == 1.0


def test_a_repeated_pair_counts_once():
    matcher, (short, long) = matcher_of(("dl", *["dt", "dd"] * 2), ("dl", *["dt", "dd"] * 5))
    assert matcher.generalised_score(short, long) == (3.0, 3.0, 3.0)


def test_the_score_of_a_list_is_the_mean_of_its_items():
    full, bare = ("li", "a", "b", "c"), ("li", "a", "b")
    matcher, (one, other) = matcher_of(("ul", full, full), ("ul", bare, bare))
    assert matcher.generalised_score(one, other) == (4.0, 5.0, 4.0)


@given(trees, trees)
def test_generalised_matching_is_symmetric_and_bounded_and_1_for_equal_shapes(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    score, nodes_a, nodes_b = matcher.generalised_score(one, other)
    mirrored, (second, first) = matcher_of(b, a)
    assert mirrored.generalised_score(second, first) == pytest.approx((score, nodes_b, nodes_a))
    assert score <= min(nodes_a, nodes_b)
    assert nodes_a <= matcher.subtrees.sizes[one] and nodes_b <= matcher.subtrees.sizes[other]
    assert matcher.generalised_similarity(one, one) == 1.0


@given(trees, trees)
def test_generalised_matching_agrees_with_its_definition(a: Tree, b: Tree):
    matcher, (one, other) = matcher_of(a, b)
    assert matcher.generalised_score(one, other) == pytest.approx(match(a, b))


def _linked(xs: tuple[Tree, ...], zs: tuple[Tree, ...], **bounds: float) -> bool:
    """Return whether the first child of one tree has the symbol of the first child of the other."""
    subtrees = SubtreeIndex()
    one, other = shape(subtrees, ("r", *xs)), shape(subtrees, ("r", *zs))
    matcher = TreeMatcher(subtrees, thresholds=Thresholds(**bounds))
    matcher.generalised_score(one, other)
    links = matching.detect_lists(
        subtrees.labels, matcher._kinds, matcher._own, matcher.child_symbols, matcher._matches, one, other,
        matcher.thresholds.tau1, matcher.thresholds.tau2,
    )  # fmt: skip
    return matching.root_of(links, subtrees.children[one][0]) == matching.root_of(links, subtrees.children[other][0])


def test_figure_8_similar_children_of_two_trees_have_one_symbol():
    b, more = ("x", "k", "l", "m"), ("x", "k", "l", "m", "n")  # 4 of 5 nodes match
    c, other = ("y", "k", "l", "m", "o"), ("y", "k", "l", "o")
    subtrees = SubtreeIndex()
    one, two = shape(subtrees, ("r", "a", b, c, other, "d")), shape(subtrees, ("r", "a", more, b, other, c))
    matcher = TreeMatcher(subtrees)
    matcher.generalised_score(one, two)
    links = matching.detect_lists(
        subtrees.labels, matcher._kinds, matcher._own, matcher.child_symbols, matcher._matches, one, two, 0.5, 0.7
    )
    symbols: dict[int, str] = {}
    strings = [
        "".join(symbols.setdefault(matching.root_of(links, child), "abcde"[len(symbols)]) for child in children)
        for children in (subtrees.children[one], subtrees.children[two])
    ]
    assert strings == ["abccd", "abbcc"]


def test_children_of_two_trees_are_similar_only_above_tau1():
    half, whole = ("x", "a"), ("x", "a", "b", "c")  # 2 of 4 nodes match
    assert _linked((half,), (whole,), tau1=0.49)
    assert not _linked((half,), (whole,), tau1=0.5)


def test_children_of_two_trees_are_similar_from_tau2_of_the_best_on():
    some, best, whole = ("x", "a", "b"), ("x", "a", "b", "c", "d"), ("x", "a", "b", "c", "d")
    assert _linked((some, best), (whole,), tau1=0.1, tau2=0.6)  # 3 of 5 nodes, where another child has all
    assert not _linked((some, best), (whole,), tau1=0.1, tau2=0.61)


def test_a_list_in_one_tree_is_a_list_in_the_other_too():
    full, bare = ("li", "a", "b", "c"), ("li", "a", "b")
    matcher, (one, other) = matcher_of(("ul", full, full), ("ul", bare, "p"))
    assert matcher.generalised_score(one, other) == (4.0, 5.0, 5.0)
    assert match(("ul", full, full), ("ul", bare, "p")) == (4.0, 5.0, 5.0)


@given(st.lists(st.integers(0, 4), max_size=12))
def test_symbols_that_repeat_are_those_in_repetitions_of_the_grammar(string: list[int]):
    assert matching.repeated_symbols(string) == repeated_symbols(string)


@given(trees, trees)
def test_compiled_and_plain_kernels_agree(a: Tree, b: Tree):
    results = []
    for module in (matching, PLAIN):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tree_matching, "matching", module)
            matcher, (one, other) = matcher_of(a, b)
            results.append(
                (matcher.simple_score(one, other), matcher.generalised_score(one, other), matcher.child_symbols)
            )
    assert results[0] == results[1]


def test_compiled_and_plain_kernels_agree_on_the_corpora(corpus_files: list[Path]):
    for file in corpus_files[::97]:
        results = []
        for module in (matching, PLAIN):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(tree_matching, "matching", module)
                subtrees = SubtreeIndex()
                rows = subtrees.add(read_page(file))
                matcher = TreeMatcher(subtrees)
                results.append((matcher.generalised_score(rows[0], rows[0]), matcher.child_symbols))
        assert results[0] == results[1]


def test_the_plain_kernel_is_not_compiled():
    assert PLAIN.__file__ is not None and PLAIN.__file__.endswith(".py")


def test_trees_of_any_depth_are_matched():
    subtrees = SubtreeIndex()
    roots = []
    for leaf in ("a", "b"):
        deep = subtrees.shape(leaf)
        for _ in range(20_000):
            deep = subtrees.shape("div", (deep,))
        roots.append(deep)
    matcher = TreeMatcher(subtrees)
    assert matcher.simple_score(*roots) == 20_000
    assert matcher.generalised_score(*roots)[0] == 20_000.0


def test_beyond_the_budget_only_roots_are_compared_and_a_cut_is_reported():
    subtrees = SubtreeIndex()
    one, other = (shape(subtrees, ("r", *"aaaa", x)) for x in "bc")
    matcher = TreeMatcher(subtrees, max_cells=4)
    assert matcher.simple_score(one, other) == 1
    assert [str(cut) for cut in matcher.cuts] == [
        "tree matching limit of 4: 1 pairs of subtrees were compared by their roots only"
    ]


def test_pairs_are_charged_before_their_children_are_matched():
    # many children on every level, so that matching all pairs would go far beyond the budget
    subtrees = SubtreeIndex()
    roots = []
    for leaf in ("a", "b"):
        level = [subtrees.shape("i", (subtrees.shape(leaf),) * (k + 1)) for k in range(40)]
        for _ in range(4):
            level = [subtrees.shape("i", tuple(level[k:] + level[:k])) for k in range(40)]
        roots.append(subtrees.shape("r", tuple(level)))
    matcher = TreeMatcher(subtrees, max_cells=5_000)
    matcher.simple_score(*roots)
    assert matcher.cuts and len(matcher._scores) < 5_000 / PLAIN.PAIR_CELLS


def test_a_matcher_restores_its_saved_state():
    subtrees = SubtreeIndex()
    one, other = (shape(subtrees, ("r", *"aaaa", x)) for x in "bc")
    matcher = TreeMatcher(subtrees, max_cells=40)
    assert matcher.simple_score(one, other) == 5
    matcher.save_state()
    size = len(subtrees)
    assert matcher.simple_score(shape(subtrees, ("r", *"aaab")), other) == 1
    assert matcher.cuts
    matcher.restore_state()
    assert (len(subtrees), matcher.cuts) == (size, ())
    assert matcher.simple_score(shape(subtrees, ("r", *"aaab")), other) == 4


@pytest.mark.parametrize(("children", "is_cut"), [(1999, False), (2000, True)])
def test_two_lists_of_2000_different_children_are_beyond_the_usual_budget(children: int, is_cut: bool):
    subtrees = SubtreeIndex()
    matcher = TreeMatcher(subtrees)
    matcher.simple_score(shape(subtrees, ("r", *"a" * 2000)), shape(subtrees, ("r", *"b" * children)))
    assert bool(matcher.cuts) == is_cut

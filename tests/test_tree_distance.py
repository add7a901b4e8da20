"""Tree edit distance, compared with apted."""

from __future__ import annotations

import pytest
from apted import APTED, Config
from hypothesis import given
from hypothesis import strategies as st

from peneira.trees import tree_distance
from peneira.trees.shapes import SubtreeIndex
from peneira.trees.tree_distance import Costs, EditDistances, mean_distance
from tuple_trees import Tree, name_and_children, shape, trees
from twins import plain_twin


class Weighted(Config):  # type: ignore[misc]
    """apted on our trees, with our weights."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs

    def children(self, node: Tree) -> list[Tree]:
        return list(name_and_children(node)[1])

    def rename(self, a: Tree, b: Tree) -> int:
        return 0 if name_and_children(a)[0] == name_and_children(b)[0] else self.costs.rename

    def delete(self, node: Tree) -> int:
        return self.costs.remove

    def insert(self, node: Tree) -> int:
        return self.costs.remove


PLAIN = plain_twin("kernels/editing.py")


def between(a: Tree, b: Tree, costs: Costs = tree_distance.PUBLISHED_COSTS) -> int:
    subtrees = SubtreeIndex()
    return EditDistances(subtrees, costs).between(shape(subtrees, a), shape(subtrees, b))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("a", "a", 0),
        ("a", "b", 2),
        (("r", "a", "b"), ("r", "a"), 1),
        (("r", "a", "b"), ("r", ("c", "a", "b")), 1),
        (("r", "a", "b"), ("r", "b", "a"), 2),
        (("a", ("b", "c")), ("c", ("b", "a")), 4),
    ],
)
def test_the_distance_is_the_minimum_cost_of_edits(a: Tree, b: Tree, expected: int):
    assert between(a, b) == expected


def test_renaming_is_used_where_it_is_cheap():
    assert between("a", "b", Costs(rename=1)) == 1


@given(trees, trees, st.sampled_from([Costs(), Costs(1, 1), Costs(2, 3)]))
def test_the_distance_agrees_with_apted(a: Tree, b: Tree, costs: Costs):
    assert between(a, b, costs) == APTED(a, b, Weighted(costs)).compute_edit_distance()


@given(st.lists(trees, min_size=2, max_size=5))
def test_cached_distances_of_other_pairs_do_not_change_it(tuples: list[Tree]):
    subtrees = SubtreeIndex()
    shapes = [shape(subtrees, tree) for tree in tuples]
    shared = EditDistances(subtrees)
    for a in shapes:
        for b in shapes:
            assert shared.between(a, b) == EditDistances(subtrees).between(a, b) == shared.between(b, a)


@given(trees, trees)
def test_compiled_and_plain_kernels_agree(a: Tree, b: Tree):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_distance, "editing", PLAIN)
        plain = between(a, b)
    assert between(a, b) == plain


def test_a_deep_tree_needs_no_recursion():
    a: Tree = "a"
    b: Tree = "a"
    for k in range(300):
        a, b = ("x", a), ("x", b) if k != 150 else ("x", ("y", b))
    assert between(a, b) == 1


def test_beyond_the_limit_sizes_are_compared_and_a_cut_is_reported():
    subtrees = SubtreeIndex()
    a, b = shape(subtrees, ("r", *"aaaa")), shape(subtrees, ("r", *"bb"))
    distances = EditDistances(subtrees, max_cells=3)
    assert distances.between(a, b) == 2
    assert [str(cut) for cut in distances.cuts] == [
        "edit distance limit of 3: 1 pairs of trees were compared by their size alone"
    ]


def test_the_mean_distance_is_over_all_pairs():
    assert mean_distance({1: 2, 2: 1}, {1: 1}, lambda a, b: 3 * abs(a - b)) == 1.0


@pytest.mark.parametrize(("height", "is_cut"), [(7071, False), (7072, True)])
def test_two_chains_of_7072_nodes_are_beyond_the_usual_limit(
    height: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tree_distance.editing, "fill_distances", lambda *args: 0)
    subtrees = SubtreeIndex()
    one, other = subtrees.shape("a"), subtrees.shape("b")
    for _ in range(7070):
        one = subtrees.shape("x", (one,))
    for _ in range(height - 1):
        other = subtrees.shape("x", (other,))
    distances = EditDistances(subtrees)
    distances.between(one, other)
    assert bool(distances.cuts) == is_cut

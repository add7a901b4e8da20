from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.columns.roles import shipped_role_models
from peneira.kernels import compiled
from peneira.lists.ranking import shipped_models
from peneira.ml.forest import BATCH_ROWS, Forest, blend, forest_from_trees

# if a <= 1: 2.0 else (if b <= 5: 3.0 else 7.0), with means as inner values; and a tree of one leaf
TREES = [[[0, 1.0, 1, 4.0], [2.0], [1, 5.0, 3, 5.0], [3.0], [7.0]], [[0.5]]]


def test_the_score_of_a_row_is_the_sum_of_the_leaves_it_reaches():
    forest = forest_from_trees(("a", "b"), TREES)
    table = np.array([[1.0, 9.0], [1.5, 5.0], [1.5, 5.1]])
    assert forest.predict(table).tolist() == [2.5, 3.5, 7.5]


def test_a_forest_is_the_same_after_writing_and_reading():
    forest = forest_from_trees(("a", "b"), TREES)
    again = Forest.from_json(forest.to_json())
    assert again.to_json() == forest.to_json()
    assert again.predict(np.array([[1.5, 6.0]])).tolist() == [7.5]


def test_a_forest_is_the_same_after_writing_and_reading_its_file():
    forest = forest_from_trees(("a", "b"), TREES)
    again = Forest.from_bytes(forest.to_bytes())
    assert again.to_bytes() == forest.to_bytes() and again.to_json() == forest.to_json()
    assert again.predict(np.array([[1.5, 6.0]])).tolist() == [7.5]
    assert (again.depth, again.threshold.tolist()) == (forest.depth, forest.threshold.tolist())


def test_files_of_the_version_before_are_read():
    forest = forest_from_trees(("a", "b"), TREES)
    assert Forest.from_bytes(forest.to_json().encode()).to_bytes() == forest.to_bytes()


def test_a_file_whose_nodes_lack_a_feature_is_rejected():
    forest = forest_from_trees(("a", "b"), TREES)
    with pytest.raises(ValueError, match="does not exist"):
        Forest.from_bytes(forest.to_bytes().replace(b'["a","b"]', b'["ab"]   '))


@pytest.mark.parametrize(
    ("column", "wrong"), [("roots", [0, 6]), ("roots", [-1, 5]), ("roots", [5, 0]), ("left", [1, 1, 5, 3, 4, 5])]
)
def test_a_file_with_a_child_or_a_tree_beyond_its_nodes_is_rejected(column: str, wrong: list[int]):
    forest = replace(forest_from_trees(("a", "b"), TREES), **{column: np.array(wrong, dtype=np.int32)})
    with pytest.raises(ValueError, match=r"does not exist|begins where it cannot"):
        Forest.from_bytes(forest.to_bytes())


def test_a_tree_without_nodes_is_rejected():
    with pytest.raises(ValueError, match="a tree has no node"):
        forest_from_trees(("a", "b"), [*TREES, []])


def test_a_forest_without_trees_can_be_written_and_scores_zero():
    empty = forest_from_trees(("a",), [])
    for again in (Forest.from_json(empty.to_json()), Forest.from_bytes(empty.to_bytes())):
        assert again.predict(np.array([[1.0], [2.0]])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("lanes", [0, 8])
def test_a_forest_without_features_scores_the_sum_of_its_leaves(lanes: int):
    forest = forest_from_trees((), [[[0.5]], [[2.0]]])
    masks = compiled("forest_masks")
    before = masks.use_lanes(lanes) if masks is not None else 0
    try:
        nowhere = np.zeros(0, dtype=np.int64)
        assert forest.predict(np.zeros((7, 0))).tolist() == forest.predict_plain(np.zeros((7, 0))).tolist() == [2.5] * 7
        assert forest.predict_columns(np.zeros((3, 7)), nowhere).tolist() == [2.5] * 7
        assert forest.predict_alike(np.zeros((7, 0)), 0, np.array([4, 7])).tolist() == [2.5] * 7
        assert forest.predict_groups(np.zeros(0), np.array([1, 1, 2])).tolist() == [0.5, 0.0, 2.0]
        assert forest.contributions(np.zeros((7, 0))).shape == (7, 0)
    finally:
        if masks is not None:
            masks.use_lanes(before)


def test_the_kernel_and_numpy_give_the_same_scores_to_the_last_bit():
    forest = shipped_models().screening
    table = np.random.default_rng(1).normal(size=(50, len(forest.names))) * 3
    assert forest.predict(table).tolist() == forest.predict_plain(table).tolist()
    assert forest.contributions(table).tolist() == forest.contributions_plain(table).tolist()


@pytest.mark.parametrize("size", [1, 7, 16, 20, 50, 200])
def test_a_table_with_a_row_per_feature_gives_the_same_scores(size: int):
    forest = shipped_models().screening
    places = np.arange(len(forest.names))[::-1].copy() + 2
    rows = np.random.default_rng(size).normal(size=(len(forest.names) + 3, size)) * 3
    expected = forest.predict_plain(rows[places].T).tolist()
    assert forest.predict_columns(rows, places).tolist() == expected


@pytest.mark.parametrize("sizes", [[], [1], [5], [4, 0, 9, 1]])
def test_rows_with_features_in_common_have_the_scores_of_each_row(sizes: list[int]):
    forest = shipped_role_models().roles
    width, shared = len(forest.names), len(forest.names) - 25
    random = np.random.default_rng(len(sizes))
    table = random.choice([0.0, 1.0, 0.3, 2.5, 7.0, nan], (sum(sizes), width))
    ends = np.cumsum(sizes, dtype=np.int64)
    table[:, :shared] = np.repeat(random.normal(1.0, 2.0, (len(sizes), shared)), sizes, axis=0)
    assert forest.predict_alike(table, shared, ends).tolist() == forest.predict_plain(table).tolist()


@pytest.mark.parametrize("levels", [5, 6])
def test_trees_with_more_leaves_than_bits_score_rows_with_features_in_common(levels: int):
    tree: list[list[float]] = []  # level by level, from the root; 32 or 64 leaves
    for k in range(2**levels - 1):
        tree.append([k % 3, k / 9, 2 * k + 1, 0.0])
    tree += [[float(k)] for k in range(2**levels)]
    forest = forest_from_trees(("a", "b", "c"), [tree, [[0.5]]])
    table = np.random.default_rng(1).uniform(0.0, 6.0, (40, 3))
    table[:, :2] = table[0, :2]
    assert forest.predict_alike(table, 2, np.array([40])).tolist() == forest.predict_plain(table).tolist()


@pytest.mark.skipif(compiled("forest_walk") is None, reason="not compiled")
def test_groups_beyond_a_table_are_rejected():
    forest = forest_from_trees(("a", "b"), TREES)
    with pytest.raises(ValueError, match="groups"):
        forest.predict_alike(np.zeros((3, 2)), 1, np.array([9, 3]))


def test_a_row_of_other_features_is_rejected():
    forest = forest_from_trees(("a", "b"), TREES)
    with pytest.raises(ValueError, match="1 features"):
        forest.predict_groups(np.zeros(1), np.array([1]))


@pytest.mark.skipif(compiled("forest_walk") is None, reason="not compiled")
def test_nodes_that_share_a_child_are_rejected():
    forest = forest_from_trees(("a",), [[[0, 0.0, 1, 0.0], [0, 0.0, 2, 0.0], [1.0], [2.0]]])
    with pytest.raises(ValueError, match="child of one node"):
        forest.predict_columns(np.zeros((1, 70)), np.array([0]))


def test_threads_that_use_a_forest_first_at_once_get_the_same_scores():
    rows = np.random.default_rng(1).normal(size=(40, 2))
    expected = forest_from_trees(("a", "b"), TREES).predict_plain(rows).tolist()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as pool:
            for _ in range(40):
                forest = forest_from_trees(("a", "b"), TREES)
                results = pool.map(lambda _, own=forest: own.predict(rows).tolist(), range(6))
                assert list(results) == [expected] * 6
    finally:
        sys.setswitchinterval(interval)


def test_alike_neighbours_and_cells_that_are_no_numbers_do_not_change_scores():
    forest = shipped_models().screening
    random = np.random.default_rng(3)
    # runs of equal cells, which a tree is cut down for, some of them without a number
    rows = np.repeat(random.normal(size=(len(forest.names), 9)) * 3, 30, axis=1)
    rows[:, ::7] += random.normal(size=rows[:, ::7].shape)
    rows[random.random(rows.shape) < 0.01] = np.nan
    rows[random.random(rows.shape) < 0.01] = np.inf
    places = np.arange(len(forest.names))
    assert forest.predict_columns(rows, places).tolist() == forest.predict_plain(rows.T).tolist()


@pytest.mark.skipif(compiled("forest_masks") is None, reason="not compiled")
@pytest.mark.parametrize("lanes", [0, 4, 8])
@pytest.mark.parametrize("size", [1, 4, 5, 16, 37])
def test_scores_are_the_same_however_many_numbers_are_compared_at_once(lanes: int, size: int):
    forest = replace(shipped_models().screening)
    random = np.random.default_rng(size)
    table = random.choice(np.append(forest.threshold, [nan, np.inf, -np.inf, 0.0]), (size, len(forest.names)))
    expected = forest.predict_plain(table).tolist()
    before = compiled("forest_masks").use_lanes(lanes)
    try:
        assert forest.predict(table).tolist() == expected
        columns = np.ascontiguousarray(table.T)
        assert forest.predict_columns(columns, np.arange(len(columns))).tolist() == expected
        ends = np.array([40, 40, len(forest.roots)])
        scores = [forest.predict_groups(row, ends) for row in table]
    finally:
        compiled("forest_masks").use_lanes(before)
    assert [own[1] for own in scores] == [0.0] * size
    assert np.allclose([own.sum() for own in scores], expected)


def test_a_forest_that_was_used_can_be_pickled():
    forest = forest_from_trees(("a", "b"), TREES)
    row = np.array([[1.5, 6.0]])
    assert forest.predict(row).tolist() == pickle.loads(pickle.dumps(forest)).predict(row).tolist() == [7.5]


@pytest.mark.skipif(compiled("forest_masks") is None, reason="not compiled")
def test_a_forest_that_was_used_can_be_read_on_a_processor_that_compares_one_number_at_a_time():
    forest = forest_from_trees(("a", "b"), TREES)
    table = np.array([[1.5, 6.0]])
    scores = forest.predict(table).tolist()
    document = pickle.dumps(forest)
    before = compiled("forest_masks").use_lanes(0)
    try:
        other = pickle.loads(document)
        assert other.predict(table).tolist() == scores == [7.5]
        assert other.predict_columns(table.T.copy(), np.arange(2)).tolist() == scores
        assert other.to_json() == forest.to_json()
    finally:
        compiled("forest_masks").use_lanes(before)


def test_forests_that_are_joined_give_a_score_each():
    forests = [forest_from_trees(("a", "b"), TREES[:count]) for count in (len(TREES), 0, 1)]
    joined, ends = forests[0].joined_with(forests[1:])
    row = np.array([1.5, 5.0])
    assert joined.predict_groups(row, ends).tolist() == [float(forest.predict(row[None])[0]) for forest in forests]
    assert forests[0].joined_with(forests[1:])[0] is joined
    assert forests[0].joined_with(forests[1:2])[1].tolist() == [len(TREES), len(TREES)]


def test_a_forest_scores_tables_whose_columns_stand_elsewhere():
    forest = forest_from_trees(["b", "a"], [[[1, 0.5, 1, 0.0], [-1.0], [2.0]], [[0, 3.0, 1, 0.0], [10.0], [20.0]]])
    names = ("a", "x", "b")
    other = forest.of_columns(names)
    assert other.predict(np.array([[0.0, 9.0, 4.0], [1.0, 9.0, 3.0]])).tolist() == [19.0, 12.0]
    assert forest.of_columns(names) is other
    assert forest.of_columns(forest.names) is forest


def test_long_tables_are_scored_in_batches():
    table = np.column_stack([np.arange(2 * BATCH_ROWS + 1) % 3, np.arange(2 * BATCH_ROWS + 1) % 7]).astype(float)
    forest = forest_from_trees(("a", "b"), TREES)
    assert forest.predict(table).tolist() == [float(forest.predict(row[None])[0]) for row in table]
    assert forest.predict(table[:0]).tolist() == []


def test_the_contributions_of_the_features_add_up_to_the_score():
    forest = forest_from_trees(("a", "b"), TREES)
    table = np.array([[1.0, 9.0], [1.5, 5.0], [1.5, 5.1]])
    contributions = forest.contributions(table)
    assert contributions.tolist() == [[-2.0, 0.0], [1.0, -2.0], [1.0, 2.0]]
    assert forest.contributions_plain(table).tolist() == contributions.tolist()
    assert (contributions.sum(axis=1) + 4.5).tolist() == forest.predict(table).tolist()


@pytest.mark.parametrize(
    "node",
    [[2, 1.0, 1, 0.0], [-1, 1.0, 1, 0.0], [0, 1.0, 0, 0.0], [0, 1.0, 2, 0.0], [nan, 1.0, 1, 0.0], [0, 1.0, nan, 0.0]],
)
def test_nodes_with_a_missing_feature_or_child_are_rejected(node: list[float]):
    with pytest.raises(ValueError, match="one of which does not exist"):
        forest_from_trees(("a", "b"), [[node, [1.0], [2.0]]])


def test_tables_of_another_width_are_rejected():
    with pytest.raises(ValueError, match="the table has 3 columns, the forest needs 2"):
        forest_from_trees(("a", "b"), TREES).predict(np.zeros((1, 3)))


def test_other_documents_are_rejected():
    with pytest.raises(ValueError, match="not a peneira-forest document"):
        Forest.from_json('{"format": "something else", "version": 1}')


def _plain(tree: list[list[float]], row: list[float]) -> float:
    node = tree[0]
    while len(node) > 1:
        node = tree[int(node[2]) + (row[int(node[0])] > node[1])]
    return node[0]


@st.composite
def _tree(draw: st.DrawFn) -> list[list[float]]:
    rows: list[list[float]] = [[]]
    for i in range(40):
        if i == len(rows):
            break
        if len(rows) < 20 and draw(st.booleans()):
            rows[i] = [draw(st.integers(0, 2)), draw(st.integers(-3, 3)), len(rows), 0.0]
            rows += [[], []]
        else:
            rows[i] = [float(draw(st.integers(-9, 9)))]
    return rows


@given(
    st.lists(_tree(), min_size=1, max_size=4), st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=5)
)
def test_scores_of_a_table_are_those_of_its_rows_one_by_one(
    trees: list[list[list[float]]], rows: list[tuple[int, int, int]]
):
    forest = forest_from_trees(("a", "b", "c"), trees)
    table = np.array(rows, dtype=np.float64)
    expected = [sum(_plain(tree, list(row)) for tree in trees) for row in rows]
    assert forest.predict(table).tolist() == forest.predict_plain(table).tolist() == expected


def test_a_blend_of_forests_is_the_weighted_sum_of_their_scores():
    first, second = (
        forest_from_trees(("a", "b"), TREES),
        forest_from_trees(("a", "b"), [[[1, 7.0, 1, 0.0], [10.0], [20.0]]]),
    )
    mixed = blend([first, second], [0.5, 2.0])
    table = np.array([[1.0, 9.0], [1.5, 5.0], [1.5, 5.1]])
    assert mixed.predict(table).tolist() == (first.predict(table) / 2 + second.predict(table) * 2).tolist()
    assert mixed.predict_plain(table).tolist() == mixed.predict(table).tolist()
    assert Forest.from_json(mixed.to_json()).to_json() == mixed.to_json()


def test_forests_with_different_features_are_not_blended():
    with pytest.raises(ValueError, match="same features"):
        blend([forest_from_trees(("a",), [[[0.5]]]), forest_from_trees(("b",), [[[0.5]]])], [0.5, 0.5])


@pytest.mark.parametrize("node", [[], [0, 1.0], [0, 1.0, 1], [0, 1.0, 1, 0.0, 5.0]])
def test_nodes_of_another_length_are_rejected(node: list[float]):
    with pytest.raises(ValueError, match="neither 1 nor 4 numbers"):
        forest_from_trees(("a", "b"), [[node, [1.0], [2.0]]])

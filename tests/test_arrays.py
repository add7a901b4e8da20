from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from peneira.arrays import running_sum


@given(st.lists(st.integers(-9, 9)), st.data())
def test_the_difference_of_two_running_sums_is_the_total_between_them(values: list[int], data: st.DataObject):
    sums = running_sum(values)
    start = data.draw(st.integers(0, len(values)))
    end = data.draw(st.integers(start, len(values)))
    assert sums[end] - sums[start] == sum(values[start:end])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([True, True]), np.int64),
        (np.array([1, 2], dtype=np.int8), np.int64),
        (np.array([1, 2], dtype=np.float32), np.float32),
        (np.zeros(0), np.float64),
    ],
)
def test_flags_and_integers_are_summed_as_64_bit_integers_and_floats_as_they_are(
    values: NDArray[np.generic], expected: type
):
    assert running_sum(values).dtype == expected


def test_a_table_is_summed_column_by_column():
    assert running_sum(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist() == [[0, 0], [1, 2], [4, 6]]

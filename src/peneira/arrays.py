"""Running sums: the total of any range of values is the difference of two of them. Tables made of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
Float = TypeVar("Float", np.float32, np.float64)


@overload
def running_sum(values: NDArray[Float]) -> NDArray[Float]: ...
@overload
def running_sum(values: NDArray[np.bool_] | NDArray[np.integer[Any]] | Sequence[int]) -> Integers: ...


def running_sum(values: NDArray[Any] | Sequence[int]) -> NDArray[Any]:
    """Return the totals of the first 0, 1, 2... values: one more than there are values.

    ``sums[end] - sums[start]`` is the total of ``values[start:end]``. If the values are sizes of groups, ``sums[:-1]``
    is where each group starts. Integers and flags are summed as 64-bit integers, a table column by column.
    """
    column = values if isinstance(values, np.ndarray) else np.array(values, dtype=np.int64)
    dtype = column.dtype if column.dtype.kind == "f" else np.dtype(np.int64)
    sums = np.zeros((len(column) + 1, *column.shape[1:]), dtype=dtype)
    column.cumsum(axis=0, dtype=dtype, out=sums[1:])
    return sums


def table_of(columns: Sequence[NDArray[Any]]) -> Numbers:
    """Return a table of these columns. ``np.column_stack`` takes several times as long."""
    table = np.empty((len(columns[0]), len(columns)))
    for k, column in enumerate(columns):
        table[:, k] = column
    return table

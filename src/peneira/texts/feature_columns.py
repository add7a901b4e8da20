"""Features of the texts of a page: a column of values by name, or all of them in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.ml.forest import Numbers

FeatureColumns = dict[str, NDArray[Any]]
Names = tuple[str, ...]


Result = TypeVar("Result")
# Tables and forests whose places are kept
MAX_KEPT = 32


def kept_by_identity(function: Callable[..., Result]) -> Callable[..., Result]:
    """Return a function of tuples of names that keeps its results for the same objects.

    The names of tables and forests are the same for all pages, and comparing hundreds of them takes too long.
    """
    kept: dict[tuple[int, ...], tuple[Result, tuple[Names, ...]]] = {}

    def looked_up(*names: Names) -> Result:
        key = tuple(map(id, names))
        found = kept.get(key)
        if found is None:
            if len(kept) >= MAX_KEPT:
                kept.clear()
            # the names are kept too: no others can be in their place
            found = kept[key] = (function(*names), names)
        return found[0]

    return looked_up


class FeatureTable(Mapping[str, NDArray[Any]]):
    """Features by name, as the rows of one table: filled once, a group of features after the other, for all models."""

    def __init__(self, size: int, room: int) -> None:
        """``size``: the number of texts; ``room``: of how many features is known beforehand"""
        self._values: Numbers = np.empty((room, size))
        self._groups: tuple[Names, ...] = ()
        self._used = 0

    @property
    def rows(self) -> Numbers:
        """The features, a row each."""
        return self._values[: self._used]

    @property
    def groups(self) -> tuple[Names, ...]:
        """The names of the features, group after group."""
        return self._groups

    def added(self, names: Names) -> Numbers:
        """Return the rows of further features, which the caller fills."""
        first, self._used = self._used, self._used + len(names)
        if self._used > len(self._values):
            more = np.empty((2 * self._used, self._values.shape[1]))
            more[:first] = self._values[:first]
            self._values = more
        self._groups = (*self._groups, names)
        return self._values[first : self._used]

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add further features."""
        for row, column in zip(self.added(tuple(columns)), columns.values(), strict=True):
            row[:] = column

    def places(self, names: Names) -> Integers:
        """Return the rows of the named features; the same for all pages, so they are looked up once."""
        return _places(*self._groups, names)

    def __getitem__(self, name: str) -> Numbers:
        row: Numbers = self._values[_numbers(self._groups)[name]]
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(_numbers(self._groups))

    def __len__(self) -> int:
        return self._used


@lru_cache(maxsize=32)
def _numbers(groups: tuple[Names, ...]) -> dict[str, int]:
    return {name: k for k, name in enumerate(name for group in groups for name in group)}


@kept_by_identity
def _places(*groups_and_names: Names) -> Integers:
    *groups, names = groups_and_names
    numbers = _numbers(tuple(groups))
    return np.array([numbers[name] for name in names], dtype=np.int64)


def table_of_columns(columns: Mapping[str, NDArray[Any]]) -> FeatureTable:
    """Return features as a table, which they may be already."""
    if isinstance(columns, FeatureTable):
        return columns
    table = FeatureTable(len(next(iter(columns.values()))), len(columns))
    table.add(columns)
    return table

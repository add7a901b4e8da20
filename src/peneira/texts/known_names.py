"""Names of elements by number: the pages of a site have the same, so what is known of them is computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers
from peneira.short_text_cache import MAX_CHARS

# The naming attributes that an element has, in the order of ``element_names.NAMING_ATTRIBUTES``
Names = tuple[str, ...]

# Names that are remembered for the next page
MAX_KNOWN = 20_000


class KnownNames:
    """A number for each of the names that pages had. Names of megabytes get one too, and are not remembered, nor are
    more than ``MAX_KNOWN``."""

    def __init__(self) -> None:
        self._numbers: dict[Names, int] = {}
        self._next = count().__next__
        self._last = 0

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget them all."""
        return self._last >= MAX_KNOWN

    def numbers_of(self, distinct: Sequence[Names]) -> Integers:
        """Return the number of each of some names."""
        found = list(map(self._numbers.get, distinct))
        if None in found:
            found = [
                self._added(names) if number is None else number for names, number in zip(distinct, found, strict=True)
            ]
        return np.array(found, dtype=np.int64)

    def _added(self, names: Names) -> int:
        # no number is given twice, even if two threads ask for one at once
        self._last = number = self._next()
        is_kept = number < MAX_KNOWN and sum(map(len, names)) <= MAX_CHARS
        return self._numbers.setdefault(names, number) if is_kept else number


_LATEST = [KnownNames()]


@dataclass(frozen=True, slots=True)
class NumberedNames:
    """The distinct names of a page, with the number of each among those that are known."""

    distinct: Sequence[Names]
    numbers: Integers
    known: KnownNames

    @classmethod
    def of(cls, distinct: Sequence[Names]) -> NumberedNames:
        """Return names with their numbers."""
        if _LATEST[0].is_full:
            _LATEST[0] = KnownNames()
        known = _LATEST[0]
        return cls(distinct, known.numbers_of(distinct), known)


class ValuesOfNames:
    """What is known of names: a number each, or ``width`` numbers."""

    def __init__(self, dtype: type, *width: int) -> None:
        self._kind = (dtype, *width)
        nothing: NDArray[Any] = np.zeros((0, *width), dtype=dtype)
        # replaced as a whole, as two threads may get here: whose names, their values, and which of them are there
        self._state: tuple[KnownNames | None, NDArray[Any], NDArray[np.bool_]] = None, nothing, np.zeros(0, np.bool_)

    def __reduce__(self) -> tuple[type[ValuesOfNames], tuple[Any, ...]]:
        return ValuesOfNames, self._kind  # another process has names of its own

    def of(self, names: NumberedNames, compute: Callable[[Names], Any]) -> NDArray[Any]:
        """Return the values of each of the names; ``compute``: always the same."""
        known, values, is_there = self._state
        numbers, size = names.numbers, int(names.numbers.max(initial=-1)) + 1
        kept = len(values) if known is names.known else 0
        if size > kept or known is not names.known:
            room = np.zeros((2 * size, *values.shape[1:]), dtype=values.dtype)
            room_is_there = np.zeros(2 * size, dtype=np.bool_)
            room_is_there[:kept] = is_there[:kept]  # first: what another thread adds meanwhile is computed again
            room[:kept] = values[:kept]
            values, is_there = room, room_is_there
            if size <= MAX_KNOWN:
                self._state = names.known, values, is_there
        for k in np.flatnonzero(~is_there[numbers]).tolist():
            values[numbers[k]] = compute(names.distinct[k])
            is_there[numbers[k]] = True
        return values[numbers]

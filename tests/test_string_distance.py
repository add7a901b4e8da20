from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from peneira.trees.string_distance import Pattern

strings = st.lists(st.integers(0, 4), max_size=14)


def by_definition(a: list[int], b: list[int]) -> int:
    """Return the distance by the standard dynamic programme."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def test_known_distances():
    assert Pattern("kitten").distance(Pattern("sitting")) == 3
    assert Pattern("").distance(Pattern("abc")) == 3
    assert Pattern("abc").distance(Pattern("abc")) == 0


@given(strings, strings)
def test_the_distance_agrees_with_its_definition(a: list[int], b: list[int]):
    assert Pattern(a).distance(Pattern(b)) == by_definition(a, b)


@given(strings, strings, st.sampled_from([0.0, 0.2, 0.3, 0.5, 1.0]))
def test_within_agrees_with_the_distance(a: list[int], b: list[int], share: float):
    assert Pattern(a).is_within(Pattern(b), share) == (by_definition(a, b) <= share * max(len(a), len(b)))


def test_long_strings_are_compared():
    a, b = Pattern([k % 7 for k in range(20_000)]), Pattern([k % 5 for k in range(20_000)])
    assert 0 < a.distance(b) < 20_000

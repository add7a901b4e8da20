"""What is known of the names of elements is computed once for all pages that have them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from peneira.short_text_cache import MAX_CHARS
from peneira.texts import known_names
from peneira.texts.known_names import KnownNames, NumberedNames, ValuesOfNames


def test_names_have_the_same_number_on_the_next_page():
    known = KnownNames()
    first = known.numbers_of([(), ("menu",), ("post", "p1")]).tolist()
    assert known.numbers_of([("post", "p1"), ("new",), ()]).tolist() == [first[2], 3, first[0]]


def test_names_of_megabytes_are_not_remembered():
    known, long = KnownNames(), ("x" * (MAX_CHARS + 1),)
    assert known.numbers_of([long, ("a",)]).tolist() == [0, 1]
    assert known.numbers_of([long, ("a",)]).tolist() == [2, 1]


def test_values_are_computed_once_for_names_that_are_known():
    asked = []

    def length(names: tuple[str, ...]) -> int:
        asked.append(names)
        return sum(map(len, names))

    lengths = ValuesOfNames(np.int64)
    assert lengths.of(NumberedNames.of([("one",), ("three",)]), length).tolist() == [3, 5]
    assert lengths.of(NumberedNames.of([("three",), ("to", "o")]), length).tolist() == [5, 3]
    assert asked == [("one",), ("three",), ("to", "o")]


def test_all_names_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(known_names, "MAX_KNOWN", 2)
    monkeypatch.setattr(known_names, "_LATEST", [KnownNames()])
    lengths = ValuesOfNames(np.float64, 2)

    def pair(names: tuple[str, ...]) -> tuple[int, int]:
        return len(names), len("".join(names))

    pages = [NumberedNames.of([(f"a{k}",), (f"b{k}", "c"), ("d",)]) for k in range(3)]
    assert pages[0].known is not pages[1].known
    for page in (*pages, *reversed(pages)):
        assert lengths.of(page, pair).tolist() == [[1, 2], [2, 3], [1, 1]]


def test_another_process_gets_no_names():
    lengths = ValuesOfNames(np.int64)
    lengths.of(NumberedNames.of([("one",)]), len)
    assert pickle.loads(pickle.dumps(lengths)).of(NumberedNames.of([("two",)]), len).tolist() == [1]


def test_one_page_does_not_make_more_names_be_remembered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(known_names, "MAX_KNOWN", 2)
    known = KnownNames()
    assert known.numbers_of([("a",), ("b",), ("c",)]).tolist() == [0, 1, 2]
    assert known.numbers_of([("a",), ("b",), ("c",)]).tolist() == [0, 1, 3]

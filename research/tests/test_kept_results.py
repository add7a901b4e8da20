"""Results of single pages that are kept: an interrupted run goes on where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from peneira_research.studies.kept_results import KeptResults, restored


@dataclass(frozen=True)
class Inner:
    right: int


@dataclass(frozen=True)
class Row:
    name: str
    parts: tuple[Inner, ...]
    by_name: Mapping[str, float]
    error: str | None = None


def test_what_was_done_before_an_interruption_is_not_done_again(tmp_path: Path):
    done: list[str] = []
    stops = iter((True, False))

    def slow(item: str) -> Row:
        if item == "c" and next(stops):
            raise KeyboardInterrupt
        done.append(item)
        return Row(item, (Inner(1), Inner(2)), {"x": 0.5})

    keep = KeptResults(tmp_path / "kept", "commit a: command")
    with pytest.raises(KeyboardInterrupt):
        list(keep.each("pages", Row, slow, ["a", "b", "c"], key=str))
    with (tmp_path / "kept").open("a") as file:
        file.write('["pages", "c", {"na')  # as a killed process leaves it
    rows = list(keep.each("pages", Row, slow, ["c", "a", "b"], key=str))
    assert done == ["a", "b", "c"]
    assert rows == [Row(name, (Inner(1), Inner(2)), {"x": 0.5}) for name in "cab"]


def test_results_of_another_run_or_of_another_part_are_not_taken(tmp_path: Path):
    def once(part: str, run: str) -> list[int]:
        return list(KeptResults(tmp_path / "kept", run).each(part, int, lambda _: next(numbers), ["a"], key=str))

    numbers = iter(range(9))
    assert [once("x", "1"), once("x", "1"), once("y", "1"), once("x", "1"), once("x", "2")] == [[0], [0], [1], [0], [2]]


def test_nothing_is_written_without_a_file():
    assert list(KeptResults().each("x", int, len, ["ab"], key=str)) == [2]


def test_values_come_back_as_the_types_they_had():
    assert restored([["a", {"right": 3}]], list[tuple[str, Inner]]) == [("a", Inner(3))]
    assert restored([1, 2], Sequence[int]) == [1, 2]
    assert restored(None, Inner | None) is None
    assert restored({"right": 3}, Inner | None) == Inner(3)


def test_texts_with_line_separators_are_kept(tmp_path: Path):
    texts = iter(["a\u2028b\x85c\x0cd"])
    keep = KeptResults(tmp_path / "kept", "run")
    first, again = (list(keep.each("x", str, lambda _: next(texts), ["a"], key=str)) for _ in range(2))
    assert first == again == ["a\u2028b\x85c\x0cd"]

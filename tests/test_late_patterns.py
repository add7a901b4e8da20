"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from peneira.late_patterns import late_pattern


def test_a_pattern_does_what_the_compiled_one_does():
    pattern, compiled = (
        late_pattern(r"(?P<sign>[a-z]+)-(\d+)", re.IGNORECASE),
        re.compile(r"(?P<sign>[a-z]+)-(\d+)", re.I),
    )
    text = "AB-12, cd-3"
    assert pattern.findall(text) == compiled.findall(text) == [("AB", "12"), ("cd", "3")]
    assert pattern.sub(r"\2", text) == "12, 3"
    assert [match["sign"] for match in pattern.finditer(text)] == ["AB", "cd"]
    assert (pattern.groups, dict(pattern.groupindex)) == (2, {"sign": 1})
    assert (pattern.match("-1"), pattern.fullmatch("a-1x")) == (None, None)
    assert pattern.split("1ab-2c") == ["1", "ab", "2", "c"]


def test_it_is_compiled_at_its_first_use_and_not_before():
    wrong = late_pattern("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.search("a")


def test_it_has_no_other_attributes():
    with pytest.raises(AttributeError):
        getattr(late_pattern("a"), "nothing")  # noqa: B009

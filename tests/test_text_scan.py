"""The searches for characters: the compiled ones give what the regular expressions give."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira import character_search as searches
from peneira.character_search import character_search
from peneira.kernels import compiled
from peneira.types import notation
from peneira.types.notation import normalized

CHARACTERS = st.text(alphabet=st.sampled_from("aZ09 \t\n\u00a0\u2009-–·•|;,[]()^\\€٣५𝟗🌟★\u200b\u3000é"), max_size=12)


@given(CHARACTERS, CHARACTERS, st.booleans())
def test_a_search_finds_what_the_class_of_a_pattern_finds(characters: str, text: str, digits: bool) -> None:
    pattern = re.compile("|".join([*map(re.escape, characters), *([r"\d"] if digits else []), r"(?!)"]))
    assert bool(character_search(characters, digits=digits)(text)) == (pattern.search(text) is not None)


def test_a_character_beyond_the_basic_plane_is_found() -> None:
    assert [bool(character_search("/🌟")(text)) for text in ("🌟🌟", "🌠", "★")] == [True, False, False]


def test_without_a_compiler_a_pattern_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "compiled", lambda name: None)
    has_sign = character_search("([-^]", digits=True)
    assert [bool(has_sign(text)) for text in ("a", "a-b", "x^", "]", "٣", "")] == [False, True, True, True, True, False]


@pytest.mark.skipif(compiled("text_scan") is None, reason="not compiled")
@given(CHARACTERS)
def test_texts_that_are_settled_are_normalized(text: str) -> None:
    assert notation._is_settled is not None
    collapsed = " ".join(text.translate(notation._ASCII_EQUIVALENTS).split())
    assert normalized(text) == collapsed
    assert notation._is_settled(text) == (text == collapsed)

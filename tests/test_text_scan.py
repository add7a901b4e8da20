"""The searches for characters: the compiled ones give what the regular expressions give."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira import character_search as searches
from peneira.character_search import character_search, have_digits
from peneira.kernels import compiled
from peneira.types import notation
from peneira.types.column_types import infer_type
from peneira.types.notation import normalized, normalized_counts
from peneira.types.reading_marks import reading_marks
from peneira.types.type_readers import TYPE_READERS
from twins import without_kernels

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
    assert notation._settled is not None
    collapsed = " ".join(text.translate(notation._ASCII_EQUIVALENTS).split())
    assert normalized(text) == collapsed
    assert notation._settled(text) == (text == collapsed)


# What values are made of, so that texts are found that are nearly values
VALUES = st.text(alphabet=st.sampled_from("0179٣𝟗 .,:'-+/?@%$€PTHM★🌟rRwWaé()&"), max_size=14)
WORDS = st.sampled_from(
    "www.a.b 4.5/5 +49(30)1234567 12,50 PT1H30M 3:45 5kg 2024-05-01 $12 x@y.zz N/A - 90% rated".split()
)
CELLS = st.lists(VALUES | WORDS | st.tuples(WORDS, VALUES).map("".join), min_size=1, max_size=8)


@pytest.mark.skipif(compiled("text_scan") is None, reason="not compiled")
@given(CELLS)
def test_marks_and_counts_of_cells_are_those_of_the_plain_way(texts: list[str]) -> None:
    compiled_way = reading_marks(texts), normalized_counts(texts), infer_type(texts, language="en")
    with without_kernels():
        assert compiled_way == (reading_marks(texts), normalized_counts(texts), infer_type(texts, language="en"))


@given(CELLS)
def test_a_text_without_the_mark_of_a_type_cannot_be_read_as_it(texts: list[str]) -> None:
    cells = list(normalized_counts(texts))
    for text, marks in zip(cells, reading_marks(cells)[0], strict=True):
        read = [reader for reader in TYPE_READERS if text and reader.read(text, notation.Notation()) is not None]
        assert all(reader.mark & marks for reader in read)


def test_long_texts_can_only_be_addresses() -> None:
    long = "x" * 120
    every = reading_marks([f"5 {long}", f"/{long}5", f"WWW.{long}"])[1]
    assert [reader.type for reader in TYPE_READERS if every & reader.mark] == ["image", "url", "boolean", "list"]


@given(CELLS)
def test_texts_with_digits_are_counted(texts: list[str]) -> None:
    count = sum(any(map(str.isdecimal, text)) for text in texts)
    expected = [least <= count for least in range(len(texts) + 1)]
    assert [have_digits(texts, least) for least in range(len(texts) + 1)] == expected
    with without_kernels():
        assert [have_digits(texts, least) for least in range(len(texts) + 1)] == expected

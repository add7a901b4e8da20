"""The searches for characters: the compiled ones give what the regular expressions give."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira import character_search as searches
from peneira import markup
from peneira.character_search import character_search
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


@given(CHARACTERS, st.lists(CHARACTERS, max_size=6), st.booleans(), st.floats(0, 6))
def test_a_search_counts_texts_as_a_pattern_does(characters: str, texts: list[str], digits: bool, least: float) -> None:
    pattern = re.compile("|".join([*map(re.escape, characters), *([r"\d"] if digits else []), r"(?!)"]))
    for search in (character_search(characters, digits=digits), *_plain_search(characters, digits)):
        assert search.in_most(texts, least) == (sum(bool(pattern.search(text)) for text in texts) >= least)
        assert search.starts_most(texts, least) == (sum(bool(pattern.match(text)) for text in texts) >= least)


def _plain_search(characters: str, digits: bool) -> list[searches.PlainSearch]:
    return [searches.PlainSearch(characters, digits=digits)] if characters or digits else []


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
VALUES = st.text(alphabet=st.sampled_from("0179٣𝟗 .,:'-+/?@%$€PTHM★🌟rRwWaéhſpo²()&\n"), max_size=14)
WORDS = st.sampled_from(
    [
        text.replace("_", " ")
        for text in "www.a.b 4.5/5 +49(30)1234567 12,50 PT1H30M 3:45 5kg 2024-05-01 $12 x@y.zz N/A - 90% rated tel. "
        "http://a.b/c /a-b //a.b/c_d.pdf 4_stars 3_ſtars kl._3:45 14h30 1_h_30_min 3_pm 15.30_Uhr 1.250_sq_ft 12'' "
        "a.php?b rated_8_out_of_10".split()
    ]
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


@pytest.mark.parametrize("text", ["", "plain", "a & b", "<b>", "1 > 0", "a\u00a0b", "a\rb\n", "é&", "\U0001f600<", '"'])
def test_texts_are_written_as_html_as_without_the_kernel(text: str):
    compiled_escapes = markup._compiled_escapes
    if compiled_escapes is None:
        pytest.skip("not compiled")
    assert compiled_escapes(text) == markup._escaped(text)

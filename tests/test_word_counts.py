"""The number of words of texts, against the pattern that the scores of main texts use."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from peneira.texts.word_counts import word_counts

BASIC_PLANE = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]))


@given(st.lists(BASIC_PLANE))
def test_words_are_runs_of_letters_and_digits_in_any_alphabet(texts: list[str]):
    assert word_counts(texts).tolist() == [len(re.findall(r"\w+", text)) for text in texts]


def test_no_texts_have_no_counts():
    assert word_counts([]).tolist() == []


def test_pictures_are_no_words():
    assert word_counts(["\U0001f600 two words \U0001f600"]).tolist() == [2]

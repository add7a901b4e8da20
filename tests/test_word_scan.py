"""The compiled scan of words and its plain twins give the same numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.kernels import compiled
from peneira.sources.html import read_page
from peneira.texts import metadata_features
from peneira.texts.block_features import block_features
from peneira.texts.region_filter import ScoredRegions
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_vocabulary import TextVocabulary
from peneira.texts.text_words import TextWords
from peneira.texts.word_counts import word_counts
from peneira.texts.wording_features import character_counts
from twins import without_kernels

pytestmark = pytest.mark.skipif(compiled("word_scan") is None, reason="the kernel is not compiled")

VOCABULARY = TextVocabulary.of({"add": 0.25, "cart": 0.1, "story": 0.7, "add cart": 0.3, "cart cart": 0.9})
words = st.lists(st.sampled_from(["add", "cart", "story", "other", "a", "x2", "\u00e9t\u00e9"]), max_size=30).map(
    " ".join
)
texts = st.lists(st.one_of(words, st.text(max_size=20)), min_size=1, max_size=8)


@given(texts)
def test_words_and_their_shares_are_those_of_python(strings: list[str]):
    found = TextWords(strings)
    shares = VOCABULARY.shares_of(found).tolist()
    with without_kernels():
        plain = TextWords(strings)
        assert plain.hashes is None
        assert VOCABULARY.shares_of(plain).tolist() == shares
    assert plain.counts.tolist() == found.counts.tolist()


def test_equal_words_have_equal_hashes_and_others_do_not():
    first, second, other, _, again = TextWords(["Cart", "cart", "carts", "the CART"]).hashes.tolist()
    assert first == second == again != other


@given(texts)
def test_words_are_counted_as_python_counts_them(strings: list[str]):
    counts = word_counts(strings).tolist()
    with without_kernels():
        assert word_counts(strings).tolist() == counts


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=8))
def test_kinds_of_characters_are_those_of_numpy(strings: list[str]):
    found = [part.tolist() for part in character_counts(strings)]
    with without_kernels():
        assert [part.tolist() for part in character_counts(strings)] == found


def test_features_of_metadata_are_those_of_python():
    page = read_page(
        "<title>Red boots</title><meta name=description content='warm boots'><p>Red boots</p><p>Warm and dry</p>"
    )
    blocks, none = TextBlocks(page), ScoredRegions(*([page.tag[:0]] * 4))
    found = {name: list(map(float, column)) for name, column in block_features(blocks, none).items()}
    assert found["in_title"] == [1.0, 0.0]
    assert found["in_meta"] == [0.5, pytest.approx(1 / 3)]
    with without_kernels():
        again = block_features(TextBlocks(page), none)
        assert {name: list(map(float, column)) for name, column in again.items()} == found


def test_parts_of_the_title_are_found_as_without_the_kernel(monkeypatch: pytest.MonkeyPatch):
    texts = ["", "ab", "abc", "a title", "the title of all", "title", "itl", "é", "tïtle", "xyz"]
    found = metadata_features._are_in("the tïtle, abc: a title", texts)
    monkeypatch.setattr(metadata_features, "word_scan", None)
    assert found.tolist() == metadata_features._are_in("the tïtle, abc: a title", texts).tolist()
    assert [text for text, is_in in zip(texts, found.tolist(), strict=True) if is_in] == [
        "abc", "a title", "title", "itl", "tïtle",
    ]  # fmt: skip

"""The word score of WCXB, the alignment behind its training labels, and its corpus."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.errors import CorpusError
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.main_texts import main_text_pages
from peneira_research.scores.word_alignment import aligned_words
from peneira_research.scores.word_score import word_score
from peneira_research.training.text_examples import block_labels
from test_bench_corpora import write_archive, write_corpora


def test_words_are_counted_as_often_as_they_occur_without_case_and_order():
    score = word_score("The cat, the dog", "the Cat and THE bird")
    assert (score.precision, score.recall) == (3 / 4, 3 / 5)
    assert score.f1 == pytest.approx(2 / 3)


@pytest.mark.parametrize(("text", "reference", "f1"), [("", "", 1.0), ("a", "", 0.0), ("", "a", 0.0), ("b", "a", 0.0)])
def test_an_empty_text_is_right_only_where_the_reference_is_empty(text: str, reference: str, f1: float):
    assert word_score(text, reference).f1 == f1


def test_snippets_are_found_by_their_words():
    score = word_score("Ana - Bia\nCid", "x", wanted=["ana bia", "Bia Cid", "Cid Ana"], unwanted=["Dan"])
    assert (score.kept, score.let_through) == (2 / 3, 0.0)


letters = st.lists(st.sampled_from("abc"), max_size=7)


@given(letters, letters)
def test_the_alignment_is_a_longest_common_subsequence(words: list[str], reference: list[str]):
    common = [word for word, is_aligned in zip(words, aligned_words(words, reference), strict=True) if is_aligned]
    assert _is_subsequence(common, reference)
    longest = max(
        len(part)
        for size in range(len(words) + 1)
        for part in combinations(words, size)
        if _is_subsequence(part, reference)
    )
    assert len(common) == longest


def _is_subsequence(part, whole) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def test_the_label_of_a_block_is_its_share_of_the_reference():
    strings = ["Home", "The flood of the valley", "Rain fell all night", "Share"]
    assert block_labels(strings, "The flood of the valley. Rain fell all day").tolist() == [0.0, 1.0, 0.75, 0.0]


def test_a_block_that_the_reference_has_elsewhere_is_content():
    moved = "one two three four five six seven"
    labels = block_labels([moved, "a b c d e f g h"], f"a b c d e f g h {moved}")
    assert labels.tolist() == [1.0, 1.0]


def test_pages_come_with_their_text_and_snippets(tmp_path: Path):
    write_corpora(tmp_path)
    gold = {
        "url": "https://www.blog.example/1",
        "_internal": {"page_type": {"primary": "category"}},
        "ground_truth": {"main_content": "Hello", "with": ["Hello"], "without": None},
    }
    write_archive(
        tmp_path / "wcxb" / "dev.tar.xz", {"ground-truth/0001.json": json.dumps(gold), "html/0001.html": "<p>Hello"}
    )
    (page,) = main_text_pages(Corpora(tmp_path))
    assert (page.id, page.type, page.reference, page.wanted, page.unwanted) == (
        "wcxb-0001", "collection", "Hello", ("Hello",), (),
    )  # fmt: skip


def test_a_missing_corpus_is_named(tmp_path: Path):
    write_corpora(tmp_path)
    with pytest.raises(CorpusError, match="wcxb"):
        list(main_text_pages(Corpora(tmp_path)))

"""How well lists are found and cut: intervals, whole records, confident lists."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import peneira_research.studies.page_outcomes
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.studies.list_quality import CutQuality, ListQuality, bootstrap_interval, quality_by_corpus
from peneira_research.studies.page_outcomes import Outcome, page_outcomes
from test_bench_scoreboard import extraction

BLANK = Outcome("auto", "a", "a-1", "a.example", False, False, anchors=2, expected=2, f1=1.0)


def rows_of(*f1s: float, sites: Sequence[str]) -> list[Outcome]:
    return [replace(BLANK, f1=f1, site=site) for f1, site in zip(f1s, sites, strict=True)]


def cut_of(page: Path, *texts: str, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Return the outcome of a page of two people with their towns, of which these records are found."""
    page.write_text("<p>Ana Lisbon Bia Madrid</p>")
    gold = GoldPage("p", "a", "s", page, ("Ana", "Bia"), 2, ({"town": "Lisbon"}, {"town": "Madrid"}))
    monkeypatch.setattr(peneira_research.studies.page_outcomes, "extract", lambda page, method: extraction(*texts))
    (outcome,) = page_outcomes(gold, ["auto"])
    return outcome


@pytest.mark.parametrize(
    ("records", "whole", "astray", "is_out_of_phase"),
    [
        (["Ana Lisbon", "Bia Madrid"], 2, 0, False),
        (["Ana", "Lisbon Bia", "Madrid"], 0, 2, True),
        (["Ana", "Bia Madrid"], 1, 0, False),
        ([], 0, 0, False),
    ],
)
def test_a_page_with_fields_tells_how_its_records_are_cut(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    records: list[str],
    whole: int,
    astray: int,
    is_out_of_phase: bool,
) -> None:
    row = cut_of(tmp_path / "1.html", *records, monkeypatch=monkeypatch)
    assert (row.texts, row.whole, row.astray, row.out_of_phase) == (2, whole, astray, is_out_of_phase)


def test_a_page_that_fails_has_no_whole_text(tmp_path: Path) -> None:
    gold = GoldPage("p", "a", "s", tmp_path / "none.html", ("Ana",), 1, ({"town": "Lisbon"},))
    (row,) = page_outcomes(gold, ["auto"])
    assert (row.texts, row.whole, row.astray, row.f1) == (1, 0, 0, 0.0)
    assert row.error is not None and row.error.startswith("CorpusError")


def test_a_page_of_partial_gold_says_nothing_of_the_cut(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text("<p>Ana Lisbon</p>")
    gold = GoldPage("p", "a", "s", tmp_path / "1.html", ("Ana",), 2, ({"town": "Lisbon"},), is_partial=True)
    assert page_outcomes(gold, ["auto"])[0].texts is None


def test_the_quality_of_a_corpus() -> None:
    rows = [
        replace(BLANK, id="perfect", confidence=0.95, texts=10, whole=10, astray=0, out_of_phase=False),
        replace(BLANK, id="phase", f1=0.92, confidence=0.9, texts=10, whole=8, astray=1, out_of_phase=True),
        replace(BLANK, id="not whole", confidence=0.8, texts=20, whole=19, astray=0, out_of_phase=False),
        replace(BLANK, id="wrong", f1=0.1, confidence=0.91, texts=0, whole=0, astray=0, out_of_phase=False),
        replace(BLANK, id="no fields", f1=0.0),
        replace(BLANK, id="partial", f1=0.0, is_partial=True, confidence=0.99),
        replace(BLANK, id="negative", f1=None, anchors=None, is_negative=True, confidence=0.99),
    ]
    (quality,) = quality_by_corpus(rows).values()
    mean = pytest.approx((1 + 0.92 + 1 + 0.1 + 0) / 5)
    cut = CutQuality(
        3, pytest.approx(37 / 40), pytest.approx(1 / 40), pytest.approx(1 / 3), pytest.approx(1 / 3)
    )  # fmt: skip
    assert quality == ListQuality(5, mean, mean, mean, 3, pytest.approx(2 / 3), cut)
    assert quality.confident_share == pytest.approx(3 / 5)


def test_a_page_with_a_record_too_many_is_not_perfect() -> None:
    row = replace(BLANK, f1=0.99, texts=10, whole=10, astray=0, out_of_phase=False)
    cut = quality_by_corpus([row])["a"].cut
    assert cut is not None and cut.perfect == 0.0


def test_classic_corpora_and_all_pages_have_rows_of_their_own() -> None:
    rows = [replace(BLANK, corpus=corpus, f1=f1) for corpus, f1 in (("a", 1.0), ("b", 0.5), ("modern", 0.0))]
    found = quality_by_corpus(rows, classic=["a", "b", "c"])
    assert {name: quality.f1 for name, quality in found.items()} == {
        "a": 1.0,
        "b": 0.5,
        "modern": 0.0,
        "classic": 0.75,
        "all": 0.5,
    }
    assert list(quality_by_corpus(rows[1:], classic=["a", "b"])) == ["b", "modern", "all"]
    assert list(quality_by_corpus(rows[:1], classic=["a", "b"])) == ["a"]


def test_the_interval_holds_the_mean_and_is_the_same_in_every_run_and_order() -> None:
    rows = rows_of(*(k % 4 / 3 for k in range(40)), sites=[f"s{k}" for k in range(40)])
    low, high = bootstrap_interval(rows)
    assert low < 0.5 < high
    assert bootstrap_interval(rows[::-1]) == pytest.approx((low, high), abs=1e-12)
    # the standard error of a mean of 40 values that deviate by .373
    assert high - low == pytest.approx(2 * 1.96 * 0.373 / 40**0.5, rel=0.15)


def test_pages_of_one_site_count_as_one_in_the_interval() -> None:
    f1s = [1.0] * 10 + [0.0] * 10
    alone = bootstrap_interval(rows_of(*f1s, sites=[f"s{k}" for k in range(20)]))
    together = bootstrap_interval(rows_of(*f1s, sites=["x"] * 10 + ["y"] * 10))
    assert together == (0.0, 1.0)
    assert alone[0] > 0.2 and alone[1] < 0.8

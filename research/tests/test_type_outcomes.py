"""Verdicts on pages of known type."""

import pytest

import peneira_research.studies.type_outcomes
from peneira.lists.ranking import Models
from peneira_research.corpora.typed_pages import PageType, TypedPage
from peneira_research.reports.records_report import types_table
from peneira_research.studies.type_outcomes import TypeMetrics, TypeOutcome, metrics_by_type, type_outcomes
from test_bench_scoreboard import extraction
from test_bench_table import NO_MODELS


def typed(page_type: PageType, body: str = "<p>x", site: str = "s") -> TypedPage:
    return TypedPage(f"{page_type}-1", "wcxb", site, "https://a.example/", body.encode(), page_type)


def outcome(page_type: PageType, verdict: str, confidence: float | None = None, corpus: str = "wcxb") -> TypeOutcome:
    return TypeOutcome("1", corpus, "s", page_type, verdict, confidence)


def test_a_page_without_a_list_has_a_verdict_and_no_confidence() -> None:
    (row,) = type_outcomes([typed("other", "")])
    assert row == TypeOutcome("other-1", "wcxb", "s", "other", "empty")


def test_a_list_has_its_confidence_and_records(monkeypatch: pytest.MonkeyPatch) -> None:
    found = extraction("Ana, 31", "Bia, 27", confidence=0.7)
    monkeypatch.setattr(peneira_research.studies.type_outcomes, "extract", lambda page, method: found)
    (row,) = type_outcomes([typed("collection")])
    assert row == TypeOutcome("collection-1", "wcxb", "s", "collection", "list", 0.7, 2)


def test_a_page_that_fails_is_an_error_and_no_list() -> None:
    models: dict[str, Models] = {"s": NO_MODELS}
    cards = "<ul>" + "<li><b>Kettle</b> <i>in red</i></li>" * 4 + "</ul>"
    own, other = type_outcomes([typed("listing", cards), typed("listing", cards, site="t")], unseen=models)
    assert own.error is not None and own.verdict is None
    assert other.error is None
    assert metrics_by_type([own])["listing"] == TypeMetrics(1, 0.0, 0.0, {}, 1)


def test_the_number_of_jobs_changes_no_verdict() -> None:
    pages = [typed("other", ""), typed("article")]
    assert list(type_outcomes(pages, jobs=2)) == list(type_outcomes(pages))


def test_the_shares_of_a_type() -> None:
    rows = [
        outcome("listing", "list", 0.5),
        outcome("article", "list", 0.3),
        outcome("article", "article"),
        outcome("article", "article"),
        outcome("article", "list", 0.8),
    ]
    assert metrics_by_type(rows) == {
        "article": TypeMetrics(4, 0.5, 0.25, {"list": 2, "article": 2}, 0),
        "listing": TypeMetrics(1, 1.0, 1.0, {"list": 1}, 0),
    }
    assert list(metrics_by_type(rows)) == ["article", "listing"]


def test_the_table_has_a_row_for_each_corpus_of_a_type() -> None:
    rows = [
        outcome("article", "article", corpus="detail"),
        outcome("article", "list", 0.3),
        outcome("forum", "list", 0.9),
    ]
    table = types_table(rows)
    assert [column.header for column in table.columns] == [
        "type", "corpus", "pages", "main list", "conf 0.5", "list", "article", "errors",
    ]  # fmt: skip
    cells = list(zip(*(column.cells for column in table.columns), strict=True))
    assert cells == [
        ("article", "", "2", "0.500", "0.000", "1", "1", ""),
        ("", "detail", "1", "0.000", "0.000", "", "1", ""),
        ("", "wcxb", "1", "1.000", "0.000", "1", "", ""),
        ("forum", "", "1", "1.000", "1.000", "1", "", ""),
    ]

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import peneira_research.studies.page_outcomes
from peneira.errors import InputError, UnknownMethod
from peneira.result import Extraction, Record, Region
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.page_outcomes import Outcome, run_methods
from peneira_research.studies.scoreboard import Metric, Metrics, document, metrics_by_method, worst
from peneira_research.workers import THREAD_VARIABLES, in_processes
from test_bench_corpora import write_corpora

BLANK = Outcome("auto", "a", "a-1", "a.example", False, False, anchors=2, expected=2)


def extraction(*texts: str, confidence: float = 0.9) -> Extraction:
    records = tuple(Record(((0, 1),), text, "/html[1]") for text in texts)
    region = Region("/html[1]", records, confidence)
    return Extraction("list", (region,), region, "auto")


@pytest.fixture
def finds_people(monkeypatch: pytest.MonkeyPatch) -> None:
    found = extraction("Ana, 31", "Bia, 27", "Cid, 45")
    monkeypatch.setattr(peneira_research.studies.page_outcomes, "extract", lambda page, method: found)


def flat(results: Iterator[tuple[Outcome, ...]]) -> list[Outcome]:
    return [row for rows in results for row in rows]


@pytest.mark.usefixtures("finds_people")
def test_an_anchored_page_has_a_score(tmp_path: Path) -> None:
    page = Corpora(write_corpora(tmp_path)).page("a-1")
    assert flat(run_methods([page], ["auto"])) == [
        Outcome(
            method="auto",
            corpus="a",
            id="a-1",
            site="a.example",
            is_partial=False,
            is_negative=False,
            anchors=3,
            expected=3,
            records=3,
            verdict="list",
            status="complete",
            confidence=0.9,
            confident_lists=1,
            precision=1.0,
            recall=1.0,
            f1=1.0,
            scale=1.0,
            exact_count=True,
            region_right=True,
        )
    ]


@pytest.mark.usefixtures("finds_people")
def test_a_page_without_anchors_has_a_count_only(tmp_path: Path) -> None:
    [row] = flat(run_methods([Corpora(write_corpora(tmp_path)).page("a-2")], ["auto"]))
    assert (row.anchors, row.f1, row.exact_count) == (None, None, True)


@pytest.mark.parametrize("failure", [InputError("too odd"), ZeroDivisionError("too odd")])
def test_a_method_that_fails_scores_zero_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fail(page: object, method: str) -> Extraction:
        raise failure

    monkeypatch.setattr(peneira_research.studies.page_outcomes, "extract", fail)
    rows = flat(run_methods(Corpora(write_corpora(tmp_path)).pages(), ["auto"]))
    assert {row.error for row in rows} == {f"{type(failure).__name__}: too odd"}
    assert [row.f1 for row in rows] == [0.0, None, 0.0, 0.0, None]
    assert metrics_by_method(rows)["auto"].quiet == Metric(0.0, 1)
    assert metrics_by_method(rows)["auto"].errors == 5


def test_an_unknown_method_is_refused_before_the_run() -> None:
    with pytest.raises(UnknownMethod, match="no method 'magic'"):
        run_methods([], ["magic"])


def test_the_number_of_jobs_changes_nothing(tmp_path: Path) -> None:
    pages = Corpora(write_corpora(tmp_path)).pages()
    assert flat(run_methods(pages, ["auto"], jobs=2)) == flat(run_methods(pages, ["auto"], jobs=1))


def test_workers_have_one_thread_and_leave_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv(THREAD_VARIABLES[0], "7")
    monkeypatch.delenv(THREAD_VARIABLES[1], raising=False)
    assert list(in_processes(os.getenv, THREAD_VARIABLES, jobs=1)) == ["1"] * len(THREAD_VARIABLES)
    assert (os.getenv(THREAD_VARIABLES[0]), os.getenv(THREAD_VARIABLES[1])) == ("7", None)


def test_metrics_leave_out_partial_pages_and_separate_the_others() -> None:
    rows = [
        replace(BLANK, f1=1.0, region_right=False),
        replace(BLANK, f1=0.5, region_right=False),
        replace(BLANK, f1=0.0, is_partial=True),
        replace(BLANK, corpus="b", f1=0.0, region_right=False),
        replace(BLANK, anchors=None, exact_count=True),
        replace(BLANK, anchors=None, exact_count=False),
        replace(BLANK, corpus="n", anchors=None, exact_count=False, is_negative=True, confidence=0.4),
        replace(
            BLANK, corpus="n", anchors=None, exact_count=False, is_negative=True, confidence=0.6, confident_lists=1
        ),
        replace(BLANK, corpus="n", anchors=None, exact_count=True, is_negative=True),
    ]
    assert metrics_by_method(rows) == {
        "auto": Metrics(
            f1={"a": Metric(0.75, 2), "b": Metric(0.0, 1)},
            all=Metric(0.5, 3),
            exact_count=Metric(0.5, 2),
            quiet=Metric(pytest.approx(2 / 3), 3),
            silent=1,
            errors=0,
            region=Metric(0.0, 3),
        )
    }


def test_the_worst_pages_come_first() -> None:
    rows = [
        replace(BLANK, id="good", f1=1.0),
        replace(BLANK, id="bad", f1=0.1),
        replace(BLANK, id="partial", f1=0.0, is_partial=True),
        replace(BLANK, id="middling", f1=0.5),
    ]
    assert [row.id for row in worst(rows, 2)] == ["bad", "middling"]


def test_equal_runs_give_equal_documents_without_paths(tmp_path: Path) -> None:
    texts = []
    for folder in ("one", "two"):
        corpora = Corpora(write_corpora(tmp_path / folder))
        texts.append(json.dumps(document(flat(run_methods(corpora.pages(), ["auto"])), corpora)))
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]
    keys = ["format", "version", "meta", "metrics", "lists", "calibration", "types", "pages", "typed_pages"]
    assert list(json.loads(texts[0])) == keys
    assert list(json.loads(texts[0])["meta"]["corpora"]) == ["a", "b", "modern", "n"]

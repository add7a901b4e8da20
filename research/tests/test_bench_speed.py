from collections.abc import Callable
from pathlib import Path

import pytest

import peneira_research.studies.speed as speed
from peneira.errors import PeneiraError, UnknownMethod
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.speed_pages import speed_pages
from peneira_research.reports.speed_report import SpeedResults, speed_document
from peneira_research.studies.process_cost import instructions, memory_per_node, repeat_stage, start_up_ms
from peneira_research.studies.speed import (
    Ratio,
    SpeedOptions,
    Stage,
    Timing,
    best_cpu_times,
    factors,
    grown,
    made_lists,
    mid_size,
    per_node,
    ratios,
    stages,
    time_growth,
    time_pages,
)
from test_bench_corpora import write_corpora

PEOPLE = b"<ul><li>Ana, 31 <li>Bia, 27 <li>Cid, 45</ul>"

METHOD_STAGES = ["records auto", "extract auto", "cells auto"]
STAGES = ["page", "text", "clean", "content", "item", "wrapper", *METHOD_STAGES]


def timing(id: str, nodes: int, **cpu_s: float) -> Timing:
    return Timing(id, nodes, False, cpu_s)


def test_stages_are_the_page_each_verb_and_each_method() -> None:
    assert [stage.name for stage in stages(SpeedOptions())] == STAGES
    for stage in stages(SpeedOptions()):
        stage.run(PEOPLE)


def test_stages_can_be_chosen() -> None:
    assert [stage.name for stage in stages(SpeedOptions(stages=["cells auto", "page"]))] == ["page", "cells auto"]


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UnknownMethod):
        stages(SpeedOptions(["magic"]))


def test_an_unknown_stage_is_refused_with_the_known_ones() -> None:
    with pytest.raises(PeneiraError, match="no stage 'magic'; there are: cells auto, clean, content"):
        stages(SpeedOptions(stages=["magic"]))


def test_every_cell_is_read() -> None:
    (cells,) = stages(SpeedOptions(stages=["cells auto"]))
    assert cells.run(PEOPLE) == ["Ana, 31", 31, "Bia, 27", 27, "Cid, 45", 45]


def test_what_a_stage_needs_is_prepared_before_it_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[object] = []

    def cost(run: Callable[[], object]) -> float:
        timed.append(run())
        return 1.0

    monkeypatch.setattr(speed, "_cpu_s", cost)
    prepared = Stage("prepared", len, lambda body: lambda: f"made of {len(body)}")
    left_out = Stage("left out", len, lambda body: None)
    assert list(best_cpu_times(b"<p>", [prepared, left_out], repeat=2)) == ["parse", "prepared"]
    assert timed[1::2] == ["made of 3", "made of 3"]


def test_stages_are_measured_in_turns_and_the_best_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    costs = iter([3.0, 9.0, 4.0, 2.0, 8.0, 1.0])

    def cost(run: Callable[[], object]) -> float:
        run()
        return next(costs)

    monkeypatch.setattr(speed, "_cpu_s", cost)
    both = [Stage("one", lambda body: done.append("one")), Stage("two", lambda body: done.append("two"))]
    assert best_cpu_times(PEOPLE, both, repeat=2) == {"parse": 2.0, "one": 8.0, "two": 1.0}
    assert done == ["one", "two", "one", "two"]


def test_ratios_are_per_page() -> None:
    timings = [
        timing("a", 1, parse=1.0, page=2.0),
        timing("b", 1, parse=2.0, page=8.0),
        timing("c", 1, parse=1.0, page=3.0),
    ]
    assert ratios(timings) == [Ratio("page", 3.0, pytest.approx(3.9))]


def test_factors_follow_the_pages_and_skip_what_was_left_out() -> None:
    timings = [timing("x1", 1, parse=1.0, page=2.0), timing("x2", 2, parse=2.0, page=5.0), timing("x4", 4, parse=4.0)]
    assert factors(timings, "page") == [None, 2.5, None]


def test_the_mid_size_page_has_the_median_of_nodes() -> None:
    assert mid_size([timing("big", 9), timing("small", 1), timing("middle", 5)]) == "middle"


def test_pages_are_timed_in_order_and_a_page_without_a_list_has_no_wrapper() -> None:
    timings = list(time_pages([("a", PEOPLE), ("b", b"")], SpeedOptions(repeat=1)))
    assert [(row.page, row.nodes, list(row.cpu_s)) for row in timings] == [
        ("a", 10, ["parse", *STAGES]),
        ("b", 3, ["parse", *(name for name in STAGES if name != "wrapper")]),
    ]


def test_a_page_grows_by_doubling_up_to_the_limit() -> None:
    timings = list(time_growth(grown(PEOPLE, max_nodes=20), SpeedOptions(stages=["page"], repeat=1)))
    # html, head, meta and body, then 7 nodes each time
    assert [(row.page, row.nodes, list(row.cpu_s)) for row in timings] == [
        ("x1", 11, ["parse", "page"]),
        ("x2", 18, ["parse", "page"]),
    ]


def test_made_lists_have_so_many_records() -> None:
    (cells,) = stages(SpeedOptions(stages=["cells auto"]))
    pages = dict(made_lists(least=5, most=20))
    assert list(pages) == ["5 records", "20 records"]
    values = cells.run(pages["20 records"])
    assert isinstance(values, list)
    assert "Offer number 19 of the catalogue" in values


def test_growth_is_the_cost_per_node_against_the_first() -> None:
    timings = [timing("x1", 10, page=2.0), timing("x2", 20, page=5.0), timing("x4", 40)]
    assert per_node(timings, "page") == [1.0, 1.25, None]


def test_every_so_many_pages_of_a_corpus_are_timed(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    everything = speed_pages(corpora, "a")
    assert speed_pages(corpora, "a", every=2) == everything[::2]
    assert len(everything) > 1


def test_memory_is_per_node_of_the_page() -> None:
    (row,) = memory_per_node([("people", PEOPLE)])
    assert (row.page, row.nodes) == ("people", 10)
    assert row.bytes_per_node >= 0


def test_start_up_is_that_of_commands() -> None:
    times = start_up_ms(repeat=1)
    assert list(times) == ["python", "python, numpy", "peneira --version", "peneira extract small.html"]
    assert min(times.values()) > 0


def test_a_stage_is_repeated_for_counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[bytes] = []
    monkeypatch.setattr(
        "peneira_research.studies.process_cost.stages", lambda options: [Stage(options.stages[0], runs.append)]
    )
    page = tmp_path / "page.html"
    page.write_bytes(PEOPLE)
    repeat_stage(str(page), "page", 2)
    assert runs == [PEOPLE] * 3


def test_counting_instructions_needs_valgrind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(PeneiraError, match="install valgrind"):
        instructions(PEOPLE)


def test_the_document_has_what_was_measured() -> None:
    results = SpeedResults(corpora={"a": [timing("p", 1, parse=1.0, page=2.0)]}, start_up_ms={"python": 20.0})
    document = speed_document(results)
    assert (document["format"], document["version"]) == ("peneira-bench-speed", 2)
    assert document["corpora"] == {
        "a": {
            "ratios": [{"stage": "page", "median": 2.0, "p95": 2.0}],
            "pages": [{"page": "p", "nodes": 1, "is_partial": False, "cpu_s": {"parse": 1.0, "page": 2.0}}],
        }
    }
    assert (document["start_up_ms"], document["instructions"]) == ({"python": 20.0}, {})

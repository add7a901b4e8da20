from collections.abc import Callable

import pytest

import peneira_research.studies.speed as speed
from peneira.errors import UnknownMethod
from peneira_research.studies.speed import (
    Ratio,
    Stage,
    Timing,
    best_cpu_times,
    factors,
    mid_size,
    ratios,
    stages,
    time_growth,
    time_pages,
)

PEOPLE = b"<ul><li>Ana, 31 <li>Bia, 27 <li>Cid, 45</ul>"

STAGES = ["page", "text", "clean", "content", "records auto", "extract auto"]


def timing(id: str, nodes: int, **cpu_s: float) -> Timing:
    return Timing(id, nodes, False, cpu_s)


def test_stages_are_the_page_its_text_and_each_method() -> None:
    assert [stage.name for stage in stages(["auto"])] == STAGES
    for stage in stages(["auto"]):
        stage.run(PEOPLE)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UnknownMethod):
        stages(["magic"])


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


def test_pages_are_timed_in_order() -> None:
    timings = list(time_pages([("a", PEOPLE), ("b", b"")], ["auto"], repeat=1))
    assert [(row.page, row.nodes, list(row.cpu_s)) for row in timings] == [
        ("a", 10, ["parse", *STAGES]),
        ("b", 3, ["parse", *STAGES]),
    ]


def test_a_page_grows_by_doubling_up_to_the_limit() -> None:
    timings = list(time_growth(PEOPLE, ["auto"], repeat=1, max_nodes=20))
    # html, head, meta and body, then 7 nodes each time
    assert [(row.page, row.nodes) for row in timings] == [("x1", 11), ("x2", 18)]

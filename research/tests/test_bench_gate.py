import json
from dataclasses import replace
from pathlib import Path

import pytest

from peneira.errors import CorpusError, PeneiraError
from peneira_research.corpora.gold_pages import Corpora
from peneira_research.corpora.typed_pages import PAGE_TYPES
from peneira_research.scores.word_score import WordScore
from peneira_research.studies.gate import (
    FLOORS,
    Check,
    Floor,
    check,
    current_floors,
    list_floors,
    pin,
    read_floors,
    speed_floors,
    table_floors,
    text_floors,
    type_floors,
    with_speed_margin,
)
from peneira_research.studies.list_quality import CutQuality, ListQuality
from peneira_research.studies.scoreboard import Metric, Metrics
from peneira_research.studies.speed import Timing
from peneira_research.studies.table_outcomes import Shares, TableMetrics
from peneira_research.studies.text_outcomes import TextOutcome
from peneira_research.studies.type_outcomes import TypeMetrics
from test_bench_corpora import write_corpora
from test_typed_pages import write_typed_pages

NOW = {"a": Floor("auto", 0.85678, "h1"), "all": Floor("auto", 0.7, "h2")}


def test_a_metric_at_its_floor_passes() -> None:
    assert check(NOW, {"a": Floor("auto", 0.8567, "h1"), "all": Floor("auto", 0.7 + 1e-10, "h2")}) == [
        Check("a", 0.85678, 0.8567),
        Check("all", 0.7, 0.7 + 1e-10),
    ]


@pytest.mark.parametrize(
    ("pinned", "problem"),
    [
        ({"a": Floor("auto", 0.8568, "h1")}, "below its floor"),
        ({"a": Floor("auto", 0.1, "other")}, "the corpus has changed; re-pin with --update"),
        ({"a": Floor("tps", 0.1, "h1")}, "pinned for method tps; re-pin with --update"),
        ({}, "not pinned; run with --update"),
    ],
)
def test_a_failed_check_states_why(pinned: dict[str, Floor], problem: str) -> None:
    assert [row.problem for row in check({"a": NOW["a"]}, pinned)] == [problem]


def test_a_metric_above_its_ceiling_fails() -> None:
    now = {"a": Floor("auto", 0.2, "h1", is_ceiling=True)}
    rows = [check(now, {"a": Floor("auto", ceiling, "h1", is_ceiling=True)})[0] for ceiling in (0.3, 0.2, 0.1)]
    assert [row.problem for row in rows] == ["", "", "above its ceiling"]
    assert [row.margin for row in rows] == pytest.approx([0.1, 0.0, -0.1])
    assert check(now, {"a": Floor("auto", 0.3, "h1")})[0].problem.startswith("pinned as the other")


def test_ceilings_are_rounded_up_and_raising_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    current = {"a": Floor("auto", 0.12341, "h1", is_ceiling=True), "b": Floor("auto", 8, "h1", is_ceiling=True)}
    written = pin(path, current, {}, allow_lower=False)
    assert [floor.floor for floor in written.values()] == [0.1235, 8]
    assert read_floors(path) == written
    assert pin(path, current, written, allow_lower=False) == written
    with pytest.raises(PeneiraError, match=r"would lower b 7\.0000 -> 8"):
        pin(path, current, {"b": Floor("auto", 7, "h1", is_ceiling=True)}, allow_lower=False)


def test_tables_have_floors_and_ceilings(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    pooled = Shares(whole=1.0, astray=0.0, found=0.9, found_all=1.0, named=None, redundant=0.1)
    metrics = TableMetrics(pages=1, pooled=pooled, mean=pooled, median_columns=7.5, no_table=0, errors=0)
    digest = corpora.digest("modern")
    assert table_floors("auto", {"modern": metrics}, corpora) == {
        "table modern found": Floor("auto", 0.9, digest),
        "table modern redundant": Floor("auto", 0.1, digest, is_ceiling=True),
        "table modern median columns": Floor("auto", 7.5, digest, is_ceiling=True),
    }


def test_cuts_have_floors_and_further_corpora_have_one_for_f1(tmp_path: Path) -> None:
    corpora = Corpora(write_typed_pages(tmp_path))
    cut = CutQuality(pages=1, whole=0.9, astray=0.1, out_of_phase=0.2, perfect=0.7)
    quality = ListQuality(pages=1, f1=0.8, low=0.7, high=0.9, confident=1, confident_right=1.0, cut=cut)
    rows = {"a": replace(quality, cut=None), "modern": quality, "modern2": replace(quality, cut=None), "all": quality}
    digest = corpora.digest("modern")
    assert list_floors("auto", rows, corpora) == {
        "records modern whole": Floor("auto", 0.9, digest),
        "records modern perfect": Floor("auto", 0.7, digest),
        "records modern out of phase": Floor("auto", 0.2, digest, is_ceiling=True),
        "modern2": Floor("auto", 0.8, corpora.digest("modern2")),
    }


def test_lists_on_pages_without_one_have_a_ceiling_and_on_list_pages_a_floor() -> None:
    rows = {page_type: TypeMetrics(4, 0.25, 0.0, {"list": 1}, 0) for page_type in PAGE_TYPES}
    floors = type_floors("auto", rows, "h")
    assert floors["types listing main list"] == Floor("auto", 0.25, "h")
    assert floors["types article main list"] == Floor("auto", 0.25, "h", is_ceiling=True)
    assert {name.split()[1] for name in floors} == {*PAGE_TYPES} - {"forum"}


def test_a_pinned_metric_that_is_not_measured_fails() -> None:
    assert check({}, {"a": NOW["a"]}) == [Check("a", None, 0.85678, "pinned, but there are no such pages")]


def test_floors_are_rounded_down_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    written = pin(path, NOW, {}, allow_lower=False)
    assert written == {"a": Floor("auto", 0.8567, "h1"), "all": Floor("auto", 0.7, "h2")}
    assert read_floors(path) == written
    assert json.loads(path.read_text())["format"] == "peneira-floors"


def test_lowering_a_floor_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    pinned = {"a": Floor("auto", 0.9, "h1"), "gone": Floor("auto", 0.5, "h3")}
    with pytest.raises(PeneiraError, match=r"would lower a 0\.9000 -> 0\.8567, gone 0\.5000 -> None; .*--allow-lower"):
        pin(path, NOW, pinned, allow_lower=False)
    assert not path.exists()
    assert pin(path, NOW, pinned, allow_lower=True)["a"].floor == 0.8567


def one_floor(value: str) -> str:
    floor = f'{{"method": "auto", "floor": {value}, "hash": "h"}}'
    return f'{{"format": "peneira-floors", "version": 1, "floors": {{"all": {floor}}}}}'


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"format": "other", "version": 1}',
        '{"format": "peneira-floors"}',
        one_floor("NaN"),
        one_floor('"0.5"'),
    ],
)
def test_a_file_that_holds_no_floors_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "floors.json"
    path.write_text(content)
    with pytest.raises(CorpusError, match="not a floors file"):
        read_floors(path)


def test_missing_floors_say_how_to_pin_them(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no floors are pinned; run with --update"):
        read_floors(tmp_path / "floors.json")


def test_current_floors_carry_the_hash_of_their_corpora(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    measured = Metrics({"a": Metric(0.5, 1), "b": Metric(0.7, 1)}, Metric(0.6, 2), None, Metric(1.0, 1), 1, 0)
    floors = current_floors("auto", measured, corpora)
    assert {name: floor.floor for name, floor in floors.items()} == {"a": 0.5, "b": 0.7, "all": 0.6, "negatives": 1.0}
    assert floors["a"].hash == corpora.digest("a")
    (tmp_path / "lists" / "pages" / "3.html").write_text("changed")
    changed = current_floors("auto", measured, Corpora(tmp_path))
    assert [name for name in floors if floors[name].hash != changed[name].hash] == ["b", "all"]


def test_the_pinned_floors_are_readable() -> None:
    assert {floor.method for floor in read_floors(FLOORS).values()} == {"auto", "item", "text"}


def test_speed_has_ceilings_by_corpus_and_stage(tmp_path: Path) -> None:
    corpora = Corpora(write_corpora(tmp_path))
    timings = {"a": [Timing("p", 1, False, {"parse": 1.0, "cells auto": ratio}) for ratio in (20.0, 30.0, 90.0)]}
    assert speed_floors("auto", timings, corpora) == {
        "speed a cells auto": Floor("auto", 30.0, corpora.digest("a"), is_ceiling=True)
    }


@pytest.mark.parametrize(
    ("pinned", "ceiling"),
    [
        ({}, 16.0),  # new: with the margin
        ({"speed a": Floor("auto", 40.0, "h1", is_ceiling=True)}, 16.0),  # faster: lower
        ({"speed a": Floor("auto", 12.0, "h1", is_ceiling=True)}, 12.0),  # noise does not raise it
        ({"speed a": Floor("auto", 12.0, "other", is_ceiling=True)}, 16.0),  # other pages
    ],
)
def test_ceilings_of_the_speed_have_a_margin_and_are_not_raised(pinned: dict[str, Floor], ceiling: float) -> None:
    current = {"speed a": Floor("auto", 10.0, "h1", is_ceiling=True), "a": Floor("auto", 0.5, "h1")}
    assert with_speed_margin(current, pinned) == {
        "speed a": Floor("auto", ceiling, "h1", is_ceiling=True),
        "a": Floor("auto", 0.5, "h1"),
    }


def test_main_texts_have_a_floor_for_all_pages_and_for_each_type() -> None:
    rows = [
        TextOutcome(str(k), page_type, 0.5, {"peneira": WordScore(1.0, 1.0, f1)})
        for k, (page_type, f1) in enumerate((("article", 1.0), ("article", 0.8), ("product", 0.6)))
    ]
    values = {name: floor.floor for name, floor in text_floors(rows, "h").items()}
    assert values == pytest.approx({"text all": 0.8, "text article": 0.9, "text product": 0.6})

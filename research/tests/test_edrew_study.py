"""EDREW's table: noise is sampled, sites are seen or not, and a table of paths knows no path of a new site."""

from __future__ import annotations

import numpy as np
import pytest

from peneira.texts.retps import DEFAULT_VOCABULARY, vocabulary_with
from peneira_research.corpora.archives import SwdePage
from peneira_research.corpora.gold_texts import GOLD, NOISE
from peneira_research.corpora.labelled_paths import LabelledPaths, PathPage, _contents
from peneira_research.corpora.page_origin import Origin
from peneira_research.reports.edrew_report import published_text, ratio_name, ratios_of
from peneira_research.studies.edrew_study import (
    BOUND,
    LOOKUP,
    EdrewResult,
    best_threshold,
    f1_bounds,
    positions,
    run_figures,
    run_table,
    sampled,
    seen_split,
    unseen_splits,
)


def page(site: str, number: int, codes: list[int], labels: list[int]) -> PathPage:
    return PathPage(
        "auto", site, f"{site}{number}", f"{site}{number}", Origin("auto", owner=site), np.array(codes),
        np.array(labels, dtype=np.int8),
    )  # fmt: skip


def sites(count: int = 4, pages: int = 10) -> LabelledPaths:
    """Each site has a path that is always gold, one that is gold on every second page, and one of noise."""
    made = [
        page(f"s{k}", n, [3 * k, 3 * k + 1, 3 * k + 2, 3 * k + 2], [GOLD, n % 2, NOISE, NOISE])
        for k in range(count)
        for n in range(pages)
    ]
    paths = tuple(("<#CNT>", f"td|{place}", f"s{k}|1") for k in range(count) for place in (1, 21, 55))
    return LabelledPaths(tuple(made), paths)


def quiet(step: str) -> None:
    del step


def found(data: LabelledPaths) -> dict[tuple[str, float | None, str], EdrewResult]:
    rows = [row for rows in run_table(data, with_model=False, folds=2, on_step=quiet) for row in rows]
    return {(row.sites, row.ratio, row.variant): row for row in rows if row.part == "all"}


def test_a_sample_has_all_gold_and_so_many_times_the_noise():
    pages = [page("a", 0, [0] * 12, [GOLD] * 2 + [NOISE] * 10)]
    assert np.bincount(sampled(pages, 2).labels).tolist() == [4, 2]
    assert np.bincount(sampled(pages, None).labels).tolist() == [10, 2]


def test_halves_of_noise_are_drawn_at_random():
    pages = [page("a", n, [0, 0], [GOLD, NOISE]) for n in range(200)]
    noise = int((sampled(pages, 0.5).labels == NOISE).sum())
    assert 80 < noise < 120


def test_a_table_of_paths_knows_seen_sites_and_nothing_of_others():
    rows = found(sites())
    assert rows["seen", None, LOOKUP].recall > 0.5
    assert rows["unseen", None, LOOKUP].f1 == 0
    assert rows["unseen", None, BOUND].f1 > 0.8


def test_paths_that_are_gold_here_and_noise_there_bound_every_classifier():
    assert found(sites())["unseen", None, BOUND].f1 < 1


def test_no_site_is_in_training_and_test_of_the_unseen():
    for split in unseen_splits(sites().pages, 2):
        assert not {p.site for p in (*split.train, *split.validate)} & {p.site for p in split.test}
    assert {p.site for p in seen_split(sites().pages).train} == {p.site for p in sites().pages}


def test_the_threshold_is_the_one_with_the_best_f1():
    labels = np.array([1, 1, 0, 0], dtype=np.int8)
    assert 0.3 < best_threshold(np.array([0.9, 0.5, 0.3, 0.1]), labels) <= 0.5


def test_the_interval_of_an_f1_holds_it():
    labels, kept = np.array([1, 1, 0, 1], dtype=np.int8), np.array([True, False, True, True])
    low, high = f1_bounds(labels, kept, np.array(["a", "b", "c", "d"]))
    assert low <= 2 * 2 / (2 * 2 + 1 + 1) <= high


def test_shorter_paths_make_contents_alike():
    data = sites(count=2, pages=1).cut(2)
    assert data.paths == (("<#CNT>", "td|1"), ("<#CNT>", "td|21"), ("<#CNT>", "td|55"))
    assert [p.codes.tolist() for p in data.pages] == [[0, 1, 2, 2], [0, 1, 2, 2]]


def test_pages_of_equal_elements_count_once():
    first = page("a", 0, [0], [GOLD])
    data = LabelledPaths((first, first), (("p|1",),))
    assert data.without_repetitions().pages == (first,)


def test_figure_13_has_the_shares_of_the_positions():
    points = {(point.series, point.x): point.y for point in positions(sites())}
    assert points["gold", 1] == pytest.approx(2 / 3)
    assert points["noise", 55] == pytest.approx(0.8)


def test_figures_without_a_model_are_those_of_paths():
    points = list(run_figures(sites(), with_model=False, on_step=quiet))
    assert {point.figure for point in points} == {10, 13}


def test_a_content_is_gold_if_one_of_its_texts_is():
    body = b"<p>Price <b>$5</b></p><div>Menu</div>"
    source = SwdePage("auto", "a", "1", body, {"price": ("$5",)})
    made, entries = _contents(source, DEFAULT_VOCABULARY)
    assert made.labels.tolist() == [GOLD, NOISE]
    assert [path[:2] for path in entries] == [("<#CNT>", "p|55"), ("<#CNT>", "div|100")]


def test_further_tokens_are_in_the_paths():
    source = SwdePage("auto", "a", "1", b"<p class=author>Ann</p>", {})
    _, (path,) = _contents(source, vocabulary_with(["author=<#AUTH>"]))
    assert "<#AUTH>" in path


def test_the_published_figures_of_a_vertical_stand_beside_ours():
    assert published_text("auto") == "EDREW 94 98 96; LANTERN 82.1 67.8 72.3"
    assert published_text("book") == ""
    assert (ratio_name(0.5), ratio_name(None)) == ("0.5:1", "natural")


def test_ratios_rise_and_whole_pages_are_last():
    rows = list(found(sites()).values())
    assert ratios_of(rows[::-1]) == [0.5, 1, 2, 5, 10, None]

"""Intervals of means and paired differences."""

from __future__ import annotations

import pytest

from peneira_research.scores.resampling import difference, interval, resampled_means


def test_the_interval_holds_the_mean_and_equal_input_gives_equal_bounds():
    values, sites = [0.0, 1.0, 1.0, 1.0] * 5, [f"s{k}" for k in range(20)]
    found = interval(values, sites)
    assert found.mean == 0.75
    assert found.low < 0.75 < found.high
    assert found == interval(values, sites)


def test_pages_of_one_site_are_drawn_together():
    values = [0.0] * 10 + [1.0] * 10
    assert set(resampled_means(values, ["x"] * 10 + ["y"] * 10).tolist()) == {0.0, 0.5, 1.0}


def test_a_method_that_is_better_on_every_page_is_clearly_better():
    sites = [f"s{k}" for k in range(10)]
    found = difference([0.9] * 10, [0.5] * 10, sites)
    assert (round(found.mean, 6), found.is_clear) == (0.4, True)
    assert found.p == pytest.approx(0.001)


def test_a_method_against_itself_has_no_difference():
    found = difference([0.5, 0.7], [0.5, 0.7], ["a", "b"])
    assert (found.mean, found.low, found.high, found.p, found.is_clear) == (0.0, 0.0, 0.0, 1.0, False)


def test_the_order_of_the_methods_turns_the_sign():
    sites = ["a", "b", "c"]
    there, back = difference([1, 0, 1], [0, 1, 0], sites), difference([0, 1, 0], [1, 0, 1], sites)
    assert there.mean == -back.mean

"""Intervals of means and paired tests, by resampling sites: pages of one site rise and fall together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Runs, seed, and the share of the runs inside an interval
RESAMPLINGS = 2000
SEED = 1
INTERVAL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over pages, and the interval of 95 % of it."""

    mean: float
    low: float
    high: float
    pages: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of one method minus that of another on the same pages, its interval of 95 %, and ``p``.

    ``p``: twice the share of the resamplings in which the difference has the other sign or none; at least 1 in 1,000.
    """

    mean: float
    low: float
    high: float
    p: float
    pages: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval is on one side of zero."""
        return self.low > 0 or self.high < 0


def interval(values: Sequence[float], sites: Sequence[str]) -> Interval:
    """Return the mean of one value per page, and its interval; there must be a page."""
    means = resampled_means(values, sites)
    low, high = bounds(means)
    return Interval(float(np.mean(values)), low, high, len(values))


def ratio_interval(parts: Sequence[float], wholes: Sequence[float], sites: Sequence[str]) -> Interval | None:
    """Return the sum of the parts over that of the wholes, and its interval; None where the wholes are nothing."""
    total = sum(wholes)
    if not total:
        return None
    means = resampled_means(parts, sites) / np.maximum(resampled_means(wholes, sites), 1e-12)
    low, high = bounds(means)
    return Interval(sum(parts) / total, min(low, 1.0), min(high, 1.0), len(parts))


def difference(left: Sequence[float], right: Sequence[float], sites: Sequence[str]) -> Difference:
    """Return the paired difference of two methods; both have one value per page, in the same order."""
    gains = [a - b for a, b in zip(left, right, strict=True)]
    means = resampled_means(gains, sites)
    low, high = bounds(means)
    mean = float(np.mean(gains))
    other_side = float(np.mean(means <= 0 if mean > 0 else means >= 0))
    return Difference(mean, low, high, min(max(2 * other_side, 2 / RESAMPLINGS), 1.0), len(gains))


def median_interval(values: Sequence[float]) -> Interval:
    """Return the median of one value per page, and its interval over pages; there must be a page."""
    numbers = np.array(values)
    chosen = np.random.default_rng(SEED).integers(0, len(numbers), (RESAMPLINGS, len(numbers)))
    low, high = bounds(np.median(numbers[chosen], axis=1))
    return Interval(float(np.median(numbers)), low, high, len(numbers))


def resampled_means(values: Sequence[float], sites: Sequence[str]) -> NDArray[np.float64]:
    """Return the mean over pages of each resampling of the sites; equal input gives equal means."""
    sums: dict[str, float] = dict.fromkeys(sorted(set(sites)), 0.0)
    counts: dict[str, int] = dict.fromkeys(sums, 0)
    for value, site in zip(values, sites, strict=True):
        sums[site] += value
        counts[site] += 1
    total, number = np.array(list(sums.values())), np.array(list(counts.values()))
    chosen = np.random.default_rng(SEED).integers(0, len(total), (RESAMPLINGS, len(total)))
    return np.asarray(total[chosen].sum(axis=1) / number[chosen].sum(axis=1))


def bounds(means: NDArray[np.float64]) -> tuple[float, float]:
    """Return the interval of 95 % of resampled values."""
    tail = (1 - INTERVAL) / 2
    low, high = np.quantile(means, [tail, 1 - tail]).tolist()
    return low, high

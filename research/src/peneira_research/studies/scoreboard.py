"""Metrics from outcomes: per method, a mean per corpus and over all pages.

A corpus figure is the mean F1 over the pages with anchors, those with partial gold left out. Pages of which only the
number of records is known, and negatives, are counted apart.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean

from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.run import Outcome

# A page is right from this F1 on
RIGHT = 0.9

FORMAT = "peneira-bench-records"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Metric:
    """A mean over pages, 0..1, and over how many."""

    value: float
    pages: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """All figures of one method; None where there is no page to measure.

    ``f1`` by corpus; ``exact_count``: share of the pages with a count but no anchors; ``region``: share of the counted
    pages on which the element of the main list is right (see ``selection.py``); ``quiet``: share of the negatives
    on which no list is claimed; ``silent``: number of the negatives on which no list is returned at all.
    """

    f1: Mapping[str, Metric]
    all: Metric | None
    exact_count: Metric | None
    quiet: Metric | None
    silent: int
    errors: int
    region: Metric | None = None


def figures(outcomes: Iterable[Outcome]) -> dict[str, Metrics]:
    """Return the figures of each method, methods and corpora in the order of the outcomes."""
    by_method: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_method.setdefault(outcome.method, []).append(outcome)
    return {method: _figures(rows) for method, rows in by_method.items()}


@dataclass(frozen=True, slots=True)
class Bin:
    """Pages on which a method's main list has a confidence from ``low`` on: how many, and how often it is right.

    ``lists`` of them are pages with gold records; a list claimed on a page without one is never right.
    """

    method: str
    low: float
    pages: int
    lists: int
    confidence: float
    right: float


def calibration(outcomes: Iterable[Outcome]) -> list[Bin]:
    """Return, per method and tenth of confidence, how often a main list of that confidence is right."""
    rows: dict[tuple[str, float], list[Outcome]] = {}
    for one in outcomes:
        if one.confidence is not None and not one.is_partial and (one.f1 is not None or one.is_negative):
            rows.setdefault((one.method, min(int(one.confidence * 10), 9) / 10), []).append(one)
    return [
        Bin(
            method,
            low,
            len(those),
            sum(one.f1 is not None for one in those),
            fmean(one.confidence or 0.0 for one in those),
            fmean((one.f1 or 0.0) >= RIGHT for one in those),
        )
        for (method, low), those in sorted(rows.items())
    ]


def document(outcomes: Sequence[Outcome], corpora: Corpora) -> dict[str, object]:
    """Return the scoreboard as JSON: what was run on what, the figures, every page. Equal runs give equal documents."""
    names = list(dict.fromkeys(outcome.corpus for outcome in outcomes))
    board = figures(outcomes)
    return {
        "format": FORMAT,
        "version": VERSION,
        "meta": {
            "peneira": _own_version(),
            "python": platform.python_version(),
            "methods": list(board),
            "corpora": {name: corpora.digest(name) for name in names},
        },
        "figures": {method: asdict(row) for method, row in board.items()},
        "calibration": [asdict(one) for one in calibration(outcomes)],
        "pages": [asdict(outcome) for outcome in outcomes],
    }


def counts(outcome: Outcome) -> bool:
    """Tell whether the page counts in the mean F1."""
    return outcome.f1 is not None and not outcome.is_partial


def worst(outcomes: Iterable[Outcome], number: int) -> list[Outcome]:
    """Return the counted pages of lowest F1, the worst first."""
    scored = [outcome for outcome in outcomes if counts(outcome)]
    return sorted(scored, key=lambda row: (row.f1 or 0.0, row.corpus, row.id, row.method))[:number]


def _figures(rows: Sequence[Outcome]) -> Metrics:
    counted = [row for row in rows if counts(row)]
    corpora = dict.fromkeys(row.corpus for row in counted)
    negatives = [row for row in rows if row.is_negative]
    only_counted = [row for row in rows if row.f1 is None and row.exact_count is not None and not row.is_negative]
    by_corpus = {name: _mean([row for row in counted if row.corpus == name], _f1) for name in corpora}
    return Metrics(
        f1={name: figure for name, figure in by_corpus.items() if figure},
        all=_mean(counted, _f1),
        exact_count=_mean(only_counted, lambda row: float(bool(row.exact_count))),
        region=_mean(counted, lambda row: float(bool(row.region_right))),
        quiet=_mean(negatives, _quiet),
        silent=sum(row.confidence is None and row.error is None for row in negatives),
        errors=sum(row.error is not None for row in rows),
    )


def _mean(rows: Sequence[Outcome], measure: Callable[[Outcome], float]) -> Metric | None:
    return Metric(fmean(map(measure, rows)), len(rows)) if rows else None


def _f1(row: Outcome) -> float:
    return row.f1 or 0.0


def _quiet(row: Outcome) -> float:
    """Return 1 where no list is claimed. A method that failed on the page cannot pass for quiet."""
    return float(row.error is None and row.confident_lists == 0)


def _own_version() -> str:
    try:
        return version("peneira")
    except PackageNotFoundError:
        return "not installed"

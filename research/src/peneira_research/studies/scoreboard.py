"""Metrics from outcomes: per method, a mean per corpus and over all pages.

The metric of a corpus is the mean F1 over the pages with anchors, without those with partial gold. Pages of which only
the number of records is known, and negatives, have metrics of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from peneira_research.corpora.gold_pages import Corpora
from peneira_research.studies.list_quality import quality_by_corpus
from peneira_research.studies.page_outcomes import Outcome
from peneira_research.studies.run_meta import run_meta
from peneira_research.studies.type_outcomes import TypeOutcome, metrics_by_type

FORMAT = "peneira-bench-records"
VERSION = 3


@dataclass(frozen=True, slots=True)
class Metric:
    """A mean over pages, 0..1, and the number of pages."""

    value: float
    pages: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """All metrics of one method; None where there is no page to measure.

    ``f1`` by corpus; ``exact_count``: share of the pages with a count but no anchors; ``region``: share of the counted
    pages on which the element of the main list is right (see ``element_score.py``); ``quiet``: share of the negatives
    on which no list is claimed; ``silent``: number of the negatives on which no list is returned at all.
    """

    f1: Mapping[str, Metric]
    all: Metric | None
    exact_count: Metric | None
    quiet: Metric | None
    silent: int
    errors: int
    region: Metric | None = None


def metrics_by_method(outcomes: Iterable[Outcome]) -> dict[str, Metrics]:
    """Return the metrics of each method, methods and corpora in the order of the outcomes."""
    return {method: _metrics(rows) for method, rows in by_method(outcomes).items()}


def by_method(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each method."""
    rows: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        rows.setdefault(outcome.method, []).append(outcome)
    return rows


@dataclass(frozen=True, slots=True)
class Bin:
    """Pages on which a method's main list has a confidence of ``low`` to ``low`` + 0.1, and how often it is right.

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
    for row in outcomes:
        if row.confidence is not None and not row.is_partial and (row.f1 is not None or row.is_negative):
            rows.setdefault((row.method, min(int(row.confidence * 10), 9) / 10), []).append(row)
    return [
        Bin(
            method,
            low,
            len(in_bin),
            sum(row.f1 is not None for row in in_bin),
            fmean(row.confidence or 0.0 for row in in_bin),
            fmean(row.is_right for row in in_bin),
        )
        for (method, low), in_bin in sorted(rows.items())
    ]


def document(outcomes: Sequence[Outcome], corpora: Corpora, types: Sequence[TypeOutcome] = ()) -> dict[str, object]:
    """Return the scoreboard as JSON: methods and corpora, metrics, every page. Equal runs give equal documents.

    ``types``: the outcomes of pages of known type, if they were measured.
    """
    names = list(dict.fromkeys(outcome.corpus for outcome in outcomes))
    board = metrics_by_method(outcomes)
    return {
        "format": FORMAT,
        "version": VERSION,
        "meta": {
            **asdict(run_meta(corpora, names)),
            "methods": list(board),
        },
        "metrics": {method: asdict(row) for method, row in board.items()},
        "lists": {
            method: {name: asdict(quality) for name, quality in quality_by_corpus(rows, corpora.classic_names).items()}
            for method, rows in by_method(outcomes).items()
        },
        "calibration": [asdict(row) for row in calibration(outcomes)],
        "types": {page_type: asdict(metrics) for page_type, metrics in metrics_by_type(types).items()},
        "pages": [asdict(outcome) for outcome in outcomes],
        "typed_pages": [asdict(outcome) for outcome in types],
    }


def worst(outcomes: Iterable[Outcome], number: int) -> list[Outcome]:
    """Return the counted pages of lowest F1, the worst first."""
    scored = [outcome for outcome in outcomes if outcome.is_counted]
    return sorted(scored, key=lambda row: (row.f1 or 0.0, row.corpus, row.id, row.method))[:number]


def _metrics(rows: Sequence[Outcome]) -> Metrics:
    counted = [row for row in rows if row.is_counted]
    corpora = dict.fromkeys(row.corpus for row in counted)
    negatives = [row for row in rows if row.is_negative]
    only_counted = [row for row in rows if row.f1 is None and row.exact_count is not None and not row.is_negative]
    by_corpus = {name: _mean([row for row in counted if row.corpus == name], _f1) for name in corpora}
    with_elements = [row for row in counted if row.region_right is not None]
    return Metrics(
        f1={name: metric for name, metric in by_corpus.items() if metric},
        all=_mean(counted, _f1),
        exact_count=_mean(only_counted, lambda row: float(bool(row.exact_count))),
        region=_mean(with_elements, lambda row: float(bool(row.region_right))),
        quiet=_mean(negatives, _quiet),
        silent=sum(row.confidence is None and not row.confident_lists and not row.error for row in negatives),
        errors=sum(row.error is not None for row in rows),
    )


def _mean(rows: Sequence[Outcome], measure: Callable[[Outcome], float]) -> Metric | None:
    return Metric(fmean(map(measure, rows)), len(rows)) if rows else None


def _f1(row: Outcome) -> float:
    return row.f1 or 0.0


def _quiet(row: Outcome) -> float:
    """Return 1 where no list is claimed; a method that failed on the page does not count as quiet."""
    return float(row.error is None and row.confident_lists == 0)

"""The tables of ``bench text`` for a reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.word_score import WordScore
from peneira_research.studies.text_outcomes import TextOutcome

TYPES = ("article", "documentation", "service", "forum", "collection", "listing", "product")
# Word F1 on the development pages, from the benchmark's README (M. Foley 2026)
PUBLISHED: Mapping[str, tuple[str, ...]] = {
    "rs-trafilatura, published": (".859", ".932", ".932", ".844", ".808", ".716", ".707", ".641"),
    "MinerU-HTML, published": (".827", ".928", ".838", ".824", ".794", ".506", ".710", ".619"),
    "Trafilatura, published": (".791", ".926", ".888", ".763", ".585", ".553", ".589", ".567"),
}


def text_table(outcomes: Sequence[TextOutcome]) -> Table:
    """Return a row per system: word F1 of all pages and of each type."""
    table = plain_table("word F1", "all", *TYPES, left=("word F1",))
    table.add_row("pages", str(len(outcomes)), *(str(len(_of_type(outcomes, name))) for name in TYPES))
    for system in _systems(outcomes):
        table.add_row(system, *_cells(outcomes, system, lambda score: score.f1))
    for system, figures in PUBLISHED.items():
        table.add_row(system, *figures)
    return table


def snippet_table(outcomes: Sequence[TextOutcome]) -> Table:
    """Return a row per system: precision, recall, and the shares of wanted and unwanted snippets in its texts."""
    table = plain_table("", "precision", "recall", "with", "without", left=("",))
    for system in _systems(outcomes):
        scores = [outcome.scores[system] for outcome in outcomes]
        table.add_row(
            system,
            _mean([score.precision for score in scores]),
            _mean([score.recall for score in scores]),
            _mean([score.kept for score in scores if score.kept is not None]),
            _mean([score.let_through for score in scores if score.let_through is not None]),
        )
    return table


def _systems(outcomes: Sequence[TextOutcome]) -> tuple[str, ...]:
    return tuple(outcomes[0].scores) if outcomes else ()


def _of_type(outcomes: Sequence[TextOutcome], name: str) -> list[TextOutcome]:
    return [outcome for outcome in outcomes if outcome.type == name]


def _cells(outcomes: Sequence[TextOutcome], system: str, value: Callable[[WordScore], float]) -> list[str]:
    groups = [outcomes, *(_of_type(outcomes, name) for name in TYPES)]
    return [_mean([value(outcome.scores[system]) for outcome in group]) for group in groups]


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else ""

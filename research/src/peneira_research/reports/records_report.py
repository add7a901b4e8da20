"""The tables of ``bench records`` and ``bench gate``: scoreboard, lists, types, calibration, worst pages, floors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.studies.gate import Check
from peneira_research.studies.list_quality import CONFIDENT, CutQuality, ListQuality
from peneira_research.studies.page_outcomes import MIN_CONFIDENCE, Outcome
from peneira_research.studies.scoreboard import Bin, Metric, Metrics
from peneira_research.studies.type_outcomes import TypeMetrics, TypeOutcome, metrics_by_type, type_metrics


def scoreboard_table(board: Mapping[str, Metrics]) -> Table:
    """Return the scoreboard: a row per corpus, a column per method."""
    table = plain_table("corpus", "pages", *board, left=["corpus"])
    for name in dict.fromkeys(name for row in board.values() for name in row.f1):
        _add(table, name, board, lambda row, name=name: row.f1.get(name))  # type: ignore[misc]
    table.add_section()
    _add(table, "all", board, lambda row: row.all)
    _add(table, "main region: right", board, lambda row: row.region)
    _add(table, "count only: exact", board, lambda row: row.exact_count)
    _add(table, "negatives: quiet", board, lambda row: row.quiet)
    if any(row.quiet for row in board.values()):
        table.add_row("negatives: no list", "", *(str(row.silent) for row in board.values()))
    if any(row.errors for row in board.values()):
        table.add_row("errors", "", *(str(row.errors) for row in board.values()))
    return table


def _add(table: Table, name: str, board: Mapping[str, Metrics], pick: Callable[[Metrics], Metric | None]) -> None:
    cells = [pick(row) for row in board.values()]
    pages = max((cell.pages for cell in cells if cell), default=0)
    if pages:
        table.add_row(name, str(pages), *(f"{cell.value:.4f}" if cell else "" for cell in cells))


def lists_table(qualities: Mapping[str, ListQuality]) -> Table:
    """Return a row per corpus: F1 with its interval, confident lists, and how records are cut where gold has fields."""
    confident = f"conf {CONFIDENT:g}"
    cut = ("with fields", "whole", "astray", "out of phase", "perfect")
    table = plain_table("corpus", "pages", "f1", "95 %", confident, "right", *cut, left=["corpus"])
    for name, row in qualities.items():
        interval = f"{row.low:.3f}-{row.high:.3f}"
        shares = (f"{row.confident_share:.3f}", _share(row.confident_right))
        table.add_row(name, str(row.pages), f"{row.f1:.4f}", interval, *shares, *_cut_cells(row.cut))
    return table


def _cut_cells(cut: CutQuality | None) -> list[str]:
    if cut is None:
        return []
    return [str(cut.pages), *(_share(share) for share in (cut.whole, cut.astray, cut.out_of_phase, cut.perfect))]


def types_table(outcomes: Sequence[TypeOutcome]) -> Table:
    """Return a row per page type, and per corpus where a type is in several: how many have a list, and the verdicts."""
    verdicts = list(type_metrics(outcomes).verdicts)
    table = plain_table(
        "type", "corpus", "pages", "main list", f"conf {MIN_CONFIDENCE:g}", *verdicts, "errors", left=["type", "corpus"]
    )
    for page_type, metrics in metrics_by_type(outcomes).items():
        _add_type(table, page_type, "", metrics, verdicts)
        of_type = [outcome for outcome in outcomes if outcome.type == page_type]
        corpora = sorted({outcome.corpus for outcome in of_type})
        for corpus in corpora if len(corpora) > 1 else ():
            of_corpus = type_metrics([outcome for outcome in of_type if outcome.corpus == corpus])
            _add_type(table, "", corpus, of_corpus, verdicts)
    return table


def _add_type(table: Table, page_type: str, corpus: str, metrics: TypeMetrics, verdicts: Sequence[str]) -> None:
    counts = [str(metrics.verdicts.get(verdict, "")) for verdict in verdicts]
    shares = (f"{metrics.main_list:.3f}", f"{metrics.claimed_list:.3f}")
    table.add_row(page_type, corpus, str(metrics.pages), *shares, *counts, str(metrics.errors or ""))


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def calibration_table(bins: Sequence[Bin]) -> Table:
    """Return how often main lists are right, by their confidence."""
    table = plain_table(
        "confidence", "method", "pages", "of them lists", "mean", "right", left=["confidence", "method"]
    )
    for row in bins:
        counts = (str(row.pages), str(row.lists))
        table.add_row(f"{row.low:.1f} and more", row.method, *counts, f"{row.confidence:.3f}", f"{row.right:.3f}")
    return table


def worst_table(outcomes: Sequence[Outcome]) -> Table:
    """Return the pages of lowest F1 with their scores, records and verdicts."""
    columns = ("page", "method", "f1", "prec", "recall", "scale", "records", "anchors", "conf", "verdict")
    table = plain_table(*columns, left=["page", "method", "verdict"])
    for row in outcomes:
        ratios = (row.f1, row.precision, row.recall, row.scale)
        table.add_row(
            row.id,
            row.method,
            *(f"{ratio:.3f}" if ratio is not None else "" for ratio in ratios),
            str(row.records),
            str(row.anchors or 0),
            f"{row.confidence:.2f}" if row.confidence is not None else "",
            row.error or row.verdict or "",
        )
    return table


def check_table(checks: Sequence[Check]) -> Table:
    """Return each metric with its floor and what is wrong with it."""
    table = plain_table("metric", "now", "floor", "margin", "problem", left=["metric", "problem"])
    for check in checks:
        numbers = (check.value, check.floor, check.margin)
        table.add_row(check.name, *("" if number is None else f"{number:.4f}" for number in numbers), check.problem)
    return table

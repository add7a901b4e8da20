"""``peneira bench paging``: the links to the other pages of a list."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira_research.commands.bench import (
    corpora_option,
    every_option,
    jobs_option,
    open_corpora,
    output_option,
    write_results,
)

if TYPE_CHECKING:
    from rich.table import Table

    from peneira_research.scores.paging_score import PagingOutcome

EXAMPLES = """\b
Examples:
  peneira bench paging
  peneira bench paging --cost --worst 10
"""
# Pages that are timed, evenly spaced
MAX_TIMED = 30
# Numbered pages below this count as a failure of the page
MIN_F1 = 0.95


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option("--worst", type=click.IntRange(min=0), default=0, metavar="N", help="List N pages that are wrong.")
@click.option("--cost", "with_cost", is_flag=True, help="Also time it, as a multiple of lexbor's parse.")
@every_option
@jobs_option
@output_option
def paging(root: Path | None, worst: int, with_cost: bool, every: int, jobs: int, output: Path | None) -> None:
    """Score the next page, right or rightly absent, and the addresses of the numbered pages.

    Numbered: the mean F1 over the pages that have any; pooled: over all addresses. Nothing is learned, so that there
    are no folds. autopager is measured too where it is installed; its model was trained on these pages.
    """
    from peneira_research.corpora.paging_pages import paging_archive, read_paging
    from peneira_research.reports.console import console, progress
    from peneira_research.scores.paging_score import paging_metrics
    from peneira_research.studies.paging_outcomes import METHODS, OURS, paging_cost, paging_outcomes

    corpora = open_corpora(root)
    pages = list(read_paging(paging_archive(corpora.root)))[::every]
    rows = progress(paging_outcomes(pages, jobs=jobs), len(pages), "paging")
    outcomes = [outcome for of_page in rows for outcome in of_page]
    metrics = {method: paging_metrics([row for row in outcomes if row.method == method]) for method in METHODS}
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(_metrics_table({method: asdict(row) for method, row in metrics.items()}))
    document: dict[str, object] = {
        "metrics": {method: asdict(row) for method, row in metrics.items()},
        "pages": [asdict(outcome) for outcome in outcomes],
    }
    if with_cost:
        document["cost"] = cost = paging_cost(pages[:: max(1, len(pages) // MAX_TIMED)])
        times = f"{cost['warm']:.2f} times parsing alone, {cost['cold']:.2f} where all labels are new"
        out.print(f"CPU time on top of extract: {times}")
    if worst:
        out.print(_worst_table([row for row in outcomes if row.method == OURS and _is_wrong(row)][:worst]))
    if output or to_stdout:
        write_results(document, output, corpora, ("paging",), out)


def _is_wrong(outcome: PagingOutcome) -> bool:
    return not outcome.is_next_right or (outcome.f1 is not None and outcome.f1 < MIN_F1)


def _metrics_table(metrics: dict[str, dict[str, float]]) -> Table:
    from peneira_research.reports.console import plain_table

    names = ("next", "previous", "numbered", "pooled")
    table = plain_table("method", "pages", *names, left=["method"])
    for method, row in metrics.items():
        table.add_row(method, str(row["pages"]), *(f"{row[name]:.4f}" for name in names))
    return table


def _worst_table(outcomes: Sequence[PagingOutcome]) -> Table:
    from peneira_research.reports.console import plain_table

    table = plain_table(
        "page", "next", "numbered", "found", "gold", "next as found", left=["page", "next", "next as found"]
    )
    for row in outcomes:
        f1 = "" if row.f1 is None else f"{row.f1:.2f}"
        right = "right" if row.is_next_right else "wrong"
        table.add_row(row.id, right, f1, str(row.found), str(row.expected), row.next or "")
    return table

"""``peneira bench values``: records as sets of values, the way the G-STM prototype was evaluated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira_research.commands.bench import corpora_option, every_option, open_corpora, output_option, write_results

if TYPE_CHECKING:
    from rich.table import Table

    from peneira_research.scores.item_set_score import Evaluation


EXAMPLES = """\b
Example:
  peneira bench values --method gstm --kind "job listing"
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--method", "methods", multiple=True, default=("gstm", "auto"), show_default=True, help="May be repeated."
)
@click.option(
    "--kind", "kinds", multiple=True, help="Kind of page; may be repeated.  [default: jobs, searches, courts]"
)
@every_option
@output_option
def values(
    root: Path | None, methods: tuple[str, ...], kinds: tuple[str, ...], every: int, output: Path | None
) -> None:
    """Score records and their values as the thesis behind G-STM did (Moura 2018, chapter 4).

    A record matches if the F-score of its values against the gold's is above 0.35; values count in records that match.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.scores.item_set_score import KINDS, evaluate

    corpora, wanted = open_corpora(root), kinds or KINDS
    pages = [
        page for page in corpora.pages(("modern",)) if page.kind in wanted and page.fields and not page.is_partial
    ][::every]
    work = [(page, method) for method in methods for page in pages]
    evaluations = [evaluate(page, method) for page, method in progress(work, len(work), "values")]
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    for method in methods:
        out.print(method)
        out.print(_table([evaluation for evaluation in evaluations if evaluation.method == method]))
    if output or to_stdout:
        found = {"pages": [asdict(evaluation) for evaluation in evaluations]}
        write_results(found, output, corpora, ("modern",))


def _table(evaluations: Sequence[Evaluation]) -> Table:
    from peneira_research.reports.console import plain_table
    from peneira_research.scores.item_set_score import by_kind

    table = plain_table("kind", "pages", "records P", "R", "F", "items P", "R ", "F ", left=["kind"])
    for kind, (pages, records, items) in by_kind(evaluations).items():
        metrics = [f"{x:.3f}" for counts in (records, items) for x in (counts.precision, counts.recall, counts.f_score)]
        table.add_row(kind, str(pages), *metrics)
    return table

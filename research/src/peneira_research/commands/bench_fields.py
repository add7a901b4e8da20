"""``peneira bench fields``: whether gold values are in cells of their own, and each field in one column."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from peneira.methods import DEFAULT_METHOD
from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, output_option, write_results

EXAMPLES = """\b
Examples:
  peneira bench fields --worst 10
  peneira bench fields --method gold -o fields.json
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--method",
    default=DEFAULT_METHOD,
    show_default=True,
    help='Method that finds the records; "gold" makes them from the gold, to score the columns alone.',
)
@click.option("--corpus", "name", default="modern", show_default=True, help="Corpus with gold fields.")
@click.option("--page", "page_id", metavar="ID", help="Measure on this page alone.")
@click.option("--worst", type=click.IntRange(min=0), default=0, metavar="N", help="List the N worst pages.")
@jobs_option
@output_option
def fields(
    root: Path | None,
    method: str,
    name: str,
    page_id: str | None,
    worst: int,
    jobs: int,
    output: Path | None,
) -> None:
    """Score the values of the records, as a table by field name.

    reachable: gold values of right records; found: share of them that a cell holds; of all: share of all gold values;
    default: share of the reachable found in a default column. purity: share of a field's values in one column, mean
    over pages and fields. dates: share of the full dates found that are typed as dates; mistyped: names, titles,
    dockets, references and addresses in a cell that is typed as a date or money.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.fields_report import fields_document, fields_table, worst_pages_table
    from peneira_research.scores.field_score import field_outcomes, metrics_by_field

    corpora = open_corpora(root)
    pages = [page for page in ([corpora.page(page_id)] if page_id else corpora.pages([name])) if page.fields]
    outcomes = list(progress(field_outcomes(pages, method, jobs=jobs), len(pages), "fields"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(fields_table(metrics_by_field(outcomes)))
    if worst:
        out.print(worst_pages_table(outcomes, worst))
    if to_stdout or output:
        write_results(fields_document(outcomes), output, corpora, (name,), out)

"""``peneira bench table``: whether the table of a page is the one that a person would make."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.errors import CorpusError
from peneira_research.commands.bench import (
    TABLE_CORPORA,
    corpora_option,
    every_option,
    jobs_option,
    open_corpora,
    output_option,
    unseen_folds,
    unseen_list_models,
    write_results,
)
from peneira_research.corpora.gold_pages import Corpora

if TYPE_CHECKING:
    from peneira_research.studies.table_outcomes import TableModels

EXAMPLES = """\b
Examples:
  peneira bench table --worst 10
  peneira bench table --corpus modern2 -o table.json
  peneira bench table --page wc_d0656 --worst 1
  peneira bench table --unseen
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--corpus",
    "names",
    multiple=True,
    default=TABLE_CORPORA,
    show_default=True,
    help="Corpus with gold fields; may be repeated.",
)
@click.option("--page", "page_id", metavar="ID", help="Measure on this page alone.")
@click.option("--worst", type=click.IntRange(min=0), default=0, metavar="N", help="Show the N worst tables.")
@every_option
@click.option(
    "--unseen",
    is_flag=True,
    help="Score each page with models trained without its host and template (cross-validation; needs the extra train, "
    "takes a quarter of an hour).",
)
@click.option("--shipped-lists", is_flag=True, help="With --unseen: find the lists by the models that ship; faster.")
@jobs_option
@output_option
def table(
    root: Path | None,
    names: tuple[str, ...],
    page_id: str | None,
    worst: int,
    every: int,
    unseen: bool,
    shipped_lists: bool,
    jobs: int,
    output: Path | None,
) -> None:
    """Score the tables of pages with gold fields, by corpus and by field.

    whole: gold texts in the text of their record; astray: in the record beside it. found: gold values that are a cell
    of their own in a column that is shown; found_all: in any column. named: of the fields that have a role and were
    found, those whose column has that role or name. redundant: columns that tell nothing new. Pages whose gold misses
    records are left out. The first row of a corpus pools all values, fields and columns of its pages, the second is
    the mean over pages.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.table_report import corpora_table, fields_table, table_document, worst_pages_table
    from peneira_research.studies.table_outcomes import (
        metrics_by_corpus,
        metrics_by_field,
        pages_with_fields,
        table_outcomes,
    )
    from peneira_research.studies.table_outcomes import worst as worst_pages

    if shipped_lists and not unseen:
        raise click.UsageError("--shipped-lists needs --unseen")
    corpora = open_corpora(root)
    pages = pages_with_fields([corpora.page(page_id)] if page_id else corpora.pages(names))[::every]
    if not pages:
        raise CorpusError(f"{corpora.root}: no page with gold fields of all its records among those named")
    models = unseen_table_models(corpora, jobs, shipped_lists=shipped_lists) if unseen else {}
    outcomes = list(progress(table_outcomes(pages, unseen=models, jobs=jobs), len(pages), "table"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    metrics = metrics_by_corpus(outcomes)
    out.print(corpora_table(metrics))
    for name in metrics:
        out.print(f"\n{name}, by field; named: on how many pages the column has its role or name")
        out.print(fields_table(metrics_by_field([outcome for outcome in outcomes if outcome.corpus == name])))
    if worst:
        out.print("\nworst tables; ! a column that is not named by its role")
        out.print(worst_pages_table(worst_pages(outcomes, worst)))
    if to_stdout or output:
        write_results(table_document(outcomes), output, corpora, names, out)


def unseen_table_models(corpora: Corpora, jobs: int, *, shipped_lists: bool) -> dict[str, TableModels]:
    """Return for each site the models trained without the pages of its fold."""
    from peneira_research.studies.table_outcomes import TableModels
    from peneira_research.training.role_examples import role_examples, role_pages
    from peneira_research.training.role_models import role_models_by_site

    folds = unseen_folds(corpora, jobs)
    lists = {} if shipped_lists else unseen_list_models(corpora, folds, None, jobs)
    roles = role_models_by_site(list(role_examples(role_pages(corpora), jobs=jobs)), folds)
    return {site: TableModels(lists.get(site), roles[site]) for site in folds}

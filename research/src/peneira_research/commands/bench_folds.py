"""``peneira bench folds``: which sites belong together, and how they are dealt to the folds of unseen figures."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora, output_option, write_results

EXAMPLES = """\b
Example:
  peneira bench folds --largest 30
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--largest",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Show the N largest groups.",
)
@jobs_option
@output_option
def folds(root: Path | None, largest: int, jobs: int, output: Path | None) -> None:
    """Show the groups of sites that share a host or a template, over all corpora, and the pages of each fold.

    Every figure on unseen pages (--unseen) is measured with models trained without the group of the page.
    """
    from peneira_research.reports.console import console
    from peneira_research.reports.folds_report import folds_document, folds_table, groups_table
    from peneira_research.training.folds import FOLDS, deal_groups, group_sites, site_origins

    corpora = open_corpora(root)
    groups = group_sites(site_origins(corpora, jobs=jobs))
    fold_of = deal_groups(groups, FOLDS)
    to_stdout = output is None and not sys.stdout.isatty()
    if to_stdout or output:
        write_results(folds_document(groups, fold_of), output, corpora, corpora.all_names)
    out = console(sys.stderr if to_stdout else sys.stdout)
    joined = sum(len(group.sites) > 1 for group in groups)
    out.print(f"{sum(len(group.sites) for group in groups)} sites in {len(groups)} groups, {joined} of several sites")
    out.print(folds_table(groups, fold_of))
    if largest:
        out.print(groups_table(groups[:largest], fold_of))

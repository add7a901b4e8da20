"""``peneira bench wrappers``: what learned wrappers read from pages they have not seen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.cli.bench import corpora_option, jobs_option, opened, write_document
from peneira.cli.bench_clean import output_option
from peneira.errors import CorpusError
from peneira.learning import DEFAULT_LEARNER, learners

if TYPE_CHECKING:
    from rich.table import Table

    from peneira.bench.corpora import Corpora
    from peneira.bench.wrappers import SiteScore


@click.command()
@corpora_option
@click.option("--method", type=click.Choice(learners()), default=DEFAULT_LEARNER, show_default=True)
@click.option("--learning-pages", "counts", type=click.IntRange(min=1), multiple=True, default=(10,), show_default=True,
              help="Learn on so many pages of a site; may be repeated.")  # fmt: skip
@click.option("--vertical", "verticals", multiple=True, help="Vertical of SWDE; may be repeated.  [default: all]")
@click.option("--most-sites", type=click.IntRange(min=0), default=0, help="Of each vertical.  [default: all]")
@click.option("--each", is_flag=True, help="Show every site with its attributes and their columns.")
@click.option("--schema", is_flag=True, help="Show the schema of each site and the values of a page, without scores.")
@click.option("--lists", is_flag=True, help="Score on the list sites that have several pages instead.")
@jobs_option
@output_option
def wrappers(
    root: Path | None,
    method: str,
    counts: tuple[int, ...],
    verticals: tuple[str, ...],
    most_sites: int,
    each: bool,
    schema: bool,
    lists: bool,
    jobs: int,
    output: Path | None,
) -> None:
    """Score wrappers on SWDE: learned on some pages of a site, applied to the others.

    A figure is the mean F1 over all pairs of site and attribute. The column of an attribute is chosen on the learning
    pages. With --lists: learned on one page, the record score on the others beside that of the default method.

    \b
    Examples:
      peneira bench wrappers --method fivatech --learning-pages 3 --vertical movie --each
      peneira bench wrappers --method fivatech --learning-pages 3 --most-sites 3 --schema
    """
    from peneira.bench.report import console, progress
    from peneira.bench.schemas import schema_report
    from peneira.bench.wrappers import score_sites, sites

    if lists:
        _score_lists(opened(root), method, jobs, output)
        return
    found = list(sites(opened(root).swde(), verticals, most_sites))
    if schema:
        for site in found:
            click.echo("\n".join(schema_report(site, method, counts[0])))
        return
    scores: list[SiteScore] = []
    for count in counts:
        scores += progress(score_sites(found, method, count, jobs=jobs), len(found), f"{count} pages")
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    if each:
        out.print(_sites_table(scores))
    out.print(_summary_table(scores, counts))
    if output or to_stdout:
        write_document({"sites": [asdict(score) for score in scores]}, output)


def _score_lists(corpora: Corpora, method: str, jobs: int, output: Path | None) -> None:
    from peneira.bench.report import console, plain_table, progress
    from peneira.bench.wrappers import list_sites, score_list_sites

    found = list_sites(corpora.pages())
    if not found:
        raise CorpusError(f"{corpora.root}: no site has several list pages with gold")
    scores = list(progress(score_list_sites(found, method, jobs=jobs), len(found), "list sites"))
    table = plain_table("corpus", "sites", "wrapper", "default", left=["corpus"])
    for name in [*dict.fromkeys(score.corpus for score in scores), "all"]:
        those = [score for score in scores if name in (score.corpus, "all")]
        means = (sum(getattr(score, key) for score in those) / len(those) for key in ("f1", "default_f1"))
        table.add_row(name, str(len(those)), *(f"{mean:.4f}" for mean in means))
    to_stdout = output is None and not sys.stdout.isatty()
    console(sys.stderr if to_stdout else sys.stdout).print(table)
    if output or to_stdout:
        write_document({"sites": [asdict(score) for score in scores]}, output)


def _sites_table(scores: Sequence[SiteScore]) -> Table:
    from peneira.bench.report import plain_table

    table = plain_table("site", "pages", "mean", "columns", "by attribute", left=["site", "by attribute"])
    for score in scores:
        attributes = "  ".join(f"{name} {f1:.2f} ({score.column_of.get(name, '-')})" for name, f1 in score.f1.items())
        site = f"{score.vertical}-{score.site}"
        table.add_row(
            site, str(score.learning_pages), f"{score.mean:.3f}", str(score.columns), score.error or attributes
        )
    return table


def _summary_table(scores: Sequence[SiteScore], counts: Sequence[int]) -> Table:
    from peneira.bench.report import plain_table
    from peneira.bench.wrappers import by_vertical

    table = plain_table("vertical", *(f"{count} pages" for count in counts), left=["vertical"])
    by_count = {count: [score for score in scores if score.learning_pages == count] for count in counts}
    means = {count: by_vertical(those) for count, those in by_count.items()}
    for name in means[counts[0]]:
        table.add_row(name, *(f"{means[count][name]:.4f}" for count in counts))
    mean_columns = [sum(score.columns for score in those) / max(len(those), 1) for those in by_count.values()]
    table.add_row("columns a site", *(f"{mean:.1f}" for mean in mean_columns))
    if errors := sum(score.error is not None for score in scores):
        table.add_row("errors", str(errors))
    return table

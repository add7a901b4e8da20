"""``peneira bench clean`` and ``peneira bench table2``: what cleaning keeps and removes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.ml.forest import Numbers
from peneira.texts.tps import MIN_DIFFERENCE, VARIANTS, Margin, MarginOf, Variant
from peneira_research.commands.bench import (
    Command,
    corpora_option,
    every_option,
    open_corpora,
    output_option,
    write_results,
)
from peneira_research.corpora.gold_pages import Corpora, GoldPage

if TYPE_CHECKING:
    from rich.console import Console

    from peneira_research.studies.published_tables import SiteRow

CLEAN_EXAMPLES = """\b
Examples:
  peneira bench clean --unseen
  peneira bench clean --faithful scan-on --complement
"""
TABLE2_EXAMPLES = """\b
Examples:
  peneira bench table2
  peneira bench table2 --complement --margin 0.3
  peneira bench table2 --margins
"""
unseen_option = click.option(
    "--unseen",
    is_flag=True,
    help="Score each page with a model trained without its host and template (cross-validation; takes minutes).",
)


def margin_options(command: Command) -> Command:
    """Add the options of the published filter to a command."""
    for option in (
        click.option("--complement", is_flag=True, help="Keep the rest of a page whose region is noise (Algorithm 6)."),
        click.option(
            "--margin-of",
            type=click.Choice(["sequence", "rest"]),
            default="sequence",
            show_default=True,
            help="What the margin is a share of.",
        ),
        click.option(
            "--margin",
            type=click.FloatRange(0, 1, max_open=True),
            default=MIN_DIFFERENCE,
            show_default=True,
            help="Of the published filter: by how much the parts of a split must differ.",
        ),
    ):
        command = option(command)
    return command


@click.command(epilog=CLEAN_EXAMPLES)
@corpora_option
@unseen_option
@click.option("--faithful", type=click.Choice(list(VARIANTS)), help="Measure this variant of the published filter.")
@margin_options
@output_option
def clean(
    root: Path | None,
    unseen: bool,
    faithful: Variant | None,
    margin: float,
    margin_of: MarginOf,
    complement: bool,
    output: Path | None,
) -> None:
    """Measure how many records cleaning keeps and how much of the page it removes, on every corpus of list pages.

    A page keeps its main region if 95 % of its anchors are still in it. For articles: the share of characters in long
    paragraphs that is kept.
    """
    from peneira.sources.html import read_page
    from peneira.texts.block_model import decide
    from peneira.texts.cleaned_rows import cleaned_rows
    from peneira.texts.cleaning import Filtering, kept_rows
    from peneira_research.reports.clean_report import clean_table
    from peneira_research.reports.console import console, progress
    from peneira_research.scores.cleaning_score import CleaningScore, cleaning_score, scorer_of

    if unseen and faithful:
        raise click.UsageError("--unseen trains our filter, and the published one has nothing to train")
    filtering = Filtering(faithful, margin, complement, margin_of)
    corpora = open_corpora(root)
    pages = [page for page in corpora.pages() if page.anchors or page.is_negative]
    region_scores = _unseen_scores(corpora, pages) if unseen else None
    scores: list[CleaningScore] = []
    for gold in progress(pages, len(pages), "cleaning"):
        page = read_page(gold.body())
        if faithful:
            keep = kept_rows(page, filtering)
        else:
            keep = cleaned_rows(page, decide(page, score=scorer_of(region_scores, gold.id)))
        scores.append(cleaning_score(gold, page, keep))
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    out.print(clean_table(scores))
    if output or not sys.stdout.isatty():
        write_results({"pages": [asdict(score) for score in scores]}, output, corpora, corpora.names, out)


@click.command(epilog=TABLE2_EXAMPLES)
@corpora_option
@unseen_option
@margin_options
@click.option("--margins", is_flag=True, help="Print how the published filter depends on its margin instead.")
@every_option
@output_option
def table2(
    root: Path | None,
    unseen: bool,
    margin: float,
    margin_of: MarginOf,
    complement: bool,
    margins: bool,
    every: int,
    output: Path | None,
) -> None:
    """Reproduce the tables of the tag path filter's thesis and paper beside our measurements, site by site.

    First the share of nodes kept, published and by each variant (a kept main region is marked with *), and MDR's
    records total/target on the raw page and on what is kept. Then the averages over the 51 sites of the thesis (Tables
    2 and 3), those over the 23 sites of the paper (Table I), each with half the width of its interval of 95 %, and the
    paired differences between MDR on what is kept and on raw pages. P kept: over the pages whose main region is kept,
    as the thesis counts; P all: over all pages. splits: median and mean per page.
    """
    from peneira_research.reports.clean_report import margin_table
    from peneira_research.reports.console import console, progress
    from peneira_research.studies.published_tables import FilterOptions, margin_curve, published, site_row

    corpora = open_corpora(root)
    pages = {page.id: page for page in corpora.pages(("tpsf",))}
    entries = published()["thesis"]["rows"][::every]
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    if margins:
        points = margin_curve(entries, pages)
        out.print(margin_table(points))
        if output or not sys.stdout.isatty():
            write_results({"margins": [asdict(point) for point in points]}, output, corpora, ("tpsf",))
        return
    to_train = [page for page in corpora.pages() if page.anchors or page.is_negative]
    scores = _unseen_scores(corpora, to_train) if unseen else None
    options = FilterOptions(Margin(margin, margin_of), complement)
    counted = progress(entries, len(entries), "table 2")
    rows = [site_row(entry, pages[entry["page"]], scores, options) for entry in counted]
    document = _print_tables(rows, out)
    if output or not sys.stdout.isatty():
        write_results(document, output, corpora, ("tpsf",))


def _print_tables(rows: Sequence[SiteRow], out: Console) -> dict[str, object]:
    """Print the tables of the two publications, and return them as a document."""
    from peneira_research.reports.clean_report import (
        PAPER_LINES,
        THESIS_LINES,
        effects_table,
        sites_table,
        summary_table,
    )
    from peneira_research.studies.published_tables import FILTERS, effect, summary

    of_paper = [row for row in rows if row.paper]
    thesis = {name or "raw": summary(rows, name) for name in (None, *FILTERS)}
    paper = {name or "raw": summary(of_paper, name) for name in (None, *FILTERS)}
    effects = {name: effect(rows, name) for name in FILTERS}
    out.print(sites_table(rows))
    out.print(f"\nTables 2 and 3 of the thesis: {len(rows)} of its 51 sites")
    out.print(summary_table(thesis, THESIS_LINES))
    out.print(f"\nTable I of the paper: {len(of_paper)} of its 23 sites")
    out.print(summary_table(paper, PAPER_LINES))
    out.print("\nThe filter removes noise without losing the main region: paired bootstrap over these pages")
    out.print(effects_table(effects))
    return {
        "rows": [asdict(row) for row in rows],
        "summary": {name: asdict(found) for name, found in thesis.items()},
        "paper": {name: asdict(found) for name, found in paper.items()},
        "effects": {name: asdict(found) for name, found in effects.items()},
    }


def _unseen_scores(corpora: Corpora, pages: Sequence[GoldPage]) -> dict[str, Numbers]:
    """Return the scores of each page's candidate regions by a model trained without its host and template."""
    from peneira_research.training.folds import FOLDS, corpora_folds
    from peneira_research.training.region_model import cross_validated, region_examples

    click.echo("training without the host and the template of each page", err=True)
    examples, folds = list(region_examples(pages)), corpora_folds(corpora, jobs=1)
    return cross_validated(examples, folds, on_fold=lambda fold: click.echo(f"{fold + 1} of {FOLDS}", err=True))

"""``peneira bench clean`` and ``peneira bench table2``: what cleaning keeps and removes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from peneira.ml.forest import Numbers
from peneira_research.commands.bench import corpora_option, open_corpora, output_option, write_document
from peneira_research.corpora.gold_pages import Corpora, GoldPage

CLEAN_EXAMPLES = """\b
Example:
  peneira bench clean --unseen
"""
TABLE2_EXAMPLES = """\b
Example:
  peneira bench table2
"""
unseen_option = click.option(
    "--unseen",
    is_flag=True,
    help="Score each page with a model trained without its host and template (cross-validation; takes minutes).",
)


@click.command(epilog=CLEAN_EXAMPLES)
@corpora_option
@unseen_option
@output_option
def clean(root: Path | None, unseen: bool, output: Path | None) -> None:
    """Measure how many records cleaning keeps and how much of the page it removes, on every corpus of list pages.

    A page keeps its main region if 95 % of its anchors are still in it. For articles: the share of characters in long
    paragraphs that is kept.
    """
    from peneira.sources.html import read_page
    from peneira.texts.block_model import decide
    from peneira.texts.cleaned_rows import cleaned_rows
    from peneira_research.reports.clean_report import clean_table
    from peneira_research.reports.console import console, progress
    from peneira_research.scores.cleaning_score import CleaningScore, cleaning_score, scorer_of

    corpora = open_corpora(root)
    pages = [page for page in corpora.pages() if page.anchors or page.is_negative]
    region_scores = _unseen_scores(corpora, pages) if unseen else None
    scores: list[CleaningScore] = []
    for gold in progress(pages, len(pages), "cleaning"):
        page = read_page(gold.body())
        decision = decide(page, score=scorer_of(region_scores, gold.id))
        scores.append(cleaning_score(gold, page, cleaned_rows(page, decision)))
    console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout).print(clean_table(scores))
    if output or not sys.stdout.isatty():
        write_document({"pages": [asdict(score) for score in scores]}, output)


@click.command(epilog=TABLE2_EXAMPLES)
@corpora_option
@unseen_option
@output_option
def table2(root: Path | None, unseen: bool, output: Path | None) -> None:
    """Reproduce the tables of the tag path filter's thesis and paper beside our measurements, site by site.

    kept: share of nodes kept by the published filter in its two variants, and by ours. MDR: records total/target on the
    raw page and on what is kept. A kept main region is marked with *.
    """
    from peneira_research.reports.clean_report import sites_table, summary_table
    from peneira_research.reports.console import console, progress
    from peneira_research.studies.published_tables import FILTERS, published, site_row, summary

    corpora = open_corpora(root)
    pages = {page.id: page for page in corpora.pages(("tpsf",))}
    to_train = [page for page in corpora.pages() if page.anchors or page.is_negative]
    scores = _unseen_scores(corpora, to_train) if unseen else None
    entries = published()["thesis"]["rows"]
    rows = [site_row(entry, pages[entry["page"]], scores) for entry in progress(entries, len(entries), "table 2")]
    summaries = {name or "raw": summary(rows, name) for name in (None, *FILTERS)}
    out = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    out.print(sites_table(rows))
    out.print(summary_table(summaries))
    if output or not sys.stdout.isatty():
        document: dict[str, object] = {
            "rows": [asdict(row) for row in rows],
            "summary": {k: asdict(v) for k, v in summaries.items()},
        }
        write_document(document, output)


def _unseen_scores(corpora: Corpora, pages: Sequence[GoldPage]) -> dict[str, Numbers]:
    """Return the scores of each page's candidate regions by a model trained without its host and template."""
    from peneira_research.training.folds import FOLDS, corpora_folds
    from peneira_research.training.region_model import cross_validated, region_examples

    click.echo("training without the host and the template of each page", err=True)
    examples, folds = list(region_examples(pages)), corpora_folds(corpora, jobs=1)
    return cross_validated(examples, folds, on_fold=lambda fold: click.echo(f"{fold + 1} of {FOLDS}", err=True))

"""``peneira bench clean`` and ``peneira bench table2``: what cleaning keeps and cuts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from peneira.ml.forest import Numbers
from peneira_research.commands.bench import corpora_option, opened, write_document
from peneira_research.corpora.gold_pages import GoldPage

unseen_option = click.option(
    "--unseen",
    is_flag=True,
    help="Judge each page by a model that was trained without its site (cross-validation; takes minutes).",
)
output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON document to this file."
)


@click.command()
@corpora_option
@unseen_option
@output_option
def clean(root: Path | None, unseen: bool, output: Path | None) -> None:
    """Measure what cleaning keeps of the records and cuts of the page, on every corpus of list pages.

    A page keeps its main region if 95 % of its anchors are still in it. For articles: the share of characters in long
    paragraphs that is kept.

    \b
    Example:
      peneira bench clean --unseen
    """
    from peneira.sources.html import read_page
    from peneira.texts.region_filter import content_rows
    from peneira_research.reports.clean_report import clean_table
    from peneira_research.reports.report import console, progress
    from peneira_research.scores.cleaning_score import Cleaned, cleaned, scorer_of

    pages = [page for page in opened(root).pages() if page.anchors or page.is_negative]
    scores = _unseen_scores(pages) if unseen else None
    found: list[Cleaned] = []
    for gold in progress(pages, len(pages), "cleaning"):
        page = read_page(gold.body())
        found.append(cleaned(gold, page, content_rows(page, scorer_of(scores, gold.id))))
    console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout).print(clean_table(found))
    if output or not sys.stdout.isatty():
        write_document({"pages": [asdict(one) for one in found]}, output)


@click.command()
@corpora_option
@unseen_option
@output_option
def table2(root: Path | None, unseen: bool, output: Path | None) -> None:
    """Reproduce the tables of the tag path filter's thesis and paper beside what we measure, site by site.

    kept: share of nodes left by the published filter in its two variants, and by ours. MDR: records total/target on the
    raw page and on what is left. A kept main region is marked with *.

    \b
    Example:
      peneira bench table2
    """
    from peneira_research.reports.clean_report import sites_table, summary_table
    from peneira_research.reports.report import console, progress
    from peneira_research.studies.published_tables import FILTERS, published, row, summary

    corpora = opened(root)
    pages = {page.id: page for page in corpora.pages(("tpsf",))}
    scores = _unseen_scores([page for page in corpora.pages() if page.anchors or page.is_negative]) if unseen else None
    entries = published()["thesis"]["rows"]
    rows = [row(entry, pages[entry["page"]], scores) for entry in progress(entries, len(entries), "table 2")]
    summaries = {name or "raw": summary(rows, name) for name in (None, *FILTERS)}
    shown = console(sys.stderr if output is None and not sys.stdout.isatty() else sys.stdout)
    shown.print(sites_table(rows))
    shown.print(summary_table(summaries))
    if output or not sys.stdout.isatty():
        document: dict[str, object] = {
            "rows": [asdict(one) for one in rows],
            "summary": {k: asdict(v) for k, v in summaries.items()},
        }
        write_document(document, output)


def _unseen_scores(pages: Sequence[GoldPage]) -> dict[str, Numbers]:
    """Return the scores of each page's candidates by a model that never saw its site."""
    from peneira_research.training.region_model import FOLDS, cross_validated, examples

    click.echo("training without the site of each page", err=True)
    return cross_validated(list(examples(pages)), each=lambda fold: click.echo(f"{fold + 1} of {FOLDS}", err=True))

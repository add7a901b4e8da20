"""``peneira bench wrappers``: what learned wrappers extract from unseen pages."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.errors import CorpusError
from peneira.wrappers.learning import DEFAULT_LEARNER, learners
from peneira_research.commands.bench import (
    corpora_option,
    every_option,
    jobs_option,
    open_corpora,
    output_option,
    write_results,
)

if TYPE_CHECKING:
    from peneira_research.corpora.archives import SwdePage
    from peneira_research.corpora.gold_pages import Corpora, GoldPage
    from peneira_research.scores.wrapper_score import SiteScore

WRAPPERS_EXAMPLES = """\b
Examples:
  peneira bench wrappers --method fivatech --learning-pages 3 --vertical movie --each
  peneira bench wrappers --method fivatech --learning-pages 3 --max-sites 3 --schema
  peneira bench wrappers --cells --every 3
  peneira bench wrappers --export --max-sites 2
"""
# The corpora whose sites have several pages of one template
DRIFT_LISTS = ("clustvx", "exalg")
CELL_CORPORA = ("clustvx", "exalg", "modern", "modern2")


@click.command(epilog=WRAPPERS_EXAMPLES)
@corpora_option
@click.option("--method", type=click.Choice(learners()), default=DEFAULT_LEARNER, show_default=True)
@click.option("--learning-pages", "counts", type=click.IntRange(min=1), multiple=True, default=(10,), show_default=True,
              help="Number of pages of a site to learn from; may be repeated.")  # fmt: skip
@click.option("--vertical", "verticals", multiple=True, help="Vertical of SWDE; may be repeated.  [default: all]")
@click.option("--max-sites", type=click.IntRange(min=0), default=0, help="Sites of each vertical.  [default: all]")
@click.option("--each", is_flag=True, help="Show every site with its attributes and their columns.")
@click.option("--schema", is_flag=True, help="Show the schema of each site and the values of a page, without scores.")
@click.option("--lists", is_flag=True, help="Score list sites with several pages instead.")
@click.option("--cells", is_flag=True, help="Score the cells of list pages that wrappers return, beside extract's.")
@click.option("--export", "is_export", is_flag=True, help="Compare exported modules with apply, by real libraries.")
@every_option
@click.option("--drift", is_flag=True, help="Check and heal instead: own, foreign and changed pages.")
@jobs_option
@output_option
def wrappers(
    root: Path | None,
    method: str,
    counts: tuple[int, ...],
    verticals: tuple[str, ...],
    max_sites: int,
    each: bool,
    schema: bool,
    lists: bool,
    cells: bool,
    is_export: bool,
    every: int,
    drift: bool,
    jobs: int,
    output: Path | None,
) -> None:
    """Score wrappers on SWDE: learned on some pages of a site, applied to the others.

    The score is the mean F1 over all pairs of site and attribute. The column of an attribute is chosen on the learning
    pages. With --lists: learned on one page, the record score on the others beside that of the default method, and the
    cost of applying. With --cells: the cells and records of extract that a wrapper learned from one page gives again,
    on that page (by column name) and on other pages of the site. With --drift: the verdicts on own pages, on pages of
    other sites and on deliberately changed pages, and whether healing from changed pages, others than those learned
    from, restores the original values; auto only. With --export: the values that the exported module of a wrapper
    reads otherwise than apply, on list and detail pages, with parsel, Scrapy and lxml, and on the tree of a browser.
    """
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.wrappers_report import sites_table, summary_table
    from peneira_research.scores.wrapper_score import score_sites, sites
    from peneira_research.studies.site_schemas import schema_report

    corpora = open_corpora(root)
    if lists:
        _score_lists(corpora, method, every, jobs, output)
        return
    if cells:
        _score_cells(corpora, every, jobs, output)
        return
    site_pages = list(sites(corpora.swde(), verticals, max_sites))
    if is_export:
        _score_exports(corpora, site_pages, every, jobs, output)
        return
    if drift:
        _score_drift(corpora, site_pages, every, jobs, output)
        return
    site_pages = site_pages[::every]
    if schema:
        for site in site_pages:
            click.echo("\n".join(schema_report(site, method, counts[0])))
        return
    scores: list[SiteScore] = []
    for count in counts:
        scores += progress(score_sites(site_pages, method, count, jobs=jobs), len(site_pages), f"{count} pages")
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    if each:
        out.print(sites_table(scores))
    out.print(summary_table(scores, counts))
    if output or to_stdout:
        write_results({"sites": [asdict(score) for score in scores]}, output, corpora, ("swde",), out)


def _score_lists(corpora: Corpora, method: str, every: int, jobs: int, output: Path | None) -> None:
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.wrappers_report import list_sites_table
    from peneira_research.scores.wrapper_score import list_sites, score_list_sites

    site_pages = list_sites(corpora.pages())[::every]
    if not site_pages:
        raise CorpusError(f"{corpora.root}: no site has several list pages with gold")
    scores = list(progress(score_list_sites(site_pages, method, jobs=jobs), len(site_pages), "list sites"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(list_sites_table(scores))
    for score in scores:
        if score.error:
            out.print(f"{score.corpus} {score.site}: {score.error}")
    if output or to_stdout:
        write_results({"sites": [asdict(score) for score in scores]}, output, corpora, corpora.names, out)


def sites_of_lists(corpora: Corpora) -> list[list[GoldPage]]:
    """Return the pages of each site of the corpora of lists."""
    by_site: dict[tuple[str, str], list[GoldPage]] = {}
    for page in corpora.pages([name for name in CELL_CORPORA if name in corpora.all_names]):
        if not page.is_negative:
            by_site.setdefault((page.corpus, page.site), []).append(page)
    return list(by_site.values())


def _score_exports(
    corpora: Corpora, swde_sites: Sequence[Sequence[SwdePage]], every: int, jobs: int, output: Path | None
) -> None:
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.wrappers_report import exports_table
    from peneira_research.studies.export_study import PAGES, SitePages, score_export
    from peneira_research.workers import in_processes

    lists = [
        SitePages(pages[0].corpus, pages[0].site, [(page.body(), page.url or "") for page in pages[:PAGES]])
        for pages in sites_of_lists(corpora)[::every]
    ]
    details = [
        SitePages("swde", f"{pages[0].vertical}-{pages[0].site}", [(p.body, "") for p in pages[:PAGES]], is_detail=True)
        for pages in swde_sites[::every]
    ]
    chosen = [*lists, *details]
    results = map(score_export, chosen) if jobs == 1 else in_processes(score_export, chosen, jobs=jobs, chunk=1)
    scores = list(progress(results, len(chosen), "sites"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(exports_table(scores))
    for score in scores:
        if score.error or score.example:
            out.print(f"{score.corpus} {score.site}: {score.error or score.example}", markup=False)
    if output or to_stdout:
        write_results({"sites": [asdict(score) for score in scores]}, output, corpora, ("swde", *CELL_CORPORA), out)


def _score_cells(corpora: Corpora, every: int, jobs: int, output: Path | None) -> None:
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.wrappers_report import cells_table
    from peneira_research.scores.cell_score import site_cells
    from peneira_research.workers import in_processes

    chosen = sites_of_lists(corpora)[::every]
    results = map(site_cells, chosen) if jobs == 1 else in_processes(site_cells, chosen, jobs=jobs, chunk=1)
    scores = [score for score in progress(results, len(chosen), "list sites") if score is not None]
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(cells_table(scores))
    if output or to_stdout:
        write_results({"sites": [asdict(score) for score in scores]}, output, corpora, CELL_CORPORA, out)


def _score_drift(
    corpora: Corpora, swde_sites: Sequence[Sequence[SwdePage]], every: int, jobs: int, output: Path | None
) -> None:
    from peneira_research.reports.console import console, progress
    from peneira_research.reports.wrappers_report import mutations_table, verdicts_table
    from peneira_research.scores.wrapper_score import list_sites
    from peneira_research.studies.drift_study import distinct_sites, score_detail_drift, score_list_drift

    detail_sites = distinct_sites(swde_sites)[::every]
    drift_sites = [pages for pages in list_sites(corpora.pages()) if pages[0].corpus in DRIFT_LISTS][::every]
    details = list(progress(score_detail_drift(detail_sites, jobs=jobs), len(detail_sites), "detail sites"))
    lists = list(progress(score_list_drift(drift_sites, jobs=jobs), len(drift_sites), "list sites"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(verdicts_table({"detail": details, "list": lists}))
    for name, scores in (("detail", details), ("list", lists)):
        if scores:
            out.print(mutations_table(name, scores))
    if output or to_stdout:
        found = {"detail": list(map(asdict, details)), "list": list(map(asdict, lists))}
        write_results(found, output, corpora, ("swde", *DRIFT_LISTS), out)

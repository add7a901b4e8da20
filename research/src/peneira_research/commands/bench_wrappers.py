"""``peneira bench wrappers``: what learned wrappers read from pages they have not seen."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.errors import CorpusError
from peneira.wrappers.learning import DEFAULT_LEARNER, learners
from peneira_research.commands.bench import corpora_option, jobs_option, opened, write_document
from peneira_research.commands.bench_clean import output_option

if TYPE_CHECKING:
    from rich.table import Table

    from peneira_research.corpora.archives import SwdePage
    from peneira_research.corpora.gold_pages import Corpora
    from peneira_research.scores.wrapper_score import ListSiteScore, SiteScore
    from peneira_research.studies.drift_study import DriftScore

VERDICTS = ("ok", "degraded", "broken", "other-template")
# The corpora whose sites have several pages of one template each
DRIFT_LISTS = ("clustvx", "exalg")


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
@click.option("--drift", is_flag=True, help="Check and heal instead: own pages, pages of others, changed pages.")
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
    drift: bool,
    jobs: int,
    output: Path | None,
) -> None:
    """Score wrappers on SWDE: learned on some pages of a site, applied to the others.

    A figure is the mean F1 over all pairs of site and attribute. The column of an attribute is chosen on the learning
    pages. With --lists: learned on one page, the record score on the others beside that of the default method, and
    what applying costs. With --drift: what is said of own pages, of pages of other sites and of pages changed on
    purpose, and whether healing gives the values of the original again; auto only.

    \b
    Examples:
      peneira bench wrappers --method fivatech --learning-pages 3 --vertical movie --each
      peneira bench wrappers --method fivatech --learning-pages 3 --most-sites 3 --schema
    """
    from peneira_research.reports.report import console, progress
    from peneira_research.scores.wrapper_score import score_sites, sites
    from peneira_research.studies.site_schemas import schema_report

    if lists:
        _score_lists(opened(root), method, jobs, output)
        return
    found = list(sites(opened(root).swde(), verticals, max_sites))
    if drift:
        _score_drift(opened(root), found, jobs, output)
        return
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
    from peneira_research.reports.report import console, plain_table, progress
    from peneira_research.scores.wrapper_score import list_sites, score_list_sites

    found = list_sites(corpora.pages())
    if not found:
        raise CorpusError(f"{corpora.root}: no site has several list pages with gold")
    scores = list(progress(score_list_sites(found, method, jobs=jobs), len(found), "list sites"))
    titles = ("wrapper", "default", "ratio", "cost", "with fallback", "cost", "pages", "fitting", "ratio there")
    table = plain_table("corpus", "sites", *titles, left=["corpus"])
    for name in [*dict.fromkeys(score.corpus for score in scores), "all"]:
        those = [score for score in scores if name in (score.corpus, "all")]
        table.add_row(name, str(len(those)), *_list_figures(those))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(table)
    for score in scores:
        if score.error:
            out.print(f"{score.corpus} {score.site}: {score.error}")
    if output or to_stdout:
        write_document({"sites": [asdict(score) for score in scores]}, output)


def _list_figures(scores: Sequence[ListSiteScore]) -> list[str]:
    """Return the figures of some sites: scores and their ratio, over all pages and those that fit, and costs."""
    mean, default = (sum(getattr(score, key) for score in scores) / len(scores) for key in ("f1", "default_f1"))
    fit = [score for score in scores if score.fitting]
    otherwise = sum(score.otherwise_f1 for score in scores) / len(scores)
    there, default_there = (sum(getattr(one, key) for one in fit) for key in ("fitting_f1", "fitting_default_f1"))
    seconds, otherwise_s, default_s = (
        sum(getattr(score, key) * score.pages for score in scores)
        for key in ("page_s", "otherwise_page_s", "default_page_s")
    )
    return [
        f"{mean:.4f}",
        f"{default:.4f}",
        f"{mean / default:.3f}" if default else "",
        f"{seconds / default_s:.3f}" if default_s else "",
        f"{otherwise / default:.3f}" if default else "",
        f"{otherwise_s / default_s:.3f}" if default_s else "",
        str(sum(score.pages for score in scores)),
        str(sum(score.fitting for score in scores)),
        f"{there / default_there:.3f}" if default_there else "",
    ]


def _score_drift(corpora: Corpora, found: Sequence[Sequence[SwdePage]], jobs: int, output: Path | None) -> None:
    from peneira_research.reports.report import console, progress
    from peneira_research.scores.wrapper_score import list_sites
    from peneira_research.studies.drift_study import brands, score_details, score_lists

    chosen = brands(found)
    listed = [pages for pages in list_sites(corpora.pages()) if pages[0].corpus in DRIFT_LISTS]
    details = list(progress(score_details(chosen, jobs=jobs), len(chosen), "detail sites"))
    lists = list(progress(score_lists(listed, jobs=jobs), len(listed), "list sites"))
    to_stdout = output is None and not sys.stdout.isatty()
    out = console(sys.stderr if to_stdout else sys.stdout)
    out.print(_verdicts_table({"detail": details, "list": lists}))
    for name, scores in (("detail", details), ("list", lists)):
        if scores:
            out.print(_mutations_table(name, scores))
    if output or to_stdout:
        write_document({"detail": list(map(asdict, details)), "list": list(map(asdict, lists))}, output)


def _verdicts_table(scores: Mapping[str, Sequence[DriftScore]]) -> Table:
    from peneira_research.reports.report import plain_table

    table = plain_table("pages", "sites", *VERDICTS, left=["pages"])
    for kind, those in scores.items():
        for whose in ("own", "foreign"):
            counts = [sum(getattr(score, whose).get(verdict, 0) for score in those) for verdict in VERDICTS]
            if any(counts):
                table.add_row(f"{kind}, {whose}", str(len(those)), *map(str, counts))
    return table


def _mutations_table(kind: str, scores: Sequence[DriftScore]) -> Table:
    from peneira_research.reports.report import plain_table

    first = f"{kind} pages with"
    table = plain_table(first, *VERDICTS, "healed", "equal values", left=[first])
    for name in dict.fromkeys(name for score in scores for name in score.mutations):
        those = [score.mutations[name] for score in scores if name in score.mutations]
        counts = [str(sum(one.verdict == verdict for one in those)) for verdict in VERDICTS]
        healed = [one for one in those if one.accepted]
        equal = f"{sum(one.equal for one in healed) / len(healed):.3f}" if healed else ""
        table.add_row(name, *counts, str(len(healed)), equal)
    return table


def _sites_table(scores: Sequence[SiteScore]) -> Table:
    from peneira_research.reports.report import plain_table

    table = plain_table("site", "pages", "mean", "columns", "by attribute", left=["site", "by attribute"])
    for score in scores:
        attributes = "  ".join(f"{name} {f1:.2f} ({score.column_of.get(name, '-')})" for name, f1 in score.f1.items())
        site = f"{score.vertical}-{score.site}"
        table.add_row(
            site, str(score.learning_pages), f"{score.mean:.3f}", str(score.columns), score.error or attributes
        )
    return table


def _summary_table(scores: Sequence[SiteScore], counts: Sequence[int]) -> Table:
    from peneira_research.reports.report import plain_table
    from peneira_research.scores.wrapper_score import by_vertical

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

"""The tables of ``bench wrappers``: by vertical, by site, list sites, drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.cell_score import Returned, SiteCells
from peneira_research.scores.wrapper_score import ListSiteScore, SiteScore, by_vertical, named_share
from peneira_research.studies.drift_study import DriftScore
from peneira_research.studies.export_study import ExportScore

VERDICTS = ("ok", "degraded", "broken", "other-template")


def list_sites_table(scores: Sequence[ListSiteScore]) -> Table:
    """Return a row per corpus of list sites: the wrapper against the default method."""
    titles = ("wrapper", "default", "ratio", "cost", "with fallback", "cost", "pages", "fitting", "their ratio")
    table = plain_table("corpus", "sites", *titles, left=["corpus"])
    for name in [*dict.fromkeys(score.corpus for score in scores), "all"]:
        of_corpus = [score for score in scores if name in (score.corpus, "all")]
        table.add_row(name, str(len(of_corpus)), *_list_cells(of_corpus))
    return table


def _list_cells(scores: Sequence[ListSiteScore]) -> list[str]:
    """Return the cells of some sites: scores and their ratio, over all pages and those that fit, and costs."""
    mean, default = (sum(getattr(score, key) for score in scores) / len(scores) for key in ("f1", "default_f1"))
    fitting = [score for score in scores if score.fitting]
    otherwise = sum(score.otherwise_f1 for score in scores) / len(scores)
    fitting_f1, default_fitting_f1 = (
        sum(getattr(score, key) for score in fitting) for key in ("fitting_f1", "fitting_default_f1")
    )
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
        f"{fitting_f1 / default_fitting_f1:.3f}" if default_fitting_f1 else "",
    ]


def cells_table(scores: Sequence[SiteCells]) -> Table:
    """Return a row per corpus: cells and records of ``extract`` that wrappers return, and columns per site."""
    titles = (
        "own cells",
        "own records",
        "other cells",
        "other records",
        "cells where it fits",
        "records where it fits",
        "in shown columns",
        "known cells",
        "of cells",
    )
    table = plain_table("corpus", "sites", *titles, "columns", "failed", left=["corpus"])
    for name in [*dict.fromkeys(score.corpus for score in scores), "all"]:
        own = [score for score in scores if name in (score.corpus, "all")]
        sums = [sum((getattr(score, part) for score in own), Returned()) for part in ("own", "others", "fitting")]
        shares = [share for total in sums for share in _shares(total)]
        shares += _known_shares(sums[-1])
        columns = sum(score.columns for score in own) / len(own)
        table.add_row(name, str(len(own)), *shares, f"{columns:.1f}", str(sum(bool(score.error) for score in own)))
    return table


def _shares(total: Returned) -> tuple[str, str]:
    if not total.cells:
        return "", ""
    return f"{total.returned_cells / total.cells:.4f}", f"{total.returned_records / max(total.records, 1):.4f}"


def _known_shares(total: Returned) -> tuple[str, str, str]:
    """Return the share of the cells in shown columns, of the known cells that are returned, and of cells known."""
    if not total.cells:
        return "", "", ""
    known = f"{total.returned_known_cells / total.known_cells:.4f}" if total.known_cells else ""
    return f"{total.shown_cells / total.cells:.4f}", known, f"{total.known_cells / total.cells:.4f}"


def exports_table(scores: Sequence[ExportScore]) -> Table:
    """Return a row per corpus: sites, values that ``apply`` gives, and those that each library reads otherwise."""
    names = [name for score in scores for name in score.different]
    libraries = list(dict.fromkeys(names))
    table = plain_table("corpus", "sites", "values", *libraries, "sites that differ", "not exported", left=["corpus"])
    for name in [*dict.fromkeys(score.corpus for score in scores), "all"]:
        own = [score for score in scores if name in (score.corpus, "all")]
        counts = [str(sum(score.different.get(library, 0) for score in own)) for library in libraries]
        differing = sum(any(score.different.values()) for score in own)
        failed = sum(score.error is not None for score in own)
        table.add_row(
            name, str(len(own)), str(sum(score.values for score in own)), *counts, str(differing), str(failed)
        )
    return table


def verdicts_table(scores: Mapping[str, Sequence[DriftScore]]) -> Table:
    """Return how often each verdict was given on own and on foreign pages."""
    table = plain_table("pages", "sites", *VERDICTS, left=["pages"])
    for kind, of_kind in scores.items():
        for whose in ("own", "foreign"):
            counts = [sum(getattr(score, whose).get(verdict, 0) for score in of_kind) for verdict in VERDICTS]
            if any(counts):
                table.add_row(f"{kind}, {whose}", str(len(of_kind)), *map(str, counts))
    return table


def mutations_table(kind: str, scores: Sequence[DriftScore]) -> Table:
    """Return a row per mutation: verdicts, sites, sites healed, equal values after healing, of healed and of all."""
    first = f"{kind} pages with"
    table = plain_table(first, *VERDICTS, "sites", "healed", "equal values", "equal of all", left=[first])
    for name in dict.fromkeys(name for score in scores for name in score.mutations):
        results = [score.mutations[name] for score in scores if name in score.mutations]
        counts = [str(sum(result.verdict == verdict for result in results)) for verdict in VERDICTS]
        healed = [result for result in results if result.accepted]
        equal = f"{sum(result.equal_share for result in healed) / len(healed):.3f}" if healed else ""
        all_equal = f"{sum(result.equal_share for result in results) / len(results):.3f}"
        table.add_row(name, *counts, str(len(results)), str(len(healed)), equal, all_equal)
    return table


def sites_table(scores: Sequence[SiteScore]) -> Table:
    """Return a row per site with the F1 and the column of each attribute."""
    table = plain_table("site", "pages", "mean", "columns", "by attribute", left=["site", "by attribute"])
    for score in scores:
        attributes = "  ".join(f"{name} {f1:.2f} ({score.column_of.get(name, '-')})" for name, f1 in score.f1.items())
        site = f"{score.vertical}-{score.site}"
        table.add_row(
            site, str(score.learning_pages), f"{score.mean:.3f}", str(score.columns), score.error or attributes
        )
    return table


def summary_table(scores: Sequence[SiteScore], counts: Sequence[int]) -> Table:
    """Return the mean F1 of each vertical, a column per number of learning pages."""
    table = plain_table("vertical", *(f"{count} pages" for count in counts), left=["vertical"])
    by_count = {count: [score for score in scores if score.learning_pages == count] for count in counts}
    means = {count: by_vertical(of_count) for count, of_count in by_count.items()}
    for name in means[counts[0]]:
        table.add_row(name, *(f"{means[count][name]:.4f}" for count in counts))
    mean_columns = [sum(score.columns for score in of_count) / max(len(of_count), 1) for of_count in by_count.values()]
    table.add_row("names accepted", *(f"{named_share(of_count):.4f}" for of_count in by_count.values()))
    table.add_row("columns per site", *(f"{mean:.1f}" for mean in mean_columns))
    if errors := sum(score.error is not None for score in scores):
        table.add_row("errors", str(errors))
    return table

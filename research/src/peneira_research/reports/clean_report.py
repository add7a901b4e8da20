"""The tables of ``bench clean`` and ``bench table2`` for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.cleaning_score import CleaningScore
from peneira_research.scores.resampling import Difference, Interval
from peneira_research.studies.published_tables import FILTERS, OURS, Effect, MarginPoint, SiteRow, Summary


def clean_table(scores: Sequence[CleaningScore]) -> Table:
    """Return a row per corpus: main regions kept, nodes cut, prose kept."""
    table = plain_table("corpus", "pages", "main kept", "nodes cut", "prose kept", left=("corpus",))
    for name in dict.fromkeys(score.corpus for score in scores):
        table.add_row(name, *_clean_cells([score for score in scores if score.corpus == name]))
    table.add_row("all lists", *_clean_cells([score for score in scores if score.anchors is not None]))
    return table


def _clean_cells(scores: Sequence[CleaningScore]) -> list[str]:
    is_main_kept = [score.is_main_kept for score in scores if score.anchors is not None]
    prose = [score.prose for score in scores if score.prose is not None]
    return [str(len(scores)), _mean(is_main_kept), _mean([score.cut for score in scores]), _mean(prose)]


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else ""


def sites_table(rows: Sequence[SiteRow]) -> Table:
    """Return a row per site: share of nodes kept and MDR's records total/target, published and measured."""
    groups = ("site", "nodes", "(ours)", "thesis", "paper", *FILTERS)
    records = ("MDR raw", "(ours)", "MDR pruned", "program", "our filter", "gold", "splits")
    table = plain_table(*groups, *records, left=("site",))
    for row in rows:
        table.add_row(row.site, str(row.thesis["nodes"]), str(row.nodes), *_shares(row), *_records(row))
    return table


def _shares(row: SiteRow) -> list[str]:
    ours = [_starred(row.filtered[name].nodes / row.nodes, row.filtered[name].is_main_kept) for name in FILTERS]
    return [_published(row.thesis), _published(row.paper), *ours]


def _published(entry: Mapping[str, Any] | None) -> str:
    return _starred(entry["kept_nodes"] / entry["nodes"], entry["main_kept"]) if entry else ""


def _starred(share: float, is_kept: bool) -> str:
    return f"{share:.2f}{'*' if is_kept else ' '}"


def _records(row: SiteRow) -> list[str]:
    thesis = row.thesis
    ours = [f"{row.filtered[name].records.total}/{row.filtered[name].records.target}" for name in ("program", OURS)]
    return [
        f"{thesis['raw_total']}/{thesis['raw_target']}",
        f"{row.raw.total}/{row.raw.target}",
        f"{thesis['pruned_total']}/{thesis['pruned_target']}",
        *ours,
        str(row.gold),
        str(row.filtered["program"].splits),
    ]


# Velloso 2014, Tables 2 and 3, and Velloso and Dorneles 2013, Table I; P of the paper and P all from their rows
THESIS_LINES = (
    ("thesis, raw", "51/51", "0.000", "0.000", "", "0.189", "0.182", "1.000", "0.318", "", "", "", ""),
    ("thesis, filtered", "42/51", "0.502", "0.889", "", "0.751", "0.638", "0.824", "0.786", "", "", "", "4-5"),
)
PAPER_LINES = (("paper, filtered", "20/23", "0.462", "0.770", "", "0.608", "0.529", "", "", "", "", "", "4-5"),)
SUMMARY_COLUMNS = (
    "", "main kept", "nodes cut", "noise removed", "(of theirs)", "P kept", "P all", "R", "F", "pooled F", "as thesis",
    "as paper", "splits",
)  # fmt: skip


def summary_table(summaries: Mapping[str, Summary], published: Sequence[Sequence[str]]) -> Table:
    """Return a row per filter: the averages of Tables 2 and 3 or I, and on how many pages the share is as published."""
    table = plain_table(*SUMMARY_COLUMNS, left=("",))
    for line in published:
        table.add_row(*line)
    for name, summary in summaries.items():
        table.add_row(name, *summary_cells(summary))
    return table


def summary_cells(summary: Summary) -> list[str]:
    """Return the cells of a row of ``summary_table``, after its name."""
    median = "" if summary.median_splits is None else f"{summary.median_splits:.0f} ({summary.mean_splits:.1f})"
    return [
        f"{summary.kept_pages}/{summary.pages}",
        bounded(summary.cut),
        bounded(summary.noise_removed),
        f"{summary.noise_removed_by_thesis:.3f}",
        bounded(summary.precision),
        bounded(summary.precision_of_all),
        bounded(summary.recall),
        f"{summary.f:.3f}",
        f"{summary.pooled_f:.3f}",
        f"{summary.near_thesis}",
        f"{summary.near_paper}",
        median,
    ]


def bounded(found: Interval | None) -> str:
    """Return a mean with half the width of its interval, as in ``.904±.03``."""
    return f"{found.mean:.3f}±{(found.high - found.low) / 2:.2f}" if found else ""


def effects_table(effects: Mapping[str, Effect]) -> Table:
    """Return a row per filter: paired differences to MDR on raw pages, with their intervals."""
    table = plain_table("filtered - raw", "precision", "recall", "noise", "p of each", left=("filtered - raw",))
    for name, found in effects.items():
        parts = (found.precision, found.recall, found.noise)
        table.add_row(name, *map(signed, parts), " ".join(f"{part.p:.3f}" for part in parts))
    return table


def signed(found: Difference) -> str:
    """Return a difference with its interval, as in ``+.461 (+.35 to +.56)``."""
    return f"{found.mean:+.3f} ({found.low:+.2f} to {found.high:+.2f})"


def margin_table(points: Sequence[MarginPoint]) -> Table:
    """Return a row per variant, reading of the margin and margin."""
    columns = ("variant", "of", "margin", "main kept", "nodes cut", "splits", "as thesis", "as paper")
    table = plain_table(*columns, left=("variant", "of"))
    for point in points:
        table.add_row(
            point.variant,
            point.margin.of,
            f"{point.margin.share:.2f}",
            f"{point.kept_pages}/{point.pages}",
            f"{point.cut.mean:.3f}",
            f"{point.splits.mean:.1f}",
            str(point.near_thesis),
            str(point.near_paper),
        )
    return table

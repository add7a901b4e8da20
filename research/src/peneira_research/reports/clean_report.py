"""The tables of ``bench clean`` and ``bench table2`` for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.scores.cleaning_score import CleaningScore
from peneira_research.studies.published_tables import FILTERS, SiteRow, Summary


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
    groups = ("site", "nodes", "(ours)", "kept", "scan-on", "(paper)", "first-split", "ours")
    records = ("MDR raw", "(ours)", "MDR pruned", "scan-on", "first-split", "ours", "gold")
    table = plain_table(*groups, *records, left=("site",))
    for row in rows:
        table.add_row(row.site, str(row.thesis["nodes"]), str(row.nodes), *_shares(row), *_records(row), str(row.gold))
    return table


def _shares(row: SiteRow) -> list[str]:
    ours = {name: _starred(row.filtered[name].nodes / row.nodes, row.filtered[name].is_main_kept) for name in FILTERS}
    return [_published(row.thesis), ours["scan-on"], _published(row.paper), ours["first-split"], ours["ours"]]


def _published(entry: Mapping[str, Any] | None) -> str:
    return _starred(entry["kept_nodes"] / entry["nodes"], entry["main_kept"]) if entry else ""


def _starred(share: float, is_kept: bool | None) -> str:
    return f"{share:.2f}{'*' if is_kept else ' '}"


def _records(row: SiteRow) -> list[str]:
    thesis = row.thesis
    ours = [f"{row.filtered[name].records.total}/{row.filtered[name].records.target}" for name in FILTERS]
    return [
        f"{thesis['raw_total']}/{thesis['raw_target']}",
        f"{row.raw.total}/{row.raw.target}",
        f"{thesis['pruned_total']}/{thesis['pruned_target']}",
        *ours,
    ]


# Velloso 2014, Tables 2 and 3
_THESIS = ("thesis, filtered", "42/51", "0.502", "0.889", "", "0.751", "0.824", "0.786", "", "", "")
_THESIS_RAW = ("thesis, raw", "51/51", "0.000", "0.000", "", "0.189", "1.000", "0.318", "", "", "")
_PAPER = ("paper, filtered", "20/23", "0.462", "0.770", "", "", "", "", "", "", "")


def summary_table(summaries: Mapping[str, Summary]) -> Table:
    """Return a row per filter: the averages of Tables 2 and 3, and on how many pages the kept share is as published."""
    table = plain_table(
        "", "main kept", "nodes cut", "noise removed", "(of theirs)", "P", "R", "F", "pooled F", "as thesis",
        "as paper", left=("",),
    )  # fmt: skip
    for published in (_THESIS_RAW, _THESIS, _PAPER):
        table.add_row(*published)
    for name, summary in summaries.items():
        noise = (summary.noise_removed, summary.noise_removed_by_thesis)
        shares = (summary.cut, *noise, summary.precision, summary.recall, summary.f, summary.pooled_f)
        table.add_row(
            name,
            f"{summary.kept_pages}/{summary.pages}",
            *(f"{share:.3f}" for share in shares),
            f"{summary.near_thesis}/51",
            f"{summary.near_paper}/23",
        )
    return table

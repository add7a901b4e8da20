"""The tables of ``bench clean`` and ``bench table2`` for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from peneira_research.reports.report import plain_table
from peneira_research.scores.cleaning_score import Cleaned
from peneira_research.studies.published_tables import FILTERS, Row, Summary


def clean_table(found: Sequence[Cleaned]) -> Table:
    """Return a row per corpus: main regions kept, nodes cut, prose kept."""
    table = plain_table("corpus", "pages", "main kept", "nodes cut", "prose kept", left=("corpus",))
    for name in dict.fromkeys(one.corpus for one in found):
        table.add_row(name, *_clean_figures([one for one in found if one.corpus == name]))
    table.add_row("all lists", *_clean_figures([one for one in found if one.anchors is not None]))
    return table


def _clean_figures(group: Sequence[Cleaned]) -> list[str]:
    anchored = [one.is_main_kept for one in group if one.anchors is not None]
    prose = [one.prose for one in group if one.prose is not None]
    return [str(len(group)), _mean(anchored), _mean([one.cut for one in group]), _mean(prose)]


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else ""


def sites_table(rows: Sequence[Row]) -> Table:
    """Return a row per site: share of nodes kept and MDR's records total/target, published and measured."""
    groups = ("site", "nodes", "(ours)", "kept", "scan-on", "(paper)", "first-split", "ours")
    records = ("MDR raw", "(ours)", "MDR pruned", "scan-on", "first-split", "ours", "gold")
    table = plain_table(*groups, *records, left=("site",))
    for row in rows:
        table.add_row(row.site, str(row.thesis["nodes"]), str(row.nodes), *_shares(row), *_records(row), str(row.gold))
    return table


def _shares(row: Row) -> list[str]:
    ours = {name: _starred(row.filtered[name].nodes / row.nodes, row.filtered[name].is_main_kept) for name in FILTERS}
    return [_published(row.thesis), ours["scan-on"], _published(row.paper), ours["first-split"], ours["ours"]]


def _published(entry: Mapping[str, Any] | None) -> str:
    return _starred(entry["kept_nodes"] / entry["nodes"], entry["main_kept"]) if entry else ""


def _starred(share: float, is_kept: bool | None) -> str:
    return f"{share:.2f}{'*' if is_kept else ' '}"


def _records(row: Row) -> list[str]:
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
    """Return a row per filter: what Tables 2 and 3 average, and how often the kept share is that of the documents."""
    table = plain_table(
        "", "main kept", "nodes cut", "noise removed", "(of theirs)", "P", "R", "F", "pooled F", "as thesis",
        "as paper", left=("",),
    )  # fmt: skip
    for published in (_THESIS_RAW, _THESIS, _PAPER):
        table.add_row(*published)
    for name, one in summaries.items():
        noise = (one.noise_removed, one.noise_removed_by_thesis)
        table.add_row(
            name,
            f"{one.kept_pages}/{one.pages}",
            *(f"{figure:.3f}" for figure in (one.cut, *noise, one.precision, one.recall, one.f, one.pooled_f)),
            f"{one.near_thesis}/51",
            f"{one.near_paper}/23",
        )
    return table

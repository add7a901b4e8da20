"""What ``bench area`` prints: accuracy by method and by step with the paper's beside it, sweeps, XPaths, styles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from peneira_research.reports.console import plain_table
from peneira_research.scores.resampling import Difference, Interval
from peneira_research.studies.area_study import PUBLISHED_ACCURACY
from peneira_research.studies.page_styles import StyleCounts
from peneira_research.studies.xpath_survival import ANEW, SAVED, Survival

if TYPE_CHECKING:
    from rich.table import Table

Accuracies = Mapping[str, float]


def accuracy_table(
    head: str, rows: Mapping[str, Accuracies], totals: Mapping[str, Interval], gains: Mapping[str, Difference]
) -> Table:
    """Return the accuracy by corpus, the interval over all, the paired difference to the first row, and the paper's."""
    corpora = list(next(iter(rows.values())))
    table = plain_table(head, *corpora, "95 %", "to the first", "WEBV", "WEBT", left=[head])
    for name, accuracies in rows.items():
        total, gap = totals[name], gains.get(name)
        table.add_row(
            name,
            *(f"{accuracies[corpus]:.3f}" for corpus in corpora),
            f"{total.low:.3f}-{total.high:.3f}",
            f"{gap.mean:+.3f}{'*' if gap.is_clear else ''}" if gap else "",
            *published(name),
        )
    return table


def published(name: str) -> tuple[str, str]:
    """Return the accuracy of the paper on WEBV and WEBT, in percent; "" where it has none."""
    webv, webt = PUBLISHED_ACCURACY.get(name, (None, None))
    return "" if webv is None else f"{webv:g}", "" if webt is None else f"{webt:g}"


def sweep_table(rows: Mapping[tuple[str, float], Accuracies]) -> Table:
    """Return the accuracy for each value of each parameter."""
    corpora = list(next(iter(rows.values())))
    table = plain_table("parameter", "value", *corpora, left=["parameter"])
    for (name, value), accuracies in rows.items():
        table.add_row(name, f"{value:g}", *(f"{accuracies[corpus]:.4f}" for corpus in corpora))
    return table


def survival_table(rows: Sequence[Survival]) -> Table:
    """Return what saved XPaths select on the other pages of sites whose first page was right, by corpus."""
    used = [row for row in rows if row.first_is_right]
    kinds = (*SAVED, ANEW)
    heads = ("sites", "pages", *(f"{kind}: right" for kind in kinds), "wrong", "none")
    table = plain_table("corpus", *heads, left=["corpus"])
    for corpus in (*dict.fromkeys(row.corpus for row in used), "all"):
        chosen = [row for row in used if corpus in (row.corpus, "all")]
        if not chosen:
            continue
        sites = len({(row.corpus, row.site) for row in chosen})
        counts = {kind: Counter(row.verdicts[kind] for row in chosen) for kind in kinds}
        shares = [f"{counts[kind]['right'] / len(chosen):.3f}" for kind in kinds]
        kept = counts[SAVED[1]]
        table.add_row(corpus, str(sites), str(len(chosen)), *shares, str(kept["wrong"]), str(kept["none"]))
    return table


def styles_table(rows: Sequence[StyleCounts]) -> Table:
    """Return how many pages of each corpus carry any style."""
    heads = ("pages", "style elements", "style attributes", "either", "name a sheet")
    table = plain_table("corpus", *heads, left=["corpus"])
    for row in rows:
        counts = (row.style_elements, row.style_attributes, row.either, row.linked)
        table.add_row(row.corpus, str(row.pages), *(f"{count / row.pages:.3f}" for count in counts))
    return table

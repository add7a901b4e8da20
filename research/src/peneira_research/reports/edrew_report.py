"""What ``bench edrew`` prints: F1 by noise and sites, Table 6 beside ours, the points of the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from peneira_research.reports.console import plain_table
from peneira_research.studies.edrew_study import BOUND, EDREW, LOOKUP, SEEN, TABLE_6, UNSEEN, EdrewResult, FigurePoint

if TYPE_CHECKING:
    from rich.table import Table

FIGURES = {
    10: "entries of a path", 13: "position class", 19: "epochs", 20: "learning rate", 21: "paths in a batch",
    22: "embeddings", 23: "seed", 24: "vertical alone",
}  # fmt: skip


# A table of paths knows nothing of unseen sites, and the bound there is that of seen ones
VERTICAL_COLUMNS = ((SEEN, LOOKUP), (SEEN, BOUND), (SEEN, EDREW), (UNSEEN, EDREW))


def ratio_name(ratio: float | None) -> str:
    """Return a noise ratio as a heading."""
    return "natural" if ratio is None else f"{ratio:g}:1"


def ratios_of(results: Sequence[EdrewResult]) -> list[float | None]:
    """Return the noise ratios of results, rising, whole pages last."""
    return sorted({result.ratio for result in results}, key=lambda ratio: (ratio is None, ratio or 0))


def noise_table(results: Sequence[EdrewResult]) -> Table:
    """Return the F1 of gold with its interval: sites and variants by noise for each gold content."""
    ratios = ratios_of(results)
    cells = {(r.sites, r.variant, r.ratio): r for r in results if r.part == "all"}
    table = plain_table("sites", "variant", *map(ratio_name, ratios), left=["sites", "variant"])
    for sites, variant in dict.fromkeys((sites, variant) for sites, variant, _ in cells):
        row = [cells.get((sites, variant, ratio)) for ratio in ratios]
        table.add_row(sites, variant, *(f"{r.f1:.3f} ({r.low:.2f}-{r.high:.2f})" if r else "" for r in row))
    return table


def vertical_table(results: Sequence[EdrewResult], ratio: float | None) -> Table:
    """Return precision, recall and F1 by vertical at one noise ratio, those of the thesis's Table 6 beside them."""
    chosen = [r for r in results if r.ratio == ratio and (r.sites, r.variant) in VERTICAL_COLUMNS]
    columns = list(dict.fromkeys((result.sites, result.variant) for result in chosen))
    cells = {(r.part, r.sites, r.variant): r for r in chosen}
    names = [f"{sites}, {variant}" for sites, variant in columns]
    table = plain_table("vertical", "published", *names, left=["vertical", "published"])
    for part in dict.fromkeys(result.part for result in chosen):
        row = [cells.get((part, *column)) for column in columns]
        figures = (f"{r.precision:.2f} {r.recall:.2f} {r.f1:.3f}" if r else "" for r in row)
        table.add_row(part, published_text(part), *figures)
    return table


def published_text(part: str) -> str:
    """Return the systems of Table 6 with precision, recall and F1."""
    return "; ".join(f"{name} {p:g} {r:g} {f:g}" for name, (p, r, f) in TABLE_6.get(part, {}).items())


def figures_table(points: Sequence[FigurePoint]) -> Table:
    """Return the points of all figures."""
    table = plain_table("figure", "x axis", "series", "x", "y", "95 %", left=["x axis", "series"])
    for point in points:
        bounds = "" if point.low is None else f"{point.low:.3f}-{point.high:.3f}"
        table.add_row(str(point.figure), FIGURES[point.figure], point.series, f"{point.x:g}", f"{point.y:.3f}", bounds)
    return table

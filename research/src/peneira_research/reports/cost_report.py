"""The table of costs: how much CPU time pages take, as a multiple of lexbor's parse alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.table import Table

from peneira_research.reports.console import plain_table

CAPTION = "CPU time from the bytes of a page, as a multiple of lexbor's parse alone"


def cost_table(ratios: Mapping[str, Iterable[float]]) -> Table:
    """Return a row for each kind of pages that has any: their number, median, 90 % and worst."""
    table = plain_table("of", "pages", "median", "90 %", "worst", left=["of"])
    for name, values in ratios.items():
        ordered = sorted(values)
        if ordered:
            shares = (ordered[len(ordered) // 2], ordered[len(ordered) * 9 // 10], ordered[-1])
            table.add_row(name, str(len(ordered)), *(f"{ratio:.1f}" for ratio in shares))
    return table

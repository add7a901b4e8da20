"""The explanation of one page for a reader: verdict, reasons, lists with their scores, records against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from peneira_research.studies.explain import Explanation, Finding

# The lists that are printed: the first of them, and the one with the best score wherever it is
MAX_REGIONS = 5


def print_explanation(explanation: Explanation, console: Console) -> None:
    """Print an explanation, texts shortened to the width of the console."""
    page, result = explanation.page, explanation.result
    console.print(f"{page.id}: corpus {page.corpus}, site {page.site}, method {result.method}")
    gold = "no list" if page.is_negative else f"{len(page.anchors or ())} anchors, {page.expected} expected"
    console.print(f"gold: {gold}{', partial' if page.is_partial else ''}{f', {page.layout}' if page.layout else ''}")
    console.print(f"verdict: {result.verdict}, {result.status}")
    for reason in result.reasons:
        console.print(f"why: {reason}", no_wrap=True, overflow="ellipsis")
    if explanation.scores:
        first = ", ".join(f"{name} {value:.4f}" for name, value in asdict(explanation.scores[0]).items())
        console.print(f"main: {first}")
    console.print(_regions_table(explanation))
    console.print(_findings_table(explanation.findings))


def _regions_table(explanation: Explanation) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("list", "f1", "records", "confidence"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("xpath", overflow="fold")
    f1 = [score.f1 for score in explanation.scores]
    best = f1.index(max(f1)) if f1 else 0
    for i, region in enumerate(explanation.result.regions):
        if i < MAX_REGIONS or i == best:
            cells = (f"{f1[i]:.4f}" if f1 else "", str(len(region.records)), f"{region.confidence:.2f}")
            table.add_row(str(i + 1), *cells, region.xpath)
    return table


def _findings_table(findings: Sequence[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    table.add_column("#", justify="right")
    for name, share in (("record", 3), ("anchor", 2), ("fault", 2)):
        table.add_column(name, ratio=share, no_wrap=True, overflow="ellipsis")
    for row in findings:
        table.add_row(str(row.number or ""), row.record, row.anchor, row.fault)
    return table

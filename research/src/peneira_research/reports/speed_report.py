"""The tables of ``bench speed``, ratios and growth, and its JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.studies.speed import PARSE, Timing, factors, ratios

FORMAT = "peneira-bench-speed"
VERSION = 1


def ratio_table(timings: Sequence[Timing]) -> Table:
    """Return each stage as a multiple of parsing alone."""
    table = plain_table("stage", "median", "p95", left=["stage"])
    for row in ratios(timings):
        table.add_row(row.stage, f"{row.median:.2f}", f"{row.p95:.2f}")
    return table


def growth_table(timings: Sequence[Timing]) -> Table:
    """Return, per size and stage, the multiple of parsing alone and, after an x, of the time at half the size."""
    names = list(timings[0].cpu_s)
    table = plain_table("repeats", "nodes", "parse ms", "parse", *names[1:], "")
    factor = {name: factors(timings, name) for name in names}
    for i, timing in enumerate(timings):
        cells = [f"{_cell(timing.ratio(name))}{_cell(factor[name][i], ' x')}" for name in names]
        parse_ms = f"{timing.cpu_s[PARSE] * 1000:.1f}"
        table.add_row(timing.page, str(timing.nodes), parse_ms, *cells, "partial" if timing.is_partial else "")
    return table


def speed_document(timings: Sequence[Timing], growth: Sequence[Timing], page: str) -> dict[str, object]:
    """Return all timings as a JSON document."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "ratios": [asdict(row) for row in ratios(timings)],
        "pages": [asdict(timing) for timing in timings],
        "growth": {"page": page, "sizes": [asdict(timing) for timing in growth]},
    }


def _cell(value: float | None, before: str = "") -> str:
    return "" if value is None else f"{before}{value:.2f}"

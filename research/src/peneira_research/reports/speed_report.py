"""The tables of ``bench speed``: ratios, growth, memory, start-up, instructions; and its JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rich.table import Table

from peneira_research.reports.console import plain_table
from peneira_research.studies.process_cost import Memory
from peneira_research.studies.speed import PARSE, Ratio, Timing, per_node, ratios

FORMAT = "peneira-bench-speed"
VERSION = 2


@dataclass(slots=True)
class SpeedResults:
    """What a run measured: timings by corpus, and by what grew; memory, start-up in ms, instructions by stage."""

    corpora: dict[str, list[Timing]] = field(default_factory=dict)
    growth: dict[str, list[Timing]] = field(default_factory=dict)
    memory: list[Memory] = field(default_factory=list)
    start_up_ms: Mapping[str, float] = field(default_factory=dict)
    instructions: Mapping[str, int] = field(default_factory=dict)


def ratio_table(corpora: Mapping[str, Sequence[Timing]]) -> Table:
    """Return each stage as a multiple of parsing alone, by corpus: median and 95th percentile."""
    by_corpus = {name: {row.stage: row for row in ratios(timings)} for name, timings in corpora.items()}
    stages = dict.fromkeys(stage for rows in by_corpus.values() for stage in rows)
    headers = [header for name in by_corpus for header in (name, "p95")]
    table = plain_table("stage", *headers, left=["stage"])
    for stage in stages:
        cells = [cell for rows in by_corpus.values() for cell in _median_and_p95(rows, stage)]
        table.add_row(stage, *cells)
    return table


def growth_table(timings: Sequence[Timing]) -> Table:
    """Return, per size and stage, the multiple of parsing alone; after an x, the cost per node against the first."""
    names = list(timings[0].cpu_s)
    table = plain_table("size", "nodes", "parse ms", *names[1:], "")
    growth = {name: per_node(timings, name) for name in names}
    for i, timing in enumerate(timings):
        cells = [f"{_cell(timing.ratio(name))}{_cell(growth[name][i], ' x')}" for name in names[1:]]
        parse_ms = f"{timing.cpu_s[PARSE] * 1000:.1f}"
        table.add_row(timing.page, str(timing.nodes), parse_ms, *cells, "partial" if timing.is_partial else "")
    return table


def memory_table(rows: Sequence[Memory]) -> Table:
    """Return the bytes per node by page."""
    table = plain_table("page", "nodes", "bytes per node", left=["page"])
    for row in rows:
        table.add_row(row.page, str(row.nodes), f"{row.bytes_per_node:.0f}")
    return table


def start_up_table(start_up_ms: Mapping[str, float]) -> Table:
    """Return the CPU time of whole commands."""
    table = plain_table("command", "CPU ms", left=["command"])
    for name, cpu_ms in start_up_ms.items():
        table.add_row(name, f"{cpu_ms:.0f}")
    return table


def instruction_table(instructions: Mapping[str, int]) -> Table:
    """Return the instructions of stages, in millions, and as a multiple of parsing alone."""
    table = plain_table("stage", "million instructions", "multiple", left=["stage"])
    for name, count in instructions.items():
        table.add_row(name, f"{count / 1e6:.1f}", f"{count / max(1, instructions[PARSE]):.1f}")
    return table


def speed_document(results: SpeedResults) -> dict[str, object]:
    """Return all timings as a JSON document."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "corpora": {
            name: {
                "ratios": [asdict(row) for row in ratios(timings)],
                "pages": [asdict(timing) for timing in timings],
            }
            for name, timings in results.corpora.items()
        },
        "growth": {name: [asdict(timing) for timing in timings] for name, timings in results.growth.items()},
        "memory": [asdict(row) for row in results.memory],
        "start_up_ms": dict(results.start_up_ms),
        "instructions": dict(results.instructions),
    }


def _median_and_p95(rows: Mapping[str, Ratio], stage: str) -> tuple[str, str]:
    row = rows.get(stage)
    return (f"{row.median:.2f}", f"{row.p95:.2f}") if row is not None else ("", "")


def _cell(value: float | None, before: str = "") -> str:
    return "" if value is None else f"{before}{value:.2f}"

"""``peneira bench speed``: the cost of each stage, its growth, memory, start-up, and other extractors beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from peneira_research.commands.bench import (
    corpora_option,
    keep_option,
    method_option,
    open_corpora,
    output_option,
    write_results,
)

EXAMPLES = """\b
Examples:
  peneira bench speed
  peneira bench speed --corpus tpsf --corpus modern --corpus wcxb --every 10 --peers
  peneira bench speed --stage "cells auto" --max-nodes 0 --max-records 0
  peneira bench speed --start-up --memory --callgrind -o speed.json
"""
# The smallest list that grows
MIN_RECORDS = 20


@click.command(epilog=EXAMPLES)
@corpora_option
@method_option
@click.option(
    "--corpus",
    "names",
    multiple=True,
    default=("tpsf",),
    show_default=True,
    help="Corpus whose pages are timed: one of lists, swde or wcxb; may be repeated.",
)
@click.option(
    "--every", type=click.IntRange(min=1), default=1, show_default=True, help="Time every so many pages of a corpus."
)
@click.option("--stage", "wanted", multiple=True, help="Stage to time; may be repeated.  [default: all]")
@click.option("--repeat", type=click.IntRange(min=1), default=5, show_default=True, help="Runs; the best counts.")
@click.option(
    "--max-nodes",
    type=int,
    default=400_000,
    show_default=True,
    help="Size up to which a page is repeated; 0: not at all.",
)
@click.option(
    "--max-records",
    type=int,
    default=20_480,
    show_default=True,
    help="Records up to which a made list grows, from 20 on; 0: not at all.",
)
@click.option("--memory", "with_memory", is_flag=True, help="Also the memory per node on the largest pages.")
@click.option("--start-up", "with_start_up", is_flag=True, help="Also the CPU time of commands from their start.")
@click.option("--callgrind", "with_instructions", is_flag=True, help="Also count instructions (valgrind; minutes).")
@click.option("--peers", "with_peers", is_flag=True, help="Also the other extractors that are installed.")
@keep_option
@output_option
def speed(
    root: Path | None,
    methods: tuple[str, ...],
    names: tuple[str, ...],
    every: int,
    wanted: tuple[str, ...],
    repeat: int,
    max_nodes: int,
    max_records: int,
    with_memory: bool,
    with_start_up: bool,
    with_instructions: bool,
    with_peers: bool,
    keep: Path | None,
    output: Path | None,
) -> None:
    """Time each stage as a multiple of parsing alone, and how the time grows with the page.

    CPU time in one process of one thread, stages in turns, best of several. "records" finds the records alone,
    "extract" adds the columns of the main list, "cells" reads every typed cell of it, "wrapper" applies a wrapper that
    was learned from the page itself. Growth is that of a page whose body is repeated, and of a made list: the multiple,
    and the cost per node against the smallest.
    """
    from peneira_research.corpora.speed_pages import speed_pages
    from peneira_research.reports import speed_report as report
    from peneira_research.reports.console import console, progress
    from peneira_research.studies import process_cost
    from peneira_research.studies import speed as study
    from peneira_research.studies.kept_results import kept_in

    corpora, out = open_corpora(root), console(sys.stdout)
    options = study.SpeedOptions(methods, wanted, repeat, with_peers=with_peers)
    study.stages(options)  # an unknown stage is an error before anything is read
    results = report.SpeedResults()
    bodies: dict[str, bytes] = {}
    for name in names:
        pages = speed_pages(corpora, name, every=every)
        bodies.update(pages)
        results.corpora[name] = list(
            progress(study.time_pages(pages, options, kept_in(keep)), len(pages), f"speed, {name}")
        )
    sizes = ", ".join(f"{name} {len(timings)} pages" for name, timings in results.corpora.items())
    out.print(f"{sizes}: CPU time as a multiple of parsing alone, median and 95th percentile")
    out.print(report.ratio_table(results.corpora))
    middle = study.mid_size([timing for timings in results.corpora.values() for timing in timings])
    of_methods = [stage(name) for name in methods for stage in (study.records_stage, study.cells_stage)]
    growing = study.SpeedOptions(methods, ["page", *of_methods], repeat)
    growth = {
        f"{middle}, its body repeated": list(study.grown(bodies[middle], max_nodes=max_nodes)),
        "a made list": list(study.made_lists(least=MIN_RECORDS, most=max_records)),
    }
    for name, grown in growth.items():
        results.growth[name] = list(progress(study.time_growth(grown, growing), len(grown), "growth")) if grown else []
        if results.growth[name]:
            out.print(f"{name}: the same, and x the cost per node at the smallest size")
            out.print(report.growth_table(results.growth[name]))
    if with_memory:
        results.memory = list(process_cost.memory_per_node([grown[-1] for grown in growth.values() if grown]))
        out.print(report.memory_table(results.memory))
    if with_start_up:
        results.start_up_ms = process_cost.start_up_ms(repeat=repeat)
        out.print(report.start_up_table(results.start_up_ms))
    if with_instructions:
        results.instructions = process_cost.instructions(bodies[middle])
        out.print(f"{middle}, by callgrind")
        out.print(report.instruction_table(results.instructions))
    if output:
        write_results(report.speed_document(results), output, corpora, names)

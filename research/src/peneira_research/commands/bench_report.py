"""``peneira bench report``: all tables and plots on one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from os import times
from pathlib import Path
from time import monotonic
from typing import get_args

import click

from peneira.files import text_file
from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora
from peneira_research.studies.report_runs import RUNS, Plan, Run

EXAMPLES = """\b
Examples:
  peneira bench report --results runs/ -o report.html
  peneira bench report --results runs/ --plan full -o report.html
  peneira bench report --results quick/ --every 50 -o quick.html
  peneira bench report --results runs/ --only table2 --only margins -o report.html
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--results",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder of the results files, one for each run; a run that is there is not repeated.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The page.")
@click.option(
    "--plan",
    type=click.Choice(get_args(Plan)),
    default="hour",
    show_default=True,
    help="hour: about an hour of CPU time, samples where a section takes long, and no models trained anew but EDREW's. "
    "full: all pages, and all runs behind the figures in the docs; most of a day.",
)
@click.option(
    "--only",
    "names",
    multiple=True,
    type=click.Choice([run.name for run in RUNS]),
    help="Carry out this run, also if it is in the full plan alone; may be repeated.  [default: those of the plan]",
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="A quick pass: every N-th page in every section, or fewer where a section takes a smaller sample anyway.",
)
@click.option("--fresh", is_flag=True, help="Repeat runs whose results are of another commit.")
@jobs_option
@click.option(
    "--page-only", is_flag=True, help="Carry out nothing: only write the page from the results that are there."
)
def report(
    root: Path | None,
    folder: Path,
    output: Path,
    plan: Plan,
    names: tuple[str, ...],
    every: int,
    fresh: bool,
    jobs: int,
    page_only: bool,
) -> None:
    """Carry out all runs and write one HTML page: scoreboard, matrix, cost, calibration, published tables.

    Every run leaves a results file with its command (and so its sample), the commit, the day and a hash of each corpus.
    An interrupted report goes on where it was, also in the middle of a run if the commit is the same. A file that
    `peneira bench ... -o` wrote may be put into the folder under the name of its run, and files may be packed by gzip
    (`NAME.json.gz`). The page loads nothing, and says which runs it lacks. Other extractors are measured where they are
    installed. The exit code is 1 if a run fails.
    """
    from peneira_research.reports.bench_report import report_page
    from peneira_research.studies.report_runs import carry_out, done, is_current

    failed: dict[str, str] = {}
    wanted = [] if page_only else planned(plan, names, every)
    corpora = open_corpora(root) if wanted else None
    for number, run in enumerate(wanted, start=1):
        saved = done(folder, run)
        if saved and saved.meta.every <= run.every and (is_current(saved) or not fresh):
            click.echo(f"{number} of {len(wanted)}: {run.name} is there ({saved.meta.date})", err=True)
            continue
        click.echo(f"{number} of {len(wanted)}: {run.command}", err=True)
        start, before = monotonic(), _cpu_s()
        error = carry_out(folder, run, corpora, jobs, partial(click.echo, err=True)) if corpora else None
        took = f"{(monotonic() - start) / 60:.1f} minutes, {(_cpu_s() - before) / 60:.1f} of CPU time"
        click.echo(f"{run.name}: {took}", err=True)
        if error:
            failed[run.name] = error
            click.echo(f"{run.name} failed: {error}", err=True)
    found = {run.name: saved for run in RUNS if (saved := done(folder, run))}
    with text_file(output) as file:
        file.write(report_page(found, failed))
    click.echo(f"{output}: {len(found)} of {len(RUNS)} runs", err=True)
    if failed:
        raise SystemExit(1)


def _cpu_s() -> float:
    """Return the CPU time of the processes that were started and have ended."""
    spent = times()
    return spent.children_user + spent.children_system


def planned(plan: Plan, names: Sequence[str], every: int) -> list[Run]:
    """Return the runs of a plan, or those that are named, on their samples."""
    sampled = [
        run.sampled(plan, every) or (run.sampled("full") if run.name in names else None)
        for run in RUNS
        if not names or run.name in names
    ]
    return [run.possible() for run in sampled if run]

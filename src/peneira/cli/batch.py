"""``peneira batch``: many pages, in a run that streams and can be resumed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import click

from peneira.batch.archives import ArchiveOptions
from peneira.batch.chunk_writer import BATCH_FORMATS, BatchFormat, Target
from peneira.batch.inputs import PageInputs
from peneira.batch.row_schema import TASKS, TaskName
from peneira.batch.run import RunOptions, Summary, run_batch
from peneira.batch.site_wrappers import SiteWrappers
from peneira.batch.tasks import TaskOptions
from peneira.cli.batch_progress import progress
from peneira.cli.main import EXIT_PARTIAL
from peneira.cli.messages import say
from peneira.cli.methods import method_named
from peneira.limits import Limits
from peneira.methods import DEFAULT_METHOD
from peneira.sources.fetch_options import FetchOptions
from peneira.worker import WorkerLimits

Engine = Literal["local", "spark"]
EXIT_INTERRUPTED = 130
_MEGABYTE = 1024 * 1024
# A step that has begun is not interrupted by the limit on seconds; the worker ends a page that takes this much longer
_GRACE_FACTOR, _GRACE_S = 1.5, 10.0


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, metavar="FOLDER",
              help="Folder for the tables, which is made; the same command goes on with a run there.")  # fmt: skip
@click.option(
    "--task", type=click.Choice(TASKS), default="extract", show_default=True, help="What to do with each page."
)
@click.option("-f", "--format", "format_", type=click.Choice(BATCH_FORMATS), default="parquet", show_default=True,
              help="Format of the tables.")  # fmt: skip
@click.option("--by-site", is_flag=True,
              help="A table for each site, with typed columns of its own, in place of one for all.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes. Default: one per core.")
@click.option("--method", default=DEFAULT_METHOD, show_default=True, help="How to find records; see `peneira methods`.")
@click.option("--wrappers", type=click.Path(path_type=Path), metavar="FOLDER|FILE",
              help="Read pages by the wrapper of their site (example.org.json), or all by one wrapper.")  # fmt: skip
@click.option(
    "--learn", is_flag=True, help="First learn the wrappers that the folder lacks, from 5 pages of each site."
)
@click.option("--html-column", metavar="NAME", help="Column of Parquet inputs that has the HTML.")
@click.option("--url-column", metavar="NAME", help="Column of Parquet inputs that has the address.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              help="Limit on the time for one page; a worker that takes half as long again is ended.")  # fmt: skip
@click.option("--memory", "memory_mb", type=click.IntRange(min=200), default=2048, show_default=True, metavar="MB",
              help="Limit on the memory of a worker; the page that needs more fails.")  # fmt: skip
@click.option("--chunk", "chunk_pages", type=click.IntRange(min=1), default=500, show_default=True, metavar="PAGES",
              help="Pages per part file.")  # fmt: skip
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True,
              metavar="SECONDS", help="Give up on a URL after this time.")  # fmt: skip
@click.option("--allow-private", is_flag=True, help="Allow URLs that lead to link-local and private addresses.")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="Where the work is done: worker processes of this machine, or Apache Spark.")  # fmt: skip
@click.option("--master", metavar="URL", help="The Spark master. Default: that of spark-submit, else local[*].")
def batch(
    inputs: tuple[str, ...],
    folder: Path,
    task: TaskName,
    format_: BatchFormat,
    by_site: bool,
    jobs: int | None,
    method: str,
    wrappers: Path | None,
    learn: bool,
    html_column: str | None,
    url_column: str | None,
    seconds: float,
    memory_mb: int,
    chunk_pages: int,
    timeout_s: float,
    allow_private: bool,
    engine: Engine,
    master: str | None,
) -> None:
    """Read any number of pages into tables that are written as the run goes on.

    An input is a page (also .gz, .br, .zst), a folder, a glob, a URL, a WARC or WACZ, a tar or zip file, a Parquet file
    with a column of HTML, or a list (.txt: a path or URL per line; .jsonl: objects with url and path). The folder gets
    the table of the task (records, items, texts or contents) and the table `pages`, which has a row for each page:
    complete, partial, or failed with its reason. A run that was stopped goes on with the same command. Exit code 1:
    some pages failed; 5: some are partial.

    \b
    Examples:
      peneira batch saved_pages/ -o out/
      peneira batch 'crawl/*.warc.gz' -o out/ --task text --format jsonl
      peneira batch shops/ -o out/ --by-site --format sqlite
      peneira batch shops/ -o out/ --wrappers wrappers/ --learn
      peneira batch urls.txt -o out/ --task item --jobs 4
      peneira batch 'crawl/*.warc.gz' -o out/ --engine spark --master spark://host:7077
    """
    method_named(method)
    _check_usage(task, wrappers, learn=learn, engine=engine, master=master, jobs=jobs)
    limits = Limits(seconds=seconds)
    page_inputs = PageInputs(inputs, ArchiveOptions(limits, html_column, url_column))
    fetching = FetchOptions(timeout_s=timeout_s, allow_private=allow_private)
    options = TaskOptions(task, method, limits, fetching, SiteWrappers(str(wrappers or "")))
    worker = WorkerLimits(seconds * _GRACE_FACTOR + _GRACE_S, memory_mb * _MEGABYTE)
    run = RunOptions(jobs or os.cpu_count() or 1, chunk_pages, worker, learns_wrappers=learn)
    target = Target(folder, task, format_, by_site)
    if engine == "spark":
        from peneira.batch.spark_run import run_on_spark

        finish(run_on_spark(page_inputs, target, options, run, master=master), page_inputs, folder)
        return
    run_to_end(page_inputs, target, options, run)


def _check_usage(
    task: TaskName, wrappers: Path | None, *, learn: bool, engine: Engine, master: str | None, jobs: int | None
) -> None:
    if wrappers is not None and task not in ("extract", "apply"):
        raise click.UsageError("--wrappers goes with the tasks extract and apply")
    if task == "apply" and wrappers is None:
        raise click.UsageError("the task apply needs --wrappers")
    if learn and (wrappers is None or wrappers.is_file()):
        raise click.UsageError("--learn needs a folder for the wrappers: --wrappers FOLDER")
    if wrappers is not None and not learn and not wrappers.exists():
        raise click.UsageError(f"{wrappers}: no such wrapper or folder of wrappers")
    if master is not None and engine != "spark":
        raise click.UsageError("--master goes with --engine spark")
    if engine == "spark" and jobs is not None:
        raise click.UsageError(
            "Spark decides how many workers there are: write --master 'local[2]' in place of --jobs 2"
        )
    if engine == "spark" and learn:
        raise click.UsageError("--learn is done on one machine: learn first with --engine local, then give --wrappers")


def run_to_end(inputs: PageInputs, target: Target, task: TaskOptions, options: RunOptions) -> None:
    """Do a run on this machine, report it, and exit as it says; Ctrl-C says how to go on."""
    try:
        with progress() as watcher:
            summary = run_batch(inputs, target, task, options, watcher)
    except KeyboardInterrupt:
        say(f"{target.folder}: stopped; the same command goes on from here")
        sys.exit(EXIT_INTERRUPTED)
    finish(summary, inputs, target.folder)


def finish(summary: Summary, inputs: PageInputs, folder: Path) -> None:
    """Say what a run has come to, and exit with 1 if pages failed, with 5 if some are partial."""
    for site, why in sorted(summary.unlearned.items()):
        say(f"{site}: no wrapper learned: {why}")
    for reason, count in sorted(inputs.passed_over.items()):
        say(f"passed over: {count:,} {reason}")
    for name, why in sorted(summary.failures.items()):
        say(why if why.startswith(f"{name}: ") else f"{name}: {why}")
    if summary.statuses["failed"] > len(summary.failures) > 0:
        say("why the others failed is in the table pages")
    say(f"{folder}: {summary}")
    if summary.statuses["failed"]:
        sys.exit(1)
    if summary.statuses["partial"]:
        sys.exit(EXIT_PARTIAL)

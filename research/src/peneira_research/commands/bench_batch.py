"""``peneira bench batch``: batch runs over any number of pages made from the corpora."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, open_corpora, output_option, write_results

EXAMPLES = """\b
Examples:
  peneira bench batch --pages 20000 --folder /tmp/many
  peneira bench batch --pages 20000 --folder /tmp/many --as warc --kills 3
  peneira bench batch --pages 5000 --folder /tmp/many --spark --task text
"""


@click.command(epilog=EXAMPLES)
@corpora_option
@click.option(
    "--pages", type=click.IntRange(min=1), default=20_000, show_default=True, metavar="N", help="Pages to make."
)
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Where the pages and the runs are; pages that are there are used.")  # fmt: skip
@click.option(
    "--as", "form", type=click.Choice(["files", "warc"]), default="files", show_default=True, help="Form of the pages."
)
@click.option("--max-kb", type=click.IntRange(min=1), metavar="N", help="Only pages of at most so many kilobytes.")
@click.option("--task", default="extract", show_default=True, help="Task of the runs.")
@click.option(
    "--jobs", default="1,2", show_default=True, metavar="N,...", help="A measured run with each number of workers."
)
@click.option(
    "--kills",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Also a run that is killed N times, and compared.",
)
@click.option("--seed", default=0, show_default=True, help="Of the moments of the kills.")
@click.option("--spark", is_flag=True, help="Also a run by Spark with as many cores as the last run has workers.")
@output_option
def batch(
    root: Path | None,
    pages: int,
    folder: Path,
    form: str,
    max_kb: int | None,
    task: str,
    jobs: str,
    kills: int,
    seed: int,
    spark: bool,
    output: Path | None,
) -> None:
    """Measure batch runs: time, memory over the run, the same rows after kills, and Spark beside the local engine.

    The share of the parent in all processor time and the idle share of the workers say how far more workers help, also
    on a machine that is busy: "by accounting" is the speed of free cores, beside one worker.
    """
    from peneira_research.corpora.many_pages import write_files, write_warc
    from peneira_research.corpora.pages_without_gold import ARCHIVES
    from peneira_research.reports.console import console, plain_table
    from peneira_research.studies.batch_runs import RunMeasures, killed_run, measured_run, sorted_digest

    out = console(sys.stdout)
    name = f"pages-{pages}" + (f"-{max_kb}kb" if max_kb else "")
    source = folder / (name if form == "files" else f"{name}.warc.gz")
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (write_files if form == "files" else write_warc)(open_corpora(root), pages, source, max_kb and 1024 * max_kb)
    counts = [int(count) for count in jobs.split(",")]
    runs: dict[str, tuple[RunMeasures, Path]] = {}

    def run(name: str, options: list[str]) -> None:
        target = folder / f"run-{name}"
        shutil.rmtree(target, ignore_errors=True)
        measures = measured_run(source, target, ["--task", task, "--format", "jsonl", *options])
        runs[name] = measures, target
        out.print(f"{name}: {measures.last_line}", highlight=False)

    for count in counts:
        run(f"{count} jobs", ["--jobs", str(count)])
    if spark:
        run("spark", ["--engine", "spark", "--master", f"local[{counts[-1]}]"])
    table = plain_table(
        "run", "seconds", "CPU s", "parent", "idle", "parent MB", "worker MB", "worker MB by quarter", left=["run"]
    )
    for name, (measures, _) in runs.items():
        cpu = measures.parent_cpu_s + measures.worker_cpu_s
        quarters = " ".join(f"{worker:.0f}" for _, worker in measures.quarters_mb)
        share = f"{measures.parent_cpu_s / cpu:.1%}" if cpu else ""
        table.add_row(
            name,
            f"{measures.seconds:.0f}",
            f"{cpu:.0f}",
            share,
            f"{measures.idle_share:.1%}",
            f"{measures.parent_mb:.0f}",
            f"{measures.worker_mb:.0f}",
            quarters,
        )
    out.print(table)
    first, last = f"{counts[0]} jobs", f"{counts[-1]} jobs"
    if counts[-1] > 1:
        speed = runs[last][0].accounted_speed(counts[-1])
        out.print(f"{last} on as many free cores are {speed:.2f}x as fast as one, by accounting")
    if len(counts) > 1:
        out.print(f"{last} are {runs[first][0].seconds / runs[last][0].seconds:.2f}x as fast as {first}")
    document: dict[str, object] = {name: asdict(measures) for name, (measures, _) in runs.items()}
    is_equal = True
    undisturbed = runs[last][1]
    if spark:
        local, by_spark = (sorted_digest(_tables(path), by_value=True) for path in (undisturbed, runs["spark"][1]))
        document["spark_is_equal"] = local == by_spark
        out.print(f"rows of Spark and of the local engine are {'equal' if local == by_spark else 'NOT equal'}")
        is_equal = local == by_spark
    if kills:
        target = folder / "run-killed"
        shutil.rmtree(target, ignore_errors=True)
        options = ["--task", task, "--format", "jsonl", "--jobs", str(counts[-1])]
        killed_at = killed_run(source, target, options, pages=pages, kills=kills, seed=seed)
        document["killed_at"] = killed_at
        whole, killed = (sorted_digest(_tables(path)) for path in (undisturbed, target))
        document["killed_is_equal"] = whole == killed
        out.print(
            f"killed after {', '.join(map(str, killed_at))} pages and resumed: "
            f"{'equal' if whole == killed else 'NOT equal'}, byte for byte after sorting"
        )
        is_equal = is_equal and whole == killed
    if output is not None:
        corpora = open_corpora(root)
        write_results(document, output, corpora, (*corpora.all_names, "swde", *ARCHIVES), out)
    if not is_equal:
        sys.exit(1)


def _tables(folder: Path) -> list[Path]:
    found = [*folder.rglob("*.jsonl"), *folder.rglob("*.json")]
    return [path for path in found if ".peneira" not in path.parts]

"""``peneira bench outputs``: what peneira outputs for the corpora, to compare two versions."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from peneira_research.commands.bench import corpora_option, jobs_option, open_corpora

EXAMPLES = """\b
Examples:
  peneira bench outputs -o before.jsonl.gz
  peneira bench outputs -o after.jsonl.gz
  peneira bench outputs --compare before.jsonl.gz after.jsonl.gz
"""

_file = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog=EXAMPLES)
@corpora_option
@jobs_option
@click.option("-o", "--output", type=_file, help="Write the outputs to this file, gzipped JSON Lines.")
@click.option("--compare", type=_file, nargs=2, metavar="BEFORE AFTER", help="Compare two such files.")
def outputs(root: Path | None, jobs: int, output: Path | None, compare: tuple[Path, Path] | None) -> None:
    """Write what peneira outputs for the pages of the corpora, or compare the outputs of two versions.

    Run it before and after a refactoring to prove that results are equal. Takes some minutes. With --compare: a line
    per output that differs, then counts by corpus and kind of output; the exit code is 1 if anything differs.
    """
    if (output is None) == (compare is None):
        raise click.UsageError("give either -o FILE or --compare BEFORE AFTER")
    if compare:
        _compare(*compare)
    elif output:
        _write(root, output, jobs)


def _write(root: Path | None, output: Path, jobs: int) -> None:
    from peneira_research.studies.outputs import write_outputs

    folder = open_corpora(root).root
    try:
        lines = sum(1 for _ in write_outputs(folder, output, jobs=jobs))
    except OSError as error:
        raise click.ClickException(f"{error.filename or output}: {error.strerror}") from error
    click.echo(f"{output}: {lines} pages and wrappers, {output.stat().st_size / 1e6:.1f} MB", err=True)


def _compare(before: Path, after: Path) -> None:
    from peneira_research.studies.outputs import compare_outputs

    comparison = compare_outputs(before, after)
    for page, name in comparison.differing:
        click.echo(f"differs: {page} {name}")
    for kind, (equal, different) in comparison.counts.items():
        click.echo(f"{kind:30} {equal:6} equal {different:6} different")
    click.echo(f"{comparison.records} records and {comparison.cells} cells of auto compared")
    if comparison.differing:
        sys.exit(1)

"""The ``peneira`` command."""

from __future__ import annotations

import contextlib
import io
import os
import sys

import click

from peneira.cli.bench import bench
from peneira.cli.bench_area import area
from peneira.cli.bench_clean import clean as bench_clean
from peneira.cli.bench_clean import table2
from peneira.cli.bench_content import content as bench_content
from peneira.cli.bench_fields import fields
from peneira.cli.bench_items import items
from peneira.cli.bench_render import render as bench_render
from peneira.cli.bench_wrappers import wrappers
from peneira.cli.clean import clean, segment
from peneira.cli.content import content
from peneira.cli.extract import extract
from peneira.cli.learn import learn
from peneira.cli.methods import methods
from peneira.cli.plot import plot
from peneira.cli.render import render
from peneira.cli.train import train
from peneira.cli.wrapping import apply, check, export, heal, show
from peneira.errors import PeneiraError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="peneira", message="peneira %(version)s")
def cli() -> None:
    """Sift structured records out of web pages: no examples, no rules per site, no language model.

    Data goes to standard output, talk to standard error. Exit code 2: wrong usage; 1: the job failed;
    of check: 3 degraded, 4 broken.

    \b
    Example:
      peneira extract https://example.com/jobs -o jobs.csv
    """


for command in (extract, learn, apply, check, heal, show, export, clean, segment, content, plot, render):
    cli.add_command(command)
for command in (train, bench, methods):
    cli.add_command(command)
for command in (area, bench_clean, bench_content, bench_render, fields, table2, wrappers, items):
    bench.add_command(command)


def main() -> None:
    """Run the command line; an error of ours is one line on standard error and exit code 1."""
    _write_any_character()
    try:
        status = _status()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away: `peneira extract ... | head`
        status = _muted(0)
    except (PeneiraError, OSError) as error:  # OSError: the disk under standard output is full
        click.echo(f"peneira: {error}", err=True)
        status = _muted(1)
    sys.exit(status)


def _status() -> int | str | None:
    """Run the command and return its exit status. Click's own handling would call a closed pipe a failure."""
    stdout = sys.stdout
    try:
        result = cli.main(prog_name="peneira", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Aborted!", err=True)
        return 1
    except SystemExit as end:
        if sys.stdout is not stdout:  # click puts a wrapper there when the pipe is closed, and then exits with 1
            raise BrokenPipeError from None
        return end.code
    return result if isinstance(result, int) else 0


def _muted(status: int) -> int:
    """Return the status; what is still to be written to standard output goes nowhere, or Python fails at its exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _write_any_character() -> None:
    """Make piped data UTF-8 in every locale, as files are; a terminal of another encoding shows a ? for the rest."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8")

"""Options that several commands share, so that they look and work alike."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, TypeVar

import click

from peneira.output.terminal import print_table
from peneira.output.text import write_csv, write_json, write_jsonl
from peneira.sources.fetch import FetchOptions
from peneira.table import Table

Command = TypeVar("Command", bound=Callable[..., object])

FORMATS = ("table", "jsonl", "json", "csv")
_BY_SUFFIX = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_WRITERS: dict[str, Callable[[Table, TextIO], None]] = {"csv": write_csv, "json": write_json, "jsonl": write_jsonl}


def output_options(command: Command) -> Command:
    """Give a command ``--format`` and ``--output``."""
    command = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write to this file; its ending (.csv .json .jsonl) sets the format.",
    )(command)
    return click.option(
        "-f",
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        help="Default: a table on a terminal, JSON Lines when piped.",
    )(command)


def fetch_options(command: Command) -> Command:
    """Give a command the options that matter for URLs."""
    command = click.option(
        "--allow-private",
        is_flag=True,
        help="Follow redirects from a public page to local or private addresses.",
    )(command)
    command = click.option(
        "--timeout",
        "timeout_s",
        type=float,
        callback=_valid_timeout,
        default=30.0,
        show_default=True,
        help="Seconds to wait.",
    )(command)
    return click.option("--url", help="The URL of a local page, to make its links absolute.")(command)


def _valid_timeout(_context: click.Context, _parameter: click.Parameter, timeout_s: float) -> float:
    try:
        return FetchOptions(timeout_s=timeout_s).timeout_s
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def chosen_format(format_: str | None, output: Path | None) -> str:
    """Return the format that the user said, that the ending of the file says, or that suits standard output."""
    chosen = format_ or (_BY_SUFFIX.get(output.suffix.lower()) if output else None)
    if chosen is None and output is not None:
        raise click.UsageError(f"{output}: unknown ending; name the format with --format")
    return chosen or ("table" if sys.stdout.isatty() else "jsonl")


def write_table(table: Table, format_: str | None, output: Path | None) -> None:
    """Write a table where and how the user said."""
    chosen = chosen_format(format_, output)
    if chosen == "table" and output is None and not table.rows:
        return
    if chosen == "table" and output is None and sys.stdout.isatty():
        print_table(table, sys.stdout)
        return
    text = io.StringIO()
    _WRITERS.get(chosen, print_table)(table, text)
    if output is None:
        click.echo(text.getvalue(), nl=False)
        return
    try:
        output.write_text(text.getvalue(), encoding="utf-8", newline="")
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error

"""Options that several commands share, so that they look and work alike."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import click

from peneira.cli.format_choice import FormatChoice
from peneira.cli.output import FORMATS, Output
from peneira.errors import OutputError
from peneira.output.postgres_table import is_postgres

Command = TypeVar("Command", bound=Callable[..., object])
STDOUT = Path("-")


def output_options(command: Command) -> Command:
    """Give a command the options that say where and how its table is written; it gets them as ``output``."""

    @functools.wraps(command)
    def with_output(
        *args: object,
        target: str | None,
        named_format: str | None,
        bom: bool,
        raw: bool,
        table_name: str | None,
        append: bool,
        **others: object,
    ) -> object:
        address = target if target is not None and is_postgres(target) else None
        local = target if address is None and target != str(STDOUT) else None
        folder = Path(local) if local is not None and is_folder(local) else None
        path = Path(local) if local is not None and folder is None else None
        return command(
            *args, output=Output(path, named_format, bom, raw, table_name, append, address, folder), **others
        )

    decorated = functools.reduce(lambda made, option: option(made), _OUTPUT_OPTIONS, with_output)
    return cast("Command", decorated)


def is_folder(path: str) -> bool:
    """Return whether the output is a folder: there is one, or the name says so by a slash at its end."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


_OUTPUT_OPTIONS = (
    click.option("--table", "table_name", help="Name of the new table in a database. Default: the name of the file."),
    click.option(
        "--append", is_flag=True, help="Add the records to the file or table, which must have the same columns."
    ),
    click.option("--raw", is_flag=True, help="Do not guard cells that a spreadsheet would run as formulas (see docs)."),
    click.option("--bom", is_flag=True, help="Start CSV with a byte order mark, so that Excel recognises UTF-8."),
    click.option(
        "-o",
        "--output",
        "target",
        metavar="FILE",
        help="Write to this file; its ending sets the format: .csv .tsv .json .jsonl .md .xlsx .parquet .arrow .sqlite"
        " - or to a database: postgresql://... - or to a folder (tables/), in parts, as `peneira batch` does.",
    ),
    click.option(
        "-f",
        "--format",
        "named_format",
        type=FormatChoice(FORMATS),
        help="Default: a table on a terminal, JSON Lines when piped.",
    ),
)


def check_target(path: Path | None) -> Path | None:
    """Return where to write, None for standard output; refuse a file in a folder that is not there before any work."""
    if path is None or path == STDOUT:
        return None
    if not path.parent.is_dir():
        raise OutputError(path, "cannot be written: no such folder")
    return path

"""The verbs with a folder for output: the run of ``peneira batch``, which streams and can be resumed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from peneira.batch.archives import ArchiveOptions
from peneira.batch.chunk_writer import BATCH_FORMATS, Target
from peneira.batch.inputs import PageInputs
from peneira.batch.row_schema import TaskName
from peneira.batch.run import RunOptions
from peneira.batch.site_wrappers import SiteWrappers
from peneira.batch.tasks import TaskOptions
from peneira.cli.batch import run_to_end
from peneira.limits import DEFAULT_LIMITS
from peneira.methods import DEFAULT_METHOD
from peneira.sources.fetch_options import FetchOptions

# Options that a run has too; others are about one table, or about a browser
_OPTIONS = frozenset(("sources", "file", "target", "folder", "named_format", "method", "timeout_s", "allow_private"))


def run_into_folder(
    folder: Path,
    task: TaskName,
    sources: Sequence[str],
    *,
    named_format: str | None = None,
    method: str = DEFAULT_METHOD,
    wrapper: Path | None = None,
    fetching: FetchOptions,
) -> None:
    """Do the run of a verb, and exit as it says. Options of the verb that a run has not are wrong usage."""
    context = click.get_current_context()
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if is_given and parameter.name not in _OPTIONS:
            option = max(parameter.opts, key=len)
            raise click.UsageError(f"{option} does not go with a folder for output; see `peneira batch --help`")
    format_ = named_format or BATCH_FORMATS[0]
    if format_ not in BATCH_FORMATS:
        raise click.UsageError(f"into a folder, tables are written as {', '.join(BATCH_FORMATS)}, not as {format_}")
    target = Target(folder, task, format_)
    options = TaskOptions(task, method, fetching=fetching, wrappers=SiteWrappers(str(wrapper or "")))
    inputs = PageInputs(sources, ArchiveOptions(DEFAULT_LIMITS))
    run_to_end(inputs, target, options, RunOptions(os.cpu_count() or 1))

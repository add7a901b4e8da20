"""Pages in an Arrow table, their data in another: for pandas, Polars, DuckDB, Spark and whatever else speaks Arrow.

The result has a row for each row of the input, in its order, and columns that are known before a page is read: what
came of the page (``status``, ``reason``...), and its records as a list of structs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from peneira.batch.page_input import PageInput, given_page
from peneira.batch.page_rows import BATCH_PAGES, outcomes_of, page_row, row_batch, task_schema
from peneira.batch.row_schema import TaskName
from peneira.batch.tasks import TaskOptions
from peneira.errors import ArgumentError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.methods import DEFAULT_METHOD
from peneira.worker import WorkerLimits, WorkerPool

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, slots=True)
class ArrowOptions:
    """Which columns have what, and what is done. ``keep``: columns of the input that the result has too."""

    html: str = "html"
    url: str | None = "url"
    source: str | None = None
    keep: tuple[str, ...] = ()
    task: TaskOptions = field(default_factory=TaskOptions)


def extract(
    table: pyarrow.Table,
    *,
    html: str = "html",
    url: str | None = "url",
    source: str | None = None,
    keep: Sequence[str] = (),
    task: TaskName = "extract",
    method: str = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
    jobs: int | None = None,
) -> pyarrow.Table:
    """Return what is on the pages of a table, a row for each. A page that cannot be read has the status "failed".

    ``html`` is the column with the pages, as bytes or text; ``url`` the one with their addresses, which may be missing;
    ``source`` one with names for them. ``jobs``: that many worker processes, which a page may crash or block without
    harm to others; without them the work is done in this process.
    """
    options = ArrowOptions(html, url, source, tuple(keep), TaskOptions(task, method, limits))
    schema = result_schema(table.schema, options)
    import pyarrow

    with ExitStack() as stack:
        pool = stack.enter_context(WorkerPool[int](jobs, WorkerLimits())) if jobs else None
        batches = list(extract_batches(table.to_batches(), options, pool))
    return pyarrow.Table.from_batches(batches, schema)


def result_schema(given: pyarrow.Schema, options: ArrowOptions) -> pyarrow.Schema:
    """Return the columns of the result, known before a page is read: those that are kept, then those of the task."""
    own = task_schema(options.task.task)
    import pyarrow

    for name in (options.html, *options.keep):
        if name not in given.names:
            raise ArgumentError(f"there is no column {name!r}; there are {', '.join(given.names)}")
    if both := sorted(set(options.keep) & set(own.names)):
        raise ArgumentError(f"the result has a column {both[0]!r} of its own: give the one to be kept another name")
    return pyarrow.schema([*(given.field(name) for name in options.keep), *own])


def extract_batches(
    batches: Iterable[pyarrow.RecordBatch], options: ArrowOptions, pool: WorkerPool[int] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """Yield the result for batches of pages, in their order."""
    import pyarrow

    own = task_schema(options.task.task)
    for batch in batches:
        schema = result_schema(batch.schema, options)
        outcomes = outcomes_of(_page_inputs(batch, options), options.task, pool)
        start = 0
        while some := list(islice(outcomes, BATCH_PAGES)):
            kept = [batch.column(name)[start : start + len(some)] for name in options.keep]
            made = row_batch([page_row(outcome, options.task.task) for outcome in some], own)
            yield pyarrow.RecordBatch.from_arrays([*kept, *made.columns], schema=schema)
            start += len(some)


def _page_inputs(batch: pyarrow.RecordBatch, options: ArrowOptions) -> Iterator[PageInput]:
    names = batch.schema.names
    pages = batch.column(options.html)
    urls = batch.column(options.url) if options.url in names else None
    sources = batch.column(options.source) if options.source in names else None
    for row in range(batch.num_rows):
        url = urls[row].as_py() if urls is not None else None
        name = str(sources[row].as_py()) if sources is not None else ""
        yield given_page(name, pages[row].as_py(), url)

"""Pages in a Spark DataFrame, their data in another (extra ``spark``).

The rows are those of ``peneira.arrow``: the schema is known before the run, and a page that cannot be read is a row
with its status. Each Python worker of Spark has a process beside it that reads the pages, so that a page that hangs or
crashes costs itself and not the task. peneira must be installed where the executors run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from peneira.arrow import ArrowOptions, extract_batches, result_schema
from peneira.batch.row_schema import TaskName
from peneira.batch.spark_session import arrow_conversions, process_beside
from peneira.batch.tasks import TaskOptions
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.methods import DEFAULT_METHOD
from peneira.worker import WorkerLimits

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame


def extract(
    df: DataFrame,
    html: str = "html",
    url: str | None = "url",
    task: TaskName = "extract",
    *,
    source: str | None = None,
    keep: Sequence[str] = (),
    method: str = DEFAULT_METHOD,
    limits: Limits = DEFAULT_LIMITS,
    worker: WorkerLimits | None = None,
) -> DataFrame:
    """Return what is on the pages of a DataFrame, a row for each, with the columns of ``peneira.arrow.extract``.

    ``html`` is the column with the pages (binary or string), ``url`` the one with their addresses, ``keep`` columns
    that the result has too. Set ``spark.sql.execution.arrow.maxRecordsPerBatch`` to 64 or so: pages are large.
    """
    conversions = arrow_conversions()
    options = ArrowOptions(html, url, source, tuple(keep), TaskOptions(task, method, limits))
    schema = conversions.to_spark(result_schema(conversions.to_arrow(df.schema), options))
    needed = dict.fromkeys(name for name in (html, url, source, *keep) if name in df.columns)
    work = partial(_extract_batches, options=options, limits=worker or WorkerLimits())
    return df.select(*needed).mapInArrow(work, schema)


def _extract_batches(
    batches: Iterator[pyarrow.RecordBatch], *, options: ArrowOptions, limits: WorkerLimits
) -> Iterator[pyarrow.RecordBatch]:
    """The work of a task of Spark."""
    yield from extract_batches(batches, options, process_beside(limits))

"""One row per page, with what is on it in a list of structs: the form for Arrow and Spark, which want to know the
schema before the first page is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from peneira.batch.cell_form import Json, JsonObject
from peneira.batch.page_input import PageInput
from peneira.batch.row_schema import PAGE_FIELDS, TASK_TABLES, TaskName, arrow_schema, row_struct
from peneira.batch.tasks import PageOutcome, TaskOptions, failed_outcome, outcome_of
from peneira.errors import ArgumentError
from peneira.worker import Failure, WorkerPool

if TYPE_CHECKING:
    import pyarrow

# Pages whose rows are made into one batch
BATCH_PAGES = 64


def task_schema(task: TaskName) -> pyarrow.Schema:
    """Return the columns that a task makes: those of the table ``pages``, and a list of its own rows."""
    if task not in TASK_TABLES:
        raise ArgumentError(f"task={task!r} is unknown; write one of {', '.join(TASK_TABLES)}")
    pages = arrow_schema(PAGE_FIELDS)
    import pyarrow

    rows = pyarrow.field(TASK_TABLES[task].name, pyarrow.list_(row_struct(task)))
    return pyarrow.schema([*pages, rows])


def page_row(outcome: PageOutcome, task: TaskName) -> JsonObject:
    """Return the one row of a page: what came of it, and the rows of the task in a list."""
    rows: list[Json] = [*outcome.rows]
    return {**outcome.page, TASK_TABLES[task].name: rows}


def row_batch(rows: Sequence[JsonObject], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Return rows as Arrow."""
    import pyarrow

    arrays = [pyarrow.array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def outcomes_of(inputs: Iterable[PageInput], task: TaskOptions, pool: WorkerPool[int] | None) -> Iterator[PageOutcome]:
    """Yield the outcomes of pages in their order: by workers, or in this process where there are none."""
    if pool is None:
        yield from (outcome_of(given, task) for given in inputs)
        return
    pool.cancel()  # what somebody has asked for and not waited for
    waiting: dict[int, PageInput] = {}
    ready: dict[int, PageOutcome] = {}
    next_number = 0
    for number, given in enumerate(inputs):
        # what is ready and waits for a page before it is in memory
        while pool.is_full or len(ready) >= BATCH_PAGES:
            _collect(pool, waiting, ready)
            while next_number in ready:
                yield ready.pop(next_number)
                next_number += 1
        waiting[number] = given
        pool.submit(number, outcome_of, given, task)
    while waiting:
        _collect(pool, waiting, ready)
    yield from (ready[number] for number in sorted(ready))


def _collect(pool: WorkerPool[int], waiting: dict[int, PageInput], ready: dict[int, PageOutcome]) -> None:
    for done in pool.wait():
        given = waiting.pop(done.token)
        if isinstance(done.result, Failure):
            ready[done.token] = failed_outcome(given, done.result.message)
        else:
            assert isinstance(done.result, PageOutcome)
            ready[done.token] = done.result

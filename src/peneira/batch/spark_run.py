"""A batch run whose work Spark does: the same inputs, and tables with the same rows as those of a run on one machine.

The driver lists the files, the executors read them: paths must be those of a file system that all of them share, or
addresses that Spark itself reads (``hdfs://``, ``s3a://``, ``file://``). Parquet and JSON Lines are written by the
executors; tables per site and SQLite, which grow in the order of the pages, by the driver.
"""

from __future__ import annotations

import io
import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, cast

from peneira.batch.archives import Archive, ArchiveOptions, reader_of
from peneira.batch.cell_form import JsonObject
from peneira.batch.chunk_writer import Target, write_chunk
from peneira.batch.inputs import PageInputs
from peneira.batch.journal import line_outcome, outcome_line
from peneira.batch.page_input import PageInput, is_address
from peneira.batch.page_rows import BATCH_PAGES, outcomes_of, page_row, row_batch, task_schema
from peneira.batch.row_schema import PAGE_FIELDS, PAGE_KEY, PAGES, TASK_TABLES, TaskName
from peneira.batch.run import RunOptions, Summary, description
from peneira.batch.run_folder import RunFolder
from peneira.batch.spark_session import arrow_conversions, process_beside, spark_session
from peneira.batch.tasks import PageOutcome, TaskOptions
from peneira.errors import InputError, OutputError, PeneiraError
from peneira.files import text_file
from peneira.worker import WorkerLimits

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

# Work is cut into this many tasks per core, so that no core waits long for the last one
_TASKS_PER_CORE = 4
# Fewer archives than this per core are shared out: a task reads the archive and does every nth page of it. Reading one
# takes 2 % of the time that its pages take
_SHARES_PER_CORE = 2
# What a task is given: a page, or a share of an archive to be read by it; ``content`` where Spark has read the file
_UNIT_SCHEMA = (
    "unit bigint, share int, shares int, is_archive boolean, name string, url string, path string, error string, "
    "content binary"
)
_Unit: TypeAlias = tuple[bool, str, str | None, str, str]
# A row of this status counts what in an archive is no page
_PASSED_OVER = "passed over"


def run_on_spark(
    inputs: PageInputs, target: Target, task: TaskOptions, options: RunOptions, *, master: str | None = None
) -> Summary:
    """Do a run by Spark and return what came of it. What is finished is not done again."""
    about = {**description(inputs, target, task, options), "engine": "spark"}
    with RunFolder(target.folder, about) as folder:
        note = folder.state / "summary.json"
        if not note.exists():
            document = _run(inputs, target, task, options, spark_session(master))
            with text_file(note) as file:
                json.dump(document, file)
        document = json.loads(note.read_text(encoding="utf-8"))
        inputs.passed_over.update(document["passed_over"])
        return Summary(Counter(document["statuses"]), document["rows"])


def _run(
    inputs: PageInputs, target: Target, task: TaskOptions, options: RunOptions, session: SparkSession
) -> JsonObject:
    from py4j.protocol import Py4JError
    from pyspark import StorageLevel
    from pyspark.errors import PySparkException

    is_by_driver = target.format == "sqlite" or target.has_site_tables
    schema = arrow_conversions().to_spark(_schema(task.task, as_lines=is_by_driver))
    work = partial(_unit_batches, options=inputs.options, task=task, limits=options.worker, as_lines=is_by_driver)
    try:
        frame = _units(session, inputs).mapInArrow(work, schema).persist(StorageLevel.DISK_ONLY)
        pages = frame.where(f"status != '{_PASSED_OVER}'")
        if is_by_driver:
            _write_by_driver(pages, target, options.chunk_pages)
        else:
            _write_by_executors(pages, target)
        counts = frame.groupBy("status", "reason").sum("rows").where(f"status = '{_PASSED_OVER}'").collect()
        statuses = pages.groupBy("status").count().collect()
        total = pages.selectExpr("sum(rows)").collect()[0][0] or 0
        frame.unpersist()
    except (PySparkException, Py4JError) as error:
        raise OutputError(
            target.folder, f"Spark could not finish the run: {str(error).strip().splitlines()[0]}"
        ) from error
    return {
        "statuses": {row[0]: row[1] for row in statuses},
        "rows": total,
        "passed_over": {row[1]: row[2] for row in counts},
    }


def _write_by_executors(pages: DataFrame, target: Target) -> None:
    table = TASK_TABLES[target.task]
    page_names = [name for name, _ in PAGE_FIELDS]
    keys, fields = [name for name, _ in PAGE_KEY], [name for name, _ in table.fields]
    # the rows first: a folder ``pages`` that is complete says that the run is
    rows = pages.selectExpr(*keys, f"explode({table.name}) as row_").select(*keys, *(f"row_.{name}" for name in fields))
    for frame, name in ((rows, table.name), (pages.select(*page_names), PAGES)):
        writer = frame.write.mode("overwrite")
        path = str(target.folder.absolute() / name)
        if target.format == "parquet":
            writer.parquet(path, compression="zstd")
        else:
            writer.json(path)


def _write_by_driver(pages: DataFrame, target: Target, chunk_pages: int) -> None:
    """Write the pages in their order, part by part: only one part is in memory."""
    rows = pages.orderBy("unit", "part").select("line").toLocalIterator()
    outcomes = (line_outcome(row[0].encode()) for row in rows)
    number = 0
    while some := list(islice(outcomes, chunk_pages)):
        write_chunk(target, number, some)
        number += 1


def _units(session: SparkSession, inputs: PageInputs) -> DataFrame:
    """Return the work: pages and archives, spread over the cores."""
    from pyspark.sql import functions

    remote = [name for name in inputs.names if "://" in name and not is_address(name)]
    local = PageInputs([name for name in inputs.names if name not in remote], inputs.options)
    context = session.sparkContext
    cores = context.defaultParallelism
    units = list(shared_units(list(_local_units(local)), _SHARES_PER_CORE * cores))
    tasks = cores * _TASKS_PER_CORE
    frame = session.createDataFrame(context.parallelize(units, max(min(len(units), tasks), 1)), _UNIT_SCHEMA)
    if not remote:
        return frame
    files = session.read.format("binaryFile").load(remote).repartition(tasks)
    nothing = functions.lit(None).cast("string")
    number = functions.monotonically_increasing_id() + len(units)
    whole = (functions.lit(0), functions.lit(1))
    columns = (number, *whole, functions.lit(True), "path", nothing, nothing, nothing, "content")
    return frame.unionAll(files.select(*columns))


def _local_units(inputs: PageInputs) -> Iterator[_Unit]:
    for name in inputs.files():
        yield from ((unit.is_archive, unit.name, unit.url, unit.path, unit.error) for unit in inputs.units(name))


def shared_units(units: Sequence[_Unit], least: int) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the units, archives in as many shares as it takes to have at least so many rows."""
    for number, unit in enumerate(units):
        shares = -(-least // len(units)) if unit[0] else 1
        yield from ((number, share, shares, *unit, None) for share in range(shares))


def _schema(task: TaskName, *, as_lines: bool) -> pyarrow.Schema:
    import pyarrow

    place = [("unit", pyarrow.int64()), ("part", pyarrow.int64())]
    if not as_lines:
        return pyarrow.schema([*place, *task_schema(task)])
    text = [(name, pyarrow.string()) for name in ("status", "reason", "line")]
    return pyarrow.schema([*place, *text, ("rows", pyarrow.int32())])


def _unit_batches(
    batches: Iterator[pyarrow.RecordBatch],
    *,
    options: ArchiveOptions,
    task: TaskOptions,
    limits: WorkerLimits,
    as_lines: bool,
) -> Iterator[pyarrow.RecordBatch]:
    """Yield the outcomes of the pages of some units. The work of a task of Spark."""
    schema = _schema(task.task, as_lines=as_lines)
    rows = _unit_rows(batches, options, task, limits, as_lines=as_lines)
    while some := list(islice(rows, BATCH_PAGES)):
        yield row_batch(some, schema)


def _unit_rows(
    batches: Iterator[pyarrow.RecordBatch],
    options: ArchiveOptions,
    task: TaskOptions,
    limits: WorkerLimits,
    *,
    as_lines: bool,
) -> Iterator[JsonObject]:
    passed_over: Counter[str] = Counter()
    places: deque[tuple[int, int]] = deque()

    def pages() -> Iterator[PageInput]:
        for batch in batches:
            for unit in batch.to_pylist():
                counted = passed_over if unit["share"] == 0 else Counter[str]()
                for part, page in enumerate(_unit_pages(unit, options, counted)):
                    if part % unit["shares"] == unit["share"]:
                        places.append((unit["unit"], part))
                        yield page

    for outcome in outcomes_of(pages(), task, process_beside(limits)):
        unit, part = places.popleft()
        row = _line_row(outcome) if as_lines else page_row(outcome, task.task)
        yield {"unit": unit, "part": part, **row}
    for reason, count in sorted(passed_over.items()):
        yield {"unit": -1, "part": 0, "status": _PASSED_OVER, "reason": reason, "rows": count}


def _line_row(outcome: PageOutcome) -> JsonObject:
    return {
        "status": outcome.page["status"],
        "reason": outcome.page["reason"],
        "rows": outcome.page["rows"],
        "line": outcome_line(0, outcome).decode(),
    }


def _unit_pages(unit: dict[str, object], options: ArchiveOptions, passed_over: Counter[str]) -> Iterator[PageInput]:
    name, content = cast("str", unit["name"]), cast("bytes | None", unit["content"])
    if not unit["is_archive"]:
        url, path, error = (cast("str | None", unit[key]) for key in ("url", "path", "error"))
        yield PageInput(name, url, path or "", error=error or "")
    elif content is None:
        inputs = PageInputs([name], options)
        yield from inputs
        passed_over.update(inputs.passed_over)
    elif (reader := reader_of(name)) is None:
        yield PageInput(name, body=content)
    else:
        try:
            yield from reader(Archive(name, io.BytesIO(content), options, passed_over))
        except InputError as error:
            yield PageInput(f"{name}:end", error=str(error))
        except PeneiraError as error:
            yield PageInput(name, error=str(error))

"""A run over many pages: read by workers, kept in a journal page by page, written part by part, in order.

A part (chunk) is so many pages in a row. When all its pages have an outcome, a worker writes its tables. What was
written is never done again; of what was not, the pages in the journal are not read again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, TypeAlias, cast

from peneira.batch.cell_form import JsonObject
from peneira.batch.chunk_writer import Target, write_journal
from peneira.batch.inputs import PageInputs
from peneira.batch.journal import LineFile, line_page, outcome_line
from peneira.batch.learning_run import learn_missing
from peneira.batch.page_input import PageInput
from peneira.batch.run_folder import RunFolder, WrittenChunk
from peneira.batch.tasks import PageOutcome, TaskOptions, failed_outcome, outcome_of
from peneira.errors import OutputError
from peneira.preview import counted
from peneira.version import __version__
from peneira.worker import Done, Failure, WorkerLimits, WorkerPool

STATUSES = ("complete", "partial", "failed")
# Pages that failed whose reasons are said at the end; the others are in the table of pages
MAX_NAMED_FAILURES = 3
# Parts that have pages without an outcome, or wait to be written
MAX_OPEN_CHUNKS = 3
# A page whose process was killed is read again: whoever killed it may have meant another. So often, and it is the page
MAX_KILLS = 3
# Writing a part is no page: it ends, however slow the disk is
_WRITE_SECONDS = 3600.0

Token: TypeAlias = int | str
PageJob = Callable[[PageInput, TaskOptions], PageOutcome]
_WRITE = "write"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is done. ``jobs``: worker processes. ``page_job``: what is done with a page, in a worker.

    ``learns_wrappers``: sites without a wrapper get one before their pages are read.
    """

    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    chunk_pages: int = 500
    worker: WorkerLimits = field(default_factory=WorkerLimits)
    page_job: PageJob = outcome_of
    learns_wrappers: bool = False


@dataclass(slots=True)
class Summary:
    """What a run has come to so far. ``resumed``: pages that had an outcome before it started.

    ``unlearned``: sites for which no wrapper could be learned, and why. ``failures``: some pages that failed, and why.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    resumed: int = 0
    peak_worker_bytes: int = 0
    unlearned: Mapping[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        """How many pages have an outcome."""
        return self.statuses.total()

    def __str__(self) -> str:
        counts = ", ".join(f"{self.statuses[status]:,} {status}" for status in STATUSES)
        return f"{counted(self.pages, 'page')}: {counts}; {counted(self.rows, 'row')}"

    def note_failure(self, page: JsonObject) -> None:
        """Keep why a page failed, by its row of the table ``pages``, if it is one of the first."""
        if page["status"] == "failed" and len(self.failures) < MAX_NAMED_FAILURES:
            self.failures[str(page["source"])] = str(page["reason"])


class Watcher(Protocol):
    """Is told how a run goes on."""

    def update(self, summary: Summary, inputs: PageInputs) -> None:
        """A page has an outcome."""


@dataclass(slots=True)
class _Chunk:
    """A part of the run that is not written: its pages, those without an outcome, its journal."""

    number: int
    journal: LineFile
    known: dict[int, str]
    pages: int = 0
    pending: int = 0
    is_whole: bool = False
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)
    statuses: Counter[str] = field(default_factory=Counter)
    rows: int = 0

    @property
    def is_ready(self) -> bool:
        return self.is_whole and not self.pending


def run_batch(
    inputs: PageInputs, target: Target, task: TaskOptions, options: RunOptions, watcher: Watcher | None = None
) -> Summary:
    """Do a run, or go on with it, and return what came of it. Raises ``OutputError`` where it cannot be written."""
    with RunFolder(target.folder, description(inputs, target, task, options)) as folder:
        unlearned = learn_missing(inputs, task, options.jobs, options.worker, folder) if options.learns_wrappers else {}
        with WorkerPool[Token](options.jobs, options.worker, ahead=options.jobs) as pool:
            summary = _Run(inputs, target, task, options, folder, pool, watcher).run()
        return replace(summary, unlearned=unlearned)


def description(inputs: PageInputs, target: Target, task: TaskOptions, options: RunOptions) -> JsonObject:
    """Return what makes two runs the same: with other inputs or options, the tables would be others."""
    limits = task.limits
    return {
        "peneira": __version__,
        "inputs": list(inputs.names),
        "task": task.task,
        "output": target.format,
        "by_site": target.by_site,
        "method": task.method,
        "wrappers": task.wrappers.path,
        "chunk": options.chunk_pages,
        "limits": {name: getattr(limits, name) for name in limits.__slots__},
        "columns": [inputs.options.html_column, inputs.options.url_column],
    }


class _Run:
    def __init__(
        self,
        inputs: PageInputs,
        target: Target,
        task: TaskOptions,
        options: RunOptions,
        folder: RunFolder,
        pool: WorkerPool[Token],
        watcher: Watcher | None,
    ) -> None:
        self._inputs, self._target, self._task, self._options = inputs, target, task, options
        self._folder, self._pool, self._watcher = folder, pool, watcher
        self._packed_task = pickle.dumps(task)  # once for all pages: 0.2 ms each
        self._open: dict[int, _Chunk] = {}
        self._given: dict[int, PageInput] = {}
        self._kills: Counter[int] = Counter()
        self._is_writing = False
        self._summary = Summary()
        for chunk in folder.written.values():
            self._summary.statuses.update(chunk.statuses)
            self._summary.rows += chunk.rows
        self._summary.resumed = self._summary.pages

    def run(self) -> Summary:
        try:
            for chunk, pages in self._chunks():
                for number, given in pages:
                    self._do(chunk, number, given)
                chunk.is_whole = True
                self._write_next()
            while self._open:
                self._collect()
            self._check_written()
        finally:
            for chunk in self._open.values():
                chunk.journal.close()
        return self._summary

    def _chunks(self) -> Iterator[tuple[_Chunk, Iterator[tuple[int, PageInput]]]]:
        """Yield the parts that are to be done, each with its pages; parts that are written are passed over."""
        numbered = enumerate(self._inputs)
        size = self._options.chunk_pages
        first = next(numbered, None)
        number = 0
        while first is not None:
            held = [first]

            def pages(held: list[tuple[int, PageInput]] = held) -> Iterator[tuple[int, PageInput]]:
                yield held.pop()
                for _ in range(size - 1):
                    page = next(numbered, None)
                    if page is None:
                        return
                    yield page

            if number in self._folder.written:
                self._check_same(self._folder.written[number], pages())
            else:
                yield self._opened(number), pages()
            first = next(numbered, None)
            number += 1

    def _check_same(self, written: WrittenChunk, pages: Iterator[tuple[int, PageInput]]) -> None:
        digest, count = hashlib.sha256(), 0
        for _, given in pages:
            digest.update(_digested(given))
            count += 1
        if (count, digest.hexdigest()) != (written.pages, written.digest):
            raise OutputError(
                self._folder.path,
                f"the inputs have changed since this run began (pages {written.number * self._options.chunk_pages + 1} "
                "and following); name a new folder",
            )

    def _check_written(self) -> None:
        pages = sum(chunk.pages for chunk in self._folder.written.values())
        if pages != self._summary.pages:
            raise OutputError(self._folder.path, "the inputs are fewer than when this run began; name a new folder")

    def _opened(self, number: int) -> _Chunk:
        while len(self._open) >= MAX_OPEN_CHUNKS:
            self._collect()
        journal = self._folder.journal(number)
        chunk = self._open[number] = _Chunk(number, journal, {})
        for _, line in journal.lines():
            page_number, page = line_page(line)
            chunk.known[page_number] = str(page["source"])
            self._count(chunk, str(page["status"]), cast("int", page["rows"]))
            self._summary.note_failure(page)
            self._summary.resumed += 1
        return chunk

    def _do(self, chunk: _Chunk, number: int, given: PageInput) -> None:
        chunk.pages += 1
        chunk.digest.update(_digested(given))
        if number in chunk.known:
            if chunk.known[number] != given.name:
                raise OutputError(self._folder.path, "the inputs have changed since this run began; name a new folder")
            return
        while self._pool.is_full:
            self._collect()
        chunk.pending += 1
        self._given[number] = given
        self._read(number)

    def _read(self, number: int) -> None:
        """Have a page read by a worker."""
        self._pool.submit(number, page_line, self._options.page_job, number, self._given[number], self._packed_task)

    def _collect(self) -> None:
        """Take what the workers have done, wait for at least one."""
        for done in self._pool.wait():
            self._summary.peak_worker_bytes = self._pool.peak_bytes
            if isinstance(done.token, int):
                self._take_page(done.token, done)
            else:
                self._take_writing(done)
            self._write_next()

    def _take_page(self, number: int, done: Done[Token]) -> None:
        if isinstance(done.result, Failure) and done.result.kind == "killed":
            self._kills[number] += 1
            if self._kills[number] < MAX_KILLS:
                self._read(number)
                return
        given = self._given.pop(number)
        chunk = self._open[number // self._options.chunk_pages]
        if isinstance(done.result, Failure):
            outcome = failed_outcome(given, done.result.message)
            line, status, rows = outcome_line(number, outcome), "failed", 0
        else:
            line, status, rows = cast("tuple[bytes, str, int]", done.result)
        chunk.journal.append(line)
        chunk.pending -= 1
        self._count(chunk, status, rows)
        if status == "failed":
            self._summary.note_failure(line_page(line)[1])
        if self._watcher is not None:
            self._watcher.update(self._summary, self._inputs)

    def _count(self, chunk: _Chunk, status: str, rows: int) -> None:
        chunk.statuses[status] += 1
        chunk.rows += rows
        self._summary.statuses[status] += 1
        self._summary.rows += rows

    def _write_next(self) -> None:
        """Have the first open part written, once it is whole: parts are written in order, one at a time."""
        chunk = self._open[min(self._open)] if self._open else None
        if chunk is None or not chunk.is_ready or self._is_writing or self._pool.is_full:
            return
        chunk.journal.close()
        self._is_writing = True
        first = chunk.number * self._options.chunk_pages
        path = chunk.journal.path
        self._pool.submit(
            _WRITE, write_journal, self._target, chunk.number, path, first, chunk.pages, seconds=_WRITE_SECONDS
        )

    def _take_writing(self, done: Done[Token]) -> None:
        if isinstance(done.result, Failure):
            raise OutputError(self._folder.path, f"cannot be written: {done.result.message}")
        self._is_writing = False
        chunk = self._open.pop(min(self._open))
        digest = chunk.digest.hexdigest()
        self._folder.note_written(
            WrittenChunk(chunk.number, chunk.pages, digest, dict(sorted(chunk.statuses.items())), chunk.rows)
        )


def _digested(given: PageInput) -> bytes:
    return given.name.encode("utf-8", "surrogateescape") + b"\n"


def page_line(job: PageJob, number: int, given: PageInput, packed_task: bytes) -> tuple[bytes, str, int]:
    """Return the outcome of a page as a line of a journal, its status and its rows. A job of a worker."""
    outcome = job(given, _unpacked_task(packed_task))
    return outcome_line(number, outcome), str(outcome.page["status"]), len(outcome.rows)


@lru_cache(maxsize=1)
def _unpacked_task(packed: bytes) -> TaskOptions:
    return cast("TaskOptions", pickle.loads(packed))

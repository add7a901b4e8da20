"""Small pages, WARCs and page jobs for tests of batch runs, and what a run has written."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sqlite3
from pathlib import Path

import worker_jobs
from peneira.batch.archives import ArchiveOptions
from peneira.batch.chunk_writer import Target
from peneira.batch.inputs import PageInputs
from peneira.batch.page_input import PageInput
from peneira.batch.run import RunOptions, Summary, run_batch
from peneira.batch.tasks import PageOutcome, TaskOptions, outcome_of
from peneira.limits import DEFAULT_LIMITS
from peneira.worker import WorkerLimits

MEGABYTE = 1024 * 1024


def shop_page(number: int, *, host: str = "shop.example", extra: str = "") -> bytes:
    """Return a page with a list of three things."""
    things = "".join(
        f'<li><a href="/p/{number}-{k}">Thing {number}-{k}</a> <b>${number + k}.50</b> {extra.format(k=k)}</li>'
        for k in range(3)
    )
    link = f'<link rel=canonical href="https://{host}/list/{number}">'
    return f"<!doctype html><head>{link}<title>List {number}</title></head><body><ul>{things}</ul>".encode()


def save_pages(folder: Path, count: int, **options: str) -> Path:
    """Save so many pages into a new folder and return it."""
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number:03}.html").write_bytes(shop_page(number, **options))
    return folder


def warc_record(
    url: str, body: bytes, *, media_type: str = "text/html", headers: str = "", status: str = "200 OK"
) -> bytes:
    """Return a record of a WARC with the response of a server."""
    http = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\n{headers}\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{abs(hash(url)):032x}>\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def packed(records: list[bytes]) -> bytes:
    """Return records packed one by one, as crawlers do."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def page_inputs(*names: Path | str) -> PageInputs:
    return PageInputs([str(name) for name in names], ArchiveOptions(DEFAULT_LIMITS))


def run(
    source: Path | str,
    folder: Path,
    *,
    jobs: int = 2,
    chunk_pages: int = 4,
    target: Target | None = None,
    task: TaskOptions | None = None,
    **options: object,
) -> Summary:
    """Do a run with small parts."""
    worker = WorkerLimits(100, 700 * MEGABYTE)
    target = target or Target(folder, "extract", "jsonl")
    return run_batch(
        page_inputs(source),
        target,
        task or TaskOptions(target.task),
        RunOptions(jobs, chunk_pages, **{"worker": worker, **options}),  # type: ignore[arg-type]
    )


def rows(folder: Path, table: str) -> list[dict[str, object]]:
    """Return the rows of a table of JSON Lines, in order."""
    files = sorted((folder / table).rglob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def files(folder: Path) -> dict[str, bytes]:
    """Return all files that a run has written, without its state."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".peneira" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def database_rows(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def at_their_worst(given: PageInput, task: TaskOptions) -> PageOutcome:
    """Return the outcome of a page; some names make it hang, take all memory, crash, or kill the process."""
    for word, job in {
        "loop": worker_jobs.loop_for_ever,
        "memory": worker_jobs.take_all_memory,
        "kill": worker_jobs.kill_own_process,
        "crash": worker_jobs.crash,
    }.items():
        if word in Path(given.name).stem:
            job()
    return outcome_of(given, task)


def kill_the_run(given: PageInput, task: TaskOptions) -> PageOutcome:
    """Return the outcome of a page; the first one named in the file ``kills`` beside it kills the whole run."""
    notes = Path(given.path).parent / "kills"
    names = notes.read_text().split() if notes.exists() else []
    if names and Path(given.name).stem == names[0]:
        notes.write_text(" ".join(names[1:]))
        os.kill(os.getppid(), signal.SIGKILL)
    return outcome_of(given, task)


def killed_while_reading(given: PageInput, task: TaskOptions) -> PageOutcome:
    """Return the outcome of a page; its worker is killed as often as the name says ("twice2"), each time noted."""
    stem = Path(given.name).stem
    notes = Path(given.path).parent / f"{stem}.killed"
    times = len(notes.read_text()) if notes.exists() else 0
    if times < int(stem[-1]):
        notes.write_text("x" * (times + 1))
        worker_jobs.kill_own_process()
    return outcome_of(given, task)


def interrupt_the_run(given: PageInput, task: TaskOptions) -> PageOutcome:
    """Return the outcome of a page; the page 005 interrupts the run, as Ctrl-C does, unless it did before."""
    note = Path(given.path).parent / "interrupted"
    if Path(given.name).stem == "005" and not note.exists():
        note.touch()
        os.kill(os.getppid(), signal.SIGINT)
    return outcome_of(given, task)

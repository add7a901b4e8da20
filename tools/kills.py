"""Kill commands at random moments while they write: files, wrapper stores, histories of lists and batch runs.

Commands run in processes that are forked from this one, which has everything loaded: what is killed is mostly the
writing. After each kill, what is under a final name must be whole, and hold all that was finished before.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from peneira.cli.main import end_on_signals, main
from peneira.files import TEMPORARY
from peneira.service.library import Library
from peneira.wrappers.store import load

RECORDS = 300
_BATCH_PAGES = 40
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Writer:
    """A command that writes, what it writes, and how much of it is there and whole; raises or gives -1 where not.

    ``grows``: each run adds to what is there; else each replaces it by the same.
    """

    arguments: tuple[str, ...]
    target: str
    count: Callable[[Path], int]
    grows: bool = False
    # one turn in so many: starting the workers of a batch takes a second
    every: int = 1


def _csv(path: Path) -> int:
    header, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""), strict=True)
    return len(rows) if all(len(row) == len(header) for row in rows) else -1


def _lines(path: Path) -> int:
    return len([json.loads(line) for line in path.read_text().splitlines()])


def _markdown(path: Path) -> int:
    return len([line for line in path.read_text().splitlines() if line.endswith("|")]) - 2


def _sqlite(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(database.execute("SELECT count(*) FROM t").fetchone()[0])


def _parquet(path: Path) -> int:
    from pyarrow import parquet

    return int(parquet.read_table(path).num_rows)


def _arrow(path: Path) -> int:
    from pyarrow import ipc

    return int(ipc.open_file(path).read_all().num_rows)


def _xlsx(path: Path) -> int:
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        return book.read("xl/worksheets/sheet1.xml").count(b"<row ") - 1


def _html(path: Path) -> int:
    return RECORDS if path.read_text().rstrip().endswith("</html>") else -1


def _wrapper(path: Path) -> int:
    return RECORDS * bool(load(path))


def _history(path: Path) -> int:
    """Return how many records a store has; a visit brings all of them or none."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(database.execute("SELECT count(*) FROM peneira_records").fetchone()[0])


def _batch(path: Path) -> int:
    """Return how many rows the finished parts of a run have; a part is whole or not there."""
    return sum(_lines(part) for part in (path / "records").glob("*.jsonl"))


def _library(path: Path) -> int:
    """Return how many versions of a wrapper a library has; each can be loaded."""
    library = Library(path)
    entries = library.entries()
    for entry in entries:
        for version in entry.versions:
            library.load(entry.key, version.number)
    return sum(len(entry.versions) for entry in entries)


_EXTRACT = ("extract", "{page}", "-o")
WRITERS: dict[str, Writer] = {
    "csv": Writer(_EXTRACT, "x.csv", _csv),
    "tsv": Writer(_EXTRACT, "x.tsv", lambda path: len(path.read_text().splitlines()) - 1),
    "json": Writer(_EXTRACT, "x.json", lambda path: len(json.loads(path.read_text()))),
    "jsonl": Writer(_EXTRACT, "x.jsonl", _lines),
    "markdown": Writer(_EXTRACT, "x.md", _markdown),
    "parquet": Writer(_EXTRACT, "x.parquet", _parquet),
    "arrow": Writer(_EXTRACT, "x.arrow", _arrow),
    "xlsx": Writer(_EXTRACT, "x.xlsx", _xlsx),
    "jsonl, appended": Writer(("extract", "{page}", "--append", "-o"), "more.jsonl", _lines, grows=True),
    "csv, appended": Writer(("extract", "{page}", "--append", "-o"), "more.csv", _csv, grows=True),
    "sqlite, appended": Writer(
        ("extract", "{page}", "--append", "--table", "t", "-o"), "more.sqlite", _sqlite, grows=True
    ),
    "cleaned page": Writer(("clean", "{page}", "-o"), "x.html", _html),
    "report": Writer(("extract", "{page}", "--explain", "-o"), "report.csv", _csv),
    "wrapper": Writer(("learn", "{page}", "-o"), "site.json", _wrapper),
    "library": Writer(("library",), "library", _library, grows=True),
    "history": Writer(("track", "{page}", "--name", "x", "--store"), "history.sqlite", _history),
    "batch": Writer(
        ("batch", "{pages}", "--format", "jsonl", "--jobs", "1", "--chunk", "4", "-o"), "run", _batch, every=8
    ),
}  # fmt: skip


def _command(writer: Writer, folder: Path) -> None:
    """Do in this process what a writer does."""
    if writer.arguments[0] == "library":
        end_on_signals()  # as any command does
        Library(folder / writer.target).save("site.example/list", load(folder / "first.json"), "a test")
        return
    places = {"page": folder / "page.html", "pages": folder / "pages"}
    main([*(argument.format(**places) for argument in writer.arguments), str(folder / writer.target)])


def _forked(writer: Writer, folder: Path) -> int:
    """Start a process that does what a writer does, and return its id."""
    # a signal within fork itself would be lost
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS[1:])
    child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return child
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for handle in range(3):
            os.dup2(nowhere, handle)
        _command(writer, folder)
        os._exit(0)
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    except BaseException:
        os._exit(99)


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _make_pages(folder: Path) -> None:
    def page(first: int, count: int) -> str:
        rows = "".join(f"<li><a href=/p/{k}>Item {k}</a> <b>R$ {k},90</b></li>" for k in range(first, first + count))
        return f"<!doctype html><html><body><ul>{rows}</ul></body></html>"

    (folder / "page.html").write_text(page(0, RECORDS))
    (folder / "pages").mkdir()
    for number in range(_BATCH_PAGES):
        (folder / "pages" / f"{number:03}.html").write_text(page(10 * number, 10))


def kills(count: int, seed: int, only: Sequence[str] = ()) -> int:
    """Kill writers at random moments; return 1 if one left something that is not whole, or lost what was there."""
    chance = random.Random(seed)
    problems: Counter[str] = Counter()
    done: Counter[str] = Counter()
    before_end = 0
    names = list(only or WRITERS)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _make_pages(folder)
        _ended(_forked(Writer(("learn", "{page}", "-o"), "first.json", _wrapper), folder))
        took: dict[str, float] = {}
        held: dict[str, int] = {}
        # the first runs are whole: one loads what is loaded late, the next tells how long a run takes
        for name in [each for each in names for _ in range(1 if each == "batch" else 2)]:
            started = monotonic()
            with contextlib.suppress(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                _command(WRITERS[name], folder)
            took[name], held[name] = monotonic() - started, WRITERS[name].count(folder / WRITERS[name].target)
        turn = 0
        while done.total() < count:
            name = names[turn % len(names)]
            turn += 1
            writer = WRITERS[name]
            if writer.every > 1 and (turn // len(names)) % writer.every:
                continue
            path = folder / writer.target
            if name == "batch" and held[name] >= 10 * _BATCH_PAGES:  # begun anew, so that there is something to do
                shutil.rmtree(path)
                held[name] = 0
            child = _forked(writer, folder)
            sleep(took[name] * chance.uniform(0.0, 1.2))
            number = chance.choice(SIGNALS)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, number)
            code = _ended(child)
            before_end += code != 0
            done[name] += 1
            try:
                now = writer.count(path) if path.exists() else 0
            except Exception as error:
                now, problems[f"{name}: {type(error).__name__}: {error}"] = -1, problems[name] + 1
            if now < held[name] or (not writer.grows and name != "batch" and now != held[name]):
                problems[f"{name}: {now} where {held[name]} were, after {number.name}"] += 1
            held[name] = max(now, 0)
            left = [file for file in folder.rglob(TEMPORARY) if ".peneira" not in file.parts[:-1]]
            if left and number != signal.SIGKILL and name != "batch":
                problems[f"{name}: a temporary file is left after {number.name}"] += 1
            if done.total() % 100 == 0:
                print(f"{done.total()} kills, {before_end} before the end, {problems.total()} problems", flush=True)
            for file in left:
                file.unlink(missing_ok=True)
        if "batch" in names:
            problems += _finished_batch(folder)
    for problem, times in sorted(problems.items()):
        print(f"{problem} ({times} times)", flush=True)
    listed = ", ".join(f"{name} {times}" for name, times in sorted(done.items()))
    print(f"{done.total()} kills, seed {seed} ({listed}): {before_end} before the end of the command, "
          f"{problems.total()} problems")  # fmt: skip
    return int(bool(problems))


def _finished_batch(folder: Path) -> Counter[str]:
    """Go on with the batch run to its end, do one that nobody kills, and compare."""
    writer = WRITERS["batch"]
    _ended(_forked(writer, folder))
    whole = Writer(writer.arguments, "whole", writer.count)
    _ended(_forked(whole, folder))
    first, second = (
        sorted(line for part in (folder / name / "records").glob("*.jsonl") for line in part.read_text().splitlines())
        for name in ("run", "whole")
    )
    return Counter() if first == second and first else Counter({"batch: resumed and undisturbed runs differ": 1})

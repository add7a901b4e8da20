"""Batch runs: what they write, what pages at their worst cost, and going on where a run stopped."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from batch_pages import (
    MEGABYTE,
    at_their_worst,
    database_rows,
    files,
    kill_the_run,
    killed_while_reading,
    page_inputs,
    rows,
    run,
    save_pages,
    shop_page,
)
from command import peneira
from peneira.batch.chunk_writer import Target
from peneira.batch.row_schema import PAGE_FIELDS
from peneira.batch.run import MAX_KILLS, RunOptions, run_batch
from peneira.batch.tasks import TaskOptions
from peneira.errors import OutputError
from peneira.worker import WorkerLimits

TESTS = str(Path(__file__).parent)


def test_a_run_writes_records_and_a_row_for_each_page(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 5)
    summary = run(pages, tmp_path / "out")
    assert str(summary) == "5 pages: 5 complete, 0 partial, 0 failed; 15 rows"
    assert sorted(files(tmp_path / "out")) == [
        "pages/part-000000.jsonl",
        "pages/part-000001.jsonl",
        "records/part-000000.jsonl",
        "records/part-000001.jsonl",
    ]
    assert rows(tmp_path / "out", "pages")[0] == {
        "source": str(pages / "000.html"),
        "page_url": "https://shop.example/list/0",
        "site": "shop.example",
        "status": "complete",
        "verdict": "list",
        "confidence": rows(tmp_path / "out", "pages")[0]["confidence"],
        "rows": 3,
    }
    first = rows(tmp_path / "out", "records")[0]
    roles = ("page_url", "site", "record", "title", "url", "price", "currency")
    assert {name: first[name] for name in roles} == {
        "page_url": "https://shop.example/list/0",
        "site": "shop.example",
        "record": 1,
        "title": "Thing 0-0",
        "url": "https://shop.example/p/0-0",
        "price": "0.50",
        "currency": "$",
    }
    cells = first["cells"]
    assert isinstance(cells, list)
    assert {"name": "price", "role": "price", "type": "money", "text": "$0.50", "value": "0.50", "unit": "$"} in cells
    assert [row["title"] for row in rows(tmp_path / "out", "records")] == [
        f"Thing {n}-{k}" for n in range(5) for k in range(3)
    ]


def test_formats_hold_the_same_rows(tmp_path: Path):
    from pyarrow import parquet

    pages = save_pages(tmp_path / "pages", 5)
    for format_ in ("jsonl", "parquet", "sqlite"):
        run(pages, tmp_path / format_, target=Target(tmp_path / format_, "extract", format_), jobs=1)  # type: ignore[arg-type]
    expected = [
        (row["source"], row["record"], row["title"], row["price"]) for row in rows(tmp_path / "jsonl", "records")
    ]
    table = parquet.read_table(tmp_path / "parquet" / "records")
    columns = [table.column(name).to_pylist() for name in ("source", "record", "title", "price")]
    assert list(zip(*columns, strict=True)) == expected
    assert table.column("cells")[0].as_py()[0]["text"] == "Thing 0-0"
    query = "SELECT source, record, title, price FROM records ORDER BY source, record"
    assert database_rows(tmp_path / "sqlite" / "data.sqlite", query) == expected
    names = [row[1] for row in database_rows(tmp_path / "sqlite" / "data.sqlite", "PRAGMA table_info(pages)")]
    assert names == [name for name, _ in PAGE_FIELDS] == parquet.read_table(tmp_path / "parquet" / "pages").column_names


@pytest.mark.parametrize("task", ["item", "text", "content"])
def test_other_tasks_have_tables_of_their_own(tmp_path: Path, task: str):
    page = tmp_path / "page.html"
    paragraph = "A long paragraph about the making of sieves, which is an old craft in many countries. " * 8
    page.write_text(f"<html lang=en><title>Sieves</title><body><article><h1>Sieves</h1><p>{paragraph}</article>")
    target = Target(tmp_path / "out", task, "jsonl")  # type: ignore[arg-type]
    summary = run(page, tmp_path / "out", target=target, jobs=1)
    assert summary.statuses == {"complete": 1}
    table = {"item": "items", "text": "texts", "content": "contents"}[task]
    found = rows(tmp_path / "out", table)
    assert found[0]["source"] == str(page)
    assert "making of sieves" in json.dumps(found)


def test_pages_at_their_worst_cost_themselves(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 4)
    for name in ("loop", "memory", "kill", "crash"):
        (pages / f"{name}.html").write_bytes(shop_page(1))
    limits = WorkerLimits(seconds=4, memory_bytes=700 * MEGABYTE)
    summary = run(pages, tmp_path / "out", worker=limits, page_job=at_their_worst)
    assert summary.statuses == {"complete": 4, "failed": 4}
    reasons = {Path(str(row["source"])).stem: row.get("reason") for row in rows(tmp_path / "out", "pages")}
    assert reasons == {
        **{f"{number:03}": None for number in range(4)},
        "loop": "it did not end within 4 s",
        "memory": "it needs more memory than is allowed",
        "kill": "its process ended with signal SIGKILL",
        "crash": "RuntimeError: a bug",
    }
    assert len(rows(tmp_path / "out", "records")) == 12


def test_a_page_whose_worker_was_killed_is_read_again_unless_it_kills_each(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 1)
    for name in ("once1", "twice2", "always9"):
        (pages / f"{name}.html").write_bytes(shop_page(1))
    summary = run(pages, tmp_path / "out", page_job=killed_while_reading)
    assert summary.statuses == {"complete": 3, "failed": 1}
    reasons = {Path(str(row["source"])).stem: row.get("reason") for row in rows(tmp_path / "out", "pages")}
    killed = "its process ended with signal SIGKILL"
    assert reasons == {"000": None, "always9": killed, "once1": None, "twice2": None}
    assert (pages / "always9.killed").read_text() == "x" * MAX_KILLS
    again = run(pages, tmp_path / "out", page_job=killed_while_reading)
    assert (again.resumed, (pages / "always9.killed").read_text()) == (4, "x" * MAX_KILLS)


def test_a_real_page_that_needs_more_memory_than_allowed_fails_alone(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 2)
    (pages / "huge.html").write_bytes(b"<ul>" + b"<li><a href=x>one</a> <b>two</b></li>" * 400_000)
    summary = run(pages, tmp_path / "out", jobs=1, worker=WorkerLimits(600, 250 * MEGABYTE))
    assert summary.statuses == {"complete": 2, "failed": 1}
    failed = [row for row in rows(tmp_path / "out", "pages") if row["status"] == "failed"]
    assert [Path(str(row["source"])).stem for row in failed] == ["huge"]


def test_errors_limits_and_pages_without_data_have_their_status(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 1)
    (pages / "cut.html.gz").write_bytes(b"\x1f\x8b broken")
    (pages / "empty.html").write_bytes(b"")
    done = peneira("batch", pages, "-o", tmp_path / "out", "--format", "jsonl", "--jobs", "1")
    assert done.returncode == 1
    *failures, last = done.stderr.splitlines()
    assert last == f"{tmp_path}/out: 3 pages: 1 complete, 0 partial, 2 failed; 3 rows"
    assert failures[0] == f"{pages}/cut.html.gz: not a gzip file, or a damaged one"
    assert [line.partition(": ")[0] for line in failures] == [f"{pages}/cut.html.gz", f"{pages}/empty.html"]
    found = {
        Path(str(row["source"])).name: (row["status"], row.get("reason")) for row in rows(tmp_path / "out", "pages")
    }
    assert found["000.html"] == ("complete", None)
    assert found["cut.html.gz"] == ("failed", f"{pages}/cut.html.gz: not a gzip file, or a damaged one")
    assert found["empty.html"][0] == "failed"


def test_characters_that_no_format_holds_are_replaced_and_told(tmp_path: Path):
    page = tmp_path / "page.html"
    data = json.dumps([{"title": f"a\x00b {k}", "price": k, "text": "some words here"} for k in range(6)])
    page.write_text(f"<body><script>window.state = {data}</script><p>x")
    run(page, tmp_path / "out", jobs=1)
    (row,) = rows(tmp_path / "out", "pages")
    assert "\x00" not in json.dumps(rows(tmp_path / "out", "records"), ensure_ascii=False)
    if row["rows"]:
        assert row["status"] == "partial"


def started(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with the modules of the tests."""
    script = f"import sys; sys.path.insert(0, {TESTS!r})\n{code}"
    return subprocess.run([sys.executable, "-c", script, *map(str, args)], capture_output=True, text=True, check=False)


KILLED_RUN = """
from pathlib import Path
from batch_pages import kill_the_run, run
from peneira.batch.chunk_writer import Target
source, out, format_, by_site, jobs = sys.argv[1:]
target = Target(Path(out), "extract", format_, by_site == "by site")
print(run(source, Path(out), target=target, jobs=int(jobs), page_job=kill_the_run))
"""


@pytest.mark.parametrize("target", ["parquet", "sqlite", "jsonl by site"])
def test_a_run_that_is_killed_three_times_ends_like_one_that_was_not(tmp_path: Path, target: str):
    format_, _, by_site = target.partition(" ")
    pages = save_pages(tmp_path / "pages", 30)
    undisturbed = started(KILLED_RUN, pages, tmp_path / "whole", format_, by_site, 2)
    assert undisturbed.stdout.strip() == "30 pages: 30 complete, 0 partial, 0 failed; 90 rows", undisturbed.stderr
    # three parts of four pages are open at a time, so that no page of these parts is read before the run of the one
    # before it is killed
    random_pages = [first + random.Random(len(target)).randrange(4) for first in (0, 12, 24)]
    (pages / "kills").write_text(" ".join(f"{number:03}" for number in random_pages))
    ends = [started(KILLED_RUN, pages, tmp_path / "killed", format_, by_site, 2) for _ in range(4)]
    assert [end.returncode for end in ends] == [-signal.SIGKILL] * 3 + [0], [end.stderr for end in ends]
    assert ends[-1].stdout == undisturbed.stdout
    if format_ == "sqlite":
        for table in ("pages", "records"):
            query = f"SELECT * FROM {table} ORDER BY 1, 4"
            whole, killed = (database_rows(tmp_path / name / "data.sqlite", query) for name in ("whole", "killed"))
            assert killed == whole
    else:
        assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_what_is_in_the_journal_is_not_read_again(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 10)
    (pages / "kills").write_text("009")
    assert started(KILLED_RUN, pages, tmp_path / "out", "jsonl", "", 1).returncode == -signal.SIGKILL
    for number in range(8):
        (pages / f"{number:03}.html").write_bytes(b"another page")
    summary = run(pages, tmp_path / "out", page_job=kill_the_run)
    # the result of page 8 may be on its way while the worker has page 9 already
    assert summary.resumed in (8, 9)
    assert len(rows(tmp_path / "out", "records")) == 30


def test_a_journal_with_a_damaged_line_is_good_up_to_there(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 12)
    (pages / "kills").write_text("010")
    assert started(KILLED_RUN, pages, tmp_path / "out", "jsonl", "", 1).returncode == -signal.SIGKILL
    # page 8, the first of the last chunk, is in the journal before the worker gets page 10
    *_, journal = sorted((tmp_path / "out" / ".peneira" / "journal").glob("*.jsonl"))
    with journal.open("ab") as file:
        file.write(b"\0" * 100 + b"\n")  # as a power cut leaves it
    run(pages, tmp_path / "out", page_job=kill_the_run)
    run(pages, tmp_path / "whole")
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 10)
    code = """
import signal
from pathlib import Path
from batch_pages import interrupt_the_run, page_inputs
from peneira.batch.chunk_writer import Target
from peneira.batch.run import RunOptions
from peneira.batch.tasks import TaskOptions
from peneira.cli.batch import run_to_end
source, out = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a program in the background inherits that it is ignored
target, options = Target(Path(out), "extract", "jsonl"), RunOptions(1, 4, page_job=interrupt_the_run)
run_to_end(page_inputs(source), target, TaskOptions(), options)
"""
    stopped = started(code, pages, tmp_path / "out")
    assert (stopped.returncode, stopped.stderr) == (
        130,
        f"{tmp_path}/out: stopped; the same command goes on from here\n",
    )
    again = started(code, pages, tmp_path / "out")
    assert again.returncode == 0, again.stderr
    assert len(rows(tmp_path / "out", "records")) == 30


def test_a_finished_run_is_not_done_again(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 5)
    run(pages, tmp_path / "out")
    before = files(tmp_path / "out")
    summary = run(pages, tmp_path / "out", page_job=at_their_worst)
    assert (summary.pages, summary.resumed, summary.rows) == (5, 5, 15)
    assert files(tmp_path / "out") == before


def test_the_output_of_another_run_is_refused_and_kept(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 2)
    run(pages, tmp_path / "out", jobs=1)
    before = files(tmp_path / "out")
    done = peneira("batch", pages, "-o", tmp_path / "out", "--task", "text", "--format", "jsonl", "--chunk", "4")
    assert done.returncode == 1
    assert done.stderr == (
        f'peneira: {tmp_path}/out: is of another run: its task is "extract", not "text"; '
        "name a new folder, or give the same inputs and options to go on\n"
    )
    assert files(tmp_path / "out") == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    done = peneira("batch", pages, "-o", tmp_path / "mine")
    assert (done.returncode, done.stderr) == (
        1,
        f"peneira: {tmp_path}/mine: has 'thesis.txt' in it, which is of no run; name a new folder\n",
    )
    assert files(tmp_path / "mine") == {"thesis.txt": b"mine"}


def test_inputs_that_changed_are_refused(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 6)
    run(pages, tmp_path / "out", jobs=1)
    (pages / "000.html").rename(pages / "000b.html")
    with pytest.raises(OutputError, match="the inputs have changed since this run began"):
        run(pages, tmp_path / "out", jobs=1)


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path):
    from peneira.batch.run import description
    from peneira.batch.run_folder import RunFolder

    pages = save_pages(tmp_path / "pages", 1)
    target, task, options = Target(tmp_path / "out", "extract", "jsonl"), TaskOptions(), RunOptions(1, 4)
    inputs = page_inputs(pages)
    with (
        RunFolder(tmp_path / "out", description(inputs, target, task, options)),
        pytest.raises(OutputError, match="another run is writing there now"),
    ):
        run_batch(inputs, target, task, options)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 1)
    (tmp_path / "file").write_text("a file")
    done = peneira("batch", pages, "-o", tmp_path / "file" / "out")
    assert done.returncode == 1
    assert done.stderr == f"peneira: {tmp_path}/file/out: cannot be written: Not a directory\n"
    done = peneira("batch", pages, "-o", "/proc/out")
    assert (done.returncode, done.stderr) == (1, "peneira: /proc/out: cannot be written: No such file or directory\n")


FULL_DISK = """
import json, os
from pathlib import Path
from batch_pages import files, run
from peneira.batch.chunk_writer import Target
from peneira.errors import OutputError
disk, source, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[1]) / "out"
target = Target(out, "extract", sys.argv[3])
run(source, out, target=target, chunk_pages=8)
(disk / "whole").mkdir()
whole = files(out)
import shutil
shutil.rmtree(out)
room = os.statvfs(disk)
(disk / "filler").write_bytes(bytes(room.f_bavail * room.f_frsize - int(sys.argv[4])))
try:
    run(source, out, target=target, chunk_pages=8)
    print("no error")
except OutputError as error:
    print(json.dumps(str(error)))
left = files(out)
print(json.dumps({name: whole.get(name) == body for name, body in left.items() if not name.endswith("journal")}))
(disk / "filler").unlink()
print(run(source, out, target=target, chunk_pages=8))
print(json.dumps(sorted(files(out)) == sorted(whole) and (files(out) == whole or sys.argv[3] == "sqlite")))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare (util-linux) to mount a small disk")
@pytest.mark.parametrize(("format_", "room"), [("parquet", 60_000), ("jsonl", 30_000), ("sqlite", 60_000)])
def test_a_full_disk_is_an_error_that_leaves_nothing_half_written(tmp_path: Path, format_: str, room: int):
    pages = save_pages(tmp_path / "pages", 40)
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f"import sys; sys.path.insert(0, {TESTS!r})\n{FULL_DISK}"
    mounted = 'mount -t tmpfs -o size=4m tmpfs "$1" && exec "$2" -c "$3" "$1" "$4" "$5" "$6"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mounted, "sh"]
    args = [disk, sys.executable, script, pages, format_, room]
    done = subprocess.run([*command, *map(str, args)], capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    error, left, again, is_equal = done.stdout.splitlines()
    assert "cannot be written" in error, done.stderr
    if format_ != "sqlite":
        assert all(json.loads(left).values())
    assert again == "40 pages: 40 complete, 0 partial, 0 failed; 120 rows"
    assert is_equal == "true"


def test_a_run_without_standard_error_is_done(tmp_path: Path):
    pages = save_pages(tmp_path / "pages", 2)
    command = f"exec {sys.executable} -m peneira batch {pages} -o {tmp_path / 'out'} --format jsonl --jobs 1 2>&-"
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 0
    assert len(rows(tmp_path / "out", "pages")) == 2


def test_progress_is_a_line_of_json_where_nobody_watches(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from peneira.cli.batch_progress import ProgressLines

    pages = save_pages(tmp_path / "pages", 3)
    with ProgressLines(every_s=0) as watcher:
        run_batch(
            page_inputs(pages), Target(tmp_path / "out", "extract", "jsonl"), TaskOptions(), RunOptions(1), watcher
        )
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["pages"] for line in lines] == [1, 2, 3]
    assert lines[-1].keys() == {
        "pages", "complete", "partial", "failed", "rows", "pages_per_second", "seconds_left",
    }  # fmt: skip
    assert lines[-1]["seconds_left"] == 0

"""``peneira extract`` into every format, as a user types it."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from batch_pages import rows, save_pages
from command import peneira

PEOPLE = [("Ana", "Faro"), ("Bia", "Olinda"), ("=1+1", "Beja")]
LIST = "<ul>" + "".join(f"<li><b class=name>{name}</b> <i class=city>{city}</i>" for name, city in PEOPLE) + "</ul>"
RECORDS = [{"title": name, "location": city} for name, city in PEOPLE]


def run(*args: str | Path, code: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run the command line in process, or in a process of its own after some code."""
    if not code:
        done = peneira(*args)
        return subprocess.CompletedProcess(args, done.returncode, done.raw_stdout, done.raw_stderr)
    start = f"{code}\nfrom peneira.cli.main import main\nmain()"
    return subprocess.run([sys.executable, "-c", start, *map(str, args)], capture_output=True)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "people.html"
    file.write_text(LIST)
    return file


def read_csv(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline=""), delimiter=delimiter))


def read_parquet(data: bytes) -> list[dict[str, str]]:
    from pyarrow import parquet

    return parquet.read_table(io.BytesIO(data)).to_pylist()


def read_arrow(data: bytes) -> list[dict[str, str]]:
    from pyarrow import ipc

    return ipc.open_file(io.BytesIO(data)).read_all().to_pylist()


def read_xlsx(data: bytes) -> list[dict[str, str]]:
    from openpyxl import load_workbook

    header, *rows = load_workbook(io.BytesIO(data)).active.iter_rows(values_only=True)
    return [dict(zip(header, row, strict=True)) for row in rows]


def read_markdown(data: bytes) -> list[dict[str, str]]:
    header, _, *rows = [line.strip("| ").split(" | ") for line in data.decode().splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows]


READERS: dict[str, Callable[[bytes], list[dict[str, str]]]] = {
    "json": json.loads,
    "jsonl": lambda data: [json.loads(line) for line in data.splitlines()],
    "parquet": read_parquet,
    "arrow": read_arrow,
    "xlsx": read_xlsx,
    "md": read_markdown,
}


@pytest.mark.parametrize("format_", READERS)
def test_the_ending_sets_the_format_and_a_pipe_gets_the_same_bytes(format_: str, page: Path, tmp_path: Path):
    done = run("extract", page, "-o", tmp_path / f"out.{format_}")
    assert (done.returncode, done.stdout) == (0, b"")
    assert f"out.{format_}: 3 records written" in done.stderr.decode()
    data = (tmp_path / f"out.{format_}").read_bytes()
    assert READERS[format_](data) == RECORDS
    assert run("extract", page, "--format", format_).stdout == data


@pytest.mark.parametrize(("format_", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_formulas_are_guarded_unless_raw(format_: str, delimiter: str, page: Path, tmp_path: Path):
    run("extract", page, "-o", tmp_path / f"safe.{format_}")
    run("extract", page, "-o", tmp_path / f"raw.{format_}", "--raw", "--bom")
    safe, raw = ((tmp_path / f"{name}.{format_}").read_bytes() for name in ("safe", "raw"))
    assert read_csv(safe, delimiter)[2] == {"title": "'=1+1", "location": "Beja"}
    assert raw.startswith(b"\xef\xbb\xbftitle")
    assert read_csv(raw[3:], delimiter) == RECORDS


def test_a_database_gets_a_table_and_refuses_the_same_again_before_reading_a_page(page: Path, tmp_path: Path):
    path = tmp_path / "all.sqlite"
    assert run("extract", page, "-o", path).returncode == 0
    assert run("extract", page, "-o", path, "--table", "order").returncode == 0
    again = run("extract", page, "-o", path)
    assert (again.returncode, again.stderr.decode().splitlines()) == (
        1,
        [f"peneira: {path}: has a table 'all' already; name another (--table) or add to it (--append)"],
    )
    connection = sqlite3.connect(path)
    rows = [connection.execute(f'SELECT title, location FROM "{table}"').fetchall() for table in ("all", "order")]
    connection.close()
    assert rows == [PEOPLE, PEOPLE]


def test_the_format_named_wins_over_the_ending(page: Path, tmp_path: Path):
    run("extract", page, "-o", tmp_path / "x.csv", "--format", "json")
    assert json.loads((tmp_path / "x.csv").read_text()) == RECORDS


@pytest.mark.parametrize("verb", ["extract", "text"])
def test_markdown_has_two_names(verb: str, page: Path):
    short, long = (run(verb, page, "--format", name) for name in ("md", "markdown"))
    assert (short.returncode, long.returncode) == (0, 0)
    assert short.stdout == long.stdout != b""
    assert run(verb, page, "--format", "mdx").returncode == 2


@pytest.mark.parametrize("verb", ["extract", "item", "apply"])
def test_a_folder_for_output_is_a_batch_run(verb: str, tmp_path: Path):
    pages, out = save_pages(tmp_path / "pages", 2), tmp_path / "out"
    wrapper = []
    if verb == "apply":
        wrapper = [tmp_path / "w.json"]
        assert run("learn", pages / "000.html", pages / "001.html", "-o", wrapper[0]).returncode == 0
    done = run(verb, *wrapper, pages, "-o", f"{out}/", "--format", "jsonl")
    found = rows(out, "items" if verb == "item" else "records")
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"{out}: 2 pages: ")
    assert last.endswith(f"; {len(found)} rows")
    assert [row["source"] for row in rows(out, "pages")] == [f"{pages}/000.html", f"{pages}/001.html"]
    if verb in ("extract", "apply"):
        assert [row["title"] for row in found] == [f"Thing {n}-{k}" for n in (0, 1) for k in range(3)]
    again = run(verb, *wrapper, pages, "-o", f"{out}/", "--format", "jsonl")
    assert again.stderr.decode().splitlines()[-1] == last
    other = run(verb, *wrapper, pages, "-o", f"{out}/", "--format", "parquet")
    assert (other.returncode, b"is of another run: its output is" in other.stderr) == (1, True)


def test_texts_go_into_a_folder_as_parquet(tmp_path: Path):
    from pyarrow import parquet

    pages, out = save_pages(tmp_path / "pages", 2), tmp_path / "out"
    done = run("text", pages, "-o", f"{out}/")
    found = parquet.read_table(out / "pages").to_pylist()
    assert [row["source"] for row in found] == [f"{pages}/000.html", f"{pages}/001.html"]
    assert parquet.read_table(out / "texts").num_rows == sum(row["rows"] for row in found)
    assert done.stderr.decode().splitlines()[-1].startswith(f"{out}: 2 pages: ")


def test_options_of_one_table_do_not_go_with_a_folder(tmp_path: Path):
    done = run("extract", tmp_path, "-o", f"{tmp_path}/out/", "--dedupe")
    assert done.returncode == 2
    assert b"--dedupe does not go with a folder for output" in done.stderr


def test_a_dash_is_standard_output(page: Path):
    assert run("extract", page, "-o", "-", "--format", "json").stdout == run("extract", page, "--format", "json").stdout


def test_a_table_for_readers_can_be_a_file(page: Path, tmp_path: Path):
    run("extract", page, "-o", tmp_path / "x.txt", "--format", "table")
    assert "│ 1 │ Ana" in (tmp_path / "x.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--format", "json", "--bom"], "--bom is for csv and tsv, not for json"),
        (["--format", "json", "--raw"], "--raw is for csv and tsv and xlsx, not for json"),
        (["--format", "csv", "--table", "t"], "--table is for sqlite and postgres, not for csv"),
        (["--format", "sqlite"], "an SQLite database is a file: name it with -o"),
        (["-o", "x.pdf"], "x.pdf: unknown ending; name the format with --format"),
    ],
)
def test_wrong_usage_is_said_before_any_page_is_fetched(args: list[str], message: str):
    done = run("extract", "http://127.0.0.1:9/", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert "refused" not in done.stderr.decode()


@pytest.mark.parametrize(
    ("format_", "package", "extra"),
    [("xlsx", "xlsxwriter", "xlsx"), ("parquet", "pyarrow", "parquet"), ("arrow", "pyarrow", "parquet")],
)
def test_a_missing_extra_is_one_line_before_any_page_is_fetched(format_: str, package: str, extra: str, tmp_path: Path):
    hide = f"import sys; sys.modules[{package!r}] = None"
    done = run("extract", "http://127.0.0.1:9/", "-o", tmp_path / f"x.{format_}", code=hide)
    expected = f'peneira: the format {format_} needs an optional package: pip install "peneira[{extra}]"\n'
    assert (done.returncode, done.stderr.decode()) == (1, expected)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_one_line_before_any_page_is_fetched(tmp_path: Path):
    done = run("extract", "http://127.0.0.1:9/", "-o", tmp_path / "none" / "x.csv")
    expected = f"peneira: {tmp_path / 'none' / 'x.csv'}: cannot be written: no such folder\n"
    assert (done.returncode, done.stderr.decode()) == (1, expected)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_under_the_output_file_is_one_line(page: Path):
    done = run("extract", page, "-o", "/dev/full", "--format", "xlsx")
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[1:] == ["peneira: /dev/full: cannot be written: No space left on device"]


def test_cells_that_were_changed_are_counted_and_are_no_failure(tmp_path: Path):
    (tmp_path / "a.html").write_text(LIST.replace("Ana", "A" * 40_000))
    done = run("extract", tmp_path / "a.html", "--region", "1", "-o", tmp_path / "a.xlsx")
    assert done.returncode == 0
    assert "3 records written; 1 cell: cut to 32,767 characters" in done.stderr.decode()


def test_records_that_were_dropped_are_a_failed_job(page: Path, tmp_path: Path):
    few = "import peneira.output.spreadsheet as s; s.MAX_ROWS = 3"
    done = run("extract", page, "-o", tmp_path / "a.xlsx", code=few)
    assert done.returncode == 1
    assert "2 records written; 1 record: a sheet of XLSX holds" in done.stderr.decode()


def on_a_terminal(*args: str | Path) -> tuple[int, str]:
    """Run the command line on a terminal of its own and return its exit code and what it shows."""
    import pty

    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "peneira", *map(str, args)]
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, stdin=subprocess.DEVNULL) as process:
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(screen, 65_536):
                shown += chunk
        except OSError:  # Linux says so when the other end is closed
            pass
        os.close(screen)
    return process.returncode, shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
@pytest.mark.parametrize("format_", ["parquet", "arrow", "xlsx"])
def test_binary_formats_are_refused_on_a_terminal(format_: str, page: Path):
    code, shown = on_a_terminal("extract", page, "--format", format_)
    assert code == 2
    assert f"{format_} is not for a terminal: name a file with -o, or pipe it" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
def test_a_terminal_gets_no_control_characters_from_a_page(tmp_path: Path):
    (tmp_path / "a.html").write_text(LIST.replace("Ana", "A\x1b]0;x\x07n\x9ba"), encoding="utf-8")
    code, shown = on_a_terminal("extract", tmp_path / "a.html", "--format", "csv")
    assert code == 0
    assert "A\ufffd]0;x\ufffdn\ufffda,Faro" in shown

"""The command line as a user types it: a real process, real files, a real server on loopback."""

from __future__ import annotations

import csv
import functools
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

LIST = "<ul>" + "".join(f"<li><b class=name>{name}</b> <i class=city>{city}</i>" for name, city in [
    ("Ana", "Faro"), ("Bia", "Olinda"), ("Cid", "Beja")]) + "</ul>"  # fmt: skip
ARTICLE = "<h1>One thing</h1><p>Said once.</p>"


def peneira(*args: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "peneira", *map(str, args)]
    done = subprocess.run(command, input=stdin, capture_output=True)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "people.html"
    file.write_text(LIST)
    return file


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None: ...

    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()


def test_piped_output_is_json_lines_and_talk_goes_to_stderr(page: Path):
    done = peneira("extract", page)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"name": "Ana", "city": "Faro"},
        {"name": "Bia", "city": "Olinda"},
        {"name": "Cid", "city": "Beja"},
    ]
    assert "3 records, 2 columns" in done.stderr
    assert done.returncode == 0


def test_the_ending_of_the_output_file_sets_the_format(page: Path, tmp_path: Path):
    assert peneira("extract", page, "-o", tmp_path / "out.csv").stdout == ""
    with (tmp_path / "out.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["name", "city"], ["Ana", "Faro"], ["Bia", "Olinda"], ["Cid", "Beja"]]


def test_standard_input_is_a_dash():
    assert len(peneira("extract", "-", stdin=LIST.encode()).stdout.splitlines()) == 3


def test_a_table_is_readable(page: Path):
    done = peneira("extract", page, "--format", "table")
    assert "│ 1 │ Ana  │ Faro   │" in done.stdout


def test_a_folder_is_all_its_pages_with_a_source_column(page: Path, tmp_path: Path):
    (tmp_path / "two.htm").write_text(LIST)
    rows = [json.loads(line) for line in peneira("extract", tmp_path).stdout.splitlines()]
    assert [row["source"] for row in rows] == [str(page)] * 3 + [str(tmp_path / "two.htm")] * 3


def test_one_bad_page_does_not_kill_the_rest_and_is_counted(page: Path, tmp_path: Path):
    done = peneira("extract", page, tmp_path / "none.html")
    assert len(done.stdout.splitlines()) == 3
    assert "none.html: no such file" in done.stderr
    assert done.returncode == 1


def test_an_empty_folder_does_not_kill_the_rest_and_is_counted(page: Path, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    done = peneira("extract", tmp_path / "empty", page)
    assert len(done.stdout.splitlines()) == 3
    assert f"peneira: {tmp_path / 'empty'}: no .html page in this folder" in done.stderr.splitlines()
    assert done.returncode == 1


def test_a_url_is_fetched(page: Path, server: str):
    done = peneira("extract", f"{server}/people.html")
    assert len(done.stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["extract", "nothing.html"], "nothing.html: no such file"),
        (["extract", ""], "the name of a page is empty"),
        (["extract", "ftp://example.com/x"], "http"),
        (["extract", "http://no-such-host.invalid/"], "no-such-host.invalid"),
        (["extract", "http://127.0.0.1:9/"], "refused"),
    ],
)
def test_errors_are_one_line_and_exit_code_1(args: list[str], message: str):
    done = peneira(*args)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_missing_page_on_a_server_says_so(server: str):
    done = peneira("extract", f"{server}/none.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert "404" in done.stderr


def test_a_binary_file_is_refused(tmp_path: Path):
    (tmp_path / "x.html").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    done = peneira("extract", tmp_path / "x.html")
    assert done.returncode == 1
    assert "looks like a binary file" in done.stderr


def test_a_page_without_a_list_says_so_and_is_no_failure(tmp_path: Path):
    (tmp_path / "a.html").write_text(ARTICLE)
    done = peneira("extract", tmp_path / "a.html")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no list of records (detail)" in done.stderr


def test_an_empty_page_is_a_failed_job(tmp_path: Path):
    (tmp_path / "a.html").write_text("")
    done = peneira("extract", tmp_path / "a.html")
    assert done.returncode == 1
    assert "no list of records (empty)" in done.stderr


def test_another_list_can_be_taken(tmp_path: Path):
    (tmp_path / "a.html").write_text("<ol><li>x<li>y</ol>" + LIST)
    assert json.loads(peneira("extract", tmp_path / "a.html", "--region", "2").stdout.splitlines()[0]) == {"text": "x"}
    rows = [json.loads(line) for line in peneira("extract", tmp_path / "a.html", "--all").stdout.splitlines()]
    assert [row["region"] for row in rows] == ["1", "1", "1", "2", "2"]


def test_a_list_that_the_page_does_not_have_is_a_failed_job(page: Path):
    done = peneira("extract", page, "--region", "9")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such list; this page has 1" in done.stderr


def test_explain_shows_reasons_and_the_other_lists(page: Path):
    done = peneira("extract", page, "--explain")
    assert "cut: 3 records, each " in done.stderr
    assert "1. " in done.stderr


def test_wrong_usage_is_exit_code_2(page: Path):
    assert peneira("extract").returncode == 2
    assert peneira("extract", page, "--format", "pdf").returncode == 2
    assert peneira("extract", page, "-o", "out.pdf").returncode == 2
    assert peneira("extract", page, "--timeout", "nan").returncode == 2
    assert peneira("extract", page, "--timeout", "1e9").returncode == 2
    assert peneira("extract", page, "--method", "magic").returncode == 2
    assert peneira("sift").returncode == 2


COMMANDS = ["", "extract", "learn", "clean", "segment", "plot", "train", "train regions", "methods", "bench"]
BENCHES = ["bench records", "bench speed", "bench gate", "bench clean", "bench table2", "bench wrappers", "bench items"]


@pytest.mark.parametrize("command", [*COMMANDS, *BENCHES])
def test_every_help_ends_with_an_example(command: str):
    done = peneira(*command.split(), "--help")
    assert done.returncode == 0
    assert "Example" in done.stdout


def test_version_and_methods():
    assert peneira("--version").stdout.startswith("peneira 0.")
    assert "auto" in json.loads(peneira("methods").stdout)


@pytest.mark.parametrize("format_", ["jsonl", "table"])
def test_a_closed_pipe_is_no_error(tmp_path: Path, format_: str):
    (tmp_path / "long.html").write_text(LIST.replace("</ul>", "<li><b class=name>Dora</b> <i>Sintra</i>" * 5000))
    command = [sys.executable, "-m", "peneira", "extract", tmp_path / "long.html", "--format", format_]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_under_standard_output_is_one_line(page: Path):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "peneira", "extract", page], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[1:] == ["peneira: [Errno 28] No space left on device"]


@pytest.mark.parametrize("format_", ["jsonl", "csv", "table"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_piped_data_is_utf8_in_every_locale(sample: Path, format_: str, encoding: str, monkeypatch: pytest.MonkeyPatch):
    expected = peneira("extract", sample, "--format", format_).stdout
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    assert peneira("extract", sample, "--format", format_).stdout == expected


def test_equal_input_gives_equal_bytes(sample: Path):
    assert peneira("extract", sample).stdout == peneira("extract", sample).stdout


def test_clean_prints_a_whole_document_and_counts_on_stderr(sample: Path, tmp_path: Path):
    done = peneira("clean", sample)
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert "Intern, Data Engineering" in done.stdout
    assert "Career advice" not in done.stdout.split("<body>")[1]
    assert " nodes kept" in done.stderr
    peneira("clean", sample, "-o", tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text(encoding="utf-8") + "\n" == done.stdout


def test_segment_piped_is_one_json_document(sample: Path):
    tree = json.loads(peneira("segment", sample).stdout)
    assert tree["role"] == "page"
    assert {"start", "end", "role", "share", "text", "xpath", "children"} == set(tree)


@pytest.mark.parametrize("command", ["clean", "segment"])
def test_clean_and_segment_say_what_is_wrong(command: str, tmp_path: Path):
    done = peneira(command, tmp_path / "none.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert "none.html: no such file" in done.stderr

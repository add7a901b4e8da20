"""The command line as a user types it: real files, a real server on loopback, a real process where pipes matter."""

from __future__ import annotations

import csv
import functools
import gzip
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import peneira
from peneira.cli.main import VERBS
from peneira.errors import FetchError

LIST = "<ul>" + "".join(f"<li><b class=name>{name}</b> <i class=city>{city}</i>" for name, city in [
    ("Ana", "Faro"), ("Bia", "Olinda"), ("Cid", "Beja")]) + "</ul>"  # fmt: skip
ARTICLE = "<h1>One thing</h1><p>Said once.</p>"


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
        {"title": "Ana", "location": "Faro"},
        {"title": "Bia", "location": "Olinda"},
        {"title": "Cid", "location": "Beja"},
    ]
    assert "3 records, 2 columns" in done.stderr
    assert done.returncode == 0


def test_the_ending_of_the_output_file_sets_the_format(page: Path, tmp_path: Path):
    assert peneira("extract", page, "-o", tmp_path / "out.csv").stdout == ""
    with (tmp_path / "out.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["title", "location"], ["Ana", "Faro"], ["Bia", "Olinda"], ["Cid", "Beja"]]


def test_standard_input_is_a_dash():
    assert len(peneira("extract", "-", stdin=LIST.encode()).stdout.splitlines()) == 3


def test_a_table_is_readable(page: Path):
    done = peneira("extract", page, "--format", "table")
    assert "│ 1 │ Ana   │ Faro     │" in done.stdout


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
    assert f"peneira: {tmp_path / 'empty'}: no page in this folder" in done.stderr
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
    assert "no list of records: a page about one thing (" in done.stderr


def test_an_empty_page_is_a_failed_job(tmp_path: Path):
    (tmp_path / "a.html").write_text("")
    done = peneira("extract", tmp_path / "a.html")
    assert done.returncode == 1
    assert "no list of records: an empty page (" in done.stderr


def test_another_list_can_be_taken(tmp_path: Path):
    (tmp_path / "a.html").write_text("<ol><li>x<li>y</ol>" + LIST)
    first = json.loads(peneira("extract", tmp_path / "a.html", "--region", "2").stdout.splitlines()[0])
    assert list(first.values()) == ["x"]
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


@pytest.mark.parametrize("command", ["", *VERBS])
def test_every_help_ends_with_an_example(command: str):
    done = peneira(*command.split(), "--help")
    assert done.returncode == 0
    assert "Example" in done.stdout


@pytest.mark.parametrize("command", VERBS)
def test_no_help_shows_a_name_of_the_code(command: str):
    assert not re.search(r"[a-z]_[a-z]", re.sub(r"saved_pages|shop_items", "", peneira(command, "--help").stdout))


READING_VERBS = ["extract", "clean", "segment", "content", "render", "plot", "learn", "apply", "check", "heal"]


@pytest.mark.parametrize("command", READING_VERBS)
def test_every_verb_that_reads_pages_takes_the_same_sources_and_can_render(command: str):
    text = peneira(command, "--help").stdout
    assert all(option in text for option in ("FILE|FOLDER|URL|-", "--render", "--scroll", "--url", "--timeout"))


def test_a_packed_page_is_read(tmp_path: Path):
    (tmp_path / "people.html.gz").write_bytes(gzip.compress(LIST.encode(), mtime=0))
    assert len(peneira("extract", tmp_path / "people.html.gz").stdout.splitlines()) == 3
    assert len(peneira("extract", tmp_path).stdout.splitlines()) == 3


@pytest.mark.parametrize("data", [b"no gzip at all", gzip.compress(b"<ul>" * 99, mtime=0)[:-9]])
def test_a_damaged_packed_page_is_said(tmp_path: Path, data: bytes):
    (tmp_path / "bad.html.gz").write_bytes(data)
    done = peneira("extract", tmp_path / "bad.html.gz")
    assert (done.returncode, done.stdout) == (1, "")
    assert "gzip" in done.stderr


def test_a_glob_is_all_pages_that_match(page: Path, tmp_path: Path):
    (tmp_path / "other.html").write_text(LIST)
    rows = [json.loads(line) for line in peneira("extract", tmp_path / "p*.html").stdout.splitlines()]
    assert [row["source"] for row in rows] == [str(page)] * 3
    assert "no file matches this pattern" in peneira("extract", tmp_path / "z*.html").stderr


def test_a_host_without_a_scheme_is_a_url(monkeypatch: pytest.MonkeyPatch):
    fetched: list[str] = []

    def refuse(url: str, **options: object) -> None:
        fetched.append(url)
        raise FetchError(url, "refused")

    monkeypatch.setattr("peneira.sources.fetch.fetch", refuse)
    for name in ("www.example.com/x", "example.com/jobs?page=2", "www.example.com"):
        assert peneira("extract", name).returncode == 1
    assert fetched == [
        f"https://{name}" for name in ("www.example.com/x", "example.com/jobs?page=2", "www.example.com")
    ]


def test_what_looks_like_a_host_but_is_a_file_is_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "example.com").mkdir()
    (tmp_path / "example.com" / "jobs").write_text(LIST)
    assert len(peneira("extract", "example.com/jobs").stdout.splitlines()) == 3


def test_explain_writes_no_file(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    peneira("extract", page, "--explain")
    assert [file.name for file in tmp_path.iterdir()] == [page.name]


def test_a_report_is_written_where_the_user_says(page: Path, tmp_path: Path):
    peneira("extract", page, "--report", tmp_path / "why.html")
    assert "3 records" in (tmp_path / "why.html").read_text()


def test_a_report_is_on_one_page(page: Path, tmp_path: Path):
    assert peneira("extract", tmp_path, "--report", tmp_path / "why.html").returncode == 2


def test_several_pages_are_cleaned_into_a_folder(page: Path, tmp_path: Path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / page.name).write_text(LIST)
    assert peneira("clean", page, tmp_path / "deep", "-o", tmp_path / "out").returncode == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["people-2.html", "people.html"]
    assert peneira("clean", tmp_path).returncode == 2


def test_several_pages_are_segmented_into_json_lines(page: Path, tmp_path: Path):
    (tmp_path / "two.html").write_text(LIST)
    rows = [json.loads(line) for line in peneira("segment", tmp_path).stdout.splitlines()]
    assert [(row["source"], row["role"]) for row in rows] == [
        (str(page), "page"),
        (str(tmp_path / "two.html"), "page"),
    ]


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
def test_piped_data_is_utf8_in_every_locale(sample: Path, format_: str, encoding: str):
    expected = peneira("extract", sample, "--format", format_).stdout
    assert "Maré" in expected
    assert peneira("extract", sample, "--format", format_, encoding=encoding).stdout == expected


def test_equal_input_gives_equal_bytes_whatever_the_hash_seed(sample: Path):
    command = [sys.executable, "-m", "peneira", "extract", sample]
    one, two = (
        subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}, check=True).stdout
        for seed in ("1", "2")
    )
    assert one == two != b""


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
    assert {"start", "end", "role", "share", "text", "xpath", "label", "children", "cuts"} == set(tree)


@pytest.mark.parametrize("command", ["clean", "segment"])
def test_clean_and_segment_say_what_is_wrong(command: str, tmp_path: Path):
    done = peneira(command, tmp_path / "none.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert "none.html: no such file" in done.stderr


def test_the_same_page_twice_is_cleaned_into_two_files(page: Path, tmp_path: Path):
    assert peneira("clean", page, page, "-o", tmp_path / "out").returncode == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["people-2.html", "people.html"]


def test_a_dash_is_standard_output_for_every_verb(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert peneira("clean", page, "-o", "-").stdout == peneira("clean", page).stdout != ""
    assert not (tmp_path / "-").exists()


def test_one_page_is_cleaned_into_a_folder_that_is_there(page: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    assert peneira("clean", page, "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out" / "people.html").exists()


@pytest.mark.parametrize("option", [["extract", "--report"], ["clean", "-o"], ["learn", "-o"]])
def test_a_target_in_no_folder_is_refused_before_any_page_is_read(option: list[str], tmp_path: Path):
    command, name = option
    done = peneira(command, tmp_path / "missing.html", name, tmp_path / "none" / "out.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such folder" in done.stderr and "missing.html: no such file" not in done.stderr


def test_a_schema_is_written_where_the_user_says(page: Path, tmp_path: Path):
    done = peneira("learn", page, "--method", "gstm", "--schema", "-o", tmp_path / "schema.txt")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "schema.txt").read_text() == peneira("learn", page, "--method", "gstm", "--schema").stdout


def test_a_host_that_is_no_file_says_how_to_write_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert "if it is a URL, write https://example.com" in peneira("extract", "example.com").stderr
    assert peneira("extract", "page.html").stderr == "peneira: page.html: no such file\n"


@pytest.mark.parametrize("verb", ["extract", "item", "text", "track"])
def test_an_address_that_is_no_url_is_one_line(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = peneira(verb, "http://[bad", *(["--store", "x.sqlite"] if verb == "track" else []))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "http://[bad: not a valid URL" in done.stderr


def test_a_url_option_that_is_no_url_is_one_line(page: Path):
    done = peneira("extract", page, "--url", "http://[bad")
    assert (done.returncode, done.stderr) == (
        1,
        "peneira: 'http://[bad' is not a valid URL (Invalid IPv6 URL); check its host\n",
    )


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are those of POSIX")
def test_a_pipe_with_the_name_of_a_page_does_not_hang(tmp_path: Path):
    pipe = tmp_path / "x.html"
    os.mkfifo(pipe)
    assert "is a pipe or a socket, not a file" in peneira("extract", pipe).stderr
    assert "no page in this folder" in peneira("extract", tmp_path).stderr


@pytest.mark.skipif(os.name != "posix", reason="the shell is that of POSIX")
@pytest.mark.parametrize(
    ("closed", "expected"),
    [
        (">&-", (1, "standard output is closed")),
        ("2>&-", (0, "")),
        ("- <&-", (1, "standard input is closed; name a file or a URL")),
    ],
)
def test_a_closed_stream_is_no_traceback(page: Path, closed: str, expected: tuple[int, str]):
    name = "" if closed.startswith("-") else str(page)
    command = f"{sys.executable} -m peneira extract {name} --format csv {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (expected[0], False)
    assert done.stderr.rstrip("\n").endswith(expected[1])

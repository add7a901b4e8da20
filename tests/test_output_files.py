"""A file is written whole or not at all, and what stands in the way is said."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command import peneira
from peneira.budget import Budget
from peneira.cli.output import Output
from peneira.errors import LimitExceeded, OutputError
from peneira.limits import Limits
from tables import text_table

TABLE = text_table(["a"], [["x"]])
BIG = text_table(["a"], [["word " * 1000]] * 100)
WRITERS = ["to_csv", "to_tsv", "to_json", "to_jsonl", "to_markdown", "to_parquet", "to_feather", "to_xlsx", "to_sqlite"]


@pytest.mark.parametrize("method", WRITERS)
def test_a_missing_folder_is_named(method: str, tmp_path: Path):
    with pytest.raises(OutputError, match="none/x: cannot be written: No such file or directory") as caught:
        getattr(TABLE, method)(tmp_path / "none" / "x")
    assert caught.value.target == tmp_path / "none" / "x"


@pytest.mark.parametrize("method", WRITERS)
def test_a_folder_is_no_file_to_write_to(method: str, tmp_path: Path):
    with pytest.raises(OutputError, match="cannot be written"):
        getattr(TABLE, method)(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("method", [method for method in WRITERS if method != "to_sqlite"])
def test_a_full_disk_is_said(method: str):
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        getattr(BIG, method)("/dev/full")


@pytest.mark.parametrize("limits", [Limits(seconds=1e-9), Limits(output_bytes=1000)], ids=["seconds", "bytes"])
@pytest.mark.parametrize("method", WRITERS)
def test_a_writer_keeps_the_limits_of_the_call_that_it_is_part_of(method: str, limits: Limits, tmp_path: Path):
    if limits.output_bytes == 1000 and method in ("to_parquet", "to_feather", "to_sqlite"):
        pytest.skip("these hold at most what the cells of the table hold")
    path = tmp_path / "x"
    path.write_text("before")
    path = path if method != "to_sqlite" else tmp_path / "new"
    with pytest.raises(LimitExceeded), Budget(limits).running():
        getattr(BIG, method)(path)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"x": "before"}


FAIL_HALFWAY = """
import resource, sys
sys.path.insert(0, {tests!r})
from test_output_files import BIG
from peneira.errors import OutputError
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    BIG.{method}({path!r})
except OutputError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files here")
@pytest.mark.parametrize("method", ["to_csv", "to_jsonl", "to_feather", "to_sqlite"])
def test_a_failure_halfway_leaves_the_old_file_and_no_other(method: str, tmp_path: Path):
    path = tmp_path / "x"
    getattr(TABLE, method)(path)
    before = path.read_bytes()
    target = path if method != "to_sqlite" else tmp_path / "new"
    code = FAIL_HALFWAY.format(tests=str(Path(__file__).parent), method=method, path=str(target))
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert printed.startswith(f"{target}: cannot be written")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


CLEAN_HALFWAY = """
import resource, sys
from peneira.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
main({args!r})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files here")
def test_cleaning_a_page_onto_itself_leaves_it_where_the_disk_is_full(tmp_path: Path):
    page = tmp_path / "p.html"
    page.write_text(f"<p>{'word ' * 2000}")
    before = page.read_bytes()
    args = ["clean", str(page), "-o", str(page)]
    done = subprocess.run([sys.executable, "-c", CLEAN_HALFWAY.format(args=args)], capture_output=True, check=False)
    assert (done.returncode, page.read_bytes(), list(tmp_path.iterdir())) == (1, before, [page])


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files here")
def test_a_drawing_that_does_not_fit_on_the_disk_leaves_the_old_file(tmp_path: Path):
    page, drawing = tmp_path / "p.html", tmp_path / "p.svg"
    page.write_text(f"<ul>{'<li><b>x</b> y' * 40}</ul>")
    drawing.write_text("old")
    args = ["plot", str(page), "-o", str(drawing)]
    done = subprocess.run([sys.executable, "-c", CLEAN_HALFWAY.format(args=args)], capture_output=True, check=False)
    assert b"cannot be written: File too large" in done.stderr
    assert {path.name: path.read_text()[:3] for path in tmp_path.iterdir()} == {"p.html": "<ul", "p.svg": "old"}


END_HALFWAY = """
import os, signal, sys
from pathlib import Path
import peneira.cli.main as command
from peneira.files import text_file

signal.signal({number}, signal.SIG_DFL)  # a parent may have had it ignored, as nohup does

def run(args):
    with text_file({path!r}) as file:
        file.write("half")
        file.flush()
        print(oct(next(Path({folder!r}).iterdir()).stat().st_mode & 0o777), flush=True)
        os.kill(os.getpid(), {number})
        signal.pause()

command._status = run
command.main([])
"""


@pytest.mark.skipif(os.name != "posix", reason="signals and modes are those of POSIX")
@pytest.mark.parametrize("number", [15, 1], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_temporary_file_and_nobody_else_could_read_it(tmp_path: Path, number: int):
    code = END_HALFWAY.format(path=str(tmp_path / "x"), folder=str(tmp_path), number=number)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (128 + number, "0o600\n", [])


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path):
    before = os.umask(0o027)
    try:
        TABLE.to_csv(tmp_path / "x")
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640


def test_the_bytes_are_on_the_disk_before_the_file_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "x"
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(target.exists()))
    TABLE.to_csv(target)
    assert synced == [False, True]  # the file, then the folder


@pytest.mark.skipif(os.name != "posix", reason="links are those of POSIX")
def test_a_file_that_peneira_names_replaces_a_link_of_that_name(tmp_path: Path):
    page, folder, precious = tmp_path / "p.html", tmp_path / "out", tmp_path / "precious"
    page.write_text("<p>text of the page")
    precious.write_text("precious")
    folder.mkdir()
    (folder / "p.html").symlink_to(precious)
    assert peneira("clean", page, "-o", folder).returncode == 0
    assert (precious.read_text(), (folder / "p.html").is_symlink()) == ("precious", False)


@pytest.mark.skipif(os.name != "posix", reason="links are those of POSIX")
def test_the_table_of_a_site_replaces_a_link_of_its_name(tmp_path: Path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    output = Output(tmp_path / "all.csv").for_site("x.example")
    (tmp_path / "all-x.example.csv").symlink_to(precious)
    output.write(TABLE)
    assert (precious.read_text(), (tmp_path / "all-x.example.csv").read_text()) == ("precious", "a\nx\n")


def test_an_error_of_the_caller_leaves_the_old_file(tmp_path: Path):
    from peneira.files import text_file

    (tmp_path / "x").write_text("old")
    with pytest.raises(KeyboardInterrupt), text_file(tmp_path / "x") as file:
        file.write("new")
        raise KeyboardInterrupt
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"x": "old"}


@pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX")
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    TABLE.to_csv(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "a\nx\n"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_new_file_has_the_mode_that_any_new_file_has(tmp_path: Path):
    (tmp_path / "other").touch()
    TABLE.to_csv(tmp_path / "x")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_written_to_and_not_replaced(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    code = f"import pathlib; print(pathlib.Path({str(tmp_path / 'pipe')!r}).read_text())"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as reader:
        TABLE.to_csv(tmp_path / "pipe")
        assert reader.stdout is not None
        assert reader.stdout.read() == "a\nx\n\n"
    assert (tmp_path / "pipe").is_fifo()


def test_an_open_file_stays_open():
    file = io.StringIO()
    TABLE.to_csv(file)
    assert not file.closed

"""``peneira serve`` and ``peneira mcp`` as commands: how they start, what they print, how they end."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from command import peneira

# Work until the server answers, against importing its libraries alone; measured 1.7
MAX_START_WORK = 2.5


def started(folder: Path, *words: str, env: dict[str, str] | None = None) -> tuple[subprocess.Popen[str], str]:
    """Start a server; return it and the line that it printed."""
    command = [sys.executable, "-m", "peneira", "serve", "--no-open", "--port", "0", "--library", str(folder), *words]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})
    assert server.stderr is not None
    return server, server.stderr.readline()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_one_line_with_the_address_and_a_clean_end(tmp_path: Path, ending: signal.Signals):
    server, line = started(tmp_path)
    address = re.fullmatch(r"peneira studio: (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends it\)\n", line)
    assert address is not None, line
    with urlopen(address[1], timeout=60) as answer:
        assert answer.status == 200
    server.send_signal(ending)
    _, rest = server.communicate(timeout=60)
    assert rest == ""
    assert server.returncode in (0, 128 + ending, -ending)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of the processes that ``work`` starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_it_starts_with_little_work(tmp_path: Path):
    def start() -> None:
        server, line = started(tmp_path)
        with urlopen(line.split()[2], timeout=60) as answer:
            answer.read()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)

    def import_libraries() -> None:
        subprocess.run([sys.executable, "-c", "import fastapi, uvicorn, jinja2, numpy"], check=True)

    rounds = [(cpu_seconds(start), cpu_seconds(import_libraries)) for _ in range(3)]
    assert min(own for own, _ in rounds) < MAX_START_WORK * min(libraries for _, libraries in rounds)


def test_the_token_comes_from_a_file_or_the_environment_and_is_not_printed(tmp_path: Path):
    token = "a-token-of-enough-characters"
    (tmp_path / "token").write_text(f"{token}\n", encoding="utf-8")
    for words, env in ((["--token-file", str(tmp_path / "token")], {}), ([], {"PENEIRA_TOKEN": token})):
        server, line = started(tmp_path, *words, env=env)
        assert token not in line
        with pytest.raises(OSError, match="401"):
            urlopen(line.split()[2], timeout=60)
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=60)[1] == ""


WRONG = [
    (["--host", "0.0.0.0"], "needs a token"),
    (["--host", "nowhere"], "not an address to listen at"),
    (["--token-file", "missing"], "does not exist"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_what_cannot_be_served_is_said_in_one_line(words: list[str], message: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PENEIRA_TOKEN", raising=False)
    done = peneira("serve", "--no-open", "--port", "0", *words)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_said(tmp_path: Path):
    server, line = started(tmp_path)
    port = line.split()[2].rstrip("/").rpartition(":")[2]
    done = peneira("serve", "--no-open", "--port", port)
    server.terminate()
    server.communicate(timeout=60)
    assert done.returncode == 1
    assert "cannot listen there" in done.stderr and "--port" in done.stderr


@pytest.mark.parametrize("verb", ["serve", "mcp"])
def test_a_missing_extra_prints_the_line_that_installs_it(verb: str, tmp_path: Path):
    hidden = "import sys; sys.modules.update(dict.fromkeys(['fastapi', 'uvicorn', 'mcp', 'pydantic', 'jinja2']));"
    code = f"{hidden} from peneira.cli.main import main; main(['{verb}', '--library', {str(tmp_path)!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert 'pip install "peneira[serve]"' in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_deployment_files_name_options_that_exist():
    root = Path(__file__).resolve().parent.parent / "deploy"
    help_text = peneira("serve", "--help").stdout
    for name in ("Containerfile", "peneira.service"):
        text = (root / name).read_text(encoding="utf-8")
        [command] = [line for line in text.splitlines() if line.startswith(("CMD", "ExecStart"))]
        options = re.findall(r"--[a-z-]+", command)
        assert options and [option for option in options if option not in help_text] == []
    container = (root / "Containerfile").read_text(encoding="utf-8")
    assert "USER peneira" in container and "--token-file" in container

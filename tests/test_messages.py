"""What reaches a terminal or a log: no control characters and no bidi controls of pages, wrappers and file names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import peneira as peneira_package
from command import peneira
from peneira.safe_text import safe_line, safe_lines

ESCAPE = "\x1b]0;renamed\x07\x1b[2J\x9b31m\u202egnp.exe"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LIST = "<ul>" + "".join(f"<li><b>Name {k} {ESCAPE}</b> <i>{k} {ESCAPE}</i></li>" for k in range(4)) + "</ul>"


def test_controls_are_marked_and_bidi_controls_dropped():
    assert safe_lines("a\x1b[1mb\u202ec\n\td") == "a\ufffd[1mbc\n\td"
    assert safe_line("a\nb\r\u2066c\x9b") == "a\ufffdb\ufffdc\ufffd"


def test_letters_of_all_scripts_and_joiners_stay():
    text = "שלום مرحبا می\u200cخواهم 👩\u200d💻 naïve"
    assert safe_line(text) == text


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(f"<title>{ESCAPE}</title><h1>{ESCAPE}</h1>{LIST}<p>{'A long paragraph of text. ' * 20}{ESCAPE}")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["extract", "--explain", "--region", "1"],
        ["extract", "--region", "1", "--format", "csv"],
        ["extract", "--region", "1", "--format", "jsonl"],
        ["extract", "--region", "1", "--format", "md"],
        ["extract", "--region", "1", "--types"],
        ["extract", "--region", "1", "--types", "--format", "json"],
        ["clean"],
        ["segment"],
        ["content", "--min-probability", "0"],
        ["learn"],
        ["learn", "--method", "fivatech", "--schema"],
    ],
    ids=" ".join,
)
def test_nothing_of_a_page_steers_the_terminal(page: Path, command: list[str]):
    done = peneira(*command, page, is_terminal=True)
    assert done.returncode == 0
    assert UNSAFE.findall(re.sub("\x1b\\[[0-9;]*m", "", done.stdout) + done.stderr) == []


def test_data_that_is_piped_keeps_every_character(page: Path):
    done = peneira("extract", "--region", "1", "--format", "jsonl", page)
    assert json.loads(done.stdout.splitlines()[0])["title"] == f"Name 0 {ESCAPE}"


@pytest.mark.parametrize("verb", [["show"], ["export"], ["export", "--as", "css"], ["heal"], ["check"]], ids=" ".join)
def test_nothing_of_a_wrapper_steers_the_terminal(page: Path, tmp_path: Path, verb: list[str]):
    wrapper = tmp_path / "wrapper.json"
    assert peneira("learn", page, "--kind", "list", "-o", wrapper).returncode == 0
    saved = json.loads(wrapper.read_text())
    saved["url"] = f"http://x.example/{ESCAPE}"
    for k, column in enumerate(saved["columns"]):
        column["name"] = f"{ESCAPE}{k}"
        column["caption"] = ESCAPE
    wrapper.write_text(json.dumps(saved))
    sources = [] if verb[0] in ("show", "export") else [page]
    done = peneira(*verb, wrapper, *sources, is_terminal=True)
    assert UNSAFE.findall(re.sub("\x1b\\[[0-9;]*m", "", done.stdout) + done.stderr) == []


def test_the_name_of_a_file_cannot_forge_a_line_of_the_log(tmp_path: Path):
    page = tmp_path / f"a\nnote: all is well{ESCAPE.replace('/', '')}.html"
    page.write_text(LIST)
    done = peneira("extract", page, "-o", tmp_path / f"out{ESCAPE}.csv")
    assert UNSAFE.findall(done.stderr) == []
    assert not any(line.startswith("note: all is well") for line in done.stderr.splitlines())


def test_wrong_usage_that_quotes_a_name_is_safe_too():
    done = peneira("extract", "page.html", "-o", f"out{ESCAPE}")
    assert (done.returncode, UNSAFE.findall(done.stderr)) == (2, [])


def test_only_one_module_of_the_command_writes_to_the_terminal():
    folder = Path(peneira_package.__file__).parent / "cli"
    others = [path for path in sorted(folder.glob("*.py")) if path.name != "messages.py"]
    direct = re.compile(r"click\.s?echo\(|click\.secho\(|(?<![\w.])print\(|sys\.std(out|err)\.write\(")
    assert [path.name for path in others if direct.search(path.read_text())] == []

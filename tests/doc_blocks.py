"""The fenced blocks of a documentation page, and running them in order in one folder.

- ``python``: runs; the blocks of a page share a namespace. With ``>>>`` it is a doctest; otherwise what it prints is
  compared with a ``text`` block that follows directly, if there is one.
- ``console``: each command, after ``$``, runs, and what it prints is compared with the lines below it; a line ``...``
  stands for any lines.
- ``sh``: every line is a command and runs; its output is not compared.
- A command must exit with 0, or with the number that its comment names: ``# exit code 3``.
- ``<!-- not run: REASON -->`` above a block: it is not run.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from command import Stream
from peneira.cli.main import main

WIDTH = "100"
EXAMPLE_HOST = "https://example.com"
_FENCE = re.compile(r"( *)```(.*)")
_MARKER = re.compile(r"<!-- not run(?::(.*))?-->")
_HEREDOC = re.compile(r"<<'?(\w+)'?$")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_EXIT_CODE = re.compile(r"#.*\bexit code (\d+)")
_SHELL_CHARACTERS = frozenset("|&;<>$`")
_LIKE_DOCS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: where it starts, its language and text, and why it is not run (None where it is)."""

    file: Path
    line: int
    language: str
    text: str
    reason: str | None
    output: str | None = None

    @property
    def place(self) -> str:
        return f"{self.file.name}:{self.line}"


@dataclass
class Command:
    """A command, a here-document included, and the output that the page shows for it."""

    text: str
    output: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        named = _EXIT_CODE.search(self.text)
        return int(named[1]) if named else 0


def blocks_of(file: Path) -> list[Block]:
    """Return the fenced blocks of a page in order. A block may be indented, as part of a list."""
    lines = file.read_text(encoding="utf-8").splitlines()
    blocks: list[Block] = []
    above, number, last_end = "", 0, 0
    while number < len(lines):
        fence = _FENCE.fullmatch(lines[number])
        if fence is None:
            above = lines[number].strip() or above
            number += 1
            continue
        end = lines.index(f"{fence[1]}```", number + 1)
        text = "\n".join(line.removeprefix(fence[1]) for line in lines[number + 1 : end])
        marker = _MARKER.fullmatch(above)
        reason = None if marker is None else (marker[1] or "").strip()
        if fence[2] == "text" and blocks and blocks[-1].language == "python" and not "".join(lines[last_end:number]):
            blocks[-1] = replace(blocks[-1], output=text)
        blocks.append(Block(file, number + 1, fence[2], text, reason))
        above, number, last_end = "", end + 1, end + 1
    return blocks


def commands_of(block: Block) -> list[Command]:
    """Return the commands of a block of them."""
    lines = block.text.splitlines()
    has_prompts = block.language == "console"
    commands: list[Command] = []
    end_word: str | None = None
    for line in lines:
        if end_word is not None:
            commands[-1].text += f"\n{line}"
            end_word = None if line == end_word else end_word
            continue
        if commands and _goes_on(commands[-1].text):
            commands[-1].text += f"\n{line}"
        elif has_prompts and not line.startswith("$ "):
            assert commands, f"{block.place}: output before the first command"
            commands[-1].output.append(line)
            continue
        elif line.strip():
            commands.append(Command(line.removeprefix("$ ") if has_prompts else line))
        heredoc = _HEREDOC.search(line)
        end_word = heredoc[1] if heredoc else None
    return commands


def _goes_on(text: str) -> bool:
    """Return whether the next line belongs to the command: a quote is open, or the line ends with a backslash."""
    if "<<" in text:
        return False
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return text.endswith("\\")


class Session:
    """Runs the blocks of one page, one after the other, in one folder."""

    def __init__(self, folder: Path, server: str, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.server = folder, server
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        self._bin = folder.parent / "bin"
        self._bin.mkdir(exist_ok=True)
        for name, target in (("peneira", f"{sys.executable} -m peneira"), ("python", sys.executable)):
            script = self._bin / name
            script.write_text(f'#!/bin/sh\nexec {target} "$@"\n')
            script.chmod(0o755)
        patch.chdir(folder)
        patch.setenv("COLUMNS", WIDTH)
        patch.setenv("PATH", f"{self._bin}{os.pathsep}{os.environ['PATH']}")

    def run(self, block: Block) -> None:
        """Run a block; fail where it fails, or prints something else than the page shows."""
        if block.language in ("console", "sh"):
            for command in commands_of(block):
                self._run_command(block, command)
        elif ">>> " in block.text:
            self._run_doctest(block)
        else:
            self._run_python(block)

    def _run_python(self, block: Block) -> None:
        code = compile("\n" * block.line + self._local(block.text), str(block.file), "exec")
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(code, self.namespace)
        if block.output is not None:
            _compare(block.place, self._public(printed.getvalue()).splitlines(), block.output.splitlines())

    def _run_doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            self._local(block.text) + "\n", self.namespace, block.place, str(block.file), block.line
        )
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=_LIKE_DOCS)
        runner.run(test, out=report.write, clear_globs=False)
        self.namespace.update(test.globs)
        assert runner.failures == 0, report.getvalue()

    def _run_command(self, block: Block, command: Command) -> None:
        text = self._local(command.text)
        words = [] if "\n" in text.replace("\\\n", "") else shlex.split(text, comments=True)
        is_plain = words[:1] == ["peneira"] and not _SHELL_CHARACTERS & set("".join(words))
        code, printed = _in_process(words[1:]) if is_plain else self._in_bash(text)
        printed = self._public(_ANSI.sub("", printed))
        assert code == command.exit_code, f"{block.place}: {command.text}\nexit code {code}\n{printed}"
        if command.output:
            _compare(f"{block.place}: {command.text}", printed.splitlines(), command.output)

    def _in_bash(self, text: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        )
        return done.returncode, done.stdout

    def _local(self, text: str) -> str:
        return text.replace(EXAMPLE_HOST, self.server)

    def _public(self, text: str) -> str:
        return text.replace(self.server, EXAMPLE_HOST)


def _in_process(words: list[str]) -> tuple[int, str]:
    """Return the exit code of the command, and all it prints, as on a terminal."""
    terminal = Stream(is_terminal=True)
    code = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", terminal)
        patch.setattr(sys, "stderr", terminal)
        try:
            main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return code, terminal.written().decode()


def _compare(place: str, printed: list[str], expected: list[str]) -> None:
    """Compare the lines, without white space at their ends; a line ``...`` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + "\n" for line in expected)
    text = "".join(f"{line.rstrip()}\n" for line in printed)
    assert re.fullmatch(pattern.rstrip("\n"), text.rstrip("\n")) or re.fullmatch(pattern, text), f"{place}\n{text}"

"""The command line in process: the same function that the installed command calls, with streams of its own."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from peneira.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a run of the command left: its exit code and what it wrote."""

    returncode: int
    raw_stdout: bytes
    raw_stderr: bytes

    @property
    def stdout(self) -> str:
        return self.raw_stdout.decode()

    @property
    def stderr(self) -> str:
        return self.raw_stderr.decode()


class Stream(io.TextIOWrapper):
    """A text stream over bytes in memory, a terminal if asked for."""

    def __init__(self, data: bytes = b"", *, encoding: str = "utf-8", is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data), encoding=encoding, newline="")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def written(self) -> bytes:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


def peneira(*args: str | Path, stdin: bytes = b"", encoding: str = "utf-8", is_terminal: bool = False) -> Done:
    """Run the command with these arguments and return what came of it."""
    out, error = Stream(encoding=encoding, is_terminal=is_terminal), Stream()
    code = 0
    with _streams(Stream(stdin), out, error):
        try:
            main([str(arg) for arg in args])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Done(code, out.written(), error.written())


@contextlib.contextmanager
def _streams(stdin: Stream, stdout: Stream, stderr: Stream) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        yield

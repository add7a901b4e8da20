"""Files to which finished work is added line by line, so that no end of the program loses what is in them.

A line that was being written when the program or the machine ended is not whole: when the file is opened again, it is
removed with all that is behind it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from peneira.batch.cell_form import JsonObject
from peneira.batch.tasks import PageOutcome
from peneira.errors import OutputError


class LineFile:
    """A file of JSON objects, one per line, which only grows; in a ``with`` block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> LineFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the whole lines with where each starts; the rest of a line that is not whole is removed."""
        if not self.path.exists():
            return
        start = 0
        with self.path.open("r+b") as file:
            for line in file:
                if not line.endswith(b"}\n") or not line.startswith(b"{") or b"\0" in line:
                    file.truncate(start)
                    return
                yield start, line
                start += len(line)

    def append(self, line: bytes, *, is_synchronised: bool = False) -> None:
        """Add a line without its end. ``is_synchronised``: it is on the disk when this returns."""
        try:
            if self._file is None:
                self._file = self.path.open("ab", buffering=0)
            written = self._file.write(line + b"\n")
            if written != len(line) + 1:  # a disk that is nearly full takes a part
                raise OSError(28, os.strerror(28))
            if is_synchronised:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(self.path, f"cannot be written: {error.strerror or error}") from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        """Close and remove the file."""
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


def outcome_line(number: int, outcome: PageOutcome) -> bytes:
    """Return the outcome of a page as a line of a journal."""
    document = {"n": number, "page": outcome.page, "rows": outcome.rows, "columns": outcome.columns}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def line_outcome(line: bytes) -> PageOutcome:
    """Return the outcome of a line."""
    document = json.loads(line)
    return PageOutcome(document["page"], document["rows"], document["columns"])


def line_page(line: bytes) -> tuple[int, JsonObject]:
    """Return the number of the page of a line, and its row of the table ``pages``."""
    document = json.loads(line)
    return document["n"], document["page"]


def ordered_outcomes(path: Path, first: int, count: int) -> Iterator[PageOutcome]:
    """Yield the outcomes of a journal in the order of the pages; only one of them is in memory at a time."""
    starts: dict[int, int] = {}
    for start, line in LineFile(path).lines():
        starts[json.loads(line)["n"]] = start
    with path.open("rb") as file:
        for number in range(first, first + count):
            file.seek(starts[number])
            yield line_outcome(file.readline())

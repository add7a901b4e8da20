"""The folder of a run: its tables, and below ``.peneira`` what it takes to go on where it stopped.

``run.json`` says what the run does; ``chunks.jsonl`` which parts of it are written; ``journal/`` has the outcomes of
the pages of parts that are not. A folder belongs to one run: anything else in it, or other options, are refused.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TextIO

from peneira.batch.cell_form import JsonObject
from peneira.batch.journal import LineFile
from peneira.errors import OutputError
from peneira.files import TEMPORARY, text_file

STATE = ".peneira"
_FORMAT, _VERSION = "peneira batch run", 1


@dataclass(frozen=True, slots=True)
class WrittenChunk:
    """A part of the run that is written: how many pages of each status, and the sum of their names."""

    number: int
    pages: int
    digest: str
    statuses: dict[str, int]
    rows: int


class RunFolder:
    """The folder of one run, locked as long as the ``with`` block lasts."""

    def __init__(self, path: Path, description: JsonObject) -> None:
        self.path, self.description = path, description
        self.state = path / STATE
        self.written: dict[int, WrittenChunk] = {}
        self._chunks = LineFile(self.state / "chunks.jsonl")
        self._lock: TextIO | None = None

    def __enter__(self) -> RunFolder:
        try:
            self._check()
            self.path.mkdir(parents=True, exist_ok=True)
            (self.state / "journal").mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._remove_temporaries()
        except OSError as error:
            raise OutputError(self.path, f"cannot be written: {error.strerror or error}") from error
        manifest = self.state / "run.json"
        if not manifest.exists():
            with text_file(manifest) as file:
                json.dump({"format": _FORMAT, "version": _VERSION, **self.description}, file, indent=2)
                file.write("\n")
        for _, line in self._chunks.lines():
            chunk = WrittenChunk(**json.loads(line))
            self.written[chunk.number] = chunk
            self.journal(chunk.number).remove()  # a run that was killed may have left it
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._chunks.close()
        with contextlib.suppress(OSError):
            self._remove_temporaries()
        if self._lock is not None:
            self._lock.close()

    def journal(self, number: int) -> LineFile:
        """Return the journal of a part of the run."""
        return LineFile(self.state / "journal" / f"{number:06}.jsonl")

    def note_written(self, chunk: WrittenChunk) -> None:
        """Note that a part of the run is written; its journal is not needed any more."""
        fields = ("number", "pages", "digest", "statuses", "rows")
        line = json.dumps({name: getattr(chunk, name) for name in fields})
        self._chunks.append(line.encode(), is_synchronised=True)
        self.written[chunk.number] = chunk
        self.journal(chunk.number).remove()

    def _check(self) -> None:
        """Raise ``OutputError`` for a folder with something else in it."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise OutputError(self.path, "is a file; name a folder, which will be made")
        manifest = self.state / "run.json"
        if not manifest.exists():
            others = sorted(entry.name for entry in self.path.iterdir() if entry.name != STATE)
            if others:
                raise OutputError(self.path, f"has {others[0]!r} in it, which is of no run; name a new folder")
            return
        try:
            found = json.loads(manifest.read_text(encoding="utf-8"))
        except ValueError as error:
            raise OutputError(manifest, "is damaged; name a new folder") from error
        if not isinstance(found, dict) or (found.pop("format", None), found.pop("version", None)) != (
            _FORMAT,
            _VERSION,
        ):
            raise OutputError(manifest, "is of another version of peneira; name a new folder")
        for name, value in self.description.items():
            if found.get(name) != value:
                raise OutputError(
                    self.path,
                    f"is of another run: its {name} is {_shown(found.get(name))}, not {_shown(value)}; "
                    "name a new folder, or give the same inputs and options to go on",
                )

    def _remove_temporaries(self) -> None:
        """Remove what a process that was killed while it wrote has left."""
        for path in self.path.rglob(TEMPORARY):
            path.unlink(missing_ok=True)

    def _take_lock(self) -> None:
        lock = (self.state / "lock").open("w")
        with contextlib.suppress(ImportError):  # Windows has no such locks
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                raise OutputError(self.path, "another run is writing there now") from None
        self._lock = lock


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:120]}…"

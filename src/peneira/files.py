"""Files written whole or not at all: into a temporary file next to the target, which then replaces it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO, TypeAlias

from peneira.errors import OutputError

FilePath: TypeAlias = str | os.PathLike[str]


@contextlib.contextmanager
def text_file(file: FilePath | TextIO) -> Iterator[TextIO]:
    """Give a file open for text. A path is written as UTF-8, newlines unchanged; an open file stays open."""
    if isinstance(file, str | os.PathLike):
        with replacing(file) as temporary, temporary.open("w", encoding="utf-8", newline="") as opened:
            yield opened
    else:
        yield file


@contextlib.contextmanager
def binary_file(file: FilePath | BinaryIO) -> Iterator[BinaryIO]:
    """Give a file open for bytes. An open file stays open."""
    if isinstance(file, str | os.PathLike):
        with replacing(file) as temporary, temporary.open("wb") as opened:
            yield opened
    else:
        yield file


@contextlib.contextmanager
def replacing(path: FilePath) -> Iterator[Path]:
    """Give the path of an empty file next to the target, which replaces the target at the end unless something fails.

    A device or a pipe cannot be replaced: its own path is given. Raises ``OutputError`` where nothing can be written.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            yield target
            return
        target = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
        temporary = target.with_name(f".peneira-{os.urandom(8).hex()}.tmp")
        try:
            temporary.touch(exist_ok=False)
            yield temporary
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(path, f"cannot be written: {error.strerror or error}") from error

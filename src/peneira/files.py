"""Files written whole or not at all: into a temporary file next to the target, which then replaces it.

The temporary file is for its owner only (0600) until it is complete, and is on the disk before it takes the name of the
target. Whatever ends the writing removes it; the command turns the signals that end it into such an end.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PosixPath, WindowsPath
from typing import BinaryIO, TextIO, TypeAlias

from peneira.errors import OutputError

FilePath: TypeAlias = str | os.PathLike[str]
# How temporary files are called; a process that is killed may leave one
TEMPORARY = ".peneira-*.tmp"
_OWNER_ONLY = 0o600
_MODE = 0o666


class OwnPath(WindowsPath if os.name == "nt" else PosixPath):  # type: ignore[misc]
    """The path of a file that peneira named, not the user: a link under that name is replaced, never followed."""


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
        if not isinstance(path, OwnPath):
            if target.exists() and not target.is_file():
                yield target
                return
            target = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
        temporary = target.with_name(TEMPORARY.replace("*", os.urandom(8).hex()))
        try:
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
            yield temporary
            temporary.chmod(_mode_for(target))
            _sync(temporary, os.O_RDWR)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # a folder cannot be synchronised everywhere
            _sync(target.parent, os.O_RDONLY)
    except OSError as error:
        raise OutputError(path, f"cannot be written: {error.strerror or error}") from error


def _mode_for(target: Path) -> int:
    """Return the mode of the file that is replaced; that of any new file where there is none, or only a link."""
    with contextlib.suppress(FileNotFoundError):
        status = target.lstat()
        if stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode)
    mask = os.umask(0o077)  # there is no other way to read it; for an instant it is strict, not lax
    os.umask(mask)
    return _MODE & ~mask


def _sync(path: Path, access: int) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, access)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

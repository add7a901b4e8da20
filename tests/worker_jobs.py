"""Jobs for tests of worker processes: what a page at its worst does to the process that reads it."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Iterator, Mapping
from typing import Any

from peneira.errors import InputError


def square(number: int) -> int:
    return number * number


def length(data: bytes) -> int:
    return len(data)


def take_and_free(count: int) -> int:
    """Take so many bytes in pieces of the size of texts, so that the C library keeps them when they are free."""
    held = [bytes([k % 256]) * 60_000 for k in range(count // 60_000)]
    _kept.append(b"y" * 60_001)  # the C library gives back the end of its memory alone, and this is behind it
    return 60_000 * len(held)


_kept: list[bytes] = []


def loop_for_ever() -> None:
    while True:
        pass


def take_all_memory() -> int:
    held = []
    while True:
        held.append(bytearray(50_000_000))


def kill_own_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise InputError("no such page")


def crash() -> None:
    raise RuntimeError("a bug")


def process_id(size: int = 0) -> int:
    kept.append(bytearray(os.urandom(size)))
    return os.getpid()


kept: list[bytearray] = []


# Units of long runs: blanks of all kinds, digits, letters, signs
_RUNS = (" ", "\u00a0", "\t\n", "a", "1", "1,", "1 ", "-", "=", "/", ".", "<", '"', "\\", "a-", "a ", "&")
_RUN_CHARS = 30_000


def search_in_long_runs(module: str, name: str) -> int:
    """Search with a pattern, or with all of several, in long texts of one unit, and return how often it was found."""
    texts = [before + (unit * _RUN_CHARS)[:_RUN_CHARS] + "\x00" for unit in _RUNS for before in ("", "x")]
    found = 0
    for pattern in _patterns(getattr(importlib.import_module(module), name)):
        is_bytes = isinstance(pattern.pattern, bytes)
        found += sum(1 for text in texts for _ in pattern.finditer(text.encode() if is_bytes else text))
    return found


def _patterns(value: Any) -> Iterator[Any]:
    """Yield a pattern, or those of a collection."""
    if hasattr(value, "pattern"):
        yield value
    elif isinstance(value, Mapping):
        yield from (pattern for entry in value.values() for pattern in _patterns(entry))
    elif isinstance(value, (tuple, list)):
        yield from (pattern for entry in value for pattern in _patterns(entry))

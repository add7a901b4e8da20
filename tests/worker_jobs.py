"""Jobs for tests of worker processes: what a page at its worst does to the process that reads it."""

from __future__ import annotations

import os
import signal

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

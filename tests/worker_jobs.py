"""Jobs for tests of worker processes: what a page at its worst does to the process that reads it."""

from __future__ import annotations

import os
import signal

from peneira.errors import InputError


def square(number: int) -> int:
    return number * number


def length(data: bytes) -> int:
    return len(data)


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

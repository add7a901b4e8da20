"""Work spread over processes, results in the order of the work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

from peneira.errors import PeneiraError

Item = TypeVar("Item")
Result = TypeVar("Result")

# What numerical libraries read when they are loaded, to know how many threads to start
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def each(function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, chunk: int = 4) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order: in this process for one job, else in processes of their own."""
    return map(function, items) if jobs == 1 else in_processes(function, items, jobs=jobs, chunk=chunk)


def in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, chunk: int = 4
) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order, computed by ``jobs`` fresh processes of one thread each.

    The function and the items must be picklable. Closing the iterator (or Ctrl-C) cancels the work that has not begun.
    """
    with _single_threaded():
        executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
        try:
            yield from executor.map(function, items, chunksize=chunk)
        except BrokenProcessPool as error:
            raise PeneiraError("a worker process died; run with --jobs 1 to see on which page") from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Set the thread variables to 1 for processes started meanwhile; a library reads them only when it is loaded."""
    before = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

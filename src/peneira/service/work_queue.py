"""Work on pages, a few at once: what waits is bounded, and what nobody waits for any more is dropped.

Work that a stranger's page may make long runs in a process that can be killed (``run_apart``): it ends when its time is
over or its caller leaves. What needs objects of this process runs in a thread (``run``), within the limits of a page.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, local
from typing import TypeVar, cast

from peneira.errors import InputError, PeneiraError
from peneira.worker import Failure, WorkerLimits, WorkerPool

Result = TypeVar("Result")


class ServiceBusy(PeneiraError):
    """Too many requests wait already."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} requests are waiting already; try again in a few seconds")


class WorkStopped(PeneiraError):
    """The work on a page took too much time or memory, and was stopped."""


class WorkCrashed(PeneiraError):
    """The work on a page failed for a defect of ours."""


class _Ticket:
    """The process that works for a caller, so that it can be killed when the caller leaves."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pid: int | None = None
        self._is_dropped = False

    def begin(self, pid: int) -> None:
        with self._lock:
            self._pid = pid
            if self._is_dropped:
                _kill(pid)

    def end(self) -> None:
        with self._lock:
            self._pid = None

    def drop(self) -> None:
        with self._lock:
            self._is_dropped = True
            if self._pid is not None:
                _kill(self._pid)


class WorkQueue:
    """Runs at most ``workers`` functions at once. A caller that is cancelled frees its place."""

    def __init__(self, workers: int, max_waiting: int, limits: WorkerLimits) -> None:
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="peneira-work")
        self._workers, self._max_waiting, self._limits = workers, max_waiting, limits
        self._own = local()
        self._pools: list[WorkerPool[int]] = []
        self._pending = 0

    @property
    def pending(self) -> int:
        """How many functions run or wait."""
        return self._pending

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return the result of a function that runs in a thread; raises ``ServiceBusy`` if too many wait."""
        if self._pending >= self._workers + self._max_waiting:
            raise ServiceBusy(self._pending - self._workers)
        loop = asyncio.get_running_loop()
        self._pending += 1
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._done(loop))
        return await asyncio.wrap_future(future)

    async def run_apart(self, function: Callable[..., Result], *args: object) -> Result:
        """Return the result of a function in a process of its own; it is killed if the caller is cancelled.

        Function and arguments are pickled. Raises ``WorkStopped`` where it takes more than the limits allow.
        """
        ticket = _Ticket()
        try:
            return await self.run(lambda: self._apart(ticket, function, args))
        except asyncio.CancelledError:
            ticket.drop()
            raise

    def close(self) -> None:
        """Drop what waits, kill the processes, and wait for the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            for pid in pool.process_ids:
                _kill(pid)
        self._threads.shutdown(wait=True)
        for pool in self._pools:
            pool.__exit__(None, None, None)

    def _apart(self, ticket: _Ticket, function: Callable[..., Result], args: tuple[object, ...]) -> Result:
        pool = self._pool()
        pool.submit(1, function, *args)
        ticket.begin(pool.process_ids[0])
        try:
            result = pool.wait()[0].result
        finally:
            ticket.end()
        if isinstance(result, Failure):
            raise _error(result)
        return cast("Result", result)

    def _pool(self) -> WorkerPool[int]:
        """Return the process of this thread."""
        if not hasattr(self._own, "pool"):
            self._own.pool = WorkerPool[int](1, self._limits)
            self._pools.append(self._own.pool)
        pool: WorkerPool[int] = self._own.pool
        return pool

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        # a worker ends in its own thread, a place in the queue that is given up in the thread of the loop
        with suppress(RuntimeError):  # the loop is closed: nobody counts any more
            loop.call_soon_threadsafe(self._free)

    def _free(self) -> None:
        self._pending -= 1


def _error(failure: Failure) -> PeneiraError:
    if failure.kind == "error":
        return InputError(failure.message)
    if failure.kind == "crash":
        return WorkCrashed("the work on this page failed; this is a defect of peneira: please report the page")
    return WorkStopped(f"the work on this page was stopped: {failure.message}")


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)

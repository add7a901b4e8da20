"""Work on pages in a few threads: what waits is bounded, and what nobody waits for any more is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from peneira.errors import PeneiraError

Result = TypeVar("Result")


class ServiceBusy(PeneiraError):
    """Too many requests wait already."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} requests are waiting already; try again in a few seconds")


class WorkQueue:
    """Runs at most ``workers`` functions at once. A caller that is cancelled while it waits frees its place."""

    def __init__(self, workers: int, max_waiting: int) -> None:
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="peneira-work")
        self._workers, self._max_waiting = workers, max_waiting
        self._pending = 0

    @property
    def pending(self) -> int:
        """How many functions run or wait."""
        return self._pending

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return the result of a function that works in a thread; raises ``ServiceBusy`` if too many wait."""
        if self._pending >= self._workers + self._max_waiting:
            raise ServiceBusy(self._pending - self._workers)
        self._pending += 1
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._done(loop))
        loop = asyncio.get_running_loop()
        return await asyncio.wrap_future(future)

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        # a worker ends in its own thread, a place in the queue that is given up in the thread of the loop
        loop.call_soon_threadsafe(self._free)

    def _free(self) -> None:
        self._pending -= 1

    def close(self) -> None:
        """Drop what waits. What runs ends in its own time, within the limits of a page."""
        self._threads.shutdown(wait=False, cancel_futures=True)

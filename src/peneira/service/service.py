"""One running service: its settings, its reader of pages, its queues of work and its wrapper library."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from peneira.errors import InputError
from peneira.service.library import Library
from peneira.service.reading import PageInput, ServiceReader
from peneira.service.settings import MEBIBYTE, ServiceSettings
from peneira.service.verbs import PageToRead
from peneira.service.work_queue import WorkQueue

if TYPE_CHECKING:
    from peneira.extraction import Reading

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Service:
    """What every request needs. Close it, or use it in a ``with`` block.

    Pages are fetched and rendered in ``fetches``, so that a server that does not answer holds up nobody's work.
    """

    settings: ServiceSettings
    reader: ServiceReader
    queue: WorkQueue
    fetches: WorkQueue
    library: Library

    @classmethod
    def of(cls, settings: ServiceSettings) -> Service:
        """Return a service with these settings; its browser is started when a page is to be rendered."""
        queue = WorkQueue(settings.workers, settings.max_waiting, settings.worker_limits)
        fetches = WorkQueue(settings.fetchers, settings.max_waiting, settings.worker_limits)
        return cls(settings, ServiceReader(settings), queue, fetches, Library(settings.library))

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def on_page(self, verb: Callable[..., Result], page: PageInput, *options: object) -> Result:
        """Return what a verb makes of a page: the page is fetched or rendered here, the work is done apart."""
        given = await self.to_read(page)
        return await self.queue.run_apart(verb, given, self.settings.limits, *options)

    async def on_pages(self, verb: Callable[..., Result], pages: Sequence[PageInput], *options: object) -> Result:
        """Return what a verb makes of several pages together; they are fetched at the same time."""
        size = 0

        async def bounded(page: PageInput) -> PageToRead:
            nonlocal size
            given = await self.to_read(page)
            size += given.size
            if size > self.settings.max_together_bytes:
                most = self.settings.max_together_bytes // MEBIBYTE
                raise InputError(f"the pages together have more than {most} MB; send fewer of them")
            return given

        given = await together([bounded(page) for page in pages])
        return await self.queue.run_apart(verb, given, self.settings.limits, *options)

    async def to_read(self, page: PageInput) -> PageToRead:
        """Return a page for a worker; only one that is fetched or rendered takes a place in the queue for it."""
        if page.html is not None and page.render == "never":
            return self.reader.to_read(page)
        return await self.fetches.run(lambda: self.reader.to_read(page))

    async def read_pages(self, pages: Sequence[PageInput], *, screenshots: bool = False) -> list[Reading]:
        """Return pages, parsed, with pictures of those that are rendered; they are fetched at the same time."""

        async def read(page: PageInput) -> Reading:
            is_sent = page.html is not None and page.render == "never"
            picture = screenshots and page.render != "never"
            return await (self.queue if is_sent else self.fetches).run(
                lambda: self.reader.read(page, screenshot=picture)
            )

        return await together([read(page) for page in pages])

    def close(self) -> None:
        """Drop waiting work and end the browser."""
        self.queue.close()
        self.fetches.close()
        self.reader.close()


async def together(works: Sequence[Awaitable[Result]]) -> list[Result]:
    """Return the results of works that run at the same time; where one fails, the others are given up."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        return [await task for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

"""One running service: its settings, its reader of pages, its queue of work and its wrapper library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

from peneira.service.library import Library
from peneira.service.reading import PageInput, ServiceReader
from peneira.service.settings import ServiceSettings
from peneira.service.verbs import PageToRead
from peneira.service.work_queue import WorkQueue

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Service:
    """What every request needs. Close it, or use it in a ``with`` block."""

    settings: ServiceSettings
    reader: ServiceReader
    queue: WorkQueue
    library: Library

    @classmethod
    def of(cls, settings: ServiceSettings) -> Service:
        """Return a service with these settings; its browser is started when a page is to be rendered."""
        queue = WorkQueue(settings.workers, settings.max_waiting, settings.worker_limits)
        return cls(settings, ServiceReader(settings), queue, Library(settings.library))

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
        """Return what a verb makes of several pages together."""
        given = [await self.to_read(page) for page in pages]
        return await self.queue.run_apart(verb, given, self.settings.limits, *options)

    async def to_read(self, page: PageInput) -> PageToRead:
        """Return a page for a worker; only one that is fetched or rendered takes a place in the queue for it."""
        if page.html is not None and page.render == "never":
            return self.reader.to_read(page)
        return await self.queue.run(lambda: self.reader.to_read(page))

    def close(self) -> None:
        """Drop waiting work and end the browser."""
        self.queue.close()
        self.reader.close()

"""One running service: its settings, its reader of pages, its queue of work and its wrapper library."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from peneira.service.library import Library
from peneira.service.reading import ServiceReader
from peneira.service.settings import ServiceSettings
from peneira.service.work_queue import WorkQueue


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
        queue = WorkQueue(settings.workers, settings.max_waiting)
        return cls(settings, ServiceReader(settings), queue, Library(settings.library))

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop waiting work and end the browser."""
        self.queue.close()
        self.reader.close()

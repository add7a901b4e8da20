"""Long work: many pages, one after the other, with progress; the caller comes back for the results."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from peneira.errors import InputError, PeneiraError
from peneira.output.documents import Document
from peneira.service.work_queue import ServiceBusy, WorkCrashed

JobState = Literal["running", "done", "cancelled"]
MAX_JOBS = 50
# Results of one job that are kept in memory; what goes beyond ends the job
MAX_RESULT_BYTES = 64 * 1024 * 1024
# Results of all jobs; those of the jobs that ended longest ago give way
MAX_KEPT_BYTES = 256 * 1024 * 1024
_BUSY_WAIT_S = 0.5


class UnknownJob(InputError):
    """There is no job of that name."""


@dataclass(slots=True)
class Job:
    """One piece of long work: how far it is, and a line of JSON for every page that is done."""

    id: str
    verb: str
    total: int
    state: JobState = "running"
    failed: int = 0
    size: int = 0
    lines: list[str] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    progress: asyncio.Condition = field(default_factory=asyncio.Condition)

    def to_dict(self) -> Document:
        """Return how far the job is."""
        return {
            "id": self.id,
            "verb": self.verb,
            "state": self.state,
            "pages": self.total,
            "done": len(self.lines),
            "failed": self.failed,
        }

    async def results(self) -> AsyncIterator[str]:
        """Yield the lines that are there, then each one when its page is done, until the job has ended."""
        sent = 0
        while True:
            async with self.progress:
                await self.progress.wait_for(lambda: len(self.lines) > sent or self.state != "running")  # noqa: B023
            if sent == len(self.lines):
                return
            yield self.lines[sent] + "\n"
            sent += 1


class Jobs:
    """The jobs of a server; the oldest that have ended give way to new ones."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def start(self, verb: str, works: Sequence[Callable[[], Awaitable[Document]]], names: Sequence[str]) -> Job:
        """Start a job of one function per page."""
        for ended in [job.id for job in self._jobs.values() if job.state != "running"]:
            if len(self._jobs) >= MAX_JOBS:
                del self._jobs[ended]
        if len(self._jobs) >= MAX_JOBS:
            raise ServiceBusy(len(self._jobs))
        job = Job(secrets.token_urlsafe(12), verb, len(works))
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, works, names))
        return job

    def get(self, job_id: str) -> Job:
        """Return a job; raises ``UnknownJob``."""
        if job_id not in self._jobs:
            raise UnknownJob("there is no such job; it may have ended long ago")
        return self._jobs[job_id]

    async def cancel(self, job_id: str) -> Job:
        """End a job; pages that are done stay readable."""
        job = self.get(job_id)
        if job.task is not None:
            job.task.cancel()
        await self._ended(job, "cancelled" if job.state == "running" else job.state)
        return job

    def close(self) -> None:
        """End all jobs."""
        for job in self._jobs.values():
            if job.task is not None:
                job.task.cancel()

    async def _run(self, job: Job, works: Sequence[Callable[[], Awaitable[Document]]], names: Sequence[str]) -> None:
        state: JobState = "cancelled"
        try:
            for work, name in zip(works, names, strict=True):
                document = await self._outcome(work, name)
                job.failed += "error" in document
                line = json.dumps(document, ensure_ascii=False)
                job.size += len(line)
                self._make_room()
                if job.size > MAX_RESULT_BYTES or self._kept_bytes() > MAX_KEPT_BYTES:
                    return
                async with job.progress:
                    job.lines.append(line)
                    job.progress.notify_all()
            state = "done"
        finally:
            await self._ended(job, state)

    def _kept_bytes(self) -> int:
        return sum(job.size for job in self._jobs.values())

    def _make_room(self) -> None:
        """Drop the jobs that ended longest ago, while the results of all are too large."""
        for ended in [job.id for job in self._jobs.values() if job.state != "running"]:
            if self._kept_bytes() <= MAX_KEPT_BYTES:
                return
            del self._jobs[ended]

    async def _outcome(self, work: Callable[[], Awaitable[Document]], name: str) -> Document:
        while True:
            try:
                return await work()
            except ServiceBusy:
                await asyncio.sleep(_BUSY_WAIT_S)
            except PeneiraError as error:
                return failed_page(name, error)
            except Exception:  # a defect of ours at one page ends neither the job nor its other pages
                return failed_page(name, WorkCrashed("the work on this page failed for a defect of peneira"))

    async def _ended(self, job: Job, state: JobState) -> None:
        async with job.progress:
            job.state = state
            job.progress.notify_all()


def failed_page(name: str, error: PeneiraError) -> Document:
    """Return the line for a page that could not be read."""
    return {"source": name, "error": {"code": error_code(error), "message": str(error)}}


def error_code(error: PeneiraError) -> str:
    """Return the code of an error: the name of its class in words."""
    name = type(error).__name__
    return "".join(f"-{char.lower()}" if char.isupper() and k else char.lower() for k, char in enumerate(name))

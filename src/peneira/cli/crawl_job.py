"""The folder where a crawl keeps its pages until it is done, so that an interrupted one goes on."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from peneira.cli.messages import say
from peneira.errors import OutputError

_LOCK, _FINISHED = "lock", "finished"


@dataclass(frozen=True, slots=True)
class Job:
    """The folder of a crawl. One that the user named stays when the crawl is done."""

    folder: Path
    is_named: bool = False

    def began(self) -> datetime | None:
        """Return when the crawl in the folder began, None where there is none."""
        from peneira.scrapy.job_pages import FILE_NAME, open_job

        if not (self.folder / FILE_NAME).exists():
            return None
        with open_job(self.folder) as pages:
            since = pages.first_fetched_at()
        return None if since is None else datetime.fromtimestamp(since).astimezone()

    def is_older(self, max_age: timedelta) -> bool:
        """Return whether the crawl in the folder began longer ago."""
        since = self.began()
        return since is not None and datetime.now().astimezone() - since > max_age

    def note_finished(self) -> None:
        """Note that all pages are there, whatever becomes of them."""
        (self.folder / _FINISHED).touch()

    def is_finished(self) -> bool:
        """Return whether the crawl in the folder lacks no page."""
        return (self.folder / _FINISHED).exists()

    def forget(self) -> None:
        """Remove the pages: the same crawl fetches them again."""
        from peneira.scrapy.job_pages import FILE_NAME

        for path in (self.folder / _FINISHED, *self.folder.glob(f"{FILE_NAME}*")):
            path.unlink(missing_ok=True)


@contextmanager
def job_folder(named: Path | None, target: Path | None) -> Iterator[Job]:
    """Give the folder of the job: the named one, that beside the file to be written, or a temporary one.

    It is locked meanwhile, and removed at the end if there are no pages in it.
    """
    if named is None and target is None:
        with tempfile.TemporaryDirectory(prefix="peneira-crawl-") as folder:
            yield Job(Path(folder))
        return
    job = Job(named or target or Path(), is_named=named is not None)
    with _locked(job.folder):
        try:
            yield job
        finally:
            if not job.is_named and job.began() is None:
                shutil.rmtree(job.folder, ignore_errors=True)


def crawl_folder(target: Path, urls: Sequence[str] = ()) -> Path:
    """Return the folder beside a file; with addresses, one for the crawl of these alone."""
    folder = target.with_name(f"{target.name}.crawl")
    if not urls:
        return folder
    return folder / hashlib.sha256("\n".join(urls).encode()).hexdigest()[:12]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("w")
    except OSError as error:
        raise OutputError(folder, f"cannot hold the pages of a crawl: {error.strerror or error}") from error
    with lock:
        with contextlib.suppress(ImportError):  # Windows has no such locks
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OutputError(folder, "another crawl is using this folder now; wait for it to end") from None
        yield


def say_kept(job: Job, why: str) -> None:
    """Say that the pages are kept for the next run, and how to start afresh."""
    say(
        f"{why}; the pages are kept in {job.folder}: the same command again goes on from here, "
        "with --fresh it starts anew"
    )

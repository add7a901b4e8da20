"""Wrappers for the sites of a run that have none, learned before its pages are read, from the first ones of each site.

That a run is the same however it was stopped needs this: the wrapper of a site must not depend on which worker was
faster.
"""

from __future__ import annotations

from pathlib import Path

from peneira.batch.inputs import PageInputs
from peneira.batch.page_input import PageInput
from peneira.batch.run_folder import RunFolder
from peneira.batch.site_wrappers import learn_wrapper, site_of
from peneira.batch.tasks import TaskOptions
from peneira.errors import OutputError
from peneira.files import text_file
from peneira.worker import Done, Failure, WorkerLimits, WorkerPool

# Pages that a wrapper is learned from
LEARNING_PAGES = 5
_DONE = "learned"


def learn_missing(
    inputs: PageInputs, task: TaskOptions, jobs: int, limits: WorkerLimits, folder: RunFolder
) -> dict[str, str]:
    """Learn wrappers of sites that have none, unless this run did so before; return why some still have none."""
    note = folder.state / _DONE
    if note.exists():
        lines = note.read_text(encoding="utf-8").splitlines()
        return {site: why for site, _, why in (line.partition("\t") for line in lines)}
    try:
        Path(task.wrappers.path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(task.wrappers.path, f"cannot be written: {error.strerror or error}") from error
    with WorkerPool[int | str](jobs, limits) as pool:
        pages = _first_pages(inputs, task, pool)
        failures = _learned(pages, task, pool)
    with text_file(note) as file:
        file.writelines(f"{site}\t{' '.join(why.split())}\n" for site, why in sorted(failures.items()))
    return failures


def _first_pages(inputs: PageInputs, task: TaskOptions, pool: WorkerPool[int | str]) -> dict[str, list[PageInput]]:
    """Return the first pages of each site that has no wrapper, in their order."""
    found: dict[str, dict[int, PageInput]] = {}
    given: dict[int, PageInput] = {}

    def take(done: Done[int | str]) -> None:
        assert isinstance(done.token, int)
        page, site = given.pop(done.token), done.result
        file = task.wrappers.file_of(site) if isinstance(site, str) else None
        if file is None or file.exists():
            return
        assert isinstance(site, str)
        own = found.setdefault(site, {})
        own[done.token] = page
        if len(own) > LEARNING_PAGES:
            del own[max(own)]

    for number, page in enumerate(inputs):
        while pool.is_full:
            for done in pool.wait():
                take(done)
        given[number] = page
        pool.submit(number, site_of, page, task.limits, task.fetching)
    while not pool.is_idle:
        for done in pool.wait():
            take(done)
    return {site: [own[number] for number in sorted(own)] for site, own in found.items()}


def _learned(pages: dict[str, list[PageInput]], task: TaskOptions, pool: WorkerPool[int | str]) -> dict[str, str]:
    failures: dict[str, str] = {}

    def take(done: Done[int | str]) -> None:
        if isinstance(done.result, Failure):
            failures[str(done.token)] = done.result.message

    for site in sorted(pages):
        while pool.is_full:
            for done in pool.wait():
                take(done)
        pool.submit(site, learn_wrapper, pages[site], task.limits, task.fetching, str(task.wrappers.file_of(site)))
    while not pool.is_idle:
        for done in pool.wait():
            take(done)
    return failures

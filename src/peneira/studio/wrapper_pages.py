"""The pages of the wrapper library: saved wrappers, trying them on further pages, checking and healing."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from peneira.credentials import without_credentials
from peneira.errors import InputError, PeneiraError
from peneira.page import Page
from peneira.preview import counted
from peneira.result import Extraction
from peneira.service.library import is_version_number
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.studio.errors_over_http import status_of
from peneira.studio.page_forms import checked, fields_of, inputs_of
from peneira.studio.screens import ShownCell, shown_cell
from peneira.studio.templating import go_to, page

if TYPE_CHECKING:
    from peneira.wrappers.drift import CheckReport
    from peneira.wrappers.healing import Healing
    from peneira.wrappers.wrapper import Wrapper

MAX_TRIALS = 16
MAX_TRIAL_ROWS = 100
# Rows of the pages of all trials that are kept
MAX_KEPT_ROWS = 1_000_000
_VERDICTS = {
    "ok": "Everything is where it was.",
    "degraded": "Part of the data is lost.",
    "broken": "Nothing can be read any more.",
    "other-template": "This page is built differently.",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """A wrapper tried on further pages: what was read and what the check says; after healing, what changed."""

    name: str
    pages: tuple[Page, ...]
    results: tuple[Extraction, ...]
    report: CheckReport
    healing: Healing | None = None
    is_saved: bool = False

    @property
    def words(self) -> str:
        """The verdict in words."""
        return _VERDICTS.get(self.report.verdict, str(self.report.verdict))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that were read."""
        return next((result.main.table.names for result in self.results if result.main is not None), ())

    @property
    def rows(self) -> list[list[ShownCell | None]]:
        """The first rows that were read."""
        regions = [result.main for result in self.results if result.main is not None]
        rows = [
            [shown_cell(cell, column.type) for cell, column in zip(row, region.table.columns, strict=True)]
            for region in regions
            for row in region.table.rows
        ]
        return rows[:MAX_TRIAL_ROWS]

    @property
    def size(self) -> str:
        """How much was read, in words."""
        return counted(sum(len(result.main) for result in self.results if result.main is not None), "record")


class Trials:
    """The last trials, by names that nobody guesses."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Trial] = OrderedDict()

    def add(self, trial: Trial) -> str:
        """Keep a trial, and return its name."""
        name = secrets.token_urlsafe(12)
        self._kept[name] = trial
        while len(self._kept) > 1 and (
            len(self._kept) > MAX_TRIALS
            or sum(len(read) for each in self._kept.values() for read in each.pages) > MAX_KEPT_ROWS
        ):
            self._kept.popitem(last=False)
        return name

    def get(self, name: str | None) -> Trial | None:
        """Return a trial, None if it is gone."""
        return self._kept.get(name or "")


def tried(service: Service, key: str, inputs: list[PageInput], pages: tuple[Page, ...]) -> Trial:
    """Read pages with a saved wrapper, check them, and keep what the check says."""
    wrapper = service.library.load(key)
    if sum(map(len, pages)) > MAX_KEPT_ROWS:
        raise InputError(f"{len(pages)} pages are too many to try at once; take fewer")
    results = tuple(wrapper.extract(read) for read in pages)
    report = wrapper.check(pages)
    names = [given.name or without_credentials(given.url or "") or "pasted page" for given in inputs]
    sample = next((result.main.table for result in results if result.main is not None), None)
    service.library.note_check(key, names[0] if len(names) == 1 else f"{len(names)} pages", report, sample)
    return Trial(", ".join(names[:3]), pages, results, report)


def healed(service: Service, key: str, trial: Trial) -> Trial:
    """Learn a saved wrapper again from the pages of a trial; it becomes the next version if it passes its check."""
    healing = service.library.load(key).heal(trial.pages)
    if not healing.accepted:
        return Trial(trial.name, trial.pages, trial.results, trial.report, healing)
    results = tuple(healing.wrapper.extract(read) for read in trial.pages)
    sample = next((result.main.table for result in results if result.main is not None), None)
    service.library.save(key, healing.wrapper, f"healed from {trial.name}", sample)
    service.library.note_check(key, trial.name, healing.report)
    return Trial(trial.name, trial.pages, results, healing.report, healing, is_saved=True)


def add_wrapper_pages(router: APIRouter, service: Service) -> None:
    """Add the routes of the library."""
    library, trials = service.library, Trials()

    def wrapper_page(key: str, trial_name: str | None, error: str = "", status: int = 200) -> Response:
        wrapper: Wrapper = library.load(key)
        return page(
            "wrapper.html",
            status=status,
            entry=library.entry(key),
            wrapper=wrapper,
            trial=trials.get(trial_name),
            trial_name=trial_name or "",
            error=error,
        )

    @router.get("/wrappers")
    async def wrappers() -> Response:
        entries = await service.queue.run(library.entries)
        return page("wrappers.html", entries=entries, folder=str(library.folder))

    @router.get("/wrappers/{site}/{name}")
    async def wrapper(request: Request, site: str, name: str) -> Response:
        trial = request.query_params.get("trial")
        try:
            return await service.queue.run(lambda: wrapper_page(f"{site}/{name}", trial))
        except InputError as error:
            return page("message.html", status=status_of(error), message=str(error))

    @router.get("/wrappers/{site}/{name}/file")
    async def file(request: Request, site: str, name: str) -> Response:
        number = request.query_params.get("version", "")
        if number and not is_version_number(number):
            raise InputError("there is no such version")
        wanted = int(number) if number else None
        text = await service.queue.run(lambda: library.text(f"{site}/{name}", wanted))
        headers = {"content-disposition": 'attachment; filename="wrapper.json"'}
        return PlainTextResponse(text, headers=headers, media_type="application/json")

    @router.post("/wrappers/{site}/{name}/try")
    async def try_(request: Request, site: str, name: str) -> Response:
        key = f"{site}/{name}"
        inputs, _ = await inputs_of(request)
        try:
            readings = await service.read_pages(checked(inputs))
            pages = tuple(reading.page for reading in readings)
            trial = await service.queue.run(lambda: tried(service, key, inputs, pages))
        except PeneiraError as error:
            message, status = str(error), status_of(error)
            return await service.queue.run(lambda: wrapper_page(key, None, message, status))
        return go_to(f"/wrappers/{quote(key)}?trial={trials.add(trial)}")

    @router.post("/wrappers/{site}/{name}/heal")
    async def heal(request: Request, site: str, name: str) -> Response:
        key = f"{site}/{name}"
        trial = trials.get((await fields_of(request)).get("trial", ""))
        if trial is None:
            return await service.queue.run(lambda: wrapper_page(key, None, "try the wrapper on a page first", 409))
        try:
            healing = await service.queue.run(lambda: healed(service, key, trial))
        except PeneiraError as error:
            message, status = str(error), status_of(error)
            return await service.queue.run(lambda: wrapper_page(key, None, message, status))
        return go_to(f"/wrappers/{quote(key)}?trial={trials.add(healing)}")

    @router.post("/wrappers/{site}/{name}/restore")
    async def restore(request: Request, site: str, name: str) -> Response:
        key = f"{site}/{name}"
        number = (await fields_of(request)).get("version", "")
        if is_version_number(number):
            await service.queue.run(
                lambda: library.save(key, library.load(key, int(number)), f"version {number} again")
            )
        return go_to(f"/wrappers/{quote(key)}")

    @router.post("/wrappers/{site}/{name}/delete")
    async def delete(site: str, name: str) -> Response:
        await service.queue.run(lambda: library.delete(f"{site}/{name}"))
        return go_to("/wrappers")

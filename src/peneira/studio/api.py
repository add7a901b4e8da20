"""The HTTP API under ``/api/v1``: one path per verb, jobs for long work, and the wrapper library."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from peneira.credentials import without_credentials
from peneira.errors import PeneiraError
from peneira.output.documents import Document
from peneira.service import verbs
from peneira.service.library import Entry
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.service.table_files import FORMATS
from peneira.studio.api_description import answers, body, object_of
from peneira.studio.api_verbs import PAGE_VERBS, PAGES_VERBS, PagesVerb, PageVerb
from peneira.studio.jobs import Jobs, failed_page
from peneira.studio.page_requests import ExtractOptions, Parsed, parsed

_JOB = object_of("id", "verb", "state", "pages", "done", "failed")


def api_router(service: Service, jobs: Jobs) -> APIRouter:
    """Return the routes of the API."""
    router = APIRouter(prefix="/api/v1", default_response_class=Response)
    for name, verb in PAGE_VERBS.items():
        _add_page_verb(router, service, name, verb)
        _add_job_start(router, service, jobs, name, verb)
    for name, pages_verb in PAGES_VERBS.items():
        _add_pages_verb(router, service, name, pages_verb)
        _add_pages_job_start(router, service, jobs, name, pages_verb)
    _add_jobs(router, jobs)
    _add_library(router, service)
    return router


def _add_page_verb(router: APIRouter, service: Service, name: str, verb: PageVerb) -> None:
    async def endpoint(request: Request) -> Response:
        asked = await parsed(request, verb.model, max_pages=service.settings.max_pages)
        if asked.is_many:
            return StreamingResponse(_lines(service, verb, asked), media_type="application/x-ndjson")
        if isinstance(asked.options, ExtractOptions) and asked.options.format is not None:
            return await _file_answer(service, asked.pages[0], asked.options, asked.options.format)
        return _json(await verb.answer(service, asked.pages[0], asked.options))

    router.add_api_route(
        f"/{name}",
        endpoint,
        methods=["POST"],
        operation_id=name,
        summary=verb.summary,
        responses=answers(object_of(*verb.keys), lines=True, files=name == "extract"),
        openapi_extra=body(verb.model, verb.example),
    )


async def _lines(service: Service, verb: PageVerb, asked: Parsed[Any]) -> AsyncIterator[str]:
    """Yield a line of JSON per page, each when it is done; a page that cannot be read has an error in its line."""
    for page in asked.pages:
        try:
            document = await verb.answer(service, page, asked.options)
        except PeneiraError as error:
            document = failed_page(_name(page), error)
        yield json.dumps(document, ensure_ascii=False) + "\n"


async def _file_answer(service: Service, page: PageInput, options: ExtractOptions, name: str) -> Response:
    data = await service.on_page(verbs.extract_file, page, name, options.method, options.region, options.all_columns)
    return Response(data, media_type=FORMATS[name].media_type)


def _add_pages_verb(router: APIRouter, service: Service, name: str, verb: PagesVerb) -> None:
    async def endpoint(request: Request) -> Response:
        asked = await parsed(request, verb.model, max_pages=service.settings.max_pages)
        return _json(await verb.answer(service, asked.pages, asked.options))

    router.add_api_route(
        f"/{name}",
        endpoint,
        methods=["POST"],
        operation_id=name,
        summary=verb.summary,
        responses=answers(object_of(*verb.keys)),
        openapi_extra=body(verb.model, verb.example),
    )


def _add_job_start(router: APIRouter, service: Service, jobs: Jobs, name: str, verb: PageVerb) -> None:
    async def start(request: Request) -> Response:
        asked = await parsed(request, verb.model, max_pages=service.settings.max_pages)
        works = [partial(verb.answer, service, page, asked.options) for page in asked.pages]
        return _json(jobs.start(name, works, [_name(page) for page in asked.pages]).to_dict(), status=202)

    router.add_api_route(
        f"/jobs/{name}",
        start,
        methods=["POST"],
        status_code=202,
        operation_id=f"start_{name}_job",
        summary=f"Start a job of many pages. {verb.summary}",
        responses=answers(_JOB, status=202),
        openapi_extra=body(verb.model, verb.example),
    )


def _add_pages_job_start(router: APIRouter, service: Service, jobs: Jobs, name: str, verb: PagesVerb) -> None:
    async def start(request: Request) -> Response:
        asked = await parsed(request, verb.model, max_pages=service.settings.max_pages)
        work = partial(verb.answer, service, asked.pages, asked.options)
        label = _name(asked.pages[0]) if len(asked.pages) == 1 else f"{len(asked.pages)} pages"
        return _json(jobs.start(name, [work], [label]).to_dict(), status=202)

    router.add_api_route(
        f"/jobs/{name}",
        start,
        methods=["POST"],
        status_code=202,
        operation_id=f"start_{name}_job",
        summary=f"Start a job with one answer for all pages. {verb.summary}",
        responses=answers(_JOB, status=202),
        openapi_extra=body(verb.model, verb.example),
    )


def _add_jobs(router: APIRouter, jobs: Jobs) -> None:
    @router.get("/jobs/{job_id}", responses=answers(_JOB), operation_id="job", summary="How far a job is.")
    async def job(job_id: str) -> Response:
        return _json(jobs.get(job_id).to_dict())

    @router.get(
        "/jobs/{job_id}/results",
        responses=answers(_JOB, lines=True),
        operation_id="job_results",
        summary="A line of JSON per page, as they are done, until the job has ended.",
    )
    async def results(job_id: str) -> Response:
        return StreamingResponse(jobs.get(job_id).results(), media_type="application/x-ndjson")

    @router.delete(
        "/jobs/{job_id}",
        responses=answers(_JOB),
        operation_id="cancel_job",
        summary="End a job; results that are there stay readable.",
    )
    async def cancel(job_id: str) -> Response:
        return _json((await jobs.cancel(job_id)).to_dict())


def _add_library(router: APIRouter, service: Service) -> None:
    library = service.library

    @router.get(
        "/wrappers", responses=answers(object_of("wrappers")), operation_id="wrappers", summary="The saved wrappers."
    )
    async def wrappers() -> Response:
        entries = await service.queue.run(library.entries)
        return _json({"wrappers": [_entry_document(entry) for entry in entries]})

    @router.get(
        "/wrappers/{site}/{name}",
        responses=answers(object_of("format", "version", "kind")),
        operation_id="wrapper",
        summary="A saved wrapper, as its file has it.",
    )
    async def wrapper(site: str, name: str) -> Response:
        return _json(verbs.wrapper_document(await service.queue.run(lambda: library.load(f"{site}/{name}"))))

    @router.delete(
        "/wrappers/{site}/{name}",
        responses={code: answer for code, answer in answers({}).items() if code != 200},
        status_code=204,
        operation_id="delete_wrapper",
        summary="Remove a saved wrapper with its versions.",
    )
    async def delete(site: str, name: str) -> Response:
        await service.queue.run(lambda: library.delete(f"{site}/{name}"))
        return Response(status_code=204)


def _entry_document(entry: Entry) -> Document:
    return {"key": entry.key, **asdict(entry)}


def _name(page: PageInput) -> str:
    return page.name or without_credentials(page.url or "") or "the page"


def _json(document: Document, *, status: int = 200) -> Response:
    return JSONResponse(document, status_code=status)

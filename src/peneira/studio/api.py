"""The HTTP API under ``/api/v1``: one path per verb, jobs for long work, and the wrapper library."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from peneira.errors import PeneiraError
from peneira.output.documents import Document
from peneira.service.reading import PageInput
from peneira.service.service import Service
from peneira.service.table_files import FORMATS, table_file
from peneira.studio import verbs
from peneira.studio.api_description import EXAMPLE_HTML, answers, body, object_of
from peneira.studio.jobs import Jobs, failed_page
from peneira.studio.page_requests import (
    ApplyOptions,
    ContentOptions,
    ExtractOptions,
    HealOptions,
    LearnOptions,
    PageOptions,
    Parsed,
    TextOptions,
    WrapperOptions,
    parsed,
)

Options = TypeVar("Options", bound=PageOptions)
PageVerb = Callable[[Service, PageInput, Any], Document]
PagesVerb = Callable[[Service, Sequence[PageInput], Any], Document]

_HTML = {"html": EXAMPLE_HTML}
_WRAPPED = {"wrapper": "shop.example/products", "url": "https://shop.example/products?page=2"}
# A verb that answers page by page: what it takes, what it does, the keys of its answer, an example
PAGE_VERBS: dict[str, tuple[type[PageOptions], PageVerb, tuple[str, ...], dict[str, Any]]] = {
    "extract": (ExtractOptions, verbs.extract_page, ("source", "verdict", "records", "columns", "reasons"), _HTML),
    "item": (PageOptions, verbs.item_page, ("source", "kind", "fields"), {"url": "https://shop.example/products/42"}),
    "text": (TextOptions, verbs.text_page, ("source", "text", "type"), {**_HTML, "markdown": True}),
    "clean": (PageOptions, verbs.clean_page, ("source", "html", "cuts"), _HTML),
    "content": (ContentOptions, verbs.content_page, ("source", "contents"), _HTML),
    "apply": (ApplyOptions, verbs.apply_page, ("source", "verdict", "records"), _WRAPPED),
}
# A verb that looks at all pages together
PAGES_VERBS: dict[str, tuple[type[PageOptions], PagesVerb, tuple[str, ...], dict[str, Any]]] = {
    "learn": (LearnOptions, verbs.learn_pages, ("format", "version", "kind"), {"pages": [_HTML, _HTML]}),
    "check": (WrapperOptions, verbs.check_pages, ("source", "verdict", "reasons"), _WRAPPED),
    "heal": (HealOptions, verbs.heal_pages, ("accepted", "reason", "check", "changes", "wrapper"), _WRAPPED),
}
_JOB = object_of("id", "verb", "state", "pages", "done", "failed")


def api_router(service: Service, jobs: Jobs) -> APIRouter:
    """Return the routes of the API."""
    router = APIRouter(prefix="/api/v1", tags=["api"])
    for name in PAGE_VERBS:
        _add_page_verb(router, service, name)
    for name in PAGES_VERBS:
        _add_pages_verb(router, service, name)
    _add_jobs(router, service, jobs)
    _add_library(router, service)
    return router


def _add_page_verb(router: APIRouter, service: Service, name: str) -> None:
    model, work, keys, example = PAGE_VERBS[name]

    async def endpoint(request: Request) -> Response:
        asked = await parsed(request, model, max_pages=service.settings.max_pages)
        if asked.is_many:
            return StreamingResponse(_lines(service, work, asked), media_type="application/x-ndjson")
        page = asked.pages[0]
        if isinstance(asked.options, ExtractOptions) and asked.options.format is not None:
            return await _table_answer(service, page, asked.options)
        return _json(await service.queue.run(lambda: work(service, page, asked.options)))

    router.add_api_route(
        f"/{name}",
        endpoint,
        methods=["POST"],
        operation_id=name,
        summary=_summary(work),
        response_class=Response,
        responses=answers(object_of(*keys), lines=True, files=name == "extract"),
        openapi_extra=body(model, example),
    )


async def _lines(service: Service, work: PageVerb, asked: Parsed[Any]) -> AsyncIterator[str]:
    """Yield a line of JSON per page, each when it is done; a page that cannot be read has an error in its line."""
    for page in asked.pages:
        try:
            document = await service.queue.run(lambda page=page: work(service, page, asked.options))  # type: ignore[misc]
        except PeneiraError as error:
            document = failed_page(page.name or page.url or "the page", error)
        yield json.dumps(document, ensure_ascii=False) + "\n"


async def _table_answer(service: Service, page: PageInput, options: ExtractOptions) -> Response:
    name = options.format or "json"
    data = await service.queue.run(lambda: table_file(verbs.extract_table(service, page, options), name))
    return Response(data, media_type=FORMATS[name].media_type)


def _add_pages_verb(router: APIRouter, service: Service, name: str) -> None:
    model, work, keys, example = PAGES_VERBS[name]

    async def endpoint(request: Request) -> Response:
        asked = await parsed(request, model, max_pages=service.settings.max_pages)
        return _json(await service.queue.run(lambda: work(service, asked.pages, asked.options)))

    router.add_api_route(
        f"/{name}",
        endpoint,
        methods=["POST"],
        operation_id=name,
        summary=_summary(work),
        response_class=Response,
        responses=answers(object_of(*keys)),
        openapi_extra=body(model, example),
    )


def _add_jobs(router: APIRouter, service: Service, jobs: Jobs) -> None:
    def add_start(name: str) -> None:
        model, work, _, example = PAGE_VERBS[name]

        async def start(request: Request) -> Response:
            asked = await parsed(request, model, max_pages=service.settings.max_pages)
            works = [lambda page=page: work(service, page, asked.options) for page in asked.pages]  # type: ignore[misc]
            names = [page.name or page.url or "the page" for page in asked.pages]
            return _json(jobs.start(name, works, names).to_dict(), status=202)

        router.add_api_route(
            f"/jobs/{name}",
            start,
            methods=["POST"],
            operation_id=f"start_{name}_job",
            summary=f"Start a job: {name} of many pages; the answer has its id.",
            response_class=Response,
            responses=answers(_JOB, status=202),
            openapi_extra=body(model, {"pages": [{"url": "https://shop.example/products?page=2"}]} | example),
            status_code=202,
        )

    for name in PAGE_VERBS:
        add_start(name)

    @router.get("/jobs/{job_id}", responses=answers(_JOB), response_class=Response, operation_id="job")
    async def job(job_id: str) -> Response:
        """Return how far a job is."""
        return _json(jobs.get(job_id).to_dict())

    @router.get(
        "/jobs/{job_id}/results",
        responses=answers(_JOB, lines=True),
        response_class=Response,
        operation_id="job_results",
    )
    async def results(job_id: str) -> Response:
        """Return a line of JSON per page, as they are done, until the job has ended."""
        return StreamingResponse(jobs.get(job_id).results(), media_type="application/x-ndjson")

    @router.delete("/jobs/{job_id}", responses=answers(_JOB), response_class=Response, operation_id="cancel_job")
    async def cancel(job_id: str) -> Response:
        """End a job; results that are there stay readable."""
        return _json((await jobs.cancel(job_id)).to_dict())


def _add_library(router: APIRouter, service: Service) -> None:
    library = service.library

    @router.get("/wrappers", responses=answers(object_of("wrappers")), response_class=Response, operation_id="wrappers")
    async def wrappers() -> Response:
        """Return the saved wrappers with their versions and last checks."""
        entries = await service.queue.run(library.entries)
        return _json({"wrappers": [entry_document(entry) for entry in entries]})

    @router.get(
        "/wrappers/{site}/{name}",
        responses=answers(object_of("format", "version", "kind")),
        response_class=Response,
        operation_id="wrapper",
    )
    async def wrapper(site: str, name: str) -> Response:
        """Return a saved wrapper, as its file has it."""
        return _json(verbs.wrapper_document(await service.queue.run(lambda: library.load(f"{site}/{name}"))))

    @router.delete(
        "/wrappers/{site}/{name}", responses={**answers({}, status=204)}, status_code=204, operation_id="delete_wrapper"
    )
    async def delete(site: str, name: str) -> Response:
        """Remove a saved wrapper with its versions."""
        await service.queue.run(lambda: library.delete(f"{site}/{name}"))
        return Response(status_code=204)


def entry_document(entry: Any) -> Document:
    """Return what is known of a saved wrapper."""
    from dataclasses import asdict

    return {"key": entry.key, **asdict(entry)}


def _json(document: Document, *, status: int = 200) -> Response:
    return JSONResponse(document, status_code=status)


def _summary(work: Callable[..., object]) -> str:
    return (work.__doc__ or "").splitlines()[0]

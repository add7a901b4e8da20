"""The server's app: the studio, the HTTP API and the tools for agents behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from peneira.service.service import Service
from peneira.studio.access import Access
from peneira.studio.api import api_router
from peneira.studio.errors_over_http import add_error_answers
from peneira.studio.guard import Guard
from peneira.studio.jobs import Jobs
from peneira.studio.mcp_mount import McpMount
from peneira.studio.pages import studio_router
from peneira.version import __version__

HERE = Path(__file__).parent


def create_app(service: Service, access: Access) -> Guard:
    """Return the app of a service. Whoever made the service closes it."""
    jobs = Jobs()
    agents = McpMount(service)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with agents.running():
            yield
        jobs.close()

    app = FastAPI(
        title="peneira",
        version=__version__,
        description="Records, items and texts from web pages: no examples, no rules per site, no language model.",
        docs_url=None,  # its scripts come from elsewhere
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=lifespan,
    )
    add_error_answers(app)
    app.include_router(api_router(service, jobs))
    app.include_router(studio_router(service), include_in_schema=False)
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    app.router.routes.append(Route("/mcp", endpoint=agents))

    @app.get("/healthz", include_in_schema=False)
    async def is_up() -> Response:
        return PlainTextResponse("ok\n")

    return Guard(app, access, max_bytes=service.settings.max_bytes)

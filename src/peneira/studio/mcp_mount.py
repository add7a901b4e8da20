"""The tools for agents at ``/mcp``, imported when the first agent calls: they take longer to load than the rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from peneira.service.service import Service
from peneira.studio.guard import App, Receive, Send


class McpMount:
    """An ASGI application that starts with its first request, and ends with the server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._app: asyncio.Future[App] | None = None
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request of an agent."""
        if self._app is None:
            self._app = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._serve(self._app))
        app = await asyncio.shield(self._app)
        await app(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """End the sessions of agents at the end of the block."""
        try:
            yield
        finally:
            if self._task is not None:
                self._task.cancel()
                with suppress(asyncio.CancelledError):
                    await self._task

    async def _serve(self, started: asyncio.Future[App]) -> None:
        try:
            from peneira.mcp.tools import agent_server, http_sessions

            async with http_sessions(agent_server(self._service)) as app:
                started.set_result(cast("App", app))
                await asyncio.Event().wait()
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)

"""Every request passes here: access, size and pace of its body, headers of its answer, and the end of its caller.

A body is read whole, within limits, before any work begins, so that a slow caller holds no worker. When the caller
goes away, the work on its answer is cancelled.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from peneira.studio.access import Access, Refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

# Our own pages: scripts and styles from our own files, nothing inline, nothing from elsewhere
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; font-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    # not "no-referrer": with it, browsers say of our own forms that they come from nowhere ("Origin: null")
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
}
BODY_SECONDS = 30.0
# Bodies of all requests that are in memory at once; further requests wait until there is room
MAX_BODIES = 8
# A caller that takes nothing for so long gets no more
SEND_SECONDS = 60.0


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: App, access: Access, *, max_bytes: int, body_seconds: float = BODY_SECONDS) -> None:
        self._app, self._access = app, access
        self._max_bytes, self._body_seconds = max_bytes, body_seconds
        self._room = BodyRoom(MAX_BODIES * max_bytes)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        client = (scope.get("client") or ("",))[0]
        guarded = _with_headers(send)
        refused = self._access.refusal(scope["method"], scope["path"], headers, client) or self._too_large(headers)
        if refused is not None:
            await _refuse(guarded, refused)
            return
        size = self._expected(headers)
        try:
            async with asyncio.timeout(self._body_seconds):
                await self._room.take(size)
        except TimeoutError:
            message = "too many large requests are in work; try again in a few seconds"
            await _refuse(guarded, Refusal(503, "service-busy", message, {"retry-after": "2"}))
            return
        try:
            await self._with_body(scope, receive, guarded)
        finally:
            await asyncio.shield(self._room.give_back(size))

    async def _with_body(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await self._body(receive)
        except TimeoutError:
            await _refuse(send, Refusal(408, "slow-request", "the request did not arrive in time"))
            return
        if body is None:
            return
        if isinstance(body, Refusal):
            await _refuse(send, body)
            return
        await _answered(self._app, scope, body, receive, send)

    def _expected(self, headers: MutableMapping[str, str]) -> int:
        if "content-length" in headers:
            return int(headers["content-length"])
        return self._max_bytes if "transfer-encoding" in headers else 0

    def _too_large(self, headers: MutableMapping[str, str]) -> Refusal | None:
        if headers.get("content-encoding", "identity").lower() != "identity":
            return Refusal(415, "compressed-body", "send the body as it is: compressed bodies are refused")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return Refusal(400, "bad-length", "Content-Length is not a number")
        return self._large() if int(length) > self._max_bytes else None

    def _large(self) -> Refusal:
        return Refusal(413, "too-large", f"the body is longer than the limit of {self._max_bytes:,} bytes")

    async def _body(self, receive: Receive) -> bytes | Refusal | None:
        """Return the body of a request, why it is refused, or None if the caller left."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self._max_bytes:
                return self._large()
            if not message.get("more_body", False):
                return bytes(body)


class BodyRoom:
    """The memory that bodies may take together; a request waits until there is room for its own."""

    def __init__(self, max_bytes: int) -> None:
        self._left = max_bytes
        self._freed = asyncio.Condition()

    async def take(self, size: int) -> None:
        """Wait for room and take it."""
        async with self._freed:
            await self._freed.wait_for(lambda: self._left >= size)
            self._left -= size

    async def give_back(self, size: int) -> None:
        """Return room."""
        async with self._freed:
            self._left += size
            self._freed.notify_all()


async def _answered(app: App, scope: MutableMapping[str, Any], body: bytes, receive: Receive, send: Send) -> None:
    """Let the app answer a request whose body is here; cancel that when the caller leaves before the end."""
    is_read = is_complete = False
    gone = asyncio.Event()

    async def replayed() -> Message:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def noted(message: Message) -> None:
        nonlocal is_complete
        await send(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            is_complete = True

    async def watch(answer: asyncio.Task[None]) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()
        if not is_complete:
            answer.cancel()

    answer: asyncio.Task[None] = asyncio.ensure_future(app(scope, replayed, noted))
    watcher = asyncio.create_task(watch(answer))
    try:
        await asyncio.wait([answer])
    finally:
        watcher.cancel()
        if not answer.done():
            answer.cancel()
    if not answer.cancelled():
        answer.result()


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", ())}
            missing = [(name.encode(), text.encode()) for name, text in _HEADERS.items() if name.encode() not in own]
            message = {**message, "headers": [*message.get("headers", ()), *missing]}
        async with asyncio.timeout(SEND_SECONDS):
            await send(message)

    return guarded


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"error": {"code": refusal.code, "message": refusal.message}}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close"}
    pairs = [(name.encode(), text.encode()) for name, text in {**headers, **refusal.headers}.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})

"""The only way from the browser to the network: a proxy on loopback that applies the address rules to every request.

A browser resolves and redirects by itself, so checking the URL is not enough. Here each host of a page is resolved
once, by the resolver that ``fetch`` uses too, every address of it is checked, and sockets are opened to checked
addresses only: redirects, frames, scripts, images and web sockets alike. A name that changes its address gains nothing
by that. The bytes that the page receives are counted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from peneira.sources.addresses import Address, Reach, reach_of, why_guarded
from peneira.sources.http_messages import explain_error
from peneira.sources.network import Resolver
from peneira.sources.urls import PORTS

_BLOCK_BYTES = 64 * 1024
_MAX_HEAD_BYTES = 64 * 1024
_CONNECT_S = 15.0
# A connection carries one request: a proxy connection that lives on may be used for another host
_HOP_HEADERS = ("connection", "keep-alive", "proxy-connection", "proxy-authorization", "upgrade")
# The header of the proxy's own answers: what became of the request
PROXY_HEADER = "x-peneira"
REFUSED, FAILED = "refused", "failed"


@dataclass(slots=True)
class Policy:
    """What one page may reach: nothing without ``network``, and no guarded name (``addresses.py``) without the switch.

    A page at a public address reaches public addresses only. A page at a private address that the user opened by its
    URL (``may_start_private``) reaches private addresses too as long as it has not connected to a public one; after
    that, only those of the host and port it came from. ``refused`` holds the hosts that it may not reach,
    ``guarded`` why, for guarded names, ``failed`` why hosts could not be reached. ``received`` and ``unpacked``: the
    bytes that have come over the network, and what the browser has made of them.
    """

    network: bool = False
    may_start_private: bool = False
    allow_private: bool = False
    max_bytes: int = 64 * 1024 * 1024
    received: int = 0
    unpacked: int = 0
    refused: list[str] = field(default_factory=list)
    guarded: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    resolver: Resolver = field(default_factory=Resolver)
    _home: tuple[str, int] | None = None
    _has_gone_public: bool = False

    @property
    def is_spent(self) -> bool:
        """Whether the page has received all the bytes that it may."""
        return max(self.received, self.unpacked) > self.max_bytes

    def allows(self, host: str, port: int, addresses: Sequence[Address]) -> bool:
        """Return whether the page may connect to a host at these addresses; a refused private address is noted.

        The first connection of a page is that of its own document: the host and port of it are its home.
        """
        if not self.network or self.is_spent:
            return False
        reach = reach_of(addresses)
        if reach is Reach.PUBLIC:
            self._has_gone_public = True
            return True
        if self.allow_private:
            return True
        if reach is Reach.PRIVATE and self._is_within_reach(host, port):
            return True
        self.refused.append(f"{host}:{port}")
        if reach is Reach.GUARDED:
            self.guarded[f"{host}:{port}"] = why_guarded(addresses)
        return False

    def _is_within_reach(self, host: str, port: int) -> bool:
        if self.may_start_private and not self._has_gone_public:
            self._home = self._home or (host, port)
            return True
        return self._home == (host, port)


class Egress:
    """A proxy for one page, on a port of its own. Its policy may be changed until the page is loaded."""

    def __init__(self) -> None:
        self.policy = Policy()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Return the URL of the proxy, which is listening."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            await self._serve(reader, writer)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            _answer(writer, "502 Bad Gateway", FAILED)
        except asyncio.CancelledError:
            pass  # the page is closed
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        is_tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if is_tunnel else target)
        if not parts.hostname or (not is_tunnel and parts.scheme != "http"):
            _answer(writer, "400 Bad Request")
            return
        port = parts.port or PORTS["https" if is_tunnel else "http"]
        host = parts.hostname
        with self._note_failure(host):
            addresses = await asyncio.to_thread(self.policy.resolver, host, port) if self.policy.network else ()
            if not self.policy.allows(host, port, addresses):
                _answer(writer, "403 Forbidden", REFUSED)
                return
            out_reader, out_writer = await _connected(addresses, port)
        try:
            if is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await self._tunnel(reader, writer, out_reader, out_writer)
            else:
                await self._forward(head, reader, writer, out_reader, out_writer)
        finally:
            out_writer.close()

    @contextlib.contextmanager
    def _note_failure(self, host: str) -> Iterator[None]:
        """Note why a host cannot be reached."""
        try:
            yield
        except (OSError, ValueError) as error:
            self.policy.failed[host] = explain_error(error, _CONNECT_S)
            raise

    async def _forward(
        self,
        head: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        out_reader: asyncio.StreamReader,
        out_writer: asyncio.StreamWriter,
    ) -> None:
        """Send one request on, and its answer back; the connection ends with it."""
        line, *headers = head.decode("latin-1").split("\r\n")[:-2]
        method, target, version = line.split(" ", 2)
        parts = urlsplit(target)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        out_writer.write(_head(f"{method} {path} {version}", headers))
        named = {
            name.strip().lower(): value.strip() for name, _, value in (header.partition(":") for header in headers)
        }
        left = int(named.get("content-length", "0"))
        while left > 0 and (data := await reader.read(min(left, _BLOCK_BYTES))):
            left -= len(data)
            out_writer.write(data)
            await out_writer.drain()
        await out_writer.drain()
        status = "1"
        while status.startswith("1"):  # informational answers come before the final one
            answer = (await out_reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
            status = answer[0].split(" ", 2)[1]
        writer.write(_head(answer[0], answer[1:]))
        await self._copy(out_reader, writer, count=True)

    async def _tunnel(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        out_reader: asyncio.StreamReader,
        out_writer: asyncio.StreamWriter,
    ) -> None:
        copies = [
            asyncio.ensure_future(self._copy(reader, out_writer, count=False)),
            asyncio.ensure_future(self._copy(out_reader, writer, count=True)),
        ]
        try:
            await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for copy in copies:
                copy.cancel()
            await asyncio.gather(*copies, return_exceptions=True)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, count: bool) -> None:
        while data := await source.read(_BLOCK_BYTES):
            self.policy.received += len(data) if count else 0
            if self.policy.is_spent:
                return
            sink.write(data)
            await sink.drain()


async def _connected(addresses: Sequence[Address], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to the first address that answers; a name is not looked up again."""
    failure: OSError = OSError("the host has no address")
    for address in addresses:
        try:
            opened = asyncio.open_connection(str(address), port, limit=_MAX_HEAD_BYTES)
            return await asyncio.wait_for(opened, _CONNECT_S / len(addresses))
        except (OSError, TimeoutError) as error:
            failure = error
    raise failure


def _head(line: str, headers: Sequence[str]) -> bytes:
    """Return the head of a message after which the connection ends."""
    kept = [header for header in headers if header.partition(":")[0].strip().lower() not in _HOP_HEADERS]
    return "\r\n".join((line, *kept, "Connection: close", "", "")).encode("latin-1")


def _answer(writer: asyncio.StreamWriter, status: str, outcome: str = "") -> None:
    """Answer in place of the server, with the outcome in a header of our own."""
    with contextlib.suppress(OSError, RuntimeError):
        head = _head(f"HTTP/1.1 {status}", [f"{PROXY_HEADER}: {outcome}", "Content-Length: 0"])
        writer.write(head)

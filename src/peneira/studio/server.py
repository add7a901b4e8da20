"""Running the server: one process, until it is told to end."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING

from peneira.errors import ArgumentError, MissingExtra, OutputError
from peneira.service.service import Service
from peneira.service.settings import ServiceSettings
from peneira.studio.access import MIN_TOKEN_CHARS, Access

if TYPE_CHECKING:
    import uvicorn

DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
MAX_CONNECTIONS = 1000


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server listens and who may use it. ``names``: further host names that lead to it."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    token: str | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this machine reach the server."""
        return self.host == "localhost" or ip_address(self.host).is_loopback


def run_server(
    settings: ServiceSettings, options: ServerOptions, started: Callable[[str], None] = lambda address: None
) -> None:
    """Serve until a signal ends it; ``started`` is called with the address when it listens."""
    with _prepared(settings, options) as (server, listener, address):
        started(address)
        server.run(sockets=[listener])


@contextmanager
def running_server(settings: ServiceSettings, options: ServerOptions) -> Iterator[str]:
    """Serve in a thread of its own while the block runs, and give the address."""
    with _prepared(settings, options) as (server, listener, address):
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="peneira-server")
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def _prepared(settings: ServiceSettings, options: ServerOptions) -> Iterator[tuple[uvicorn.Server, socket.socket, str]]:
    """Give a server that listens but does not answer yet, its socket and its address."""
    _check(options)
    try:
        import uvicorn

        from peneira.studio.app import create_app
    except ImportError as error:
        raise MissingExtra("serve", "the server") from error

    with Service.of(settings) as service, _listener(options) as listener:
        access = Access(options.token, frozenset(name.lower() for name in options.names), options.is_loopback)
        config = uvicorn.Config(
            create_app(service, access),
            log_config=None,  # requests are not logged: their addresses may have secrets
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=3,
            limit_concurrency=MAX_CONNECTIONS,
            backlog=MAX_CONNECTIONS,
            h11_max_incomplete_event_size=64 * 1024,
            http="h11",  # httptools knows no limit of headers
            lifespan="on",
            ws="none",
            proxy_headers=False,
        )
        host = f"[{options.host}]" if ":" in options.host else options.host
        yield uvicorn.Server(config), listener, f"http://{host}:{listener.getsockname()[1]}/"


def _check(options: ServerOptions) -> None:
    try:
        is_loopback = options.is_loopback
    except ValueError:
        raise ArgumentError(f"{options.host!r} is not an address to listen at; write one, such as 127.0.0.1") from None
    if not is_loopback and options.token is None:
        raise ArgumentError(
            "a server that others can reach needs a token: put one into a file and name it with --token-file, "
            "or set PENEIRA_TOKEN"
        )
    if options.token is not None and len(options.token) < MIN_TOKEN_CHARS:
        raise ArgumentError(f"the token has fewer than {MIN_TOKEN_CHARS} characters, which can be guessed")


def _listener(options: ServerOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((options.host, options.port))
        listener.listen(MAX_CONNECTIONS)  # who connects now is answered when the server has started
    except OSError as error:
        listener.close()
        why = "choose another with --port" if options.port else "choose another address with --host"
        raise OutputError(f"{options.host}:{options.port}", f"cannot listen there: {error.strerror}; {why}") from error
    return listener

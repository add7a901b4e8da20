"""A web server on loopback for tests: pages written by the test, and a note of everything that was asked for."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Answer:
    """What the server says to a path; one that ``is_held`` is sent only when the server closes."""

    body: str | bytes = ""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_held: bool = False


@dataclass
class Site:
    """A running server: its port, its pages by path, and the paths asked for so far."""

    port: int
    pages: dict[str, Answer | str]
    asked: list[str] = field(default_factory=list)
    allowed: dict[str, str] = field(default_factory=dict)  # pages by the Authorization header that they need

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None: ...


@contextmanager
def serving(pages: dict[str, Answer | str]) -> Iterator[Site]:
    """Serve pages on all loopback addresses while the block runs."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None: ...

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            site.asked.append(self.path)
            found = site.pages.get(path, Answer("not here", status=404))
            found = site.allowed.get(self.headers.get("Authorization", ""), found)
            answer = Answer(found) if isinstance(found, str) else found
            if answer.is_held:
                closing.wait()
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    closing = threading.Event()
    with _Server(("0.0.0.0", 0), Handler) as server:
        site = Site(server.server_port, pages)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            closing.set()
            server.shutdown()

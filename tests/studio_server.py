"""A running server and a real browser for tests of the studio, and plain HTTP to it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from peneira.service.settings import ServiceSettings
from peneira.sources.chromium import find, is_root
from peneira.studio.server import ServerOptions, running_server


@dataclass(frozen=True)
class Reply:
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return self.json["error"]["code"]


@dataclass(frozen=True)
class Served:
    """A running server: its address and the folder of its library."""

    address: str
    library: Path

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    def send(self, method: str, path: str, body: bytes | str = b"", **headers: str) -> Reply:
        """Send a request as a program does; underscores in names of headers are dashes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body.encode() if isinstance(body, str) else body, names)
        answer = connection.getresponse()
        made = Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        connection.close()
        return made

    def post(self, path: str, document: object, **headers: str) -> Reply:
        """Send JSON."""
        return self.send("POST", path, json.dumps(document), content_type="application/json", **headers)


@contextmanager
def serving_studio(folder: Path, *, token: str | None = None, **settings: object) -> Iterator[Served]:
    """Serve while the block runs; pages of this machine may be opened unless a test says otherwise."""
    chosen = {"allow_private": True, **settings}
    options = ServerOptions(port=0, token=token)
    with running_server(ServiceSettings(folder, **chosen), options) as address:  # type: ignore[arg-type]
        yield Served(address, folder)


@contextmanager
def real_browser() -> Iterator[Browser]:
    """Give a Chromium."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if is_root() else []
        path = find(playwright.chromium.executable_path)
        with playwright.chromium.launch(executable_path=path, args=flags) as browser:
            yield browser

"""A web server on loopback that sends raw bytes, and a network in which names resolve to the addresses a test gives."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address, ip_address

import pytest

from peneira.errors import FetchError
from peneira.sources.addresses import Address
from peneira.sources.fetch import FetchedPage, fetch
from peneira.sources.fetch_options import DEFAULT_OPTIONS, FetchOptions
from peneira.sources.network import Network, connect, resolve

HTML = b"<title>Page</title>"
PUBLIC_IP = "93.184.215.14"

# A certificate for secure.example, signed by itself, 2020 to 2120; the key opens nothing but this test
CERTIFICATE = """
MIIBgTCCASagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5zZWN1cmUuZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
MFowGTEXMBUGA1UEAwwOc2VjdXJlLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ0hgkz1+ifRq1/c9fb0syrYf70qfI2K4buHwUJ6FK8
YhkLyxezu6VI2zgLCBXUfCfF3wg1yhXthM2RXgOXWuz+o10wWzAZBgNVHREEEjAQgg5zZWN1cmUuZXhhbXBsZTAPBgNVHRMBAf8EBTADAQH/MA4GA1Ud
DwEB/wQEAwIChDAdBgNVHQ4EFgQUfZvlHBKiLQz+l9BagRbC7znSdcIwCgYIKoZIzj0EAwIDSQAwRgIhAOKC/l9ZcIzppsHZVh0KtD1+h+GTl/UU+8V+
Ncm04Fr1AiEAqNaaMsaI1Y13QL7/R6qBTDJR1+Lq82DjfDvwVEcz2tY=
"""
KEY = """
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsWudsb3W+4HZb72ZiLVV/WtLo7GgFXH9uZjIZN5s7aKhRANCAAQ0hgkz1+ifRq1/c9fb
0syrYf70qfI2K4buHwUJ6FK8YhkLyxezu6VI2zgLCBXUfCfF3wg1yhXthM2RXgOXWuz+
"""

Answer = bytes | Callable[[socket.socket], None]


class RawSite(ThreadingHTTPServer):
    """A server on loopback that answers each path with raw bytes or by a function, and records the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, Answer] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []

    def url(self, path: str = "/", *, host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.server_port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def sent(self, header: str) -> list[str | None]:
        return [headers.get(header) for _, headers in self.requests]

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over a client that left early, as it does when a page is too long."""


class Handler(BaseHTTPRequestHandler):
    server: RawSite

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers.items())))
        answer = self.server.pages[self.path]
        if callable(answer):
            answer(self.connection)
        else:
            self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


def served(site: RawSite) -> Iterator[RawSite]:
    thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.shutdown()
    thread.join()
    site.server_close()


def pem(label: str, body: str) -> str:
    return f"-----BEGIN {label}-----{body}-----END {label}-----\n"


def answer(body: bytes = b"", *headers: str, status: str = "200 OK", content_type: str = "text/html") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def redirect(location: str, status: str = "302 Found") -> bytes:
    return answer(b"", f"Location: {location}", status=status)


def chunked(*chunks: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


def page(url: str, body: bytes = HTML, redirects: tuple[str, ...] = (), *, charset: str | None = None) -> FetchedPage:
    return FetchedPage(url, 200, body, charset, "text/html", redirects, is_cut=False)


def names(addresses: Mapping[str, list[str]], connected: list[str] | None = None) -> Network:
    """Return a network where some names have the given addresses, and each connection goes to loopback."""

    def resolve_name(host: str, port: int) -> list[Address]:
        return [ip_address(text) for text in addresses[host]] if host in addresses else resolve(host, port)

    def to_loopback(address: Address, port: int, timeout_s: float) -> socket.socket:
        if connected is not None:
            connected.append(str(address))
        return connect(IPv4Address("127.0.0.1"), port, timeout_s)

    return Network(resolve=resolve_name, connect=to_loopback)


WEB = names({"public.example": [PUBLIC_IP], "mixed.example": [PUBLIC_IP, "10.0.0.1"], "inside.example": ["10.0.0.1"]})


def failure(url: str, *, options: FetchOptions = DEFAULT_OPTIONS, network: Network = WEB) -> str:
    with pytest.raises(FetchError) as caught:
        fetch(url, options=options, network=network)
    return str(caught.value)

"""What goes wrong between the fetcher and a server, over HTTP and TLS, and the messages about it."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.errors import FetchError
from peneira.sources.addresses import Address
from peneira.sources.fetch import fetch
from peneira.sources.fetch_options import FetchOptions
from peneira.sources.load_errors import first_line
from peneira.sources.network import Network
from raw_site import (
    CERTIFICATE,
    HTML,
    KEY,
    PUBLIC_IP,
    RawSite,
    answer,
    failure,
    names,
    page,
    pem,
    redirect,
    served,
)

QUICK = FetchOptions(timeout_s=0.3)
TIMED_OUT = "timed out, not done within 0.3 s; try again or set a longer timeout_s"


@pytest.fixture
def site() -> Iterator[RawSite]:
    yield from served(RawSite())


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[RawSite]:
    file = tmp_path / "server.pem"
    file.write_text(pem("PRIVATE KEY", KEY) + pem("CERTIFICATE", CERTIFICATE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    site = RawSite()
    site.socket = context.wrap_socket(site.socket, server_side=True)
    site.pages["/"] = answer(HTML)
    yield from served(site)


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("401 x", "401 Unauthorized; the page needs a user name and a password: https://user:password@host/"),
        ("404 \x1b[31mx", "404 Not Found; check the address"),
        ("429 x", "429 Too Many Requests; the site wants fewer requests: wait and try again"),
        ("503 x", "503 Service Unavailable; try again later"),
        ("418 x", "418 I'm a Teapot; try a browser"),
        ("304 x", "304 Not Modified; try a browser"),
        ("799 x", "799; try again later"),
    ],
)
def test_a_status_other_than_success_is_an_error(site: RawSite, status: str, reason: str) -> None:
    site.pages["/"] = answer(HTML, status=status)
    assert failure(site.url()) == f"{site.url()}: the server answered {reason}"


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "application/json; charset=utf-8"])
def test_what_is_no_page_is_named(site: RawSite, content_type: str) -> None:
    site.pages["/"] = answer(b"...", content_type=content_type)
    kind = content_type.partition(";")[0]
    assert failure(site.url()) == f"{site.url()}: not a web page but {kind}; give the URL of an HTML page"


@pytest.mark.parametrize(
    "content_type", ["Text/HTML", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"]
)
def test_each_type_that_can_hold_a_page_is_taken(site: RawSite, content_type: str) -> None:
    site.pages["/"] = answer(HTML, content_type=content_type)
    assert fetch(site.url()).content_type == content_type.lower()


def test_a_port_where_nothing_listens_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
    assert failure(url) == f"{url}: connection refused, nothing listens there; check the host and the port"


def test_an_unknown_host_is_an_error() -> None:
    url = "http://no-such-host.invalid/"
    assert failure(url) == f"{url}: unknown host; check the address and the network connection"


def test_a_server_that_never_answers_is_given_up(silent: socket.socket) -> None:
    url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
    assert failure(url, options=QUICK) == f"{url}: {TIMED_OUT}"


def test_a_tls_server_that_never_answers_is_given_up(silent: socket.socket) -> None:
    url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
    assert failure(url, options=QUICK) == f"{url}: {TIMED_OUT}"


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"], ids=["header", "body"])
def test_a_server_that_drips_is_given_up_all_the_same(
    site: RawSite, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:  # until the client leaves, and this fails
            connection.sendall(b"x")

    site.pages["/"] = drip
    monkeypatch.setattr("peneira.sources.network.monotonic", count(step=10).__next__)
    options = FetchOptions(timeout_s=80)
    assert failure(site.url(), options=options) == f"{site.url()}: {TIMED_OUT.replace('0.3', '80')}"


def test_the_deadline_holds_for_all_redirects_together(site: RawSite, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages |= {f"/{number}": redirect(f"/{number + 1}") for number in range(10)}
    monkeypatch.setattr("peneira.sources.network.monotonic", count(step=5).__next__)
    message = failure(site.url("/0"), options=FetchOptions(timeout_s=80))
    assert message.endswith(TIMED_OUT.replace("0.3", "80"))
    assert 1 < len(site.requests) < 10


def test_a_name_server_that_never_answers_is_given_up() -> None:
    over = threading.Event()

    def never(host: str, port: int) -> list[Address]:
        over.wait()
        return []

    url = "http://public.example/"
    assert failure(url, options=QUICK, network=Network(resolve=never)) == f"{url}: {TIMED_OUT}"
    over.set()


def test_a_host_without_address_is_an_error() -> None:
    url = "http://public.example/"
    assert failure(url, network=names({"public.example": []})) == (
        f"{url}: no connection (the host has no address); check the address and the network connection"
    )


def test_a_server_of_another_kind_is_an_error(site: RawSite) -> None:
    site.pages["/"] = b"SSH-2.0-OpenSSH_9.6\r\n"
    assert failure(site.url()) == f"{site.url()}: the answer is not proper HTTP (SSH-2.0-OpenSSH_9.6); check the port"


def test_a_header_without_end_is_an_error(site: RawSite) -> None:
    site.pages["/"] = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000
    reason = "the answer is not proper HTTP (got more than 65536 bytes when reading header line); check the port"
    assert failure(site.url()) == f"{site.url()}: {reason}"


HEADER_NAMES = ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Location", "Connection"]
HEADERS = st.tuples(
    st.sampled_from(HEADER_NAMES), st.sampled_from(["gzip", "chunked", "text/html", "-1", "7", "//\x80["])
)


@given(
    status=st.sampled_from([b"200 OK", b"302 Found", b"999999", b"100 Continue"]),
    headers=st.lists(HEADERS, max_size=4),
    rest=st.binary()
    | st.binary().map(gzip.compress)
    | st.binary().map(lambda chunk: b"%x\r\n%b" % (len(chunk), chunk)),
    stop=st.integers(0, 300),
)
def test_whatever_a_server_sends_is_a_page_or_a_fetch_error(
    status: bytes, headers: list[tuple[str, str]], rest: bytes, stop: int
) -> None:
    lines = [f"{name}: {value}\r\n".encode("latin-1") for name, value in headers]
    sent = b"HTTP/1.1 " + status + b"\r\n" + b"".join(lines) + b"\r\n" + rest
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(sent[:stop])
        theirs.shutdown(socket.SHUT_WR)
        try:
            fetched = fetch("http://127.0.0.1/", network=Network(connect=lambda address, port, timeout_s: ours))
        except FetchError as error:
            assert str(error).isprintable()
        else:
            assert sent[:stop].startswith(b"HTTP/1.1 200 OK\r\n")
            assert len(fetched.body) <= 1100 * len(rest)


# --- TLS ---


def trusting(addresses: Mapping[str, list[str]]) -> Network:
    """Return a network where the certificate of the test is one of the trusted ones."""
    context = ssl.create_default_context(cadata=pem("CERTIFICATE", CERTIFICATE))
    plain = names(addresses)
    return Network(resolve=plain.resolve, connect=plain.connect, tls_context=lambda: context)


def test_a_page_comes_over_tls_when_the_certificate_is_trusted(secure: RawSite) -> None:
    url = secure.url(scheme="https", host="secure.example")
    assert fetch(url, network=trusting({"secure.example": [PUBLIC_IP]})) == page(url)


def test_a_certificate_that_is_signed_by_itself_is_refused(secure: RawSite) -> None:
    url = secure.url(scheme="https", host="secure.example")
    message = failure(url, network=names({"secure.example": [PUBLIC_IP]}))
    assert message.startswith(f"{url}: the TLS certificate is not trusted (self")
    assert message.endswith("; check the host name, or save the page with a browser")
    assert secure.requests == []


def test_a_certificate_for_another_host_is_refused(secure: RawSite) -> None:
    url = secure.url(scheme="https", host="other.example")
    message = failure(url, network=trusting({"other.example": [PUBLIC_IP]}))
    assert "the TLS certificate is not trusted (Hostname mismatch" in message
    assert secure.requests == []


def test_https_to_a_server_without_tls_is_an_error(site: RawSite) -> None:
    url = site.url(scheme="https")
    message = failure(url)
    assert message.startswith(f"{url}: no TLS connection (")
    assert message.endswith("; check the port, or try http://")


def test_an_error_of_the_browser_is_its_first_line_up_to_160_characters():
    assert first_line(ValueError("x" * 160)) == "x" * 160
    assert first_line(ValueError("x" * 161 + "\nmore")) == "x" * 160

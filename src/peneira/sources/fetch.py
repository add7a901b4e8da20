"""A URL into the bytes of its page, over HTTP or HTTPS, with no way around the address rules.

The user may type any address but link-local and metadata addresses, which need a switch. A page on the public internet
may not send us on to a private one: each name is resolved once, every address of it is checked (``addresses.py``), and
the socket is opened to a checked address, not to the name again.

Proxy settings of the environment are not read: a proxy would do the resolving, and what it connects to goes unchecked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from urllib.parse import urljoin

from peneira.errors import FetchError, RefusedAddress
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.sources.addresses import PUBLIC_ONLY, Address, Reach, reach_of, why_guarded
from peneira.sources.content_coding import ContentDecoder, DeflateDecoder
from peneira.sources.fetch_options import DEFAULT_OPTIONS, FetchOptions
from peneira.sources.http_messages import (
    PAGE_TYPES,
    explain_error,
    explain_status,
    explain_type,
    media_type,
    status_line,
)
from peneira.sources.network import INTERNET, Deadline, Network, SocketStream, connected, look_up
from peneira.sources.urls import Target, parse_url, printable

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_ACCEPTED_TYPES = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"
_PLAIN_CODINGS = ("", "identity", "none", "utf-8")  # the last two are mistakes of servers that browsers pass over
_COMPRESSED_CODINGS = ("gzip", "x-gzip", "deflate")
_BLOCK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as the server sent it, decompressed; ``redirects`` are the URLs that led to ``url``, in order.

    A page longer than the limit ``is_cut``: its body has one byte more than the limit, so that ``read_page`` notes it.
    """

    url: str
    status: int
    body: bytes
    charset: str | None
    content_type: str
    redirects: tuple[str, ...]
    is_cut: bool


def fetch(
    url: str,
    *,
    limits: Limits = DEFAULT_LIMITS,
    options: FetchOptions = DEFAULT_OPTIONS,
    network: Network = INTERNET,
) -> FetchedPage:
    """Return the page at an http or https URL, redirects followed; whatever goes wrong is a ``FetchError``.

    A user name and password in the URL are sent as Basic authentication to that origin only, and are in no message.
    """
    deadline = Deadline(options.timeout_s)
    network = network.pinned()
    start = target = parse_url(url)
    redirects: list[str] = []
    came_from_public = False
    while True:
        with _explained(target.url, options.timeout_s):
            addresses = look_up(target, network, deadline)
            reach = reach_of(addresses)
            if not options.allow_private:
                _refuse(reach, addresses, target, referrer=redirects[-1] if came_from_public else None)
                if options.public_only and reach is not Reach.PUBLIC:
                    raise RefusedAddress(target.url, PUBLIC_ONLY)
            came_from_public = reach is not Reach.PRIVATE
            credentials = start.credentials if target.origin == start.origin else None
            with connected(target, addresses, network, deadline) as sock:
                response = _response(SocketStream(sock, deadline), target, credentials, options.user_agent)
                if response.status not in _REDIRECTS:
                    return _fetched(response, target, redirects, limits)
            redirects.append(target.url)
            target = _redirected(response, target)
        _refuse_endless(target, redirects, options.max_redirects)


def _refuse(reach: Reach, addresses: Sequence[Address], target: Target, *, referrer: str | None) -> None:
    """Refuse a guarded name, and a private one to which a public page, the referrer, redirects."""
    if reach is Reach.GUARDED:
        raise RefusedAddress(target.url, why_guarded(addresses))
    if reach is Reach.PRIVATE and referrer is not None:
        raise RefusedAddress(
            target.url,
            f"the public page {referrer} redirects to this private address ({addresses[0]}); "
            "if that is meant, fetch the address itself or set allow_private",
        )


def _redirected(response: HTTPResponse, target: Target) -> Target:
    location = response.headers.get("Location", "").strip()
    if not location:
        raise FetchError(
            target.url, f"the server answered {status_line(response.status)} without saying where to; try a browser"
        )
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")  # http.client reads headers as latin-1
    return parse_url(urljoin(target.url, location), redirected_by=target.url)


def _refuse_endless(target: Target, redirects: Sequence[str], max_redirects: int) -> None:
    if target.url in redirects:
        raise FetchError(
            redirects[0], f"redirects in a circle, back to {target.url}; it may need cookies: try a browser"
        )
    if len(redirects) > max_redirects:
        raise FetchError(
            redirects[0], f"more than {max_redirects} redirects, the last one to {target.url}; try a browser"
        )


def _response(stream: SocketStream, target: Target, credentials: str | None, user_agent: str) -> HTTPResponse:
    headers = {
        "Host": target.netloc,
        "User-Agent": user_agent,
        "Accept": _ACCEPTED_TYPES,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    if credentials is not None:
        headers["Authorization"] = f"Basic {credentials}"
    connection = HTTPConnection(target.host, target.port)
    connection.auto_open = 0  # it must not open a socket of its own, to an address that nobody checked
    connection.sock = stream
    connection.request("GET", target.path, headers=headers)
    response = connection.getresponse()
    if stream.is_ended:  # http.client takes headers that break off for whole ones
        raise IncompleteRead(b"")
    return response


def _fetched(response: HTTPResponse, target: Target, redirects: Sequence[str], limits: Limits) -> FetchedPage:
    if not 200 <= response.status < 300:
        raise FetchError(target.url, explain_status(response.status, "try a browser"))
    content_type = media_type(response.headers.get("Content-Type", ""))
    if content_type not in PAGE_TYPES:
        raise FetchError(target.url, explain_type(content_type))
    body = _body(response, _decoder(response, target), limits)
    return FetchedPage(
        url=target.url,
        status=response.status,
        body=body,
        charset=response.headers.get_content_charset(),
        content_type=content_type,
        redirects=tuple(redirects),
        is_cut=len(body) > limits.bytes,
    )


@contextmanager
def _explained(url: str, timeout_s: float) -> Iterator[None]:
    """Turn the errors of the system, of TLS and of HTTP into a ``FetchError`` that says what to do."""
    try:
        yield
    except (OSError, HTTPException, zlib.error, ValueError) as error:
        raise FetchError(url, explain_error(error, timeout_s)) from error


def _body(response: HTTPResponse, decoder: ContentDecoder, limits: Limits) -> bytes:
    """Return the decompressed body, one byte more than the limit at most."""
    body = bytearray()
    # read1, since read() trusts a chunk that says its size is -1 and takes all there is into memory
    while len(body) <= limits.bytes and (data := response.read1(_BLOCK_BYTES)):
        body += decoder.decode_block(data, limits.bytes + 1 - len(body))
    if len(body) <= limits.bytes and (response.length or not decoder.is_complete()):
        raise IncompleteRead(b"")
    return bytes(body)


def _decoder(response: HTTPResponse, target: Target) -> ContentDecoder:
    named = ",".join(response.headers.get_all("Content-Encoding", [])).lower().split(",")
    codings = [coding.strip() for coding in named if coding.strip() not in _PLAIN_CODINGS]
    if not codings:
        return ContentDecoder()
    if len(codings) > 1 or codings[0] not in _COMPRESSED_CODINGS:
        names = printable(", ".join(codings))
        reason = f"the server compressed the page with {names}, but only gzip and deflate are read; try a browser"
        raise FetchError(target.url, reason)
    return DeflateDecoder(is_gzip=codings[0] != "deflate")

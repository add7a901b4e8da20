"""A URL into the bytes of its page, over HTTP or HTTPS, with no way around the address rules.

The user may type any address. A page on the public internet may not send us on to a private one: each hop is resolved
once, every address of it is checked, and the socket is opened to a checked address, not to the name again.

Proxy settings of the environment are not read: a proxy would do the resolving, and what it connects to goes unchecked.
"""

from __future__ import annotations

import io
import re
import socket
import ssl
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from importlib.metadata import PackageNotFoundError, version
from ipaddress import IPv6Address, ip_address
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from peneira.errors import FetchError, RefusedAddress
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.sources.addresses import Address, is_public
from peneira.sources.content_coding import ContentDecoder, DeflateDecoder

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

PORTS = {"http": 80, "https": 443}
_HOST_NAME = re.compile(r"[a-z0-9._-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SAFE_IN_TARGET = "%/?:@!$&'()*+,;=[]"  # with %, what is encoded already stays as it is

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
PAGE_TYPES = ("", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
_ACCEPTED_TYPES = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"
_PLAIN_CODINGS = ("", "identity", "none", "utf-8")  # the last two are mistakes of servers that browsers pass over
_PACKED_CODINGS = ("gzip", "x-gzip", "deflate")
_BLOCK_BYTES = 64 * 1024
_LONGEST_TIMEOUT_S = 24 * 3600.0

_ADVICE = {
    401: "the page needs a user name and a password: https://user:password@host/",
    403: "the site refuses programs, or the page needs a login: save it with a browser and read the file",
    404: "check the address",
    410: "the page is gone for good",
    429: "the site wants fewer requests: wait and try again",
}


def _user_agent() -> str:
    try:
        release = version("peneira")
    except PackageNotFoundError:
        release = "0"
    return f"peneira/{release} (+https://pypi.org/project/peneira/)"


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How a page is fetched. ``timeout_s`` holds for the whole fetch, from the first look-up to the last byte."""

    timeout_s: float = 30.0
    max_redirects: int = 10
    allow_private: bool = False
    user_agent: str = field(default_factory=_user_agent)

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s <= _LONGEST_TIMEOUT_S:
            raise ValueError(f"timeout_s must be above 0 and at most {_LONGEST_TIMEOUT_S:g}, not {self.timeout_s!r}")
        if self.max_redirects < 0:
            raise ValueError(f"max_redirects must be 0 or more, not {self.max_redirects!r}")


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as the server sent it, unpacked; ``redirects`` are the URLs that led to ``url``, in order.

    A page longer than the limit ``is_cut``: its body has one byte more than the limit, so that ``read_page`` notes it.
    """

    url: str
    status: int
    body: bytes
    charset: str | None
    content_type: str
    redirects: tuple[str, ...]
    is_cut: bool


def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of a host, in the order in which the system would try them."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(answer[4][0])) for answer in answers))


def connect(address: Address, port: int, timeout_s: float) -> socket.socket:
    """Return a socket that is connected to an address."""
    return socket.create_connection((str(address), port), timeout_s)


@cache  # reading the certificates of the system takes 26 ms
def tls_context() -> ssl.SSLContext:
    """Return the settings of a TLS connection: certificate and host name are verified."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


@dataclass(frozen=True, slots=True)
class Network:
    """The network as ``fetch`` sees it: three functions, which tests replace. The address rules are not among them."""

    resolve: Callable[[str, int], Sequence[Address]] = resolve
    connect: Callable[[Address, int, float], socket.socket] = connect
    tls_context: Callable[[], ssl.SSLContext] = tls_context


DEFAULT_OPTIONS = FetchOptions()
INTERNET = Network()


def fetch(
    url: str,
    *,
    limits: Limits = DEFAULT_LIMITS,
    options: FetchOptions = DEFAULT_OPTIONS,
    network: Network = INTERNET,
) -> FetchedPage:
    """Return the page at an http or https URL, redirects followed; whatever goes wrong is a ``FetchError``.

    A user name and password in the URL are sent as Basic authentication to that origin only, and are shown nowhere.
    """
    deadline = _Deadline(options.timeout_s)
    start = target = parse_url(url)
    trail: list[str] = []
    came_from_public = False
    while True:
        with _explained(target.url, options.timeout_s):
            addresses = _look_up(target, network, deadline)
            if came_from_public and not options.allow_private:
                _refuse_private(addresses, target, trail[-1])
            came_from_public = any(map(is_public, addresses))
            credentials = start.credentials if target.origin == start.origin else None
            with _connected(target, addresses, network, deadline) as sock:
                response = _response(_Wire(sock, deadline), target, credentials, options.user_agent)
                if response.status not in _REDIRECTS:
                    return _fetched(response, target, trail, limits)
            trail.append(target.url)
            target = _redirected(response, target)
        _refuse_endless(target, trail, options.max_redirects)


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart, each part fit to be sent. ``path`` has the query; ``credentials`` are never shown."""

    scheme: str
    host: str
    port: int
    path: str
    credentials: str | None = field(default=None, repr=False)

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"


def parse_url(url: str, *, redirected_by: str = "") -> Target:
    """Return an http or https URL taken apart; any other is a ``FetchError``."""
    url = url.strip()
    shown, via = display_url(url), f" (redirected by {redirected_by})" if redirected_by else ""
    if _CONTROL.search(url):
        raise FetchError(shown, f"the URL has a line break or another control character in it{via}")
    try:
        scheme = urlsplit(url).scheme
        if scheme in PORTS:
            return _taken_apart(url)
    except ValueError as error:  # its message may quote the password
        reason = f"not a valid URL, check its host and port{via}"
        raise FetchError(shown, reason) from (None if "@" in url else error)
    if scheme:
        raise RefusedAddress(shown, f"only URLs with http:// or https:// in front are fetched, not {scheme}:{via}")
    raise FetchError(shown, f"the URL has no scheme, write it with https:// in front{via}")


def _taken_apart(url: str) -> Target:
    parts = urlsplit(url)
    path = quote(parts.path or "/", safe=_SAFE_IN_TARGET)
    if parts.query:
        path += "?" + quote(parts.query, safe=_SAFE_IN_TARGET)
    port = PORTS[parts.scheme] if parts.port is None else parts.port
    credentials = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        credentials = b64encode(pair.encode()).decode("ascii")
    return Target(parts.scheme, _ascii_host(parts.hostname or ""), port, path, credentials)


def _ascii_host(host: str) -> str:
    if ":" in host and "%" not in host:
        return str(IPv6Address(host))
    name = host.encode("idna").decode("ascii").lower()
    if not _HOST_NAME.fullmatch(name):
        raise ValueError("not a host name")
    return name


def display_url(url: str) -> str:
    """Return a URL as a message may show it: printable, and with nothing that could be a password."""
    if "@" in url:
        before, _, after = url.rpartition("@")
        scheme, slashes, _ = before.partition("://")
        url = f"{scheme}://…@{after}" if slashes else f"…@{after}"
    return _printable(url)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _refuse_private(addresses: Sequence[Address], target: Target, referrer: str) -> None:
    for address in addresses:
        if not is_public(address):
            raise RefusedAddress(
                target.url,
                f"the public page {referrer} redirects to this private address ({address}); "
                "if that is meant, fetch the address itself or set allow_private",
            )


def _redirected(response: HTTPResponse, target: Target) -> Target:
    location = response.headers.get("Location", "").strip()
    if not location:
        raise FetchError(
            target.url, f"the server answered {_status(response.status)} without saying where to; try a browser"
        )
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")  # http.client reads headers as latin-1
    return parse_url(urljoin(target.url, location), redirected_by=target.url)


def _refuse_endless(target: Target, trail: Sequence[str], max_redirects: int) -> None:
    if target.url in trail:
        raise FetchError(trail[0], f"redirects in a circle, back to {target.url}; it may need cookies: try a browser")
    if len(trail) > max_redirects:
        raise FetchError(trail[0], f"more than {max_redirects} redirects, the last one to {target.url}; try a browser")


class _Deadline:
    """The moment when the whole fetch must be over."""

    def __init__(self, timeout_s: float) -> None:
        self._at_s = monotonic() + timeout_s

    def left_s(self) -> float:
        left_s = self._at_s - monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        return left_s


class _Wire(io.RawIOBase):
    """A socket as http.client uses one; a server that sends byte by byte does not stretch the deadline."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self.is_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._sock.settimeout(self._deadline.left_s())
        received = self._sock.recv_into(buffer)
        self.is_ended = received == 0
        return received

    def sendall(self, data: ReadableBuffer) -> None:
        self._sock.settimeout(self._deadline.left_s())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def close(self) -> None:
        """Do nothing: http.client closes before the body is read, and who opened the socket closes it."""


def _look_up(target: Target, network: Network, deadline: _Deadline) -> Sequence[Address]:
    """Return the addresses of the target. getaddrinfo knows no timeout: a thread that takes too long is left behind."""
    answer: Future[Sequence[Address]] = Future()

    def look_up() -> None:
        try:
            answer.set_result(network.resolve(target.host, target.port))
        except Exception as error:
            answer.set_exception(error)

    Thread(target=look_up, daemon=True).start()
    return answer.result(deadline.left_s())


@contextmanager
def _connected(
    target: Target, addresses: Sequence[Address], network: Network, deadline: _Deadline
) -> Iterator[socket.socket]:
    with _first_to_answer(target, addresses, network, deadline) as sock:
        if target.scheme == "http":
            yield sock
            return
        sock.settimeout(deadline.left_s())
        # the certificate is checked against the name, wherever the socket leads
        with network.tls_context().wrap_socket(sock, server_hostname=target.host.rstrip(".")) as secured:
            yield secured


def _first_to_answer(
    target: Target, addresses: Sequence[Address], network: Network, deadline: _Deadline
) -> socket.socket:
    failure = OSError("the host has no address")
    for tried, address in enumerate(addresses):
        try:  # an address that never answers leaves time for those that come after
            return network.connect(address, target.port, deadline.left_s() / (len(addresses) - tried))
        except OSError as error:
            failure = error
    raise failure


def _response(wire: _Wire, target: Target, credentials: str | None, user_agent: str) -> HTTPResponse:
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
    connection.sock = wire
    connection.request("GET", target.path, headers=headers)
    response = connection.getresponse()
    if wire.is_ended:  # http.client takes headers that break off for whole ones
        raise IncompleteRead(b"")
    return response


def _fetched(response: HTTPResponse, target: Target, trail: Sequence[str], limits: Limits) -> FetchedPage:
    if not 200 <= response.status < 300:
        raise FetchError(target.url, status_message(response.status, "try a browser"))
    content_type = media_type(response.headers.get("Content-Type", ""))
    if content_type not in PAGE_TYPES:
        raise FetchError(target.url, not_a_page_message(content_type))
    body = _body(response, _unpacker(response, target), limits)
    return FetchedPage(
        url=target.url,
        status=response.status,
        body=body,
        charset=response.headers.get_content_charset(),
        content_type=content_type,
        redirects=tuple(trail),
        is_cut=len(body) > limits.bytes,
    )


@contextmanager
def _explained(url: str, timeout_s: float) -> Iterator[None]:
    """Turn the errors of the system, of TLS and of HTTP into a ``FetchError`` that says what to do."""
    try:
        yield
    except (OSError, HTTPException, zlib.error, ValueError) as error:
        raise FetchError(url, explain_error(error, timeout_s)) from error


def explain_error(error: Exception, timeout_s: float) -> str:
    """Return what went wrong on the way to a page, and what to do."""
    match error:
        case socket.gaierror():
            return "unknown host; check the address and the network connection"
        case TimeoutError():
            return f"timed out, not done within {timeout_s:g} s; try again or set a longer timeout_s"
        case ssl.SSLCertVerificationError():
            problem = error.verify_message.rstrip(".")
            return (
                f"the TLS certificate is not trusted ({problem}); check the host name, or save the page with a browser"
            )
        case ssl.SSLError():
            problem = str(error.reason or error).replace("_", " ").lower()
            return f"no TLS connection ({problem}); check the port, or try http://"
        case ConnectionRefusedError():
            return "connection refused, nothing listens there; check the host and the port"
        case ConnectionError() | IncompleteRead():
            return "the connection was closed before the whole page had come; try again"
        case HTTPException():
            return f"the answer is not proper HTTP ({_printable(str(error).strip())[:80]}); check the port"
        case zlib.error():
            return f"the packed page is damaged ({error}); try again"
        case OSError():
            return f"no connection ({error.strerror or error}); check the address and the network connection"
    return f"the request cannot be sent ({_printable(str(error))[:80]}); check the URL and the user agent"


def status_message(status: int, otherwise: str) -> str:
    """Return what an answer that is no page means, and what to do; ``otherwise`` is said where we know nothing."""
    advice = _ADVICE.get(status) or ("try again later" if status >= 500 else otherwise)
    return f"the server answered {_status(status)}; {advice}"


def not_a_page_message(content_type: str) -> str:
    """Return what to say of an answer that is something else than a page."""
    return f"not a web page but {_printable(content_type)}; give the URL of an HTML page"


def media_type(header: str) -> str:
    """Return the type that a Content-Type header names, without its parameters."""
    return header.partition(";")[0].strip().lower()


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _body(response: HTTPResponse, unpacker: ContentDecoder, limits: Limits) -> bytes:
    """Return the unpacked body, one byte more than the limit at most."""
    body = bytearray()
    # read1, since read() trusts a chunk that says its size is -1 and takes all there is into memory
    while len(body) <= limits.bytes and (data := response.read1(_BLOCK_BYTES)):
        body += unpacker.decode_block(data, limits.bytes + 1 - len(body))
    if len(body) <= limits.bytes and (response.length or not unpacker.is_complete()):
        raise IncompleteRead(b"")
    return bytes(body)


def _unpacker(response: HTTPResponse, target: Target) -> ContentDecoder:
    named = ",".join(response.headers.get_all("Content-Encoding", [])).lower().split(",")
    codings = [coding.strip() for coding in named if coding.strip() not in _PLAIN_CODINGS]
    if not codings:
        return ContentDecoder()
    if len(codings) > 1 or codings[0] not in _PACKED_CODINGS:
        packed = _printable(", ".join(codings))
        reason = f"the server packed the page with {packed}, but only gzip and deflate were asked for; try a browser"
        raise FetchError(target.url, reason)
    return DeflateDecoder(is_gzip=codings[0] != "deflate")

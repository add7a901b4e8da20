"""The fetcher against real servers on loopback; names resolve as a test says, the address rules are the real ones."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import traceback
import zlib
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.errors import FetchError, RefusedAddress
from peneira.limits import Limits
from peneira.sources.addresses import Address, is_public
from peneira.sources.fetch import DEFAULT_OPTIONS, FetchedPage, FetchOptions, fetch
from peneira.sources.html import read_page
from peneira.sources.network import Network, connect, resolve

HTML = b"<title>Page</title>"
PUBLIC_IP = "93.184.215.14"
QUICK = FetchOptions(timeout_s=0.3)
TIMED_OUT = "timed out, not done within 0.3 s; try again or set a longer timeout_s"
CLOSED_EARLY = "the connection was closed before the whole page had come; try again"

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


class Site(ThreadingHTTPServer):
    """A server on loopback that answers each path with the bytes given for it, and notes what it was asked."""

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
    server: Site

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers.items())))
        answer = self.server.pages[self.path]
        if callable(answer):
            answer(self.connection)
        else:
            self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    yield from served(Site())


@pytest.fixture
def other() -> Iterator[Site]:
    yield from served(Site())


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[Site]:
    file = tmp_path / "server.pem"
    file.write_text(pem("PRIVATE KEY", KEY) + pem("CERTIFICATE", CERTIFICATE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    site = Site()
    site.socket = context.wrap_socket(site.socket, server_side=True)
    site.pages["/"] = answer(HTML)
    yield from served(site)


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def served(site: Site) -> Iterator[Site]:
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
    """Return a network where some names have the addresses told, and where each connection ends on loopback."""

    def told(host: str, port: int) -> list[Address]:
        return [ip_address(text) for text in addresses[host]] if host in addresses else resolve(host, port)

    def to_loopback(address: Address, port: int, timeout_s: float) -> socket.socket:
        if connected is not None:
            connected.append(str(address))
        return connect(IPv4Address("127.0.0.1"), port, timeout_s)

    return Network(resolve=told, connect=to_loopback)


WEB = names({"public.example": [PUBLIC_IP], "mixed.example": [PUBLIC_IP, "10.0.0.1"], "inside.example": ["10.0.0.1"]})


def failure(url: str, *, options: FetchOptions = DEFAULT_OPTIONS, network: Network = WEB) -> str:
    with pytest.raises(FetchError) as caught:
        fetch(url, options=options, network=network)
    return str(caught.value)


# --- pages ---


def test_a_page_is_fetched(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    assert fetch(site.url()) == page(site.url())


def test_the_charset_of_the_header_is_kept_without_its_quotes(site: Site) -> None:
    site.pages["/"] = answer(HTML, content_type='text/html; charset="ISO-8859-1"')
    assert fetch(site.url()) == page(site.url(), charset="iso-8859-1")


def test_a_page_without_content_type_is_taken(site: Site) -> None:
    site.pages["/"] = b"HTTP/1.0 200 OK\r\n\r\n" + HTML
    assert fetch(site.url()) == FetchedPage(site.url(), 200, HTML, None, "", (), is_cut=False)


def test_an_answer_without_content_is_an_empty_page(site: Site) -> None:
    site.pages["/"] = b"HTTP/1.1 204 No Content\r\n\r\n"
    assert fetch(site.url()) == FetchedPage(site.url(), 204, b"", None, "", (), is_cut=False)


def test_a_chunked_page_is_put_together(site: Site) -> None:
    site.pages["/"] = chunked(b"<p>one", b"<p>two", b"")
    assert fetch(site.url()).body == b"<p>one<p>two"


def test_the_request_says_who_asks_and_what_for(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    fetch(site.url(), options=FetchOptions(user_agent="peneira/test"))
    assert site.requests == [
        (
            "/",
            {
                "Host": f"127.0.0.1:{site.server_port}",
                "User-Agent": "peneira/test",
                "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1",
                "Accept-Encoding": "gzip, deflate",
                "Connection": "close",
            },
        )
    ]


def test_proxies_of_the_environment_are_not_asked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    site.pages["/"] = answer(HTML)
    assert fetch(site.url()) == page(site.url())


# --- compressed bodies and limits ---


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(HTML)),
        ("X-GZIP", gzip.compress(HTML)),
        ("gzip", gzip.compress(HTML[:5]) + gzip.compress(b"") + gzip.compress(HTML[5:])),
        ("gzip", gzip.compress(HTML) + b"\0\0padding"),
        ("deflate", zlib.compress(HTML)),
        ("deflate", raw_deflate(HTML)),
        ("identity", HTML),
        ("UTF-8", HTML),
    ],
)
def test_a_packed_page_is_unpacked(site: Site, coding: str, packed: bytes) -> None:
    site.pages["/"] = answer(packed, f"Content-Encoding: {coding}")
    assert fetch(site.url()).body == HTML


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(HTML) * 2),
        ("deflate", zlib.compress(HTML * 2)),
        ("deflate", raw_deflate(HTML * 2)),
    ],
)
def test_a_packed_page_may_come_byte_by_byte(site: Site, coding: str, packed: bytes) -> None:
    whole = chunked(*(bytes([byte]) for byte in packed), b"")
    site.pages["/"] = whole.replace(b"chunked\r\n", b"chunked\r\nContent-Encoding: %b\r\n" % coding.encode(), 1)
    assert fetch(site.url()).body == HTML * 2


def test_an_empty_page_may_call_itself_packed(site: Site) -> None:
    site.pages["/"] = answer(b"", "Content-Encoding: gzip")
    assert fetch(site.url()).body == b""


def test_a_gzip_bomb_is_unpacked_to_the_limit_and_no_further(site: Site) -> None:
    site.pages["/"] = answer(gzip.compress(b" " * 50_000_000), "Content-Encoding: gzip")
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b" " * 1001, True)


def test_a_long_page_is_cut_one_byte_behind_the_limit(site: Site) -> None:
    site.pages["/"] = answer(b"x" * 500_000)
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b"x" * 1001, True)


def test_a_page_as_long_as_the_limit_is_whole(site: Site) -> None:
    site.pages["/"] = answer(gzip.compress(b"x" * 1000), "Content-Encoding: gzip")
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b"x" * 1000, False)


def test_a_cut_page_says_so_when_it_is_read(site: Site) -> None:
    site.pages["/"] = answer(b"<p>one<p>two")
    limits = Limits(bytes=6)
    cuts = read_page(fetch(site.url(), limits=limits).body, limits=limits).cuts
    assert [cut.limit for cut in cuts] == ["bytes"]


def test_a_chunk_of_negative_size_does_not_get_past_the_limit(site: Site) -> None:
    site.pages["/"] = chunked().replace(b"\r\n\r\n", b"\r\n\r\n-1\r\n") + b"x" * 500_000
    assert len(fetch(site.url(), limits=Limits(bytes=1000)).body) == 1001


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip"])
def test_a_content_coding_that_is_not_read_is_named(site: Site, coding: str) -> None:
    site.pages["/"] = answer(HTML, f"Content-Encoding: {coding}")
    reason = f"the server compressed the page with {coding}, but only gzip and deflate are read; try a browser"
    assert failure(site.url()) == f"{site.url()}: {reason}"


def test_a_damaged_compressed_page_is_an_error(site: Site) -> None:
    site.pages["/"] = answer(HTML, "Content-Encoding: gzip")
    reason = "the compressed page is damaged (Error -3 while decompressing data: incorrect header check); try again"
    assert failure(site.url()) == f"{site.url()}: {reason}"


@pytest.mark.parametrize(
    "broken",
    [
        answer(HTML)[:-5],
        chunked(HTML),
        chunked(HTML)[:-8],
        b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(HTML)[:-9],
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
        b"HTTP/1.1 200",
        b"",
    ],
    ids=["length", "no last chunk", "middle of a chunk", "gzip", "headers", "status", "nothing at all"],
)
def test_a_page_that_breaks_off_is_an_error(site: Site, broken: bytes) -> None:
    site.pages["/"] = broken
    assert failure(site.url()) == f"{site.url()}: {CLOSED_EARLY}"


# --- redirects ---


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_each_kind_of_redirect_is_followed(site: Site, status: str) -> None:
    site.pages |= {"/": redirect("/end", status), "/end": answer(HTML)}
    assert fetch(site.url()) == page(site.url("/end"), redirects=(site.url(),))


def test_a_chain_of_redirects_is_noted_in_order(site: Site, other: Site) -> None:
    site.pages |= {"/a/": redirect("b#part"), "/a/b": redirect(other.url("/c?d=1"))}
    other.pages |= {"/c?d=1": redirect("?d=2"), "/c?d=2": answer(HTML)}
    assert fetch(site.url("/a/")) == page(
        other.url("/c?d=2"), redirects=(site.url("/a/"), site.url("/a/b"), other.url("/c?d=1"))
    )


def test_a_redirect_in_raw_utf8_is_encoded(site: Site) -> None:
    site.pages |= {"/": redirect("/caf\u00e9 au lait"), "/caf%C3%A9%20au%20lait": answer(HTML)}
    assert fetch(site.url()).url == site.url("/caf%C3%A9%20au%20lait")


def test_a_circle_of_redirects_is_an_error(site: Site) -> None:
    site.pages |= {"/": redirect("/b"), "/b": redirect("/")}
    assert failure(site.url()) == (
        f"{site.url()}: redirects in a circle, back to {site.url()}; it may need cookies: try a browser"
    )


def test_too_many_redirects_are_an_error(site: Site) -> None:
    site.pages |= {f"/{n}": redirect(f"/{n + 1}") for n in range(4)}
    assert failure(site.url("/0"), options=FetchOptions(max_redirects=2)) == (
        f"{site.url('/0')}: more than 2 redirects, the last one to {site.url('/3')}; try a browser"
    )
    assert site.paths == ["/0", "/1", "/2"]


def test_as_many_redirects_as_allowed_are_followed(site: Site) -> None:
    site.pages |= {"/0": redirect("/1"), "/1": redirect("/2"), "/2": answer(HTML)}
    assert fetch(site.url("/0"), options=FetchOptions(max_redirects=2)).url == site.url("/2")


def test_a_redirect_to_nowhere_is_an_error(site: Site) -> None:
    site.pages["/"] = answer(b"", status="302 Found")
    assert failure(site.url()) == (
        f"{site.url()}: the server answered 302 Found without saying where to; try a browser"
    )


def test_a_redirect_to_a_broken_url_is_an_error(site: Site) -> None:
    site.pages["/"] = redirect("http://host:port/")
    assert failure(site.url()) == (
        f"http://host:port/: not a valid URL, check its host and port (redirected by {site.url()})"
    )


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://host/page", "data:text/html,hi", "FILE:/etc/passwd"])
def test_a_redirect_to_another_scheme_is_refused(site: Site, location: str) -> None:
    site.pages["/"] = redirect(location)
    with pytest.raises(
        RefusedAddress, match=r"only URLs with http:// or https:// in front are fetched, not (file|ftp|data): "
    ):
        fetch(site.url(), network=WEB)


# --- private addresses ---


def test_a_public_page_may_not_redirect_to_a_private_address(site: Site) -> None:
    site.pages |= {"/": redirect(site.url("/admin")), "/admin": answer(b"secret")}
    start = site.url(host="public.example")
    with pytest.raises(RefusedAddress) as caught:
        fetch(start, network=WEB)
    assert (caught.value.url, str(caught.value), site.paths) == (
        site.url("/admin"),
        f"{site.url('/admin')}: the public page {start} redirects to this private address (127.0.0.1); "
        "if that is meant, fetch the address itself or set allow_private",
        ["/"],
    )


def test_a_public_page_may_redirect_to_a_private_address_if_allowed(site: Site) -> None:
    site.pages |= {"/": redirect(site.url("/admin")), "/admin": answer(HTML)}
    start = site.url(host="public.example")
    fetched = fetch(start, options=FetchOptions(allow_private=True), network=WEB)
    assert fetched == page(site.url("/admin"), redirects=(start,))


def test_a_private_address_may_be_typed_and_redirect_to_private_ones(site: Site) -> None:
    site.pages |= {"/": redirect(site.url("/end", host="inside.example")), "/end": answer(HTML)}
    assert fetch(site.url(), network=WEB) == page(site.url("/end", host="inside.example"), redirects=(site.url(),))


def test_a_public_page_may_redirect_to_public_ones(site: Site) -> None:
    site.pages |= {"/": redirect("/end"), "/end": answer(HTML)}
    assert fetch(site.url(host="public.example"), network=WEB).url == site.url("/end", host="public.example")


def test_the_way_back_from_a_public_page_to_a_private_one_is_closed(site: Site) -> None:
    site.pages |= {"/": redirect(site.url("/hop", host="public.example")), "/hop": redirect(site.url("/admin"))}
    with pytest.raises(RefusedAddress):
        fetch(site.url(), network=WEB)
    assert site.paths == ["/", "/hop"]


def test_one_private_address_among_public_ones_is_enough_to_refuse(site: Site) -> None:
    site.pages["/"] = redirect(site.url("/end", host="mixed.example"))
    with pytest.raises(RefusedAddress):
        fetch(site.url(host="public.example"), network=WEB)


def test_a_host_with_one_public_address_counts_as_public_when_it_redirects(site: Site) -> None:
    site.pages["/"] = redirect(site.url("/admin"))
    with pytest.raises(RefusedAddress):
        fetch(site.url(host="mixed.example"), network=WEB)


@pytest.mark.parametrize(
    "spelling",
    ["2130706433", "0x7f.1", "017700000001", "127.1", "0", "localhost", "[::1]", "[::ffff:127.0.0.1]", "１２７。1"],
)
def test_a_private_address_is_refused_however_it_is_spelled(site: Site, spelling: str) -> None:
    site.pages["/"] = redirect(site.url("/admin", host=spelling))
    with pytest.raises(RefusedAddress):
        fetch(site.url(host="public.example"), network=WEB)
    assert site.paths == ["/"]


def test_each_hop_is_resolved_once_and_the_socket_goes_to_that_address(site: Site) -> None:
    site.pages |= {"/": redirect("/end"), "/end": answer(HTML)}
    rebinding = iter([PUBLIC_IP, "1.1.1.1", "127.0.0.1"])
    connected: list[str] = []
    network = Network(resolve=lambda host, port: [ip_address(next(rebinding))], connect=names({}, connected).connect)
    fetch(site.url(host="public.example"), network=network)
    assert connected == [PUBLIC_IP, "1.1.1.1"]


def test_an_address_that_does_not_answer_gives_way_to_the_next(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    tried: list[str] = []

    def first_refuses(address: Address, port: int, timeout_s: float) -> socket.socket:
        tried.append(str(address))
        if len(tried) == 1:
            raise ConnectionRefusedError
        return connect(IPv4Address("127.0.0.1"), port, timeout_s)

    network = Network(resolve=WEB.resolve, connect=first_refuses)
    assert fetch(site.url(host="mixed.example"), network=network).body == HTML
    assert tried == [PUBLIC_IP, "10.0.0.1"]


@pytest.mark.parametrize(
    "text",
    [
        "8.8.8.8", "1.1.1.1", PUBLIC_IP, "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
        "198.17.0.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::808:808",
    ],
)  # fmt: skip
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.0.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "100.127.255.255", "168.63.129.16",
        "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "ff0e::1",
        "2001:db8::1", "3fff::1", "100::1", "4000::1", "5f00::1", "64:ff9b:1::808:808",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8",
        "2002:7f00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::1",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:808:808:0:ffff:80ff:fffe",
    ],
)  # fmt: skip
def test_all_other_addresses_are_private(text: str) -> None:
    assert not is_public(ip_address(text))


@given(st.ip_addresses(v=4))
def test_no_ipv4_address_is_public_that_python_calls_special(address: IPv4Address) -> None:
    assert not is_public(address) or (address.is_global and not address.is_multicast and not address.is_reserved)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_as_public_inside_an_ipv6_address(address: IPv4Address) -> None:
    number = int(address)
    wrapped = [IPv6Address(0xFFFF << 32 | number), IPv6Address(0x2002 << 112 | number << 80)]
    wrapped.append(IPv6Address(0x64FF9B << 96 | number))
    assert [is_public(one) for one in wrapped] == [is_public(address)] * 3


# --- URLs ---


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("", "/"),
        ("/", "/"),
        ("?q=1", "/?q=1"),
        ("/two words", "/two%20words"),
        ('/caf\u00e9?q=\u00fc "x"', "/caf%C3%A9?q=%C3%BC%20%22x%22"),
        ("/caf%C3%A9%2Fa", "/caf%C3%A9%2Fa"),
        ("/100%", "/100%"),
        ("/a;b,c=(d)!*'?e=[f]&g=h/i?j@k:l+m", "/a;b,c=(d)!*'?e=[f]&g=h/i?j@k:l+m"),
        ("/page#part", "/page"),
        ("/%0d%0aX-Evil:1", "/%0d%0aX-Evil:1"),
    ],
)
def test_the_path_is_encoded_once(site: Site, typed: str, asked: str) -> None:
    site.pages[asked] = answer(HTML)
    assert fetch(site.url(typed)).url == site.url(asked)
    assert site.paths == [asked]


def test_a_host_name_of_another_script_is_encoded(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    encoded = "xn--bcher-kva.example"
    assert fetch(site.url(host="B\u00fccher.example"), network=names({encoded: [PUBLIC_IP]})).url == site.url(
        host=encoded
    )
    assert site.sent("Host") == [f"{encoded}:{site.server_port}"]


def test_scheme_and_host_may_be_in_capitals_and_space_around_is_dropped(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    start = f"  HTTP://PUBLIC.example:{site.server_port}/\n"
    assert fetch(start, network=WEB).url == site.url(host="public.example")


@pytest.mark.parametrize("scheme", ["ftp", "file", "javascript", "gopher"])
def test_other_schemes_are_refused(scheme: str) -> None:
    with pytest.raises(RefusedAddress) as caught:
        fetch(f"{scheme}://host/page")
    assert (
        str(caught.value)
        == f"{scheme}://host/page: only URLs with http:// or https:// in front are fetched, not {scheme}:"
    )


def test_a_url_without_scheme_is_an_error() -> None:
    assert failure("example.com/page") == ("example.com/page: the URL has no scheme, write it with https:// in front")


@pytest.mark.parametrize(
    "url",
    [
        "http://", "http:///page", "http:page", "http://host:port/", "http://host:99999/", "http://[::1/", "http://[nonsense]/",
        "http://a..b/", "http://%31%32%37.0.0.1/", "http://two words/", "http://a\\b/", "http://[fe80::1%25eth0]/",
        f"http://{'a' * 64}/", "http://\ud800/", "http://host/\ud800", "http://a\u2100b/",
    ],
)  # fmt: skip
def test_a_broken_url_is_an_error(url: str) -> None:
    assert "not a valid URL, check its host and port" in failure(url)


@pytest.mark.parametrize("evil", ["/\r\nX-Evil: 1", "/ HTTP/1.1\r\n\r\nGET /two", "/\x00", "/\x1b[31m", "/?\n"])
def test_a_url_with_control_characters_is_never_sent(site: Site, evil: str) -> None:
    site.pages["/"] = answer(HTML)
    message = failure(site.url(evil + "x"))
    assert "the URL has a line break or another control character in it" in message
    assert message.isprintable()
    assert site.requests == []


def test_a_user_agent_with_a_line_break_is_never_sent(site: Site) -> None:
    message = failure(site.url(), options=FetchOptions(user_agent="me\r\nX-Evil: 1"))
    assert message.endswith("; check the URL and the user agent")
    assert site.requests == []


@pytest.mark.parametrize("timeout_s", [0, -1, float("inf"), float("nan")])
def test_a_timeout_that_is_none_is_not_accepted(timeout_s: float) -> None:
    with pytest.raises(ValueError, match="timeout_s must be above 0"):
        FetchOptions(timeout_s=timeout_s)


def test_a_negative_number_of_redirects_is_not_accepted() -> None:
    with pytest.raises(ValueError, match="max_redirects must be 0 or more"):
        FetchOptions(max_redirects=-1)


def test_the_user_agent_names_the_project() -> None:
    name, _, rest = FetchOptions().user_agent.partition("/")
    assert (name, rest.partition(" ")[2]) == ("peneira", "(+https://pypi.org/project/peneira/)")


# --- passwords ---


def test_a_password_in_the_url_is_sent_and_not_shown(site: Site) -> None:
    site.pages["/"] = answer(HTML)
    assert fetch(site.url(host="us%40er:s3cret@127.0.0.1")) == page(site.url())
    assert site.sent("Authorization") == ["Basic dXNAZXI6czNjcmV0"]


def test_a_password_goes_to_its_own_origin_only(site: Site, other: Site) -> None:
    site.pages |= {"/": redirect("/next"), "/next": redirect(other.url()), "/back": answer(HTML)}
    other.pages["/"] = redirect(site.url("/back"))
    fetched = fetch(site.url(host="user:s3cret@127.0.0.1"))
    assert fetched == page(site.url("/back"), redirects=(site.url(), site.url("/next"), other.url()))
    assert site.sent("Authorization") == ["Basic dXNlcjpzM2NyZXQ="] * 3
    assert other.sent("Authorization") == [None]


def test_a_password_that_a_redirect_brings_is_not_sent(site: Site, other: Site) -> None:
    site.pages["/"] = redirect(other.url(host="user:s3cret@127.0.0.1"))
    other.pages["/"] = answer(HTML)
    assert fetch(site.url()) == page(other.url(), redirects=(site.url(),))
    assert other.sent("Authorization") == [None]


@pytest.mark.parametrize(
    "url",
    [
        "http://user:s3cret@no-such-host.invalid/", "ftp://user:s3cret@host/", "http://user:s3cret@host:port/",
        "http://user:s3cret/@host/", "http://user:a@s3cret@host:port/", "http://user:s3cret\u2100@host/",
        "http://user:s3cret\n@host/", "user:s3cret@host", "http://user:s3cret#@host/", "http://user:s3cret?@[host/",
    ],
)  # fmt: skip
def test_no_error_shows_the_password(url: str) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(url)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


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
def test_a_status_other_than_success_is_an_error(site: Site, status: str, reason: str) -> None:
    site.pages["/"] = answer(HTML, status=status)
    assert failure(site.url()) == f"{site.url()}: the server answered {reason}"


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "application/json; charset=utf-8"])
def test_what_is_no_page_is_named(site: Site, content_type: str) -> None:
    site.pages["/"] = answer(b"...", content_type=content_type)
    kind = content_type.partition(";")[0]
    assert failure(site.url()) == f"{site.url()}: not a web page but {kind}; give the URL of an HTML page"


@pytest.mark.parametrize(
    "content_type", ["Text/HTML", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"]
)
def test_each_type_that_can_hold_a_page_is_taken(site: Site, content_type: str) -> None:
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
def test_a_server_that_drips_is_given_up_all_the_same(site: Site, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:  # until the client leaves, and this fails
            connection.sendall(b"x")

    site.pages["/"] = drip
    monkeypatch.setattr("peneira.sources.network.monotonic", count(step=10).__next__)
    options = FetchOptions(timeout_s=80)
    assert failure(site.url(), options=options) == f"{site.url()}: {TIMED_OUT.replace('0.3', '80')}"


def test_the_deadline_holds_for_all_redirects_together(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_server_of_another_kind_is_an_error(site: Site) -> None:
    site.pages["/"] = b"SSH-2.0-OpenSSH_9.6\r\n"
    assert failure(site.url()) == f"{site.url()}: the answer is not proper HTTP (SSH-2.0-OpenSSH_9.6); check the port"


def test_a_header_without_end_is_an_error(site: Site) -> None:
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


def test_a_page_comes_over_tls_when_the_certificate_is_trusted(secure: Site) -> None:
    url = secure.url(scheme="https", host="secure.example")
    assert fetch(url, network=trusting({"secure.example": [PUBLIC_IP]})) == page(url)


def test_a_certificate_that_is_signed_by_itself_is_refused(secure: Site) -> None:
    url = secure.url(scheme="https", host="secure.example")
    message = failure(url, network=names({"secure.example": [PUBLIC_IP]}))
    assert message.startswith(f"{url}: the TLS certificate is not trusted (self")
    assert message.endswith("; check the host name, or save the page with a browser")
    assert secure.requests == []


def test_a_certificate_for_another_host_is_refused(secure: Site) -> None:
    url = secure.url(scheme="https", host="other.example")
    message = failure(url, network=trusting({"other.example": [PUBLIC_IP]}))
    assert "the TLS certificate is not trusted (Hostname mismatch" in message
    assert secure.requests == []


def test_https_to_a_server_without_tls_is_an_error(site: Site) -> None:
    url = site.url(scheme="https")
    message = failure(url)
    assert message.startswith(f"{url}: no TLS connection (")
    assert message.endswith("; check the port, or try http://")

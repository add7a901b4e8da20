"""Pages fetched from real servers on loopback: bodies, compression, limits and redirects."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest

from peneira.errors import RefusedAddress
from peneira.limits import Limits
from peneira.sources.fetch import FetchedPage, fetch
from peneira.sources.fetch_options import FetchOptions
from peneira.sources.html import read_page
from raw_site import HTML, WEB, RawSite, answer, chunked, failure, page, redirect, served

CLOSED_EARLY = "the connection was closed before the whole page had come; try again"


@pytest.fixture
def site() -> Iterator[RawSite]:
    yield from served(RawSite())


@pytest.fixture
def other() -> Iterator[RawSite]:
    yield from served(RawSite())


# --- pages ---


def test_a_page_is_fetched(site: RawSite) -> None:
    site.pages["/"] = answer(HTML)
    assert fetch(site.url()) == page(site.url())


def test_the_charset_of_the_header_is_kept_without_its_quotes(site: RawSite) -> None:
    site.pages["/"] = answer(HTML, content_type='text/html; charset="ISO-8859-1"')
    assert fetch(site.url()) == page(site.url(), charset="iso-8859-1")


def test_a_page_without_content_type_is_taken(site: RawSite) -> None:
    site.pages["/"] = b"HTTP/1.0 200 OK\r\n\r\n" + HTML
    assert fetch(site.url()) == FetchedPage(site.url(), 200, HTML, None, "", (), is_cut=False)


def test_an_answer_without_content_is_an_empty_page(site: RawSite) -> None:
    site.pages["/"] = b"HTTP/1.1 204 No Content\r\n\r\n"
    assert fetch(site.url()) == FetchedPage(site.url(), 204, b"", None, "", (), is_cut=False)


def test_a_chunked_page_is_put_together(site: RawSite) -> None:
    site.pages["/"] = chunked(b"<p>one", b"<p>two", b"")
    assert fetch(site.url()).body == b"<p>one<p>two"


def test_the_request_says_who_asks_and_what_for(site: RawSite) -> None:
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


def test_proxies_of_the_environment_are_not_asked(site: RawSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    site.pages["/"] = answer(HTML)
    assert fetch(site.url()) == page(site.url())


# --- compressed bodies and limits ---


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "compressed"),
    [
        ("gzip", gzip.compress(HTML, mtime=0)),
        ("X-GZIP", gzip.compress(HTML, mtime=0)),
        ("gzip", gzip.compress(HTML[:5], mtime=0) + gzip.compress(b"", mtime=0) + gzip.compress(HTML[5:], mtime=0)),
        ("gzip", gzip.compress(HTML, mtime=0) + b"\0\0padding"),
        ("deflate", zlib.compress(HTML)),
        ("deflate", raw_deflate(HTML)),
        ("identity", HTML),
        ("UTF-8", HTML),
    ],
)
def test_a_compressed_page_is_decompressed(site: RawSite, coding: str, compressed: bytes) -> None:
    site.pages["/"] = answer(compressed, f"Content-Encoding: {coding}")
    assert fetch(site.url()).body == HTML


@pytest.mark.parametrize(
    ("coding", "compressed"),
    [
        ("gzip", gzip.compress(HTML, mtime=0) * 2),
        ("deflate", zlib.compress(HTML * 2)),
        ("deflate", raw_deflate(HTML * 2)),
    ],
)
def test_a_compressed_page_may_come_byte_by_byte(site: RawSite, coding: str, compressed: bytes) -> None:
    whole = chunked(*(bytes([byte]) for byte in compressed), b"")
    site.pages["/"] = whole.replace(b"chunked\r\n", b"chunked\r\nContent-Encoding: %b\r\n" % coding.encode(), 1)
    assert fetch(site.url()).body == HTML * 2


def test_an_empty_page_may_be_declared_compressed(site: RawSite) -> None:
    site.pages["/"] = answer(b"", "Content-Encoding: gzip")
    assert fetch(site.url()).body == b""


def test_a_gzip_bomb_is_decompressed_to_the_limit_and_no_further(site: RawSite) -> None:
    site.pages["/"] = answer(gzip.compress(b" " * 50_000_000, mtime=0), "Content-Encoding: gzip")
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b" " * 1001, True)


def test_a_long_page_is_cut_one_byte_behind_the_limit(site: RawSite) -> None:
    site.pages["/"] = answer(b"x" * 500_000)
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b"x" * 1001, True)


def test_a_page_as_long_as_the_limit_is_whole(site: RawSite) -> None:
    site.pages["/"] = answer(gzip.compress(b"x" * 1000, mtime=0), "Content-Encoding: gzip")
    fetched = fetch(site.url(), limits=Limits(bytes=1000))
    assert (fetched.body, fetched.is_cut) == (b"x" * 1000, False)


def test_a_cut_page_says_so_when_it_is_read(site: RawSite) -> None:
    site.pages["/"] = answer(b"<p>one<p>two")
    limits = Limits(bytes=6)
    cuts = read_page(fetch(site.url(), limits=limits).body, limits=limits).cuts
    assert [cut.limit for cut in cuts] == ["bytes"]


def test_a_chunk_of_negative_size_does_not_get_past_the_limit(site: RawSite) -> None:
    site.pages["/"] = chunked().replace(b"\r\n\r\n", b"\r\n\r\n-1\r\n") + b"x" * 500_000
    assert len(fetch(site.url(), limits=Limits(bytes=1000)).body) == 1001


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip"])
def test_a_content_coding_that_is_not_read_is_named(site: RawSite, coding: str) -> None:
    site.pages["/"] = answer(HTML, f"Content-Encoding: {coding}")
    reason = f"the server compressed the page with {coding}, but only gzip and deflate are read; try a browser"
    assert failure(site.url()) == f"{site.url()}: {reason}"


def test_a_damaged_compressed_page_is_an_error(site: RawSite) -> None:
    site.pages["/"] = answer(HTML, "Content-Encoding: gzip")
    reason = "the compressed page is damaged (Error -3 while decompressing data: incorrect header check); try again"
    assert failure(site.url()) == f"{site.url()}: {reason}"


@pytest.mark.parametrize(
    "broken",
    [
        answer(HTML)[:-5],
        chunked(HTML),
        chunked(HTML)[:-8],
        b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(HTML, mtime=0)[:-9],
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
        b"HTTP/1.1 200",
        b"",
    ],
    ids=["length", "no last chunk", "middle of a chunk", "gzip", "headers", "status", "nothing at all"],
)
def test_a_page_that_breaks_off_is_an_error(site: RawSite, broken: bytes) -> None:
    site.pages["/"] = broken
    assert failure(site.url()) == f"{site.url()}: {CLOSED_EARLY}"


# --- redirects ---


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_each_kind_of_redirect_is_followed(site: RawSite, status: str) -> None:
    site.pages |= {"/": redirect("/end", status), "/end": answer(HTML)}
    assert fetch(site.url()) == page(site.url("/end"), redirects=(site.url(),))


def test_a_chain_of_redirects_is_noted_in_order(site: RawSite, other: RawSite) -> None:
    site.pages |= {"/a/": redirect("b#part"), "/a/b": redirect(other.url("/c?d=1"))}
    other.pages |= {"/c?d=1": redirect("?d=2"), "/c?d=2": answer(HTML)}
    assert fetch(site.url("/a/")) == page(
        other.url("/c?d=2"), redirects=(site.url("/a/"), site.url("/a/b"), other.url("/c?d=1"))
    )


def test_a_redirect_in_raw_utf8_is_encoded(site: RawSite) -> None:
    site.pages |= {"/": redirect("/caf\u00e9 au lait"), "/caf%C3%A9%20au%20lait": answer(HTML)}
    assert fetch(site.url()).url == site.url("/caf%C3%A9%20au%20lait")


def test_a_circle_of_redirects_is_an_error(site: RawSite) -> None:
    site.pages |= {"/": redirect("/b"), "/b": redirect("/")}
    assert failure(site.url()) == (
        f"{site.url()}: redirects in a circle, back to {site.url()}; it may need cookies: try a browser"
    )


def test_too_many_redirects_are_an_error(site: RawSite) -> None:
    site.pages |= {f"/{n}": redirect(f"/{n + 1}") for n in range(4)}
    assert failure(site.url("/0"), options=FetchOptions(max_redirects=2)) == (
        f"{site.url('/0')}: more than 2 redirects, the last one to {site.url('/3')}; try a browser"
    )
    assert site.paths == ["/0", "/1", "/2"]


def test_ten_redirects_are_followed_unless_told_otherwise(site: RawSite) -> None:
    site.pages |= {f"/{n}": redirect(f"/{n + 1}") for n in range(11)} | {"/11": answer(HTML)}
    assert len(fetch(site.url("/1")).redirects) == 10
    assert "more than 10 redirects" in failure(site.url("/0"))


def test_as_many_redirects_as_allowed_are_followed(site: RawSite) -> None:
    site.pages |= {"/0": redirect("/1"), "/1": redirect("/2"), "/2": answer(HTML)}
    assert fetch(site.url("/0"), options=FetchOptions(max_redirects=2)).url == site.url("/2")


def test_a_redirect_to_nowhere_is_an_error(site: RawSite) -> None:
    site.pages["/"] = answer(b"", status="302 Found")
    assert failure(site.url()) == (
        f"{site.url()}: the server answered 302 Found without saying where to; try a browser"
    )


def test_a_redirect_to_a_broken_url_is_an_error(site: RawSite) -> None:
    site.pages["/"] = redirect("http://host:port/")
    assert failure(site.url()) == (
        f"http://host:port/: not a valid URL, check its host and port (redirected by {site.url()})"
    )


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://host/page", "data:text/html,hi", "FILE:/etc/passwd"])
def test_a_redirect_to_another_scheme_is_refused(site: RawSite, location: str) -> None:
    site.pages["/"] = redirect(location)
    with pytest.raises(
        RefusedAddress, match=r"only URLs with http:// or https:// in front are fetched, not (file|ftp|data): "
    ):
        fetch(site.url(), network=WEB)

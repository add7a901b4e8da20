"""The URLs, options and passwords that the fetcher accepts, and what it sends of them."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

import pytest

from peneira.errors import FetchError, RefusedAddress
from peneira.sources.fetch import fetch
from peneira.sources.fetch_options import FetchOptions
from raw_site import HTML, PUBLIC_IP, WEB, RawSite, answer, failure, names, page, redirect, served


@pytest.fixture
def site() -> Iterator[RawSite]:
    yield from served(RawSite())


@pytest.fixture
def other() -> Iterator[RawSite]:
    yield from served(RawSite())


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
def test_the_path_is_encoded_once(site: RawSite, typed: str, asked: str) -> None:
    site.pages[asked] = answer(HTML)
    assert fetch(site.url(typed)).url == site.url(asked)
    assert site.paths == [asked]


def test_a_host_name_of_another_script_is_encoded(site: RawSite) -> None:
    site.pages["/"] = answer(HTML)
    encoded = "xn--bcher-kva.example"
    assert fetch(site.url(host="B\u00fccher.example"), network=names({encoded: [PUBLIC_IP]})).url == site.url(
        host=encoded
    )
    assert site.sent("Host") == [f"{encoded}:{site.server_port}"]


def test_scheme_and_host_may_be_in_capitals_and_space_around_is_dropped(site: RawSite) -> None:
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
def test_a_url_with_control_characters_is_never_sent(site: RawSite, evil: str) -> None:
    site.pages["/"] = answer(HTML)
    message = failure(site.url(evil + "x"))
    assert "the URL has a line break or another control character in it" in message
    assert message.isprintable()
    assert site.requests == []


def test_a_user_agent_with_a_line_break_is_never_sent(site: RawSite) -> None:
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


def test_a_password_in_the_url_is_sent_and_not_shown(site: RawSite) -> None:
    site.pages["/"] = answer(HTML)
    assert fetch(site.url(host="us%40er:s3cret@127.0.0.1")) == page(site.url())
    assert site.sent("Authorization") == ["Basic dXNAZXI6czNjcmV0"]


def test_a_password_goes_to_its_own_origin_only(site: RawSite, other: RawSite) -> None:
    site.pages |= {"/": redirect("/next"), "/next": redirect(other.url()), "/back": answer(HTML)}
    other.pages["/"] = redirect(site.url("/back"))
    fetched = fetch(site.url(host="user:s3cret@127.0.0.1"))
    assert fetched == page(site.url("/back"), redirects=(site.url(), site.url("/next"), other.url()))
    assert site.sent("Authorization") == ["Basic dXNlcjpzM2NyZXQ="] * 3
    assert other.sent("Authorization") == [None]


def test_a_password_that_a_redirect_brings_is_not_sent(site: RawSite, other: RawSite) -> None:
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

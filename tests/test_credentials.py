"""User names and passwords of URLs are sent to their server, and are nowhere else: no message, column, link or file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import peneira as library
from command import peneira
from peneira.credentials import checked_url, hidden_credentials, text_without_credentials, without_credentials
from peneira.errors import ArgumentError, FetchError
from peneira.sources.browser import Browser
from sites import Answer, Site, serving

LIST = "<ul>" + "".join(f"<li><a href=/{k}>Thing number {k}</a> <b>{k} EUR</b></li>" for k in range(5)) + "</ul>"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({"/": LIST, "/page": LIST}) as site:
        yield site


def secret(site: Site, path: str = "/") -> str:
    return site.url(path).replace("http://", "http://ana:s3cret@")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a:b@x.example/p?q#f", "http://x.example/p?q#f"),
        ("http://a:b@c@x.example:81/", "http://x.example:81/"),
        ("https://a@x.example", "https://x.example"),
        ("http://a:b@x.example: ", "http://x.example:"),
        ("https://x.example/@ana", "https://x.example/@ana"),
        ("http://[::1]/?mail=a@b", "http://[::1]/?mail=a@b"),
        ("http://a:b/c@x.example/", "http://…@x.example/"),
        ("http://a:b@[bad/", "http://…@[bad/"),
        ("a:b@x.example/", "a:b@x.example/"),
    ],
)
def test_a_url_without_its_credentials(url: str, expected: str):
    assert without_credentials(url) == expected


def test_messages_of_others_lose_credentials_too():
    text = "net::ERR_X at http://ana:s3cret@x.example/ and https://y.example/@z"
    assert text_without_credentials(text) == "net::ERR_X at http://…@x.example/ and https://y.example/@z"


def test_passwords_in_the_query_of_a_database_address_are_hidden():
    address = "postgresql://ana:pw@db/shop?password=s3cret&sslpassword=s3cret&sslmode=require"
    assert hidden_credentials(address) == "postgresql://…@db/shop?password=…&sslpassword=…&sslmode=require"
    assert hidden_credentials("postgresql://db/shop?password=s3cret") == "postgresql://db/shop?password=…"
    assert "pw" not in hidden_credentials("postgresql://ana:pw?password=x@db/shop")


def test_all_before_the_last_at_sign_of_a_broken_url_is_hidden():
    assert [hidden_credentials(url) for url in ("a:b@c", "http://a:b@c@d", "x")] == ["…@c", "http://…@d", "x"]


@pytest.mark.parametrize(
    ("url", "shown"), [("http://ana:s3cret@[bad", "http://…@[bad"), ("http://ana:s3c℀ret@h/", "http://…@h/")]
)
def test_a_url_that_is_none_is_refused_without_its_password(url: str, shown: str):
    with pytest.raises(ArgumentError) as caught:
        checked_url(url)
    assert str(caught.value) == f"'{shown}' is not a valid URL; check its host"


def test_the_url_of_a_page_and_its_links_have_no_password():
    result = library.extract(LIST, url="http://ana:s3cret@x.example/")
    assert result.url == "http://x.example/"
    assert result.main is not None
    assert result.main.to_dicts()[0]["url"] == "http://x.example/0"


@pytest.mark.parametrize("render", ["never", "always"])
def test_no_verb_shows_a_password(site: Site, tmp_path: Path, render: str, browser: Browser):
    url, report = secret(site), tmp_path / "report.html"
    runs = [
        peneira("extract", url, secret(site, "/page"), "--explain", "--render", render),
        peneira("extract", url, "--report", report, "--render", render),
        peneira("extract", secret(site, "/nothing"), "--render", render),
        peneira("content", url, "--render", render),
        peneira("segment", url, url, "--render", render),
        peneira("clean", url, url, "-o", tmp_path / "cleaned", "--render", render),
        peneira("learn", url, secret(site, "/page"), "--kind", "list", "--render", render),
    ]
    assert [done.returncode for done in runs] == [0, 0, 1, 0, 0, 0, 0]
    texts = [done.stdout + done.stderr for done in runs] + [report.read_text(), *map(str, tmp_path.rglob("*"))]
    assert [text for text in texts if "s3cret" in text or "ana" in text] == []
    records = [json.loads(line) for line in runs[0].stdout.splitlines()]
    assert (records[0]["source"], records[0]["url"]) == (site.url(), site.url("/0"))


def test_the_panels_of_a_drawing_have_no_password(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names: list[str] = []
    monkeypatch.setattr("peneira.cli.plot.draw", lambda panels, *args, **kw: names.extend(p.name for p in panels))
    peneira("plot", secret(site), "-o", tmp_path / "x.svg", "--render", "never")
    assert names == [site.url()]


def test_a_script_of_a_rendered_page_sees_no_password(browser: Browser, site: Site):
    site.pages["/"] = "<a href=/x>x</a><p id=p><script>p.append(document.URL, document.links[0].href)</script>"
    page = browser.open(secret(site))
    assert "s3cret" not in page.html() + str(page.url)


def test_the_browser_answers_a_challenge_of_that_origin(browser: Browser):
    challenge = Answer("no", status=401, headers={"WWW-Authenticate": 'Basic realm="r"'})
    with serving({"/": challenge}) as guarded:
        guarded.allowed = {"Basic YW5hOnMzY3JldA==": "<p>inside"}
        assert browser.open(secret(guarded)).visible_text(0) == "inside"
        with pytest.raises(FetchError, match="401"):
            browser.open(guarded.url())


def test_a_wrong_password_is_an_error_and_not_tried_for_ever(browser: Browser):
    challenge = Answer("no", status=401, headers={"WWW-Authenticate": 'Basic realm="r"'})
    with serving({"/": challenge}) as guarded:
        with pytest.raises(FetchError, match="401"):
            browser.open(secret(guarded))
        assert guarded.asked.count("/") == 2


def test_a_text_that_is_a_url_is_refused_without_its_password():
    with pytest.raises(ArgumentError) as caught:
        library.extract("http://ana:s3cret@x.example/")
    assert "s3cret" not in str(caught.value)

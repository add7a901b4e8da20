"""What a page in a real Chromium may reach: no file, and no private address from a public page."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from browsing import options, patience
from peneira.errors import FetchError, RefusedAddress
from peneira.limits import DEFAULT_LIMITS
from peneira.sources import addresses, chromium, egress, network
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions
from peneira.sources.inputs import named_sources
from raw_site import RawSite, answer, redirect, served
from sites import Answer, Site, serving


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({}) as site:
        yield site


@pytest.fixture
def public_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 counts as public; the rest of loopback stays private."""
    monkeypatch.setattr(addresses, "is_public", lambda address: address == ip_address("127.0.0.1"))


def test_a_page_from_a_file_loads_nothing(browser: Browser, site: Site):
    browser.read(f"<img src='{site.url('/a')}'><script src='{site.url('/b')}'></script><iframe src='{site.url('/c')}'>")
    browser.read("<img src=/d>", url=site.url())
    assert site.asked == []


def test_a_page_from_a_file_may_be_given_the_network(browser: Browser, site: Site):
    site.pages["/"] = "<p>inner"
    with options(browser, network=True, allow_private=True):
        assert browser.read(f"<p>outer<iframe src='{site.url()}'></iframe>").visible_text(0) == "outer inner"


@pytest.mark.parametrize(
    "page",
    [
        "<img src='{0}'>",
        "<iframe src='{0}'></iframe>",
        "<script>fetch('{0}', {{mode: 'no-cors'}})</script>",
        "<link rel=stylesheet href='{0}'>",
        "<img src='/hop'>",
        "<meta http-equiv=refresh content='0;url={0}'>",
        "<script>new WebSocket('{0}'.replace('http', 'ws'))</script>",
        "<a ping='{0}' href='#x' id=a>x</a><script>a.click(); navigator.sendBeacon('{0}', 'x')</script>",
        "<script>navigator.serviceWorker.register('/worker.js')</script>",
    ],
)
def test_a_public_page_cannot_reach_a_private_address(browser: Browser, site: Site, public_first: None, page: str):
    secret = site.url("/secret", "127.0.0.2")
    site.pages["/"] = "<p>public" + page.format(secret)
    site.pages["/hop"] = Answer(status=302, headers={"Location": secret})
    site.pages["/worker.js"] = Answer(f"fetch('{secret}', {{mode: 'no-cors'}})", "text/javascript")
    with suppress(RefusedAddress):
        browser.open(site.url())
    assert "/secret" not in site.asked


def test_a_button_to_the_next_page_reaches_no_private_address(browser: Browser, site: Site, public_first: None):
    secret = site.url("/secret", "127.0.0.2")
    site.pages["/"] = f"""<p>public<button onclick="fetch('{secret}', {{mode: 'no-cors'}}); location='{secret}'">Next"""
    with options(browser, turns=3, patience_s=0.5):
        found = browser.open_pages(site.url(), lambda page: page.tag.tolist().index(page.tag_names.index("button")))
    assert [page.visible_text(0) for page in found] == ["public Next"]
    assert "127.0.0.2" in str(found[-1].cuts)
    assert "/secret" not in site.asked


def test_a_page_that_goes_on_to_nowhere_is_an_error(browser: Browser, site: Site):
    site.pages["/"] = "<p>x<script>location = '/nothing'</script>"
    with pytest.raises(FetchError, match="the server answered 404"):
        browser.open(site.url())


def test_a_page_that_goes_on_to_another_is_that_one(browser: Browser, site: Site):
    site.pages["/"] = "<p>x<script>location.replace('/two')</script>"
    site.pages["/two"] = "<p>two"
    page = browser.open(site.url())
    assert (page.visible_text(0), page.url) == ("two", site.url("/two"))


def test_what_was_refused_is_said(browser: Browser, site: Site, public_first: None):
    site.pages["/"] = f"<p>public<iframe src='{site.url('/secret', '127.0.0.2')}'></iframe>"
    assert [str(cut) for cut in browser.open(site.url()).cuts] == [
        f"private addresses limit of 0: 1 requests were refused (127.0.0.2:{site.port})"
    ]


def test_a_public_page_that_redirects_to_a_private_address_is_refused(browser: Browser, site: Site, public_first: None):
    site.pages["/"] = Answer(status=302, headers={"Location": site.url("/secret", "127.0.0.2")})
    with pytest.raises(RefusedAddress, match=r"private address 127\.0\.0\.2"):
        browser.open(site.url())
    assert "/secret" not in site.asked


def test_headers_and_cookies_go_to_the_origin_of_the_page_alone(browser: Browser):
    """Its scripts, styles and calls are of it; another origin, also behind a redirect, gets nothing."""
    for other in served(RawSite()):
        other.pages = {"/a.js": answer(b"", content_type="text/javascript"), "/b.js": answer(b"")}
        for own in served(RawSite()):
            sources = ("/own.js", other.url("/a.js"), "/hop.js")
            loads = "".join(f"<script src={source}></script>" for source in sources)
            own.pages = {
                "/shop/": answer(f"<p>text</p>{loads}<script>fetch('/call')</script>".encode()),
                "/own.js": answer(b"", content_type="text/javascript"),
                "/call": answer(b"{}", content_type="application/json"),
                "/hop.js": redirect(other.url("/b.js")),
            }
            given = {"headers": (("X-Own", "yes"), ("accept-language", "pt")), "cookies": (("a", "b"),)}
            with options(browser, allow_private=True, user_agent="sieve/1", **given):
                browser.open(own.url("/shop/"))
            sent = {path: {name.lower(): value for name, value in headers.items()} for path, headers in own.requests}
            elsewhere = [{name.lower() for name in headers} for _, headers in other.requests]
            agents = {headers["user-agent"].partition(" ")[0] for headers in sent.values()}
            named = {headers["user-agent"].rpartition(" ")[2] for headers in sent.values()}
    sent.pop("/favicon.ico", None)
    assert sorted(sent) == ["/call", "/hop.js", "/own.js", "/shop/"]
    assert {(own["x-own"], own["accept-language"], own["cookie"]) for own in sent.values()} == {("yes", "pt", "a=b")}
    assert (agents, named) == ({"Mozilla/5.0"}, {"sieve/1"})
    assert len(elsewhere) == 2
    assert not any("x-own" in names for names in elsewhere)


def test_a_private_page_that_was_asked_for_reaches_its_neighbours(browser: Browser, site: Site):
    site.pages["/inner"] = "<p>inner"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', '127.0.0.2')}'></iframe>"
    assert browser.open(site.url()).visible_text(0) == "outer inner"


def test_private_addresses_may_be_allowed(browser: Browser, site: Site, public_first: None):
    site.pages["/inner"] = "<p>inner"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', '127.0.0.2')}'></iframe>"
    with options(browser, allow_private=True):
        assert browser.open(site.url()).visible_text(0) == "outer inner"


LOOK_UPS = ("HOST_RESOLVER_MANAGER_REQUEST", "HOST_RESOLVER_MANAGER_JOB", "DNS_TRANSACTION")


def looked_up(log: str) -> list[str]:
    """Return the names that Chromium itself looked up, by its own log of network events."""
    constants = json.loads(log.partition(',\n"events"')[0].removeprefix('{"constants":'))
    kinds = {number for name, number in constants["logEventTypes"].items() if name.startswith(LOOK_UPS)}
    events = [line for line in log.splitlines() if (kind := re.search(r'"type":(\d+)', line)) and int(kind[1]) in kinds]
    return sorted({host for event in events for host in re.findall(r'"host(?:name)?":"([^"]*)"', event)})


@pytest.mark.skipif(os.name != "posix", reason="Chromium is started by a shell script here")
def test_chromium_itself_looks_up_no_name(tmp_path: Path, site: Site):
    script, log = tmp_path / "chromium", tmp_path / "net.json"
    script.write_text(f'#!/bin/sh\nexec "{chromium.find()}" --log-net-log="{log}" "$@"\n')
    script.chmod(0o755)
    site.pages["/"] = "<p>page"
    with Browser(RenderOptions(executable=str(script))) as own:
        assert own.read("<p>x<img src=http://image.example/>").visible_text(0) == "x"
        assert own.open(site.url()).visible_text(0) == "page"
    assert looked_up(log.read_text(errors="replace")) == []


def test_web_rtc_sends_nothing_around_the_proxy(browser: Browser, site: Site):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        port = listener.getsockname()[1]
        site.pages["/"] = (
            f"<p>x<script>const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});"
            "c.onicecandidate = event => { if (!event.candidate) document.body.append('no more candidates') };"
            "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))</script>"
        )
        with patience(browser):
            assert browser.open(site.url()).visible_text(0) == "x no more candidates"
        with pytest.raises(BlockingIOError):
            listener.recv(100)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "HTTP:/x",
        "ftp://x/",
        "javascript:1",
        "about:blank",
        "chrome://crash",
        "x",
        "http://h:99999/",
    ],
)
def test_only_web_addresses_are_opened(browser: Browser, url: str):
    with pytest.raises(FetchError):
        browser.open(url)


@pytest.mark.parametrize(
    ("policy", "host", "is_allowed"),
    [
        (egress.Policy(), "9.9.9.9", False),
        (egress.Policy(network=True), "9.9.9.9", True),
        (egress.Policy(network=True), "169.254.169.254", False),
        (egress.Policy(network=True), "::ffff:10.0.0.1", False),
        (egress.Policy(network=True, allow_private=True), "10.0.0.1", True),
        (egress.Policy(network=True, may_start_private=True), "10.0.0.2", True),
        (egress.Policy(network=True), "::1", False),
        (egress.Policy(network=True), "64:ff9b::7f00:1", False),
        (egress.Policy(network=True), "fd00::1", False),
        (egress.Policy(network=True, max_bytes=5, received=6), "9.9.9.9", False),
    ],
)
def test_the_rules_of_the_way_out(policy: egress.Policy, host: str, is_allowed: bool):
    assert policy.allows(host, 80, [ip_address(host)]) == is_allowed


def ask(policy: egress.Policy, address: str, port: int = 80, host: str = "") -> bool:
    return policy.allows(host or address, port, [ip_address(address)])


def test_a_private_page_that_has_talked_to_the_public_reaches_only_home():
    policy = egress.Policy(network=True, may_start_private=True)
    assert ask(policy, "10.0.0.1")
    assert ask(policy, "9.9.9.9")
    assert ask(policy, "10.0.0.1")
    assert not ask(policy, "10.0.0.1", 81)
    assert not ask(policy, "10.0.0.2")
    assert policy.refused == ["10.0.0.1:81", "10.0.0.2:80"]


def test_a_page_that_starts_in_public_has_no_private_home():
    policy = egress.Policy(network=True, may_start_private=True)
    assert ask(policy, "9.9.9.9", host="rebinding.example")
    assert not ask(policy, "10.0.0.1", host="rebinding.example")


def test_a_url_that_chromium_reads_otherwise_than_we_do_gains_no_private_address(
    browser: Browser, site: Site, public_first: None
):
    site.pages["/"] = f"<p>public<img src='{site.url('/secret', '127.0.0.2')}'>"
    with suppress(FetchError):  # to us the host is 127.0.0.2, to Chromium 127.0.0.1
        browser.open(f"http://127.0.0.1:{site.port}\\@127.0.0.2:{site.port}/")
    assert "/secret" not in site.asked


def test_a_host_that_changes_its_address_keeps_the_first_one(
    browser: Browser, site: Site, public_first: None, monkeypatch: pytest.MonkeyPatch
):
    answers = iter(["127.0.0.1", *["127.0.0.2"] * 20])
    monkeypatch.setattr(network, "resolve", lambda host, port: [ip_address(next(answers))])
    site.pages["/"] = "<p>public<script>fetch('/data').then(r => r.text()).then(t => document.body.append(t))</script>"
    site.pages["/data"] = "and more"
    with patience(browser):
        assert browser.open(site.url("/", "rebinding.example")).visible_text(0) == "public and more"
    assert next(answers) == "127.0.0.2"


def test_a_name_with_public_and_private_addresses_is_no_home(
    browser: Browser, site: Site, public_first: None, monkeypatch: pytest.MonkeyPatch
):
    answers = {"mixed.example": ["127.0.0.1", "127.0.0.2"]}
    monkeypatch.setattr(network, "resolve", lambda host, port: [ip_address(a) for a in answers.get(host, [host])])
    site.pages["/"] = f"<p>x<iframe src='{site.url('/secret', '127.0.0.2')}'></iframe>"
    with pytest.raises(RefusedAddress, match="this name has public and private addresses"):
        browser.open(site.url("/", "mixed.example"))
    assert site.asked == []


def test_a_page_cannot_reach_a_name_with_a_private_address_among_its_answers(
    browser: Browser, site: Site, public_first: None, monkeypatch: pytest.MonkeyPatch
):
    answers = {"mixed.example": ["127.0.0.1", "127.0.0.2"]}
    monkeypatch.setattr(network, "resolve", lambda host, port: [ip_address(a) for a in answers.get(host, [host])])
    site.pages["/"] = f"<p>public<iframe src='{site.url('/secret', 'mixed.example')}'></iframe>"
    assert [cut.limit for cut in browser.open(site.url()).cuts] == ["private addresses"]
    assert "/secret" not in site.asked


@pytest.mark.parametrize("address", ["169.254.169.254", "100.100.100.200", "fe80::1", "fd00:ec2::254"])
def test_a_private_page_reaches_no_link_local_or_metadata_address(address: str):
    policy = egress.Policy(network=True, may_start_private=True)
    assert not ask(policy, address)
    assert ask(policy, "10.0.0.1")
    assert not ask(policy, address)
    assert ask(egress.Policy(network=True, allow_private=True), address)


def test_a_metadata_address_that_is_opened_needs_the_switch(browser: Browser):
    with pytest.raises(RefusedAddress, match=r"link-local or metadata address \(169\.254\.169\.254\)"):
        browser.open("http://169.254.169.254/latest/meta-data/")


def test_fetch_and_browser_share_the_addresses_of_a_run(
    browser: Browser, site: Site, public_first: None, monkeypatch: pytest.MonkeyPatch
):
    answers = iter(["127.0.0.1", "127.0.0.2"])
    monkeypatch.setattr(network, "resolve", lambda host, port: [ip_address(next(answers))])
    site.pages["/"] = "<p>public"
    (source,) = named_sources([site.url("/", "rebinding.example")])
    assert source.sent(DEFAULT_LIMITS).visible_text(0) == "public"
    assert source.rendered(browser, False).visible_text(0) == "public"
    assert next(answers) == "127.0.0.2"

"""A real Chromium on pages of our own: what it shows is what we read, and no page gets out of its box."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest

import peneira
from peneira.errors import FetchError, MissingBrowser, RefusedAddress, RenderError
from peneira.page import Page
from peneira.sources import egress
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions
from peneira.sources.html import read_page
from peneira.sources.snapshot import Snapshot, page_of
from sites import Answer, Site, serving

RECORDS = [{"name": f"Lamp {k}", "price": f"$ {k}.50"} for k in range(80)]
APP = """<!doctype html><title>Lamps</title><div id=app>Loading</div><script>
const show = (from, to) => fetch('/lamps.json').then(r => r.json()).then(all => {
  const app = document.getElementById('app');
  if (!from) app.innerHTML = '<h1>Lamps</h1><ul></ul>';
  for (const one of all.slice(from, to)) {
    const item = document.createElement('li');
    item.innerHTML = '<h3></h3><b class=price></b>';
    item.children[0].textContent = one.name; item.children[1].textContent = one.price;
    app.querySelector('ul').append(item);
  }
});
setTimeout(() => show(0, 40), 300);
let more = false;
addEventListener('scroll', () => { if (!more && scrollY > 100) { more = true; show(40, 80); } });
</script>"""


@contextmanager
def options(browser: Browser, **changes: object) -> Iterator[None]:
    """Render with other options while the block runs."""
    before = browser.options
    browser.options = replace(before, **changes)  # type: ignore[arg-type]
    yield
    browser.options = before


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({"/lamps.json": Answer(json.dumps(RECORDS), "application/json", delay_s=0.3)}) as site:
        yield site


@pytest.fixture
def public_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 counts as public; the rest of loopback stays private."""
    monkeypatch.setattr(egress, "is_public", lambda address: address == ip_address("127.0.0.1"))


def rows_of(page: Page) -> list[object]:
    return [page.name(i) if not page.is_text(i) else page.text[i] for i in range(page.body, len(page))]


def box_of(page: Page, tag: str) -> list[float]:
    assert page.boxes is not None
    return page.boxes[[page.name(i) for i in range(len(page))].index(tag)].tolist()


def chromium_processes() -> list[int]:
    """Return the processes of the Chromiums started last: the children of playwright's drivers that we started."""
    drivers = _children(os.getpid())
    return [child for driver in drivers[-1:] for child in _children(driver)]


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text().split())


def row_of_text(page: Page, text: str) -> int:
    return page.text.index(text)


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_a_static_page_has_no_boxes():
    assert read_page("<p>x").boxes is None
    assert read_page("<p>x").layout is None


def test_rows_have_boxes_and_styles(browser: Browser):
    page = browser.read(
        "<!doctype html><body style='margin:0'><div style='width:200px;height:50px;color:red;font:bold 20px serif'>x"
    )
    assert box_of(page, "div") == [0, 0, 200, 50]
    assert page.layout is not None
    row = row_of_text(page, "x") - 1
    styles = {name: page.layout.style(row, name) for name in page.layout.styles}
    assert styles == {
        "display": "block",
        "visibility": "visible",
        "position": "static",
        "font-size": "20px",
        "font-weight": "700",
        "color": "rgb(255, 0, 0)",
        "background-color": "rgba(0, 0, 0, 0)",
    }
    assert page.layout.styles["font-size"].numbers()[row] == 20


def test_what_style_sheets_hide_is_hidden(browser: Browser):
    page = browser.read(
        "<style>.a{display:none}.b{visibility:hidden}.b i{visibility:visible}.c{display:contents}</style>"
        "<p class=a>one<p class=b>two<i>three</i><p class=c><span>four</span>"
    )
    assert page.visible_text(0) == "three four"


def test_pseudo_elements_have_no_rows(browser: Browser):
    page = browser.read("<style>p::before{content:'no'}</style><p>yes")
    assert rows_of(page) == ["body", "p", "yes"]


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html><table>x<tr><td>a<td>b<p>c</table>d <!-- e --> f",
        "<!DOCTYPE html><ul> <li>a<li>b</ul><svg><linearGradient/></svg>&nbsp;<p hidden>x<select><option>o</select>",
        "<p>quirks<table><tr><td>stays inside",
    ],
)
def test_without_scripts_the_rows_are_those_of_the_static_page(browser: Browser, html: str):
    with options(browser, scripts=False):
        shown, read = browser.read(html), read_page(html)
    assert rows_of(shown) == rows_of(read)
    assert shown.parent.tolist() == read.parent.tolist()
    assert shown.attrs == read.attrs
    assert shown.spaced == read.spaced
    assert shown.doctype.lower() == read.doctype.lower()


def test_texts_that_a_script_puts_side_by_side_are_one(browser: Browser):
    page = browser.read("<p id=p></p><script>p.append('1', ' lamp')</script>")
    assert rows_of(page)[:3] == ["body", "p", "1 lamp"]


def test_half_characters_are_marked(browser: Browser):
    page = browser.read("<p id=p></p><script>p.textContent = 'a\\ud800b'; p.title = '\\udfff'</script>")
    assert page.visible_text(0) == "a\ufffdb"
    assert page.attrs[page.body + 1] == {"id": "p", "title": "\ufffd"}


def test_a_tree_too_deep_for_the_browser_is_an_error_of_ours(browser: Browser):
    add = "const d = document.createElement('div'); e.append(d); e = d"
    grow = f"let e = document.body; for (let k = 0; k < 5000; k++) {{ {add} }}"
    with suppress(RenderError):
        assert browser.read(f"<p>x<script>{grow}</script>").depth.max() > 4000
    assert browser.read("<p>next").visible_text(0) == "next"


def test_a_picture_is_a_png_of_the_whole_page(browser: Browser):
    page = browser.read("<body style='margin:0'><div style='height:3000px'>tall", picture=True)
    assert page.layout is not None and page.layout.picture is not None
    assert page.layout.picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(page.layout.picture[20:24]) == 3000


def test_a_snapshot_can_be_kept(browser: Browser):
    kept = browser.snapshot("<ul><li>a<li>b</ul>").to_bytes()
    page = page_of(Snapshot.from_bytes(kept))
    assert rows_of(page) == ["body", "ul", "li", "a", "li", "b"]
    assert Snapshot.from_bytes(kept).to_bytes() == kept


# --- scripts, frames, shadow trees ------------------------------------------------------------------------------------


def test_a_list_that_a_script_fetches_late_is_there(browser: Browser, site: Site):
    site.pages["/"] = APP
    page = browser.open(site.url())
    assert page.url == site.url()
    assert "Lamp 39 $ 39.50" in page.visible_text(0)
    assert "Lamp 40" not in page.visible_text(0)
    result = peneira.extract(page)
    assert result.main is not None
    assert [record.text for record in result.main.records] == [f"Lamp {k} $ {k}.50" for k in range(40)]


def test_scrolling_goes_on_while_batches_come_in_elements_of_their_own(browser: Browser):
    batch = "`<section>${'<article><h3>Lamp</h3><b>$ 1.50</b></article>'.repeat(5)}</section>`"
    html = f"""<style>main {{ height: 500px; overflow: auto }} article {{ height: 200px }}</style>
      <select>{"<option>place" * 300}</select><main></main><script>
      const list = document.querySelector('main');
      const more = () => list.insertAdjacentHTML('beforeend', {batch});
      list.addEventListener('scroll', () => {{ if (list.scrollTop > 100 && list.children.length < 4) more(); }});
      more();</script>"""
    with options(browser, scrolls=6):
        page = browser.read(html)
    assert page.visible_text(0).count("Lamp") == 20


def test_scrolling_brings_the_rest_and_ends_when_nothing_more_comes(browser: Browser, site: Site):
    site.pages["/"] = APP
    with options(browser, scrolls=5):
        result = peneira.extract(browser.open(site.url()))
    assert result.main is not None and len(result.main.records) == 80


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_frame_of_any_origin_is_a_subtree_at_its_place(browser: Browser, site: Site, host: str):
    items = "".join(f"<li style='height:20px'><b>Lamp {k}</b> <i>$ {k}.50</i>" for k in range(12))
    site.pages["/inner"] = f"<body style='margin:0'><ul style='margin:0;padding:0'>{items}</ul>"
    frame = f"<iframe src='{site.url('/inner', host)}' style='border:2px solid;width:400px;height:300px'></iframe>"
    site.pages["/"] = f"<!doctype html><body style='margin:0'><div style='height:100px'>Shop</div>{frame}"
    page = browser.open(site.url())
    row = row_of_text(page, "Lamp 0")
    assert page.xpath(row - 1) == "/html[1]/body[1]/iframe[1]/html[1]/body[1]/ul[1]/li[1]/b[1]"
    assert page.boxes is not None and page.boxes[row - 2].tolist() == [2, 102, 400, 20]
    result = peneira.extract(page)
    assert result.main is not None and len(result.main.records) == 12


def test_a_frame_in_a_frame_of_another_origin_is_there_too(browser: Browser, site: Site):
    site.pages["/2"] = "<p>deep"
    site.pages["/1"] = f"<p>middle<iframe src='{site.url('/2', '127.0.0.1')}'></iframe>"
    site.pages["/"] = f"<p>top<iframe src='{site.url('/1', 'localhost')}'></iframe>"
    assert browser.open(site.url()).visible_text(0) == "top middle deep"


@pytest.mark.parametrize("frame", ["<iframe src='http://nowhere.example/'></iframe>", "<iframe></iframe>"])
def test_a_frame_that_shows_nothing_has_nothing_in_it(browser: Browser, frame: str):
    assert rows_of(browser.read(f"<p>x{frame}")) == ["body", "p", "x", "iframe"]


def test_shadow_trees_are_read_as_they_are_shown(browser: Browser):
    page = browser.read(
        "<x-list><span slot=b>late</span>rest</x-list><script>"
        "document.querySelector('x-list').attachShadow({mode: 'open'}).innerHTML = "
        "'<ul><li>Item 1</li><li>Item 2</li><li>Item 3</li></ul><p><slot></slot>|<slot name=b></slot>'</script>"
    )
    assert page.visible_text(0) == "Item 1 Item 2 Item 3 rest | late"


def test_lazy_images_do_not_hide_their_records(browser: Browser, site: Site):
    cards = "".join(
        f"<article style='height:300px'><img class=lazy data-src='/img{k}.png' width=50 height=50><h2>Lamp {k}</h2>"
        f"<p>$ {k}.50</p></article>"
        for k in range(20)
    )
    site.pages["/"] = f"""<!doctype html><main>{cards}</main><script>
      const seen = new IntersectionObserver(all => all.forEach(one => {{
        if (one.isIntersecting) one.target.src = one.target.dataset.src; }}));
      document.querySelectorAll('.lazy').forEach(one => seen.observe(one));</script>"""
    result = peneira.extract(browser.open(site.url()))
    assert result.main is not None
    assert [record.text for record in result.main.records] == [f"Lamp {k} $ {k}.50" for k in range(20)]


# --- pages that behave badly ------------------------------------------------------------------------------------------


HANGING = [
    "<script>for (;;);</script>",
    "<script>setTimeout(() => { for (;;); }, 100)</script>",
    "<script>for (;;) alert(1);</script>",
]


@pytest.mark.parametrize("script", HANGING, ids=["at once", "later", "dialogs"])
def test_scripts_that_hang_are_stopped_and_the_page_is_taken_as_it_was(browser: Browser, script: str):
    with options(browser, timeout_s=10):
        page = browser.read(f"<p>here{script}", name="evil.html")
    assert page.visible_text(0) == "here"
    assert [str(cut) for cut in page.cuts] == [
        "seconds limit of 10: its scripts did not come to an end, and were stopped; taken as it was"
    ]
    assert browser.read("<p>next").visible_text(0) == "next"


def test_a_frame_that_hangs_costs_only_itself(browser: Browser, site: Site):
    site.pages["/inner"] = "<p>inner<script>for (;;);</script>"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', 'localhost')}'></iframe>"
    with options(browser, timeout_s=10):
        page = browser.open(site.url(), picture=True)
    assert page.visible_text(0) == "outer"
    assert "1 frames did not answer, and were left out" in str(page.cuts[-1])


def test_a_page_that_never_stops_growing_is_taken_as_it_was(browser: Browser):
    grow = "setInterval(() => { for (let k = 0; k < 50; k++) document.body.append(document.createElement('i')) }, 1)"
    with options(browser, settle_s=0.5):
        page = browser.read(f"<p>here<script>{grow}</script>")
    assert page.visible_text(0) == "here" and len(page) > 100


def test_a_page_that_goes_on_and_on_in_itself_is_stopped(browser: Browser, site: Site):
    step = "history.pushState(0, '', '/' + Math.random())"
    site.pages["/"] = f"<p>here<script>setInterval(() => {{ {step} }}, 1)</script>"
    with suppress(RenderError):  # a busy machine may not come to stop it in time
        assert browser.open(site.url()).visible_text(0) == "here"
    assert browser.read("<p>next").visible_text(0) == "next"


def test_a_page_that_goes_on_to_others_for_ever_is_taken_where_it_was(browser: Browser, site: Site):
    site.pages["/"] = "<p>here<script>setTimeout(() => { location = '/?' + Math.random() }, 10)</script>"
    page = browser.open(site.url())
    assert page.visible_text(0) == "here"
    assert page.cuts[0].limit == "navigations"


def test_a_page_that_a_script_writes_and_leaves_open_is_not_waited_for(browser: Browser):
    page = browser.read("<p>x<script>setTimeout(() => { document.open(); document.write('<p>new') }, 30)</script>")
    assert (page.visible_text(0), page.cuts) == ("new", ())


def test_a_page_whose_loading_never_ends_is_taken_as_it_is(browser: Browser, site: Site):
    site.pages["/slow.js"] = Answer("", "text/javascript", delay_s=30)
    site.pages["/"] = "<p>here<script src=/slow.js></script><p>not yet"
    with options(browser, timeout_s=10):
        page = browser.open(site.url())
    assert page.visible_text(0) == "here"
    assert str(page.cuts[0]) == "seconds limit of 10: the page was still loading; taken as it was"


def test_a_page_that_crashes_costs_only_itself():
    eat = "<p>x<script>setTimeout(() => { const a = []; for (;;) a.push(new Array(1e5).fill({})); }, 0)</script>"
    with Browser(RenderOptions(max_script_mb=32, timeout_s=20)) as browser:
        with pytest.raises(RenderError, match="crashed"):
            browser.read(eat)
        assert browser.read("<p>next").visible_text(0) == "next"
        for process in chromium_processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        assert browser.read("<p>after the end of Chromium").visible_text(0) == "after the end of Chromium"


def test_a_page_from_a_file_stays_where_it_is(browser: Browser):
    assert browser.read("<meta http-equiv=refresh content='0;url=/else'><p>here").visible_text(0) == "here"
    assert browser.read("<p>here<script>location = 'https://example.com/'</script>").visible_text(0) == "here"


def test_dialogs_and_popups_do_not_stop_a_page(browser: Browser):
    page = browser.read("<p>x<script>alert(1); confirm(2); open('/'); p = document.createElement('p');"
                        "p.textContent = 'after'; document.body.append(p)</script>")  # fmt: skip
    assert page.visible_text(0) == "x after"


def test_names_of_elements_do_not_fool_the_browser(browser: Browser):
    names = (
        "readyState body scripts documentElement getElementsByTagName querySelectorAll children getAttribute".split()
    )
    forms = "".join(f"<form name={name}><input name={name}></form>" for name in names)
    with options(browser, scrolls=1):
        page = browser.read(f"<p>here{forms}<script>1</script>")
    assert page.visible_text(0) == "here"
    assert page.name(page.body) == "body"


def test_pages_share_nothing(browser: Browser, site: Site):
    site.pages["/"] = "<p id=p></p><script>p.textContent = document.cookie || 'clean'; document.cookie = 'a=1'</script>"
    assert browser.open(site.url()).visible_text(0) == "clean"
    assert browser.open(site.url()).visible_text(0) == "clean"


def test_too_many_requests_are_cut_and_said(browser: Browser, site: Site):
    site.pages["/"] = "<p>x" + "".join(f"<img src='/{k}'>" for k in range(30))
    with options(browser, max_requests=10):
        page = browser.open(site.url())
    assert [cut.limit for cut in page.cuts] == ["requests"]
    site.pages["/"] = "<p>here<script>setInterval(() => { for (let k = 0; k < 50; k++) fetch('/x') }, 1)</script>"
    with options(browser, max_requests=10):
        assert browser.open(site.url()).visible_text(0) == "here"


def test_too_many_bytes_are_cut_and_said(browser: Browser, site: Site):
    site.pages["/big.css"] = Answer(b"/*" + b"x" * 300_000 + b"*/", "text/css")
    site.pages["/"] = "<link rel=stylesheet href=/big.css><p>x"
    with options(browser, max_bytes=100_000):
        page = browser.open(site.url())
    assert [cut.limit for cut in page.cuts] == ["bytes"]
    assert page.visible_text(0) == "x"


def test_too_many_nodes_are_an_error():
    with Browser(limits=peneira.Limits(nodes=100)) as browser, pytest.raises(RenderError, match="limit of 100"):
        browser.read("<p>" * 200)


# --- what a page may reach --------------------------------------------------------------------------------------------


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
    site.pages["/"] = f"<p>public<img src='{site.url('/secret', '127.0.0.2')}'>"
    assert [str(cut) for cut in browser.open(site.url()).cuts] == [
        f"private addresses limit of 0: 1 requests were refused (127.0.0.2:{site.port})"
    ]


def test_a_public_page_that_redirects_to_a_private_address_is_refused(browser: Browser, site: Site, public_first: None):
    site.pages["/"] = Answer(status=302, headers={"Location": site.url("/secret", "127.0.0.2")})
    with pytest.raises(RefusedAddress, match=r"private address 127\.0\.0\.2"):
        browser.open(site.url())
    assert "/secret" not in site.asked


def test_a_private_page_that_was_asked_for_reaches_its_neighbours(browser: Browser, site: Site):
    site.pages["/inner"] = "<p>inner"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', '127.0.0.2')}'></iframe>"
    assert browser.open(site.url()).visible_text(0) == "outer inner"


def test_private_addresses_may_be_allowed(browser: Browser, site: Site, public_first: None):
    site.pages["/inner"] = "<p>inner"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', '127.0.0.2')}'></iframe>"
    with options(browser, allow_private=True):
        assert browser.open(site.url()).visible_text(0) == "outer inner"


def test_web_rtc_sends_nothing_around_the_proxy(browser: Browser, site: Site):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(0.5)
        port = listener.getsockname()[1]
        site.pages["/"] = (
            f"<p>x<script>const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});"
            "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))</script>"
        )
        browser.open(site.url())
        with pytest.raises(TimeoutError):
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
    monkeypatch.setattr(egress, "resolve", lambda host, port: [ip_address(next(answers))])
    site.pages["/"] = "<p>public<script>fetch('/data').then(r => r.text()).then(t => document.body.append(t))</script>"
    site.pages["/data"] = "and more"
    assert browser.open(site.url("/", "rebinding.example")).visible_text(0) == "public and more"
    assert next(answers) == "127.0.0.2"


# --- errors -----------------------------------------------------------------------------------------------------------


def test_a_url_that_is_not_there_says_so(browser: Browser, site: Site):
    with pytest.raises(FetchError, match="the server answered 404"):
        browser.open(site.url("/nothing"))
    site.pages["/busy"] = Answer("", status=503)
    with pytest.raises(FetchError, match="answered 503 Service Unavailable; try again later"):
        browser.open(site.url("/busy"))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_host_that_cannot_be_reached_says_why(browser: Browser, scheme: str):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(FetchError, match="connection refused, nothing listens there"):
            browser.open(f"{scheme}://127.0.0.1:{unused.getsockname()[1]}/")
    with pytest.raises(FetchError, match="unknown host"):
        browser.open(f"{scheme}://no-such-host.invalid/")


def test_a_page_behind_a_password_says_so(browser: Browser, site: Site):
    site.pages["/"] = Answer("no", status=401, headers={"WWW-Authenticate": "Basic realm=x"})
    with pytest.raises(FetchError, match="needs a user name and a password"):
        browser.open(site.url())


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json"])
def test_what_is_no_page_is_called_by_its_type(browser: Browser, site: Site, kind: str):
    site.pages["/"] = Answer(b"%PDF-1.4", kind)
    with pytest.raises(FetchError, match=f"not a web page but {kind}"):
        browser.open(site.url())


def test_a_download_is_no_page(browser: Browser, site: Site):
    site.pages["/file"] = Answer(b"\x00\x01", "application/octet-stream")
    with pytest.raises(FetchError, match="not a web page"):
        browser.open(site.url("/file"))


def test_a_password_in_the_url_is_never_shown(browser: Browser, site: Site):
    with pytest.raises(FetchError) as caught:
        browser.open(site.url("/nothing").replace("http://", "http://user:hush@"))
    assert "hush" not in str(caught.value)


def test_a_missing_chromium_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PENEIRA_CHROMIUM", "/no/such/chromium")
    with Browser(RenderOptions(sandbox=False)) as browser:
        with pytest.raises(MissingBrowser, match="apt-get install chromium"):
            browser.read("<p>x")
        assert browser.note is None


def test_a_browser_without_its_sandbox_says_so(browser: Browser):
    with options(browser, sandbox=False):
        browser.read("<p>x")
        assert browser.note == "Chromium runs without its sandbox"


def test_a_missing_playwright_names_its_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(peneira.PeneiraError, match=r'pip install "peneira\[render\]"'):
        Browser()


def test_a_browser_is_started_anew_after_so_many_pages():
    with Browser(RenderOptions(pages_per_browser=2)) as browser:
        assert [browser.read(f"<p>{k}").visible_text(0) for k in range(3)] == list("012")


def test_threads_take_turns(browser: Browser):
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda k: browser.read(f"<p>{k}").visible_text(0), range(5))) == list("01234")


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="timeout_s must be above 0"):
        replace(RenderOptions(), timeout_s=0)


def test_a_file_is_read_as_html(browser: Browser, tmp_path: Path):
    file = tmp_path / "x.html"
    file.write_bytes("<meta charset=latin1><p>ação".encode("latin-1"))
    page = browser.read(file)
    assert (page.visible_text(0), page.url) == ("ação", None)

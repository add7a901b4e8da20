"""Pages that hang, crash, grow or flood a real Chromium: each costs only itself, and what was cut is said."""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import peneira
from browsing import options, patience
from peneira.errors import RenderError
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions
from sites import Answer, Site, serving


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({}) as site:
        yield site


def chromium_processes() -> list[int]:
    """Return the processes of the Chromiums started last: the children of playwright's drivers that we started."""
    drivers = _children(os.getpid())
    return [child for driver in drivers[-1:] for child in _children(driver)]


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text().split())


HANGING = [
    "<script>for (;;);</script>",
    "<script>setTimeout(() => { for (;;); }, 100)</script>",
    "<script>for (;;) alert(1);</script>",
]


@pytest.mark.parametrize("script", HANGING, ids=["at once", "later", "dialogs"])
def test_scripts_that_hang_are_stopped_and_the_page_is_taken_as_it_was(browser: Browser, script: str):
    with patience(browser, timeout_s=10):
        page = browser.read(f"<p>here{script}", name="evil.html")
    assert page.visible_text(0) == "here"
    assert [str(cut) for cut in page.cuts] == [
        "seconds limit of 10: its scripts did not end and were stopped; the page was read as it was then"
    ]
    assert browser.read("<p>next").visible_text(0) == "next"


def test_a_frame_that_hangs_costs_only_itself(browser: Browser, site: Site):
    site.pages["/inner"] = "<p>inner<script>for (;;);</script>"
    site.pages["/"] = f"<p>outer<iframe src='{site.url('/inner', 'localhost')}'></iframe>"
    with options(browser, timeout_s=10):
        page = browser.open(site.url(), screenshot=True)
    assert page.visible_text(0) == "outer"
    assert "1 frames did not answer, and were left out" in str(page.cuts[-1])


def test_a_page_that_never_stops_growing_is_taken_as_it_was(browser: Browser):
    grow = "setInterval(() => { for (let k = 0; k < 50; k++) document.body.append(document.createElement('i')) }, 1)"
    with options(browser, settle_s=1):
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
    with patience(browser):
        page = browser.open(site.url())
    assert page.visible_text(0) == "here"
    assert page.cuts[0].limit == "navigations"


def test_a_page_that_a_script_writes_and_leaves_open_is_not_waited_for(browser: Browser):
    with patience(browser):
        page = browser.read("<p>x<script>setTimeout(() => { document.open(); document.write('<p>new') }, 30)</script>")
    assert (page.visible_text(0), page.cuts) == ("new", ())


def test_a_page_whose_loading_never_ends_is_taken_as_it_is(browser: Browser, site: Site):
    site.pages["/slow.js"] = Answer("", "text/javascript", is_held=True)
    site.pages["/"] = "<p>here<script src=/slow.js></script><p>not yet"
    with options(browser, timeout_s=10):
        page = browser.open(site.url())
    assert page.visible_text(0) == "here"
    assert str(page.cuts[0]) == "seconds limit of 10: the page was still loading; it was read as it was then"


def test_a_page_that_crashes_costs_only_itself():
    eat = "<p>x<script>setTimeout(() => { const a = []; for (;;) a.push(new Array(1e5).fill({})); }, 0)</script>"
    with Browser(RenderOptions(max_script_mb=32, timeout_s=120)) as browser:
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


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["own host", "frame of another host"])
def test_packed_bytes_count_as_what_they_are_unpacked(browser: Browser, site: Site, host: str):
    bomb = gzip.compress(b"/*" + b"x" * 3_000_000 + b"*/")
    assert len(bomb) < 10_000
    site.pages["/big.css"] = Answer(bomb, "text/css", headers={"Content-Encoding": "gzip"})
    # a frame of another process is counted from when the browser tells of it
    site.pages["/frame"] = (
        "<p>y<script>setTimeout(() => document.head.innerHTML = '<link rel=stylesheet href=/big.css>', 400)</script>"
    )
    site.pages["/"] = f"<iframe src='{site.url('/frame', host)}'></iframe><p>x<script>1</script>"
    with options(browser, max_bytes=100_000, patience_s=2.0):
        page = browser.open(site.url())
    assert [cut.limit for cut in page.cuts] == ["bytes"]
    assert "x" in page.visible_text(0)


def test_a_page_that_is_too_large_is_not_loaded_to_its_end(site: Site):
    site.pages["/"] = Answer(gzip.compress(b"<p>x" * 5_000_000), headers={"Content-Encoding": "gzip"})
    with (
        Browser(RenderOptions(timeout_s=120), limits=peneira.Limits(nodes=100)) as browser,
        pytest.raises(RenderError, match="elements are more than the limit of 100") as raised,
    ):
        browser.open(site.url())
    assert int(str(raised.value).split(" elements")[0].rsplit(" ", 1)[-1]) < 5_000_000


def test_too_many_nodes_are_an_error():
    with Browser(limits=peneira.Limits(nodes=100)) as browser, pytest.raises(RenderError, match="limit of 100"):
        browser.read("<p>" * 200)

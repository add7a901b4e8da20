"""Hostile pages in the studio: they cannot run a script, reach the network, or leave their frame."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from peneira.page import Page as NodePage
from peneira.studio.framed_page import framed_html
from sites import Site, serving
from studio_server import Served, real_browser, serving_studio

RECORDS = "".join(
    f'<li class="row"><h3><a href="/x{k}">Harbour town number {k}</a></h3><p>Ships: {k}00</p><p>In 18{k}0</p></li>'
    for k in range(1, 8)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_studio(tmp_path_factory.mktemp("library")) as served:
        yield served


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with real_browser() as browser:
        yield browser


@pytest.fixture
def trap() -> Iterator[Site]:
    """A server that nobody should ask for anything."""
    with serving({}) as site:
        yield site


@pytest.fixture
def tab(chrome: Browser) -> Iterator[Page]:
    page = chrome.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(120_000)
    yield page
    page.close()


def opened(tab: Page, server: Served, html: str) -> None:
    tab.goto(server.address)
    tab.get_by_text("Paste HTML").click()
    tab.locator("#html").evaluate("(area, text) => { area.value = text }", html)
    tab.get_by_role("button", name="Get the table").first.click()
    tab.wait_for_selector("#overlay .mark.record", state="attached")


def attack(trap: Site) -> str:
    out = trap.url("/stolen")
    return f"""<html><head><base href="{out}/"><meta http-equiv="refresh" content="0;url={out}">
    <link rel="stylesheet" href="{out}.css"><link rel="prefetch" href="{out}">
    <script>parent.hacked = 1; fetch("{out}")</script><script src="{out}.js"></script>
    <style>@import url("{out}.css"); @font-face {{ font-family: x; src: url({out}.woff) }} body {{ font-family: x;
      background: url({out}.png) }}</style></head>
    <body onload="parent.hacked = 2" background="{out}.gif"><h1 onclick="parent.hacked = 3">Towns</h1>
    <noscript><img src="{out}.png"></noscript><template><script>parent.hacked = 4</script></template>
    <img src="{out}.png" onerror="parent.hacked = 5" srcset="{out}.png 2x"><img src=x onerror="parent.hacked = 6">
    <a href="javascript:parent.hacked=7" id="jump">jump</a><a href="{out}" target="_top" ping="{out}">leave</a>
    <iframe src="{out}"></iframe><iframe srcdoc="<script>parent.parent.hacked = 8</script>"></iframe>
    <object data="{out}"></object><embed src="{out}"><video src="{out}" autoplay poster="{out}"></video>
    <form action="{out}" target="_top"><input name="q" autofocus onfocus="parent.hacked = 9"><button>go</button></form>
    <svg onload="parent.hacked = 10"><script>parent.hacked = 11</script>
    <a xlink:href="javascript:parent.hacked=12">s</a></svg>
    <math><mtext><style><img src=x onerror="parent.hacked = 13"></style></mtext></math>
    <img name="querySelector"><img id="contentDocument" name="body"><form name="body"></form>
    <div style="position:fixed;inset:0;z-index:2147483647;background:url({out}.png) red" id="cover">cover</div>
    <details open ontoggle="parent.hacked = 14"><summary>d</summary></details>
    <marquee onstart="parent.hacked = 15">m</marquee>
    <ul>{RECORDS}</ul></body></html>"""


def test_a_hostile_page_runs_nothing_reaches_nobody_and_stays_in_its_frame(tab: Page, server: Served, trap: Site):
    asked: list[str] = []
    dialogs: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    opened(tab, server, attack(trap))
    assert tab.locator(".records tbody tr").count() == 7
    for name in ("jump", "leave", "Towns", "go"):  # clicks go to the overlay, keys are not taken by the frame
        target = tab.frame_locator("#frame").get_by_text(name, exact=True).first.bounding_box()
        if target is not None:
            tab.mouse.click(target["x"] + 2, target["y"] + 2)
    for _ in range(30):
        tab.keyboard.press("Tab")
    tab.wait_for_load_state("networkidle")
    assert tab.evaluate("window.hacked") is None
    assert trap.asked == []
    assert {url for url in asked if not url.startswith((server.address, "data:"))} == set()
    assert tab.url.startswith(f"{server.address}w/")
    assert tab.evaluate("document.getElementById('frame').contentDocument.URL").startswith(server.address)
    assert dialogs == []


def test_the_markup_of_a_page_opened_by_its_own_address_runs_nothing(tab: Page, server: Served, trap: Site):
    opened(tab, server, attack(trap))
    address = tab.evaluate("document.getElementById('frame').contentDocument.URL")
    answer = tab.goto(address)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-same-origin" in policy and "default-src 'none'" in policy and "script" not in policy
    assert trap.asked == []


def test_what_covers_the_screen_does_not_cover_the_studio(tab: Page, server: Served):
    cover = (
        '<div style="position:fixed;top:0;left:0;width:100vw;height:100vh;z-index:9999999;background:red">cover</div>'
    )
    opened(tab, server, f"<body>{cover}<ul>{RECORDS}</ul></body>")
    tab.locator("#download").click()
    assert tab.get_by_role("link", name="CSV", exact=True).is_visible()
    first = tab.frame_locator("#frame").locator("h3").first.bounding_box()
    pane = tab.locator(".viewport").bounding_box()
    assert first is not None and pane is not None
    assert first["x"] >= pane["x"] - 1


def test_a_page_of_five_megabytes_is_opened(tab: Page, server: Served):
    items = "".join(
        f'<li class="row"><h3><a href="/town/{k}">Harbour town {k}</a></h3><p>{"Long words about ships. " * 6}</p></li>'
        for k in range(23_000)
    )
    html = f"<body><main><ul>{items}</ul></main></body>"
    assert len(html) > 5_000_000
    opened(tab, server, html)
    assert tab.locator(".records tbody tr").count() == 200
    assert "23,000 records" in tab.locator("#head").inner_text()
    assert "its beginning is shown" in tab.locator(".seen").inner_text()


def test_a_page_from_right_to_left_keeps_its_direction_to_itself(tab: Page, server: Served):
    items = "".join(
        f'<li class="row"><h3><a href="/x{k}">مدينة الميناء رقم {k}</a></h3><p>السفن: {k}00</p></li>'
        for k in range(1, 8)
    )
    opened(tab, server, f'<html dir="rtl" lang="ar"><body><main><ul>{items}</ul></main></body></html>')
    assert tab.evaluate("getComputedStyle(document.body).direction") == "ltr"
    inner = "getComputedStyle(document.getElementById('frame').contentDocument.documentElement).direction"
    assert tab.evaluate(inner) == "rtl"
    assert tab.locator(".records tbody tr").count() == 7


def test_texts_of_the_page_are_texts_in_the_studio(tab: Page, server: Served):
    items = "".join(
        f"<li class='row'><h3>&lt;img src=x onerror=parent.hacked=1&gt; {k}</h3>"
        f"<p>&lt;script&gt;hacked=2&lt;/script&gt; {k}</p></li>"
        for k in range(6)
    )
    opened(tab, server, f"<title>&lt;b&gt;t</title><body><ul>{items}</ul></body>")
    assert "<img src=x onerror=parent.hacked=1> 0" in tab.locator(".records tbody td").first.inner_text()
    assert tab.evaluate("window.hacked") is None


INERT = [
    ("<p onclick=x()>a</p>", "<p data-n='3'>a</p>"),
    ('<a href="javascript:x()">a</a>', "<a data-n='3'>a</a>"),
    ("<script>x()</script><b>a</b>", "<b data-n='5'>a</b>"),
    ("<form action=/x><input name=q><button>go</button></form>", "<div data-n='3'><span data-n='5'>go</span></div>"),
    ("<x-card>a</x-card>", "<span data-n='3'>a</span>"),
    ("<svg><script>x()</script></svg>b", "b"),
    ('<img src="http://x/y.png" alt=a>', "<img alt=\"a\" data-n='3'>"),
    ('<img src="data:image/svg+xml,<svg onload=x()>">', "<img data-n='3'>"),
    ('<img src="data:image/png;base64,AAAA">', "<img src=\"data:image/png;base64,AAAA\" data-n='3'>"),
]


@pytest.mark.parametrize(("html", "written"), INERT)
def test_inert_markup_has_only_what_is_known_to_be_harmless(html: str, written: str):
    body = framed_html(NodePage.from_html(f"<html><head></head><body>{html}")).partition("<body data-n='2'>")[2]
    assert body == f"{written}</body></html>"


def test_an_end_tag_in_a_style_sheet_ends_nothing():
    page = NodePage.from_html("<style>p{}</style><body><p>a")
    page.text[page.text.index("p{}")] = "</style><script>x()</script>"
    assert "<script" not in framed_html(page).replace(r"<\/style><script", "")
    assert framed_html(page).count("</style>") == 2

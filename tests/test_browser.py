"""A real Chromium on pages of our own: what it shows is what we read."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import peneira
from browsing import options, patience
from peneira.errors import FetchError, MissingBrowser, RenderError
from peneira.page import Page
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


@pytest.fixture
def site() -> Iterator[Site]:
    with serving({"/lamps.json": Answer(json.dumps(RECORDS), "application/json")}) as site:
        yield site


def rows_of(page: Page) -> list[object]:
    return [page.name(i) if not page.is_text(i) else page.text[i] for i in range(page.body, len(page))]


def box_of(page: Page, tag: str) -> list[float]:
    assert page.boxes is not None
    return page.boxes[[page.name(i) for i in range(len(page))].index(tag)].tolist()


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
    page = browser.read("<body style='margin:0'><div style='height:3000px'>tall", screenshot=True)
    assert page.layout is not None and page.layout.screenshot is not None
    assert page.layout.screenshot[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(page.layout.screenshot[20:24]) == 3000


def test_a_snapshot_can_be_kept(browser: Browser):
    kept = browser.snapshot("<ul><li>a<li>b</ul>").to_bytes()
    page = page_of(Snapshot.from_bytes(kept))
    assert rows_of(page) == ["body", "ul", "li", "a", "li", "b"]
    assert Snapshot.from_bytes(kept).to_bytes() == kept


def test_code_has_the_texts_that_it_has_without_a_browser(browser: Browser):
    html = "<pre><i>a</i> <b> <i>\n  b</i></b>\n\n<u> </u>\t<u>c</u>d\n</pre> <i>f</i>"
    page = page_of(browser.snapshot(html))
    assert [text for text in page.text if text] == [text for text in read_page(html).text if text]


# --- scripts, frames, shadow trees ------------------------------------------------------------------------------------


def test_a_list_that_a_script_fetches_late_is_there(browser: Browser, site: Site):
    site.pages["/"] = APP
    with patience(browser):
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
    with patience(browser, scrolls=6):
        page = browser.read(html)
    assert page.visible_text(0).count("Lamp") == 20


def test_scrolling_brings_the_rest_and_ends_when_nothing_more_comes(browser: Browser, site: Site):
    site.pages["/"] = APP
    with patience(browser, scrolls=5):
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

"""``clean --inert``: what is left of a page runs nothing, loads no document and sends nothing."""

from __future__ import annotations

import numpy as np
import pytest

import peneira
from command import peneira as command
from mutation_pages import MUTATION_PAGES
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from peneira.texts.inert_page import inert_page, is_inert_address


def body_of(html: str) -> str:
    page = inert_page(read_page(f"<body>{html}"))
    return page.html(page.body)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p onclick=a() class=c style='x:y'>x</p>", '<p class="c">x</p>'),
        ("<p title='a\x1b$Bb'>\x1b(Bx</p>", '<p title="a$Bb">(Bx</p>'),
        ("<script>a()</script><p>x</p>", "<p>x</p>"),
        ("<a href='java\tscript:a()'>x</a>", "<a>x</a>"),
        ("<a href=' \x01JAVASCRIPT:a()'>x</a>", "<a>x</a>"),
        ("<a href='https://a.b/c'>x</a>", '<a href="https://a.b/c">x</a>'),
        ("<a href='/c?d:e'>x</a>", '<a href="/c?d:e">x</a>'),
        ("<a href='data:text/html,x'>x</a>", "<a>x</a>"),
        ("<img src='data:image/png;base64,AA=='>", '<img src="data:image/png;base64,AA==">'),
        ("<img src='data:image/svg+xml,x'>", "<img>"),
        ("<img srcset='a.png 1x, javascript:a() 2x'>", "<img>"),
        ("<meta http-equiv=refresh content='0;url=x'><p>x", "<p>x</p>"),
        ("<form action=/x><label>Name <input name=n></label><button>Go</button></form>", "Name Go"),
        ("<iframe src=x></iframe><object data=x>y</object><embed src=x><p>x", "<p>x</p>"),
        ("<svg><a href=x><text>y</text></a></svg><math><mi>y</mi></math><p>x", "<p>x</p>"),
        ("<x-card><p>x</p></x-card>", "<p>x</p>"),
        ("<video controls><source src=x>y</video><p>x", "<p>x</p>"),
        ("<template><p>y</p></template><noscript><p>z</p></noscript><p>x", "<p>x</p>"),
        ("<a href=x target=_blank ping=/p download>x</a>", '<a href="x">x</a>'),
    ],
)
def test_what_is_left(html: str, expected: str):
    assert body_of(html).replace("<!---->", "") == f"<body>{expected}</body>"


@pytest.mark.parametrize(
    "address", ["javascript:a", "vbscript:a", "data:text/html,a", "blob:a", "file:///a", "x-app:a"]
)
def test_an_address_of_another_scheme_is_not_inert(address: str):
    assert not is_inert_address(address)


@pytest.mark.parametrize("html", MUTATION_PAGES)
def test_an_inert_page_stays_inert_when_it_is_read_again(html: str):
    once = inert_page(Page.from_html(html)).html()
    again = Page.from_html(once)
    assert inert_page(again).html() == once
    assert not any(name.startswith("on") for attrs in again.attrs for name in attrs)


@pytest.mark.parametrize("html", ["<title>Ação</title><p>x", "<p>x", "<meta charset=utf-7><p>x"])
def test_an_inert_page_names_its_charset_first(html: str):
    written = inert_page(read_page(html)).html()
    assert written.startswith('<!DOCTYPE html><html><head><meta charset="utf-8">')
    assert written.count("<meta") == 1
    assert inert_page(read_page(html), keep=np.arange(len(read_page(html))) < 1).html().count("<meta") == 1


def test_clean_takes_inert_in_the_library_and_the_command():
    html = "<h1>Title</h1>" + "<p onclick=a()>A sentence that is long enough to be the content of a page.</p>" * 5
    assert "onclick" in peneira.clean(html)
    assert "onclick" not in peneira.clean(html, inert=True)
    done = command("clean", "-", "--inert", stdin=html.encode())
    assert (done.returncode, "onclick" in done.stdout, "A sentence" in done.stdout) == (0, False, True)


def test_nothing_of_it_runs_in_a_browser(browser: Browser):
    """One page of all inert forms, each in a block of its own: the browser finds no handler, script, frame or form."""
    for start in range(0, len(MUTATION_PAGES), 40):
        parts = [inert_page(Page.from_html(html)) for html in MUTATION_PAGES[start : start + 40]]
        blocks = "".join(f"<div>{part.html(part.body)}</div>" for part in parts if len(part))
        page = browser.read(f"<title>quiet</title>{blocks}")
        assert page.text[page.tag.tolist().index(0)] == "quiet"
        assert not {"script", "iframe", "form", "svg", "math", "style", "object", "embed"} & set(page.tag_names)

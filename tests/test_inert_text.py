"""Text that is inert in a page stays inert when the page is written as HTML and read again (mutation XSS)."""

from __future__ import annotations

import pytest

import peneira
from peneira.namespaces import foreign_rows
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.html import read_page

IMG = "<img src=x onerror=document.title=1>"
ESCAPED = "&lt;img src=x onerror=document.title=1&gt;"
# Each has the image as text, or as the text of an attribute, and nowhere as an element
INERT = [
    *(f"<svg><{name}>{ESCAPED}</{name}></svg>" for name in ("style", "xmp", "iframe", "noembed", "noframes", "script")),
    *(f"<math><{name}>{ESCAPED}</{name}></math>" for name in ("style", "xmp", "iframe", "noembed", "noframes")),
    f"<svg><plaintext>{ESCAPED}</plaintext></svg>",
    f"<svg><desc><svg><style>{ESCAPED}</style></svg></desc></svg>",
    f"<svg><foreignObject><math><style>{ESCAPED}</style></math></foreignObject></svg>",
    f"<math><annotation-xml><style>{ESCAPED}</style></annotation-xml></math>",
    f"<math><annotation-xml encoding='text/html'><svg><style>{ESCAPED}</style></svg></annotation-xml></math>",
    f"<math><mtext><table><mglyph><style>{IMG}</style></mglyph></table></mtext></math>",
    f"<math><mtext><table><malignmark><xmp>{IMG}</xmp></malignmark></table></mtext></math>",
    f"<math><mtext><mglyph><style>{ESCAPED}</style></mglyph></mtext></math>",
    f"<style>{IMG}</style>",
    f"<xmp>{IMG}</xmp>",
    f"<textarea>{IMG}</textarea>",
    f"<title>{IMG}</title>",
    f"<noframes>{IMG}</noframes>",
    f"<p title='--></style></noscript></xmp>{IMG}'>x</p>",
    f"<noscript><p title='</noscript>{IMG}'>x</p></noscript>",
    f"<svg><a title='</svg></style>{IMG}'></a></svg>",
    f"<svg><title>{ESCAPED}</title></svg>",
    f"<svg><style title='</style>{IMG}'></style></svg>",
    f"<template><svg><style>{ESCAPED}</style></svg></template>",
]


def content(page: Page) -> list[tuple[str, int, str, dict[str, str]]]:
    return [(page.name(i), int(page.parent[i]), page.text[i], dict(page.attrs[i])) for i in range(len(page))]


def images(page: Page) -> list[int]:
    return [i for i in range(len(page)) if page.name(i) == "img"]


@pytest.mark.parametrize("html", INERT)
def test_inert_text_is_inert_after_a_round_trip(html: str):
    page = read_page(html)
    assert images(page) == []
    again = read_page(page.html())
    assert (images(again), read_page(again.html()).html()) == ([], again.html())


@pytest.mark.parametrize("html", INERT)
def test_inert_text_is_inert_in_a_cleaned_page(html: str):
    cleaned = peneira.clean(f"<p>{'words of the page ' * 20}</p>{html}")
    assert images(read_page(cleaned)) == []


@pytest.mark.parametrize(
    "html",
    [
        "<svg><style>a &gt; b &lt;x&gt;</style></svg>",
        "<svg><input>text</input><p></p></svg>",
        "<svg><source></source><g>x</g></svg>",
        "<svg><foreignObject><style>a > b</style><br><input></foreignObject></svg>",
        "<math><mi><b>x</b></mi><mo>&lt;</mo></math>",
        "<math><annotation-xml encoding='Text/HTML'><style>a > b</style></annotation-xml></math>",
    ],
)
def test_foreign_content_survives_the_round_trip(html: str):
    page = read_page(html)
    assert content(read_page(page.html())) == content(page)


def test_the_namespaces_of_rows_are_those_of_the_parser():
    page = read_page(
        "<svg><g></g><desc><p></p><math><mtext><b></b><mglyph></mglyph></mtext></math></desc></svg><i></i>"
    )
    spaces = foreign_rows(page.lists, page.tag_names, page.attrs)
    assert {page.name(i): spaces.get(i, "html") for i in range(3, len(page))} == {
        "svg": "svg", "g": "svg", "desc": "svg", "p": "html", "math": "math", "mtext": "math", "b": "html",
        "mglyph": "math", "i": "html",
    }  # fmt: skip


def test_an_end_tag_that_a_script_put_into_raw_text_is_broken_up(browser: Browser):
    script = f"<script>s = document.createElement('style'); s.textContent = '</st' + 'yle>{IMG}'; b.append(s)</script>"
    page = browser.read(f"<p id=b>x{script.replace('<img', '<i' + chr(39) + '+' + chr(39) + 'mg')}")
    assert "</style>" in next(text for text in page.text if text.startswith("</st"))
    assert images(read_page(page.html())) == []


@pytest.mark.parametrize("part", range(3))
def test_nothing_of_it_runs_in_a_browser(browser: Browser, part: int):
    """Chromium makes no image of the written form."""
    for html in INERT[part::9]:
        page = browser.read(f"<title>quiet</title>{read_page(html).html()}")
        assert images(page) == []

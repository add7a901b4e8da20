"""Addresses inside frames, evaluated by the XPath engine of a real browser."""

from __future__ import annotations

from html import escape

import pytest

from peneira.methods.area import find_regions
from peneira.sources import chromium
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from peneira.xpath.frame_paths import frame_path

INNER = "<!doctype html><body><p>first</p><section>{}</section>".format(
    "".join(f"<div style='height:80px'><h3>Lamp {k}</h3><p>words on it</p></div>" for k in range(6))
)
MIDDLE = f'<!doctype html><body><h2>Frame</h2><iframe srcdoc="{escape(INNER)}" width=700 height=700></iframe>'
OUTER = f'<!doctype html><body><div><iframe srcdoc="{escape(MIDDLE)}" width=760 height=760></iframe></div>'


def test_without_frames_the_address_is_the_xpath():
    page = read_page("<p>one<p>two")
    row = next(i for i in range(len(page)) if page.text_of(i) == "two")
    assert frame_path(page, row) == ("/html[1]/body[1]/p[2]",)


def test_an_address_through_two_frames_has_three_parts_and_chromium_finds_the_element(browser: Browser):
    from playwright.sync_api import sync_playwright

    page = browser.read(OUTER)
    row = next(i for i in range(len(page)) if page.name(i) == "h3" and page.text_of(i) == "Lamp 3")
    first, second, last = frame_path(page, row)
    assert (first, second) == ("/html[1]/body[1]/div[1]/iframe[1]", "/html[1]/body[1]/iframe[1]")
    with sync_playwright() as playwright:
        bare = playwright.chromium.launch(
            executable_path=chromium.find(playwright.chromium.executable_path),
            chromium_sandbox=chromium.has_sandbox(browser.options),
        )
        tab = bare.new_page()
        tab.set_content(OUTER)
        inner = tab.frame_locator(f"xpath={first}").frame_locator(f"xpath={second}")
        assert inner.locator(f"xpath={last}").inner_text() == "Lamp 3"
        bare.close()


def test_the_rendering_area_method_names_the_frames_of_its_region(browser: Browser):
    (region,) = find_regions(browser.read(OUTER)).regions
    (said,) = [reason.detail for reason in region.reasons if reason.detail.startswith("in frames: ")]
    first, second, last = said.removeprefix("in frames: ").split(", then ")
    assert (first, second) == ("/html[1]/body[1]/div[1]/iframe[1]", "/html[1]/body[1]/iframe[1]")
    assert last == "/html[1]/body[1]/section[1]"


@pytest.mark.parametrize("html", ["<p>", "<iframe></iframe>", "<frameset><frame></frameset>"])
def test_every_row_has_an_address(html: str):
    page = read_page(html)
    assert [frame_path(page, i) for i in range(len(page))] == [(page.xpath(i),) for i in range(len(page))]

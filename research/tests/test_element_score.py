"""Whether the right element is selected: the rule itself, and the rendering-area method on styled pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from peneira.methods.area import select
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.html import read_page
from peneira_research.scores.element_score import is_right
from peneira_research.squeezed_text import page_text
from styled_pages import PAGES

# What the method, as published, may get wrong of the pages written for it
MAX_WRONG = 4


@pytest.mark.parametrize(("name", "expected"), [("list", True), ("item", False), ("body", False)])
def test_an_element_is_right_if_it_holds_the_records_and_little_else(name: str, expected: bool):
    menu = "".join(f"<li>menu entry number {k}" for k in range(30))
    items = "".join(f"<li id={'item' if not k else ''}>title {k} and some text" for k in range(10))
    page = read_page(f"<body id=body><ul>{menu}</ul><ul id=list>{items}</ul>")
    node = next(i for i, attrs in enumerate(page.attrs) if attrs.get("id") == name)
    assert is_right(page, node, [f"title {k} and" for k in range(10)], page_text(page)) == expected


@pytest.fixture(scope="module")
def styled(browser: Browser) -> dict[str, Page]:
    pages = {}
    before = browser.options
    for name, make in PAGES.items():
        browser.options = replace(before, width_px=make().width_px)
        pages[name] = browser.read(make().html)
    browser.options = before
    return pages


def test_the_method_selects_the_right_element_on_nearly_all_styled_pages(styled: dict[str, Page]):
    wrong = [
        name
        for name, page in styled.items()
        if not is_right(page, select(page).node, PAGES[name]().titles, page_text(page))
    ]
    assert len(PAGES) >= 14 and len(wrong) <= MAX_WRONG, wrong

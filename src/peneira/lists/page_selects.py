"""Boxes to choose a page from: ``<select>`` with an option for each page."""

from __future__ import annotations

import re

from peneira.lists.page_addresses import PAGE_NAME, counts_records, follow_numbers
from peneira.lists.pager_links import PagerLinks
from peneira.lists.paging_words import is_page_word

_NUMBER = re.compile(r"\d{1,6}")
_LIKE_ADDRESS = re.compile(r"/|\?|\.html?$|^https?:")


def select_pages(links: PagerLinks) -> dict[int, str]:
    """Return the addresses of the pages that a box offers, by number; nothing where no box does."""
    page = links.page
    if "select" not in page.tag_names:
        return {}
    code = page.tag_names.index("select")
    for i in (page.tag == code).nonzero()[0].tolist():
        pages = _options(links, i)
        numbers = sorted(pages)
        if len(pages) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
            urls = [pages[number] for number in numbers]
            if follow_numbers(numbers, urls) and not counts_records(urls):
                return {number: pages[number] for number in numbers}
    return {}


def _options(links: PagerLinks, select: int) -> dict[int, str]:
    page, pages = links.page, dict[int, str]()
    for row in range(select + 1, page.lists.end[select]):
        if page.name(row) != "option":
            continue
        text = page.text_of(row)
        found = _NUMBER.findall(text)
        if not found or not is_page_word(text):
            return {}
        if url := _address(links, select, page.attrs[row].get("value", "")):
            pages.setdefault(int(found[0]), url)
    return pages


def _address(links: PagerLinks, select: int, value: str) -> str | None:
    """Return the address of an option: its value, or that of the form with the value as a parameter."""
    if _LIKE_ADDRESS.search(value):
        return links.address(value)
    page, name = links.page, links.page.attrs[select].get("name", "")
    if not value.isdecimal() or not PAGE_NAME.fullmatch(name.lower()):
        return None
    form = next((node for node in page.ancestors(select) if page.name(node) == "form"), None)
    if form is None or page.attrs[form].get("method", "get").lower() != "get":
        return None
    action = page.attrs[form].get("action", "").split("?")[0] or links.own_url.split("?")[0]
    return links.address(f"{action}?{name}={value}")

"""Boxes to choose a page from: ``<select>`` with an option for each page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from peneira.lists.page_addresses import PAGE_NAME, counts_records, follow_numbers
from peneira.lists.pager_links import PagerLinks
from peneira.lists.paging_words import is_page_word

_NUMBER = re.compile(r"\d{1,6}")
_LIKE_ADDRESS = re.compile(r"/|\?|\.html?$|^https?:")


@dataclass(frozen=True, slots=True)
class PageSelect:
    """The addresses of the pages that a box offers, by number, and the number of the one that is chosen, if any."""

    pages: Mapping[int, str] = field(default_factory=dict)
    current: int | None = None

    @property
    def onward(self) -> str | None:
        """The address of the page after the chosen one."""
        return self.pages.get(self.current + 1) if self.current is not None else None


NO_SELECT = PageSelect()


def page_select(links: PagerLinks) -> PageSelect:
    """Return the box that offers the pages of a list; ``NO_SELECT`` where none does."""
    page = links.page
    if "select" not in page.tag_names:
        return NO_SELECT
    code = page.tag_names.index("select")
    for i in (page.tag == code).nonzero()[0].tolist():
        found = _options(links, i)
        numbers = sorted(found.pages)
        if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
            urls = [found.pages[number] for number in numbers]
            if follow_numbers(numbers, urls) and not counts_records(urls):
                return PageSelect({number: found.pages[number] for number in numbers}, found.current)
    return NO_SELECT


def _options(links: PagerLinks, select: int) -> PageSelect:
    page, pages = links.page, dict[int, str]()
    current = None
    for row in range(select + 1, page.lists.end[select]):
        if page.name(row) != "option":
            continue
        text = page.text_of(row)
        found = _NUMBER.findall(text)
        if not found or not is_page_word(text):
            return NO_SELECT
        number = int(found[0])
        if "selected" in page.attrs[row]:
            current = number
        if url := _address(links, select, page.attrs[row].get("value", text)):
            pages.setdefault(number, url)
    # a browser shows the first option where none is marked
    return PageSelect(pages, current if current is not None else min(pages, default=None))


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

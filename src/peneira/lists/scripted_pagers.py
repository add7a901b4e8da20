"""Pagers that only a script follows: buttons with numbers, or for the next page, without addresses.

Buttons with numbers also choose quantities, ratings and slides, so that something else must call them a pager: a class,
a label for readers, a button for the next page beside them, or a script that names the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from peneira.lists.numbered_pages import MAX_EXTRA_ROWS, container_of, is_calendar, is_sequence, number_runs
from peneira.lists.pager_links import PagerLink, PagerLinks

_NAMES_PAGE = re.compile(r"page|pagina|seite|sida", re.IGNORECASE)
_OTHER_CONTROLS = ("carousel", "calendar", "comments", "article")


def scripted_pager(links: PagerLinks) -> str:
    """Return in words which buttons without addresses lead to other pages; "" where none do."""
    others = links.role_buttons()
    for run in number_runs(sorted([*links.numbers, *others], key=lambda link: link.node), links.page):
        if sign := _numbers_sign(links, run):
            return f"{len(run)} numbers without addresses: {sign}"
    for button in [*links.directions, *others]:
        if button.direction == "next" and (sign := _direction_sign(links, button)):
            return f"a button to the next page without an address: {sign}"
    return ""


def _numbers_sign(links: PagerLinks, run: Sequence[PagerLink]) -> str:
    """Return what calls numbers a pager, "" if nothing does."""
    numbers = [link.number or 0 for link in run]
    if len(run) < 2 or (numbers[0] > 2 and len(run) < 3) or not is_sequence(numbers) or any(link.url for link in run):
        return ""
    surroundings = links.surroundings(run[0].node)
    if surroundings in _OTHER_CONTROLS or is_calendar(links, run, numbers) or links.is_in_record(run[0]):
        return ""
    if surroundings == "pager":
        return "the page calls the element a pager"
    if any(_names_page(links, link) for link in run):
        return "they name pages"
    container = container_of(links, run)
    is_small = links.page.lists.end[container] - container <= MAX_EXTRA_ROWS
    if is_small and any(link.direction and link.source != "icon" for link in links.directions_in(container)):
        return "a button to the next or previous page stands beside them"
    return ""


def _names_page(links: PagerLinks, link: PagerLink) -> bool:
    attrs = links.page.attrs[link.node]
    return any(
        _NAMES_PAGE.search(attrs.get(key, "")) for key in ("href", "onclick", "aria-label", "data-page", "title")
    )


def _direction_sign(links: PagerLinks, button: PagerLink) -> str:
    if button.url is not None or button.is_article or button.is_end or button.is_of_comments or not button.is_whole:
        return ""
    surroundings = links.surroundings(button.node)
    if surroundings in _OTHER_CONTROLS or links.is_in_record(button):
        return ""
    if surroundings == "pager":
        return "the page calls the element a pager"
    if button.names_pages:
        return "it says so in words"
    return ""

"""The pages of a list: which links lead to the next, the previous and the numbered pages, and how the page says so.

Rules, not a model: numbers in a row whose addresses count with them, words in many languages, ``rel``, classes, arrows,
and addresses that differ from that of the page in a number alone. Each sign has points; a link needs ``MIN_SCORE``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from peneira.late_patterns import late_pattern
from peneira.lists.numbered_pages import NumberedPages, numbered_pages
from peneira.lists.page_addresses import PageStep, has_small_number, is_same_path, named_number, page_step
from peneira.lists.page_selects import page_select
from peneira.lists.pager_links import Direction, PagerLink, PagerLinks, Source, rel_direction
from peneira.lists.scripted_pagers import ScriptedPager, scripted_pager
from peneira.page import Page
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import NO_PAGING, Paging, PagingKind, Range, Region

# Points that a link needs, and a row of numbers: addresses that count alone are those of threads in a list of threads
MIN_SCORE = 2.0
MIN_NUMBERED_SCORE = 3.0
MIN_SCRIPTED_SCORE = 1.5
# Characters between the end of the list and a button that may also expand a text
MAX_BUTTON_GAP = 300
# Points at which the confidence is 0.5 and how fast it grows
CONFIDENCE_MIDDLE, CONFIDENCE_STEP = 1.0, 0.8
# Words beside an arrow, in a language that is not known; more are a title
MAX_ARROW_WORDS = 4
# Records with less text are the links of a pager that was taken for a list
MIN_RECORD_CHARS = 12

_POINTS: dict[Source, float] = {"words": 1.5, "rel": 1.0, "class": 1.0, "title": 1.0, "arrow": 0.5, "icon": 0.3}
_SAID_BY: dict[Source, str] = {
    "words": "says so in words",
    "rel": "has the attribute rel",
    "class": "has a class that says so",
    "title": "has a title that says so",
    "arrow": "is an arrow",
    "icon": "is an arrow",
}
_ORDER: tuple[Source, ...] = ("words", "rel", "class", "title", "arrow", "icon")
_SCROLL = late_pattern(
    r"infinite-?_?scroll|infinitescroll|infinite-?loader|endless-?scroll|data-infinite", re.IGNORECASE
)
_DIGITS = late_pattern(r"\d+")


@dataclass(frozen=True, slots=True)
class Choice:
    """The link chosen for a direction, its points and what speaks for it."""

    link: PagerLink
    score: float
    signs: tuple[str, ...]


def find_paging(page: Page, main: Region | None = None) -> Paging:
    """Return the other pages of the list that a page shows a part of; ``NO_PAGING`` where nothing leads there.

    ``main``: the main list, inside of whose records no pager of the page is looked for.
    """
    if not len(page):
        return NO_PAGING
    links = PagerLinks(page, _record_ranges(main))
    pagers = [
        pager
        for pager in numbered_pages(links)
        if pager.score >= MIN_NUMBERED_SCORE and (main is not None or not pager.is_of_comments)
    ]
    pages = _addresses(pagers)
    next_link, previous_link = _directions(links, pagers, has_list=main is not None)
    next_link = next_link or _next_by_number(links, pagers)
    if next_link and previous_link and next_link.link.url == previous_link.link.url:
        previous_link = None  # a theme that calls it so; the head or the numbers say that it leads on
    if not pagers and not next_link and not previous_link:
        return _without_links(page, links, main)
    return _paging(links, pagers, pages or dict(page_select(links).pages), next_link, previous_link)


def find_scripted_pager(page: Page, main: Region) -> ScriptedPager | None:
    """Return the buttons without addresses that lead to other pages of a list, None where there are none."""
    return scripted_pager(PagerLinks(page, _record_ranges(main))) if len(page) else None


def _paging(
    links: PagerLinks,
    pagers: Sequence[NumberedPages],
    pages: dict[int, str],
    next_link: Choice | None,
    previous_link: Choice | None,
) -> Paging:
    reasons, scores = list[Reason](), list[float]()
    if pagers:
        signs = "; ".join(pagers[0].signs) or "they follow each other"
        reasons.append(_reason(f"{counted(len(pages), 'numbered link')}: {signs}", pagers[0].score))
        scores.append(pagers[0].score)
    for name, choice in (("next", next_link), ("previous", previous_link)):
        if choice is not None:
            reasons.append(_reason(f"{name} page: {_shown(choice.link)} {'; '.join(choice.signs)}", choice.score))
            scores.append(choice.score)
    onward, why = _onward(links, pagers, pages, next_link, previous_link)
    if why:
        reasons.append(_reason(why))
    chosen = next_link.link if next_link else None
    is_button = chosen is not None and chosen.meaning == "more" and not pages
    kind: PagingKind = "load-more" if is_button else "numbered" if pages else "link"
    return Paging(
        next=_url(next_link),
        previous=_url(previous_link),
        onward=onward,
        pages=dict(sorted(pages.items())),
        kind=kind,
        confidence=_confidence(max(scores, default=0.0)),
        reasons=tuple(reasons),
    )


def _without_links(page: Page, links: PagerLinks, main: Region | None) -> Paging:
    """Return what a page without links to other pages says in its head, in buttons and in what scripts look for."""
    head = dict(_head_links(page, links))
    if head:
        names = " and ".join(head)
        reason = _reason(f"the head of the page has links with rel {names}; no link on the page does", 2.0)
        url = head.get("next")
        pages = dict(page_select(links).pages)
        return Paging(url, head.get("previous"), url, pages, "link", _confidence(2.0), (reason,))
    if (box := page_select(links)).pages:
        reason = _reason(f"a box to choose one of {len(box.pages)} pages", MIN_SCORE)
        confidence = _confidence(MIN_SCORE)
        return Paging(
            onward=box.onward, pages=dict(box.pages), kind="numbered", confidence=confidence, reasons=(reason,)
        )
    for button in [*links.buttons, *links.role_buttons]:
        if _adds_records(links, button, main):
            reason = _reason(f"{_shown(button)} adds records to this page, by a script", 1.5)
            return Paging(kind="load-more", confidence=_confidence(1.5), reasons=(reason,))
    if main is not None and (pager := scripted_pager(links)):
        reason = _reason(f"the other pages come by a script: {pager.sign}", MIN_SCRIPTED_SCORE)
        return Paging(kind="script", confidence=_confidence(MIN_SCRIPTED_SCORE), reasons=(reason,))
    if main is not None and (mark := _scroll_mark(page, main)):
        reason = _reason(f"the page loads more when it is scrolled: {mark}", 1.5)
        return Paging(kind="scroll", confidence=_confidence(1.5), reasons=(reason,))
    return NO_PAGING


def _adds_records(links: PagerLinks, button: PagerLink, main: Region | None) -> bool:
    """Return whether a button adds records: it says so, or it stands right below the main list."""
    if links.is_in_record(button) or links.surroundings(button.node) in ("carousel", "calendar", "comments"):
        return False
    if button.is_of_comments or button.url is not None or main is None or not main.records:
        return False
    if not button.is_whole or button.meaning not in ("more", "expand"):
        return False
    if button.meaning == "more":
        return True
    end = max(end for start, end in main.records[-1].ranges)
    return button.node >= end and len(links.page.visible_text(end, button.node)) <= MAX_BUTTON_GAP


def _record_ranges(main: Region | None) -> list[Range]:
    """Return the rows of the records of the main list but the last, which may run on into the pager."""
    records = main.records[:-1] if main is not None else ()
    return [rows for record in records if len(record.text) >= MIN_RECORD_CHARS for rows in record.ranges]


def _addresses(pagers: Sequence[NumberedPages]) -> dict[int, str]:
    """Return the addresses of the best pager, and of those above and below the list that have the same form."""
    if not pagers:
        return {}
    pages = dict(pagers[0].addresses)
    forms = {_DIGITS.sub("#", url) for url in pages.values()}
    for pager in pagers[1:]:
        if forms & {_DIGITS.sub("#", url) for url in pager.addresses.values()}:
            pages = {**pager.addresses, **pages}
    return pages


def _directions(
    links: PagerLinks, pagers: Sequence[NumberedPages], *, has_list: bool
) -> tuple[Choice | None, Choice | None]:
    candidates = [link for link in links.directions if has_list or not link.is_of_comments]
    found = [choice for link in candidates if (choice := _scored(links, link, pagers)) is not None]
    return _best(found, "next", pagers), _best(found, "previous", pagers)


def _next_by_number(links: PagerLinks, pagers: Sequence[NumberedPages]) -> Choice | None:
    """Return the numbered link after the current page, where a button without an address or the head says next."""
    for pager in pagers[:1]:
        number = pager.next_number()
        link = next((link for link in pager.links if link.number == number), None)
        if link is None:
            continue
        if ("next", link.url) in _head_links(links.page, links):
            return Choice(link, pager.score, ("is what the head of the page calls next",))
        if any(other.direction == "next" for other in links.directions_in(pager.container)):
            return Choice(
                link, pager.score, ("is the number after that of this page, and a button beside it says next",)
            )
    return None


def _best(choices: Iterable[Choice], direction: Direction, pagers: Sequence[NumberedPages]) -> Choice | None:
    """Return the choice with the most points; of equal ones, that nearest to the numbers, the clearest sign first."""
    ours = [choice for choice in choices if choice.link.direction == direction and choice.score >= MIN_SCORE]
    if not ours:
        return None
    step = 1 if direction == "next" else -1
    beside = {pager.addresses.get(pager.current + step) for pager in pagers[:1] if pager.current is not None}

    def rank(choice: Choice) -> tuple[bool, float, int, int]:
        order = _ORDER.index(choice.link.source) if choice.link.source else len(_ORDER)
        return choice.link.url not in beside, -choice.score, order, step * choice.link.node

    return min(ours, key=rank)


def _scored(links: PagerLinks, link: PagerLink, pagers: Sequence[NumberedPages]) -> Choice | None:
    """Return the points of a link for its direction, None where it cannot be one."""
    if (
        link.url is None
        or link.source is None
        or link.is_end
        or _is_own(links, link.url)
        or _is_abroad(links, link.url)
    ):
        return None
    surroundings = links.surroundings(link.node)
    if surroundings in ("carousel", "calendar"):
        return None
    score, signs = _POINTS[link.source], [_SAID_BY[link.source]]
    step = page_step(links.own_url, link.url) if links.own_url else None
    if step is None and links.own_url and _is_root(link.url):
        return None  # what a pager has in place of an address
    place = 0.0
    if any(pager.container <= link.node < links.page.lists.end[pager.container] for pager in pagers[:1]):
        place += 2
        signs.append("stands beside the numbers of the pages")
    elif any(link.url in pager.addresses.values() for pager in pagers[:1]):
        place += 1.5
        signs.append("leads to a numbered page")
    elif pagers:
        score -= 1
    if step is not None:
        place += 2 if step.is_named else 1
        signs.append("differs from the address of this page in a number alone")
    elif named_number(link.url) is not None and (place or not pagers):  # else it is of the pager of another list
        place += 1.5
        signs.append("has a page number in its address")
    elif links.own_url and is_same_path(links.own_url, link.url):
        place += 1
        signs.append("differs from the address of this page in its parameters alone")
    elif not links.own_url and link.source == "words" and has_small_number(link.url):
        place += 1
        signs.append("has a number in its address")
    if link.source == "words" and any(char.isdecimal() for char in link.text):
        place += 1
        signs.append("says how many records the page has")
    if surroundings == "pager":
        place += 1
        signs.append("is in an element that the page calls a pager")
    # "back" leads anywhere, so that words alone are no sign of a previous page
    # and "more articles" leads from a home page to all of them
    if link.is_whole and not link.is_article and (link.names_pages or link.meaning in ("older", "newer")):
        place += 0 if link.meaning in ("previous", "more") else 1
    is_paged = step is not None and step.is_named
    if (surroundings == "article" or link.is_article) and not is_paged:
        score -= 2.5
    is_title = link.source != "arrow" or len(link.text.split()) > MAX_ARROW_WORDS
    if not link.is_whole and len(link.text) > 1 and is_title and not is_paged:
        score -= 1.5
    if surroundings == "comments" or link.is_of_comments:
        score -= 1
    if links.is_in_record(link):
        score -= 2
    return Choice(link, score + place, tuple(signs)) if place else None


def _onward(
    links: PagerLinks,
    pagers: Sequence[NumberedPages],
    pages: dict[int, str],
    next_link: Choice | None,
    previous_link: Choice | None,
) -> tuple[str | None, str]:
    """Return the address that leads on to records not seen yet, and why if it is not that of the next page."""
    is_next_on = next_link is not None and _leads_on(links, next_link.link)
    if previous_link is not None and not is_next_on and _leads_on(links, previous_link.link):
        return previous_link.link.url, "the list runs back in time: its previous page leads on"
    if next_link is not None and (number := _skipped_page(links, pagers, next_link)) is not None:
        return pages[number], f"the next link leads past page {number}, which comes after this one"
    if next_link is not None:
        return next_link.link.url, ""
    for pager in pagers[:1]:
        if (number := pager.next_number()) is not None:
            return pages[number], f"this is page {pager.current}, so that page {number} leads on"
    return None, ""


def _skipped_page(links: PagerLinks, pagers: Sequence[NumberedPages], next_link: Choice) -> int | None:
    """Return the number of the page after this one, where the next link leads to the next block of numbers."""
    for pager in pagers[:1]:
        number = pager.next_number()
        if number is None or not links.own_url or next_link.link.url in pager.addresses.values():
            continue
        after = page_step(links.own_url, pager.addresses[number])
        step = page_step(links.own_url, next_link.link.url or "")
        last = max((page_step(links.own_url, url) for url in pager.addresses.values()), key=_other, default=None)
        if after is not None and step is not None and last is not None and step.other > last.other > 0:
            return number
    return None


def _other(step: PageStep | None) -> int:
    return step.other if step is not None else -1


def _leads_on(links: PagerLinks, link: PagerLink) -> bool:
    step = page_step(links.own_url, link.url or "") if links.own_url else None
    if step is not None and step.own != step.other:
        return step.is_forward
    return link.meaning in ("older", "more") if link.direction == "previous" else link.meaning != "newer"


def _head_links(page: Page, links: PagerLinks) -> list[tuple[Direction, str]]:
    """Return the links to the next and previous page in the head."""
    found: list[tuple[Direction, str]] = []
    if "link" not in page.tag_names:
        return found
    code = page.tag_names.index("link")
    for i in (page.tag == code).nonzero()[0].tolist():
        attrs = page.attrs[i]
        direction = rel_direction(attrs.get("rel", ""))
        url = links.address(attrs.get("href", "")) if direction else None
        # a head also names the next and previous article; that of a list has an address with a page number
        if direction and url and not _is_own(links, url):
            step = page_step(links.own_url, url) if links.own_url else None
            is_cursor = bool(links.own_url) and is_same_path(links.own_url, url)
            if step is not None or named_number(url) is not None or is_cursor:
                found.append((direction, url))
    return found


def _scroll_mark(page: Page, main: Region) -> str:
    """Return what says that the list loads more when it is scrolled: a class or attribute around it, "" without any."""
    first = main.records[0].ranges[0][0] if main.records and main.records[0].ranges else 0
    for element in page.ancestors(first):
        for near in (element, *page.children(element)):
            for key, value in page.attrs[near].items() if page.attrs[near] else ():
                if (key in ("class", "id") or key.startswith("data-")) and (match := _SCROLL.search(f"{key} {value}")):
                    return match[0]
    return ""


def _is_own(links: PagerLinks, url: str) -> bool:
    return bool(links.own_url) and url.split("#")[0] == links.own_url.split("#")[0]


def _is_root(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path in ("", "/") and not parts.query


def _is_abroad(links: PagerLinks, url: str) -> bool:
    if not links.own_url:
        return False
    try:
        here, there = urlsplit(links.own_url).hostname or "", urlsplit(url).hostname or ""
    except ValueError:
        return True
    return here.removeprefix("www.") != there.removeprefix("www.")


def _url(choice: Choice | None) -> str | None:
    return choice.link.url if choice is not None else None


def _shown(link: PagerLink) -> str:
    return f'"{link.text}"' if link.text else "a link without text"


def _reason(text: str, value: float | None = None) -> Reason:
    return Reason(ReasonCode.PAGING, text, value)


def _confidence(score: float) -> float:
    """Return how likely it is that a link or row of numbers with these points is a pager."""
    doubt: float = 0.5 ** ((score - CONFIDENCE_MIDDLE) / CONFIDENCE_STEP + 1)
    return round(1 - doubt, 2)

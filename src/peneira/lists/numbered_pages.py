"""Numbered links to the pages of a list: runs of numbers that grow, with addresses that grow with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from peneira.lists.page_addresses import counts_records, follow_numbers, named_number, page_step
from peneira.lists.pager_links import PagerLink, PagerLinks, element_words, span_number, span_of, span_size
from peneira.lists.paging_words import is_page_word
from peneira.page import Page

# Characters that may stand between two numbers of a pager: separators, dots, the number of the current page
MAX_GAP_CHARS = 16
# Characters of a pager beside its numbers: "Page 2 of 10", "next", "previous", "first", "last"
MAX_EXTRA_CHARS = 90
MAX_EXTRA_LEVELS = 3
# Runs that are looked at from each end of a page, and rows beside a run: large tables of numbers are no pagers
MAX_RUNS = 200
MAX_EXTRA_ROWS = 300
# Addresses that are compared with that of the page
MAX_COMPARED = 3
# A calendar shows a month: so many numbers, none above 31
MIN_CALENDAR_DAYS = 20
MAX_DAY = 31
MIN_YEAR, MAX_YEAR = 1900, 2100
# What the classes of the number of the page that is shown say
CURRENT_NAMES = frozenset({"active", "current", "selected", "aktiv", "actual", "ativo", "activo"})
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class NumberedPages:
    """A run of numbered links. ``container``: the element that holds it with its other links."""

    links: tuple[PagerLink, ...]
    current: int | None
    container: int
    score: float
    signs: tuple[str, ...]
    is_of_comments: bool

    @property
    def addresses(self) -> dict[int, str]:
        """The address of each page by its number."""
        return {link.number: link.url for link in self.links if link.number is not None and link.url}

    def next_number(self) -> int | None:
        """Return the number of the page after the current one, None if it is not known or not linked."""
        if self.current is None:
            return None
        return self.current + 1 if self.current + 1 in self.addresses else None


def numbered_pages(links: PagerLinks) -> list[NumberedPages]:
    """Return the runs of numbers that are links to the pages of a list, best first."""
    runs = list(number_runs(links.numbers, links.page))
    near_ends = runs if len(runs) <= 2 * MAX_RUNS else [*runs[:MAX_RUNS], *runs[-MAX_RUNS:]]
    found = [pager for run in near_ends if (pager := _pager(links, run)) is not None]
    return sorted(found, key=lambda pager: -pager.score)


def number_runs(numbers: Iterable[PagerLink], page: Page) -> Iterator[list[PagerLink]]:
    """Yield the numbered links that stand side by side, their numbers growing."""
    run = list[PagerLink]()
    for link in numbers:
        if link.number is None:
            continue
        if run and not _continues(page, run[-1], link):
            yield run
            run = []
        run.append(link)
    if run:
        yield run


def _continues(page: Page, last: PagerLink, link: PagerLink) -> bool:
    if (link.number or 0) <= (last.number or 0):
        return False
    between = page.visible_text(page.lists.end[last.node], link.node)
    return len(between) <= MAX_GAP_CHARS


def _pager(links: PagerLinks, run: Sequence[PagerLink]) -> NumberedPages | None:
    """Return the pager that a run is; None if it is none."""
    linked = [link for link in run if link.url]
    numbers, urls = [link.number or 0 for link in linked], [link.url or "" for link in linked]
    if not linked or len(set(urls)) < len(urls) or (len(urls) > 1 and counts_records(urls)):
        return None
    container = container_of(links, run)
    current = _current(links, run, container)
    known = sorted({*numbers, *([current] if current is not None else [])})
    if len(known) < 2 or not is_sequence(known) or is_calendar(links, run, known) or _are_years(known):
        return None
    surroundings = links.surroundings(run[0].node)
    if surroundings in ("carousel", "calendar"):
        return None
    directions = links.directions_in(container)
    if linked[0].span and surroundings != "pager" and not directions:
        return None  # ranges of prices and of ages are no pages
    score, signs = 0.0, list[str]()
    steps = [page_step(links.own_url, url) for url in urls[-MAX_COMPARED:]]
    if len(linked) > 1 and follow_numbers(numbers, urls):
        score += 2
        signs.append("their addresses count with them")
    elif all(named_number(url) is not None for url, number in zip(urls, numbers, strict=True) if number > 1):
        score += 1.5
        signs.append("their addresses hold page numbers")
    if sum(step is not None for step in steps) * 2 >= len(steps):
        score += 1.5
        signs.append("their addresses differ from that of this page in a number alone")
    if surroundings == "pager":
        score += 1
        signs.append("the page calls the element a pager")
    if any(not link.is_article for link in directions):
        score += 1.5
        signs.append("a link to the next or previous page stands beside them")
    if len(known) >= 3:
        score += 0.5
    if sum(links.is_in_record(link) for link in run) * 2 > len(run):
        score -= 2
        signs.append("they are inside a record")
    is_of_comments = surroundings == "comments" or all(link.is_of_comments for link in linked)
    if is_of_comments:
        score -= 1
    if current is not None:
        score += 0.5
    return NumberedPages(tuple(linked), current, container, score, tuple(signs), is_of_comments)


def container_of(links: PagerLinks, run: Sequence[PagerLink]) -> int:
    """Return the element around a run, as long as it holds little else."""
    page = links.page
    first, last = run[0].node, run[-1].node
    node = page.lists.parent[first]
    while node > 0 and page.lists.end[node] <= last:
        node = page.lists.parent[node]
    chars = int(page.text_chars[node])
    for _ in range(MAX_EXTRA_LEVELS):
        above = page.lists.parent[node]
        if above <= 0 or page.name(above) == "body" or page.text_chars[above] > chars + MAX_EXTRA_CHARS:
            break
        node = above
    return node


def _current(links: PagerLinks, run: Sequence[PagerLink], container: int) -> int | None:
    """Return the number of this page: one without a link beside the run, or a link that leads nowhere else."""
    unlinked = [link.number for link in run if not link.url or link.url.split("#")[0] == links.own_url.split("#")[0]]
    if len(unlinked) == 1:
        return unlinked[0]
    if (number := plain_number(links, run, container)) is not None:
        return number
    marked = [link.number for link in run if is_marked(links, link.node)]
    return marked[0] if len(marked) == 1 else None


def is_marked(links: PagerLinks, node: int) -> bool:
    """Return whether a number, or an element that holds nothing else, says that it is the one of this page."""
    page, parent = links.page, links.page.lists.parent[node]
    is_wrapped = parent >= 0 and page.text_chars[parent] == page.text_chars[node]
    for element in (node, parent) if is_wrapped else (node,):
        attrs = page.attrs[element]
        current = attrs.get("aria-current", "false").lower() not in ("", "false")
        pressed = attrs.get("aria-pressed", attrs.get("aria-selected", "")).lower() == "true"
        if current or pressed or "disabled" in attrs or CURRENT_NAMES & element_words(attrs):
            return True
    return False


def plain_number(links: PagerLinks, run: Sequence[PagerLink], container: int) -> int | None:
    """Return the number that stands as a text beside a run, as that of this page does; None without one."""
    page = links.page
    if page.lists.end[container] - container > run[-1].node - run[0].node + MAX_EXTRA_ROWS:
        return None
    linked_rows = {row for link in run for row in range(link.node, page.lists.end[link.node])}
    numbers = {link.number for link in run}
    size = span_size(run)
    lowest, highest = min(link.number or 0 for link in run), max(link.number or 0 for link in run)
    for row in range(container, page.lists.end[container]):
        if page.lists.tag[row] == 0 and row not in linked_rows:
            text = page.text[row].strip(" \t\r\n[]()|·.,-–\u00a0")
            if size and (span := span_of(text)) is not None:
                text = str(span_number(span, size) or "")
            elif not text.isdecimal() and len(text) <= MAX_GAP_CHARS and is_page_word(text):
                text = next(iter(_DIGITS.findall(text)), "")  # "Pages: 1", "Page 1 of 9"
            if (
                text.isdecimal()
                and len(text) <= 6
                and int(text) not in numbers
                and lowest - 1 <= int(text) <= highest + 1
            ):
                return int(text)
    return None


def is_sequence(numbers: Sequence[int]) -> bool:
    """Return whether two of the numbers follow each other; sizes of pages ("10 20 50") do not."""
    return any(after - before == 1 for before, after in pairwise(numbers))


def _are_years(numbers: Sequence[int]) -> bool:
    return all(MIN_YEAR <= number <= MAX_YEAR for number in numbers)


def is_calendar(links: PagerLinks, run: Sequence[PagerLink], numbers: Sequence[int]) -> bool:
    """Return whether the numbers are the days of a month: cells of a table of seven columns, or up to 31 of them."""
    if numbers[-1] > MAX_DAY:
        return False
    page = links.page
    if len(numbers) >= MIN_CALENDAR_DAYS and numbers[-1] >= 28 and all(link.url is None for link in run):
        return True
    cell = next((node for node in page.ancestors(run[0].node) if page.name(node) == "td"), None)
    return cell is not None and sum(page.name(node) == "td" for node in page.siblings(cell)) == 7

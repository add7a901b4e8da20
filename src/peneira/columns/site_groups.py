"""Which pages are of one site: those of one host, and pages without an address whose markup is much the same.

Markup is compared by class words and the places of columns. Large sets of them are compared by their smallest hashes
(bottom-k sketches, Cohen and Kaplan 2007), so that a page costs the same to compare, whatever its size.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from urllib.parse import urlsplit

from peneira.late_patterns import late_pattern
from peneira.page import Page, attribute_column
from peneira.result import Region

# Hashes that stand for the markup of a page; a share of .3 is then estimated within .03
SKETCH_SIZE = 256
# Pages that share this much of their markup are of one site
MIN_SHARED_MARKUP = 0.3
# Sites that a page is compared with, and pages of each
MAX_SITES = 100
MAX_PAGES_PER_SITE = 3
_DIGITS = late_pattern(r"\d+")
# What may stand in a name that files and headings get; the longest that DNS allows
_HOST_NAME = late_pattern(r"[\w.:-]{1,253}")
_WWW = late_pattern(r"^www?\d*\.(?=.*\.)")


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """Where a page is from: its host, "" where that is not known; and the sketch of its markup."""

    host: str
    markup: frozenset[int]


def page_origin(page: Page, regions: Sequence[Region] = ()) -> PageOrigin:
    """Return the origin of a page and of the lists on it. O(nodes)."""
    classes = set(attribute_column(page, "class")[2])
    words = {_DIGITS.sub("0", word) for text in classes for word in text.split()}
    places = {f"/{column.path}" for region in regions for column in region.all_columns or region.columns if column.path}
    hashes = {zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words | places}
    return PageOrigin(host_of(page), frozenset(nsmallest(SKETCH_SIZE, hashes)))


def host_of(page: Page) -> str:
    """Return the host of a page without www: that of its URL, else the one that the page itself names; "" if none."""
    return next(filter(None, map(_host, _addresses(page))), "")


def address_of(page: Page) -> str:
    """Return the address that a page names itself: its canonical link, og:url or base; "" if none."""
    named = (*_own_addresses(page), *_base_addresses(page))
    return next((address.strip() for address in named if _host(address)), "")


def _addresses(page: Page) -> Iterator[str]:
    """Yield what may be the address of a page, the surest first."""
    yield page.url or ""
    yield from _base_addresses(page)
    yield from _own_addresses(page)


def _base_addresses(page: Page) -> Iterator[str]:
    yield from (attributes.get("href") or "" for attributes in _attributes(page, "base"))


def _own_addresses(page: Page) -> Iterator[str]:
    for attributes in _attributes(page, "link"):
        if "canonical" in (attributes.get("rel") or "").lower().split():
            yield attributes.get("href") or ""
    for attributes in _attributes(page, "meta"):
        if (attributes.get("property") or "").lower() == "og:url":
            yield attributes.get("content") or ""


def _attributes(page: Page, tag: str) -> Iterator[dict[str, str]]:
    if tag in page.tag_names:
        for row in (page.tag == page.tag_names.index(tag)).nonzero()[0].tolist():
            yield page.attrs[row]


def _host(url: str) -> str:
    if not url.strip().lower().startswith(("http://", "https://")):
        return ""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    host = _WWW.sub("", host.strip("."))
    return host if _HOST_NAME.fullmatch(host) else ""


def group_sites(origins: Sequence[PageOrigin]) -> list[int]:
    """Return the number of the site of each page; sites are numbered in the order of their first pages."""
    sites: list[list[PageOrigin]] = []
    by_host: dict[str, int] = {}
    found: dict[int, int] = {}
    for k, origin in sorted(enumerate(origins), key=lambda pair: not pair[1].host):
        site = by_host.get(origin.host) if origin.host else _most_alike(origin, sites)
        if site is None:
            site = len(sites)
            sites.append([])
            if origin.host:
                by_host[origin.host] = site
        found[k] = site
        if len(sites[site]) < MAX_PAGES_PER_SITE:
            sites[site].append(origin)
    order: dict[int, int] = {}
    return [order.setdefault(found[k], len(order)) for k in range(len(origins))]


def _most_alike(origin: PageOrigin, sites: Sequence[Sequence[PageOrigin]]) -> int | None:
    shares = [max(shared_markup(origin, page) for page in pages) for pages in sites[:MAX_SITES]]
    best = max(range(len(shares)), key=lambda k: shares[k], default=None)
    return best if best is not None and shares[best] >= MIN_SHARED_MARKUP else None


def shared_markup(first: PageOrigin, second: PageOrigin) -> float:
    """Return the share of the markup of two pages that both have, 0..1; 1 if neither has any.

    A share below ``MIN_SHARED_MARKUP`` may be given as 0.
    """
    if not first.markup and not second.markup:
        return 1.0
    common = first.markup & second.markup
    size = min(len(first.markup) + len(second.markup) - len(common), SKETCH_SIZE)
    if len(common) < MIN_SHARED_MARKUP * size:  # most pages of other sites, which need no sorting
        return 0.0
    return len(common.intersection(nsmallest(SKETCH_SIZE, first.markup | second.markup))) / size

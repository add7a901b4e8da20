"""The spiders: the pages of lists one after the other, and the page of each record.

``PageSpider`` follows lists and yields their pages; ``peneira crawl`` makes one table of them. ``PeneiraSpider`` yields
a dictionary per record, as Scrapy projects expect; subclass it and override ``record_item`` or ``joined_item``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure
from w3lib.encoding import http_content_type_encoding

from peneira.credentials import without_credentials
from peneira.errors import FetchError, PeneiraError, RefusedAddress, RenderError
from peneira.extraction import extract
from peneira.items.builder import item_of
from peneira.page import Page
from peneira.result import Extraction, Record
from peneira.scrapy.download_handler import CUT, OWN_HEADERS, RENDER, RENDERED, TURNED, TURNS, origin_of
from peneira.scrapy.novelty import Novelty, address_form
from peneira.scrapy.options import DEFAULT_OPTIONS, PASSING_CODES, CrawlOptions
from peneira.scrapy.record_rows import detail_address
from peneira.scrapy.turned_pages import KEY_SEPARATOR, load_pages
from peneira.sources.html import read_page
from peneira.sources.http_messages import PAGE_TYPES, explain_error, explain_status, explain_type, media_type
from peneira.sources.rendering import ACTIVE_TAGS
from peneira.sources.urls import parse_url
from peneira.table import RecordDict

# How often a page may grow: buttons that load more are pressed, and the page is scrolled, while records come
MAX_GROWTHS = 200
# How often the button to the next page may be pressed where it has no address
MAX_TURNS = 200
_LIST_PRIORITY = 10
_NEEDS_BROWSER = frozenset({"script-shell", "empty"})
_GROWING = frozenset({"load-more", "scroll"})


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list: the number of its start address, its own number in the list, its key, and what is on it."""

    start: int
    number: int
    key: str
    url: str
    result: Extraction
    page: Page

    @property
    def order(self) -> tuple[int, int]:
        return self.start, self.number


@dataclass(frozen=True, slots=True)
class DetailPage:
    """The page of a record, by the address that the list has for it."""

    address: str
    key: str
    url: str


@dataclass(slots=True)
class CrawlNotes:
    """What a crawl could not do: pages that failed with the reasons, and limits that were hit with what they left out.

    ``passing``: those of the failed pages that may well be there the next time. ``abroad``: records whose own pages
    are on other sites. ``planned``: what a dry run would have fetched.
    """

    failures: dict[str, str] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)
    abroad: int = 0
    planned: list[str] = field(default_factory=list)
    planned_details: int = 0


class PageSpider(Spider):
    """Follows lists from their start addresses on: ``start_urls`` and ``crawl_options``."""

    name = "peneira"
    crawl_options: CrawlOptions = DEFAULT_OPTIONS

    def __init__(self, *args: Any, start_urls: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = list(start_urls or self.start_urls)
        targets = [parse_url(url) for url in named]
        # user names and passwords of addresses go to their origin alone, and are in no address from here on
        self._logins = {target.serialized_origin: target.credentials for target in targets if target.credentials}
        self.start_urls = [without_credentials(url.strip()) for url in named]
        self.notes = CrawlNotes()
        self.novelty = Novelty(self.crawl_options.limits.novelty)
        self._requested: set[str] = set()
        self._rendered_hosts: set[str] = set()
        self._held: dict[str, list[Request]] = {}

    async def start(self) -> AsyncIterator[Any]:
        """Yield the request of each start address."""
        for number, url in enumerate(self.start_urls):
            yield self._list_request(url, start=number, number=1)

    # --- lists -----------------------------------------------------------------------------------------------------

    def parse_list(self, response: Response, start: int, number: int, may_render: bool = True) -> Iterator[Any]:
        """Yield what a page of a list gives, and the requests that lead on from it."""
        if TURNED in response.flags:
            yield from self._parse_turned(response, start, number)
            return
        page = page_of(response)
        if page is None:
            self.notes.failures[response.url] = explain_type(media_type(_content_type(response)))
            return
        result = extract(page)
        rendering = self._rendering(response, page, result, number) if may_render else None
        if rendering is not None:
            yield self._list_request(response.url, start=start, number=number, rendering=rendering)
            return
        self._note_cuts(response.url, [flag.removeprefix(CUT) for flag in response.flags if flag.startswith(CUT)])
        found = ListPage(start, number, _key(response), response.url, result, page)
        yield from self._parsed(found, response, onward=result.paging.onward)

    def _parse_turned(self, response: Response, start: int, number: int) -> Iterator[Any]:
        """Yield what the pages give that a browser turned to by pressing a button."""
        pages, cuts = load_pages(response.body)
        self._note_cuts(response.url, cuts)
        for k, (url, html) in enumerate(pages):
            if not _is_followed(url, response.url):
                self.notes.limits[url] = "the button to the next page leads to another site; not followed"
                break
            page = read_page(html, url=url, charset="utf-8")
            turned = HtmlResponse(url, body=html, encoding="utf-8", request=response.request, flags=[RENDERED])
            found = ListPage(start, number + k, f"{_key(response)}{KEY_SEPARATOR}{k}", url, extract(page), page)
            yield from self._parsed(found, turned, is_last=k == len(pages) - 1)

    def _parsed(
        self, page: ListPage, response: Response, *, onward: str | None = None, is_last: bool = True
    ) -> Iterator[Any]:
        """Yield what a page of a list gives that was read, and the request of the next one."""
        records = page.result.main or ()
        new = self.novelty.note(page.url, records)
        if not records:
            self.notes.failures[page.url] = f"no list of records: {page.result.reasons[0]}"
        following = []
        if onward and records and (new or not self._is_seen(onward)):
            if _is_followed(onward, page.url):
                following = list(self._next_page(onward, page.start, page.number + 1))
            else:
                self.notes.limits[onward] = "the next page is on another site; not followed"
        found = self.list_items(page, response)
        requests = [*self._held_back(page.url, found, is_end=is_last and not following), *following]
        if self.crawl_options.is_dry:
            self._note_planned(page.result, requests)
        yield from (each for each in requests if not self.crawl_options.is_dry or not isinstance(each, Request))

    def _note_cuts(self, url: str, cuts: Sequence[str]) -> None:
        if cuts:
            self.notes.limits[url] = "; ".join(cuts)

    def _note_planned(self, result: Extraction, found: Sequence[Any]) -> None:
        lists = [*result.paging.pages.values(), result.paging.onward]
        details = [each.url for each in found if isinstance(each, Request) and each.callback == self.parse_detail]
        self.notes.planned += dict.fromkeys([*filter(None, lists), *details])
        self.notes.planned_details += len(details)

    def _held_back(self, url: str, found: Iterable[Any], *, is_end: bool) -> Iterator[Any]:
        """Yield what a list page gives; the pages of its records wait where it may be one of a trap.

        They are requested when a page like it brings something new or the list ends by itself, and never in a trap.
        """
        held = self._held.setdefault(address_form(url), [])
        for each in found:
            if isinstance(each, Request):
                held.append(each)
            else:
                yield each
        if self.novelty.is_spent(url):
            yield from (item for request in held for item in self.without_details(request))
            held.clear()
        elif is_end or self.novelty.is_fruitful(url):
            yield from held
            held.clear()

    def list_items(self, page: ListPage, response: Response) -> Iterable[Any]:
        """Return what a list page gives: the page itself, and the requests of its records' own pages."""
        yield page
        if self.crawl_options.details:
            for record in page.result.main or ():
                yield from self.detail_request(record, response)

    def detail_request(self, record: Record, response: Response, /, **cb_kwargs: Any) -> Iterator[Request]:
        """Yield the request of a record's own page, where it has one on this site that was not requested before."""
        address = detail_address(record)
        if address is None or not _host(address):
            return
        if not _is_same_site(address, response.url):
            self.notes.abroad += 1
            return
        if self._may_request(address):
            meta = {RENDER: 0} if _host(address) in self._rendered_hosts else {}
            yield Request(
                address,
                callback=self.parse_detail,
                errback=self.failed,
                cb_kwargs={"address": address, **cb_kwargs},
                headers=self._headers(address),
                cookies=[{"name": name, "value": value} for name, value in self.crawl_options.cookies.items()],
                meta={**meta, **self._header_origin(address)},
            )

    def parse_detail(self, response: Response, address: str) -> Iterator[Any]:
        """Yield the page of a record."""
        yield DetailPage(address, _key(response), response.url)

    def failed(self, failure: Failure) -> Iterator[Any]:
        """Note why a page could not be fetched, and yield what is known without it."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self.notes.failures[request.url] = failure_reason(failure.value)
        if is_passing(failure.value):
            self.notes.passing.add(request.url)
        if request.callback == self.parse_list and (request.meta.get(RENDER) or TURNS in request.meta):
            # what was sent has records, if not all of them
            yield self._list_request(request.url, **{**request.cb_kwargs, "may_render": False})
        else:
            yield from self.without_details(request)

    def without_details(self, request: Request) -> Iterable[Any]:
        """Return what is yielded for a record whose own page was not fetched."""
        return ()

    def _rendering(self, response: Response, page: Page, result: Extraction, number: int) -> dict[str, int] | None:
        """Return how a page is to be rendered, as ``Request.meta`` has it, where that may show more; else None."""
        onward = self._script_rendering(result, number)
        if RENDERED in response.flags:
            if response.meta.get(RENDER):
                return None
            # lists that scripts build often grow without a word about it
            may_grow = result.paging.kind == "none" and result.main is not None and number == 1
            return onward or ({RENDER: MAX_GROWTHS} if may_grow else None)
        if RENDER in response.meta:  # asking again would bring the same
            self.notes.limits[response.url] = "the page was not rendered: the settings lack peneira's download handler"
            return None
        if self.crawl_options.render == "never":
            if onward:
                self.notes.limits[response.url] = "the list loads more by a script (--render never)"
            return None
        if onward is not None:
            return onward
        if self.crawl_options.render == "auto" and (
            result.verdict not in _NEEDS_BROWSER or ACTIVE_TAGS.isdisjoint(page.tag_names)
        ):
            return None
        self._rendered_hosts.add(_host(response.url))
        return {RENDER: 0}

    def _script_rendering(self, result: Extraction, number: int) -> dict[str, int] | None:
        """Return how a page is rendered whose other records come by a script, None where they do not."""
        if result.paging.onward is not None:
            return None
        if result.paging.kind in _GROWING:
            return {RENDER: MAX_GROWTHS}
        if result.paging.kind != "script":
            return None
        return {RENDER: 0, TURNS: min(MAX_TURNS, max(self.crawl_options.limits.depth - number, 0))}

    def _next_page(self, url: str, start: int, number: int) -> Iterator[Request]:
        limits = self.crawl_options.limits
        if number > limits.depth:
            self.notes.limits[url] = f"the list has more than {limits.depth} pages (--max-depth)"
        elif self.novelty.is_spent(url):
            self.notes.limits[url] = (
                f"{limits.novelty} pages in a row with addresses like this brought nothing new but numbers (--novelty)"
            )
        elif self._may_request(url):
            yield self._list_request(url, start=start, number=number)

    def _list_request(
        self, url: str, *, start: int, number: int, rendering: Mapping[str, int] | None = None, may_render: bool = True
    ) -> Request:
        is_rendered = _host(url) in self._rendered_hosts or self.crawl_options.render == "always"
        if rendering is None and is_rendered and may_render:
            rendering = {RENDER: 0}
        self._requested.add(_plain(url))
        return Request(
            url,
            callback=self.parse_list,
            errback=self.failed,
            cb_kwargs={"start": start, "number": number, **({} if may_render else {"may_render": False})},
            headers=self._headers(url),
            cookies=[{"name": name, "value": value} for name, value in self.crawl_options.cookies.items()],
            meta={**(rendering or {}), **self._header_origin(url)},
            priority=_LIST_PRIORITY,
            dont_filter=True,  # ``_may_request`` has done that; a page may be asked for again to be rendered
        )

    def _headers(self, url: str) -> dict[str, str]:
        headers = dict(self.crawl_options.headers)
        login = self._logins.get(origin_of(url)) if self._logins else None
        return headers if login is None else {"Authorization": f"Basic {login}", **headers}

    def _header_origin(self, url: str) -> dict[str, tuple[str, list[str]]]:
        names = list(self.crawl_options.headers)
        return {OWN_HEADERS: (origin_of(url), names)} if names else {}

    def _is_seen(self, url: str) -> bool:
        return _plain(url) in self._requested

    def _may_request(self, url: str) -> bool:
        """Return whether a page is new and within the limit, and count it."""
        if self._is_seen(url):
            return False
        limit = self.crawl_options.limits.pages
        if len(self._requested) >= limit:
            self.notes.limits.setdefault("pages", f"{limit} pages were fetched (--max-pages); others were left out")
            return False
        self._requested.add(_plain(url))
        return True


class PeneiraSpider(PageSpider):
    """Yields a dictionary per record of the lists that begin at ``start_urls``, with values by column name.

    With ``crawl_options.details``, each record is joined with the item of its own page before it is yielded.
    """

    def list_items(self, page: ListPage, response: Response) -> Iterable[Any]:
        """Return the records of a list page, or the requests of their own pages."""
        records = page.result.main
        if records is None:
            return
        for record, values in zip(records, records.to_dicts(), strict=True):
            item = self.record_item(values, response)
            requests = list(self.detail_request(record, response, record=item)) if self.crawl_options.details else []
            yield from requests or [item]

    def record_item(self, values: RecordDict, response: Response) -> Any:
        """Return the item of a record; override it to change what is yielded."""
        return values

    def joined_item(self, record: Any, details: RecordDict, response: Response) -> Any:
        """Return the item of a record and of its own page; what the list says goes before what the page says."""
        return {**details, **record}

    def without_details(self, request: Request) -> Iterable[Any]:
        """Return the record as the list has it."""
        return [request.cb_kwargs["record"]] if "record" in request.cb_kwargs else ()

    def parse_detail(self, response: Response, address: str, record: Any = None) -> Iterator[Any]:
        """Yield a record with what its own page says."""
        page = page_of(response)
        yield self.joined_item(record, item_of(page).to_dict() if page is not None else {}, response)


def page_of(response: Response) -> Page | None:
    """Return the page of a response, None where it is not one."""
    if not isinstance(response, TextResponse) or media_type(_content_type(response)) not in PAGE_TYPES:
        return None
    try:
        return read_page(response.body, url=response.url, charset=http_content_type_encoding(_content_type(response)))
    except PeneiraError:
        return None


def is_passing(error: BaseException | None) -> bool:
    """Return whether a page that could not be fetched may be there the next time."""
    if isinstance(error, HttpError):
        return error.response.status in PASSING_CODES
    return not isinstance(error, IgnoreRequest | RefusedAddress)


def failure_reason(error: BaseException | None) -> str:
    """Return in words why a page could not be fetched."""
    if isinstance(error, HttpError):
        return explain_status(error.response.status, "try again later")
    if isinstance(error, FetchError | RenderError):
        return str(error).removeprefix(f"{error.url}: ")
    if isinstance(error, PeneiraError):
        return str(error)
    if isinstance(error, OSError):
        return explain_error(error, 0)
    if isinstance(error, IgnoreRequest):
        return str(error) or "left out"
    what = str(error).partition("\n")[0].strip()  # a browser that ended raises a mere Exception
    return f"it could not be fetched ({what or type(error).__name__})"


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def _key(response: Response) -> str:
    return str(response.meta.get("peneira_key", ""))


def _plain(url: str) -> str:
    return url.partition("#")[0]


def _host(url: str) -> str:
    """Return the host and port of an address, nothing where it has none or is broken."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def _is_followed(url: str, page_url: str) -> bool:
    """Return whether the next page of a list is one of the same site."""
    return url.lower().startswith(("http://", "https://")) and _is_same_site(url, page_url)


def _is_same_site(url: str, other: str) -> bool:
    host, own = (_host(each).removeprefix("www.") for each in (url, other))
    return host == own or host.endswith(f".{own}") or own.endswith(f".{host}")

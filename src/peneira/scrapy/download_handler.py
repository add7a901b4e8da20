"""Scrapy's download handler with the address rules, and pages rendered by the guarded browser where they need it."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread

from peneira.errors import FetchError
from peneira.lists.paging_words import more_labels
from peneira.scrapy.address_guard import AddressGuard, GuardedResolver
from peneira.scrapy.options import DEFAULT_OPTIONS
from peneira.scrapy.turned_pages import CONTENT_TYPE, HTML_TYPE, PageTurner, dump_pages
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions
from peneira.sources.urls import parse_url

# The key of ``Request.meta`` for a page to be rendered: its value is how often more records may be loaded
RENDER = "peneira_render"
# That for one whose other pages come by buttons without addresses: how often these may be pressed
TURNS = "peneira_turns"
# That for the headers of the user: the origin that gets them, and their names
OWN_HEADERS = "peneira_own_headers"
# Flags of responses: a page as a browser rendered it, several of them in one, and what was left out of one
RENDERED = "rendered"
TURNED = "turned"
CUT = "cut: "
# What a page gets on top of its time, for each time that it grows or is turned
_GROWTH_S = 2.0
_TURN_S = 5.0
_TURN_REQUESTS = 100

# Headers of a request that are Scrapy's own; cookies are given to the browser as such
_OF_SCRAPY = frozenset({"accept-encoding", "cookie", "host", "referer", "user-agent"})

_guards: WeakKeyDictionary[Crawler, AddressGuard] = WeakKeyDictionary()


def guard_of(crawler: Crawler) -> AddressGuard:
    """Return the guard of a crawl, by its settings PENEIRA_PRIVATE_HOSTS ("host:port") and PENEIRA_ALLOW_PRIVATE."""
    if crawler not in _guards:
        named = crawler.settings.getlist("PENEIRA_PRIVATE_HOSTS")
        homes = [(host, int(port)) for host, _, port in (str(each).rpartition(":") for each in named)]
        _guards[crawler] = AddressGuard(homes, allow_private=crawler.settings.getbool("PENEIRA_ALLOW_PRIVATE"))
    return _guards[crawler]


class GuardedHandler(HTTP11DownloadHandler):
    """Downloads pages from addresses that the guard allows; a request with ``RENDER`` is rendered in a browser."""

    lazy = True  # made when the reactor runs: only then its resolver stays the one that is set here

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        from twisted.internet import reactor

        self._guard = guard_of(crawler)
        self._browser: Browser | None = None
        self._browser_lock = Lock()
        self._timeout_s = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._delay_s = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._novelty = crawler.settings.getint("PENEIRA_NOVELTY", DEFAULT_OPTIONS.limits.novelty)
        self._allow_private = crawler.settings.getbool("PENEIRA_ALLOW_PRIVATE")
        self._user_agent = str(crawler.settings["USER_AGENT"])
        usual = crawler.settings.getdict("DEFAULT_REQUEST_HEADERS")
        self._usual_headers = {str(name).lower(): str(value) for name, value in usual.items()}
        installer: Any = reactor
        installer.installNameResolver(GuardedResolver(self._guard))

    async def download_request(self, request: Request) -> Response:
        """Return the response of a server, or the page as a browser renders it."""
        await maybe_deferred_to_future(deferToThread(self._guard.check, request.url))
        _drop_headers(request)
        if RENDER not in request.meta:
            return await super().download_request(request)
        return await maybe_deferred_to_future(deferToThread(self._rendered, request))

    def _rendered(self, request: Request) -> Response:
        with self._browser_lock:  # the options are those of one page
            return self._rendered_alone(request)

    def _rendered_alone(self, request: Request) -> Response:
        options = RenderOptions(
            timeout_s=self._timeout_s,
            allow_private=self._allow_private,
            user_agent=self._user_agent,
            headers=self._own_headers(request),
            cookies=_cookies(request),
        )
        if self._browser is None:
            self._browser = Browser(options)
        if TURNS in request.meta:
            return self._turned(self._browser, options, request)
        growths = int(request.meta[RENDER])
        grown_s = self._timeout_s + _GROWTH_S * growths
        self._browser.options = replace(
            options, scrolls=growths, scrolls_to_end=True, more_labels=more_labels(), timeout_s=grown_s
        )
        page = self._browser.open(request.url, resolver=self._guard.resolver)
        return HtmlResponse(
            page.url or request.url,
            headers={"Content-Type": HTML_TYPE},
            body=page.html().encode(),
            request=request,
            flags=[RENDERED, *(f"{CUT}{cut}" for cut in page.cuts if cut.limit == "scrolls")],
        )

    def _own_headers(self, request: Request) -> tuple[tuple[str, str], ...]:
        """Return the headers of a request but those that Scrapy gives to all: a browser has its own for these."""
        headers = {str(name).lower(): str(value) for name, value in request.headers.to_unicode_dict().items()}
        own = (name for name in headers if name not in _OF_SCRAPY and headers[name] != self._usual_headers.get(name))
        return tuple((name, headers[name]) for name in own)

    def _turned(self, browser: Browser, options: RenderOptions, request: Request) -> Response:
        """Return the page and those that follow when its button to the next one is pressed."""
        turns = int(request.meta[TURNS])
        turn_s = max(options.patience_s, self._delay_s)
        browser.options = replace(
            options,
            turns=turns,
            patience_s=turn_s,  # the pages of a list come no faster than by addresses
            timeout_s=self._timeout_s + (turn_s + _TURN_S) * turns,
            max_navigations=options.max_navigations + turns,
            max_requests=options.max_requests + _TURN_REQUESTS * turns,
        )
        turner = PageTurner(self._novelty)
        pages = browser.open_pages(request.url, turner, resolver=self._guard.resolver)
        cuts = [*pages[-1].cuts, *turner.cuts]
        return TextResponse(
            pages[0].url or request.url,
            headers={"Content-Type": CONTENT_TYPE},
            body=dump_pages(pages[: max(1, turner.pages)], cuts),
            encoding="utf-8",
            request=request,
            flags=[RENDERED, TURNED],
        )

    async def close(self) -> None:
        """End the connections and the browser."""
        await super().close()
        if self._browser is not None:
            await maybe_deferred_to_future(deferToThread(self._browser.close))


def origin_of(url: str) -> str:
    """Return the origin of an address as browsers write it, nothing where it has none."""
    try:
        return parse_url(url).serialized_origin
    except FetchError:
        return ""


def _drop_headers(request: Request) -> None:
    """Drop the headers of the user where a redirect has led to another origin; Scrapy keeps them."""
    origin, names = request.meta.get(OWN_HEADERS, ("", ()))
    if names and origin_of(request.url) != origin:
        for name in names:
            request.headers.pop(name, None)


def _cookies(request: Request) -> tuple[tuple[str, str], ...]:
    """Return the cookies that a request has: those of the user, and those that the site has set before."""
    sent = (request.headers.get("Cookie") or b"").decode("latin-1")
    pairs = (part.strip().partition("=") for part in sent.split(";"))
    return tuple((name, value) for name, found, value in pairs if name and found)

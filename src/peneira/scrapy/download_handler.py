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

from peneira.lists.paging_words import more_labels
from peneira.scrapy.address_guard import AddressGuard, GuardedResolver
from peneira.scrapy.options import DEFAULT_OPTIONS
from peneira.scrapy.turned_pages import CONTENT_TYPE, HTML_TYPE, PageTurner, dump_pages
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions

# The key of ``Request.meta`` for a page to be rendered: its value is how often more records may be loaded
RENDER = "peneira_render"
# That for one whose other pages come by buttons without addresses: how often these may be pressed
TURNS = "peneira_turns"
# Flags of responses: a page as a browser rendered it, several of them in one, and what was left out of one
RENDERED = "rendered"
TURNED = "turned"
CUT = "cut: "
# What a page gets on top of its time, for each time that it grows or is turned
_GROWTH_S = 2.0
_TURN_S = 5.0
_TURN_REQUESTS = 100

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
        installer: Any = reactor
        installer.installNameResolver(GuardedResolver(self._guard))

    async def download_request(self, request: Request) -> Response:
        """Return the response of a server, or the page as a browser renders it."""
        await maybe_deferred_to_future(deferToThread(self._guard.check, request.url))
        if RENDER not in request.meta:
            return await super().download_request(request)
        return await maybe_deferred_to_future(deferToThread(self._rendered, request))

    def _rendered(self, request: Request) -> Response:
        with self._browser_lock:  # the options are those of one page
            return self._rendered_alone(request)

    def _rendered_alone(self, request: Request) -> Response:
        options = RenderOptions(timeout_s=self._timeout_s, allow_private=self._allow_private)
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

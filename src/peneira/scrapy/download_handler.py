"""Scrapy's download handler with the address rules, and pages rendered by the guarded browser where they need it."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread

from peneira.lists.paging_words import more_labels
from peneira.scrapy.address_guard import AddressGuard, GuardedResolver
from peneira.sources.browser import Browser
from peneira.sources.chromium import RenderOptions

# The key of ``Request.meta`` for a page to be rendered: its value is how often more records may be loaded
RENDER = "peneira_render"
RENDERED = "rendered"
# What a page that grows gets on top of the time for a page, for each time that it grows
_GROWTH_S = 2.0

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
        growths = int(request.meta[RENDER])
        options = RenderOptions(timeout_s=self._timeout_s, allow_private=self._allow_private)
        if self._browser is None:
            self._browser = Browser(options)
        grown_s = self._timeout_s + _GROWTH_S * growths
        self._browser.options = replace(options, scrolls=growths, more_labels=more_labels(), timeout_s=grown_s)
        page = self._browser.open(request.url, resolver=self._guard.resolver)
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(
            page.url or request.url, headers=headers, body=page.html().encode(), request=request, flags=[RENDERED]
        )

    async def close(self) -> None:
        """End the connections and the browser."""
        await super().close()
        if self._browser is not None:
            await maybe_deferred_to_future(deferToThread(self._browser.close))

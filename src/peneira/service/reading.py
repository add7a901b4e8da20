"""Pages that callers of a service name or send, read under the service's own rules.

A caller names URLs, never files. Private addresses are refused unless the service was started to allow them: the
service stands in a network where its caller may not be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

from peneira.credentials import checked_url
from peneira.errors import InputError
from peneira.methods import DEFAULT_METHOD
from peneira.service.settings import ServiceSettings
from peneira.service.verbs import PageToRead
from peneira.sources.chromium import RenderOptions
from peneira.sources.fetch_options import FetchOptions
from peneira.sources.inputs import Source, source_of, web_source
from peneira.sources.rendering import Render, Renderer

if TYPE_CHECKING:
    from peneira.extraction import Extracted, Reading
    from peneira.sources.browser import Browser

_WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class PageInput:
    """One page of a request: HTML (``url`` is then the address it came from), or the URL to fetch it from."""

    html: bytes | str | None = None
    url: str | None = None
    name: str = ""
    render: Render = "never"


class ServiceReader:
    """Reads the pages of requests, in any thread. All rendered pages go through one browser, one after the other."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self._browser: Browser | None = None
        self._starting = Lock()

    def __enter__(self) -> ServiceReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, page: PageInput, *, screenshot: bool = False) -> Reading:
        """Return the page of a request."""
        from peneira.extraction import PageReader  # imports all that finds and reads lists

        return PageReader(self._renderer(page, screenshot)).read(self.source(page))

    def extract(self, page: PageInput, *, method: str = DEFAULT_METHOD, screenshot: bool = False) -> Extracted:
        """Return the page of a request, and the lists on it."""
        from peneira.extraction import Extractor

        return Extractor(method, self._renderer(page, screenshot)).extract(self.source(page))

    def to_read(self, page: PageInput) -> PageToRead:
        """Return a page for a worker process to read; what has to be fetched or rendered is, here."""
        name = page.name or checked_url(page.url or None) or "the page"
        if page.render != "never":
            read = self.read(page).page
            return PageToRead(name, page=read)
        if page.html is not None:
            return PageToRead(name, page.html, checked_url(page.url or None))
        from peneira.sources.fetch import fetch  # imports ssl and http

        fetched = fetch(self._web_url(page), limits=self.settings.limits, options=self._fetch_options)
        return PageToRead(name, fetched.body, fetched.url, fetched.charset)

    def source(self, page: PageInput) -> Source:
        """Return where a page is read from; raises ``InputError`` where a caller names something else than a page."""
        if page.html is not None:
            source = source_of(page.html, url=page.url or None)
            return replace(source, name=page.name or source.name)
        return web_source(self._web_url(page), options=self._fetch_options)

    def _web_url(self, page: PageInput) -> str:
        url = (page.url or "").strip()
        if not url:
            raise InputError("there is no page: give html, or the url of one")
        if not url.lower().startswith(_WEB):
            raise InputError("a url starts with http:// or https://; the server reads no files")
        return url

    def close(self) -> None:
        """End the browser, if one was started."""
        with self._starting:
            browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()

    @property
    def _fetch_options(self) -> FetchOptions:
        allowed = self.settings.allow_private
        return FetchOptions(timeout_s=self.settings.seconds, allow_private=allowed, public_only=not allowed)

    def _renderer(self, page: PageInput, screenshot: bool) -> Renderer:
        limits = self.settings.limits
        if page.render == "never":
            return Renderer(limits=limits)
        return Renderer(page.render, limits=limits, browser=self._shared_browser(), screenshot=screenshot)

    def _shared_browser(self) -> Browser:
        from peneira.sources.browser import Browser  # imports asyncio and ssl

        with self._starting:
            if self._browser is None:
                allowed = self.settings.allow_private
                options = RenderOptions(timeout_s=self.settings.seconds, allow_private=allowed, public_only=not allowed)
                self._browser = Browser(options, limits=self.settings.limits)
            return self._browser

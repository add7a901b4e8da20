"""Which pages a browser must show before they can be read, and the extraction of what it shows.

"auto" reads the page as the server sent it, and asks the browser only where that is a shell that scripts fill, or
empty. It says why, and remembers the site for the rest of the run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Literal, get_args
from urllib.parse import urlsplit

from peneira.errors import MissingBrowser, MissingExtra, PeneiraError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.result import Extraction, Reason
from peneira.sources.browser import Browser
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions

Render = Literal["auto", "never", "always"]
RENDER_MODES: tuple[Render, ...] = get_args(Render)
# What a page without a list may be when its scripts have not run
NEEDS_BROWSER = frozenset({"script-shell", "empty"})
# What a browser can add something with: a page without any of them stays as it was sent
MAY_ADD = frozenset({"script", "iframe", "frame", "object", "embed"})

Extract = Callable[[Page], Extraction]


@dataclass(frozen=True, slots=True)
class Source:
    """A page that can be had in two ways: as it was sent, and as a browser shows it."""

    url: str | None
    sent: Callable[[], Page]
    shown: Callable[[Browser], Page]


class Renderer:
    """The pages of one run, shown by a browser where they need it: one that is given, or one started when needed."""

    def __init__(
        self,
        mode: Render,
        options: RenderOptions = DEFAULT_OPTIONS,
        *,
        limits: Limits = DEFAULT_LIMITS,
        browser: Browser | None = None,
    ) -> None:
        self.mode = mode
        self.options = options
        self.limits = limits
        self._given = browser
        self._own: Browser | None = None
        self._missing: PeneiraError | None = None
        self._sites: dict[str, str] = {}

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None

    @property
    def browser(self) -> Browser:
        """The browser of this run."""
        if self._given is not None:
            return self._given
        if self._own is None:
            self._own = Browser(self.options, limits=self.limits)
        return self._own

    @property
    def note(self) -> str | None:
        """What is special about how the browser runs, if it does and anything is."""
        running = self._given or self._own
        return running.note if running else None

    def extraction(self, source: Source, extract: Extract, *, needs_boxes: bool = False) -> Extraction:
        """Return the extraction of a page: of what a browser shows where that is needed, else of what was sent.

        Where the browser was asked for, or the method ``needs_boxes``, its errors are errors.
        """
        if self.mode == "always":
            return rendered(extract(self._shown(source)), "asked for")
        if self.mode == "auto" and needs_boxes:
            return rendered(extract(self._shown(source)), "the method needs boxes")
        if self.mode == "auto" and (why := self._sites.get(_site(source.url))):
            return self._tried(source, extract, why, lambda: extract(source.sent()))
        page = source.sent()
        result = extract(page)
        why = self._why(page, result)
        return self._tried(source, extract, why, lambda: result) if why else result

    def _tried(self, source: Source, extract: Extract, why: str, otherwise: Callable[[], Extraction]) -> Extraction:
        """Return the extraction of what a browser shows. Where that fails the page as it was sent stands, and says so.

        The site is remembered where the browser showed more than there was.
        """
        try:
            found = extract(self._shown(source))
        except PeneiraError as error:
            result = otherwise()
            failed = Reason("not rendered", f"a browser may show more ({why}), but: {error}")
            return replace(result, reasons=(*result.reasons, failed))
        site = _site(source.url or found.url)
        if site and found.verdict not in NEEDS_BROWSER:
            self._sites.setdefault(site, f"other pages of {site} needed it ({why.partition(':')[0]})")
        return rendered(found, why)

    def _why(self, page: Page, result: Extraction) -> str | None:
        """Return why a page must be shown after a look at it as it was sent; None where it need not."""
        if self.mode != "auto" or result.verdict not in NEEDS_BROWSER or MAY_ADD.isdisjoint(page.tag_names):
            return None
        return f"{result.verdict}: {result.reasons[0]}" if result.reasons else result.verdict

    def _shown(self, source: Source) -> Page:
        """Return the page as a browser shows it. One that cannot be had is not tried again for every page."""
        if self._missing is not None:
            raise self._missing
        try:
            return source.shown(self.browser)
        except (MissingBrowser, MissingExtra) as error:
            self._missing = error
            raise


def rendered(result: Extraction, why: str) -> Extraction:
    """Return the extraction of a page that a browser showed, which says so and why."""
    return replace(result, reasons=(Reason("rendered", f"read as a browser shows it: {why}"), *result.reasons))


def _site(url: str | None) -> str:
    """Return the host of a URL; sites send from the bare name to the one with www and back."""
    return (urlsplit(url).hostname or "").removeprefix("www.") if url else ""

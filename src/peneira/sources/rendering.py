"""Which pages are rendered by a browser before they are read.

In mode "auto" a page is read as the server sent it, and rendered only where that is a shell that scripts fill, or
empty. The rendered page is taken if it has more than the page that was sent. Which one was taken is reported, and a
site that needed a browser is remembered for the rest of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, get_args
from urllib.parse import urlsplit

from peneira.errors import ArgumentError, MissingBrowser, MissingExtra, PeneiraError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.reasons import Reason, ReasonCode
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions
from peneira.sources.inputs import Source

if TYPE_CHECKING:
    from peneira.sources.browser import Browser

Render = Literal["auto", "never", "always"]
RENDER_MODES: tuple[Render, ...] = get_args(Render)
# Only with one of these can a browser add anything to a page
ACTIVE_TAGS = frozenset({"script", "iframe", "frame", "object", "embed"})


@dataclass(frozen=True, slots=True)
class Gain:
    """Whether a rendered page has more than the page that was sent, and in words what both have."""

    has_more: bool
    words: str


class Judge(Protocol):
    """Says which pages need a browser, and whether it showed more."""

    def why_render(self, page: Page) -> str | None:
        """Return why a browser may show more of a page than was sent, None if there is no reason to think so."""

    def problem(self, page: Page) -> str | None:
        """Return what a page shows in place of its content, None if nothing says so."""

    def gain(self, sent: Page, rendered: Page) -> Gain:
        """Return whether the rendered page has more than the page that was sent."""


class Renderer:
    """Reads the sources of one run, rendered by a browser where they need it: a given browser, or one of its own.

    ``screenshot``: rendered pages carry a picture.
    """

    def __init__(
        self,
        mode: Render = "never",
        options: RenderOptions = DEFAULT_OPTIONS,
        *,
        limits: Limits = DEFAULT_LIMITS,
        browser: Browser | None = None,
        screenshot: bool = False,
    ) -> None:
        if mode not in RENDER_MODES:
            raise ArgumentError(f"render={mode!r} is not a mode of rendering; write one of {', '.join(RENDER_MODES)}")
        self.mode = mode
        self.options = options
        self.limits = limits
        self.screenshot = screenshot
        self._given_browser = browser
        self._own_browser: Browser | None = None
        self._missing: PeneiraError | None = None
        self._sites: dict[str, str] = {}

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own_browser is not None:
            self._own_browser.close()
            self._own_browser = None

    @property
    def browser(self) -> Browser:
        """The browser of this run, started when first needed."""
        if self._given_browser is not None:
            return self._given_browser
        if self._own_browser is None:
            # with it come asyncio and the address rules, a third of the time to import peneira
            from peneira.sources.browser import Browser

            self._own_browser = Browser(self.options, limits=self.limits)
        return self._own_browser

    @property
    def note(self) -> str | None:
        """What is unusual about the way the browser runs, if it runs and anything is."""
        running = self._given_browser or self._own_browser
        return running.note if running else None

    def read(self, source: Source, judge: Judge, *, needs_boxes: bool = False) -> tuple[Page, tuple[Reason, ...]]:
        """Return the page of a source, rendered where it needs it, and what is to be said about that.

        If rendering was asked for, or the method ``needs_boxes``, errors of the browser are raised.
        """
        if self.mode == "always":
            return self._rendered(source), (_rendered_because("asked for"),)
        if self.mode == "auto" and needs_boxes:
            return self._rendered(source), (_rendered_because("the method needs boxes"),)
        if self.mode == "auto" and (why := self._sites.get(_site(source.url))):
            return self._try(source, None, why, judge)
        page = source.sent(self.limits)
        if self.mode == "never" or page.layout is not None or ACTIVE_TAGS.isdisjoint(page.tag_names):
            return page, ()
        why = judge.why_render(page)
        return self._try(source, page, why, judge) if why else (page, ())

    def _try(self, source: Source, sent: Page | None, why: str, judge: Judge) -> tuple[Page, tuple[Reason, ...]]:
        """Return the rendered page, or the page as it was sent if rendering fails or shows no more; and why."""
        try:
            page = self._rendered(source)
        except PeneiraError as error:
            failed = Reason(ReasonCode.NOT_RENDERED, f"a browser may show more ({why}), but: {error}")
            return sent or source.sent(self.limits), (failed,)
        if sent is None:
            return self._of_known_site(source, page, why, judge)
        gain = judge.gain(sent, page)
        if not gain.has_more:
            return sent, (_kept_because(why, gain),)
        site = _site(source.url or page.url)
        if site and judge.problem(page) is None:
            self._sites.setdefault(site, f"other pages of {site} needed it ({why.partition(':')[0]})")
        return page, (_rendered_because(f"{why}; {gain.words}"),)

    def _of_known_site(self, source: Source, page: Page, why: str, judge: Judge) -> tuple[Page, tuple[Reason, ...]]:
        """Return the rendered page of a site that needed a browser; one without content may be better as it is sent."""
        if judge.problem(page) is not None:
            try:
                sent = source.sent(self.limits)
            except PeneiraError:
                return page, (_rendered_because(why),)
            gain = judge.gain(sent, page)
            if not gain.has_more:
                return sent, (_kept_because(why, gain),)
        return page, (_rendered_because(why),)

    def _rendered(self, source: Source) -> Page:
        """Return the page as a browser renders it. A browser that is missing is not looked for again on every page."""
        if self._missing is not None:
            raise self._missing
        try:
            return source.rendered(self.browser, self.screenshot)
        except (MissingBrowser, MissingExtra) as error:
            self._missing = error
            raise


def _rendered_because(why: str) -> Reason:
    return Reason(ReasonCode.RENDERED, f"read as a browser renders it: {why}")


def _kept_because(why: str, gain: Gain) -> Reason:
    return Reason(ReasonCode.KEPT_AS_SENT, f"read as it was sent ({why}), as a browser shows no more: {gain.words}")


def _site(url: str | None) -> str:
    """Return the host of a URL without www, as sites redirect from one form to the other."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.") if url else ""
    except ValueError:  # who fetches it says what is wrong with it
        return ""

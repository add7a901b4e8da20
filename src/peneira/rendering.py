"""Which pages a browser must show before they can be read, and the extraction of what it shows.

"auto" reads the page as the server sent it, and asks the browser only where that is a shell that scripts fill, or
empty. It says why, and remembers the site for the rest of the run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Literal, get_args
from urllib.parse import urlsplit

from peneira.errors import PeneiraError
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.model import Extraction, Reason
from peneira.page import Page
from peneira.sources.browser import Browser
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions

Render = Literal["auto", "never", "always"]
RENDER_MODES: tuple[Render, ...] = get_args(Render)
# What a page without a list may be when its scripts have not run
NEEDS_BROWSER = frozenset({"script-shell", "empty"})
# What a browser can add something with: a page without any of them stays as it was sent
MAY_ADD = frozenset({"script", "iframe", "frame", "object", "embed"})

Show = Callable[[Browser], Page]


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

    def why_at_once(self, url: str | None, *, needs_boxes: bool = False) -> str | None:
        """Return why a page is shown without a look at it as it was sent; None where it is looked at first.

        It is asked for, the method needs its boxes, or other pages of its site needed it.
        """
        if self.mode == "always":
            return "asked for"
        if self.mode == "auto" and needs_boxes:
            return "the method needs boxes"
        return self._sites.get(_site(url)) if self.mode == "auto" and url else None

    def why(self, page: Page, result: Extraction) -> str | None:
        """Return why a page must be shown after a look at it as it was sent; None where it need not."""
        if self.mode != "auto" or result.verdict not in NEEDS_BROWSER or MAY_ADD.isdisjoint(page.tag_names):
            return None
        reason = f"{result.verdict}: {result.reasons[0]}" if result.reasons else result.verdict
        if site := _site(result.url):
            self._sites[site] = f"other pages of {site} needed it ({result.verdict})"
        return reason

    def shown(self, page: Page, result: Extraction, show: Show, extract: Callable[[Page], Extraction]) -> Extraction:
        """Return the extraction of a page, of what a browser shows where that is needed.

        ``page`` is the page as it was sent, ``result`` what came of it, which stands where the browser fails.
        """
        why = self.why(page, result)
        if why is None:
            return result
        try:
            return rendered(extract(show(self.browser)), why)
        except PeneiraError as error:
            failed = Reason("not rendered", f"a browser may show more ({why}), but: {error}")
            return replace(result, reasons=(*result.reasons, failed))


def rendered(result: Extraction, why: str) -> Extraction:
    """Return the extraction of a page that a browser showed, which says so and why."""
    return replace(result, reasons=(Reason("rendered", f"read as a browser shows it: {why}"), *result.reasons))


def _site(url: str | None) -> str:
    """Return the host of a URL; sites send from the bare name to the one with www and back."""
    return (urlsplit(url).hostname or "").removeprefix("www.") if url else ""

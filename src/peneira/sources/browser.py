"""Pages as a real browser renders them: URLs, files and HTML through Chromium into pages with boxes.

A browser renders many pages, one after the other, each in a tab of its own (see ``tab_pool.py``). playwright's event
loop runs in a thread of its own: every step can be cancelled when its time is over, and callers may have a loop of
their own, as notebooks do.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlsplit

from peneira.credentials import checked_url, without_credentials
from peneira.errors import FetchError, InputError, MissingExtra, RenderError
from peneira.limits import DEFAULT_LIMITS, Cut, Limits
from peneira.page import Page
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions, has_sandbox
from peneira.sources.egress import Policy
from peneira.sources.encoding import decode
from peneira.sources.html import read_file
from peneira.sources.network import Resolver
from peneira.sources.render_job import RenderJob, RenderResult, login_of
from peneira.sources.snapshot import Snapshot, page_and_node_ids, page_of
from peneira.sources.tab_pool import TabPool
from peneira.sources.urls import display_url, parse_url

Result = TypeVar("Result")

# Where HTML without a URL of its own is loaded: a name that is never resolved (RFC 6761)
NO_URL = "http://page.invalid/"
_START_S = 60.0
_GRACE_S = 15.0


class Browser:
    """A Chromium that turns URLs, files and HTML into pages with boxes. Close it, or use it in a ``with`` block.

    ``options`` may be changed between pages; those on Chromium itself take effect when it is started next.
    """

    def __init__(self, options: RenderOptions = DEFAULT_OPTIONS, *, limits: Limits = DEFAULT_LIMITS) -> None:
        if importlib.util.find_spec("playwright") is None:
            raise MissingExtra("render", "rendering")
        self.options = options
        self.limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._tabs: TabPool | None = None
        self._turn = Lock()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def note(self) -> str | None:
        """What the user should know about the way Chromium runs, if it has run and there is anything."""
        if self._tabs is None or not self._tabs.has_started or has_sandbox(self.options):
            return None
        return "Chromium runs without its sandbox" + (", as it must for root" if self.options.sandbox is None else "")

    def open(self, url: str, *, screenshot: bool = False, resolver: Resolver | None = None) -> Page:
        """Return the page at an http or https URL as the browser renders it, with a screenshot if wanted.

        ``resolver``: the one of a run, whose names keep their addresses; without it, they keep them for this page.
        """
        return self._page(replace(self._url_job(url, resolver), screenshot=screenshot), None)

    def open_pages(
        self, url: str, choose_row: Callable[[Page], int | None], *, resolver: Resolver | None = None
    ) -> list[Page]:
        """Return the page at a URL, and those that come when what ``choose_row`` returns is pressed, one by one.

        ``choose_row`` is given each page, in another thread, and returns the row of the button to the next one, None to
        end there; it ends after ``options.turns`` presses too. What fails later than the first page ends there as well,
        and is a cut of the last page.
        """
        pages: list[Page] = []

        def choose_node(snapshot: Snapshot, cuts: Sequence[Cut]) -> int | None:
            page, node_ids = page_and_node_ids(snapshot, limits=self.limits, cuts=cuts)
            pages.append(page)
            row = choose_row(page)
            return None if row is None else node_ids.get(row)

        try:
            cuts: Sequence[Cut] = self._run(replace(self._url_job(url, resolver), choose_node=choose_node)).cuts
        except (FetchError, RenderError) as error:
            if not pages:
                raise
            cuts = (*pages[-1].cuts, Cut("pages", len(pages), f"the next one could not be read: {error}"))
        pages[-1].cuts = tuple(dict.fromkeys((*pages[-1].cuts, *cuts)))
        return pages

    def read(
        self,
        source: bytes | str | Path | Page,
        *,
        url: str | None = None,
        charset: str | None = None,
        screenshot: bool = False,
        name: str | None = None,
    ) -> Page:
        """Return the page of HTML as the browser renders it. Without ``options.network`` it loads nothing.

        ``url`` is the address that the page is given, ``name`` what messages call it.
        """
        url = checked_url(url)
        name = name or url or (str(source) if isinstance(source, Path) else "the page")
        html, url = _html(source, url, charset, self.limits)
        address = url if url and urlsplit(url).scheme in ("http", "https") else NO_URL
        policy = self._policy() if self.options.network else Policy()
        body = html.encode(errors="replace")
        page = self._page(RenderJob(address, body, policy, self.options, screenshot, name), url)
        if page.url == NO_URL:
            page.url = None
        return page

    def snapshot(self, source: bytes | str | Path, *, url: str | None = None) -> Snapshot:
        """Return what Chromium answers for HTML, for ``snapshot.page_of`` to read now or later."""
        html, _ = _html(source, url, None, self.limits)
        return self._run(RenderJob(url or NO_URL, html.encode(errors="replace"), Policy(), self.options)).snapshot

    def render_png(self, html: str, width_px: int, height_px: int) -> bytes:
        """Return HTML of our own as PNG; no script in it runs."""
        return self._call(lambda tabs: tabs.render_png(html, width_px, height_px, self.options))

    def close(self) -> None:
        """End Chromium and the thread."""
        loop, thread, tabs = self._loop, self._thread, self._tabs
        self._loop = self._thread = self._tabs = None
        if loop is None or thread is None or tabs is None:
            return
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(tabs.stop(), loop).result(_GRACE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_GRACE_S)

    def _policy(self, *, may_start_private: bool = False) -> Policy:
        options = self.options
        return Policy(True, may_start_private, options.allow_private, options.max_bytes)

    def _url_job(self, url: str, resolver: Resolver | None) -> RenderJob:
        """Return the job of a page that is loaded from its URL."""
        target = parse_url(url)
        policy = self._policy(may_start_private=not self.options.public_only)
        policy.resolver = resolver or policy.resolver
        job = RenderJob(without_credentials(url.strip()), None, policy, self.options)
        return replace(job, name=display_url(url.strip()), login=login_of(target))

    def _page(self, job: RenderJob, url: str | None) -> Page:
        result = self._run(job)
        return page_of(result.snapshot, url=url, limits=self.limits, cuts=result.cuts, screenshot=result.screenshot)

    def _run(self, job: RenderJob) -> RenderResult:
        return self._call(lambda tabs: tabs.render(job))

    def _started(self) -> tuple[TabPool, asyncio.AbstractEventLoop]:
        if self._tabs is None or self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._tabs = TabPool(self.limits)
            self._thread = Thread(target=_run, args=(self._loop,), daemon=True, name="peneira-browser")
            self._thread.start()
        return self._tabs, self._loop

    def _call(self, work: Callable[[TabPool], Coroutine[Any, Any, Result]]) -> Result:
        """Run work on the tabs and return its result; callers in several threads take turns."""
        with self._turn:
            tabs, loop = self._started()
            future: Future[Result] = asyncio.run_coroutine_threadsafe(work(tabs), loop)
            try:
                return future.result(_START_S + self.options.timeout_s + _GRACE_S)
            except FutureTimeout as error:
                raise RenderError("browser", "Chromium does not answer; try again") from error
            finally:
                future.cancel()


def _html(
    source: bytes | str | Path | Page, url: str | None, charset: str | None, limits: Limits
) -> tuple[str, str | None]:
    """Return the HTML of a source as text, and its URL."""
    if isinstance(source, Page):
        return source.html(), url or source.url
    if isinstance(source, Path):
        source = read_file(source, limits)
    if len(source) > limits.bytes:
        raise InputError(f"the page is longer than the limit of {limits.bytes} bytes; raise the limit to render it")
    return (source if isinstance(source, str) else decode(source, charset=charset)[0]), url


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop until it is stopped, then cancel the tasks that it still has."""
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(_cancel(asyncio.all_tasks(loop)))
        loop.close()


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

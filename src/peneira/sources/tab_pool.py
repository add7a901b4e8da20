"""A Chromium and its tabs: one page after the other, each in a fresh tab. Chromium is started when first needed.

A page that hangs or crashes costs only itself: Chromium is then restarted, as it is every ``pages_per_browser`` pages.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from peneira.errors import MissingBrowser, RenderError
from peneira.limits import Limits
from peneira.sources import chromium
from peneira.sources.chromium import RenderOptions
from peneira.sources.load_errors import first_line
from peneira.sources.render_job import RenderJob, RenderResult
from peneira.sources.tab import Tab, ignore_error

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

_START_S = 45.0
_CLOSE_S = 5.0


class TabPool:
    """A Chromium that renders one page after the other."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.has_started = False
        self._playwright: Playwright | None = None
        self._chromium: Browser | None = None
        self._next: asyncio.Task[Tab] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._pages = 0

    async def render(self, job: RenderJob) -> RenderResult:
        """Return the snapshot of a page, and its screenshot if wanted."""
        from playwright.async_api import Error

        tab = await self._tab(job)
        try:
            result = await asyncio.wait_for(tab.render(job), job.options.timeout_s)
        except TimeoutError as error:
            self._close(tab)
            await self._kill()
            reason = f"not rendered within {job.options.timeout_s:g} s, its scripts may hang; try again with more time"
            raise RenderError(job.display_name, reason) from error
        except Error as error:
            self._close(tab)
            await self._kill()
            raise RenderError(job.display_name, f"the page crashed the browser ({first_line(error)})") from error
        except BaseException:
            self._replace(tab, job.options)
            raise
        self._replace(tab, job.options)
        return result

    async def render_png(self, html: str, width_px: int, height_px: int, options: RenderOptions) -> bytes:
        """Return HTML of our own as PNG; no script in it runs."""
        from playwright.async_api import Error

        browser = await self._started(options)
        try:
            context = await browser.new_context(
                viewport={"width": width_px, "height": height_px}, java_script_enabled=False, offline=True
            )
            page = await context.new_page()
            await page.set_content(html, wait_until="load", timeout=options.timeout_s * 1000)
            png = await page.screenshot(timeout=options.timeout_s * 1000)
            await context.close()
        except Error as error:
            await self._kill()
            raise RenderError("drawing", f"the browser cannot render it ({first_line(error)})") from error
        return png

    async def stop(self) -> None:
        """End Chromium."""
        await self._kill()
        if self._playwright is not None:
            await self._playwright.stop()
            self._playwright = None

    async def _started(self, options: RenderOptions) -> Browser:
        """Return the browser; a new one where there is none, it has ended, or it has rendered its share of pages."""
        if self._chromium is not None and self._pages >= options.pages_per_browser:
            await self._kill()
        if self._chromium is None or not self._chromium.is_connected():
            await self._kill()
            self._chromium = await self._launched(options)
            self.has_started = True
            self._pages = 0
        return self._chromium

    async def _launched(self, options: RenderOptions) -> Browser:
        from playwright.async_api import Error, async_playwright

        if self._playwright is None:
            self._playwright = await async_playwright().start()
        path = options.executable or chromium.find(self._playwright.chromium.executable_path)
        if path is None:
            raise MissingBrowser(f"no Chromium is found: {chromium.HOW_TO_GET_ONE}")
        try:
            return await self._playwright.chromium.launch(
                executable_path=path,
                args=chromium.flags(options),
                chromium_sandbox=chromium.has_sandbox(options),
                timeout=_START_S * 1000,
            )
        except Error as error:
            raise MissingBrowser(
                f"{path} does not start ({first_line(error)}): check that it runs by itself; where its sandbox is the "
                "reason (containers), allow user namespaces or set sandbox=False"
            ) from error

    async def _tab(self, job: RenderJob) -> Tab:
        """Return a fresh tab. It is opened while the page before is read, as that takes half of Chromium's time."""
        from playwright.async_api import Error

        browser = await self._started(job.options)
        ready, self._next = self._next, None
        self._pages += 1
        with contextlib.suppress(Error):
            return await (ready or Tab.open(browser, self.limits))
        await self._kill()  # Chromium may have ended since the last page
        try:
            return await Tab.open(await self._started(job.options), self.limits)
        except Error as error:
            raise RenderError(job.display_name, f"the browser opens no tab ({first_line(error)}); try again") from error

    def _close(self, tab: Tab) -> None:
        """Close a tab in the background."""
        task = asyncio.ensure_future(tab.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _replace(self, tab: Tab, options: RenderOptions) -> None:
        """Close a tab and open the next one in the background."""
        self._close(tab)
        if self._chromium is not None and self._pages < options.pages_per_browser:
            self._next = asyncio.ensure_future(Tab.open(self._chromium, self.limits))
            self._next.add_done_callback(ignore_error)

    async def _kill(self) -> None:
        """End Chromium and its tabs; what does not end in time is left to playwright."""
        browser, self._chromium = self._chromium, None
        ready, self._next = self._next, None
        if browser is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(browser.close(), _CLOSE_S)
        if ready is not None:
            with contextlib.suppress(Exception):
                await (await asyncio.wait_for(ready, _CLOSE_S)).close()
        if self._closing:
            await asyncio.wait(self._closing, timeout=_CLOSE_S)

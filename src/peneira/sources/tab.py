"""One page in a tab of Chromium: load it, wait until its DOM has settled, take a snapshot of all its frames.

A tab has a fresh context that shares nothing with others, and its own proxy (see ``egress.py``). Downloads, dialogs,
popups and service workers are off. Scripts that do not end are stopped, and the page is read as it is then.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from peneira.errors import FetchError, RenderError
from peneira.limits import Cut, Limits
from peneira.sources import page_scripts
from peneira.sources.capture import capture_screenshot, capture_snapshot
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions
from peneira.sources.egress import Egress
from peneira.sources.isolated_world import IsolatedWorld
from peneira.sources.load_errors import DocumentResponse, check_document, is_refused, load_error
from peneira.sources.render_job import ChooseNode, RenderJob, RenderResult
from peneira.sources.snapshot import Snapshot
from peneira.sources.urls import parse_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Frame, Page, Request, Response, ViewportSize

_POLL_S = 0.03
# Shares of a page's time: for loading it, and for loading, settling and scrolling; the rest is for the snapshot
_MAX_LOAD_SHARE = 0.6
_MAX_LIVE_SHARE = 0.7
# The longest wait for frames of other processes, and for a script that is told to stop
_FRAME_S = 3.0
_STOP_S = 1.0
# Scripts that change the address of their page more often than this do nothing else, and slow Chromium down with it
_MAX_ADDRESS_CHANGES = 100
# Requests that the DOM may depend on; images and fonts are not waited for
_AWAITED_KINDS = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
# A page with scripts and less text than this is taken to be still empty, and given ``patience_s`` to fill
_SHELL_CHARS = 200
# What the names of all browsers begin with
_BROWSER_NAME = "Mozilla/"


@dataclass(eq=False)  # no slots: playwright stores an attribute of its own on listeners
class Tab:
    """A page of the browser in a context of its own."""

    limits: Limits
    egress: Egress
    context: BrowserContext
    page: Page
    session: CDPSession
    frame_id: str
    options: RenderOptions = DEFAULT_OPTIONS
    job: RenderJob | None = None
    cuts: list[Cut] = field(default_factory=list)
    pending: set[Request] = field(default_factory=set)
    logins: set[str] = field(default_factory=set)
    requests: int = 0
    navigations: int = 0
    address_changes: int = 0
    response: DocumentResponse = field(default_factory=DocumentResponse)
    crashed: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.world = IsolatedWorld(self.session, self.frame_id, self.crashed)

    @classmethod
    async def open(cls, browser: Browser, limits: Limits) -> Tab:
        """Return a blank tab that is ready for a page."""
        egress = Egress()
        proxy = await egress.start()
        try:
            context = await browser.new_context(
                viewport=_viewport(DEFAULT_OPTIONS),
                proxy={"server": proxy, "bypass": "<-loopback>"},
                service_workers="block",
                accept_downloads=False,
                reduced_motion="reduce",
            )
            await context.add_init_script(page_scripts.DISABLE_DIALOGS)
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            tree = await session.send("Page.getFrameTree")
            tab = cls(limits, egress, context, page, session, tree["frameTree"]["frame"]["id"])
            await tab._listen()
        except BaseException:
            await egress.stop()
            raise
        return tab

    async def _listen(self) -> None:
        self.page.on("request", self._on_request)
        self.page.on("response", self._on_response)
        self.page.on("requestfinished", self._on_request_end)
        self.page.on("requestfailed", self._on_request_end)
        self.page.on("crash", lambda _: self.crashed.set())
        self.page.on("framenavigated", self._on_navigation)
        self.context.on("page", lambda popup: self._run_later(popup.close()))
        self.session.on("Fetch.requestPaused", lambda event: self._run_later(self._route(event)))
        self.session.on("Fetch.authRequired", lambda event: self._run_later(self._log_in(event)))
        await self._pause_requests()
        await self._count_unpacked(self.session)

    async def _pause_requests(self, *patterns: dict[str, str]) -> None:
        """Have Chromium ask before it loads a document, or what else has these patterns."""
        paused = [{"urlPattern": "*", "resourceType": "Document"}, *patterns]
        await self.session.send("Fetch.enable", {"patterns": paused, "handleAuthRequests": True})

    async def close(self) -> None:
        """Close the tab and its proxy."""
        await self.egress.stop()
        with contextlib.suppress(Exception):
            await self.context.close()

    def _run_later(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(ignore_error)

    # --- what the page requests ------------------------------------------------------------------------------------

    def _on_request(self, request: Request) -> None:
        self.requests += 1
        if request.resource_type in _AWAITED_KINDS:
            self.pending.add(request)
        max_requests = self.options.max_requests
        if self.requests == max_requests + 1:
            self.cuts.append(Cut("requests", max_requests, "what the page requested after that was not loaded"))
            self._run_later(self.context.set_offline(True))
        if (
            self.requests == 2 * max_requests
        ):  # offline, requests fail at once, and a script can make them all the faster
            self._run_later(self._stop_scripts())

    def _on_request_end(self, request: Request) -> None:
        self.pending.discard(request)

    def _on_response(self, response: Response) -> None:
        """Note what the document itself came with: the page may have navigated to another one."""
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.response = DocumentResponse.of(response)

    async def _count_unpacked(self, session: CDPSession) -> None:
        """Count what a frame and those of its process receive, as it is after unpacking."""
        session.on("Network.dataReceived", self._on_data)
        # no body is kept for us
        await session.send("Network.enable", {"maxTotalBufferSize": 1, "maxResourceBufferSize": 1})

    def _on_data(self, event: dict[str, Any]) -> None:
        policy = self.egress.policy
        was_spent = policy.is_spent
        policy.unpacked += event["dataLength"]
        if policy.is_spent and not was_spent:
            self._run_later(self.context.set_offline(True))

    async def _count_frame(self, frame: Frame) -> None:
        """Count what a frame of another process receives; one of the same process has no session of its own."""
        await self._count_unpacked(await self.context.new_cdp_session(frame))

    def _on_navigation(self, frame: Frame) -> None:
        if frame != self.page.main_frame:
            self._run_later(self._count_frame(frame))
        self.address_changes += 1
        if self.address_changes == _MAX_ADDRESS_CHANGES:
            left_out = "the page kept changing its address; its scripts were stopped"
            self.cuts.append(Cut("navigations", _MAX_ADDRESS_CHANGES, left_out))
            self._run_later(self._stop_scripts())

    async def _route(self, event: dict[str, Any]) -> None:
        """Let a document load, or answer with the HTML of the job, from which no page navigates away."""
        request = {"requestId": event["requestId"]}
        job = self.job
        if event["resourceType"] != "Document" or event["frameId"] != self.frame_id or job is None:
            await self._continue(event)
            return
        self.navigations += "redirectedRequestId" not in event
        max_navigations = self.options.max_navigations
        if job.html is not None and self.navigations == 1:
            headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
            body = base64.b64encode(job.html).decode("ascii")
            answer = {**request, "responseCode": 200, "responseHeaders": headers, "body": body}
            await self.session.send("Fetch.fulfillRequest", answer)
        elif job.html is not None or self.navigations > max_navigations:
            await self.session.send("Fetch.fulfillRequest", {**request, "responseCode": 204})
            if job.html is None and self.navigations == max_navigations + 1:
                left_out = "the page tried to navigate once more; it was read where it was"
                self.cuts.append(Cut("navigations", max_navigations, left_out))
        else:
            await self._continue(event)

    async def _continue(self, event: dict[str, Any]) -> None:
        """Let a request go on, with the headers of the user where it is to the origin of the page's own URL.

        Chromium drops them where the answer leads elsewhere, and asks again there.
        """
        request: dict[str, Any] = {"requestId": event["requestId"]}
        asked = event["request"]
        if self.options.headers and self.job and asked["url"].startswith(_root(self.job.url)):
            own = {name.lower() for name, _ in self.options.headers}
            kept = [(name, value) for name, value in asked["headers"].items() if name.lower() not in own]
            request["headers"] = [{"name": name, "value": value} for name, value in (*kept, *self.options.headers)]
        await self.session.send("Fetch.continueRequest", request)

    async def _log_in(self, event: dict[str, Any]) -> None:
        """Answer the challenge of a server with the user name and password of the URL, once and to its origin only."""
        login = self.job.login if self.job else None
        challenge, request = event["authChallenge"], event["requestId"]
        answer: dict[str, str] = {"response": "CancelAuth"}
        is_first = request not in self.logins
        if login and is_first and challenge.get("source") == "Server" and challenge["origin"] == login.origin:
            self.logins.add(request)
            answer = {"response": "ProvideCredentials", "username": login.username, "password": login.password}
        await self.session.send("Fetch.continueWithAuth", {"requestId": request, "authChallengeResponse": answer})

    # --- loading and reading ---------------------------------------------------------------------------------------

    async def render(self, job: RenderJob) -> RenderResult:
        """Return the snapshot of a page, and its screenshot if wanted."""
        deadline = monotonic() + job.options.timeout_s
        self.job, self.options, self.egress.policy = job, job.options, job.policy
        work = asyncio.ensure_future(self._render(job, deadline))
        crash = asyncio.ensure_future(self.crashed.wait())
        try:
            await asyncio.wait({work, crash}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise _crash_error()
            return work.result()
        finally:
            work.cancel()
            crash.cancel()
            await asyncio.gather(work, crash, return_exceptions=True)

    async def _render(self, job: RenderJob, deadline: float) -> RenderResult:
        is_settled = False
        try:
            is_settled = await asyncio.wait_for(self._run_page(job, deadline), self._live_until(deadline) - monotonic())
        except TimeoutError:
            left_out = "its scripts did not end and were stopped; the page was read as it was then"
            self.cuts.append(Cut("seconds", job.options.timeout_s, left_out))
        if not is_settled:
            await self._stop_scripts()
        check_document(job, self.page.url, self.response)
        await self._check_elements(job)
        screenshot = await self._screenshot(deadline) if job.screenshot else None
        snapshot = await self._snapshot(deadline)
        if job.choose_node is not None:
            await self._turn_pages(job, job.choose_node, snapshot, deadline)
        self._note_refusals(job)
        return RenderResult(snapshot, self.cuts, screenshot)

    async def _turn_pages(self, job: RenderJob, choose: ChooseNode, snapshot: Snapshot, deadline: float) -> None:
        """Hand over the page, press what it is told, and go on with the page that comes, while one does."""
        end = self._live_until(deadline)
        for turns_left in reversed(range(self.options.turns + 1)):
            node = await asyncio.to_thread(choose, snapshot, self.cuts)
            if node is None:
                break
            if not turns_left or monotonic() >= end:
                name, allowed = ("seconds", self.options.timeout_s) if turns_left else ("turns", self.options.turns)
                left_out = "the pages that follow by further presses of a button were not read"
                self.cuts.append(Cut(name, allowed, left_out))
                break
            if not await self._turn(node, end):
                if turns_left == self.options.turns:  # later, it is the end of a list
                    self.cuts.append(Cut("turns", 0, "the button to the next page changed nothing"))
                break
            check_document(job, self.page.url, self.response)
            await self._check_elements(job)
            snapshot = await self._snapshot(deadline)

    async def _turn(self, node: int, end: float) -> bool:
        """Press a node and wait until nothing happens any more; return whether the page is another one then."""
        before = await self.world.text_hash()
        if not await self.world.click(node):
            return False
        started = monotonic()
        while monotonic() < end:
            await asyncio.sleep(_POLL_S)
            waited = monotonic() - started >= self.options.patience_s
            if waited and not self.pending and (await self.world.dom_state()).quiet_ms >= self.options.quiet_s * 1000:
                break
        return await self.world.text_hash() != before

    async def _check_elements(self, job: RenderJob) -> None:
        """Raise where the page has too many elements, also while it is loading: each costs a kilobyte of memory."""
        elements = await self.world.count_elements()
        if elements > self.limits.nodes:
            raise RenderError(job.display_name, f"{elements} elements are more than the limit of {self.limits.nodes}")

    async def _run_page(self, job: RenderJob, deadline: float) -> bool:
        """Load the page, wait until it has settled, and scroll it; return whether it has settled."""
        is_settled = await self._load(job, deadline) and await self._settle(deadline)
        check_document(job, self.page.url, self.response)
        for scrolls_left in reversed(range(self.options.scrolls)):
            if not await self._grow(deadline):
                break
            if not scrolls_left and self.options.scrolls_to_end:
                left_out = "the page still grew when scrolled or pressed; what would have come next was not read"
                self.cuts.append(Cut("scrolls", self.options.scrolls, left_out))
        return is_settled

    async def _stop_scripts(self) -> None:
        """Let no further script start, and stop the running one. This works in a tab that hangs, too."""
        from playwright.async_api import Error

        async def stop() -> None:
            await self.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
            await self.session.send("Runtime.terminateExecution")

        with contextlib.suppress(TimeoutError, Error):
            await asyncio.wait_for(stop(), _STOP_S)

    async def _load(self, job: RenderJob, deadline: float) -> bool:
        """Open the page and wait until its HTML has been read; return whether that was before the time was over."""
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        await self._configure(job)
        timeout_s = (deadline - monotonic()) * _MAX_LOAD_SHARE
        end = monotonic() + timeout_s
        try:
            await self.page.goto(job.url, wait_until="commit", timeout=timeout_s * 1000)
        except PlaywrightTimeout as error:
            raise FetchError(job.display_name, f"timed out, nothing came within {timeout_s:g} s; try again") from error
        except Error as error:
            if not is_refused(job, self.response):
                check_document(job, self.page.url, self.response)  # says more than an error of Chromium's would
            raise load_error(job, self.response, error) from error
        while await self.world.is_loading():
            await self._check_elements(job)
            if await self._is_left_open():
                break
            if monotonic() >= end:
                left_out = "the page was still loading; it was read as it was then"
                self.cuts.append(Cut("seconds", self.options.timeout_s, left_out))
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def _is_left_open(self) -> bool:
        """Return whether a page that is "loading" gets nothing more: a script wrote it and did not close it."""
        return not self.pending and (await self.world.dom_state()).quiet_ms >= self.options.patience_s * 1000

    async def _configure(self, job: RenderJob) -> None:
        """Set the options of this page that differ from those of a blank tab."""
        if not job.policy.network:
            await self.context.set_offline(True)
        if not job.options.scripts:
            await self.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        if _viewport(job.options) != _viewport(DEFAULT_OPTIONS):
            await self.page.set_viewport_size(_viewport(job.options))
        await self._identify(job)

    async def _identify(self, job: RenderJob) -> None:
        """Set the name, the cookies and the headers that the user gave for the origin of the page."""
        options = job.options
        if options.user_agent:
            name = options.user_agent
            if not name.startswith(_BROWSER_NAME):
                name = f"{await self.page.evaluate('navigator.userAgent')} {name}"
            await self.session.send("Emulation.setUserAgentOverride", {"userAgent": name})
        for name, value in options.cookies:
            await self.session.send("Network.setCookie", {"name": name, "value": value, "url": _root(job.url)})
        if options.headers:
            await self._pause_requests({"urlPattern": f"{_root(job.url)}*"})

    def _note_refusals(self, job: RenderJob) -> None:
        if job.policy.refused:
            names = ", ".join(sorted(set(job.policy.refused))[:3])
            self.cuts.append(Cut("private addresses", 0, f"{len(job.policy.refused)} requests were refused ({names})"))
        if job.policy.is_spent:
            self.cuts.append(Cut("bytes", job.policy.max_bytes, "what the page loaded after that was left out"))

    async def _settle(self, deadline: float) -> bool:
        """Wait until the DOM is quiet and no request that it may depend on is pending; return whether it is quiet."""
        end = self._settle_until(deadline)
        while self.options.scripts:
            dom = await self.world.dom_state()
            is_shell = dom.has_scripts and dom.chars < _SHELL_CHARS
            needed_s = self.options.patience_s if is_shell else self.options.quiet_s if dom.has_scripts else 0.0
            if dom.quiet_ms >= needed_s * 1000 and not self.pending:
                break
            if monotonic() >= end:
                return dom.quiet_ms >= needed_s * 1000
            await asyncio.sleep(_POLL_S)
        return True

    async def _grow(self, deadline: float) -> bool:
        """Press the button that loads more, or scroll to the end and back; return whether that brought new records."""
        count = await self.world.count_repeated_elements()
        labels = self.options.more_labels
        if labels and await self.world.press(labels) and await self._has_grown(count, deadline):
            return True
        await self.world.scroll(to_end=True)
        has_grown = await self._has_grown(count, deadline)
        await self.world.scroll(to_end=False)
        return has_grown

    async def _has_grown(self, count: int, deadline: float) -> bool:
        """Wait for records beyond those counted, until nothing happens any more; return whether there are any."""
        end = self._settle_until(deadline)
        has_grown = False
        while monotonic() < end and not has_grown:
            await asyncio.sleep(_POLL_S)
            dom = await self.world.dom_state()
            has_grown = await self.world.count_repeated_elements() > count
            if dom.quiet_ms >= self.options.patience_s * 1000 and not self.pending:
                break
        await self._settle(deadline)
        return has_grown

    def _live_until(self, deadline: float) -> float:
        """Return until when the page may load, settle and be scrolled."""
        return deadline - self.options.timeout_s * (1 - _MAX_LIVE_SHARE)

    def _settle_until(self, deadline: float) -> float:
        """Return until when the page may take to settle."""
        return min(monotonic() + self.options.settle_s, self._live_until(deadline))

    async def _screenshot(self, deadline: float) -> bytes | None:
        """Return the screenshot; None where a frame that hangs holds it up."""
        screenshot = capture_screenshot(self.session, self.options.max_screenshot_px)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(screenshot, (deadline - monotonic()) / 2)
        self.cuts.append(Cut("seconds", self.options.timeout_s, "no screenshot of the page could be taken in time"))
        return None

    async def _snapshot(self, deadline: float) -> Snapshot:
        timeout_s = min(_FRAME_S, (deadline - monotonic()) / 3)
        snapshot, silent = await capture_snapshot(self.page, self.session, timeout_s)
        if silent:
            self.cuts.append(Cut("seconds", round(timeout_s, 1), f"{silent} frames did not answer, and were left out"))
        return snapshot


def _root(url: str) -> str:
    """Return what all addresses of an origin begin with."""
    return f"{parse_url(url).serialized_origin}/"


def _viewport(options: RenderOptions) -> ViewportSize:
    return {"width": options.width_px, "height": options.height_px}


def _crash_error() -> Exception:
    from playwright.async_api import Error

    return Error("its process died")


def ignore_error(task: asyncio.Task[Any]) -> None:
    """Retrieve the error of a task that nobody waits for, so that asyncio does not warn about it."""
    if not task.cancelled():
        task.exception()

"""One page in a tab of Chromium: load it, wait until its DOM has settled, take a snapshot of all its frames.

A tab has a fresh context that shares nothing with others, and its own way out (see ``egress.py``). Downloads, dialogs,
popups and service workers are off. Scripts that do not come to an end are stopped, and the page is taken as it is then.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from peneira.errors import FetchError, RefusedAddress, RenderError
from peneira.limits import Cut, Limits
from peneira.sources import page_scripts
from peneira.sources.capture import capture_screenshot, capture_snapshot
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions
from peneira.sources.egress import FAILED, OWN_HEADER, REFUSED, Egress, Policy
from peneira.sources.fetch import PAGE_TYPES, display_url, media_type, not_a_page_message, status_message
from peneira.sources.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Request, Response, ViewportSize

_WORLD = "peneira"
_POLL_S = 0.03
# How much of the time of a page its loading may take, and when it must be shown: the rest is for taking what there is
_LOAD_SHARE = 0.6
_SHOW_SHARE = 0.7
# The longest that frames of other processes, and a script that is to stop, are waited for
_FRAME_S = 3.0
_STOP_S = 1.0
# Scripts that change their own address more often than this do nothing else, and hold up Chromium with it
_MAX_STEPS = 100
# Requests that the DOM may be waiting for; images and fonts come when they come
_AWAITED_KINDS = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
# A page with scripts and less text than this is taken to wait for more, but not for ever
_SHELL_CHARS = 200
_ASK_AGAIN = 5
# Chromium's words for what goes wrong, and ours
_NETWORK_ERRORS = {
    "ERR_EMPTY_RESPONSE": "the server did not answer; check the host and the port",
    "ERR_TUNNEL_CONNECTION_FAILED": "no connection; check the address and the network connection",
    "ERR_INVALID_AUTH_CREDENTIALS": status_message(401, ""),
    "ERR_CERT": "the TLS certificate is not trusted; check the host name",
    "ERR_TOO_MANY_REDIRECTS": "redirects in a circle",
    "ERR_UNSAFE_PORT": "no browser opens a page on this port; check the address",
    "ERR_ABORTED": "not a web page, or the page loads another one at once",
    "Download is starting": "not a web page but a download; give the URL of an HTML page",
}


@dataclass(frozen=True, slots=True)
class Job:
    """One page to be rendered: where it is, its HTML where that is given, what it may reach."""

    url: str
    html: bytes | None
    policy: Policy
    options: RenderOptions
    screenshot: bool = False
    name: str = ""

    @property
    def shown(self) -> str:
        """What messages call the page: its name, else its URL without a password."""
        return self.name or display_url(self.url)


@dataclass(frozen=True, slots=True)
class RenderResult:
    """What came of a job."""

    snapshot: Snapshot
    cuts: list[Cut]
    screenshot: bytes | None


@dataclass(eq=False)  # no slots: playwright keeps a note of its own on whoever listens
class Tab:
    """A page of the browser in a context of its own."""

    limits: Limits
    egress: Egress
    context: BrowserContext
    page: Page
    session: CDPSession
    frame_id: str
    options: RenderOptions = DEFAULT_OPTIONS
    job: Job | None = None
    cuts: list[Cut] = field(default_factory=list)
    pending: set[Request] = field(default_factory=set)
    requests: int = 0
    navigations: int = 0
    steps: int = 0
    status: int = 200
    content_type: str = ""
    own_answer: str = ""
    crashed: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    @classmethod
    async def opened(cls, browser: Browser, limits: Limits) -> Tab:
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
            await context.add_init_script(page_scripts.SILENCE)
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            tree = await session.send("Page.getFrameTree")
            tab = cls(limits, egress, context, page, session, tree["frameTree"]["frame"]["id"])
            await tab._prepare()
        except BaseException:
            await egress.stop()
            raise
        return tab

    async def _prepare(self) -> None:
        self.page.on("request", self._asked)
        self.page.on("response", self._responded)
        self.page.on("requestfinished", self._answered)
        self.page.on("requestfailed", self._answered)
        self.page.on("crash", lambda _: self.crashed.set())
        self.page.on("framenavigated", lambda _: self._stepped())
        self.context.on("page", lambda popup: self._later(popup.close()))
        self.session.on("Fetch.requestPaused", lambda event: self._later(self._route(event)))
        patterns = [{"urlPattern": "*", "resourceType": "Document"}]
        await self.session.send("Fetch.enable", {"patterns": patterns})

    async def close(self) -> None:
        """Close the tab and its way out."""
        await self.egress.stop()
        with contextlib.suppress(Exception):
            await self.context.close()

    def _later(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(heard)

    # --- what the page asks for ------------------------------------------------------------------------------------

    def _asked(self, request: Request) -> None:
        self.requests += 1
        if request.resource_type in _AWAITED_KINDS:
            self.pending.add(request)
        if self.requests == self.options.max_requests + 1:
            most = self.options.max_requests
            self.cuts.append(Cut("requests", most, "what the page asked for after that was not loaded"))
            self._later(self.context.set_offline(True))
        if self.requests == 2 * self.options.max_requests:  # what fails at once can be asked for all the faster
            self._later(self._stop_scripts())

    def _responded(self, response: Response) -> None:
        """Note what the document itself came with: the page may have gone on to another one."""
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.status = response.status
            self.content_type = media_type(response.headers.get("content-type", ""))
            self.own_answer = response.headers.get(OWN_HEADER, "")

    def _stepped(self) -> None:
        self.steps += 1
        if self.steps == _MAX_STEPS:
            self.cuts.append(Cut("navigations", _MAX_STEPS, "the page went on and on; its scripts were stopped"))
            self._later(self._stop_scripts())

    def _answered(self, request: Request) -> None:
        self.pending.discard(request)

    async def _route(self, event: dict[str, Any]) -> None:
        """Let a document load, or put ours in its place. A page from a file stays where it is, whatever it wants."""
        request = {"requestId": event["requestId"]}
        job = self.job
        if event["frameId"] != self.frame_id or job is None:
            await self.session.send("Fetch.continueRequest", request)
            return
        self.navigations += "redirectedRequestId" not in event
        if job.html is not None and self.navigations == 1:
            headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
            body = base64.b64encode(job.html).decode("ascii")
            answer = {**request, "responseCode": 200, "responseHeaders": headers, "body": body}
            await self.session.send("Fetch.fulfillRequest", answer)
        elif job.html is not None or self.navigations > self.options.max_navigations:
            await self.session.send("Fetch.fulfillRequest", {**request, "responseCode": 204})
            if job.html is None and self.navigations == self.options.max_navigations + 1:
                most = self.options.max_navigations
                self.cuts.append(Cut("navigations", most, "the page wanted to go on to another; taken where it was"))
        else:
            await self.session.send("Fetch.continueRequest", request)

    # --- loading and taking ----------------------------------------------------------------------------------------

    async def render(self, job: Job) -> RenderResult:
        """Return the snapshot of a page, and its picture if wanted."""
        deadline = monotonic() + job.options.timeout_s
        self.job, self.options, self.egress.policy = job, job.options, job.policy
        work = asyncio.ensure_future(self._taken(job, deadline))
        crash = asyncio.ensure_future(self.crashed.wait())
        try:
            await asyncio.wait({work, crash}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise _crash()
            return work.result()
        finally:
            work.cancel()
            crash.cancel()
            await asyncio.gather(work, crash, return_exceptions=True)

    async def _taken(self, job: Job, deadline: float) -> RenderResult:
        left_s = deadline - monotonic() - job.options.timeout_s * (1 - _SHOW_SHARE)
        is_settled = False
        try:
            is_settled = await asyncio.wait_for(self._show(job, deadline), left_s)
        except TimeoutError:
            told = "its scripts did not come to an end, and were stopped; taken as it was"
            self.cuts.append(Cut("seconds", job.options.timeout_s, told))
        if not is_settled:
            await self._stop_scripts()
        self._check(job)
        elements = await self._evaluate(page_scripts.COUNT_ELEMENTS) or 0
        if elements > self.limits.nodes:
            raise RenderError(job.shown, f"{elements} elements are more than the limit of {self.limits.nodes}")
        picture = await self._picture(deadline) if job.screenshot else None
        snapshot = await self._snapshot(deadline)
        self._note_refusals(job)
        return RenderResult(snapshot, self.cuts, picture)

    async def _show(self, job: Job, deadline: float) -> bool:
        """Load the page, wait until it has settled, and scroll it; tell whether it has come to rest."""
        is_settled = await self._load(job, deadline) and await self._settle(deadline)
        self._check(job)
        for _ in range(self.options.scrolls):
            if not await self._scrolled(deadline):
                break
        return is_settled

    async def _stop_scripts(self) -> None:
        """Let no script begin any more, and stop the one that runs, if one does. A hung tab obeys this too."""
        from playwright.async_api import Error

        async def stop() -> None:
            await self.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
            await self.session.send("Runtime.terminateExecution")

        with contextlib.suppress(TimeoutError, Error):
            await asyncio.wait_for(stop(), _STOP_S)

    async def _load(self, job: Job, deadline: float) -> bool:
        """Go to the page and wait until its HTML has been read; tell whether it was, before the time was over."""
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as Late

        await self._dress(job)
        timeout_s = (deadline - monotonic()) * _LOAD_SHARE
        end = monotonic() + timeout_s
        try:
            await self.page.goto(job.url, wait_until="commit", timeout=timeout_s * 1000)
        except Late as error:
            raise FetchError(job.shown, f"timed out, nothing came within {timeout_s:g} s; try again") from error
        except Error as error:
            self._refuse(job, error)
            self._check(job)  # an error without a word on it is none that Chromium would show
            raise FetchError(job.shown, self._failure(job, error)) from error
        while await self._evaluate(page_scripts.STATE) == "loading":
            if await self._is_left_open():
                break
            if monotonic() >= end:
                self.cuts.append(Cut("seconds", self.options.timeout_s, "the page was still loading; taken as it was"))
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def _is_left_open(self) -> bool:
        """Tell whether nothing more comes, though the page is "loading": a script wrote it and did not close it."""
        return not self.pending and (await self._watched())[0] >= self.options.patience_s * 1000

    async def _dress(self, job: Job) -> None:
        """Set what this page needs otherwise than most."""
        if not job.policy.network:
            await self.context.set_offline(True)
        if not job.options.scripts:
            await self.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        if _viewport(job.options) != _viewport(DEFAULT_OPTIONS):
            await self.page.set_viewport_size(_viewport(job.options))

    def _check(self, job: Job) -> None:
        """Fail where what is shown is not the page but an error, or no page at all."""
        is_error = self.page.url.startswith("chrome-error:")
        if is_error or self.own_answer:
            self._refuse(job, None)
            raise FetchError(job.shown, self._failure(job, None))
        if self.status >= 400:
            raise FetchError(job.shown, status_message(self.status, "check the address"))
        if self.content_type not in PAGE_TYPES:
            raise FetchError(job.shown, not_a_page_message(self.content_type))

    def _refuse(self, job: Job, error: Exception | None) -> None:
        """Say so where the page itself lies at a private address that it was not asked for at."""
        if job.policy.refused and self.own_answer in ("", REFUSED):
            reason = f"this page leads to the private address {job.policy.refused[-1]}; if that is meant, open the "
            raise RefusedAddress(job.shown, f"{reason}address itself or set allow_private") from error

    def _failure(self, job: Job, error: Exception | None) -> str:
        """Return why the page cannot be reached: what our proxy noted last, or what Chromium says."""
        noted = next(reversed(job.policy.failed.values()), None)
        if noted:
            return noted
        if self.own_answer == FAILED:
            return "the connection was closed before the whole page had come; try again"
        return _explained(error) if error else "it leads to a page that cannot be opened; check the address"

    def _note_refusals(self, job: Job) -> None:
        if job.policy.refused:
            names = ", ".join(sorted(set(job.policy.refused))[:3])
            self.cuts.append(Cut("private addresses", 0, f"{len(job.policy.refused)} requests were refused ({names})"))
        if job.policy.is_spent:
            self.cuts.append(Cut("bytes", job.policy.max_bytes, "what the page loaded after that was left out"))

    async def _settle(self, deadline: float) -> bool:
        """Wait until the DOM has not changed for a while and nothing it may wait for is under way; tell whether so."""
        end = self._end(deadline)
        while self.options.scripts:
            quiet_ms, chars, scripts = await self._watched()
            is_shell = scripts and chars < _SHELL_CHARS
            needed_s = self.options.patience_s if is_shell else self.options.quiet_s if scripts else 0.0
            if quiet_ms >= needed_s * 1000 and not self.pending:
                break
            if monotonic() >= end:
                return quiet_ms >= needed_s * 1000
            await asyncio.sleep(_POLL_S)
        return True

    async def _scrolled(self, deadline: float) -> bool:
        """Scroll to the end; tell whether that brought new records."""
        before = await self._evaluate(page_scripts.COUNT_ALIKE) or 0
        await self._evaluate(page_scripts.scroll(down=True))
        end = self._end(deadline)
        grown = False
        while monotonic() < end and not grown:
            await asyncio.sleep(_POLL_S)
            quiet_ms, _, _ = await self._watched()
            grown = (await self._evaluate(page_scripts.COUNT_ALIKE) or 0) > before
            if quiet_ms >= self.options.patience_s * 1000 and not self.pending:
                break
        await self._settle(deadline)
        await self._evaluate(page_scripts.scroll(down=False))
        return grown

    def _end(self, deadline: float) -> float:
        """Return until when the page may take to settle."""
        return min(monotonic() + self.options.settle_s, deadline - self.options.timeout_s * (1 - _SHOW_SHARE))

    async def _watched(self) -> tuple[float, int, bool]:
        """Return for how long the DOM was quiet, how many characters it shows, and whether it has scripts."""
        quiet_ms, chars, scripts = await self._evaluate(page_scripts.WATCH) or (0.0, 0, False)
        return quiet_ms, chars, scripts

    async def _evaluate(self, expression: str) -> Any:
        """Return the value of an expression in a world of our own, where the page cannot reach.

        The world is gone when the page goes on to another one in between: then it is asked again there.
        """
        from playwright.async_api import Error

        for left in reversed(range(_ASK_AGAIN)):
            try:
                named = {"frameId": self.frame_id, "worldName": _WORLD}
                world = await self.session.send("Page.createIsolatedWorld", named)
                asked = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
                answer = await self.session.send("Runtime.evaluate", asked)
                return answer["result"].get("value")
            except Error:
                if not left or self.crashed.is_set():
                    raise
                await asyncio.sleep(_POLL_S)
        return None

    async def _picture(self, deadline: float) -> bytes | None:
        """Return the picture; None where a frame that hangs holds it up."""
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(
                capture_screenshot(self.session, self.options.max_screenshot_px), (deadline - monotonic()) / 2
            )
        self.cuts.append(Cut("seconds", self.options.timeout_s, "no picture of the page could be taken in time"))
        return None

    async def _snapshot(self, deadline: float) -> Snapshot:
        seconds = min(_FRAME_S, (deadline - monotonic()) / 3)
        snapshot, silent = await capture_snapshot(self.page, self.session, seconds)
        if silent:
            self.cuts.append(Cut("seconds", round(seconds, 1), f"{silent} frames did not answer, and were left out"))
        return snapshot


def _viewport(options: RenderOptions) -> ViewportSize:
    return {"width": options.width_px, "height": options.height_px}


def _crash() -> Exception:
    from playwright.async_api import Error

    return Error("its process died")


def _explained(error: Exception) -> str:
    said = str(error)
    known = next((ours for theirs, ours in _NETWORK_ERRORS.items() if theirs in said), None)
    return known or f"the browser cannot open it ({first_line(error)})"


def heard(task: asyncio.Task[Any]) -> None:
    """Take note of an error that nobody will ask for: whoever needs the tab makes another one."""
    if not task.cancelled():
        task.exception()


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]

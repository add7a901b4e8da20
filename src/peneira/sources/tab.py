"""One page in a tab of Chromium: load it, wait until its DOM has settled, take a snapshot of all its frames.

A tab has a fresh context that shares nothing with others, and its own way out (see ``egress.py``). Downloads, dialogs,
popups and service workers are off.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from peneira.errors import FetchError, RefusedAddress, RenderError
from peneira.layout import PROPERTIES
from peneira.limits import Cut, Limits
from peneira.sources.chromium import DEFAULT_OPTIONS, RenderOptions
from peneira.sources.egress import REFUSED_HEADER, Egress, Policy
from peneira.sources.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Frame, Page, Request, Response, ViewportSize

_WORLD = "peneira"
_POLL_S = 0.03
# How much of the time of a page its loading may take: the rest is for taking what there is
_LOAD_SHARE = 0.6
# Requests that the DOM may be waiting for; images and fonts come when they come
_AWAITED_KINDS = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
# A page with scripts and less text than this is taken to wait for more, but not for ever
_SHELL_CHARS = 200
_ASK_AGAIN = 5
# Chromium's words for what goes wrong, and ours
_NETWORK_ERRORS = {
    "ERR_NAME_NOT_RESOLVED": "unknown host; check the address and the network connection",
    "ERR_CONNECTION_REFUSED": "connection refused, nothing listens there; check the host and the port",
    "ERR_EMPTY_RESPONSE": "the server did not answer; check the host and the port",
    "ERR_TUNNEL_CONNECTION_FAILED": "no connection; check the address and the network connection",
    "ERR_CERT": "the TLS certificate is not trusted; check the host name",
    "ERR_TOO_MANY_REDIRECTS": "redirects in a circle",
    "ERR_ABORTED": "not a web page, or the page loads another one at once",
    "Download is starting": "not a web page but a download; give the URL of an HTML page",
}

# The page cannot reach into our world, but names of its elements shadow properties of its document and forms
_ALL = "const all = what => Document.prototype.querySelectorAll.call(document, what);"
# Milliseconds since the DOM changed, the characters of text (once it is quiet), and whether there are scripts
_WATCH = f"""(() => {{ {_ALL}
  if (globalThis.peneiraLast === undefined) {{
    globalThis.peneiraLast = performance.now();
    new MutationObserver(() => {{ globalThis.peneiraLast = performance.now(); }}).observe(
      document, {{subtree: true, childList: true, characterData: true}});
  }}
  const quiet = performance.now() - globalThis.peneiraLast;
  const scripts = all('script').length > 0;
  const body = scripts && quiet >= 250 ? all('body')[0] : null;
  return [quiet, body ? body.innerText.trim().length : 0, scripts];
}})()"""
_STATE = "Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document)"
_COUNT_NODES = f"(() => {{ {_ALL} return all('*').length; }})()"
# How many children of one tag and class the richest element has, with what shadow trees hold: the records so far
_COUNT_ALIKE = f"""(() => {{ {_ALL}
  let most = 0;
  const waiting = [all('*')];
  while (waiting.length) for (const parent of waiting.pop()) try {{
    if (parent.shadowRoot) waiting.push(parent.shadowRoot.querySelectorAll('*'));
    const counts = new Map();
    for (const child of parent.children) {{
      const key = child.localName + ' ' + (child.getAttribute('class') || '');
      counts.set(key, (counts.get(key) || 0) + 1);
    }}
    for (const count of counts.values()) most = Math.max(most, count);
  }} catch (shadowed) {{}}
  return most;
}})()"""
_SCROLL_DOWN = f"(() => {{ {_ALL} window.scrollTo(0, all('html')[0].scrollHeight); }})()"
_SCROLL_UP = "window.scrollTo(0, 0)"


@dataclass(frozen=True, slots=True)
class Job:
    """One page to be rendered: where it is, its HTML where that is given, what it may reach."""

    url: str
    html: bytes | None
    policy: Policy
    options: RenderOptions
    picture: bool = False
    name: str = ""

    @property
    def shown(self) -> str:
        """What messages call the page: its name, else its URL without a password."""
        if self.name:
            return self.name
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a job."""

    snapshot: Snapshot
    cuts: list[Cut]
    picture: bytes | None


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
    status: int = 200
    is_refused: bool = False
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

    def _responded(self, response: Response) -> None:
        """Note what the document itself came with: the page may have gone on to another one."""
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.status = response.status
            self.is_refused = REFUSED_HEADER in response.headers

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
        else:
            await self.session.send("Fetch.continueRequest", request)

    # --- loading and taking ----------------------------------------------------------------------------------------

    async def take(self, job: Job) -> Taken:
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

    async def _taken(self, job: Job, deadline: float) -> Taken:
        if await self._load(job, deadline):
            await self._settle(deadline)
        self._check(job)
        for _ in range(self.options.scrolls):
            if not await self._scrolled(deadline):
                break
        nodes = await self._evaluate(_COUNT_NODES) or 0
        if nodes > self.limits.nodes:
            raise RenderError(job.shown, f"{nodes} elements are more than the limit of {self.limits.nodes}")
        picture = await self._picture() if job.picture else None
        snapshot = await self._snapshot()
        self._note_refusals(job)
        return Taken(snapshot, self.cuts, picture)

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
            raise FetchError(job.shown, _explained(error)) from error
        while await self._evaluate(_STATE) == "loading":
            if monotonic() >= end:
                self.cuts.append(Cut("seconds", self.options.timeout_s, "the page was still loading; taken as it was"))
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def _dress(self, job: Job) -> None:
        """Set what this page needs otherwise than most."""
        if not job.policy.network:
            await self.context.set_offline(True)
        if not job.options.scripts:
            await self.session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        if _viewport(job.options) != _viewport(DEFAULT_OPTIONS):
            await self.page.set_viewport_size(_viewport(job.options))

    def _check(self, job: Job) -> None:
        """Fail where what is shown is not the page but an error."""
        if self.status >= 400 or self.page.url.startswith("chrome-error:"):
            self._refuse(job, None)
            elsewhere = "it leads to a page that cannot be opened"
            raise FetchError(job.shown, f"the server answered {self.status}" if self.status >= 400 else elsewhere)

    def _refuse(self, job: Job, error: Exception | None) -> None:
        """Say so where the page itself lies at a private address that it was not asked for at."""
        if job.policy.refused and (error is not None or self.is_refused):
            reason = f"this page leads to the private address {job.policy.refused[-1]}; if that is meant, open the "
            raise RefusedAddress(job.shown, f"{reason}address itself or set allow_private") from error

    def _note_refusals(self, job: Job) -> None:
        if job.policy.refused:
            names = ", ".join(sorted(set(job.policy.refused))[:3])
            self.cuts.append(Cut("private addresses", 0, f"{len(job.policy.refused)} requests were refused ({names})"))
        if job.policy.is_spent:
            self.cuts.append(Cut("bytes", job.policy.max_bytes, "what the page loaded after that was left out"))

    async def _settle(self, deadline: float) -> None:
        """Wait until the DOM has not changed for a while and nothing it may wait for is under way."""
        end = min(monotonic() + self.options.settle_s, deadline - self.options.timeout_s * (1 - _LOAD_SHARE) / 2)
        while True:
            quiet_ms, chars, scripts = await self._evaluate(_WATCH)
            is_shell = scripts and chars < _SHELL_CHARS
            needed_s = self.options.patience_s if is_shell else self.options.quiet_s if scripts else 0.0
            if (quiet_ms >= needed_s * 1000 and not self.pending) or not self.options.scripts:
                return
            if monotonic() >= end:
                return
            await asyncio.sleep(_POLL_S)

    async def _scrolled(self, deadline: float) -> bool:
        """Scroll to the end; tell whether that brought new records."""
        before = await self._evaluate(_COUNT_ALIKE)
        await self._evaluate(_SCROLL_DOWN)
        end = min(monotonic() + self.options.settle_s, deadline - self.options.timeout_s * (1 - _LOAD_SHARE) / 2)
        grown = False
        while monotonic() < end and not grown:
            await asyncio.sleep(_POLL_S)
            quiet_ms, _, _ = await self._evaluate(_WATCH)
            grown = await self._evaluate(_COUNT_ALIKE) > before
            if quiet_ms >= self.options.patience_s * 1000 and not self.pending:
                break
        await self._settle(deadline)
        await self._evaluate(_SCROLL_UP)
        return grown

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

    async def _picture(self) -> bytes:
        metrics = await self.session.send("Page.getLayoutMetrics")
        size = metrics["cssContentSize"]
        height = min(size["height"], self.options.picture_px)
        width = min(size["width"], self.options.picture_px)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        asked = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        answer = await self.session.send("Page.captureScreenshot", asked)
        return base64.b64decode(answer["data"])

    async def _snapshot(self) -> Snapshot:
        """Return the snapshots of the page and of the frames that live in other processes."""
        parts = [await _captured(self.session)]
        owners: list[tuple[int, int, int]] = []
        sessions: dict[Frame, tuple[int, CDPSession]] = {self.page.main_frame: (0, self.session)}
        for frame in self.page.frames[1:]:
            with contextlib.suppress(Exception):  # a frame of the page's own process has no session; one may be gone
                session = await self.context.new_cdp_session(frame)
                tree = await session.send("Page.getFrameTree")
                number, around = _session_around(frame, sessions)
                owner = await around.send("DOM.getFrameOwner", {"frameId": tree["frameTree"]["frame"]["id"]})
                parts.append(await _captured(session))
                sessions[frame] = (len(parts) - 1, session)
                owners.append((number, owner["backendNodeId"], len(parts) - 1))
        return Snapshot(parts, owners)


def _session_around(frame: Frame, sessions: dict[Frame, tuple[int, CDPSession]]) -> tuple[int, CDPSession]:
    """Return the part and the session of the process that holds the frame element."""
    parent = frame.parent_frame
    while parent is not None and parent not in sessions:
        parent = parent.parent_frame
    return sessions[parent] if parent is not None else next(iter(sessions.values()))


def _viewport(options: RenderOptions) -> ViewportSize:
    return {"width": options.width_px, "height": options.height_px}


async def _captured(session: CDPSession) -> dict[str, Any]:
    return await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})


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

"""What Scrapy's own politeness lacks: Crawl-delay of robots.txt, and a pause where a server says that it is busy."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import DeferredLock

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot

_NOTHING_ALLOWED = b"User-agent: *\nDisallow: /\n"
BUSY = frozenset({429, 503})
MAX_PAUSE_S = 600.0
# The first pause where a server does not say how long; each further one of the same page is twice as long
FIRST_PAUSE_S = 2.0


class CrawlDelay:
    """An extension that keeps the Crawl-delay of each host's robots.txt as the least time between two requests."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._delays: dict[str, float] = {}
        agent = crawler.settings["ROBOTSTXT_USER_AGENT"] or crawler.settings["USER_AGENT"]
        self._agent = str(agent)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CrawlDelay:
        """Return the extension, which listens to the rules of robots and to requests."""
        made = cls(crawler)
        crawler.signals.connect(made.robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(made.request_reached_downloader, signal=signals.request_reached_downloader)
        return made

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Note the delay that a host asks for, for its requests from now on."""
        asked_s = robotparser.crawl_delay(self._agent)
        if asked_s is None:
            return
        host = urlparse_cached(request).hostname or ""
        least_s = max(asked_s, self._crawler.settings.getfloat("DOWNLOAD_DELAY"))
        self._delays[host] = least_s
        assert self._crawler.engine is not None
        downloader = self._crawler.engine.downloader
        downloader.per_slot_settings[host] = {"concurrency": 1, "delay": least_s, "jitter": 0.0}
        slot = downloader.slots.get(host)
        if slot is not None:
            slot.concurrency, slot.delay, slot.jitter = 1, least_s, 0.0

    def request_reached_downloader(self, request: Request, spider: Spider) -> None:
        """Keep AutoThrottle from changing a delay that the host has set."""
        if (urlparse_cached(request).hostname or "") in self._delays:
            request.meta["autothrottle_dont_adjust_delay"] = True


class RobotsMiddleware(RobotsTxtMiddleware):
    """Obeys robots.txt also where several pages of a host wait for it, and where the server fails to send it."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._turns: dict[str, DeferredLock] = {}

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """Return the rules for a page. One request waits for robots.txt at a time: of several that wait for the same
        answer, Scrapy 2.19 gives it to the first, and no rules to the others.
        """
        turn = self._turns.setdefault(urlparse_cached(request).netloc, DeferredLock())
        await maybe_deferred_to_future(turn.acquire())
        try:
            return await super().robot_parser(request)
        finally:
            turn.release()

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        # RFC 9309, 2.3.1.4: while the server cannot send its rules, everything is forbidden
        rules = response.replace(body=_NOTHING_ALLOWED) if response.status >= 500 else response
        await super()._parse_robots(rules, netloc, request)


class PausingRetryMiddleware(RetryMiddleware):
    """Retries as Scrapy does; a server that is busy (429, 503) gets no request at all for the time that it names."""

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the response, or the request again where it is worth another try."""
        if response.status in BUSY and not request.meta.get("dont_retry", False):
            self._pause(request, response)
        return super().process_response(request, response)

    def _pause(self, request: Request, response: Response) -> None:
        named = response.headers.get("Retry-After")
        pause_s = retry_after_s(named.decode("latin-1")) if named else None
        if pause_s is None:
            pause_s = FIRST_PAUSE_S * 2 ** int(request.meta.get("retry_times", 0))
        assert self.crawler.engine is not None
        slot = self.crawler.engine.downloader.slots.get(request.meta.get("download_slot", ""))
        if slot is not None:
            _hold(slot, min(pause_s, MAX_PAUSE_S))


def _hold(slot: Slot, pause_s: float) -> None:
    """Send nothing to a host for so long: the downloader waits for its delay after ``lastseen``."""
    slot.lastseen = max(slot.lastseen, monotonic() + pause_s)
    slot.delay = max(slot.delay, 0.001)  # without any delay the downloader does not look at ``lastseen``


def retry_after_s(text: str) -> float | None:
    """Return the seconds of a Retry-After header, which may be a date; None where it is neither."""
    text = text.strip()
    if text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return max((at - datetime.now(UTC)).total_seconds(), 0.0)

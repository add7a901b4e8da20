"""What a crawl fetches, how politely, and where it stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from peneira.errors import ArgumentError
from peneira.sources.fetch_options import USER_AGENT
from peneira.sources.rendering import Render

# Answers that say nothing about a page: they are not kept, so that a crawl that is started again asks again
PASSING_CODES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """Where a crawl stops, so that no trap holds it; what was left out is reported.

    ``pages``: all pages of the crawl. ``depth``: pages of one list, from where it starts. ``novelty``: pages in a row
    of one form of address that bring nothing new. ``seconds``: 0 for no limit.
    """

    pages: int = 10_000
    depth: int = 1_000
    novelty: int = 10
    seconds: float = 0.0

    def __post_init__(self) -> None:
        for name in ("pages", "depth", "novelty"):
            if getattr(self, name) < 1:
                raise ArgumentError(f"{name} must be 1 or more, not {getattr(self, name)!r}")
        if not self.seconds >= 0:
            raise ArgumentError(f"seconds must be 0 or more, not {self.seconds!r}")


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How a site is crawled. ``delay_s``: the least time between two requests to a host, which grows if it is slow.

    ``details``: follow each record to its own page. ``render``: as for ``extract``. ``robots``: obey robots.txt.
    ``is_dry``: fetch the start pages alone, and note what would follow.
    """

    details: bool = False
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    delay_s: float = 1.0
    concurrency: int = 1
    retries: int = 4
    robots: bool = True
    render: Render = "auto"
    timeout_s: float = 30.0
    allow_private: bool = False
    user_agent: str = USER_AGENT
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    is_dry: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.delay_s <= 3600:
            raise ArgumentError(f"delay_s must be from 0 to 3600, not {self.delay_s!r}")
        if self.concurrency < 1:
            raise ArgumentError(f"concurrency must be 1 or more, not {self.concurrency!r}")


DEFAULT_OPTIONS = CrawlOptions()

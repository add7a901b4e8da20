"""A crawl from start addresses to pages on disk: Scrapy's settings, its process, and what came of it."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peneira.errors import MissingExtra
from peneira.scrapy.options import PASSING_CODES, CrawlOptions

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from peneira.scrapy.kept_lists import KeptList
    from peneira.scrapy.spider import CrawlNotes, DetailPage

_PACKAGE = "peneira.scrapy"
# Schemes that Scrapy would read from this machine or from servers that no rule is for
_OTHER_SCHEMES = ("file", "ftp", "s3", "data")


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a crawl found: the pages of lists in order, those of records by address, and what it could not do.

    ``requests``: how many servers answered. ``is_whole``: it ended by itself, not by a limit of time or by the user.
    """

    lists: list[KeptList]
    details: dict[str, DetailPage]
    notes: CrawlNotes
    requests: int
    is_whole: bool


@dataclass  # no slots: signals refer to it weakly
class _Collector:
    lists: list[KeptList] = field(default_factory=list)
    details: dict[str, DetailPage] = field(default_factory=dict)

    def item_scraped(self, item: Any) -> None:
        """Take a page of the spider."""
        from peneira.scrapy.kept_lists import kept_list
        from peneira.scrapy.spider import ListPage

        if isinstance(item, ListPage):
            self.lists.append(kept_list(item))
        else:
            self.details[item.address] = item

    def spider_error(self, failure: Any, response: Any, spider: Any) -> None:
        """Note a page on which the spider itself failed."""
        spider.notes.failures[response.request.url] = f"it could not be read ({type(failure.value).__name__})"


def check_extra() -> None:
    """Raise ``MissingExtra`` where Scrapy is not installed."""
    if importlib.util.find_spec("scrapy") is None:
        raise MissingExtra("crawl", "crawling")


def crawl(urls: Sequence[str], options: CrawlOptions, job: Path) -> Crawled:
    """Crawl the lists at these addresses into the folder ``job``; pages that are there are not fetched again.

    It runs Scrapy's reactor, which runs once in a process. Raises ``FetchError`` for an address that is none.
    """
    check_extra()
    from scrapy import signals
    from scrapy.crawler import CrawlerProcess

    from peneira.scrapy.spider import PageSpider

    process = CrawlerProcess(crawl_settings(urls, options, job))
    crawler: Crawler = process.create_crawler(PageSpider)
    collector = _Collector()
    crawler.signals.connect(collector.item_scraped, signal=signals.item_scraped)
    crawler.signals.connect(collector.spider_error, signal=signals.spider_error)
    process.crawl(crawler, start_urls=list(urls), crawl_options=options)
    process.start()
    spider = crawler.spider
    assert isinstance(spider, PageSpider)
    stats = crawler.stats.get_stats() if crawler.stats is not None else {}
    if stats.get("finish_reason") == "closespider_timeout":
        spider.notes.limits["seconds"] = f"the crawl took {options.limits.seconds:g} seconds (--max-time)"
    collector.lists.sort(key=lambda page: page.order)
    sent = int(stats.get("downloader/response_count", 0)) - int(stats.get("httpcache/hit", 0))
    return Crawled(collector.lists, collector.details, spider.notes, sent, stats.get("finish_reason") == "finished")


def crawl_settings(urls: Sequence[str], options: CrawlOptions, job: Path) -> dict[str, Any]:
    """Return Scrapy's settings for a polite crawl of these addresses, whose pages are kept in a folder."""
    from peneira.scrapy.address_guard import homes_of

    return {
        **guard_settings(homes_of(urls), allow_private=options.allow_private),
        "PENEIRA_NOVELTY": options.limits.novelty,
        "USER_AGENT": options.user_agent,
        "ROBOTSTXT_OBEY": options.robots,
        "ROBOTSTXT_USER_AGENT": options.user_agent.partition("/")[0].strip() or options.user_agent,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": options.delay_s,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(options.concurrency),
        "DOWNLOAD_DELAY": options.delay_s,
        "DOWNLOAD_DELAY_JITTER": 0.0,  # the delay is the least, not the mean
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "DOWNLOAD_TIMEOUT": options.timeout_s,
        "DOWNLOAD_MAXSIZE": 64 * 1024 * 1024,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "RETRY_TIMES": options.retries,
        "CLOSESPIDER_TIMEOUT": options.limits.seconds,
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(job.absolute()),
        "HTTPCACHE_STORAGE": f"{_PACKAGE}.job_pages.JobPageCache",
        "HTTPCACHE_IGNORE_HTTP_CODES": sorted(PASSING_CODES),
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,  # it would run code that other programs send
    }


def guard_settings(homes: Sequence[tuple[str, int]], *, allow_private: bool = False) -> dict[str, Any]:
    """Return the settings that put the address rules, Crawl-delay and pauses into a Scrapy project."""
    handler = f"{_PACKAGE}.download_handler.GuardedHandler"
    return {
        "PENEIRA_PRIVATE_HOSTS": [f"{host}:{port}" for host, port in homes],
        "PENEIRA_ALLOW_PRIVATE": allow_private,
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler, **dict.fromkeys(_OTHER_SCHEMES)},
        "HTTPPROXY_ENABLED": False,  # a proxy would resolve the names, and what it connects to goes unchecked
        "EXTENSIONS": {f"{_PACKAGE}.politeness.CrawlDelay": 0},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            f"{_PACKAGE}.politeness.RobotsMiddleware": 100,
            "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
            f"{_PACKAGE}.politeness.PausingRetryMiddleware": 550,
            # below the cache, so that pages are kept as they are read
            "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 950,
        },
    }

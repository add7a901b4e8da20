"""The options of commands that crawl, and a crawl with its messages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import click

from peneira.cli.crawl_job import Job
from peneira.cli.messages import say, say_partial
from peneira.preview import counted
from peneira.scrapy.options import CrawlLimits, CrawlOptions
from peneira.sources.fetch_options import MAX_TIMEOUT_S, USER_AGENT
from peneira.sources.rendering import RENDER_MODES, Render

if TYPE_CHECKING:
    from peneira.scrapy.run import Crawled

Command = TypeVar("Command", bound=Callable[..., object])
# How many pages that failed are named; the others are counted
MAX_NAMED = 20


def crawl_options(command: Command) -> Command:
    """Give a command the options about crawling; it gets them as ``options``, and ``fresh`` as it is."""

    @functools.wraps(command)
    def with_options(
        *args: object,
        details: bool,
        max_pages: int,
        max_depth: int,
        novelty: int,
        max_time_s: float,
        delay_s: float,
        concurrency: int,
        no_robots: bool,
        render: Render,
        timeout_s: float,
        allow_private: bool,
        user_agent: str,
        headers: Mapping[str, str],
        cookies: Mapping[str, str],
        **others: object,
    ) -> object:
        options = CrawlOptions(
            details=details,
            limits=CrawlLimits(max_pages, max_depth, novelty, max_time_s),
            delay_s=delay_s,
            concurrency=concurrency,
            robots=not no_robots,
            render=render,
            timeout_s=timeout_s,
            allow_private=allow_private,
            user_agent=user_agent,
            headers=headers,
            cookies=cookies,
        )
        return command(*args, options=options, **others)

    decorated = functools.reduce(lambda made, option: option(made), reversed(_OPTIONS), with_options)
    return cast("Command", decorated)


def crawl_into(job: Job, urls: Sequence[str], options: CrawlOptions) -> Crawled:
    """Crawl, and say on standard error what came of it."""
    from peneira.scrapy.run import crawl

    _say_resumed(job)
    crawled = crawl(urls, options, job.folder)
    notes = crawled.notes
    if crawled.is_whole and not notes.passing:
        job.note_finished()
    found = f"{counted(len(crawled.lists), 'list page')}, {counted(len(crawled.details), 'detail page')}"
    say(f"{found}; {counted(crawled.requests, 'answer')} of servers")
    for url, reason in list(notes.failures.items())[:MAX_NAMED]:
        say_partial(url, reason)
    if len(notes.failures) > MAX_NAMED:
        say(f"... and {len(notes.failures) - MAX_NAMED} other pages failed")
    for url, reason in notes.limits.items():
        say_partial(url, reason)
    if notes.abroad:
        say(f"{counted(notes.abroad, 'record')} of other sites: their own pages were not followed")
    return crawled


def _say_resumed(job: Job) -> None:
    since = job.began()
    if since is not None:
        say(f"going on with the crawl of {since:%Y-%m-%d %H:%M}, kept in {job.folder} (--fresh starts anew)")


def _pairs(separator: str) -> Callable[[click.Context, click.Parameter, Sequence[str]], dict[str, str]]:
    def read(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for text in given:
            name, found, value = text.partition(separator)
            if not found or not name.strip() or not text.isprintable():
                raise click.BadParameter(f"{name.strip()!r} has no value; write it as name{separator}value")
            pairs[name.strip()] = value.strip()
        return pairs

    return read


_OPTIONS = (
    click.option("--fresh", is_flag=True, help="Fetch all pages again, also those that an interrupted crawl has kept."),
    click.option("--details", is_flag=True, help="Follow each record to its own page, and join what it says."),
    click.option(
        "--max-pages", type=click.IntRange(1), default=10_000, show_default=True, help="Fetch at most so many pages."
    ),
    click.option(
        "--max-depth", type=click.IntRange(1), default=1_000, show_default=True, help="At most so many pages of a list."
    ),
    click.option(
        "--novelty",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        metavar="N",
        help="Stop following a list after N pages in a row with nothing new but numbers, as calendars have.",
    ),
    click.option(
        "--max-time", "max_time_s", type=click.FloatRange(0), default=0, metavar="SECONDS", help="Stop after this time."
    ),
    click.option(
        "--delay",
        "delay_s",
        type=click.FloatRange(0, 3600),
        default=1.0,
        show_default=True,
        metavar="SECONDS",
        help="Least time between two requests to a host; slow hosts and those that ask for it get more.",
    ),
    click.option(
        "--concurrency", type=click.IntRange(1, 16), default=1, show_default=True, help="Requests to a host at a time."
    ),
    click.option("--no-robots", is_flag=True, help="Fetch what robots.txt forbids, too: for sites of your own."),
    click.option("--header", "headers", multiple=True, callback=_pairs(":"), metavar="NAME:VALUE", help="Repeatable."),
    click.option("--cookie", "cookies", multiple=True, callback=_pairs("="), metavar="NAME=VALUE", help="Repeatable."),
    click.option("--user-agent", default=USER_AGENT, help="How to name ourselves to servers and in robots.txt."),
    click.option(
        "--render",
        type=click.Choice(RENDER_MODES),
        default="auto",
        show_default=True,
        help="Whether to render list pages in a browser; auto: those that scripts fill, or that load more.",
    ),
    click.option(
        "--timeout",
        "timeout_s",
        type=click.FloatRange(0, MAX_TIMEOUT_S, min_open=True),
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        help="Give up on a page after this time.",
    ),
    click.option(
        "--allow-private",
        is_flag=True,
        help="Allow private addresses that no start address names, and link-local ones.",
    ),
)

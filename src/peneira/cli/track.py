"""``peneira track`` and ``peneira changes``: the history of a list, and what is new, gone and changed in it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from peneira.cli.choice import column_names
from peneira.cli.crawl_job import Job, crawl_folder, job_folder
from peneira.cli.crawling import crawl_into, crawl_options
from peneira.cli.messages import say, say_partial, write_stdout
from peneira.cli.pages import ReadOptions, read_all
from peneira.columns.site_groups import host_of
from peneira.credentials import hidden_credentials
from peneira.errors import ArgumentError, InputError, SiteChanged, StoreError
from peneira.output.postgres_table import is_postgres
from peneira.output.rss import FeedEntry, rss_feed
from peneira.page import Page
from peneira.scrapy.details import DetailReader, Details
from peneira.scrapy.options import CrawlOptions
from peneira.sources.inputs import web_address
from peneira.sources.urls import parse_url
from peneira.store.changes import Change, changes_since
from peneira.store.database import open_database
from peneira.store.history import History, Visit
from peneira.store.since import moment
from peneira.store.tracking import ReadDetails, read_list

if TYPE_CHECKING:
    from peneira.scrapy.run import Crawled

# The exit code of a site that has changed, as that of `check` for a broken wrapper
EXIT_CHANGED = 4
# Pages of an unfinished visit that are older are fetched again
MAX_JOB_AGE = timedelta(hours=12)


def _moment(_context: click.Context, _parameter: click.Parameter, given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return moment(given, datetime.now().astimezone())
    except ArgumentError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="URL|FILE|FOLDER...")
@click.option(
    "--store", required=True, metavar="FILE|postgresql://...", help="An SQLite file, or a PostgreSQL database."
)
@click.option("--name", help="What the list is called in the store.  [default: its address]")
@click.option(
    "--key",
    callback=column_names,
    metavar="A,B,...",
    help="The columns that tell records apart.  [default: the address of the record, else an id]",
)
@click.option("--heal", is_flag=True, help="Where the site has changed, learn it again under the old column names.")
@click.option("--accept-losses", is_flag=True, help="Record also that more than half of the records are gone.")
@click.option(
    "--at", callback=_moment, metavar="TIME", help="When the pages were fetched, for saved ones.  [default: now]"
)
@click.option("--job", type=click.Path(file_okay=False, path_type=Path), help="Keep fetched pages in this folder.")
@crawl_options
def track(
    sources: tuple[str, ...],
    store: str,
    name: str | None,
    key: tuple[str, ...],
    heal: bool,
    accept_losses: bool,
    at: datetime | None,
    job: Path | None,
    fresh: bool,
    options: CrawlOptions,
) -> None:
    """Visit a list, and record in a store what is new, gone, returned and changed since the last visit.

    Addresses are crawled as by `crawl`, saved pages are read. The first visit learns how to read the list, later ones
    read it in the same way; records are known again by their key. The store has all texts that a cell ever had.
    Visiting twice is the same as visiting once. When the site has changed so that it cannot be read as before, nothing
    is recorded and the exit code is 4; --heal learns it again. Pages that fail make nothing "gone".

    \b
    Examples:
      peneira track https://example.com/products --store prices.sqlite
      peneira track https://example.com/products --details --store postgresql://me@localhost/prices
      peneira track saved/monday/ --store prices.sqlite --name shop --at 2026-11-02
      peneira changes prices.sqlite --since yesterday
    """
    addresses = [web_address(source) for source in sources]
    if any(addresses) and not all(addresses):
        raise click.UsageError("give addresses or saved pages, not both")
    urls = [address for address in addresses if address is not None]
    with _history(store) as history, _job(job, store, urls) as own:
        if fresh or own.is_older(MAX_JOB_AGE) or (own.is_finished() and not heal and not accept_losses):
            own.forget()
        crawled = _crawled(own, urls, options) if urls else None
        with _pages(sources, own, crawled, options) as (pages, is_complete, read_details):
            chosen = name or _name(urls, pages)
            _visit(history, chosen, pages, key, heal, read_details, at, is_complete, accept_losses)
        own.forget()  # the next visit is another one, also if pages were missing


def _visit(
    history: History,
    name: str,
    pages: Sequence[tuple[str, Page]],
    key: tuple[str, ...],
    heal: bool,
    read_details: ReadDetails | None,
    at: datetime | None,
    is_complete: bool,
    accept_losses: bool,
) -> None:
    try:
        found = read_list(history.tracker(name), pages, name=name, key=key, heal=heal, read_details=read_details)
    except SiteChanged as error:
        say(f"peneira: {error}")
        sys.exit(EXIT_CHANGED)
    for note in found.notes:
        say(f"{name}: {note}")
    if found.repeated:
        say(f"{name}: {found.repeated} records were there more than once; each counts once")
    visit = Visit(found.tracker, at or datetime.now(UTC), found.records, is_complete, accept_losses)
    counts = history.record(visit)
    say(f"{name}: {counts}, by {', '.join(found.tracker.key)}")
    if not is_complete:
        say_partial(name, "some pages are missing, so that nothing was recorded as gone")


@contextmanager
def _history(store: str, *, must_exist: bool = False) -> Iterator[History]:
    history = History(open_database(store, must_exist=must_exist), must_exist=must_exist)
    try:
        yield history
    finally:
        history.close()


@contextmanager
def _job(named: Path | None, store: str, urls: Sequence[str]) -> Iterator[Job]:
    """Give the folder of the crawl; lists that are visited at the same time have one each."""
    target = None if is_postgres(store) or not urls else crawl_folder(Path(store), urls)
    with job_folder(named, target) as job:
        yield job
    if target is not None and named is None:
        with contextlib.suppress(OSError):  # others may be in use
            target.parent.rmdir()


def _crawled(job: Job, urls: Sequence[str], options: CrawlOptions) -> Crawled:
    crawled = crawl_into(job, urls, options)
    if not crawled.is_whole and not crawled.notes.limits:
        raise InputError(f"stopped; the pages are kept in {job.folder}, and nothing was recorded")
    if not crawled.lists:
        raise InputError("no page of the list could be read; nothing was recorded")
    return crawled


@contextmanager
def _pages(
    sources: Sequence[str], job: Job, crawled: Crawled | None, options: CrawlOptions
) -> Iterator[tuple[Sequence[tuple[str, Page]], bool, ReadDetails | None]]:
    """Give the pages of the list with their addresses, whether none is missing, and what reads those of the records."""
    if crawled is None:
        pages, has_failed = read_all(sources, ReadOptions(timeout_s=options.timeout_s, render=options.render))
        if not pages:
            raise InputError("no page could be read; nothing was recorded")
        yield [(page.url or name, page) for name, page in pages], not has_failed, None
        return
    from peneira.scrapy.job_pages import open_job
    from peneira.scrapy.kept_lists import StoredLists
    from peneira.scrapy.tables import read_details

    with open_job(job.folder) as stored:

        def read(addresses: Sequence[str], reader: DetailReader) -> Mapping[str, Details]:
            return read_details(crawled, addresses, stored, reader)

        is_complete = not crawled.notes.failures and not crawled.notes.limits
        yield StoredLists(crawled.lists, stored), is_complete, read if options.details else None


def _name(urls: Sequence[str], pages: Sequence[tuple[str, Page]]) -> str:
    """Return the name of a list: its address without the scheme, or the host of saved pages."""
    if urls:
        parse_url(urls[0])
        parts = urlsplit(urls[0])
        address = f"{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
        return f"{address}?{parts.query}" if parts.query else address
    host = next((found for _, page in pages if (found := host_of(page))), "")
    if not host:
        raise click.UsageError("the pages do not say which site they are of: name the list with --name")
    return host


@click.command()
@click.argument("store", metavar="STORE")
@click.option(
    "--since",
    callback=_moment,
    metavar="TIME",
    help="yesterday, '3 days', 2026-11-01, 2026-11-01T08:00...  [default: before the last visit]",
)
@click.option("--name", help="Only the list of this name.")
@click.option("-f", "--format", "named_format", type=click.Choice(["table", "json", "jsonl", "rss"]))
def changes(store: str, since: datetime | None, name: str | None, named_format: str | None) -> None:
    """Say what is new, gone and changed in the lists of a store since a time.

    It is the difference between then and now: a price that went up and down again is no change. On a terminal it is a
    line per change, when piped a JSON document; rss is a feed for readers of news.

    \b
    Examples:
      peneira changes prices.sqlite --since yesterday
      peneira changes prices.sqlite --since "7 days" --format rss > changes.xml
      peneira changes postgresql://me@localhost/prices --name example.com/products
    """
    with _history(store, must_exist=True) as history:
        names = history.tracker_names()
        if name is not None and name not in names:
            raise StoreError(
                hidden_credentials(store), f"no list is called {name!r}; there are: {', '.join(names) or 'none'}"
            )
        found = changes_since(history, since or _before_last_visit(history, name), name)
    chosen = named_format or ("table" if sys.stdout.isatty() else "json")
    write_stdout(_written(found, chosen), end="")
    kinds = [sum(change.kind == kind for change in found) for kind in ("new", "gone")]
    changed = len({(change.tracker, change.key) for change in found if change.kind == "changed"})
    say(f"{kinds[0]} new, {kinds[1]} gone, {changed} changed")


def _before_last_visit(history: History, name: str | None) -> datetime:
    last = history.last_visit(name)
    return last - timedelta(microseconds=1) if last is not None else datetime.now(UTC)


def _written(found: Sequence[Change], chosen: str) -> str:
    if chosen == "rss":
        entries = [
            FeedEntry(
                str(change),
                change.key if change.key.startswith(("http://", "https://")) else "",
                change.at,
                json.dumps(change.to_dict()),
            )
            for change in found
        ]
        return rss_feed("Changes", entries)
    objects = [change.to_dict() for change in found]
    if chosen == "jsonl":
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)
    if chosen == "json":
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    return "".join(f"{_MARKS[change.kind]} {change}\n" for change in found)


_MARKS = {"new": "+", "gone": "-", "changed": "~"}

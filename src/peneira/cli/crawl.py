"""``peneira crawl``: all pages of lists, and the page of each record, as one table."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from peneira.cli.crawl_job import crawl_folder, job_folder, say_kept
from peneira.cli.crawling import crawl_into, crawl_options
from peneira.cli.messages import say, write_stdout
from peneira.cli.options import output_options
from peneira.cli.output import Output
from peneira.cli.site_output import write_sites
from peneira.cli.sites import SiteTable
from peneira.credentials import without_credentials
from peneira.errors import FetchError
from peneira.scrapy.options import CrawlOptions
from peneira.sources.inputs import web_address
from peneira.sources.urls import display_url

if TYPE_CHECKING:
    from peneira.scrapy.run import Crawled


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--dry-run", is_flag=True, help="Fetch the start pages alone, and print which addresses would follow.")
@click.option(
    "--job",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep fetched pages in this folder, and take those that are there.  [default: beside the output, until done]",
)
@crawl_options
@output_options
def crawl(
    urls: tuple[str, ...], dry_run: bool, job: Path | None, fresh: bool, options: CrawlOptions, output: Output
) -> None:
    """Follow lists from page to page, and each record to its own page; write one table.

    Each address is the first page of a list. Its next pages are found as `extract` finds them; where a button loads
    more, or scrolling does, a browser does that. With --details, each record is joined by its address with what its
    own page says. It runs on Scrapy: robots.txt is obeyed, requests are spaced, busy servers are left in peace, and
    private addresses are reached only where you name them.

    A crawl that was interrupted goes on where it was: run the same command again. No page is fetched twice.

    \b
    Examples:
      peneira crawl https://example.com/products -o products.sqlite --details
      peneira crawl https://example.com/jobs -o jobs.jsonl --max-pages 50 --delay 2
      peneira crawl https://example.com/products --details --dry-run
    """
    addresses = list(dict.fromkeys(_address(url) for url in urls))
    if dry_run:
        sys.exit(_dry_run(addresses, options))
    output.check()
    with job_folder(job, crawl_folder(output.path) if output.path is not None else None) as own:
        if fresh:
            own.forget()
        crawled = crawl_into(own, addresses, options)
        if not crawled.is_whole and "seconds" not in crawled.notes.limits:
            say_kept(own, "stopped")
            sys.exit(1)
        failed = _write(crawled, own.folder, output)
        if not own.is_finished():
            say_kept(own, "some pages are missing that may be there later")
        elif not own.is_named:
            own.forget()
    if failed or any(without_credentials(url) in crawled.notes.failures for url in addresses):
        sys.exit(1)


def _address(url: str) -> str:
    address = web_address(url)
    if address is None:
        raise FetchError(display_url(url), "a crawl starts from a URL; write it with https:// in front")
    return address


def _write(crawled: Crawled, folder: Path, output: Output) -> bool:
    """Write the tables of a crawl; return whether records were dropped or there are none."""
    from peneira.scrapy.job_pages import open_job
    from peneira.scrapy.tables import crawled_tables

    with open_job(folder) as pages:
        tables = crawled_tables(crawled, pages)
    for each in tables:
        if each.rows.repeated:
            say(f"{each.site}: {each.rows.repeated} records were on several pages; each is written once")
    if not tables:
        say("no list of records was found; nothing is written")
        return True
    return write_sites(output, [SiteTable(each.site, each.pages, each.rows.table) for each in tables]) > 0


def _dry_run(urls: list[str], options: CrawlOptions) -> int:
    with job_folder(None, None) as job:
        crawled = crawl_into(job, urls, replace(options, is_dry=True))
    for url in crawled.notes.planned:
        write_stdout(url)
    details = crawled.notes.planned_details
    say(
        f"{len(crawled.notes.planned)} pages would follow the start pages, {details} of them pages of records; "
        "their own next pages would follow in turn"
    )
    return int(any(without_credentials(url) in crawled.notes.failures for url in urls))

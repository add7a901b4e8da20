"""The pages of a crawl as tables: one for each site, a row per record, joined with what the record's own page says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from peneira.columns.builder import language_of
from peneira.columns.site_groups import group_sites, page_origin
from peneira.columns.site_schema import with_site_schema
from peneira.page import Page
from peneira.result import Region
from peneira.scrapy.details import LEARNING_PAGES, DetailReader, Details, join_details
from peneira.scrapy.job_pages import JobPages
from peneira.scrapy.novelty import record_key
from peneira.scrapy.run import Crawled
from peneira.scrapy.spider import DetailPage, ListPage, detail_address
from peneira.table import Table, stack

SOURCE = "source"


@dataclass(frozen=True, slots=True)
class CrawledTable:
    """The records of one site. ``repeated``: how many were on several pages, and are here once."""

    site: str
    pages: int
    table: Table
    keys: tuple[str, ...]
    repeated: int


def crawled_tables(crawled: Crawled, pages: JobPages) -> list[CrawledTable]:
    """Return the table of each site of a crawl."""
    lists = [page for page in crawled.lists if page.result.main is not None]
    origins = [page_origin(each.page, [each.result.main] if each.result.main is not None else []) for each in lists]
    sites: dict[int, list[int]] = {}
    for k, site in enumerate(group_sites(origins)):
        sites.setdefault(site, []).append(k)
    return [
        _site_table(origins[members[0]].host, [lists[k] for k in members], crawled, pages) for members in sites.values()
    ]


def _site_table(host: str, lists: Sequence[ListPage], crawled: Crawled, pages: JobPages) -> CrawledTable:
    language = next((found for each in lists if (found := language_of(each.page))), "")
    regions = with_site_schema([each.result.main for each in lists if each.result.main is not None], language=language)
    return table_of_lists(
        host, [(each.url, region) for each, region in zip(lists, regions, strict=True)], crawled, pages
    )


def table_of_lists(
    host: str,
    lists: Sequence[tuple[str, Region]],
    crawled: Crawled,
    pages: JobPages,
    reader: DetailReader | None = None,
) -> CrawledTable:
    """Return the records of lists, which have one schema, as a table: each once, joined with its own page."""
    seen: set[str] = set()
    tables, keys, addresses, repeated = [], list[str](), list[str | None](), 0
    for url, region in lists:
        rows = []
        for record, row in zip(region.records, region.table.rows, strict=True):
            key = record_key(record)
            repeated += key in seen
            if key not in seen:
                seen.add(key)
                keys.append(key)
                addresses.append(detail_address(record))
                rows.append(row)
        tables.append(((url,), Table(region.columns, tuple(rows))))
    table = stack((SOURCE,), tables)
    details = read_details(crawled, [each for each in addresses if each], pages, reader or DetailReader())
    return CrawledTable(host, len(lists), join_details(table, addresses, details), tuple(keys), repeated)


def read_details(
    crawled: Crawled, addresses: Sequence[str], pages: JobPages, reader: DetailReader
) -> dict[str, Details]:
    """Return what the pages of the records say, by their addresses; the reader learns from the first few of them."""
    found = [crawled.details[address] for address in dict.fromkeys(addresses) if address in crawled.details]
    if reader.wrapper is None and found:
        reader.learn(list(_pages(found[:LEARNING_PAGES], pages)))
    return {each.address: reader.read(page) for each in found for page in _pages([each], pages)}


def _pages(found: Sequence[DetailPage], pages: JobPages) -> Iterator[Page]:
    for each in found:
        stored = pages.get(each.key)
        if stored is not None:
            yield stored.page()

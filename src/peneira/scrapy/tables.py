"""The pages of a crawl as tables: one for each site, a row per record, joined with what the record's own page says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from peneira.columns.site_groups import group_sites
from peneira.columns.site_schema import with_site_schema
from peneira.page import Page
from peneira.scrapy.details import LEARNING_PAGES, DetailReader, Details
from peneira.scrapy.job_pages import JobPages
from peneira.scrapy.kept_lists import KeptList
from peneira.scrapy.record_rows import RecordRows, record_rows
from peneira.scrapy.run import Crawled
from peneira.scrapy.spider import DetailPage


@dataclass(frozen=True, slots=True)
class CrawledTable:
    """The records of one site, and of how many pages they are."""

    site: str
    pages: int
    rows: RecordRows


def crawled_tables(crawled: Crawled, pages: JobPages) -> list[CrawledTable]:
    """Return the table of each site of a crawl."""
    lists = [each for each in crawled.lists if each.main is not None]
    origins = [each.origin for each in lists]
    sites: dict[int, list[int]] = {}
    for k, site in enumerate(group_sites(origins)):
        sites.setdefault(site, []).append(k)
    return [
        CrawledTable(origins[own[0]].host, len(own), _joined_rows([lists[k] for k in own], crawled, pages))
        for own in sites.values()
    ]


def _joined_rows(lists: Sequence[KeptList], crawled: Crawled, pages: JobPages) -> RecordRows:
    language = next((each.language for each in lists if each.language), "")
    regions = with_site_schema([each.main for each in lists if each.main is not None], language=language)
    rows = record_rows([(each.url, region) for each, region in zip(lists, regions, strict=True)])
    return rows.joined(read_details(crawled, [each for each in rows.addresses if each], pages, DetailReader()))


def read_details(
    crawled: Crawled, addresses: Sequence[str], pages: JobPages, reader: DetailReader
) -> dict[str, Details]:
    """Return what the pages of the records say, by their addresses; the reader learns from the first few of them."""
    found = [crawled.details[address] for address in dict.fromkeys(addresses) if address in crawled.details]
    if reader.wrapper is None:
        reader.learn(list(_pages(found[:LEARNING_PAGES], pages)))
    return {each.address: reader.read(page) for each in found for page in _pages([each], pages)}


def _pages(found: Sequence[DetailPage], pages: JobPages) -> Iterator[Page]:
    for each in found:
        stored = pages.get(each.key)
        if stored is not None:
            yield stored.page()

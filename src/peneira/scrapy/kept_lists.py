"""The list pages of a crawl without the pages: a parsed page takes megabytes, its records some kilobytes.

The pages themselves are on disk (``job_pages.py``), where those who need them again read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from peneira.columns.builder import language_of
from peneira.columns.site_groups import PageOrigin, page_origin
from peneira.page import Page
from peneira.result import Region
from peneira.scrapy.job_pages import JobPages
from peneira.scrapy.light_cells import light_record
from peneira.scrapy.spider import ListPage


@dataclass(frozen=True, slots=True)
class KeptList:
    """A page of a list: where it stands in the crawl, the key of its page on disk, and its records if it has any."""

    start: int
    number: int
    key: str
    url: str
    origin: PageOrigin
    language: str
    main: Region | None

    @property
    def order(self) -> tuple[int, int]:
        """Where the page stands among all list pages."""
        return self.start, self.number


def kept_list(found: ListPage) -> KeptList:
    """Return what is kept of a list page."""
    main = found.result.main
    origin = page_origin(found.page, [main] if main is not None else [])
    region = None if main is None else _without_page(main)
    return KeptList(found.start, found.number, found.key, found.url, origin, language_of(found.page), region)


def _without_page(region: Region) -> Region:
    for reason in region.reasons:
        str(reason)  # texts that are made on demand hold the page until they are read
    return replace(region, xpath=region.xpath, node=None, records=tuple(map(light_record, region.records)))


class StoredLists(Sequence[tuple[str, Page]]):
    """The list pages of a crawl with their addresses, each parsed anew from disk when it is asked for."""

    def __init__(self, lists: Sequence[KeptList], pages: JobPages) -> None:
        self._lists, self._pages = [each for each in lists if each.key in pages], pages

    def __len__(self) -> int:
        return len(self._lists)

    @overload
    def __getitem__(self, index: int) -> tuple[str, Page]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, Page]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, Page] | list[tuple[str, Page]]:
        if isinstance(index, slice):
            return [self._read(each) for each in self._lists[index]]
        return self._read(self._lists[index])

    def __iter__(self) -> Iterator[tuple[str, Page]]:
        return map(self._read, self._lists)

    def _read(self, kept: KeptList) -> tuple[str, Page]:
        stored = self._pages.get(kept.key)
        assert stored is not None, "a page of the crawl is no longer in its folder"
        return kept.url, stored.page()

"""web-poet page objects: a list page and a detail page as a project's spiders and tests take them.

A callback of a project with scrapy-poet names one as the type of an argument and gets it; a subclass adds fields.
"""

from __future__ import annotations

from web_poet import WebPage

from peneira.extraction import extract
from peneira.items.builder import item_of
from peneira.kept_property import kept_property
from peneira.page import Page
from peneira.result import Extraction, Item
from peneira.sources.html import read_page
from peneira.table import RecordDict


class _ReadPage(WebPage[RecordDict]):
    """A response read as a page."""

    @kept_property
    def page(self) -> Page:
        """The page."""
        charset = self.response.headers.declared_encoding()
        return read_page(bytes(self.response.body), url=str(self.response.url), charset=charset)


class PeneiraListPage(_ReadPage):
    """A page with a list of records."""

    @kept_property
    def result(self) -> Extraction:
        """What ``peneira.extract`` finds on the page."""
        return extract(self.page)

    @property
    def records(self) -> list[RecordDict]:
        """The records of the main list as dictionaries of values by column name; none where there is no list."""
        return self.result.main.to_dicts() if self.result.main is not None else []

    @property
    def next_url(self) -> str | None:
        """The address of the page that leads on in the list."""
        return self.result.paging.onward

    async def to_item(self) -> RecordDict:
        """Return the address of the page, its records and the address of the next page."""
        return {"url": str(self.response.url), "records": self.records, "next_url": self.next_url}


class PeneiraItemPage(_ReadPage):
    """A page about one thing."""

    @kept_property
    def found(self) -> Item:
        """What ``peneira.item`` finds on the page."""
        return item_of(self.page)

    async def to_item(self) -> RecordDict:
        """Return the fields of the thing, with its kind and the address of the page."""
        return {"url": str(self.response.url), "kind": self.found.kind, **self.found.to_dict()}

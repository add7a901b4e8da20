"""A scrapy-poet provider: callbacks and page objects that name ``Extraction`` or ``Item`` as a type get them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from peneira.errors import InputError
from peneira.extraction import extract
from peneira.items.builder import item_of
from peneira.result import Extraction, Item
from peneira.scrapy.spider import page_of


class PeneiraProvider(PageObjectInputProvider):
    """Gives what ``peneira.extract`` and ``peneira.item`` find on the page of a response."""

    provided_classes = {Extraction, Item}  # noqa: RUF012 - the type is that of scrapy-poet
    name = "peneira"

    def __call__(self, to_provide: set[Callable[..., Any]], response: Response) -> list[Any]:
        """Return what was asked for."""
        page = page_of(response)
        if page is None:
            raise InputError(f"{response.url}: not a page")
        made: dict[Callable[..., Any], Callable[[], Any]] = {
            Extraction: lambda: extract(page),
            Item: lambda: item_of(page),
        }
        return [made[kind]() for kind in to_provide]

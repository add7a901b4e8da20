"""``peneira.item``: the one thing that a page is about."""

from __future__ import annotations

from pathlib import Path

from peneira.budget import Budget
from peneira.collection_pause import paused_collection
from peneira.items.builder import item_of
from peneira.limits import DEFAULT_LIMITS, Limits
from peneira.page import Page
from peneira.result import Item
from peneira.sources.html import read_page


def item(page: bytes | str | Path | Page, *, url: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Item:
    """Return the one thing that a page is about: HTML bytes, HTML text, a ``Path`` or a ``Page``.

    ``url`` makes links absolute and often has a product code in it; nothing is fetched, no script is run. A page that
    is about nothing that can be read gives an item of the kind None, and ``reasons`` say why.
    """
    with Budget(limits).running(), paused_collection():
        return item_of(read_page(page, url=url, limits=limits))

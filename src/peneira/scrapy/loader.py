"""A Scrapy item loader whose values come from the page without selectors."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from itemadapter import ItemAdapter
from itemloaders.processors import TakeFirst
from scrapy.http import TextResponse
from scrapy.loader import ItemLoader

from peneira.items.builder import item_of
from peneira.scrapy.spider import page_of


class PeneiraLoader(ItemLoader):
    """Fills an item with the fields that ``peneira.item`` finds; selectors of the project may add others.

    ``PeneiraLoader(Product(), response=response).add_found().load_item()`` fills the fields of ``Product`` that have
    the names of roles: title, price, brand... Values are texts, which the processors of the loader may read.
    """

    default_output_processor = TakeFirst()

    def add_found(self, names: Collection[str] | None = None) -> PeneiraLoader:
        """Add the found values of these fields, by default of all that the item class has; return the loader."""
        response: Any = self.context.get("response")
        page = page_of(response) if isinstance(response, TextResponse) else None
        if page is not None:
            wanted = set(ItemAdapter(self.item).field_names()) if names is None else set(names)
            for name, cell in item_of(page).fields.items():
                if name in wanted:
                    self.add_value(name, list(cell.items) or cell.text)
        return self

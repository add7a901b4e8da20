"""What the ``meta`` elements say about the page as a whole: OpenGraph, Twitter cards, description and author."""

from __future__ import annotations

from peneira.embedded.flat_properties import MAX_CHARS, MAX_PROPERTIES
from peneira.embedded.items import EmbeddedItem, Scalar
from peneira.page import Page


def page_metadata(page: Page) -> EmbeddedItem | None:
    """Return the page as an item of its ``og:type``; None if it has no ``meta`` element with a name and content.

    Names are as written (``og:title``, ``twitter:card``, ``description``), in lower case; the first of a name counts.
    In the head, ``itemprop`` names what the page is about too; elsewhere it may be of another thing.
    """
    if "meta" not in page.tag_names:
        return None
    properties: dict[str, Scalar] = {}
    first = -1
    for row in (page.tag == page.tag_names.index("meta")).nonzero()[0].tolist():
        attrs = page.attrs[row]
        name = (attrs.get("property") or attrs.get("name") or _head_property(page, row)).strip().lower()
        content = attrs.get("content", "").strip()
        if name and content and len(properties) < MAX_PROPERTIES:
            properties.setdefault(name, content[:MAX_CHARS])
            first = row if first < 0 else first
    return EmbeddedItem(str(properties.get("og:type", "")), properties, "opengraph", first) if properties else None


def _head_property(page: Page, row: int) -> str:
    return page.attrs[row].get("itemprop", "") if page.name(int(page.parent[row])) == "head" else ""

"""What the meta elements of a page say about the item: OpenGraph, Twitter cards, description and author."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from peneira.columns.absolute_urls import absolute_url
from peneira.items.availability import stock_state
from peneira.items.brands import brand_claims
from peneira.items.bylines import SITE_AUTHOR
from peneira.items.claims import Claim
from peneira.items.labelled_values import role_of_label
from peneira.items.page_view import PageView
from peneira.items.typed_claims import amount_of, claim_of
from peneira.result import ItemKind

SOURCE = "opengraph"
# Role, the names that hold it, and how often they are right alone
_TEXTS: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "description": (0.6, ("og:description", "twitter:description", "description")),
    "brand": (0.7, ("product:brand", "og:brand")),
    "author": (
        0.7,
        (
            *("author", "article:author", "book:author", "parsely-author", "dc.creator", "sailthru.author", "byl"),
            *("citation_author", "dcterms.creator"),
        ),
    ),
    "date": (
        0.85,
        (
            "article:published_time",
            "og:published_time",
            "datepublished",
            "date",
            "dc.date",
            "parsely-pub-date",
            "pubdate",
            "publish_date",
            "publish-date",
            "dc.date.issued",
            "dcterms.date",
            "dcterms.created",
            "sailthru.date",
            "citation_publication_date",
            "citation_online_date",
            "citation_date",
        ),
    ),
    "date_modified": (0.85, ("article:modified_time", "og:updated_time", "lastmod", "datemodified")),
    "category": (0.6, ("article:section", "product:category")),
    "isbn": (0.9, ("book:isbn", "books:isbn")),
    "gtin": (0.85, ("product:ean", "product:gtin", "product:upc")),
    "mpn": (0.7, ("product:mfr_part_no",)),
    "sku": (0.4, ("product:retailer_item_id", "product:retailer_part_no")),
    "condition": (0.7, ("product:condition", "og:condition")),
}
_PRICES = (
    ("product:sale_price:amount", "product:sale_price:currency"),
    ("product:price:amount", "product:price:currency"),
    ("og:price:amount", "og:price:currency"),
)
_OLD_PRICES = ("product:original_price:amount", "og:price:standard_amount", "product:pretax_price:amount")
_WRITTEN: frozenset[ItemKind] = frozenset({"article", "recipe"})
_SHOP_ROLES = frozenset({"brand", "gtin", "mpn", "sku", "condition"})


def metadata_claims(view: PageView, kind: ItemKind) -> Iterator[Claim]:
    """Yield the claims of the meta elements."""
    metadata, row = view.metadata, view.metadata_row
    for part in view.title_parts[:1]:
        yield claim_of("title", view.without_site(part), SOURCE, 0.4, row)
    for role, (probability, names) in _TEXTS.items():
        text = next((metadata[name] for name in names if metadata.get(name)), "")
        if role == "author" and not text:
            text = _labelled_author(metadata)
        if not text or (role in _SHOP_ROLES and kind not in ("product", "book")):
            continue
        if role == "author":
            yield from _author(view, text, probability, may_be_site=kind in _WRITTEN)
        elif role == "brand":
            yield from brand_claims(view, [text], SOURCE, probability, row)
        else:
            yield claim_of(role, text, SOURCE, probability, row)
    if kind in ("product", "event", "book"):
        yield from _prices(metadata, row)
        if state := stock_state(metadata.get("product:availability", "") or metadata.get("og:availability", "")):
            yield claim_of("availability", state, SOURCE, 0.8, row)
    if image := metadata.get("og:image:secure_url") or metadata.get("og:image") or metadata.get("twitter:image", ""):
        url = absolute_url(view.base, image)
        yield claim_of("images", url, SOURCE, 0.6, row, items=(url,))


def _author(view: PageView, text: str, probability: float, *, may_be_site: bool) -> Iterator[Claim]:
    """Yield who is named as the author, no address; one who is called as the site is, only of what sites write."""
    is_site = view.is_site_name(text)
    if not text.startswith(("http", "/", "@")) and (may_be_site or not is_site):
        yield claim_of("author", text, SOURCE, SITE_AUTHOR if is_site else probability, view.metadata_row)


def _labelled_author(metadata: Mapping[str, str]) -> str:
    """Return the author on the card of a page: "Written by" is one label of two, with its value beside it."""
    labels = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
    return next(
        (metadata.get(data, "") for label, data in labels if role_of_label(metadata.get(label, ""))[0] == "author"), ""
    )


def _prices(metadata: Mapping[str, str], row: int) -> Iterator[Claim]:
    found = [(metadata[key], metadata.get(sign, "")) for key, sign in _PRICES if metadata.get(key)]
    fallback = next((sign for _, sign in found if sign), "") or metadata.get("product:price:currency", "")
    if found and (amount := amount_of(found[0][0])):
        currency = (found[0][1] or fallback).upper()
        yield claim_of(
            "price", f"{found[0][0]} {currency}".strip(), SOURCE, 0.75, row, amount=amount, currency=currency
        )
        if currency:
            yield claim_of("currency", currency, SOURCE, 0.75, row)
    old = next((metadata[key] for key in _OLD_PRICES if metadata.get(key)), "")
    if old and found and (before := amount_of(old)) and (now := amount_of(found[0][0])) and before > now:
        yield claim_of("old_price", f"{old} {fallback}".strip(), SOURCE, 0.7, row, amount=before, currency=fallback)

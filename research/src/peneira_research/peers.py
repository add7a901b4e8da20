"""Other extractors of main content, where they are installed: their text of a page, and which texts they keep."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from peneira.page import Flags
from peneira.sources.encoding import decode
from peneira.sources.html import read_page
from peneira.texts.page_texts import PageTexts
from peneira_research.squeezed_text import squeeze

# Squeezed texts shorter than this are found in any text by chance
MIN_CHARS = 2


def _trafilatura(html: str) -> str:
    import trafilatura

    return trafilatura.extract(html, include_comments=False, include_tables=True) or ""


def _readability(html: str) -> str:
    from readability import Document

    document: Any = Document(html)
    page = read_page(f"<h1>{document.short_title()}</h1>{document.summary()}")
    return page.visible_text(0)


def _justext(html: str) -> str:
    import justext

    paragraphs: Any = justext.justext(html.encode("utf-8"), justext.get_stoplist("English"), encoding="utf-8")
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def _resiliparse(html: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(html, main_content=True)
    return text


_ALL: dict[str, tuple[str, Callable[[str], str]]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "readability-lxml": ("readability", _readability),
    "justext": ("justext", _justext),
    "resiliparse": ("resiliparse", _resiliparse),
}


def _pandas_tables(html: str) -> list[Any]:
    from io import StringIO

    import pandas

    with warnings.catch_warnings():  # of the parsers that it tries, about pages that are XML
        warnings.simplefilter("ignore")
        return list(pandas.read_html(StringIO(html)))


def _libextract(html: str) -> list[Any]:
    from libextract.api import extract  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return list(extract(html.encode("utf-8")))


def _largest_table(html: str) -> list[str]:
    """Return the rows of the table with most cells."""
    rows = max(_pandas_tables(html), key=lambda table: table.size).fillna("").to_numpy().tolist()
    return [" ".join(map(str, row)) for row in rows]


def _best_element(html: str) -> list[str]:
    """Return the children of the element that libextract puts first."""
    return ["".join(child.itertext()) for child in _libextract(html)[0] if isinstance(child.tag, str)]


# Extractors of lists and tables: the texts of the records of the main one
_RECORDS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "pandas.read_html": ("pandas", _largest_table),
    "libextract": ("libextract", _best_element),
}
RECORD_PEERS = tuple(name for name, (module, _) in _RECORDS.items() if find_spec(module))


def records_by(name: str, body: bytes) -> list[str]:
    """Return the texts of the records that an extractor finds, none where it fails."""
    try:
        return _RECORDS[name][1](decode(body)[0])
    except Exception:  # as below; libextract fails where it finds no element
        return []


def _extruct(html: str, *, uniform: bool = False) -> dict[str, Any]:
    import extruct  # type: ignore[import-not-found,import-untyped,unused-ignore]

    found: dict[str, Any] = extruct.extract(html, uniform=uniform)
    return found


def _embedded_product(html: str) -> dict[str, str]:
    """Return the values of the first product in the embedded data, those of its first offer among them."""
    entries = [entry for found in _extruct(html, uniform=True).values() for entry in found]
    entries += [part for entry in entries for part in entry.get("@graph", ())]
    product: dict[str, Any] = next((entry for entry in entries if "Product" in str(entry.get("@type"))), {})
    offers = product.get("offers") or {}
    offer = (offers[0] if offers else {}) if isinstance(offers, list) else offers
    values = {**product, **offer, "price": offer.get("price") or offer.get("lowPrice")}
    brand = values.get("brand")
    values["brand"] = brand.get("name") if isinstance(brand, dict) else brand
    values["gtin"] = next((value for name, value in values.items() if name.startswith("gtin") and value), None)
    values["availability"] = str(values.get("availability") or "").rpartition("/")[2]
    return {name: str(value) for name, value in values.items() if value}


_PRODUCTS: dict[str, tuple[str, Callable[[str], dict[str, str]]]] = {"extruct": ("extruct", _embedded_product)}
PRODUCT_PEERS = tuple(name for name, (module, _) in _PRODUCTS.items() if find_spec(module))


def product_by(name: str, body: bytes) -> dict[str, str]:
    """Return what an extractor says of a product by attribute, nothing where it fails."""
    try:
        return _PRODUCTS[name][1](decode(body)[0])
    except Exception:  # as below
        return {}


def _trafilatura_facts(html: str, url: str | None) -> dict[str, str]:
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(html, default_url=url)
    return {name: str(getattr(found, name, None) or "") for name in ("title", "author", "date")}


ARTICLE_PEERS = ("trafilatura",) if find_spec("trafilatura") else ()


def article_by(name: str, body: bytes, url: str | None) -> dict[str, str]:
    """Return title, author and date of an article by an extractor, nothing where it fails."""
    _quiet()
    try:
        return {"trafilatura": _trafilatura_facts}[name](decode(body)[0], url)
    except Exception:  # as below
        return {}


# Extractors whose time is measured beside ours, with what each is called and does
_TIMED: dict[str, tuple[str, Callable[[str], object]]] = {
    "resiliparse": ("resiliparse", _resiliparse),
    "pandas.read_html": ("pandas", _pandas_tables),
    "libextract": ("libextract", _libextract),
    "readability-lxml": ("readability", _readability),
    "trafilatura": ("trafilatura", _trafilatura),
    "extruct": ("extruct", _extruct),
}
SPEED_PEERS = tuple(name for name, (module, _) in _TIMED.items() if find_spec(module))


def run_peer(name: str, body: bytes) -> object:
    """Return what an extractor makes of a page, None where it fails."""
    _quiet()
    try:
        return _TIMED[name][1](decode(body)[0])
    except Exception:  # pandas raises where a page has no table, others on markup that they cannot read
        return None


PEERS = tuple(name for name, (module, _) in _ALL.items() if find_spec(module))


@cache
def _quiet() -> None:
    """Keep the peers' own messages off the terminal."""
    for name in ("trafilatura", "readability"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def text_by(name: str, body: bytes) -> str:
    """Return the extractor's text of a page, "" where it fails."""
    _quiet()
    try:
        return _ALL[name][1](decode(body)[0])
    except Exception:  # where a peer fails on a page, it keeps nothing
        return ""


def kept_by(name: str, body: bytes, texts: PageTexts) -> Flags:
    """Return which texts are in the extractor's output; none where it fails."""
    output = squeeze(text_by(name, body))
    keys = [squeeze(text) for text in texts.strings]
    return np.array([len(key) >= MIN_CHARS and key in output for key in keys], dtype=np.bool_)

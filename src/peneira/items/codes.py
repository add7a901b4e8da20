"""Codes of an item: the one in its address, and those that the page repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from peneira.items.claims import Claim
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

# A code in an address: at its end, with enough digits in it that it is no year and no number of a page
_CODE = re.compile(r"(?<![a-z0-9])([a-z]{0,4}\d{5,14}|[a-z]{1,4}\d[a-z0-9]{5,12})(?=\.html?$|\.aspx?$|\.php$|-pdt|$)", re.IGNORECASE)
_KEYS = ("sku", "pid", "productid", "product_id", "itemid", "item_id", "id", "childsku", "code", "variant")
_EXTENSION = re.compile(r"\.(?:html?|aspx?|php|jsp)$", re.IGNORECASE)


def url_codes(url: str) -> list[str]:
    """Return the codes in an address, the most likely first: those of parameters, then those at the end of the path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    parameters = {key.lower(): value for key, value in parse_qsl(parts.query)}
    codes = [parameters[key] for key in _KEYS if _is_code(parameters.get(key, ""))]
    segments = [segment for segment in unquote(parts.path).split("/") if segment]
    for segment in reversed(segments[-2:]):
        bare = _EXTENSION.sub("", segment)
        if match := _CODE.search(bare):
            codes.append(match[1])
        elif bare.isdigit() and len(bare) >= 4:
            codes.append(bare)
    return list(dict.fromkeys(codes))


def _is_code(text: str) -> bool:
    return 3 <= len(text) <= 24 and any(char.isdigit() for char in text) and text.isalnum()


def code_claims(view: PageView) -> Iterator[Claim]:
    """Yield the code in the address of the page."""
    for number, code in enumerate(url_codes(view.url)[:2]):
        yield claim_of("sku", code, "url", 0.5 if number == 0 else 0.3, -1)

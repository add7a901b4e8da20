"""Codes of an item: the one in its address, and those that the page repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from peneira.items.claims import Claim, normal_form
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

# A code in an address: at its end, with enough digits in it that it is no year and no number of a page
_CODE = re.compile(
    r"(?<![a-z0-9])([a-z]{0,4}\d{5,14}|[a-z]{1,4}\d[a-z0-9]{5,12})(?=\.html?$|\.aspx?$|\.php$|-pdt|$)", re.IGNORECASE
)
_SHOWN_CODE = re.compile(r"(?<![\w/-])[A-Za-z]{0,4}\d[\w]*(?:[/.-][\w]+){0,3}(?![\w/-])")
MIN_DIGITS = 5
MAX_LINES_BELOW = 40
MAX_LINE_CHARS = 120
# Set by hand: how often a code that the page shows and its address has is the one that a person would write down, and
# one in the address alone
SHOWN_PROBABILITY, URL_PROBABILITY = 0.85, 0.5
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
    """Yield the code in the address of the page, and one near the heading that the address has too, as it is shown."""
    codes = url_codes(view.url)[:2]
    shown = _shown_code(view)
    if shown is not None:
        yield claim_of("sku", shown[1], "page", SHOWN_PROBABILITY, shown[0])
    for number, code in enumerate(codes):
        yield claim_of("sku", code, "url", URL_PROBABILITY if number == 0 else URL_PROBABILITY / 2, -1)


def _shown_code(view: PageView) -> tuple[int, str] | None:
    """Return row and text of a code near the heading that stands in the address, with or without its signs."""
    try:
        path = normal_form(unquote(urlsplit(view.url).path))
    except ValueError:
        return None
    lines, page = view.lines, view.page
    at = lines.first_at(view.heading_row) if view.heading else 0
    for line in lines[max(at - 3, 0) : at + MAX_LINES_BELOW]:
        for row in range(line.start, line.end) if len(line.text) <= MAX_LINE_CHARS else ():
            for match in _SHOWN_CODE.finditer(page.text[row]) if page.lists.tag[row] == 0 else ():
                bare = normal_form(match[0])
                if sum(char.isdigit() for char in bare) >= MIN_DIGITS and bare in path:
                    return row, match[0]
    return None

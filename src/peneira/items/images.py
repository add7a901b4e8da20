"""The pictures of the item that a page shows near its heading."""

from __future__ import annotations

from collections.abc import Iterator

from peneira.columns.absolute_urls import absolute_url
from peneira.items.claims import Claim, normal_form
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

MAX_IMAGES = 12
_ADDRESSES = ("data-zoom-image", "data-large_image", "data-src", "data-original", "data-lazy-src", "src")
# Pictures whose text repeats the heading show the item
PROBABILITY = 0.5
MIN_SIZE_PX = 80


def image_claims(view: PageView) -> Iterator[Claim]:
    """Yield the pictures whose alternative text repeats the heading of the page."""
    heading = normal_form(view.heading.text) if view.heading else ""
    if len(heading) < 3:
        return
    urls: dict[str, int] = {}
    for row in view.rows("img"):
        attrs = view.page.attrs[row]
        text = normal_form(attrs.get("alt", "") or attrs.get("title", ""))
        if (
            len(text) < 3
            or not (text in heading or heading in text)
            or view.listed[row]
            or _is_small(attrs.get("width", ""))
        ):
            continue
        address = next((attrs[key] for key in _ADDRESSES if attrs.get(key) and not attrs[key].startswith("data:")), "")
        if address and " " not in address.strip():
            urls.setdefault(absolute_url(view.base, address), row)
    if urls:
        found = tuple(urls)[:MAX_IMAGES]
        yield claim_of("images", ", ".join(found), "page", PROBABILITY, urls[found[0]], items=found)


def _is_small(width: str) -> bool:
    return width.isdigit() and int(width) < MIN_SIZE_PX

"""Clues in the words of attributes: what class, id, itemprop and role say an element is for.

The words are those that many sites of the web share; which of them speak for content and which against is learned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page

# Each line is one clue; an element has it if one of its words is so, or begins so with a word of four letters or more
CLUES: Mapping[str, tuple[str, ...]] = {
    "ad": ("ad", "ads", "advert", "sponsor", "promo", "banner", "offer", "deal"),
    "author": ("author", "byline", "writer", "contributor", "reporter"),
    "body": ("body", "text", "copy", "prose", "paragraph"),
    "breadcrumb": ("breadcrumb", "crumb"),
    "button": ("button", "btn", "cta", "toggle", "tab", "tabs"),
    "caption": ("caption", "credit", "legend"),
    "cart": ("cart", "basket", "shop", "buy", "checkout", "wishlist"),
    "comment": ("comment", "reply", "discussion", "forum", "respond"),
    "content": ("content", "main", "article", "entry", "post", "story"),
    "cookie": ("cookie", "consent", "gdpr", "privacy", "legal", "copyright", "disclaimer"),
    "date": ("date", "time", "published", "timestamp", "posted", "updated"),
    "description": ("desc", "summary", "intro", "excerpt", "lead", "abstract", "teaser", "standfirst"),
    "detail": ("detail", "info", "spec", "feature", "attribute", "property", "fact", "overview", "data"),
    "footer": ("foot", "bottom", "colophon"),
    "header": ("header", "masthead", "top", "topbar", "logo", "brand"),
    "heading": ("heading", "headline", "hd", "subtitle", "subhead"),
    "image": ("image", "img", "photo", "picture", "gallery", "media", "video", "thumb", "figure"),
    "ingredient": ("ingredient", "amount", "unit", "quantity"),
    "instruction": ("instruction", "direction", "step", "method", "preparation"),
    "item": ("item", "row", "cell", "field", "col", "column"),
    "label": ("label", "key", "term", "lbl"),
    "link": ("link", "links", "more", "readmore"),
    "list": ("list", "grid", "carousel", "slider"),
    "login": ("login", "signin", "signup", "account", "user", "profile", "register", "subscribe", "newsletter"),
    "meta": ("meta", "metadata", "tag", "tags", "category", "categories", "topic", "keyword"),
    "modal": ("modal", "popup", "overlay", "dialog", "tooltip", "dropdown", "hidden", "sr", "screen", "visually"),
    "name": ("name", "fn", "product", "person", "org"),
    "nav": ("nav", "menu", "navbar", "sitemap", "skip", "submenu"),
    "note": ("note", "notes", "tip", "tips", "faq"),
    "nutrition": ("nutrition", "nutrient", "calorie"),
    "pagination": ("pagination", "pager", "paging", "page", "prev", "next"),
    "place": ("address", "location", "street", "city", "phone", "tel", "contact", "map", "locality", "adr"),
    "price": ("price", "cost", "msrp", "amount", "currency"),
    "rating": ("rating", "star", "review", "score", "vote"),
    "recipe": ("recipe", "wprm", "tasty", "mv"),
    "related": ("related", "recommend", "similar", "also", "trending", "popular", "latest", "recent", "suggest"),
    "search": ("search", "filter", "sort", "query", "form", "input"),
    "share": ("share", "social", "facebook", "twitter", "pinterest", "follow", "print", "email", "addthis"),
    "sidebar": ("sidebar", "aside", "side", "rail", "right", "left", "secondary", "widget", "module"),
    "title": ("title", "h1"),
    "value": ("value", "val", "result"),
    "yield": ("yield", "serving", "servings", "portion"),
}  # fmt: skip
NAMES = tuple(CLUES)
ATTRIBUTES = frozenset({"class", "id", "itemprop", "role"})

_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*")
MIN_BEGINNING = 4  # "ad" is no beginning of "address"
_LONGEST = 400  # characters read of an attribute


def _bits_of_words() -> dict[str, int]:
    bits: dict[str, int] = {}
    for place, words in enumerate(CLUES.values()):
        for word in words:
            bits[word] = bits.get(word, 0) | (1 << place)
    return bits


def _longer_words(bits: Mapping[str, int]) -> dict[str, list[tuple[str, int]]]:
    """Return the words that others may begin with, by their first letters, the longest first."""
    longer: dict[str, list[tuple[str, int]]] = {}
    for word in sorted(bits, key=len, reverse=True):
        if len(word) >= MIN_BEGINNING:
            longer.setdefault(word[:MIN_BEGINNING], []).append((word, bits[word]))
    return longer


_BITS = _bits_of_words()
# The clues of attributes met before, on this page or others: looking them up is most of the walk
_known: dict[str, int] = {}
_MAX_KNOWN = 20_000
_LONGER = _longer_words(_BITS)


def clues_of(text: str) -> int:
    """Return the clues in an attribute's words as bits."""
    found = 0
    for part in text[:_LONGEST].split():
        found |= _clues_of_part(part)
    return found


@lru_cache(maxsize=16384)
def _clues_of_part(part: str) -> int:
    """Return the clues of a part without spaces: other pages of a site have it too, in other company."""
    found = 0
    for word in _WORD.findall(part):
        found |= _clues_of_word(word.lower())
    return found


def _clues_of_word(word: str) -> int:
    """Return the clues of the longest beginning that is known."""
    if word in _BITS:
        return _BITS[word]
    return next((bits for known, bits in _LONGER.get(word[:MIN_BEGINNING], ()) if word.startswith(known)), 0)


def element_clues(page: Page, frames: Sequence[str] = ()) -> tuple[list[int], list[int]]:
    """Return the clues of each row's own element, and those of all its ancestors and itself.

    What the root and the body say of themselves is said of the whole page, and left out. Above the bits of the clues
    stand those of ``frames``: tags that are looked for in the same walk.
    """
    tags = page.lists.tag
    parents = page.lists.parent
    all_attrs = page.attrs
    framed = [1 << len(NAMES) + frames.index(name) if name in frames else 0 for name in page.tag_names]
    if len(_known) > _MAX_KNOWN:
        _known.clear()
    known = _known
    own, above = [0] * len(page), [0] * len(page)
    for i in (np.flatnonzero(page.tag[page.body + 1 :]) + page.body + 1).tolist():
        bits = framed[tags[i]]
        attrs = all_attrs[i]
        if attrs:
            for name in attrs:
                if name in ATTRIBUTES:
                    text = attrs[name]
                    if text not in known:
                        known[text] = clues_of(text)
                    bits |= known[text]
        own[i] = bits
        above[i] = bits | above[parents[i]]
    return own, above


def spread(bits: Sequence[int], count: int) -> NDArray[np.uint8]:
    """Return a column of 0 and 1 for each of the lowest bits."""
    packed = np.array(bits, dtype="<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(packed, axis=1, bitorder="little", count=count)

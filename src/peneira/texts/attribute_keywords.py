"""Keywords in attributes: what class, id, itemprop and role say about the purpose of an element.

The groups contain words that many websites use; which groups speak for content and which for noise is learned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page
from peneira.texts.element_names import ElementNames
from peneira.texts.known_names import Names, ValuesOfNames
from peneira.texts.tag_kinds import text_tables

Bits = NDArray[np.uint64]

# An element has a group if one of its words is in the group, or starts with a word of the group of four letters or more
KEYWORD_GROUPS: Mapping[str, tuple[str, ...]] = {
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
GROUP_NAMES = tuple(KEYWORD_GROUPS)
# Tags of ancestors that are features too, and those that only features of blocks need: with the groups, 64 bits
ANCESTOR_TAGS = tuple("a article aside dl footer form header li main nav p section table ul".split())
TAG_BITS = (*ANCESTOR_TAGS, *"blockquote button details dialog figure ol pre tr".split())

MIN_PREFIX_CHARS = 4  # "ad" is not a prefix of "address"
MAX_ATTRIBUTE_CHARS = 400  # bounds the time; the rest of the attribute is ignored
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*")


def _bits_of_words() -> dict[str, int]:
    bits: dict[str, int] = {}
    for k, words in enumerate(KEYWORD_GROUPS.values()):
        for word in words:
            bits[word] = bits.get(word, 0) | (1 << k)
    return bits


def _prefixes(bits: Mapping[str, int]) -> dict[str, list[tuple[str, int]]]:
    """Return the words that may be prefixes, by their first letters, the longest first."""
    prefixes: dict[str, list[tuple[str, int]]] = {}
    for word in sorted(bits, key=len, reverse=True):
        if len(word) >= MIN_PREFIX_CHARS:
            prefixes.setdefault(word[:MIN_PREFIX_CHARS], []).append((word, bits[word]))
    return prefixes


_BITS = _bits_of_words()
_PREFIXES = _prefixes(_BITS)


def element_keywords(page: Page, tags: Sequence[str] = (), names: ElementNames | None = None) -> tuple[Bits, Bits]:
    """Return the keyword groups of each row's element as bits, and those of the element with all its ancestors.

    The root and the body are left out, since their attributes describe the whole page. The bits above those of the
    groups stand for ``tags``. ``names``: those of the page, if they are known.
    """
    names = names or ElementNames(page)
    first = len(GROUP_NAMES)
    tag_bits = np.array(
        [1 << first + tags.index(name) if name in tags else 0 for name in page.tag_names], dtype=np.uint64
    )
    return bits_around(page, names, tag_bits, _KNOWN_BITS.of(names.numbered, _bits_of_names))


def bits_around(page: Page, names: ElementNames, tag_bits: Bits, name_bits: Bits) -> tuple[Bits, Bits]:
    """Return the bits of each element below the body, by its tag and its names, and those of it and all around it."""
    if text_tables is not None:
        bits: tuple[Bits, Bits] = text_tables.keyword_bits(
            page.tag, page.parent, names.code, tag_bits, name_bits, page.body
        )
        return bits
    own = tag_bits[page.tag] | name_bits[names.code]
    own[: page.body + 1] = 0
    own[page.tag == 0] = 0
    # each turn doubles the number of ancestors that a row has the bits of
    inherited, above = own.copy(), np.maximum(page.parent, 0)
    while above.any():
        inherited |= inherited[above]
        above = above[above]
    inherited[page.tag == 0] = 0
    return own, inherited


def _bits_of_names(names: Names) -> int:
    """Return the groups of the names of an element as bits."""
    bits = 0
    for value in names:
        bits |= keyword_bits(value)
    return bits


_KNOWN_BITS = ValuesOfNames(np.uint64)


def keyword_bits(value: str) -> int:
    """Return the keyword groups of an attribute value as bits."""
    bits = 0
    for part in value[:MAX_ATTRIBUTE_CHARS].split():
        bits |= _bits_of_part(part)
    return bits


@lru_cache(maxsize=4096)
def _bits_of_part(part: str) -> int:
    """Return the groups of a part without spaces, which other pages of a site combine with other parts."""
    bits = 0
    for word in _WORD.findall(part):
        bits |= _bits_of_word(word.lower())
    return bits


def _bits_of_word(word: str) -> int:
    """Return the groups of a word, or of the longest known prefix."""
    if word in _BITS:
        return _BITS[word]
    return next((bits for known, bits in _PREFIXES.get(word[:MIN_PREFIX_CHARS], ()) if word.startswith(known)), 0)


def unpack_bits(bits: Bits, count: int) -> NDArray[np.uint8]:
    """Return a column of 0 and 1 for each of the lowest ``count`` bits."""
    packed = bits.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    return np.unpackbits(packed, axis=1, bitorder="little", count=count)

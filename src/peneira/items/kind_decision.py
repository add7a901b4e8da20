"""What kind of thing a page is about, and why; or that it is about nothing that can be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from peneira.columns.role_words import named_roles
from peneira.items.availability import buy_buttons, has_stock_words
from peneira.items.claims import Claim
from peneira.items.kinds import KIND_OF_TYPE
from peneira.items.labelled_values import Pair, role_of_label
from peneira.items.lines import has_digit
from peneira.items.list_signs import MIN_SIGNS, list_signs
from peneira.items.main_thing import MainThing
from peneira.items.named_elements import named_claims
from peneira.items.page_view import PageView, once_per_view
from peneira.items.prices import read_money, shown_prices
from peneira.items.recipe_parts import has_recipe
from peneira.items.shown_contacts import contact_claims
from peneira.ml.running_sums import is_tag
from peneira.phrase_search import PhraseSearch, part_search
from peneira.preview import counted
from peneira.reasons import Reason, ReasonCode
from peneira.result import ItemKind
from peneira.texts.blocked_pages import blocked_reason
from peneira.texts.script_shell import script_shell_reason

# A page that describes a thing carries it even where a reader sees nothing; without one it needs this much text
MIN_CHARS = 20
# A page that shows more than this outside its navigation is no shell that scripts fill
MAX_SHELL_CHARS = 2000
# Prose of an article: this many characters, or paragraphs, in lines of this length
MIN_PROSE_CHARS = 700
MIN_PARAGRAPHS = 3
MIN_LINE_CHARS = 90
# Prices below it are those of something else, or told in a sentence
MIN_PRICE_POINTS = -2.5
# With this many prices near its heading, and nothing more that shops show, a page is a list
MIN_LIST_PRICES = 10
# With this much prose, a price and a cart are not enough: stories about things to buy have both
MIN_STORY_CHARS = 3000
# A page with this much of what shops show is about a product
MIN_EVIDENCE = 2
MAX_CART_CHARS = 25
# Kinds, the roles of labels that things of the kind have, and how many of them tell it
_LABELS: tuple[tuple[ItemKind, frozenset[str], int], ...] = (
    ("film", frozenset({"director"}), 1),
    ("job", frozenset({"salary", "employment_type", "company", "location"}), 2),
    ("place", frozenset({"cuisine", "opening_hours", "address", "phone"}), 2),
    ("person", frozenset({"birth_date"}), 1),
)
# Kinds whose labels stories have too
_TOLD_KINDS = frozenset({"place", "person"})
_CARTS = re.compile(
    r"cart\b|basket|checkout|warenkorb|panier|carrito|carrinho|carrello|winkelwagen|koszyk|kosik|korzina|korg|kurv|"
    r"handlekurv|ostoskori|kosar|sepet|корзин|購物車|购物车|カート|장바구니",
    re.IGNORECASE,
)


class KindDecision(NamedTuple):
    """The kind, how sure it is, and why; None where there is no item."""

    kind: ItemKind | None
    confidence: float
    reasons: tuple[Reason, ...]


def decide_kind(view: PageView, main: MainThing | None, pairs: Sequence[Pair]) -> KindDecision:
    """Return what the page is about: by its description, by OpenGraph, or by what it shows."""
    if main is None and (why := _nothing(view)):
        return KindDecision(None, 0.0, (why,))
    og_type = view.metadata.get("og:type", "").lower()
    by_metadata = KIND_OF_TYPE.get(og_type) or KIND_OF_TYPE.get(og_type.rpartition(":")[2])
    if main is not None and main.kind not in ("article", "person", "place"):
        message = f"{main.thing.source} describes a thing of the type {main.thing.type}"
        return KindDecision(main.kind, 0.97, (Reason(ReasonCode.EMBEDDED, message, 0.97),))
    if main is None and len(signs := list_signs(view)) >= MIN_SIGNS:
        return _by_page("thing", 0.3, f"{', '.join(signs)}: a list of things, see peneira extract")
    if by_metadata and by_metadata not in ("article", "person"):
        return KindDecision(by_metadata, 0.85, (Reason(ReasonCode.EMBEDDED, f"its og:type is {og_type}", 0.85),))
    if has_recipe(view):
        return _by_page("recipe", 0.85, "it shows a list of ingredients and what to do with them")
    if main is None and (shown := _book(pairs) or _product(view, pairs) or _labelled(view, pairs)):
        return shown
    if main is not None:
        message = f"{main.thing.source} describes a thing of the type {main.thing.type}"
        return KindDecision(main.kind, 0.9, (Reason(ReasonCode.EMBEDDED, message, 0.9),))
    if by_metadata == "article":
        return KindDecision("article", 0.7, (Reason(ReasonCode.EMBEDDED, f"its og:type is {og_type}", 0.7),))
    paragraphs, chars = len(prose_lines(view)), prose_chars(view)
    if view.heading is not None and (chars >= MIN_PROSE_CHARS or paragraphs >= MIN_PARAGRAPHS):
        return _by_page("article", 0.5, f"{counted(chars, 'character')} of prose below a heading")
    return _by_page("thing", 0.4, "nothing says what kind of thing it is")


@once_per_view
def prose_lines(view: PageView) -> list[str]:
    """Return the lines of the page that are as long as those of prose, outside navigation and the like."""
    return [line.text for line in view.lines if len(line.text) >= MIN_LINE_CHARS and not view.around[line.start]]


def prose_chars(view: PageView) -> int:
    """Return how many characters of prose the page has."""
    return sum(map(len, prose_lines(view)))


def _by_page(kind: ItemKind, confidence: float, message: str) -> KindDecision:
    return KindDecision(kind, confidence, (Reason(ReasonCode.PAGE_TYPE, message, confidence),))


def _product(view: PageView, pairs: Sequence[Pair]) -> KindDecision | None:
    """Return that the page is about a product: it shows two or more of what shops show."""
    prices = [price for price in shown_prices(view) if price.points > MIN_PRICE_POINTS]
    has_button = bool(buy_buttons(view))
    has_code = any(role_of_label(pair.label)[0] in ("sku", "gtin", "mpn") for pair in pairs)
    found = {
        "a price": prices,
        "a label for it": prices and any(_is_priced(view, pair) for pair in pairs),
        "a button to buy": has_button,
        "a product code": has_code,
        "words about stock": has_stock_words(view),
        "a cart": has_cart(view),
    }
    evidence = [name for name, holds in found.items() if holds]
    if len(evidence) < MIN_EVIDENCE:
        return None
    is_weak = not (has_button or has_code or found["words about stock"])
    amounts = {price.money.amount for price in shown_prices(view) if not price.is_old and price.is_named}
    if is_weak and len(amounts) >= MIN_LIST_PRICES:
        return _by_page("thing", 0.3, f"it shows {len(amounts)} prices: a list of things, see peneira extract")
    if is_weak and prose_chars(view) >= MIN_STORY_CHARS:
        return None
    return _by_page("product", min(0.5 + 0.1 * len(evidence), 0.9), f"it shows {' and '.join(evidence)}")


def _is_priced(view: PageView, pair: Pair) -> bool:
    """Return whether a label names a price, and an amount of money stands behind it."""
    named = named_roles(pair.label)
    is_price = max(named.get("price", 0.0), named.get("old_price", 0.0)) == 1.0
    return is_price and has_digit(pair.value) and read_money(pair.value, view.language) is not None


def _book(pairs: Sequence[Pair]) -> KindDecision | None:
    """Return that the page is about a book: it has an ISBN, whether it is sold or not."""
    has_isbn = any(role_of_label(pair.label)[0] == "isbn" for pair in pairs)
    return _by_page("book", 0.7, "it has a label for isbn") if has_isbn else None


def _labelled(view: PageView, pairs: Sequence[Pair]) -> KindDecision | None:
    """Return the kind of thing that has the labels of the page: a director makes films."""
    roles = {role for pair in pairs if (role := role_of_label(pair.label)[0])}
    for kind, needed, count in _LABELS:
        named = {claim.role for claim in _contacts(view)} if kind == "place" else set()
        found = sorted((roles | named) & needed)
        if len(found) >= count and (kind not in _TOLD_KINDS or prose_chars(view) < MIN_STORY_CHARS):
            return _by_page(kind, 0.6, f"it has a label for {' and '.join(found)}")
    return None


def _contacts(view: PageView) -> list[Claim]:
    """Return what the page shows of a place without a label."""
    return [*named_claims(view, "place"), *contact_claims(view)]


def has_cart(view: PageView) -> bool:
    """Return whether the page has a cart."""
    rows, codes, addresses = view.attribute("href")
    carts = [code for code in _cart_search().which(addresses) if _CARTS.search(addresses[code])]
    if carts and bool((np.isin(codes, carts) & is_tag(view.page, ("a",))[rows]).any()):
        return True
    short = [line.text for line in view.lines if len(line.text) <= MAX_CART_CHARS]
    return any(_CARTS.search(short[place]) for place in _cart_search().which(short))


@cache
def _cart_search() -> PhraseSearch:
    """Return a search for what texts have that name a cart."""
    return part_search(_CARTS.pattern.replace(r"\b", "").split("|"))


def _nothing(view: PageView) -> Reason | None:
    """Return why a page is about nothing that can be read, None if it may be about something."""
    page = view.page
    text = page.visible_text(page.body) if len(page) else ""
    if reason := blocked_reason(page):
        return reason
    if len(text) < MIN_CHARS or not len(view.lines):
        return Reason(ReasonCode.EMPTY_PAGE, f"{len(text)} characters of visible text among {len(page)} nodes")
    if len(view.lines) < 3 and view.heading is None:
        return Reason(ReasonCode.EMPTY_PAGE, f"{len(view.lines)} lines of text, and no heading")
    around = view.around.tolist()
    own_chars = sum(len(line.text) for line in view.lines if not around[line.start])
    return script_shell_reason(page) if own_chars <= MAX_SHELL_CHARS else None

"""Whether a thing can be had: the words of schema.org, those of shops in many languages, and buttons to buy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from peneira.items.claims import Claim, normal_form
from peneira.items.lines import Line
from peneira.items.page_view import PageView, once_per_view
from peneira.items.typed_claims import claim_of
from peneira.items.word_lists import word_lists
from peneira.phrase_search import PhraseSearch, phrase_pattern, phrase_search

STATES = (
    "InStock",
    "OutOfStock",
    "PreOrder",
    "BackOrder",
    "SoldOut",
    "LimitedAvailability",
    "Discontinued",
    "InStoreOnly",
    "OnlineOnly",
    "PreSale",
    "MadeToOrder",
    "Reserved",
)
_BY_NAME: Mapping[str, str] = {state.lower(): state for state in STATES} | {
    "available": "InStock",
    "availablefororder": "InStock",
    "instockonline": "InStock",
    "true": "InStock",
    "yes": "InStock",
    "unavailable": "OutOfStock",
    "outofstocks": "OutOfStock",
    "notavailable": "OutOfStock",
    "false": "OutOfStock",
    "pending": "PreOrder",
}
_BUTTON_WORDS = frozenset("button btn buy cart basket bag addtocart order bid".split())
MAX_BUTTON_CHARS = 25
_BUTTON_TAGS = frozenset({"div", "span", "p", "li", "td"})
_BUY = "buy"
MAX_BUY_CHARS = 40
# Longer lines are terms of delivery
MAX_LINE_CHARS = 80
# Lines this far below the heading still are about the item
MAX_LINES_ABOVE, MAX_LINES_BELOW = 30, 60
# A line that comes back more often is the stock of one shop of many
MAX_REPEATED = 2


# Set by hand: how often each says the truth alone. Data in scripts is often that of one variant, and a button to buy
# is what counts
WORDS_NEAR, BUTTON, ASSUMED = 0.6, 0.82, 0.3
# A line that says nothing but that the thing cannot be had: shops that show it beside a button let scripts disable that
STATED_ABSENCE = 0.88
_ABSENT = frozenset({"OutOfStock", "Discontinued"})
# Such words fill at least this share of the line
MIN_STATED_SHARE = 0.6
# Elements in which each size or colour says whether it can be had
_CHOICE_TAGS = frozenset({"label", "li", "a"})


def stock_state(text: str) -> str:
    """Return the state that a program's word stands for ("http://schema.org/InStock"), "" if it is none."""
    name = normal_form(text.strip().rstrip("/").rpartition("/")[2])
    return _BY_NAME.get(name, "") or shown_state(text)


@lru_cache(maxsize=16)
def _pattern(state: str) -> re.Pattern[str]:
    return phrase_pattern(word_lists("availability_words")[state])


@cache
def _states() -> tuple[tuple[str, ...], PhraseSearch]:
    """Return the states and what finds their phrases; the order counts, since "not in stock" has "in stock" in it."""
    phrases = {state: own for state, own in word_lists("availability_words").items() if state != _BUY}
    return (*phrases, ""), phrase_search(*phrases.values())


@cache
def _buy_search() -> PhraseSearch:
    return phrase_search(word_lists("availability_words")[_BUY])


def shown_state(text: str) -> str:
    """Return the state that a line of a shop names, "" if it names none."""
    if len(text) > MAX_LINE_CHARS:
        return ""
    states, search = _states()
    return states[search(text)]


def is_buy_button(text: str) -> bool:
    """Return whether a text is that of a button to buy."""
    return len(text) <= MAX_BUY_CHARS and _buy_search()(text) >= 0


def has_stock_words(view: PageView) -> bool:
    """Return whether a short line near the heading tells of stock."""
    at = view.lines.first_at(view.heading_row) if view.heading else 0
    near = view.lines[max(at - MAX_LINES_ABOVE, 0) : at + MAX_LINES_BELOW]
    return any(
        len(line.text) <= MAX_BUY_CHARS and shown_state(line.text) and not _is_other(view, line.start) for line in near
    )


def availability_claims(view: PageView) -> Iterator[Claim]:
    """Yield what the page shows about the stock of the item: words near its heading, and a button to buy it."""
    lines = view.lines
    first = lines.first_at(view.heading_row) if view.heading else 0
    near: list[Line] = [line for line in lines[first : first + MAX_LINES_BELOW] if not _is_other(view, line.start)]
    times = Counter(line.text for line in lines)
    for line in near:
        state = shown_state(line.text)
        if state and times[line.text] <= MAX_REPEATED:
            is_stated = state in _ABSENT and _is_statement(line.text, state) and not _is_choice(view, line)
            share = STATED_ABSENCE if is_stated else WORDS_NEAR
            yield claim_of("availability", state, "page", share, line.start)
            break
    enabled = [row for row, is_disabled in buy_buttons(view) if not is_disabled]
    if enabled:  # others are disabled until scripts run, or until a size is chosen
        yield claim_of("availability", "InStock", "page", BUTTON, enabled[0])


def _is_statement(text: str, state: str) -> bool:
    """Return whether a line says little but the state."""
    match = _pattern(state).search(text)
    return match is not None and len(match[0]) >= MIN_STATED_SHARE * len(text.strip(" .!:*\u2022"))


def _is_choice(view: PageView, line: Line) -> bool:
    """Return whether a line belongs to one of several things to choose from."""
    return any(
        view.page.name(i) in _CHOICE_TAGS for _, i in zip(range(3), view.page.ancestors(line.start), strict=False)
    )


def assumed_availability(view: PageView) -> Claim:
    """Return what is assumed where a price is asked and nothing tells of stock."""
    return claim_of("availability", "InStock", "assumed", ASSUMED, view.heading_row)


def _is_other(view: PageView, row: int) -> bool:
    return bool(view.around[row] or view.listed[row])


@once_per_view
def buy_buttons(view: PageView) -> list[tuple[int, bool]]:
    """Return the buttons to buy the item itself, and whether each is disabled."""
    return list(_button_elements(view)) or list(_button_lines(view))


def _button_elements(view: PageView) -> Iterator[tuple[int, bool]]:
    page = view.page
    outside = (view.around | view.listed | page.hidden).tolist()
    for row in view.rows("button", "input", "a"):
        if outside[row]:
            continue
        text = page.visible_text(row)
        if text and not is_buy_button(text):
            continue
        attrs = page.attrs[row]
        if page.name(row) == "input" and attrs.get("type", "").lower() not in ("submit", "button", "image"):
            continue
        text = text or attrs.get("value", "") or attrs.get("aria-label", "") or attrs.get("title", "")
        if text and is_buy_button(text):
            words = view.class_words(row)
            yield row, "disabled" in attrs or attrs.get("aria-disabled") == "true" or "disabled" in words


def _button_lines(view: PageView) -> Iterator[tuple[int, bool]]:
    """Yield the lines that look like buttons: scripts make them of any element."""
    at = view.lines.first_at(view.heading_row) if view.heading else 0
    for line in view.lines[max(at - MAX_LINES_ABOVE, 0) : at + MAX_LINES_BELOW]:
        is_short = len(line.text) <= MAX_BUTTON_CHARS and view.page.name(line.block) in _BUTTON_TAGS
        if is_short and is_buy_button(line.text) and not _is_other(view, line.start) and _is_button_like(view, line):
            yield line.start, False


def _is_button_like(view: PageView, line: Line) -> bool:
    return not _BUTTON_WORDS.isdisjoint(view.words_above(line.start, 2))

"""The price that a page shows for its item: which of the amounts on it is asked for, and which was before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from peneira.columns.role_words import named_roles
from peneira.items.claims import Claim, amount_key
from peneira.items.lines import Line, has_digit
from peneira.items.page_view import PageView, once_per_view
from peneira.items.typed_claims import claim_of, is_currency_code, typed
from peneira.items.word_lists import word_lists
from peneira.phrase_search import PhraseSearch, part_search, phrase_search
from peneira.types.locales import currency_signs
from peneira.types.money import may_have_prices
from peneira.types.notation import normalized
from peneira.values import Money

_NUMBER = r"\d[\d.,'’ \u00a0\u202f]*\d|\d"
# Lines with a price are short, unless a sentence tells of one
MAX_LINE_CHARS = 160
MAX_LINES_BELOW = 150
# What a price of a script still counts if the page shows it as the one before
OLD_SHARE = 0.3
LIST_PRICE = 0.35
# Words beside an amount with fewer points say that it is not the price
MAX_OTHER_POINTS = -1.0
# A price right below the heading, in an element that says so, counts a little more than data for search engines (0.85),
# one that is less clear counts less. Set by hand: with it, product pages score as they do with data first
MAX_SHOWN = 0.9
MIN_SHOWN = 0.3
# A number without a currency is a price where the class of its element says so, and nothing else is in the line
MAX_BARE_CHARS = 16
MAX_LINES_ABOVE = 40
# What a sign counts beside a code: $ is the sign of many currencies
SIGN_SHARE = 0.4
# In a class or an id; words that have other uses only beside a word for a price
_OLD_CLASS = re.compile(
    r"(?:^|[\s_-])(?:old|was|strike(?:d|through)?|striked|crossed|before|previous|rrp|uvp|msrp|line-?through|compare|stroke)"
    r"(?:$|[\s_-])|(?:old|was|strike|crossed|before|list|regular|original|retail|market|standard|base|full|reference)"
    r"[-_]{0,2}prices?|prices?[-_]{0,2}(?:old|was|strike|crossed|before|list|regular|original|retail|standard|base|full)",
    re.IGNORECASE,
)
_OLD_TAGS = frozenset({"del", "s", "strike"})
_PRICE_WORDS = frozenset(
    "price prices pricing preis prix precio preco prezzo prijs cena cenik pris hinta fiyat amount cost".split()
)
_SALE_WORDS = frozenset("sale special current final now offer promo actual selling discounted main".split())
_OTHER_WORDS = frozenset(
    "saving savings save discount installment installments instalment shipping delivery unit perunit finance financing "
    "monthly cart basket minicart coupon voucher reward points range filter subtotal total".split()
)
_NO_LETTER_BEFORE = r"(?<![^\W\d_])"
_LETTER = re.compile(r"[^\W\d_\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af]")
# A number alone, no percentage
_BARE = re.compile(rf"(?:{_NUMBER})(?![\d ]*%)")
# The words before an amount that say what it is
MAX_LABEL_CHARS = 40
# "(save 50 %)" beside a price
_SAVED = re.compile(r"\([^()]*%[^()]*\)")
_AFTER_DIGITS = re.compile(r"^.*\d")
_PERCENT = re.compile(r"(?<!\d)(\d{1,2}) ?%")
# Lines between a price and the one before it
MAX_LINES_APART = 4
# No tax on sales is higher
MAX_TAXED = Decimal("1.3")
_CENTS = re.compile(r"\d\d")


class ShownPrice(NamedTuple):
    """An amount on the page: its line, its text, its value, how likely it is the price, whether it was before.

    ``is_named``: the class of its element says that it is a price.
    """

    line: Line
    text: str
    money: Money
    points: float
    is_old: bool
    is_named: bool = False


def with_shown_prices(view: PageView, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims with those of the prices that the page shows.

    A price of a script that the page shows as the one before is the list price, not the price.
    """
    shown = list(price_claims(view))
    old = {claim.same for claim in shown if claim.role == "old_price"}
    lowered = [
        replace(claim, probability=OLD_SHARE * claim.probability)
        if claim.role == "price" and claim.same in old
        else claim
        for claim in claims
    ]
    return [*lowered, *shown]


def price_claims(view: PageView) -> Iterator[Claim]:
    """Yield the price that the page shows near its heading, and the one before it."""
    shown = shown_prices(view)
    current = [price for price in shown if not price.is_old]
    if not current:
        if shown:  # a list price alone is what is known
            yield _claim("price", max(shown, key=lambda price: price.points), LIST_PRICE)
        return
    best = max(current, key=lambda price: price.points)
    listed = max((price for price in shown if price.is_old), key=lambda price: price.points, default=best)
    if best.points < MAX_OTHER_POINTS and listed.points > best.points + 1.0:
        yield _claim("price", listed, LIST_PRICE)  # the other amounts are of invoices, deliveries or loans
        return
    if _words("net")(best.line.text) >= 0:
        best = _gross(view, best, shown) or best
    same = [price for price in current if price.money.amount == best.money.amount]
    certainty = min(MAX_SHOWN, 0.5 + best.points * (0.2 if best.points > 0 else 0.1)) + 0.03 * min(len(same), 2)
    if certainty <= MIN_SHOWN:  # far away: the prices of other items, the one before too
        return
    yield _claim("price", best, certainty)
    if best.money.currency:
        share = 1.0 if is_currency_code(best.money.currency) else SIGN_SHARE
        yield claim_of("currency", best.money.currency, "page", share * certainty, best.line.start)
    old = [price for price in shown if price.is_old and price.money.amount > best.money.amount]
    near = [
        price for price in old if abs(view.lines.first_at(price.line.start) - view.lines.first_at(best.line.start)) <= 8
    ]
    if near:
        yield _claim("old_price", near[0], 0.8)


def _gross(view: PageView, net: ShownPrice, shown: Sequence[ShownPrice]) -> ShownPrice | None:
    """Return the price with tax beside one without, if the page calls it the one before."""
    at = view.lines.first_at(net.line.start)
    for price in shown:
        distance = abs(view.lines.first_at(price.line.start) - at)
        if (
            price.is_old
            and distance <= MAX_LINES_APART
            and Decimal(1) < price.money.amount / net.money.amount < MAX_TAXED
        ):
            return price
    return None


def _claim(role: str, price: ShownPrice, probability: float) -> Claim:
    money = price.money
    key = amount_key(money.amount)
    return claim_of(
        role, price.text, "page", probability, price.line.start, key=key, amount=money.amount, currency=money.currency
    )


@once_per_view
def shown_prices(view: PageView) -> list[ShownPrice]:
    """Return the amounts with a currency near the heading that are not those of other items."""
    lines = view.lines
    at = lines.first_at(view.heading_row) if view.heading else 0
    first = max(0, at - MAX_LINES_ABOVE)
    found: list[ShownPrice] = []
    for number in range(first, min(len(lines), at + MAX_LINES_BELOW)):
        line = lines[number]
        if len(line.text) > MAX_LINE_CHARS or not has_digit(line.text) or view.elsewhere[line.start]:
            continue
        before = lines[number - 1].text if number else ""
        before = "" if has_digit(before) else before
        found.extend(_in_line(view, line, before, number - at if view.heading else 0))
    return _with_discounts(view, found)


def _with_discounts(view: PageView, prices: Sequence[ShownPrice]) -> list[ShownPrice]:
    """Return the prices; of two neighbours whose ratio is a percentage shown beside them, the higher one was before."""
    lines = view.lines
    result = list(prices)
    for k, (first, second) in enumerate(pairwise(prices)):
        high, low = sorted((first.money.amount, second.money.amount), reverse=True)
        at = lines.first_at(first.line.start)
        if high == low or lines.first_at(second.line.start) - at > MAX_LINES_APART:
            continue
        nearby = " ".join(
            line.text for line in lines[max(at - 2, 0) : at + MAX_LINES_APART + 2] if len(line.text) <= MAX_LINE_CHARS
        )
        percents = {int(match[1]) for match in _PERCENT.finditer(nearby)}
        if any(abs(100 * (1 - float(low / high)) - percent) <= 1.0 for percent in percents):
            higher = k if first.money.amount == high else k + 1
            result[higher] = result[higher]._replace(is_old=True)
    return result


def _in_line(view: PageView, line: Line, before: str, distance: int) -> Iterator[ShownPrice]:
    """Yield the amounts of one line; the words before an amount say what it is, up to the amount before that."""
    end = 0
    for row, text in _amounts(view, line):
        at = line.text.find(text, end)
        said = _AFTER_DIGITS.sub("", line.text[end:at]) if at >= 0 else line.text
        end = at + len(text) if at >= 0 else end
        money = read_money(text, view.language) or _bare_money(text, view.language)
        if money is None or money.amount <= 0:
            continue
        words = view.words_above(row)
        is_old = _is_old(view, row, words, said if len(said) <= MAX_LABEL_CHARS else "", before)
        points = _points(words, line.text, before, distance, money.currency)
        points -= 0.5 if len(line.text) > MAX_LABEL_CHARS else 0.0
        yield ShownPrice(line, text, money, points, is_old, bool(words & _PRICE_WORDS))


def _points(words: frozenset[str], context: str, before: str, distance: int, currency: str) -> float:
    points = 2.0 if words & _PRICE_WORDS else 0.0
    points += 1.0 if words & _SALE_WORDS else 0.0
    points -= 2.0 if words & _OTHER_WORDS else 0.0
    points -= 3.0 if _words("other")(_SAVED.sub("", context)) >= 0 else 0.0
    points -= 1.0 if len(before) <= 40 and _words("other")(before) >= 0 else 0.0
    points += 1.0 if len(before) <= 40 and "price" in named_roles(before) else 0.0
    points -= min(distance / 12.0, 4.0) if distance >= 0 else 1.0 + abs(distance) / 15.0
    points -= 0.0 if currency else 1.0
    return points


def _is_old(view: PageView, row: int, words: frozenset[str], context: str, before: str) -> bool:
    page = view.page
    if any(page.name(i) in _OLD_TAGS for _, i in zip(range(4), page.ancestors(row), strict=False)):
        return True
    styled = [page.attrs[i].get("style", "") for _, i in zip(range(3), page.ancestors(row), strict=False)]
    if any("line-through" in style for style in styled):
        return True
    named = [page.attrs[i].get("class", "") for _, i in zip(range(2), page.ancestors(row), strict=False)]
    if any(_OLD_CLASS.search(name) for name in named) and not words & _SALE_WORDS:
        return True
    return _words("old")(context) >= 0 or (len(before) <= 25 and _words("old")(before) >= 0)


def _amounts(view: PageView, line: Line) -> Iterator[tuple[int, str]]:
    """Yield row and text of the amounts of a line: of each text, else of the line as a whole.

    Cents in an element of their own belong to the amount before them; what else stands in one does not: "$200" and
    "2 bids" are not "$2002".
    """
    page = view.page
    found = False
    rows = range(line.start, line.end)
    if may_have_prices(normalized(line.text)):
        rows_seen = [row for row in rows if page.lists.tag[row] == 0 and page.seen[row]]
        parts = [normalized(page.text[row]) for row in rows_seen]
        joined = _with_cents(parts, line.text)
        if joined == line.text and len(rows_seen) > 1:
            for row, part in zip(rows_seen, parts, strict=True):
                for match in _money().finditer(part):
                    found = True
                    yield row, match[0].strip()
        for match in () if found else _money().finditer(normalized(joined)):
            found = True
            amount = match[0].strip()
            yield _row_of(page.text, rows_seen, amount), amount
    if not found and len(line.text) <= MAX_BARE_CHARS and _is_in_price(view, line.start):
        rows_seen = [row for row in rows if page.lists.tag[row] == 0 and page.seen[row]]
        for match in _BARE.finditer(normalized(line.text)):
            yield _row_of(page.text, rows_seen, match[0]), match[0]


def _is_in_price(view: PageView, row: int) -> bool:
    """Return whether an element around a text says that it holds a price."""
    named = view.rows_that_may_say(_price_words())
    return bool(named) and view.says_above(row, _PRICE_WORDS, named)


@cache
def _price_words() -> PhraseSearch:
    return part_search(_PRICE_WORDS)


def _row_of(texts: Sequence[str], rows: Sequence[int], amount: str) -> int:
    """Return the text node that an amount starts in."""
    digits = re.search(r"\d+", amount)
    start = digits[0] if digits else amount
    return next((row for row in rows if start in texts[row]), rows[0])


def _with_cents(parts: Sequence[str], text: str) -> str:
    """Return the text of a line with a point before cents that stand alone after a whole amount: 49 and 99."""
    for whole, cents in pairwise(parts):
        if _CENTS.fullmatch(cents) and re.search(r"(?:^|\D)\d{1,6}$", whole) and f"{whole}{cents}" in text:
            return text.replace(f"{whole}{cents}", f"{whole}.{cents}", 1)
    return text


@cache
def _words(section: str) -> PhraseSearch:
    """Return a search for the words beside an amount that make another thing of it."""
    return phrase_search(word_lists("price_words")[section])


@cache
def _money() -> re.Pattern[str]:
    """Return a pattern of amounts with the sign or the code of a currency."""
    signs = sorted(currency_signs(), key=len, reverse=True)
    of_letters = [sign for sign in signs if _LETTER.match(sign[0])]
    others = [sign for sign in signs if not _LETTER.match(sign[0])]
    written = f"{_NO_LETTER_BEFORE}{_any_of(of_letters)}|{_any_of(others)}"
    after = rf"(?:{_NUMBER})(?:,-|\.-)?\s?(?:{written})"
    return re.compile(rf"(?:{written})\s?(?:{_NUMBER})(?:\s?(?:{written}))?|(?<![\d.,]){after}")


def _any_of(signs: Sequence[str]) -> str:
    """Return a pattern of signs; one of letters must not be part of a word, where words have spaces between them.

    Their first characters are told apart before the signs are tried.
    """
    written = (re.escape(sign) + (r"(?![^\W\d_])" if _LETTER.match(sign[-1]) else "") for sign in signs)
    return f"(?=[{re.escape(''.join(sorted({sign[0] for sign in signs})))}])(?:{'|'.join(written)})"


def read_money(text: str, language: str) -> Money | None:
    """Return the amount of a text that is a price, None for other text."""
    kind, value = typed(text, "", language)
    return value if kind == "money" and isinstance(value, Money) else None


def _bare_money(text: str, language: str) -> Money | None:
    """Return the amount of a text that is a number alone, in no currency."""
    if not re.fullmatch(_NUMBER, text.strip()):
        return None
    _, value = typed(text, "", language)
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Money(Decimal(value)) if is_number else None  # type: ignore[arg-type]

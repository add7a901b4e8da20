"""Prices: a number beside the sign or code of a currency, with what shops write around it.

"from $12" is a price of 12, "$10 - $20" one of 10 with an upper bound, "$12 / month" one of 12: the amount is the least
that is asked for, and the text says for what. "up to $20" has no least amount and stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from peneira.character_search import character_search
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.locales import currency_decimals, currency_signs
from peneira.types.notation import DecimalSign, Notation
from peneira.types.numbers import WrittenNumber, parse_number, to_decimal
from peneira.values import Money

_ONLY_AFTER_AMOUNT = frozenset(["lei"])  # before a number it is a law in Portuguese
_MAX_SIGN_CHARS = 8
_PRICE = late_pattern(r"([-+]?)(\D*?)(-?)(\d[\d.,' ]*?)([.,] ?--?|/-)?(\D*)")
_CENTS_APART = late_pattern(r"(?P<before>\D*)(?P<whole>\d[\d.,]*) (?P<cents>\d\d)(?P<after>\D*)")  # $549 00
_SIGN_AS_POINT = late_pattern(r"(\d[\d ]*)€(\d\d)")  # 12€99
# A caption names a currency by a sign, or by a code in brackets: "Lei" is also a law, "CAD" also software
_CAPTION_SIGN = late_pattern(
    r"(?<![^\W_])(?:[A-Z]{0,2}[$€£¥₹₽₩₺₪฿₫₴₦₱]|zł|Kč)(?![^\W_])|(?<=[(\[])[^)\]]{1,5}(?=[)\]])"
)

# Words before and after the least amount; those that only praise it mean nothing
_LEAST = late_pattern(
    r"^(?:ab|from|starting (?:at|from)|starts at|as low as|desde|a partir d[eo]|à partir de|dès|vanaf|fra|från|"
    r"da|a partire da|já a partir de|od|już od|от|від|de la|min|mulai|từ|از|من|"
    r"only|now|just|nur|jetzt|nur noch|por apenas|apenas|solo|seulement|tylko|только)\b[.:]? ?(?=\D{0,8}\d)",
    re.IGNORECASE,
)
_LEAST_AFTER = late_pattern(r" ?(?:alkaen|から|より|[~〜～]|起|부터|이상|and up|\+)$", re.IGNORECASE)
_UNITS = (
    "mo|mos|mon|month|monat|monate?s?|mês|mes|mois|mese|maand|miesiąc|mies|mc|mån|måned|md|мес|месяц|ay|月|월|"
    "night|nacht|noche|nuit|noite|notte|noc|natt|nat|ночь|gece|泊|晚|박|"
    "day|tag|día|dia|jour|giorno|dag|doba|dzień|день|сутки|gün|日|일|week|wk|woche|semana|semaine|settimana|"
    "year|yr|annum|jahr|ano|año|an|anno|jaar|rok|år|год|yıl|年|년|hour|hr|h|std|stunde|hora|heure|ora|uur|godz|час|"
    "minute|min|person|pers|people|pessoa|persona|personne|pax|guest|user|seat|room|zimmer|"
    "kg|g|100 ?g|lb|oz|l|ml|100 ?ml|liter|litre|litro|m|m2|m²|qm|sqm|sq\\.? ?ft|sq\\.? ?m|ft²|м²|кв\\.? ?м|"
    "km|км|кг|л|шт|unit|unidade|unidad|unité|item|piece|pc|pcs|ea|each|stk|stück|stuk|pièce|pieza|peça|szt|st|"
    "pack|set|ud|un|apiece"
)
# "/ month", "per night", "pro Monat", "a month"; and "each", which needs no word before it
_PER_UNIT = late_pattern(
    rf"(?: ?(?:/ ?|\bper |\bpro |\bpor |\bpar |\bje |\bal? |\bla |\bza |\bza 1 |\bna |\bв |\bза |\bp\. ?|\bp/ ?)"
    rf"(?:{_UNITS})| (?:each|apiece|p\.?m\.?|p\.?a\.?|pcm|pw|pp|p\.p\.))\.?$",
    re.IGNORECASE,
)
# So many different amounts that end in zeros are no accident
_MIN_ROUND_AMOUNTS = 3
# Longer texts are sentences with a price in them
MAX_PRICE_CHARS = 60
_HAS_SYMBOL = character_search("$€£¥₹₽₩₺₪฿₫₴₦₱₸₾₼৳円元원")
_DASH = late_pattern(r"\d[.,/] ?-")
_LETTERS = late_pattern(r"[^\W\d_]+")
_BETWEEN = late_pattern(r" ?(?:-|~|〜|～) ?| (?:to|bis|a|à|até|hasta|au|tot|till|do|до|al) ", re.IGNORECASE)


class WrittenPrice(NamedTuple):
    """A price as written: its number, its currency ("" if none is shown), and the number of its upper bound."""

    number: WrittenNumber
    currency: str
    upper: WrittenNumber | None = None
    has_sign_after: bool = False
    has_dash: bool = False  # in place of cents, which marks a price without a currency: 199,-


@lru_cache(maxsize=256)
def _currency(before: str, after: str) -> str | None:
    """Return the currency of the signs around an amount, "" if there are none; None if there are other words.

    A code takes precedence over a sign: "$12 CAD". Two different currencies are not a price.
    """
    named = _currencies(before.strip()), _currencies(after.strip())
    if before.strip() in _ONLY_AFTER_AMOUNT or named[0] is None or named[1] is None:
        return None
    names = named[0] | named[1]
    codes = {name for name in names if name.isupper()} or names
    return None if len(codes) > 1 else codes.pop() if codes else ""


def _currencies(signs: str) -> set[str] | None:
    """Return the currencies of one sign, or of two with at most a space between them ("USD $"); None for other text."""
    of_sign = currency_signs()
    if not signs or signs in of_sign:
        return {of_sign[signs]} if signs else set()
    pairs = ((signs[:k].rstrip(), signs[k:]) for k in range(1, min(len(signs), _MAX_SIGN_CHARS + 2)))
    known = (pair for pair in pairs if pair[0] in of_sign and pair[1] in of_sign)
    return next(({of_sign[first], of_sign[second]} for first, second in known), None)


@lru_cache(maxsize=4096)
def parse_price(text: str) -> WrittenPrice | None:
    """Return the parts of a price, None for other text."""
    if price := _bare_price(text):
        return price
    if len(text) > MAX_PRICE_CHARS or not _has_currency(text):
        return None
    bare = _LEAST_AFTER.sub("", _PER_UNIT.sub("", _LEAST.sub("", text)))
    price = (_bare_price(bare) if bare != text else None) or _price_range(bare)
    return price if price and price.currency else None


def _has_currency(text: str) -> bool:
    """Return whether a text may have the sign of a currency, without which words around an amount make no price."""
    return bool(_HAS_SYMBOL(text)) or _has_sign_word()(text)


@cache
def _sign_words() -> frozenset[str]:
    """Return the words in signs of letters: those of "kr." and "S/"."""
    return frozenset(word for sign in currency_signs() if not _HAS_SYMBOL(sign) for word in _LETTERS.findall(sign))


@cache
def _has_sign_word() -> Callable[[str], bool]:
    """Return a function that tells whether a text has one of these words."""
    words = _sign_words()
    kernel = compiled("phrase_scan")
    if kernel is not None:
        search: Callable[[str], bool] = kernel.WordSearch(words)
        return search
    return lambda text: not words.isdisjoint(_LETTERS.findall(text))


def may_have_prices(text: str) -> bool:
    """Return whether the caption and the cells of a column, as one text, have a currency or a dash for cents."""
    return _has_currency(text) or ("-" in text and _DASH.search(text) is not None)


def _bare_price(text: str) -> WrittenPrice | None:
    """Return the price of a text that is an amount and its currency."""
    as_point = _SIGN_AS_POINT.fullmatch(text)
    if as_point:
        number = parse_number(f"{as_point[1]},{as_point[2]}")
        return WrittenPrice(number, "EUR") if number else None
    match = _PRICE.fullmatch(text)
    currency = _currency(match[2], match[6]) if match else None
    if match is None or currency is None:
        return None
    number = parse_number(("-" if "-" in (match[1], match[3]) else "") + match[4].strip())
    if number and match[5]:
        number = _without_cents(number, match[5][0])
    has_dash = bool(match[5]) and match[5][-1] == "-"
    return WrittenPrice(number, currency, None, bool(match[6].strip()), has_dash) if number else None


def _price_range(text: str) -> WrittenPrice | None:
    """Return the price of "$10 - $20", "10-20 €" or "R$ 10 a R$ 20": one currency, at least one sign of it."""
    for between in _BETWEEN.finditer(text):
        lower, upper = _bare_price(text[: between.start()]), _bare_price(text[between.end() :])
        if lower and upper and not upper.number.whole.startswith("-"):
            currencies = {lower.currency, upper.currency} - {""}
            has_sign_after = lower.has_sign_after or upper.has_sign_after
            if len(currencies) == 1:
                return WrittenPrice(lower.number, currencies.pop(), upper.number, has_sign_after)
    return None


def _without_cents(number: WrittenNumber, mark: str) -> WrittenNumber | None:
    """Return the number before a dash in place of cents: 1.299,- is whole, and its last mark is the decimal sign.

    The Indian 1,299/- does not show the decimal sign.
    """
    if mark == "/":
        return number
    if number.fraction and (number.is_sure or number.mark == mark):
        return None
    return WrittenNumber(number.whole + number.fraction, "", "", True, "," if mark == "," else ".")


def decimal_sign_hint(price: WrittenPrice, currency: str) -> DecimalSign:
    """Return the decimal sign that the currency of a price suggests; € after the amount is the continental way."""
    if currency == "EUR" and price.has_sign_after:
        return ","
    sign = currency_decimals().get(currency, "")
    return "." if sign == "." else "," if sign == "," else ""


def decimal_sign_of_round_amounts(amounts: Sequence[WrittenNumber]) -> DecimalSign:
    """Return the decimal sign of amounts such as 9.500 and 14.000, "" if they show none.

    Cents are not written with three digits, the last two of them always zeros, nor in amounts from ten on: the mark
    separates thousands.
    """
    unsure = {(amount.mark, amount.whole, amount.fraction) for amount in amounts if not amount.is_sure}
    marks = {mark for mark, _, _ in unsure}
    if len(unsure) < _MIN_ROUND_AMOUNTS or len(marks) > 1 or any(amount.proves for amount in amounts):
        return ""
    is_round = all(digits.endswith("00") for _, _, digits in unsure)
    if not is_round and not all(len(whole) > 1 for _, whole, _ in unsure):  # a litre of petrol costs 1.459
        return ""
    return "." if marks == {","} else ","


def currency_of_caption(caption: str) -> str:
    """Return the currency that a caption such as "Preço (R$)" names, "" if it names none or several."""
    of_sign = currency_signs()
    names = {of_sign[sign] for sign in _CAPTION_SIGN.findall(caption) if sign in of_sign}
    return names.pop() if len(names) == 1 else ""


def _with_cents(text: str) -> str:
    """Return a price with a decimal sign before cents that only stand apart: "$549 00" gives "$549.00"."""
    match = _CENTS_APART.fullmatch(text)
    if match is None:
        return text
    sign = "," if "." in match["whole"] else "."
    return f"{match['before']}{match['whole']}{sign}{match['cents']}{match['after']}"


def read_money(text: str, notation: Notation) -> Money | None:
    """Return the price in a cell. A number without a currency is a price only if the caption names the currency."""
    price = parse_price(text) or parse_price(_with_cents(text))
    if price is None or not (price.currency or notation.currency or price.has_dash):
        return None
    amount = to_decimal(price.number, notation.decimal)
    upper = to_decimal(price.upper, notation.decimal) if price.upper else None
    if amount is None or (price.upper and (upper is None or upper < amount)):
        return None
    return Money(amount, price.currency or notation.currency, upper)

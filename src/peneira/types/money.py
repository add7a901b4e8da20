"""Prices: a number beside the sign or code of a currency."""

from __future__ import annotations

import re
from functools import lru_cache

from peneira.types.locales import currency_decimals, currency_signs
from peneira.types.notation import DecimalSign, Notation
from peneira.types.numbers import WrittenNumber, parse_number, to_decimal
from peneira.values import Money

_ONLY_AFTER_AMOUNT = frozenset(["lei"])  # before a number it is a law in Portuguese
_LONGEST_SIGN = 8
_PRICE = re.compile(r"([-+]?)(\D*?)(-?)(\d[\d.,' ]*?)([.,] ?--?|/-)?(\D*)")
_SIGN_AS_POINT = re.compile(r"(\d[\d ]*)€(\d\d)")  # 12€99
# A caption names a currency by a sign, or by a code in brackets: "Lei" is also a law, "CAD" also software
_CAPTION_SIGN = re.compile(r"(?<![^\W_])(?:[A-Z]{0,2}[$€£¥₹₽₩₺₪฿₫₴₦₱]|zł|Kč)(?![^\W_])|(?<=[(\[])[^)\]]{1,5}(?=[)\]])")

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
    if not signs or signs in currency_signs():
        return {currency_signs()[signs]} if signs else set()
    pairs = ((signs[:k].rstrip(), signs[k:]) for k in range(1, min(len(signs), _LONGEST_SIGN + 2)))
    known = (pair for pair in pairs if pair[0] in currency_signs() and pair[1] in currency_signs())
    return next(({currency_signs()[first], currency_signs()[second]} for first, second in known), None)


@lru_cache(maxsize=4096)
def parse_price(text: str) -> tuple[WrittenNumber, str] | None:
    """Return the number and the currency of a price, the currency "" if none is shown; None for other text."""
    as_point = _SIGN_AS_POINT.fullmatch(text)
    if as_point:
        number = parse_number(f"{as_point[1]},{as_point[2]}")
        return (number, "EUR") if number else None
    match = _PRICE.fullmatch(text)
    currency = _currency(match[2], match[6]) if match else None
    if match is None or currency is None:
        return None
    number = parse_number(("-" if "-" in (match[1], match[3]) else "") + match[4].strip())
    if number and match[5]:
        number = _without_cents(number, match[5][0])
    return (number, currency) if number else None


def _without_cents(number: WrittenNumber, mark: str) -> WrittenNumber | None:
    """Return the number before a dash in place of cents: 1.299,- is whole, and its last mark is the decimal sign.

    The Indian 1,299/- does not show the decimal sign.
    """
    if mark == "/":
        return number
    if number.fraction and (number.is_sure or number.mark == mark):
        return None
    return WrittenNumber(number.whole + number.fraction, "", "", True, "," if mark == "," else ".")


def decimal_sign_hint(text: str, currency: str) -> DecimalSign:
    """Return the decimal sign that the currency of a price suggests; € after the amount is the continental way."""
    if currency == "EUR" and not text[-1].isdigit():
        return ","
    return currency_decimals().get(currency, "")


def currency_of_caption(caption: str) -> str:
    """Return the currency that a caption such as "Preço (R$)" names, "" if it names none or several."""
    names = {currency_signs()[sign] for sign in _CAPTION_SIGN.findall(caption) if sign in currency_signs()}
    return names.pop() if len(names) == 1 else ""


def read_money(text: str, notation: Notation) -> Money | None:
    """Return the price in a cell. A number without a currency is a price only if the caption names the currency."""
    price = parse_price(text)
    if price is None:
        return None
    number, currency = price
    has_dash = text.endswith("-")  # 199,- is a price without a sign
    if not currency and not notation.currency and not has_dash:
        return None
    amount = to_decimal(number, notation.decimal)
    return None if amount is None else Money(amount, currency or notation.currency)

"""Prices: a number beside the sign or code of a currency."""

from __future__ import annotations

import re
from functools import lru_cache

from peneira.types.notation import DecimalSign, Notation
from peneira.types.numbers import Figure, amount, figure
from peneira.values import Money

# ISO 4217 codes in use on price tags, without those that read as English words (ALL, TOP, CUP)
_CODES = (
    "AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CRC CZK DKK EGP EUR GBP GHS HKD HRK HUF IDR ILS INR ISK JOD "
    "JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY "
    "TWD UAH USD UYU VND ZAR"
).split()

# What a sign stands for: a code where only one currency is written so, else the sign itself. Not here: Ft and RM, which
# are also feet and rooms
_SIGNS = {code: code for code in _CODES} | {
    sign: name
    for name, signs in {
        "AUD": "A$ AU$",
        "BGN": "лв. лв",
        "BRL": "R$ reais",
        "CAD": "C$ CA$",
        "CHF": "SFr. sFr.",
        "CNY": "元 RMB",
        "CZK": "Kč KČ kč",
        "EUR": "€ Euro euro Euros euros EURO Eur eur",
        "GBP": "£",
        "HKD": "HK$",
        "IDR": "Rp Rp.",
        "ILS": "₪",
        "INR": "₹",
        "JPY": "円",
        "KRW": "₩ 원",
        "MXN": "MX$",
        "NGN": "₦",
        "NZD": "NZ$",
        "PEN": "S/ S/.",
        "PHP": "₱ Php",
        "PLN": "zł ZŁ zl",
        "RUB": "₽ руб. руб р.",
        "SGD": "S$",
        "THB": "฿",
        "TRY": "₺ TL",
        "TWD": "NT$",
        "UAH": "₴ грн. грн",
        "USD": "US$ U$S",
        "VND": "₫",
        "$": "$",
        "¥": "¥",
        "Rs": "Rs Rs.",
        "kr": "kr kr. Kr Kr.",
        "lei": "lei",
    }.items()
    for sign in signs.split()
}
_ONLY_BEHIND = frozenset(["lei"])  # before a number it is a law in Portuguese
MAX_SIGN_CHARS = 12
_PRICE = re.compile(r"([-+]?)(\D*?)(-?)(\d[\d.,' ]*?)([.,] ?--?|/-)?(\D*)")
_SIGN_AS_POINT = re.compile(r"(\d[\d ]*)€(\d\d)")  # 12€99
# A caption names a currency by a sign, or by a code in brackets: "Lei" is also a law, "CAD" also software
_CAPTION_SIGN = re.compile(r"(?<![^\W_])(?:[A-Z]{0,2}[$€£¥₹₽₩₺₪฿₫₴₦₱]|zł|Kč)(?![^\W_])|(?<=[(\[])[^)\]]{1,5}(?=[)\]])")

# The decimal sign of the countries that use a currency; € behind the amount is the continental way
_DECIMALS: dict[str, DecimalSign] = {
    **dict.fromkeys("BRL PLN CZK HUF RUB TRY UAH BGN IDR VND RON DKK NOK SEK ISK ARS CLP COP kr lei".split(), ","),
    **dict.fromkeys("GBP INR ILS THB NGN JPY CNY USD AUD CAD NZD HKD SGD TWD MXN MYR KRW PHP ¥ Rs".split(), "."),
}


@lru_cache(maxsize=256)
def _currency(before: str, after: str) -> str | None:
    """Return the currency of the signs around an amount, empty if there are none; None if other words stand there.

    A code beside a sign wins: "$12 CAD". Two different currencies are no price.
    """
    named = _names(before.strip()), _names(after.strip())
    if before.strip() in _ONLY_BEHIND or named[0] is None or named[1] is None:
        return None
    found = named[0] | named[1]
    codes = {name for name in found if name.isupper()} or found
    return None if len(codes) > 1 else codes.pop() if codes else ""


def _names(signs: str) -> set[str] | None:
    """Return the currencies of one sign, or of two with no more than a space between them ("USD $")."""
    if not signs or signs in _SIGNS:
        return {_SIGNS[signs]} if signs else set()
    pairs = ((signs[:k].rstrip(), signs[k:]) for k in range(1, min(len(signs), MAX_SIGN_CHARS)))
    return next(({_SIGNS[one], _SIGNS[two]} for one, two in pairs if one in _SIGNS and two in _SIGNS), None)


@lru_cache(maxsize=4096)
def price_figure(text: str) -> tuple[Figure, str] | None:
    """Return the number and the currency of a price, the currency empty if none is shown, or None."""
    as_point = _SIGN_AS_POINT.fullmatch(text)
    if as_point:
        parts = figure(f"{as_point[1]},{as_point[2]}")
        return (parts, "EUR") if parts else None
    match = _PRICE.fullmatch(text)
    currency = _currency(match[2], match[6]) if match else None
    if match is None or currency is None:
        return None
    parts = figure(("-" if "-" in (match[1], match[3]) else "") + match[4].strip())
    if parts and match[5]:
        parts = _dashed(parts, match[5][0])
    return (parts, currency) if parts else None


def _dashed(parts: Figure, point: str) -> Figure | None:
    """Return the number before a dash in place of cents: 1.299,- is whole, and shows what the decimal sign is.

    The Indian 1,299/- shows nothing.
    """
    if point == "/":
        return parts
    if parts.fraction and (parts.sure or parts.mark == point):
        return None
    return Figure(parts.whole + parts.fraction, "", "", True, "," if point == "," else ".")


def price_hint(text: str, currency: str) -> DecimalSign:
    """Return the decimal sign that the currency of a price, and where its sign stands, suggest."""
    if currency == "EUR" and not text[-1].isdigit():
        return ","
    return _DECIMALS.get(currency, "")


def currency_of_caption(caption: str) -> str:
    """Return the currency a caption such as "Preço (R$)" names, empty if it names none or several."""
    found = {_SIGNS[sign] for sign in _CAPTION_SIGN.findall(caption) if sign in _SIGNS}
    return found.pop() if len(found) == 1 else ""


def read_money(text: str, notation: Notation) -> Money | None:
    """Return the price a cell holds. A number with no currency is one only if the caption names the currency."""
    found = price_figure(text)
    if found is None:
        return None
    parts, currency = found
    dashed = text.endswith("-")  # 199,- is a price with no sign
    if not currency and not notation.currency and not dashed:
        return None
    number = amount(parts, notation.decimal)
    return None if number is None else Money(number, currency or notation.currency)

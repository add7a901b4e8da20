"""Claims with typed values: amounts, dates, durations and ratings of scripts and of the page."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal, InvalidOperation

from peneira.items.claims import Claim, amount_key, normal_form
from peneira.short_text_cache import cache_of_short_texts
from peneira.types.column_types import infer_type
from peneira.types.numbers import parse_number, to_decimal
from peneira.values import ColumnType, Money, Rating, Value

_DURATION = re.compile(
    r"P(?:0+Y)?(?:0+M)?(?:(?P<days>\d+(?:\.\d+)?)D)?(?:T(?:(?P<hours>\d+(?:\.\d+)?)H)?(?:(?P<minutes>\d+(?:\.\d+)?)M)?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?",
    re.IGNORECASE,
)
_ISO_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|[+-]\d\d:?\d\d)?)?$")
_DATES = frozenset("date date_modified start_date end_date release_date birth_date".split())
_DURATIONS = frozenset("prep_time cook_time total_time duration".split())
_INTEGERS = frozenset({"reviews", "pages"})
_LISTS = frozenset({"ingredients", "steps", "tags", "images", "breadcrumbs", "actors"})
# Programs write amounts with the errors of floating point: 299.99000000000001
MAX_DECIMALS = 4
# A longer number counts nothing that is for sale or was rated
MAX_AMOUNT_CHARS = 24
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?")


def claim_of(
    role: str,
    text: str,
    source: str,
    probability: float,
    row: int,
    *,
    items: tuple[str, ...] = (),
    key: str = "",
    amount: Decimal | None = None,
    currency: str = "",
    best: Decimal | None = None,
    language: str = "en",
) -> Claim:
    """Return a claim with the value that its role has: a date, an amount, a list."""
    kind: ColumnType = "text"
    value: Value = None
    if role in _LISTS:
        kind, value, items = "list", items or (text,), items or (text,)
        key = key or normal_form("".join(items))
    elif amount is not None:
        amount = _rounded(amount)
        kind, value, key = "money", Money(amount, currency), amount_key(amount)
    elif role in _DATES:
        kind, value = _date(text, language)
        key = str(value)[:10] if value else ""
    elif role in _DURATIONS:
        kind, value = _duration(text, language)
        key = str(value) if value else ""
        text = written_duration(value) if isinstance(value, datetime.timedelta) and text[:1] in "Pp" else text
    elif role in _INTEGERS:
        number = amount_of(text)
        if number is not None and number == number.to_integral_value():
            kind, value, key = "integer", int(number), str(int(number))
    elif role == "rating" and (score := amount_of(text.split("/")[0])) is not None:
        kind, value = "rating", Rating(score, best)
        key = amount_key(round(score, 1))
    return Claim(role, text, source, probability, row, kind, value, items, key)


def is_currency_code(text: str) -> bool:
    """Return whether a currency is named by its code, not by a sign that several currencies may have."""
    return len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()


def _rounded(amount: Decimal) -> Decimal:
    exponent = amount.as_tuple().exponent
    return round(amount, MAX_DECIMALS).normalize() if isinstance(exponent, int) and exponent < -MAX_DECIMALS else amount


def amount_of(text: str) -> Decimal | None:
    """Return the amount of a number as programs write it, or as people do: "1299.00", "1.299,00", "1 299"."""
    bare = text.strip()
    if len(bare) > MAX_AMOUNT_CHARS:
        return None
    if _PLAIN_NUMBER.fullmatch(bare):
        try:
            return Decimal(format(Decimal(bare), "f"))  # 1e5 is 100000
        except InvalidOperation:
            return None
    number = parse_number(bare)
    if number is None:
        match = re.search(r"\d[\d.,' \u00a0]*", bare)
        number = parse_number(match[0].strip().rstrip(".,")) if match else None
    return to_decimal(number, ".") if number else None


def _date(text: str, language: str) -> tuple[ColumnType, Value]:
    if match := _ISO_DATE.match(text.strip()):
        try:
            if not match[2]:
                return "date", datetime.date.fromisoformat(match[1])
            return "datetime", datetime.datetime.fromisoformat(f"{match[1]}T{match[2]}{match[3] or ''}")
        except ValueError:
            return "text", None
    kind, value = typed(text, "", language)
    return (kind, value) if kind in ("date", "datetime") else ("text", None)


def written_duration(length: datetime.timedelta) -> str:
    """Return a length of time as people write it: "1 h 30 min"."""
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (seconds, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number)


def _duration(text: str, language: str) -> tuple[ColumnType, Value]:
    match = _DURATION.fullmatch(text.strip())
    if match and any(match.groups()):
        parts = {unit: float(number) for unit, number in match.groupdict().items() if number}
        try:
            length = datetime.timedelta(**parts)
        except OverflowError:
            return "text", None
        return ("duration", length) if length else ("text", None)
    kind, value = typed(text, "", language)
    return (kind, value) if kind == "duration" else ("text", None)


@cache_of_short_texts(4096, lambda text, caption, language: len(text) + len(caption))
def typed(text: str, caption: str, language: str) -> tuple[ColumnType, Value]:
    """Return the type and the value of a text alone. ``caption``: its label."""
    inferred = infer_type([text], caption=caption, language=language)
    return inferred.type, inferred.value(text)

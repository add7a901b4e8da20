"""Forms of a value: two values that have a form in common say the same, however each is written."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from urllib.parse import unquote

from peneira.character_search import character_search
from peneira.columns.link_paths import url_parts
from peneira.late_patterns import late_pattern
from peneira.short_text_cache import cache_of_short_texts
from peneira.table import Cell
from peneira.values import Money, Rating

MAX_TEXT_CHARS = 300
# Texts beyond this length are the same if they begin the same
PREFIX_CHARS = 30
_NUMBER = late_pattern(r"\d[\d.,'\u00a0\u202f]*")
_SIGNS_WITHIN = late_pattern(r"['\u00a0\u202f]")
_HAS_DIGIT = character_search("", digits=True)
_MAX_NUMBER_TEXT = 60
_MAX_DIGITS = 20
_ISO_DATE = late_pattern(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d)?")
_ISO_DURATION = late_pattern(r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?)?$")


def text_form(text: str) -> str:
    """Return a text in lower case, with single spaces."""
    return " ".join(text.split()).casefold()


@cache_of_short_texts(2048)  # items, records and cells are compared by the same addresses
def address_forms(url: str) -> tuple[str, ...]:
    """Return the path of an address, and the path with its query; nothing for the address of a whole site."""
    _, path, query = url_parts(url.strip())
    path = unquote(path).rstrip("/").casefold()
    forms = (f"u:{path}",) if len(path) > 1 else ()
    return (*forms, f"u:{path}?{query}") if query else forms


def is_address(text: str) -> bool:
    """Return whether a text is an address, of a site or within one."""
    return text.startswith(("/", "http:", "https:")) and " " not in text


def number_form(number: Decimal) -> str:
    """Return a number without trailing zeros."""
    return f"n:{number.normalize():f}" if abs(number.adjusted()) < _MAX_DIGITS else f"n:{number}"


def decimal_of(text: str) -> Decimal | None:
    """Return a number as programs write it, None for anything else."""
    if len(text) > _MAX_DIGITS or not text.strip("+-").replace(".", "", 1).isdecimal():
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def date_of(text: str) -> datetime.date | None:
    """Return the day of an ISO date or time, None for anything else."""
    match = _ISO_DATE.match(text)
    try:
        return datetime.date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def value_forms(text: str) -> set[str]:
    """Return the forms of a value of embedded data."""
    if is_address(text):
        return set(address_forms(text))
    forms = _text_forms(text)
    if (number := decimal_of(text)) is not None:
        forms.add(number_form(number))
    if day := date_of(text):
        forms.update(_day_forms(day, is_exact=len(text) == len("2000-01-01")))
    if match := _ISO_DURATION.match(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        forms.add(f"s:{((days * 24 + hours) * 60 + minutes) * 60 + seconds}")
    return forms


def cell_forms(cell: Cell) -> set[str]:
    """Return the forms of a cell: those of its text and of its typed value."""
    if cell.type in ("url", "image"):
        return set(address_forms(cell.text))
    forms = text_cell_forms(cell.text)
    value = cell.value
    if value is cell.text:
        return forms
    if isinstance(value, Money):
        forms.update((number_form(value.amount), f"c:{value.currency}"))
    elif isinstance(value, Rating):
        forms.add(number_form(value.score))
    elif isinstance(value, datetime.date):
        forms.add(f"d:{value.isoformat()[:10]}")
    elif isinstance(value, datetime.timedelta):
        forms.add(f"s:{int(value.total_seconds())}")
    elif isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        forms.add(number_form(Decimal(value)))
    return forms


def text_cell_forms(text: str) -> set[str]:
    """Return the forms of a cell that is text."""
    forms = _text_forms(text)
    if len(text) <= _MAX_NUMBER_TEXT and _HAS_DIGIT(text):
        forms.update(numbers_within(text))
    return forms


def _text_forms(text: str) -> set[str]:
    form = text_form(text[:MAX_TEXT_CHARS])
    if len(form) > PREFIX_CHARS:
        return {f"t:{form}", f"p:{form[:PREFIX_CHARS]}"}
    return {f"t:{form}"} if form else set()


def _day_forms(day: datetime.date, *, is_exact: bool) -> Iterator[str]:
    """Yield the day; of a time also the days around it, since nobody knows in which zone the page shows it."""
    for days in (0,) if is_exact else (-1, 0, 1):
        try:
            yield f"d:{(day + datetime.timedelta(days=days)).isoformat()}"
        except OverflowError:
            continue


def numbers_within(text: str) -> Iterator[str]:
    """Yield both readings of the only number in a short text: "1.234 reviews" is 1234 or 1.234."""
    if len(text) > _MAX_NUMBER_TEXT:
        return
    numbers = _NUMBER.findall(text)
    if len(numbers) != 1:
        return
    number_text = numbers[0]
    is_plain = number_text.isascii() and "'" not in number_text
    written = (number_text if is_plain else _SIGNS_WITHIN.sub("", number_text)).rstrip(".,")
    if written.isascii() and written.isdecimal() and len(written) <= _MAX_DIGITS:  # as most are
        yield f"n:{written.lstrip('0') or '0'}"
        return
    for reading in (written.replace(",", ""), written.replace(".", "").replace(",", ".")):
        if (number := decimal_of(reading)) is not None:
            yield number_form(number)

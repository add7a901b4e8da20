"""What the values of some roles look like: addresses, names of people and companies, places, codes, times ago."""

from __future__ import annotations

import re
from collections.abc import Sequence

from peneira.columns.value_patterns import may_contain_date
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.locales import month_names
from peneira.values import Role

column_values = compiled("column_values")

# Longer texts are looked at by their start
MAX_CHARS = 120
MIN_PROSE_CHARS = 60
MAX_PLACE_CHARS = 60
_STREET_WORDS = frozenset(
    """
    street st road rd avenue ave av lane ln drive dr crescent cres court ct terrace tce highway hwy place pl way
    boulevard blvd parade close grove square circuit lot unit suite str weg platz allee gasse ring damm ufer rue chemin
    quai impasse via viale piazza corso largo calle avenida avda plaza paseo carrer rua travessa alameda praca praça
    rodovia ulica ul aleja gatan vagen vägen vej gade veien katu tie straat laan plein utca sokak cad mah ulitsa ул пр
    пер улица проспект
    """.split()
)
_STREET_ENDS = (
    "strasse",
    "straße",
    "weg",
    "platz",
    "gasse",
    "allee",
    "gatan",
    "vägen",
    "vej",
    "katu",
    "straat",
    "laan",
)
_EASTERN_STREET = late_pattern(r"丁目|番地|[市区町]\S*\d|로 \d|길 \d")
_WORD = late_pattern(r"[^\W\d_]+(?:\.[^\W\d_]+)*")
_NUMBER = late_pattern(r"\d")
_POSTCODE = late_pattern(
    r"\b\d{4,6}\b|\b[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}\b|\b\d{5}-\d{3}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"
)
_COMPANY_WORDS = frozenset(
    """
    inc llc ltd plc corp co company group holding gmbh ag kg se ug ev sa sas srl sro as spa bv nv oy ab aps ltda eireli
    sl zrt kft doo pty university institute bank agency solutions technologies systems services studio lab labs ооо
    """.split()
)
_EASTERN_COMPANY = late_pattern(r"株式会社|有限会社|有限公司|주식회사|\(주\)")
_PERSON = late_pattern(
    r"(?:(?:by|von|par|por|di|av|af|door|od|от)\s+)?[^\W\d_][\w'’.-]*(?:\s+[^\W\d_][\w'’.-]*){1,3}$", re.IGNORECASE
)
_PLACE = late_pattern(r"[^\W\d_][\w'’. -]*(?:\s*[,–/-]\s*[^\W\d_][\w'’. -]*){0,3}(?:\s*\(?\d{4,6}\)?)?$")
TIME_AGO_WORDS = frozenset("ago vor hace há ha fa geleden temu pred před sedan siden sitten назад".split())
_DAY_WORDS = frozenset(
    """
    yesterday today gestern heute ayer hoy ontem hoje hier aujourd ieri oggi gisteren vandaag wczoraj dzis dziś včera
    dnes вчера сегодня
    """.split()
)
# "399 stars today" counts stars
_COUNT_OF_DAY = late_pattern(r"\d[\d.,]*\s+[^\W\d_]{3,}")
# "11 min read" takes eleven minutes
_TIME_AGO = late_pattern(
    r"\d{1,3}\s?(?:s|min|m|h|d|w|mo|y|hours?|days?|weeks?|months?|minutes?)(?!\w|\s?\d|\s[^\W\d_]{4})"
)
_EASTERN_TIME_AGO = late_pattern(r".*(?:前|전)$|昨天|今天")
_MONTH_AND_DAY = late_pattern(r"\d{1,2}\.?\s([^\W\d_]{3,12})\b|([^\W\d_]{3,12})\.?,?\s\d{1,2}\b")
_NUMERIC_DATE = late_pattern(
    r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\d\s\w{3,9},?\s\d{4}\b"
)
# A number and what it counts is no code where words have no space before them: "3コメント"
_CODE = late_pattern(r"(?=\S*\d)(?!\d+[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+$)[\w#][\w./:#()-]*$")
_RATING = late_pattern(
    r"^\(?\d(?:[.,]\d{1,2})?\)?(?:\s*(?:/|out of|von|de|sur|su|of)\s*\d+.*|\s*(?:stars?|sterne|estrellas|avg.*))?$",
    re.IGNORECASE,
)
_CURRENCY_SIGN = late_pattern("[$€£¥₹₽₩₺₴₫฿]")
_CURRENCY_CODES = "EUR|USD|GBP|CHF|BRL|PLN|SEK|NOK|DKK|CZK|HUF|Kč|zł|kr|Ft"
_CURRENCY_CODE = late_pattern(rf"\b(?:{_CURRENCY_CODES})\b")
_CURRENCY_WORDS = frozenset(_CURRENCY_CODES.lower().split("|"))


def _words(start: str) -> list[str]:
    """Return the words of a text in lower case, abbreviations without their points: "s.r.o." is "sro"."""
    words: list[str] = _WORD.findall(start.lower())
    return [word.replace(".", "") for word in words] if "." in start else words


def _is_address(text: str, words: list[str]) -> bool:
    if not _STREET_WORDS.isdisjoint(words) or ("," in text and _POSTCODE.search(text)):
        return True
    return any(word.endswith(_STREET_ENDS) for word in words) or _EASTERN_STREET.search(text) is not None


def _is_company(text: str, words: list[str]) -> bool:
    if not _COMPANY_WORDS.isdisjoint(words):
        return True
    return not text.isascii() and _EASTERN_COMPANY.search(text) is not None


def _is_person(text: str) -> bool:
    words = text.rsplit(None, 1)
    return bool(words) and words[-1][:1].isupper() and _PERSON.match(text) is not None


def _is_place(text: str) -> bool:
    return text[:1].isupper() and len(text) <= MAX_PLACE_CHARS and _PLACE.match(text) is not None


def _is_date(text: str, words: list[str], *, has_digit: bool) -> bool:
    if not TIME_AGO_WORDS.isdisjoint(words) or (not text.isascii() and _EASTERN_TIME_AGO.match(text)):
        return True
    if not _DAY_WORDS.isdisjoint(words) and not _COUNT_OF_DAY.match(text):
        return True
    if not has_digit:
        return False
    if _TIME_AGO.match(text) or (may_contain_date(text) and _NUMERIC_DATE.search(text)):
        return True
    match = _MONTH_AND_DAY.match(text)
    return match is not None and (match[1] or match[2]).lower() in month_names()


def _is_money(text: str, words: list[str]) -> bool:
    if _CURRENCY_SIGN.search(text) is not None:
        return True
    is_worded = "." in text or not _CURRENCY_WORDS.isdisjoint(words)
    return is_worded and _CURRENCY_CODE.search(text) is not None


# Texts without any of these, and without other letters than ASCII has, look like no company and are not of today
_TELLING_WORDS = _COMPANY_WORDS | TIME_AGO_WORDS | _DAY_WORDS

# The roles whose values can be told by their look
LOOKS: tuple[Role, ...] = (
    "address", "company", "author", "location", "date", "price", "rating", "summary", "description", "id",
)  # fmt: skip


# What a word may be, as bits; the kernel gives those of all words of a text at once
_KINDS_OF_WORDS: dict[str, int] = {}
for _bit, _kind_words in enumerate((_STREET_WORDS, _COMPANY_WORDS, TIME_AGO_WORDS, _DAY_WORDS, _CURRENCY_WORDS)):
    for _own in _kind_words:
        _KINDS_OF_WORDS[_own] = _KINDS_OF_WORDS.get(_own, 0) | 1 << _bit
# What the kernel asks of the few texts that it cannot decide
_PATTERNS = (
    _PERSON, _PLACE, _EASTERN_COMPANY, _POSTCODE, _EASTERN_STREET, _CURRENCY_CODE, _RATING, _CODE, _EASTERN_TIME_AGO,
    _COUNT_OF_DAY, _TIME_AGO, _NUMERIC_DATE, _MONTH_AND_DAY,
)  # fmt: skip


def is_day(text: str) -> bool:
    """Return whether a text is a day and a month in words, without a year: 11. února."""
    match = _MONTH_AND_DAY.fullmatch(text)
    return match is not None and (match[1] or match[2]).lower() in month_names()


def look_shares(texts: Sequence[str]) -> dict[Role, float]:
    """Return for some roles the share of the texts that look like a value of it."""
    counts = _counts_plain(texts) if column_values is None else _counts(list(texts))
    size = len(texts)
    return dict(zip(LOOKS, [count / size for count in counts], strict=True))


def _counts_plain(texts: Sequence[str]) -> tuple[int, ...]:
    """Return how many texts look like a value of each role of ``LOOKS``."""
    address = company = author = location = date = price = rating = prose = code = 0
    for whole in texts:
        text = whole[:MAX_CHARS]
        words, has_digit = _words(text), _NUMBER.search(text) is not None
        if has_digit or not text.isascii() or not _TELLING_WORDS.isdisjoint(words):
            company += _is_company(text, words)
            date += _is_date(text, words, has_digit=has_digit)
        author += _is_person(text)
        location += _is_place(text)
        prose += len(text) >= MIN_PROSE_CHARS
        if has_digit:
            address += _is_address(text, words)
            price += _is_money(text, words)
            rating += _RATING.match(text) is not None
            code += _CODE.match(text) is not None
    return (address, company, author, location, date, price, rating, prose, prose, code)


def _counts(texts: list[str]) -> tuple[int, ...]:
    """Return the same by the kernel."""
    counts: tuple[int, ...] = column_values.look_counts(
        texts, _KINDS_OF_WORDS, _STREET_ENDS, _PATTERNS, month_names(), MAX_CHARS, MAX_PLACE_CHARS, MIN_PROSE_CHARS
    )
    return counts

"""What the values of some roles look like: addresses, names of people and companies, places, codes, times ago."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from peneira.types.locales import month_names
from peneira.values import Role

# Longer texts are looked at by their start
MAX_CHARS = 120
MIN_PROSE_CHARS = 60
_STREET = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|crescent|cres|court|ct|terrace|tce|highway|hwy|place|pl|way|"
    r"boulevard|blvd|parade|close|grove|square|circuit|lot|unit|suite|str|weg|platz|allee|gasse|ring|damm|ufer|rue|"
    r"chemin|quai|impasse|via|viale|piazza|corso|largo|calle|avenida|avda|plaza|paseo|carrer|rua|travessa|alameda|"
    r"praca|rodovia|ulica|ul|aleja|gatan|vagen|vej|gade|veien|katu|tie|straat|laan|plein|utca|sokak|cad|mah|ulitsa)\b\.?|"
    r"(?:strasse|straße|weg|platz|gasse|allee|gatan|vägen|vej|katu|straat|laan)\b|\b(?:ул|пр|пер)\.|"
    r"丁目|番地|[市区町]\S*\d|로 \d|길 \d",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_POSTCODE = re.compile(r"\b\d{4,6}\b|\b[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}\b|\b\d{5}-\d{3}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b")
_COMPANY = re.compile(
    r"\b(?:inc|llc|ltd|plc|corp|co|company|group|holding|gmbh|ag|kg|se|ug|e\.v|s\.?a|s\.?a\.?s|s\.?r\.?l|s\.?r\.?o|a\.?s|"
    r"s\.?p\.?a|b\.?v|n\.?v|oy|ab|aps|ltda|eireli|s\.?l|sp\. z o\.o|zrt|kft|d\.o\.o|pty|university|institute|bank|"
    r"agency|solutions|technologies|systems|services|studio|labs?)\b|株式会社|有限会社|有限公司|주식회사|\(주\)|\bООО\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:(?:by|von|par|por|di|av|af|door|od|от)\s+)?[^\W\d_][\w'’.-]*(?:\s+[^\W\d_][\w'’.-]*){1,3}$", re.IGNORECASE
)
_PLACE = re.compile(r"[^\W\d_][\w'’. -]*(?:\s*[,–/-]\s*[^\W\d_][\w'’. -]*){0,3}(?:\s*\(?\d{4,6}\)?)?$")
_TIME_AGO = re.compile(
    r"\b(?:ago|yesterday|today|just now|vor|gestern|heute|hace|ayer|hoy|ha|ontem|hoje|il y a|hier|aujourd|fa|ieri|oggi|"
    r"geleden|gisteren|vandaag|temu|wczoraj|dzis|pred|vcera|dnes|sedan|siden|sitten|назад|вчера|сегодня)\b|"
    r"^\d{1,3}\s?(?:s|min|m|h|d|w|mo|y|hours?|days?|weeks?|months?|minutes?)\b|前$|전$|昨天|今天",
    re.IGNORECASE,
)
_MONTH_AND_DAY = re.compile(r"\d{1,2}\.?\s([^\W\d_]{3,12})\b|([^\W\d_]{3,12})\.?,?\s\d{1,2}\b")
_NUMERIC_DATE = re.compile(
    r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\d\s\w{3,9},?\s\d{4}\b"
)
_CODE = re.compile(r"(?=\S*\d)[\w#][\w./:#()-]*$")
_RATING = re.compile(
    r"^\(?\d(?:[.,]\d{1,2})?\)?(?:\s*(?:/|out of|von|de|sur|su|of)\s*\d+.*|\s*(?:stars?|sterne|estrellas|avg.*))?$",
    re.IGNORECASE,
)
_MONEY = re.compile(r"[$€£¥₹₽₩₺₴₫฿]|\b(?:EUR|USD|GBP|CHF|BRL|PLN|SEK|NOK|DKK|CZK|HUF|Kč|zł|kr|Ft)\b")


def _is_address(text: str) -> bool:
    return bool(_NUMBER.search(text)) and bool(_STREET.search(text) or ("," in text and _POSTCODE.search(text)))


def _is_person(text: str) -> bool:
    match = _PERSON.match(text)
    return match is not None and text[:1].isalpha() and text.split()[-1][:1].isupper()


def _is_date(text: str) -> bool:
    if _NUMERIC_DATE.search(text) or _TIME_AGO.search(text):
        return True
    match = _MONTH_AND_DAY.match(text)
    return match is not None and (match[1] or match[2]).lower() in month_names()


def _is_money(text: str) -> bool:
    return bool(_MONEY.search(text)) and bool(_NUMBER.search(text))


def _is_prose(text: str) -> bool:
    return len(text) >= MIN_PROSE_CHARS


# For some roles, whether a text looks like a value of it
_LOOKS: Mapping[Role, Callable[[str], bool]] = {
    "address": _is_address,
    "company": lambda text: _COMPANY.search(text) is not None,
    "author": _is_person,
    "location": lambda text: text[:1].isupper() and len(text) <= 60 and _PLACE.match(text) is not None,
    "date": _is_date,
    "price": _is_money,
    "rating": lambda text: _RATING.match(text) is not None,
    "summary": _is_prose,
    "description": _is_prose,
    "id": lambda text: _CODE.match(text) is not None,
}
LOOKS: tuple[Role, ...] = tuple(_LOOKS)


def look_shares(texts: Sequence[str]) -> dict[Role, float]:
    """Return for some roles the share of the texts that look like a value of it."""
    starts = [text[:MAX_CHARS] for text in texts]
    return {role: sum(map(looks, starts)) / len(starts) for role, looks in _LOOKS.items()}

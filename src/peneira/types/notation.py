"""How a column writes its values: decimal sign, order of day and month, currency; and what is usual in a language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

DecimalSign = Literal["", ".", ","]
DayOrder = Literal["", "dmy", "mdy", "ymd"]

# Longer texts are not a number, a price or a date
MAX_VALUE_CHARS = 100


@dataclass(frozen=True, slots=True)
class Notation:
    """How one column writes its values. Empty means undecided: a cell that can be read in two ways is then not read."""

    decimal: DecimalSign = ""
    order: DayOrder = ""
    currency: str = ""  # of cells without one, from the caption
    best: Decimal | None = None  # the best score of ratings in stars, for cells without empty stars
    minutes: bool = False  # "3:45" is minutes and seconds, as "1:02:33" in the same column shows
    separator: str = ""  # between the items of a list
    wrapping: tuple[str, str] = ("", "")  # what stands before and after every value, as in (14)


def _ascii_equivalents() -> dict[int, str]:
    """Return the characters that stand for an ASCII one (digits of other scripts, spaces, dashes) or are invisible."""
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms
    for zero in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50):  # Arabic, Persian, Devanagari, Bengali, Thai
        table |= {zero + digit: str(digit) for digit in range(10)}
    table |= dict.fromkeys((0xA0, 0x2007, 0x2008, 0x2009, 0x200A, 0x2002, 0x2003, 0x202F, 0x3000), " ")
    table |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212), "-")
    table |= dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x066C), "'")
    table |= dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F), "")
    table |= dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "")
    return table | {0x066B: ".", 0x066A: "%", 0xFFE5: "¥", 0xFFE1: "£", 0x2044: "/", 0x2236: ":"}


_ASCII_EQUIVALENTS = _ascii_equivalents()


def normalized(text: str) -> str:
    """Return the text with whitespace collapsed, and with ASCII digits, dashes and spaces."""
    if not text.isascii():
        text = text.translate(_ASCII_EQUIVALENTS)
    return " ".join(text.split())


_COMMA_LANGUAGES = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no "
    "pl pt ro ru sk sl sq sr sv tr uk uz vi".split()
)
_POINT_LANGUAGES = frozenset("en he hi ja ko ms th zh".split())
# Regions that write numbers unlike other regions of their language, or in more than one way
_POINT_REGIONS = frozenset("de-ch de-li it-ch es-mx es-us es-pr es-gt es-hn es-ni es-pa es-sv es-do es-pe".split())
_MIXED_DECIMAL_REGIONS = frozenset("en-za fr-ch".split())

_DAY_FIRST_LANGUAGES = frozenset(
    "az be bg bs ca cs da de el es et fi fo fr gl he hi hr hy id is it ka kk lv mk ms nb nl nn no "
    "pl pt ro ru sk sl sq sr th tr uk uz vi".split()
)
_YEAR_FIRST_LANGUAGES = frozenset("eu hu ja ko lt zh".split())
_DAY_FIRST_REGIONS = frozenset("en-gb en-au en-nz en-ie en-in en-sg en-mt en-jm en-tt en-ng en-ke en-pk".split())
_MONTH_FIRST_REGIONS = frozenset("en-us en-ph fil-ph en-pr".split())
_MIXED_ORDER_REGIONS = frozenset("es-us es-pr fr-ca".split())


def _language_and_region(language: str) -> tuple[str, str]:
    """Return "pt" and "pt-br" for a language tag such as pt-BR or pt_BR; the second is "" without a region."""
    parts = re.split(r"[-_]", language.strip().lower())
    region = next((part for part in parts[1:] if len(part) == 2), "")
    return parts[0], f"{parts[0]}-{region}" if region else ""


# Countries whose English pages mostly have the tag "en" alone; .gov, .mil and .edu belong to the United States
_REGION_OF_DOMAIN = {name: name for name in "au ca ie in mt ng nz ph pk sg us za".split()}
_REGION_OF_DOMAIN |= {"uk": "gb", "gov": "us", "mil": "us", "edu": "us"}


def language_with_region(language: str, host: str) -> str:
    """Return the language tag of a page; "en" or no tag gets the region that the host implies."""
    name, region = _language_and_region(language)
    implied = _REGION_OF_DOMAIN.get(host.rsplit(".", 1)[-1].lower(), "")
    return f"en-{implied}" if implied and name in ("", "en") and not region else language


def decimal_sign_of_language(language: str) -> DecimalSign:
    """Return the decimal sign that is usual in a language; empty where usage is mixed or unknown."""
    name, region = _language_and_region(language)
    if region in _MIXED_DECIMAL_REGIONS:
        return ""
    if name in _POINT_LANGUAGES or region in _POINT_REGIONS:
        return "."
    return "," if name in _COMMA_LANGUAGES else ""


def day_order_of_language(language: str) -> DayOrder:
    """Return the order of day, month and year that is usual in a language; empty for "en" alone, where it is mixed."""
    name, region = _language_and_region(language)
    if region in _MIXED_ORDER_REGIONS:
        return ""
    if region in _MONTH_FIRST_REGIONS:
        return "mdy"
    if name in _DAY_FIRST_LANGUAGES or region in _DAY_FIRST_REGIONS:
        return "dmy"
    return "ymd" if name in _YEAR_FIRST_LANGUAGES else ""

"""How a column writes its values: decimal sign, order of day and month, currency; and what a language usually does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

DecimalSign = Literal["", ".", ","]
DayOrder = Literal["", "dmy", "mdy", "ymd"]

# No number, price or date that a reader would call one is longer
MAX_CHARS = 100


@dataclass(frozen=True, slots=True)
class Notation:
    """The habits of one column. Empty means undecided: a cell that can be read in two ways is then not read at all."""

    decimal: DecimalSign = ""
    order: DayOrder = ""
    currency: str = ""  # of cells that show none, from the caption
    best: Decimal | None = None  # of stars without empty ones beside them
    minutes: bool = False  # "3:45" is minutes and seconds, as "1:02:33" in the same column shows
    separator: str = ""  # of the parts of a list
    wrapping: tuple[str, str] = ("", "")  # what stands before and after every value, as in (14)


def _characters() -> dict[int, str]:
    """Return the characters that mean an ASCII one (digits of other scripts, spaces, dashes), or nothing at all."""
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms
    for zero in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50):  # Arabic, Persian, Devanagari, Bengali, Thai
        table |= {zero + digit: str(digit) for digit in range(10)}
    table |= dict.fromkeys((0xA0, 0x2007, 0x2008, 0x2009, 0x200A, 0x2002, 0x2003, 0x202F, 0x3000), " ")
    table |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212), "-")
    table |= dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x066C), "'")
    table |= dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F), "")
    table |= dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "")
    return table | {0x066B: ".", 0x066A: "%", 0xFFE5: "¥", 0xFFE1: "£", 0x2044: "/", 0x2236: ":"}


_CHARACTERS = _characters()


def plain(text: str) -> str:
    """Return the text with white space collapsed, digits of other scripts as ASCII, dashes and spaces of one kind."""
    if not text.isascii():
        text = text.translate(_CHARACTERS)
    return " ".join(text.split())


_COMMA_LANGUAGES = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no "
    "pl pt ro ru sk sl sq sr sv tr uk uz vi".split()
)
_POINT_LANGUAGES = frozenset("en he hi ja ko ms th zh".split())
# Regions that write numbers unlike most speakers of their language
_POINT_REGIONS = frozenset("de-ch de-li it-ch es-mx es-us es-pr es-gt es-hn es-ni es-pa es-sv es-do es-pe".split())
_UNSETTLED_REGIONS = frozenset("en-za fr-ch".split())

_DAY_FIRST_LANGUAGES = frozenset(
    "az be bg bs ca cs da de el es et fi fo fr gl he hi hr hy id is it ka kk lv mk ms nb nl nn no "
    "pl pt ro ru sk sl sq sr th tr uk uz vi".split()
)
_YEAR_FIRST_LANGUAGES = frozenset("eu hu ja ko lt zh".split())
_DAY_FIRST_REGIONS = frozenset("en-gb en-au en-nz en-ie en-in en-sg en-mt en-jm en-tt en-ng en-ke en-pk".split())
_MONTH_FIRST_REGIONS = frozenset("en-us en-ph fil-ph en-pr".split())
_UNSETTLED_ORDERS = frozenset("es-us es-pr fr-ca".split())


def _tag(language: str) -> tuple[str, str]:
    """Return the language and its region ("pt", "pt-br") of a tag such as pt-BR, pt_BR or zh-Hant-TW."""
    parts = re.split(r"[-_]", language.strip().lower())
    region = next((part for part in parts[1:] if len(part) == 2), "")
    return parts[0], f"{parts[0]}-{region}" if region else ""


# Domains of countries whose English pages mostly say "en" alone; .gov, .mil and .edu are kept for the United States
_REGIONS = {name: name for name in "au ca ie in mt ng nz ph pk sg us za".split()}
_REGIONS |= {"uk": "gb", "gov": "us", "mil": "us", "edu": "us"}


def language_with_region(language: str, host: str) -> str:
    """Return the language tag of a page with the region that its host implies, if English or nothing stands alone."""
    name, region = _tag(language)
    place = _REGIONS.get(host.rsplit(".", 1)[-1].lower(), "")
    return f"en-{place}" if place and name in ("", "en") and not region else language


def decimal_of_language(language: str) -> DecimalSign:
    """Return the decimal sign of a language tag, empty where its speakers differ or it is unknown."""
    name, region = _tag(language)
    if region in _UNSETTLED_REGIONS:
        return ""
    if name in _POINT_LANGUAGES or region in _POINT_REGIONS:
        return "."
    return "," if name in _COMMA_LANGUAGES else ""


def order_of_language(language: str) -> DayOrder:
    """Return the order of day, month and year of a language tag; empty for a bare "en", whose speakers differ."""
    name, region = _tag(language)
    if region in _UNSETTLED_ORDERS:
        return ""
    if region in _MONTH_FIRST_REGIONS:
        return "mdy"
    if name in _DAY_FIRST_LANGUAGES or region in _DAY_FIRST_REGIONS:
        return "dmy"
    return "ymd" if name in _YEAR_FIRST_LANGUAGES else ""

"""How a column writes its values: decimal sign, order of day and month, currency; and what is usual in a language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.locales import convention, has_conventions, language_and_region

DecimalSign = Literal["", ".", ","]
DayOrder = Literal["", "dmy", "mdy", "ymd"]

# Longer texts are not a number, a price or a date
MAX_VALUE_CHARS = 100


@dataclass(frozen=True, slots=True)
class Notation:
    """How one column writes its values. Empty means undecided: a cell that can be read in two ways is then not read."""

    decimal: DecimalSign = ""
    order: DayOrder = ""
    language: str = ""  # of names of months that mean different months in different languages
    currency: str = ""  # of cells without one, from the caption
    best: Decimal | None = None  # the best score of ratings in stars, for cells without empty stars
    minutes: bool = False  # "3:45" is minutes and seconds, as "1:02:33" in the same column shows
    separator: str = ""  # between the items of a list
    wrapping: tuple[str, str] = ("", "")  # what stands before and after every value, as in (14)


PLAIN_NOTATION = Notation()


# Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Burmese,
# Khmer
_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040, 0x17E0)


def _ascii_equivalents() -> dict[int, str]:
    """Return the characters that stand for an ASCII one (digits of other scripts, spaces, dashes) or are invisible."""
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms
    for zero in _ZEROS:
        table |= {zero + digit: str(digit) for digit in range(10)}
    table |= dict.fromkeys((0xA0, 0x2007, 0x2008, 0x2009, 0x200A, 0x2002, 0x2003, 0x202F, 0x3000), " ")
    table |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212), "-")
    table |= dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x066C), "'")
    table |= dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F), "")
    table |= dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "")
    return table | {0x066B: ".", 0x066A: "%", 0xFFE5: "¥", 0xFFE1: "£", 0x2044: "/", 0x2236: ":"}


_ASCII_EQUIVALENTS = _ascii_equivalents()
# Texts have few of these or none, so that replacing them takes a tenth of the time of a translation
_WITH_EQUIVALENT = late_pattern(f"[{''.join(map(chr, sorted(_ASCII_EQUIVALENTS)))}]")


_text_scan = compiled("text_scan")
_settled = None if _text_scan is None else _text_scan.SettledTexts("".join(map(chr, _ASCII_EQUIVALENTS)))


def normalized(text: str) -> str:
    """Return the text with whitespace collapsed, and with ASCII digits, dashes and spaces."""
    if _settled is not None and _settled(text):
        return text
    if not text.isascii():
        text = _WITH_EQUIVALENT.sub(lambda match: _ASCII_EQUIVALENTS[ord(match[0])], text)
    return " ".join(text.split())


def normalized_counts(texts: Sequence[str]) -> dict[str, int]:
    """Return the distinct normalized texts, in order of appearance, with their counts."""
    if _settled is not None:
        known: dict[str, int] = _settled.counts(texts, normalized)
        return known
    counts: dict[str, int] = {}
    own = dict.fromkeys(texts, 1)
    for text, count in (own if len(own) == len(texts) else Counter(texts)).items():
        same = normalized(text)
        counts[same] = counts.get(same, 0) + count
    return counts


# Regions that write numbers or dates in more than one way, whatever CLDR says
_MIXED_DECIMAL_REGIONS = frozenset("en-za fr-ch".split())
_MIXED_ORDER_REGIONS = frozenset("en-za es-us es-pr fr-ca".split())
# Where years also count from other eras (calendarPreferenceData of CLDR): a year of two digits is not read
_OTHER_CALENDARS = frozenset("th fa ps ckb ar-sa uz-af en-th".split())
# Where the years of another calendar look like ours: 2081 of Nepal is 2024, 2016 of Ethiopia is 2024
_CONFUSABLE_CALENDARS = frozenset("ne am ti".split())


# Countries whose English pages mostly have the tag "en" alone; .gov, .mil and .edu belong to the United States
_REGION_OF_DOMAIN = {name: name for name in "au ca ie in mt ng nz ph pk sg us za".split()}
_REGION_OF_DOMAIN |= {"uk": "gb", "gov": "us", "mil": "us", "edu": "us"}


def language_with_region(language: str, host: str) -> str:
    """Return the language tag of a page; "en" or no tag gets the region that the host implies."""
    name, region = language_and_region(language)
    implied = _REGION_OF_DOMAIN.get(host.rsplit(".", 1)[-1].lower(), "")
    return f"en-{implied}" if implied and name in ("", "en") and not region else language


def decimal_sign_of_language(language: str) -> DecimalSign:
    """Return the decimal sign that is usual in a language; empty where usage is mixed or unknown."""
    if language_and_region(language)[1] in _MIXED_DECIMAL_REGIONS:
        return ""
    sign = convention(language, "decimal")
    return "." if sign == "." else "," if sign == "," else ""


def has_mixed_dollars(language: str) -> bool:
    """Return whether amounts in $ have another decimal sign than numbers may have: "es" is Mexico or Argentina."""
    return language_and_region(language) == ("es", "")


def day_order_of_language(language: str) -> DayOrder:
    """Return the order of day, month and year that is usual in a language; empty for "en" alone, where it is mixed."""
    name, region = language_and_region(language)
    if region in _MIXED_ORDER_REGIONS or (name == "en" and not has_conventions(region)):
        return ""
    order = convention(language, "order")
    return "dmy" if order == "dmy" else "mdy" if order == "mdy" else "ymd" if order == "ymd" else ""


def has_other_calendar(language: str) -> bool:
    """Return whether a year of two digits may be one of another calendar in a language: 67 is 2024 in Thailand."""
    return not _OTHER_CALENDARS.isdisjoint(language_and_region(language))


def has_confusable_calendar(language: str) -> bool:
    """Return whether a year of four digits may be one of another calendar in a language: 2081 is 2024 in Nepal."""
    return language_and_region(language)[0] in _CONFUSABLE_CALENDARS

"""Dates as people write them, and which of day and month comes first in a column.

Only whole dates are read: day, month and year. "March 2024", "5 March" and "2 hours ago" name no single day by
themselves and stay text. Two-digit years follow POSIX: 69-99 are 1969-1999, 00-68 are 2000-2068.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from peneira.types.calendar_words import MONTHS, TIME_WORDS, WEEKDAYS
from peneira.types.notation import MAX_CHARS, DayOrder, Notation, order_of_language
from peneira.types.numbers import MIN_AGREEMENT
from peneira.types.times import TIME, spell_colons, time_of

EARLIEST_YEAR, LATEST_YEAR = 1500, 2199
_ORDERS: tuple[DayOrder, ...] = ("dmy", "mdy")

_WORD = r"[^\W\d_]{2,14}"
# Points between bare single digits, 2024.3.5 or 4.2.11, are as likely a version
_YEAR_FIRST = re.compile(r"(\d{4})(?:([-/])(\d{1,2})\2(\d{1,2})|\.(\d\d)\.(\d\d)\.?|\. ?(\d{1,2})\. ?(\d{1,2})\.)")
_YEAR_LAST = re.compile(r"(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d\d)(?: ?[гr]\.)?")
_DAY_NAME = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|\.?º|ª|°|:e|e)?\.?(?:[ /-]|(?<=\.))(?:(?:of|de|di) |d')?({_WORD})[.,]{{0,2}}[ /-]?"
    r"(?:(?:of|de|del) )?(\d{4}|'?\d\d)(?: ?(?:г|r|року?|р)\.?)?",
    re.IGNORECASE,
)
_NAME_DAY = re.compile(
    rf"({_WORD})\.?[ /-](\d{{1,2}})(?:st|nd|rd|th|º|\.)?(?:, ?| |-|/| de )(\d{{4}}|'\d\d)", re.IGNORECASE
)
_YEAR_NAME = re.compile(rf"(\d{{4}})[.,]?[ /-]({_WORD})\.?[ /-](\d{{1,2}})\.?", re.IGNORECASE)
_CJK = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일号號]?")

_NUMBERS = re.compile(r"\d ?[-/.] ?\d{1,2} ?[-/.] ?\d|\d ?[年년]")
_ANY_WORD = re.compile(_WORD)
_LEADING_WORD = re.compile(r"\(?([^\W\d_]{1,5}曜日|[^\W\d_]+(?:-feira)?)\.?\)?,? ?", re.IGNORECASE)
_TRAILING_WORD = re.compile(r",? ?[(\[]?([^\W\d_]+(?:-feira)?)\.?[)\]]?$", re.IGNORECASE)
_ARTICLES = frozenset("the on le el il den d am dia".split())
_JOINTS = " ,-|·@/"
_TIME_WORDS = frozenset(TIME_WORDS)

_CAPTION_DAY_FIRST = re.compile(r"\b(?:d|dd|tt|jj|gg)[/. -]m{1,2}\b", re.IGNORECASE)
_CAPTION_MONTH_FIRST = re.compile(r"\bm{1,2}[/. -]d{1,2}\b", re.IGNORECASE)


class Stamp(NamedTuple):
    """A date as written: the day if it can be read in one way only, and its numbers if it is made of three."""

    known: datetime.date | None
    numbers: tuple[int, int, int]
    short_year: bool = False
    dotted: bool = False
    tells: DayOrder = ""  # the order that its numbers prove for the column
    time: datetime.time | None = None
    days: frozenset[int] = frozenset()  # the weekdays that stand beside it, if any


@lru_cache(maxsize=4096)
def stamp(text: str) -> Stamp | None:
    """Return the parts of a date with or without a time, or None."""
    if not _has_date(text):
        return None
    if found := _date(text):
        return found
    text = spell_colons(text)
    clock = TIME.search(text)
    if clock is None:
        return _day(text, None)
    time = time_of(clock)
    before, after = _bare(text[: clock.start()]), _bare(text[clock.end() :])
    if time is None or (before and after):
        return None
    return _day(before or after, time)


def _has_date(text: str) -> bool:
    """Return whether a text is worth a closer look: it has three numbers in a row, or a month."""
    if _NUMBERS.search(text):
        return True
    return any(word.lower() in MONTHS for word in _ANY_WORD.findall(text))


def _bare(text: str) -> str:
    """Return what stands beside a time without the signs and small words that joined them."""
    text = text.strip(_JOINTS)
    if text[-1:] == "T" and text[-2:-1].isdigit():
        return text[:-1]
    words = text.split(" ")
    while words[-1].lower() in _TIME_WORDS:
        words.pop()
        if not words:
            return ""
    return " ".join(words).rstrip(_JOINTS)


def _day(text: str, time: datetime.time | None) -> Stamp | None:
    """Return the stamp of a text that holds a date and perhaps a weekday."""
    if not text:
        return None
    if found := _date(text):
        return found._replace(time=time)
    lead, trail = _LEADING_WORD.match(text), _TRAILING_WORD.search(text)
    if lead and (lead[1].lower() in WEEKDAYS or lead[1].lower() in _ARTICLES):
        rest, name = text[lead.end() :], lead[1].lower()
    elif trail and trail[1].lower() in WEEKDAYS:
        rest, name = text[: trail.start()], trail[1].lower()
    else:
        return None
    found = _day(rest.strip(_JOINTS), time)
    return found._replace(days=WEEKDAYS.get(name) or found.days) if found else None


def _date(text: str) -> Stamp | None:
    """Return the stamp of a bare date."""
    if text[0].isdigit():
        if match := _YEAR_LAST.fullmatch(text):
            return _year_last(match)
        if match := _YEAR_FIRST.fullmatch(text):
            _, month, day = filter(None, match.group(1, 3, 5, 7, 4, 6, 8))
            return _known(match[1], int(month), day)
        if match := _DAY_NAME.fullmatch(text):
            return _known(match[3], MONTHS.get(match[2].lower(), 0), match[1])
        if match := _YEAR_NAME.fullmatch(text):
            return _known(match[1], MONTHS.get(match[2].lower(), 0), match[3])
        match = None if text.isascii() else _CJK.fullmatch(text)
        return _known(match[1], int(match[2]), match[3]) if match else None
    match = _NAME_DAY.fullmatch(text)
    return _known(match[3], MONTHS.get(match[1].lower(), 0), match[2]) if match else None


def _known(year: str, month: int, day: str) -> Stamp | None:
    date = _valid(_full_year(year), month, int(day))
    return Stamp(date, (0, 0, 0)) if date else None


def _year_last(match: re.Match[str]) -> Stamp | None:
    """Return the stamp of three numbers: known if only one order gives a day, or if both give the same."""
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    short = len(match[4]) == 2
    if short and match[2] in ".-" and not len(match[1]) == len(match[3]) == 2:  # 4.2.11 and 10-5-12 may be anything
        return None
    numbers = (first, second, third)
    day_first, month_first = _ordered(numbers, "dmy", short), _ordered(numbers, "mdy", short)
    if not day_first and not month_first and not _ordered(numbers, "ymd", short):
        return None
    both = day_first and month_first and day_first != month_first
    tells: DayOrder = "" if day_first and month_first else "dmy" if day_first else "mdy" if month_first else "ymd"
    return Stamp(None if both else day_first or month_first, numbers, short, match[2] == ".", tells)


def _full_year(year: str) -> int:
    digits = year.lstrip("'")
    return int(digits) if len(digits) == 4 else _century(int(digits))


def _century(year: int) -> int:
    return year + (1900 if year >= 69 else 2000)


def _valid(year: int, month: int, day: int) -> datetime.date | None:
    if not (EARLIEST_YEAR <= year <= LATEST_YEAR and 1 <= month <= 12):
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _ordered(numbers: tuple[int, int, int], order: DayOrder, short: bool) -> datetime.date | None:
    """Return the day that three numbers name in one order."""
    first, second, third = numbers
    if order == "ymd":
        return _valid(_century(first), second, third) if short else None
    year = _century(third) if short else third
    return _valid(year, second, first) if order == "dmy" else _valid(year, first, second)


def day_order(cells: Iterable[tuple[str, int]], caption: str, language: str) -> DayOrder:
    """Return the order of day and month in a column: by its telling cells, else by caption, else by language.

    A cell tells if one of its numbers is above 12, or if only one order gives the weekday that stands beside it. Points
    between the numbers count as a sign of the day coming first. Signs that disagree leave the order undecided, and so
    does a bare "en".
    """
    stamps = [(found, count) for text, count in cells if (found := stamp(text)) and any(found.numbers)]
    if not stamps:
        return ""
    usual = order_of_language(language)
    short = [found.numbers for found, _ in stamps if found.short_year]
    if usual == "ymd" and short and all(_ordered(numbers, "ymd", True) for numbers in short):
        return "ymd"
    votes: Counter[DayOrder] = Counter()
    for found, count in stamps:
        votes[_told(found)] += count
    del votes[""]
    if votes:
        order, most = max(votes.items(), key=lambda vote: vote[1])
        doubtful = order == "dmy" and not usual and _may_start_with_year(short)
        return "" if doubtful or most < MIN_AGREEMENT * votes.total() else order
    return _hinted(stamps, caption, usual)


def _told(found: Stamp) -> DayOrder:
    """Return the order that a cell proves, if it does."""
    if not found.days or found.tells:
        return found.tells
    days = {order: _ordered(found.numbers, order, found.short_year) for order in _ORDERS}
    fitting = [order for order, day in days.items() if day and day.weekday() in found.days]
    return fitting[0] if len(fitting) == 1 else ""


def _may_start_with_year(short: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether two-digit years may come first, as in 24/03/05, 24/03/06: the last numbers vary like days."""
    if len(set(short)) < 3 or not all(_ordered(numbers, "ymd", True) for numbers in short):
        return False
    return len({first for first, _, _ in short}) < len({last for _, _, last in short})


def _hinted(stamps: Sequence[tuple[Stamp, int]], caption: str, usual: DayOrder) -> DayOrder:
    """Return the order that caption, language and points suggest, if they agree."""
    day_first, month_first = _CAPTION_DAY_FIRST.search(caption), _CAPTION_MONTH_FIRST.search(caption)
    if bool(day_first) != bool(month_first):
        return "dmy" if day_first else "mdy"
    hints: set[DayOrder] = {usual} if usual in _ORDERS else set()
    if any(found.dotted for found, _ in stamps):
        hints.add("dmy")
    return hints.pop() if len(hints) == 1 else ""


def _read(text: str, notation: Notation) -> tuple[datetime.date, datetime.time | None] | None:
    """Return the day and the time a cell holds. A two-digit year is read only where the order is decided."""
    found = stamp(text) if len(text) <= MAX_CHARS else None
    if found is None:
        return None
    day = found.known
    if found.short_year and notation.order in ("", "ymd"):
        day = _ordered(found.numbers, notation.order, True) if notation.order else None
    elif day is None and notation.order:
        day = _ordered(found.numbers, notation.order, found.short_year)
    return (day, found.time) if day else None


def read_date(text: str, notation: Notation) -> datetime.date | None:
    """Return the day a cell holds, without the time if there is one."""
    found = _read(text, notation)
    return found[0] if found else None


def read_datetime(text: str, notation: Notation) -> datetime.datetime | None:
    """Return the day and time a cell holds, with its zone if one is named; None for a day alone, which has no time."""
    found = _read(text, notation)
    return datetime.datetime.combine(found[0], found[1]) if found and found[1] else None

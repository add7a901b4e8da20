"""Dates as people write them, and whether the day or the month comes first in a column.

Only whole dates are read: day, month and year. "March 2024", "5 March" and "2 hours ago" do not name a single day and
stay text. Two-digit years follow POSIX: 69-99 are 1969-1999, 00-68 are 2000-2068. Years of the Buddhist era are read
beside a Thai month; years of other eras stay text.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from peneira.late_patterns import late_pattern
from peneira.types.locales import is_known, language_and_region, month_names, weekday_names
from peneira.types.notation import (
    MAX_VALUE_CHARS,
    DayOrder,
    Notation,
    day_order_of_language,
    has_confusable_calendar,
    has_other_calendar,
)
from peneira.types.numbers import MIN_AGREEMENT
from peneira.types.times import TIME, TIME_WORDS, time_of, with_colons

# Other four-digit numbers are rarely years of dates on the web
MIN_YEAR, MAX_YEAR = 1500, 2199
_ORDERS: tuple[DayOrder, ...] = ("dmy", "mdy")

# The years of the Buddhist era that Thai dates have, and how far they are ahead
BUDDHIST_YEARS = range(2400, 2600)
BUDDHIST_SHIFT = 543

# Not letters alone: the vowels of Hindi and Thai are marks, and some abbreviations have points inside
_WORD = r"[^\s\d,،/()-]{2,20}"
# With points between single digits, as in 2024.3.5 or 4.2.11, it is as likely a version
_YEAR_FIRST = late_pattern(r"(\d{4})(?:([-/])(\d{1,2})\2(\d{1,2})|\.(\d\d)\.(\d\d)\.?|\. ?(\d{1,2})\. ?(\d{1,2})\.)")
_YEAR_LAST = late_pattern(r"(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d\d)(?: ?[гr]?\.)?")
_DAY_NAME = late_pattern(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|\.?º|ª|°|:e|e)?[.,]?(?:[ /-]|(?<=\.))(?:(?:of|de|di|ta') |d')?({_WORD}?)"
    r"[.,،]{0,2}[ /-]?(?:(?:of|de|del|พ\.ศ\.|ค\.ศ\.) )?(\d{4}|'?\d\d)(?: ?(?:г|r|року?|р|թ)\.?|\.)?",
    re.IGNORECASE,
)
_NAME_DAY = late_pattern(
    rf"({_WORD})\.?[ /-](\d{{1,2}})(?:st|nd|rd|th|º|\.)?(?:, ?| |-|/| de )(\d{{4}}|'\d\d)", re.IGNORECASE
)
_YEAR_NAME = late_pattern(rf"(\d{{4}})(?: [mթ])?[.,]?[ /-]({_WORD}?)\.?[ /-](\d{{1,2}})(?: ?d)?\.?", re.IGNORECASE)
# 2024. gada 5. marts, 2024 ж. 5 наурыз
_YEAR_DAY_NAME = late_pattern(rf"(\d{{4}})(?:\. gada|[ -]ж\.),? (\d{{1,2}})[.-]? ?({_WORD})", re.IGNORECASE)
_VIETNAMESE = late_pattern(r"(?:ngày )?(\d{1,2}) (?:tháng|thg) (\d{1,2}),?(?: năm)? (\d{4})", re.IGNORECASE)
_CJK = late_pattern(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2})(?: ?[日일号號]([^\s\d()]{2,3})?)?")

_TWO_NUMBERS = late_pattern(r"\d\D+\d")
_NUMBERS = late_pattern(r"\d ?[-/.] ?\d{1,2} ?[-/.] ?\d|\d ?[年년]|\d (?:tháng|thg) \d", re.IGNORECASE)
_ANY_WORD = late_pattern(_WORD)
# What may be a weekday: one word, or two (thứ hai, יום שני)
_NAME = r"[^\s\d,،()\[\]]{1,24}"
_LEADING_NAMES = late_pattern(rf"\(?({_NAME})(?: ({_NAME}))?")
_TRAILING_NAMES = late_pattern(rf",? ?[(\[]?(?:({_NAME}) )?({_NAME})[)\]]?$")
# The longest match of the names after a date: two names, and the signs around them
_MAX_TRAILING_CHARS = 56
_AROUND_WEEKDAYS = " .,،)"
_ARTICLES = frozenset("the on le el il den d am dia ngày ที่".split())
# Shorter names of weekdays are also other words ("to" in Finnish), unless the day is one
_MIN_SURE_WEEKDAY = 3
_MAX_DOUBTFUL_MONTH = 3
_JOINTS = " ,-|·@/"
_TIME_WORDS = frozenset(TIME_WORDS)

_ISO_MOMENT = late_pattern(r"\d{4}-\d\d-\d\dT\d")
_CAPTION_DAY_FIRST = late_pattern(r"\b(?:d|dd|tt|jj|gg)[/. -]m{1,2}\b", re.IGNORECASE)
_CAPTION_MONTH_FIRST = late_pattern(r"\bm{1,2}[/. -]d{1,2}\b", re.IGNORECASE)


class WrittenDate(NamedTuple):
    """A date as written: the day if it can be read in one way only, and its numbers if it consists of three.

    A month by name is in ``name``; without a day, the name means different months in different languages, and the
    numbers are the year, 0 and the day.
    """

    day: datetime.date | None
    numbers: tuple[int, int, int]
    has_short_year: bool = False
    has_points: bool = False
    proves: DayOrder = ""  # the order that its numbers prove for the column
    time: datetime.time | None = None
    weekdays: frozenset[int] = frozenset()  # what the name of a weekday beside it can mean
    name: str = ""


@lru_cache(maxsize=4096)
def parse_date(text: str) -> WrittenDate | None:
    """Return the parts of a date with or without a time, or None."""
    if not _may_be_date(text):
        return None
    if date := _bare_date(text):
        return date
    text = with_colons(text)
    match = TIME.search(text)
    if match is None:
        return _date_with_weekday(text, None)
    time = time_of(match)
    before, after = _without_joints(text[: match.start()]), _without_joints(text[match.end() :])
    if time is None or (before and after):
        return None
    return _date_with_weekday(before or after, time)


def _may_be_date(text: str) -> bool:
    """Return whether a text has three numbers in a row or the name of a month, without which it is not a date."""
    if not _TWO_NUMBERS.search(text):
        return False
    if _NUMBERS.search(text):
        return True
    return not month_names().keys().isdisjoint(_ANY_WORD.findall(_bare_name(text).replace("d'", "")))


def _bare_name(word: str) -> str:
    """Return a word as names of months are looked up: in lower case, without the points of an abbreviation."""
    return word.lower().replace(".", "")


def _without_joints(text: str) -> str:
    """Return the text before or after a time without the signs and words that join it to the time."""
    text = text.strip(_JOINTS)
    if text[-1:] == "T" and text[-2:-1].isdigit():
        return text[:-1]
    words = text.split(" ")
    while words[-1].lower() in _TIME_WORDS:
        words.pop()
        if not words:
            return ""
    return " ".join(words).rstrip(_JOINTS)


def _date_with_weekday(text: str, time: datetime.time | None) -> WrittenDate | None:
    """Return the date of a text that may also have an article or the name of a weekday."""
    if not text:
        return None
    if date := _bare_date(text):
        return date._replace(time=time)
    rest, name = _without_weekday(text)
    if not name:
        return None
    date = _date_with_weekday(rest.strip(_JOINTS), time)
    weekdays = frozenset() if name in _ARTICLES else weekday_names()[name]
    if date and date.day and weekdays and len(name) < _MIN_SURE_WEEKDAY and date.day.weekday() not in weekdays:
        return None
    return date._replace(weekdays=weekdays or date.weekdays) if date else None


def _without_weekday(text: str) -> tuple[str, str]:
    """Return the text without an article or the name of a weekday before or after it, and that name, "" if none."""
    weekdays = weekday_names()
    if first := _LEADING_NAMES.match(text):
        both, single = _bare_name(" ".join(filter(None, first.groups()))), _bare_name(first[1])
        if first[2] and both in weekdays:
            return text[first.end() :].lstrip(_AROUND_WEEKDAYS), both
        if single in weekdays or single in _ARTICLES:
            return text[first.end(1) :].lstrip(_AROUND_WEEKDAYS), single
        if single.removesuffix("ที่") in weekdays:  # as the Thai write: วันอังคารที่ 5
            return text[first.end(1) :].lstrip(_AROUND_WEEKDAYS), single.removesuffix("ที่")
    if last := _TRAILING_NAMES.search(text, max(0, len(text) - _MAX_TRAILING_CHARS)):
        both, single = _bare_name(" ".join(filter(None, last.groups()))), _bare_name(last[2])
        if both in weekdays:
            return text[: last.start()], both
        if single in weekdays:
            return text[: last.start(2)].rstrip(" ,(["), single
    return text, ""


def _bare_date(text: str) -> WrittenDate | None:
    """Return the date of a text that is nothing but a date."""
    if text[0].isdigit():
        if match := _YEAR_LAST.fullmatch(text):
            return _year_last_date(match)
        if match := _YEAR_FIRST.fullmatch(text):
            _, month, day = filter(None, match.group(1, 3, 5, 7, 4, 6, 8))
            return _unambiguous_date(match[1], int(month), day)
        if match := _DAY_NAME.fullmatch(text):
            return _named_date(match[3], match[2], match[1])
        if match := _YEAR_NAME.fullmatch(text):
            return _named_date(match[1], match[2], match[3])
        if not text.isascii() and (match := _CJK.fullmatch(text)):
            date = _unambiguous_date(match[1], int(match[2]), match[3])
            return date if not match[4] or match[4] in weekday_names() else None
        if match := _YEAR_DAY_NAME.fullmatch(text):
            return _named_date(match[1], match[3], match[2])
    elif match := _NAME_DAY.fullmatch(text):
        return _named_date(match[3], match[1], match[2])
    match = _VIETNAMESE.fullmatch(text)
    return _unambiguous_date(match[3], int(match[2]), match[1]) if match else None


def _unambiguous_date(year: str, month: int, day: str) -> WrittenDate | None:
    date = _valid(_full_year(year), month, int(day))
    return WrittenDate(date, (0, 0, 0)) if date else None


def _named_date(year: str, word: str, day: str) -> WrittenDate | None:
    """Return the date with the name of a month, whose day is None if languages disagree on the month."""
    name = _bare_name(word)
    known = month_names().get(name)
    if known is None:
        return None
    full_year = _full_year(year)
    if "th" in known.by_language:
        if len(year) != 4:
            return None  # 67 is 2567 of the Buddhist era
        full_year -= BUDDHIST_SHIFT if full_year in BUDDHIST_YEARS else 0
    if known.month:
        date = _valid(full_year, known.month, int(day))
        return WrittenDate(date, (0, 0, 0), name=name) if date else None
    days = (_valid(full_year, month, int(day)) for month in known.by_language.values())
    return WrittenDate(None, (full_year, 0, int(day)), name=name) if any(days) else None


def _year_last_date(match: re.Match[str]) -> WrittenDate | None:
    """Return the date of three numbers; its day is known if only one order is possible, or if both give the same."""
    numbers = int(match[1]), int(match[3]), int(match[4])
    is_short = len(match[4]) == 2
    if is_short and match[2] in ".-" and not len(match[1]) == len(match[3]) == 2:  # 4.2.11 or 10-5-12 may be anything
        return None
    day_first, month_first = _ordered(numbers, "dmy", is_short), _ordered(numbers, "mdy", is_short)
    if not day_first and not month_first and not _ordered(numbers, "ymd", is_short):
        return None
    is_ambiguous = day_first and month_first and day_first != month_first
    proves: DayOrder = "" if day_first and month_first else "dmy" if day_first else "mdy" if month_first else "ymd"
    return WrittenDate(None if is_ambiguous else day_first or month_first, numbers, is_short, match[2] == ".", proves)


def _full_year(year: str) -> int:
    digits = year.lstrip("'")
    return int(digits) if len(digits) == 4 else _century(int(digits))


def _century(year: int) -> int:
    return year + (1900 if year >= 69 else 2000)


def _valid(year: int, month: int, day: int) -> datetime.date | None:
    if not (MIN_YEAR <= year <= MAX_YEAR and 1 <= month <= 12):
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _ordered(numbers: tuple[int, int, int], order: DayOrder, has_short_year: bool) -> datetime.date | None:
    """Return the day that three numbers name in an order, None if there is no such day."""
    first, second, third = numbers
    if order == "ymd":
        return _valid(_century(first), second, third) if has_short_year else None
    year = _century(third) if has_short_year else third
    return _valid(year, second, first) if order == "dmy" else _valid(year, first, second)


def date_notation(cells: Iterable[tuple[str, int]], caption: str, language: str) -> Notation | None:
    """Return how the dates of a column are written: cells with their counts, below a caption, in a language.

    None if no cell is a date."""
    dates = [(date, count) for text, count in cells if (date := parse_date(text))]
    if not dates:
        return None
    numeric = [(date, count) for date, count in dates if any(date.numbers) and not date.name]
    names = {date.name for date, _ in dates if date.name}
    return Notation(order=_day_order(numeric, caption, language), language=_month_language(names, language))


def _day_order(dates: Sequence[tuple[WrittenDate, int]], caption: str, language: str) -> DayOrder:
    """Return the order of day and month in a column: by the cells that prove it, else by caption, else by language.

    A cell proves the order if one of its numbers is above 12, or if only one order gives the weekday beside it. Points
    between the numbers suggest that the day comes first. Contradictions leave the order undecided, and so does the
    language "en" alone.
    """
    if not dates or (has_other_calendar(language) and any(date.has_short_year for date, _ in dates)):
        return ""
    usual = day_order_of_language(language)
    short = [date.numbers for date, _ in dates if date.has_short_year]
    if usual == "ymd" and short and all(_ordered(numbers, "ymd", True) for numbers in short):
        return "ymd"
    votes: Counter[DayOrder] = Counter()
    for date, count in dates:
        votes[_proven_order(date)] += count
    del votes[""]
    if votes:
        order, most = max(votes.items(), key=lambda vote: vote[1])
        is_doubtful = order == "dmy" and not usual and _may_start_with_year(short)
        return "" if is_doubtful or most < MIN_AGREEMENT * votes.total() else order
    return _suggested_order(dates, caption, usual)


def _proven_order(date: WrittenDate) -> DayOrder:
    """Return the order that a date proves, "" if it proves none."""
    if not date.weekdays or date.proves:
        return date.proves
    days = {order: _ordered(date.numbers, order, date.has_short_year) for order in _ORDERS}
    matching = [order for order, day in days.items() if day and day.weekday() in date.weekdays]
    return matching[0] if len(matching) == 1 else ""


def _may_start_with_year(short: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether two-digit years may come first, as in 24/03/05, 24/03/06: the last numbers vary like days."""
    if len(set(short)) < 3 or not all(_ordered(numbers, "ymd", True) for numbers in short):
        return False
    return len({first for first, _, _ in short}) < len({last for _, _, last in short})


def _suggested_order(dates: Sequence[tuple[WrittenDate, int]], caption: str, usual: DayOrder) -> DayOrder:
    """Return the order that caption, language and points suggest, if they agree."""
    day_first, month_first = _CAPTION_DAY_FIRST.search(caption), _CAPTION_MONTH_FIRST.search(caption)
    if bool(day_first) != bool(month_first):
        return "dmy" if day_first else "mdy"
    hints: set[DayOrder] = {usual} if usual in _ORDERS else set()
    if any(date.has_points for date, _ in dates):
        hints.add("dmy")
    return hints.pop() if len(hints) == 1 else ""


def _month_language(names: Collection[str], language: str) -> str:
    """Return the language in which names of months are read that mean different months in different languages.

    That is the language of the page if it has all names of the column; else one that has them all, if all such
    languages agree; else "", and such names are not read.
    """
    ambiguous = [name for name in sorted(names) if not month_names()[name].month]
    if not ambiguous:
        return ""
    readers = set.intersection(*(set(month_names()[name].by_language) for name in names))
    own = language_and_region(language)[0]
    if own in readers:
        return own
    meanings = {tuple(month_names()[name].by_language[reader] for name in ambiguous) for reader in readers}
    return min(readers) if len(meanings) == 1 else ""


def dates_are_plausible(texts: Sequence[str], language: str) -> bool:
    """Return whether cells that read as dates are dates.

    Where the years of another calendar look like ours, only those of ISO 8601 are. A single short name of a month that
    the language of the page does not have may be a word: 12 Pro 2024 is in December for Czechs alone.
    """
    if has_confusable_calendar(language):
        return all(_ISO_MOMENT.match(text) for text in texts)
    names = {date.name if (date := parse_date(text)) else "" for text in texts}
    name = names.pop()
    if names or not 0 < len(name) <= _MAX_DOUBTFUL_MONTH or not is_known(language):
        return True
    return language_and_region(language)[0] in month_names()[name].by_language


def _read(text: str, notation: Notation) -> tuple[datetime.date, datetime.time | None] | None:
    """Return the day and the time in a cell. A two-digit year is read only where the order is decided."""
    date = parse_date(text) if len(text) <= MAX_VALUE_CHARS else None
    if date is None:
        return None
    day = date.day
    if date.name:
        day = day or _day_in_language(date, notation.language)
    elif date.has_short_year and notation.order in ("", "ymd"):
        day = _ordered(date.numbers, notation.order, True) if notation.order else None
    elif day is None and notation.order:
        day = _ordered(date.numbers, notation.order, date.has_short_year)
    return (day, date.time) if day else None


def _day_in_language(date: WrittenDate, language: str) -> datetime.date | None:
    year, _, day = date.numbers
    return _valid(year, month_names()[date.name].by_language.get(language, 0), day)


def read_date(text: str, notation: Notation) -> datetime.date | None:
    """Return the day in a cell, without the time if there is one."""
    moment = _read(text, notation)
    return moment[0] if moment else None


def read_datetime(text: str, notation: Notation) -> datetime.datetime | None:
    """Return the day and time in a cell, with the time zone if one is given; None for a day without a time."""
    moment = _read(text, notation)
    return datetime.datetime.combine(moment[0], moment[1]) if moment and moment[1] else None

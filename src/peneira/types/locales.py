"""The words and signs of dates, prices and numbers in 81 languages, from Unicode CLDR.

``locales.json`` beside this module is made by ``tools/locale_table.py``. It is read when a column may contain such
words, and kept.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypedDict

from peneira.short_text_cache import cache_of_short_texts

# Other tags of languages in the table
_SAME_LANGUAGE = {"nb": "no", "iw": "he", "in": "id", "tl": "fil", "sh": "sr"}
# Shorter names without their accents may be other words
_MIN_UNACCENTED = 4


class _Language(TypedDict):
    decimal: str
    order: str
    months: list[str]
    weekdays: list[str]


class _Table(TypedDict):
    languages: dict[str, _Language]
    regions: dict[str, dict[str, str]]
    day_periods: dict[str, str]
    currencies: dict[str, str]
    currency_decimals: dict[str, str]


class MonthName(NamedTuple):
    """What a name means: the month where all languages agree, else 0, and the month in each language that has it."""

    month: int
    by_language: Mapping[str, int]


@cache
def _table() -> _Table:
    table: _Table = json.loads(Path(__file__).with_name("locales.json").read_text(encoding="utf-8"))
    return table


@cache_of_short_texts(256)
def language_and_region(language: str) -> tuple[str, str]:
    """Return "pt" and "pt-br" for a language tag such as pt-BR or pt_BR; the second is "" without a region."""
    parts = re.split(r"[-_]", language.strip().lower())
    name = _SAME_LANGUAGE.get(parts[0], parts[0])
    region = next((part for part in parts[1:] if len(part) == 2), "")
    return name, f"{name}-{region}" if region else ""


def convention(language: str, key: str) -> str:
    """Return the decimal sign or the order of day and month ("decimal", "order") in a language, "" if unknown."""
    name, region = language_and_region(language)
    own = _table()["regions"].get(region, {})
    usual: Mapping[str, object] = _table()["languages"].get(name, {})
    return str(own.get(key, usual.get(key, "")))


def is_known(language: str) -> bool:
    """Return whether the table has a language."""
    return language_and_region(language)[0] in _table()["languages"]


def has_conventions(region: str) -> bool:
    """Return whether the table has the conventions of a region such as "en-gb" itself."""
    return region in _table()["regions"]


@cache
def month_names() -> dict[str, MonthName]:
    """Return the names of months, in lower case and without points, in the cases that stand beside a day or alone."""
    by_name: dict[str, dict[str, int]] = {}
    for language, own in _table()["languages"].items():
        for month, names in enumerate(own["months"], 1):
            for name in _spellings(names):
                by_name.setdefault(name, {}).setdefault(language, month)
    return {name: MonthName(_agreed(months), months) for name, months in by_name.items()}


def _agreed(months: Mapping[str, int]) -> int:
    numbers = set(months.values())
    return numbers.pop() if len(numbers) == 1 else 0


@cache
def weekday_names() -> dict[str, frozenset[int]]:
    """Return the days that a name can mean, Monday is 0: "so" is Sunday in German and Saturday in Czech."""
    days: dict[str, set[int]] = {}
    for own in _table()["languages"].values():
        for day, names in enumerate(own["weekdays"]):
            for name in _spellings(names):
                days.setdefault(name.replace("_", " "), set()).add(day)
    return {name: frozenset(numbers) for name, numbers in days.items()}


def _spellings(names: str) -> Iterator[str]:
    """Yield names as written and without accents, as people type them: février, fevrier."""
    for name in names.split():
        yield name
        bare = _unaccented(name)
        if len(bare) >= _MIN_UNACCENTED and bare != name:
            yield bare


def _unaccented(name: str) -> str:
    """Return a name in Latin or Greek letters without accents; in other scripts, marks are part of the letters."""
    if name.isascii() or not unicodedata.name(name[0], "").startswith(("LATIN", "GREEK")):
        return name
    return "".join(letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter))


@cache
def day_periods() -> dict[str, str]:
    """Return "am" or "pm" for the words that stand beside a time, in lower case without points and spaces."""
    return {word: half for half, words in _table()["day_periods"].items() for word in words.split()}


@cache
def currency_signs() -> dict[str, str]:
    """Return the currency of each sign and code: an ISO 4217 code where one currency has the sign, else the sign."""
    return {sign: name for name, signs in _table()["currencies"].items() for sign in signs.split()}


@cache
def currency_decimals() -> dict[str, str]:
    """Return the decimal sign of each currency whose country has one."""
    return {name: sign for sign, names in _table()["currency_decimals"].items() for name in names.split()}

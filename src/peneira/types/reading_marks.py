"""Which types a text can be read as at all, by its characters: one look at each text in place of sixteen readers.

A mark is a condition that a text must meet to be read in some way; a text that has it may still be unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.item_lists import ITEM_SEPARATORS
from peneira.types.notation import MAX_VALUE_CHARS
from peneira.types.times import STARTS_OF_TIME_UNITS

# Every text has it
ANY = 1
# "/" or "?" somewhere, or "www." in front, and no space but in what begins like the address of a file: the only mark of
# texts that are longer than values are
ADDRESS = 1 << 1
AT_SIGN = 1 << 2
DIGIT = 1 << 3
# Two numbers with something between them
TWO_NUMBERS = 1 << 4
# Nothing but digits and what stands within numbers
NUMERIC = 1 << 5
PERCENT = 1 << 6
# A star in front; or two numbers, and in front the letters that words for ratings begin with; or a score in front of
# what joins it to the best score, or of a letter or sign that words for stars begin with
RATING = 1 << 7
# A digit or a sign in front, and not much after the number
QUANTITY = 1 << 8
# A number in front of a colon or of a letter that a unit of time begins with, or P in front
DURATION = 1 << 9
# A digit at the end, enough of them, and in front a digit, a sign of a number or the letter of a word for telephones
PHONE = 1 << 10
# An hour in front of a sign or letter that may follow it, or a word of a few letters in front of a number; the times of
# other scripts have many forms
TIME = 1 << 11
# One of the signs that stand between the items of a list
SEPARATOR = 1 << 12

RATED_LETTERS = frozenset("rRaAcCvVbBnN")
LONE_STARS = frozenset("★⭐🌟")
# "100,25 estrellas" is the longest score before the word for stars
MAX_STARRED_CHARS = 17
# Local telephone numbers without an area code are seldom shorter
MIN_PHONE_DIGITS = 7

# Nothing longer stands after the number of a quantity
MAX_UNIT_CHARS = 20

_DIGIT = late_pattern(r"\d")
_SPACE = late_pattern(r"\s")
_TWO_NUMBERS = late_pattern(r"\d\D+\d")
_NUMERIC = late_pattern(r"[-+\d.,' ]+")
_SCORE = late_pattern(r"\d{1,3}(?:[.,]\d{1,2})? ?[/ovsdazиegé★⭐☆]", re.IGNORECASE)
_RATED_WORD = late_pattern(r"ra|av|cu|va|be|no", re.IGNORECASE)
_SHORT_UNIT = late_pattern(rf"[-+]?[\d.,' ]*+.{{0,{MAX_UNIT_CHARS}}}", re.DOTALL)
_LENGTH = late_pattern(rf"\d{{1,6}}(?:[.,]\d{{1,2}})? ?[:{STARTS_OF_TIME_UNITS}]")
_HOUR = late_pattern(r"\d{1,2}(?:[.:hap]| [hap])|[a-z]{1,4}\.{0,2} \d", re.IGNORECASE)
_PHONE_STARTS = frozenset("+(tTpPfFmM☎📞")

text_scan = compiled("text_scan")


def reading_marks(texts: Iterable[str]) -> tuple[list[int], int]:
    """Return the marks of each text, and those that any of them has."""
    if text_scan is not None:
        marks: tuple[list[int], int] = text_scan.reading_marks(texts, MAX_VALUE_CHARS, STARTS_OF_TIME_UNITS)
        return marks
    own = list(map(_marks, texts))
    every = 0
    for one in own:
        every |= one
    return own, every


def with_mark(cells: Mapping[str, int], marks: Sequence[int], mark: int, max_chars: int) -> dict[str, int]:
    """Return the cells of up to ``max_chars`` characters that have a mark, with their counts."""
    if text_scan is not None:
        kept: dict[str, int] = text_scan.with_mark(cells, marks, mark, max_chars)
        return kept
    return {
        text: count
        for (text, count), own in zip(cells.items(), marks, strict=True)
        if own & mark and len(text) <= max_chars
    }


def _marks(text: str) -> int:
    marks = ANY
    is_marked = "/" in text or "?" in text or text[:4].lower() == "www."
    if is_marked and (text[:1] in "hH/" or not _SPACE.search(text)):
        marks |= ADDRESS
    if len(text) > MAX_VALUE_CHARS:
        return marks
    if not ITEM_SEPARATORS.isdisjoint(text):
        marks |= SEPARATOR
    first = text[:1]
    if first in LONE_STARS:
        marks |= RATING
    if "@" in text:
        marks |= AT_SIGN
    if first == "P":
        marks |= DURATION
    return marks | _marks_with_digits(text, first) if _DIGIT.search(text) else marks


def _marks_with_digits(text: str, first: str) -> int:
    marks = DIGIT
    if _TWO_NUMBERS.search(text):
        marks |= TWO_NUMBERS
    is_numeric = _NUMERIC.fullmatch(text) is not None
    if is_numeric:
        marks |= NUMERIC
    if "%" in text:
        marks |= PERCENT
    may_be_rated = not is_numeric and bool(marks & TWO_NUMBERS)
    if first.isdecimal():
        is_short = may_be_rated or (not is_numeric and len(text) <= MAX_STARRED_CHARS)
        marks |= RATING if is_short and _SCORE.match(text) else 0
        marks |= DURATION if not is_numeric and _LENGTH.match(text) else 0
    elif may_be_rated and _RATED_WORD.match(text):
        marks |= RATING
    if (first.isdecimal() or first in "+-") and _SHORT_UNIT.fullmatch(text):
        marks |= QUANTITY
    if not text.isascii() or _HOUR.match(text):
        marks |= TIME
    is_start_of_phone = first.isdecimal() or first in _PHONE_STARTS
    if is_start_of_phone and text[-1].isdecimal() and sum(map(str.isdecimal, text)) >= MIN_PHONE_DIGITS:
        marks |= PHONE
    return marks

"""Which types a text can be read as at all, by its characters: one look at each text in place of sixteen readers.

A mark is a condition that a text must meet to be read in some way; a text that has it may still be unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.types.notation import MAX_VALUE_CHARS

# Every text has it
ANY = 1
# "/" or "?" somewhere, or "www." in front: the only mark of texts that are longer than values are
ADDRESS = 1 << 1
AT_SIGN = 1 << 2
DIGIT = 1 << 3
# Two numbers with something between them
TWO_NUMBERS = 1 << 4
# Nothing but digits and what stands within numbers
NUMERIC = 1 << 5
PERCENT = 1 << 6
# A star in front; or two numbers, and in front a digit or a letter that words for ratings begin with; or a digit in
# front of a few letters or stars
RATING = 1 << 7
# A digit or a sign in front
QUANTITY = 1 << 8
# A digit in front and more than a number, or P in front
DURATION = 1 << 9
# A digit at the end, and enough of them
PHONE = 1 << 10

RATED_LETTERS = frozenset("rRaAcCvVbBnN")
LONE_STARS = frozenset("★⭐🌟")
# "100,25 estrellas" is the longest score before the word for stars
MAX_STARRED_CHARS = 17
# Local telephone numbers without an area code are seldom shorter
MIN_PHONE_DIGITS = 7

_DIGIT = late_pattern(r"\d")
_TWO_NUMBERS = late_pattern(r"\d\D+\d")
_NUMERIC = late_pattern(r"[-+\d.,' ]+")

text_scan = compiled("text_scan")


def reading_marks(texts: Sequence[str]) -> tuple[list[int], int]:
    """Return the marks of each text, and those that any of them has."""
    if text_scan is not None:
        marks: tuple[list[int], int] = text_scan.reading_marks(texts, MAX_VALUE_CHARS)
        return marks
    own = list(map(_marks, texts))
    every = 0
    for one in own:
        every |= one
    return own, every


def _marks(text: str) -> int:
    marks = ANY
    if "/" in text or "?" in text or text[:4].lower() == "www.":
        marks |= ADDRESS
    if len(text) > MAX_VALUE_CHARS:
        return marks
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
        marks |= QUANTITY if is_numeric else QUANTITY | DURATION
        if may_be_rated or (not is_numeric and len(text) <= MAX_STARRED_CHARS):
            marks |= RATING
    elif first in RATED_LETTERS and may_be_rated:
        marks |= RATING
    elif first in "+-":
        marks |= QUANTITY
    if text[-1].isdecimal() and sum(map(str.isdecimal, text)) >= MIN_PHONE_DIGITS:
        marks |= PHONE
    return marks

"""Every type a column can have but text: how its cells are read, and what only the whole column can tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from peneira.types import contacts, dates, item_lists, money, numbers, ratings, times
from peneira.types.booleans import booleans_are_plausible, read_boolean
from peneira.types.notation import MAX_CHARS, Notation, decimal_of_language
from peneira.values import ColumnType, Value

# The share of a column's cells that must read as its type; from four cells on, one odd cell never breaks it
MIN_READ = 0.8
MIN_CELLS_WITH_ODD_ONE = 4
MAX_LINK_CHARS = 1 << 13


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """What a type is decided on: distinct cells with their counts, the number of all, caption and language."""

    cells: Mapping[str, int]
    total: int
    caption: str
    language: str

    def enough(self, read: Sequence[str]) -> bool:
        """Return whether these cells are enough to make the column's type."""
        count = self.count(read)
        return count >= MIN_READ * self.total or (count == self.total - 1 and self.total >= MIN_CELLS_WITH_ODD_ONE)

    def count(self, read: Sequence[str]) -> int:
        """Return how many cells of the column are equal to one of these."""
        return sum(map(self.cells.__getitem__, read))


def _nothing(column: ColumnCells) -> Notation:
    return Notation()


def _always(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """One type: how a cell is read, what the column settles first, and whether the cells so read are plausible.

    ``signs`` is what the column must show somewhere: one look then rules out most types. A literal type has texts of
    the page as its values, with no character changed.
    """

    type: ColumnType
    read: Callable[[str, Notation], Value]
    signs: re.Pattern[str]
    settle: Callable[[ColumnCells], Notation] = _nothing
    plausible: Callable[[ColumnCells, Sequence[str], Notation], bool] = _always
    has_digits: bool = True
    is_literal: bool = False
    max_chars: int = MAX_CHARS


def _number_notation(column: ColumnCells) -> Notation:
    figures = [(parts, count) for text, count in column.cells.items() if (parts := numbers.figure(text))]
    return Notation(decimal=numbers.decimal_sign(figures, [decimal_of_language(column.language)]))


def _percent_notation(column: ColumnCells) -> Notation:
    figures = [(parts, count) for text, count in column.cells.items() if (parts := numbers.percent_figure(text))]
    return Notation(decimal=numbers.decimal_sign(figures, [decimal_of_language(column.language)]))


def _money_notation(column: ColumnCells) -> Notation:
    named = money.currency_of_caption(column.caption)
    figures, hints = [], {decimal_of_language(column.language)}
    for text, count in column.cells.items():
        if (found := money.price_figure(text)) and (found[1] or named):
            figures.append((found[0], count))
            hints.add(money.price_hint(text, found[1] or named))
    return Notation(decimal=numbers.decimal_sign(figures, hints), currency=named)


def _date_notation(column: ColumnCells) -> Notation:
    return Notation(order=dates.day_order(column.cells.items(), column.caption, column.language))


def _rating_notation(column: ColumnCells) -> Notation:
    return Notation(best=ratings.star_scale(column.cells))


def _duration_notation(column: ColumnCells) -> Notation:
    return Notation(minutes=times.colons_are_minutes(column.cells))


def _list_notation(column: ColumnCells) -> Notation:
    return Notation(separator=item_lists.list_separator(column.cells))


def _answered(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return column.count(texts) == column.total and booleans_are_plausible(texts, notation)


def _rated(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return ratings.ratings_are_plausible(texts, column.count(texts) > len(texts), column.caption, notation)


def _timed(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    others = column.cells.keys() - set(texts)
    return times.times_are_plausible(texts, others, column.caption, column.language, notation)


def _lasting(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return times.durations_are_plausible(texts, column.caption, notation)


def _called(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return column.enough([text for text in texts if contacts.looks_like_phone(text, column.caption)])


def _counted(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return not any(map(numbers.is_padded, column.cells))


def _whole(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    others = column.cells.keys() - set(texts)
    return _counted(column, texts, notation) and all(numbers.read_number(text, notation) is None for text in others)


_ANY = re.compile("")
_LINK = re.compile(r"[/?]|[wW]{3}\.")
_DIGIT = re.compile(r"\d")
_DIGIT_LETTER = re.compile(r"\d ?[^\W\d_]|:")
_SCORE = re.compile(r"\d ?[^\W\d_]|[/★⭐🌟]")
_CLOCK = re.compile(r"\d ?[aphuAPHU時时点시:]")

# In this order: the first type that enough cells read as, and plausibly, is the column's
KINDS = (
    Kind("image", contacts.read_image, _LINK, has_digits=False, is_literal=True, max_chars=MAX_LINK_CHARS),
    Kind("url", contacts.read_url, _LINK, has_digits=False, is_literal=True, max_chars=MAX_LINK_CHARS),
    Kind("email", contacts.read_email, re.compile("@"), has_digits=False, is_literal=True),
    Kind("boolean", read_boolean, _ANY, plausible=_answered, has_digits=False),
    Kind("rating", ratings.read_rating, _SCORE, _rating_notation, _rated, has_digits=False),
    Kind("percent", numbers.read_percent, re.compile("%"), _percent_notation),
    Kind("money", money.read_money, _DIGIT, _money_notation),
    Kind("datetime", dates.read_datetime, _CLOCK, _date_notation),
    Kind("date", dates.read_date, _DIGIT, _date_notation),
    Kind("integer", numbers.read_integer, _DIGIT, _number_notation, _whole),
    Kind("number", numbers.read_number, re.compile(r"[.,]"), _number_notation, _counted),
    Kind("time", times.read_time, _CLOCK, plausible=_timed),
    Kind("duration", times.read_duration, _DIGIT_LETTER, _duration_notation, _lasting),
    Kind("phone", contacts.read_phone, _DIGIT, plausible=_called),
    Kind("list", item_lists.read_list, re.compile("[|;•·,]"), _list_notation, has_digits=False, is_literal=True),
)

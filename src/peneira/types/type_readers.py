"""Every column type except text: how its cells are read, and what only the whole column can show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from peneira.character_search import character_search
from peneira.late_patterns import late_pattern
from peneira.types import contacts, dates, item_lists, money, numbers, quantities, ratings, times
from peneira.types.booleans import booleans_are_plausible, read_boolean
from peneira.types.notation import (
    MAX_VALUE_CHARS,
    PLAIN_NOTATION,
    DecimalSign,
    Notation,
    decimal_sign_of_language,
    has_mixed_dollars,
)
from peneira.types.reading_marks import (
    ADDRESS,
    ANY,
    AT_SIGN,
    DIGIT,
    DURATION,
    NUMERIC,
    PERCENT,
    PHONE,
    QUANTITY,
    RATING,
    SEPARATOR,
    TIME,
    TWO_NUMBERS,
)
from peneira.values import ColumnType, Value

# The share of a column's cells that must read as its type; from four cells on, one exception is always allowed
MIN_READ_SHARE = 0.8
MIN_CELLS_FOR_EXCEPTION = 4
# URLs with tracking parameters are long; the limit bounds the time that matching takes
MAX_URL_CHARS = 1 << 13


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """What a type is inferred from: the distinct cells with their counts, the count of all, caption and language."""

    cells: Mapping[str, int]
    total: int
    caption: str
    language: str

    def are_enough(self, texts: Sequence[str]) -> bool:
        """Return whether a column is of a type that these of its cells read as."""
        return self.is_enough(self.count(texts))

    def is_enough(self, count: int) -> bool:
        """Return whether a column is of a type that so many of its cells read as."""
        has_one_exception = count == self.total - 1 and self.total >= MIN_CELLS_FOR_EXCEPTION
        return count >= MIN_READ_SHARE * self.total or has_one_exception

    def count(self, texts: Sequence[str]) -> int:
        """Return how many cells of the column have one of these texts."""
        return sum(map(self.cells.__getitem__, texts))


def _plain_notation(column: ColumnCells) -> Notation:
    return PLAIN_NOTATION


def _always_plausible(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class TypeReader:
    """How the cells of one type are read, in which notation, and whether the cells so read are plausible.

    ``mark``: what each cell must have that is read so, ``some_mark`` what one cell must have; ``hint``: whether the
    caption and the cells, as one text, have what a cell must contain, where the mark does not tell; ``has_digits``:
    enough cells must contain a digit.
    ``notation_of``: None where no cell can be read so. ``is_literal``: values are texts of the page, with no character
    changed. ``must_read_all``: a column with any other cell is of another type, whatever its notation.
    """

    type: ColumnType
    read: Callable[[str, Notation], Value]
    mark: int
    some_mark: int = ANY
    hint: Callable[[str], object] | None = None
    notation_of: Callable[[ColumnCells], Notation | None] = _plain_notation
    is_plausible: Callable[[ColumnCells, Sequence[str], Notation], bool] = _always_plausible
    has_digits: bool = True
    is_literal: bool = False
    max_chars: int = MAX_VALUE_CHARS
    must_read_all: bool = False


def _number_notation(column: ColumnCells) -> Notation:
    parsed = [(number, count) for text, count in column.cells.items() if (number := numbers.parse_number(text))]
    return Notation(decimal=numbers.decimal_sign(parsed, [decimal_sign_of_language(column.language)]))


def _percent_notation(column: ColumnCells) -> Notation:
    parsed = [(number, count) for text, count in column.cells.items() if (number := numbers.parse_percent(text))]
    return Notation(decimal=numbers.decimal_sign(parsed, [decimal_sign_of_language(column.language)]))


def _money_notation(column: ColumnCells) -> Notation:
    caption_currency = money.currency_of_caption(column.caption)
    parsed, hints, currencies = [], set[DecimalSign](), set()
    for text, count in column.cells.items():
        price = money.parse_price(text)
        if price and (price.currency or caption_currency):
            parsed += [(number, count) for number in (price.number, price.upper) if number]
            currencies.add(price.currency or caption_currency)
            hints.add(money.decimal_sign_hint(price, price.currency or caption_currency))
    if "$" not in currencies or not has_mixed_dollars(column.language):
        hints.add(decimal_sign_of_language(column.language))
    sign = numbers.decimal_sign(parsed, hints) or money.decimal_sign_of_round_amounts([number for number, _ in parsed])
    return Notation(decimal=sign, currency=caption_currency)


def _quantity_notation(column: ColumnCells) -> Notation:
    parsed = [
        (quantity[0], count) for text, count in column.cells.items() if (quantity := quantities.parse_quantity(text))
    ]
    return Notation(decimal=numbers.decimal_sign(parsed, [decimal_sign_of_language(column.language)]))


def _date_notation(column: ColumnCells) -> Notation | None:
    return dates.date_notation(column.cells.items(), column.caption, column.language)


def _rating_notation(column: ColumnCells) -> Notation:
    return Notation(best=ratings.star_scale(column.cells))


def _duration_notation(column: ColumnCells) -> Notation:
    return Notation(minutes=times.colons_are_minutes(column.cells))


def _list_notation(column: ColumnCells) -> Notation | None:
    separator = item_lists.list_separator(column.cells)
    return Notation(separator=separator) if separator else None


def _plausible_booleans(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return column.count(texts) == column.total and booleans_are_plausible(texts, notation)


def _plausible_ratings(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return ratings.ratings_are_plausible(texts, column.count(texts) > len(texts), column.caption, notation)


def _plausible_times(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    others = column.cells.keys() - set(texts)
    return times.times_are_plausible(texts, others, column.caption, column.language, notation)


def _plausible_dates(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return dates.dates_are_plausible(texts, column.language)


def _plausible_durations(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return times.durations_are_plausible(texts, column.caption, notation)


def _plausible_phones(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    return column.are_enough([text for text in texts if contacts.looks_like_phone(text, column.caption)])


def _plausible_numbers(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    has_codes = numbers.is_code_caption(column.caption) or contacts.is_phone_caption(column.caption)
    return not has_codes and not any(map(numbers.is_padded, column.cells))


def _plausible_integers(column: ColumnCells, texts: Sequence[str], notation: Notation) -> bool:
    others = column.cells.keys() - set(texts)
    are_numbers = _plausible_numbers(column, texts, notation)
    return are_numbers and all(numbers.read_number(text, notation) is None for text in others)


HAS_DIGIT = character_search("", digits=True)
_NUMBER_AND_WORD = late_pattern(r"\d ?[^\W\d_]").search
_QUANTITY_HINT = late_pattern(r"\d ?[^\d\s.,:/+%)-]").search
_RATING_SIGN = character_search("/★⭐🌟")
_TIME_HINT = late_pattern(r"\d ?[aphuAPHU時时点시:]").search


def _rating_hint(text: str) -> bool:
    return bool(_RATING_SIGN(text)) or _has_number_and_word(text)


def _duration_hint(text: str) -> bool:
    return ":" in text or _has_number_and_word(text)


def _has_number_and_word(text: str) -> bool:
    return bool(HAS_DIGIT(text)) and _NUMBER_AND_WORD(text) is not None


# A column has the first of these types that enough of its cells plausibly read as
TYPE_READERS = (
    TypeReader("image", contacts.read_image, ADDRESS, has_digits=False, is_literal=True, max_chars=MAX_URL_CHARS),
    TypeReader("url", contacts.read_url, ADDRESS, has_digits=False, is_literal=True, max_chars=MAX_URL_CHARS),
    TypeReader("email", contacts.read_email, AT_SIGN, has_digits=False, is_literal=True),
    TypeReader("boolean", read_boolean, ANY, is_plausible=_plausible_booleans, has_digits=False, must_read_all=True),
    TypeReader(
        "rating",
        ratings.read_rating,
        RATING,
        hint=_rating_hint,
        notation_of=_rating_notation,
        is_plausible=_plausible_ratings,
        has_digits=False,
    ),
    TypeReader("percent", numbers.read_percent, PERCENT, notation_of=_percent_notation),
    TypeReader("money", money.read_money, DIGIT, hint=money.may_have_prices, notation_of=_money_notation),
    TypeReader(
        "datetime",
        dates.read_datetime,
        TWO_NUMBERS,
        hint=_TIME_HINT,
        notation_of=_date_notation,
        is_plausible=_plausible_dates,
    ),
    TypeReader("date", dates.read_date, TWO_NUMBERS, notation_of=_date_notation, is_plausible=_plausible_dates),
    TypeReader(
        "integer", numbers.read_integer, NUMERIC, notation_of=_number_notation, is_plausible=_plausible_integers
    ),
    TypeReader(
        "number",
        numbers.read_number,
        NUMERIC,
        hint=character_search(".,"),
        notation_of=_number_notation,
        is_plausible=_plausible_numbers,
    ),
    TypeReader("time", times.read_time, TIME, hint=_TIME_HINT, is_plausible=_plausible_times),
    TypeReader(
        "duration",
        times.read_duration,
        DURATION,
        hint=_duration_hint,
        notation_of=_duration_notation,
        is_plausible=_plausible_durations,
    ),
    TypeReader("quantity", quantities.read_quantity, QUANTITY, hint=_QUANTITY_HINT, notation_of=_quantity_notation),
    TypeReader("phone", contacts.read_phone, PHONE, is_plausible=_plausible_phones),
    TypeReader(
        "list",
        item_lists.read_list,
        ANY,
        some_mark=SEPARATOR,
        notation_of=_list_notation,
        has_digits=False,
        is_literal=True,
    ),
)


@lru_cache(maxsize=1024)
def possible_readers(every: int, *, has_digits: bool) -> tuple[TypeReader, ...]:
    """Return the readers of columns whose cells have these marks. ``has_digits``: enough cells have a digit."""
    return tuple(
        reader
        for reader in TYPE_READERS
        if every & reader.mark and every & reader.some_mark and (has_digits or not reader.has_digits)
    )

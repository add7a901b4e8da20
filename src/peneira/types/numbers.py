"""Numbers as people write them, and which sign of a column is the decimal one.

"12.50" and "1.299,00" say themselves what their signs mean. "1.299" does not: the other cells of the column decide,
then the currency and the language of the page; where these disagree or are missing, it is left unread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from peneira.types.notation import DecimalSign, Notation

# Longer runs of bare digits are identifiers (ISBN, EAN, telephone), not quantities
MAX_BARE_DIGITS = 9
# The share of telling cells that must agree before the others are read their way
MIN_AGREEMENT = 0.9

_NUMBER = re.compile(
    r"([-+]?)(?:"
    r"(\d{1,3})([.,' ])(\d{3}(?:\3\d{3})*)(?:(?!\3)([.,])(\d{1,12}))?"  # 1.299.000,00  1 299  1,299
    r"|(\d{1,2}(?:,\d{2})+,\d{3})(?:\.(\d{1,12}))?"  # 12,34,567.00 in India
    r"|(\d{1,18}|(?=\.))(?:([.,])(\d{1,12}))?"  # 1299  12,5  .312
    r")"
)
_PADDED = re.compile(r"[-+]?0\d+")


class Figure(NamedTuple):
    """A number as written: digits before and after ``mark``, which is the decimal sign if ``sure``."""

    whole: str
    fraction: str
    mark: str
    sure: bool
    tells: DecimalSign  # the decimal sign that this cell proves for its column


@lru_cache(maxsize=4096)
def figure(text: str) -> Figure | None:
    """Return the parts of a number, or None. A padded number such as 007 is an identifier and no number."""
    match = _NUMBER.fullmatch(text)
    if match is None or _PADDED.fullmatch(text):
        return None
    sign, head, gap, groups, mark, tail, lakhs, paise, whole, point, fraction = match.groups()
    if head is not None:
        return _grouped(sign, head, gap, groups, mark, tail)
    if lakhs is not None:
        return Figure(sign + lakhs.replace(",", ""), paise or "", ".", True, ".")
    if len(whole) > 1 and whole[0] == "0":
        return None
    return Figure(sign + (whole or "0"), fraction or "", point or "", True, _sign(point))


def _grouped(sign: str, head: str, gap: str, groups: str, mark: str | None, tail: str | None) -> Figure | None:
    """Return the parts of a number written in groups of three digits."""
    digits = groups.replace(gap, "")
    if head[0] == "0":  # 0.125 has no thousands; 0.125.000 and 012.345 are no numbers
        whole_zero = head == "0" and len(digits) == 3 and mark is None and gap in ".,"
        return Figure(sign + head, digits, gap, True, _sign(gap)) if whole_zero else None
    if mark is not None:
        return Figure(sign + head + digits, tail or "", mark, True, _sign(mark))
    if gap in "' " or len(digits) > 3:
        other = "," if gap == "." else "." if gap == "," else ""
        return Figure(sign + head + digits, "", "", True, _sign(other))
    return Figure(sign + head, digits, gap, False, "")


def _sign(mark: str | None) -> DecimalSign:
    return "." if mark == "." else "," if mark == "," else ""


def amount(parts: Figure, decimal: DecimalSign) -> Decimal | None:
    """Return the number, or None where the decimal sign that would settle it is undecided."""
    if not parts.sure:
        if not decimal:
            return None
        if decimal != parts.mark:
            return Decimal(parts.whole + parts.fraction)
    return Decimal(f"{parts.whole}.{parts.fraction}" if parts.fraction else parts.whole)


def decimal_sign(figures: Iterable[tuple[Figure, int]], hints: Iterable[DecimalSign]) -> DecimalSign:
    """Return the decimal sign of a column: by its telling cells, else by hints that agree, else empty.

    With neither, a lone comma before three digits is read as a thousands sign, for decimals are rarely written so;
    a lone point is left undecided.
    """
    votes: Counter[DecimalSign] = Counter()
    unsure = set()
    for parts, count in figures:
        if parts.tells:
            votes[parts.tells] += count
        elif not parts.sure:
            unsure.add(parts.mark)
    if votes:
        sign, most = max(votes.items(), key=lambda vote: vote[1])
        return sign if most >= MIN_AGREEMENT * votes.total() else ""
    wanted = {hint for hint in hints if hint}
    if len(wanted) == 1:
        return wanted.pop()
    return "." if not wanted and unsure == {","} else ""


def read_number(text: str, notation: Notation) -> Decimal | None:
    """Return the number a cell holds, whole or not."""
    if len(text) > MAX_BARE_DIGITS and text.lstrip("+-").isdigit():
        return None
    parts = figure(text)
    return None if parts is None else amount(parts, notation.decimal)


def read_integer(text: str, notation: Notation) -> int | None:
    """Return the number a cell holds if it is written without decimals."""
    number = read_number(text, notation)
    return int(number) if number is not None and number.as_tuple().exponent == 0 else None


_PERCENT = re.compile(r"([-+]?[\d.,' ]*\d) ?%|% ?([\d.,' ]*\d)")


def percent_figure(text: str) -> Figure | None:
    """Return the number before or after a percent sign."""
    match = _PERCENT.fullmatch(text)
    return figure(match[1] or match[2]) if match else None


def read_percent(text: str, notation: Notation) -> Decimal | None:
    """Return the percentage a cell holds, as written: 12.5 for 12,5 %."""
    parts = percent_figure(text)
    return None if parts is None else amount(parts, notation.decimal)


def is_padded(text: str) -> bool:
    """Return whether a cell is digits with a leading zero: its column then holds identifiers, not numbers."""
    return _PADDED.fullmatch(text) is not None

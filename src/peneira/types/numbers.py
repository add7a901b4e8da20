"""Numbers as people write them, and the decimal sign of a column.

"12.50" and "1.299,00" show what their signs mean. "1.299" does not: the other cells of the column decide, then the
currency and the language of the page; where these disagree or are missing, it is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from peneira.late_patterns import late_pattern
from peneira.types.notation import DecimalSign, Notation

# Longer runs of bare digits are identifiers (ISBN, EAN, telephone), not quantities
MAX_BARE_DIGITS = 9
# The share of unambiguous cells that must agree before ambiguous ones are read the same way
MIN_AGREEMENT = 0.9

_NUMBER = late_pattern(
    r"([-+]?)(?:"
    r"(\d{1,3})([.,' ])(\d{3}(?:\3\d{3})*)(?:(?!\3)([.,])(\d{1,12}))?"  # 1.299.000,00  1 299  1,299
    r"|(\d{1,2}(?:,\d{2})+,\d{3})(?:\.(\d{1,12}))?"  # 12,34,567.00 in India
    r"|(\d{1,18}|(?=\.))(?:([.,])(\d{1,12}))?"  # 1299  12,5  .312
    r")"
)
_PADDED = late_pattern(r"[-+]?0\d+")
# Captions of columns whose digits are a name, not a number: nobody adds up postcodes
_CODE_CAPTION = late_pattern(
    r"(?<![^\W_])(?:zip|zip-?code|post-?codes?|postal|postal-?code|plz|postleitzahl|cep|pin-?code|eircode|"
    r"postnummer|kod pocztowy|psč|psc|irányítószám|cod poștal|posta kodu|почтовый индекс|"
    r"ids?|uid|sku|isbn|issn|ean|gtin|upc|asin|mpn|vin|cnpj|cpf|nif|nip|iban|bic|"
    r"(?:article|item|order|part|product|model|account|serial|customer|invoice|docket|case|reference) "
    r"(?:no|nr|number|#)|art(?:ikel)?\.?-?(?:nr|nummer)|bestell-?(?:nr|nummer)|kundennummer|ref|reference|"
    r"referência|referencia|référence|артикул|código|code|codice|kod)(?![^\W_])|郵便番号|邮编|邮政编码|郵遞區號|우편번호|型番|品番",
    re.IGNORECASE,
)


class WrittenNumber(NamedTuple):
    """A number as written: the digits before and after ``mark``, which is the decimal sign if ``is_sure``."""

    whole: str
    fraction: str
    mark: str
    is_sure: bool
    proves: DecimalSign  # the decimal sign that this cell proves for its column


@lru_cache(maxsize=4096)
def parse_number(text: str) -> WrittenNumber | None:
    """Return the parts of a number, or None. A padded number such as 007 is an identifier, not a number."""
    match = _NUMBER.fullmatch(text)
    if match is None or _PADDED.fullmatch(text):
        return None
    sign, head, gap, groups, mark, tail, lakhs, paise, whole, point, fraction = match.groups()
    if head is not None:
        return _grouped_number(sign, head, gap, groups, mark, tail)
    if lakhs is not None:
        return WrittenNumber(sign + lakhs.replace(",", ""), paise or "", ".", True, ".")
    if len(whole) > 1 and whole[0] == "0":
        return None
    return WrittenNumber(sign + (whole or "0"), fraction or "", point or "", True, _decimal_sign(point))


def _grouped_number(
    sign: str, head: str, gap: str, groups: str, mark: str | None, tail: str | None
) -> WrittenNumber | None:
    """Return the parts of a number written in groups of three digits."""
    digits = groups.replace(gap, "")
    if head[0] == "0":  # 0.125 has no thousands; 0.125.000 and 012.345 are not numbers
        is_fraction = head == "0" and len(digits) == 3 and mark is None and gap in ".,"
        return WrittenNumber(sign + head, digits, gap, True, _decimal_sign(gap)) if is_fraction else None
    if mark is not None:
        return WrittenNumber(sign + head + digits, tail or "", mark, True, _decimal_sign(mark))
    if gap in "' " or len(digits) > 3:
        other = "," if gap == "." else "." if gap == "," else ""
        return WrittenNumber(sign + head + digits, "", "", True, _decimal_sign(other))
    return WrittenNumber(sign + head, digits, gap, False, "")


def _decimal_sign(mark: str | None) -> DecimalSign:
    return "." if mark == "." else "," if mark == "," else ""


def to_decimal(number: WrittenNumber, decimal: DecimalSign) -> Decimal | None:
    """Return the value of a number, or None if it depends on a decimal sign that is undecided."""
    if not number.is_sure:
        if not decimal:
            return None
        if decimal != number.mark:
            return Decimal(number.whole + number.fraction)
    return Decimal(f"{number.whole}.{number.fraction}" if number.fraction else number.whole)


def decimal_sign(numbers: Iterable[tuple[WrittenNumber, int]], hints: Iterable[DecimalSign]) -> DecimalSign:
    """Return the decimal sign of a column: by its unambiguous cells, else by hints that agree, else empty.

    ``numbers``: the numbers of the column and their counts. With neither cells nor hints, a single comma before three
    digits separates thousands, since decimals are rarely written so; a single point is left undecided.
    """
    votes: Counter[DecimalSign] = Counter()
    unsure_marks = set()
    for number, count in numbers:
        if number.proves:
            votes[number.proves] += count
        elif not number.is_sure:
            unsure_marks.add(number.mark)
    if votes:
        sign, most = max(votes.items(), key=lambda vote: vote[1])
        return sign if most >= MIN_AGREEMENT * votes.total() else ""
    hinted = {hint for hint in hints if hint}
    if len(hinted) == 1:
        return hinted.pop()
    return "." if not hinted and unsure_marks == {","} else ""


def read_number(text: str, notation: Notation) -> Decimal | None:
    """Return the number in a cell, whole or not."""
    if len(text) > MAX_BARE_DIGITS and text.lstrip("+-").isdigit():
        return None
    number = parse_number(text)
    return None if number is None else to_decimal(number, notation.decimal)


def read_integer(text: str, notation: Notation) -> int | None:
    """Return the number in a cell if it is written without decimals."""
    number = read_number(text, notation)
    return int(number) if number is not None and number.as_tuple().exponent == 0 else None


_PERCENT = late_pattern(r"([-+]?[\d.,' ]*\d) ?%|% ?([\d.,' ]*\d)")


def parse_percent(text: str) -> WrittenNumber | None:
    """Return the number before or after a percent sign."""
    match = _PERCENT.fullmatch(text)
    return parse_number(match[1] or match[2]) if match else None


def read_percent(text: str, notation: Notation) -> Decimal | None:
    """Return the percentage in a cell as written: 12.5 for 12,5 %."""
    number = parse_percent(text)
    return None if number is None else to_decimal(number, notation.decimal)


def is_code_caption(caption: str) -> bool:
    """Return whether a caption says that the digits below it are a postcode, an identifier or another code."""
    return _CODE_CAPTION.search(caption) is not None


def is_padded(text: str) -> bool:
    """Return whether a cell is digits with a leading zero: its column then holds identifiers, not numbers."""
    return _PADDED.fullmatch(text) is not None

"""What a record is compared by: words, model numbers, quantities with their units, and exact keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

# Columns whose values are the same wherever the thing is sold
KEY_COLUMNS = frozenset({"gtin", "gtin13", "gtin14", "gtin12", "gtin8", "ean", "upc", "isbn", "isbn_13", "isbn_10"})
KEY_COLUMNS |= {"isbn13", "isbn10", "asin", "mpn", "doi"}
# Columns that name who made the thing: two things of different makers are two
MAKER_COLUMNS = frozenset({"brand", "author", "manufacturer", "publisher", "company", "director"})
PRICE_COLUMNS = frozenset({"price"})
# Spellings of units: how many of the unit that stands for their kind
_UNITS: dict[str, tuple[str, Decimal]] = {
    **dict.fromkeys(("ml", "millilitre", "milliliter", "millilitres", "milliliters"), ("ml", Decimal(1))),
    **dict.fromkeys(("cl",), ("ml", Decimal(10))),
    **dict.fromkeys(("l", "lt", "ltr", "litre", "liter", "litres", "liters", "litro", "litros"), ("ml", Decimal(1000))),
    **dict.fromkeys(("g", "gr", "gram", "grams", "gramme", "grammes", "gramas"), ("g", Decimal(1))),
    **dict.fromkeys(("mg",), ("g", Decimal("0.001"))),
    **dict.fromkeys(("kg", "kilo", "kilos", "kilogram", "kilograms"), ("g", Decimal(1000))),
    **dict.fromkeys(("mm",), ("mm", Decimal(1))),
    **dict.fromkeys(("cm",), ("mm", Decimal(10))),
    **dict.fromkeys(("m", "metre", "meter", "metres", "meters"), ("mm", Decimal(1000))),
    **dict.fromkeys(("in", "inch", "inches", '"', "″", "zoll", "pol"), ("inch", Decimal(1))),
    **dict.fromkeys(("mb",), ("gb", Decimal("0.001"))),
    **dict.fromkeys(("gb",), ("gb", Decimal(1))),
    **dict.fromkeys(("tb",), ("gb", Decimal(1000))),
    **dict.fromkeys(("w", "watt", "watts"), ("w", Decimal(1))),
    **dict.fromkeys(("kw",), ("w", Decimal(1000))),
    **dict.fromkeys(("mah",), ("mah", Decimal(1))),
    **dict.fromkeys(("mp", "megapixel", "megapixels", "mpx"), ("mp", Decimal(1))),
    **dict.fromkeys(("pcs", "pc", "pieces", "pack", "pk", "count", "ct", "stk", "un"), ("pcs", Decimal(1))),
}
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_QUANTITY = re.compile(rf"(?<![\w.,])(\d+(?:[.,]\d+)?)[\s-]*({_UNIT})(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")
_PARTS = re.compile(r"[-./]")
_NOT_WORD = re.compile(r"\W+")
_AMOUNT = re.compile(r"\d[\d.,' ]*")
_CENTS = re.compile(r"[.,](\d{1,2})$")
_NOT_DIGITS = re.compile(r"\D")
_MIN_CODE_CHARS = 3


@dataclass(frozen=True, slots=True)
class RecordTerms:
    """The terms of a record; ``codes`` are model numbers, ``quantities`` the amounts by unit, ``keys`` exact keys.

    ``makers``: the words of the columns that name who made it. ``price``: 0 where it is not compared.
    """

    words: frozenset[str]
    codes: frozenset[str]
    quantities: Mapping[str, frozenset[Decimal]]
    keys: Mapping[str, str]
    makers: Mapping[str, frozenset[str]]
    price: float = 0.0

    @property
    def all(self) -> frozenset[str]:
        """Everything that two records can share."""
        amounts = {f"{amount.normalize():f} {unit}" for unit, own in self.quantities.items() for amount in own}
        return self.words | self.codes | amounts


def terms_of(row: Mapping[str, str], columns: Sequence[str]) -> RecordTerms:
    """Return the terms of a record in these columns."""
    apart = KEY_COLUMNS | PRICE_COLUMNS
    texts = [plain(row[name]) for name in columns if name in row and name.casefold() not in apart]
    quantities: dict[str, set[Decimal]] = {}
    rest = []
    for text in texts:
        for amount, unit in _QUANTITY.findall(text):
            kind, factor = _UNITS[unit]
            quantities.setdefault(kind, set()).add(Decimal(amount.replace(",", ".")) * factor)
        rest.append(_QUANTITY.sub(" ", text))
    words, codes = _words(rest)
    named = ((name.casefold(), row[name]) for name in columns if name.casefold() in KEY_COLUMNS and name in row)
    keys = {name: key for name, text in named if (key := exact_key(text))}
    amounts = {unit: frozenset(own) for unit, own in quantities.items()}
    makers = {
        name.casefold(): _words([plain(row[name])])[0]
        for name in columns
        if name.casefold() in MAKER_COLUMNS and row.get(name)
    }
    return RecordTerms(words, codes, amounts, keys, makers, _price(row, columns))


def _price(row: Mapping[str, str], columns: Sequence[str]) -> float:
    """Return the price of a record, 0 where it has none; two decimals after the last separator are cents."""
    text = next((row[name] for name in columns if name.casefold() in PRICE_COLUMNS and name in row), "")
    found = _AMOUNT.search(text)
    if found is None:
        return 0.0
    digits = found[0].replace(" ", "")
    cents = _CENTS.search(digits)
    whole = _NOT_DIGITS.sub("", digits[: cents.start()] if cents else digits)
    return float(f"{whole or 0}.{cents[1] if cents else 0}")


def plain(text: str) -> str:
    """Return a text in lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _words(texts: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    words: set[str] = set()
    codes: set[str] = set()
    for text in texts:
        for found in _WORD.findall(text):
            whole = _PARTS.sub("", found)
            has_digit = any(char.isdigit() for char in whole)
            if has_digit and len(whole) >= _MIN_CODE_CHARS and not whole.isdigit():
                codes.add(whole)
            elif has_digit:
                words.add(whole)
            else:
                words.update(_PARTS.split(found))
    return frozenset(words), frozenset(codes)


def exact_key(text: str) -> str:
    """Return a key in one spelling: codes of goods without leading zeros, ISBN of ten digits as of thirteen."""
    bare = _NOT_WORD.sub("", plain(text)).replace("_", "")
    if len(bare) == 10 and bare[:9].isdigit() and (bare[9].isdigit() or bare[9] == "x"):
        digits = f"978{bare[:9]}"
        total = sum(int(digit) * (3 if k % 2 else 1) for k, digit in enumerate(digits))
        return digits + str(-total % 10)
    return bare.lstrip("0") if bare.isdigit() else bare

"""The typed values of cells. All are comparable and hashable, and hold no reference to the page."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

ColumnType = Literal[
    "text",
    "integer",
    "number",
    "money",
    "percent",
    "quantity",
    "date",
    "datetime",
    "time",
    "duration",
    "url",
    "image",
    "email",
    "phone",
    "rating",
    "boolean",
    "list",
    "records",
]

# What a column is to a reader
Role = Literal[
    "title",
    "subtitle",
    "url",
    "image",
    "price",
    "old_price",
    "currency",
    "discount",
    "date",
    "end_date",
    "time",
    "author",
    "company",
    "location",
    "address",
    "summary",
    "description",
    "rating",
    "reviews",
    "category",
    "tags",
    "availability",
    "brand",
    "sku",
    "phone",
    "email",
    "count",
    "id",
    "number",
    "size",
    "duration",
    "salary",
    "language",
    "status",
]


@dataclass(frozen=True, slots=True)
class Money:
    """An amount and its currency: the ISO 4217 code where the page leaves no doubt ("EUR" for €), else its sign ("$").

    The amount is the least that the page names: 12 for "from $12" and for "$12 / month". ``upper`` is the upper bound
    of a range, 20 for "$10 - $20". The currency is empty where the page names none.
    """

    amount: Decimal
    currency: str = ""
    upper: Decimal | None = None

    def __str__(self) -> str:
        amounts = f"{self.amount}" if self.upper is None else f"{self.amount} - {self.upper}"
        return f"{amounts} {self.currency}".rstrip()


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit, in one spelling for all ways to write it: "m2" for m², sqm and 平米, "km" for км."""

    amount: Decimal
    unit: str

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}"


@dataclass(frozen=True, slots=True)
class Rating:
    """A score, and the best score of its scale where the page says it."""

    score: Decimal
    best: Decimal | None = None

    def __str__(self) -> str:
        return f"{self.score}" if self.best is None else f"{self.score}/{self.best}"


Scalar: TypeAlias = (
    str
    | int
    | Decimal
    | bool
    | datetime.date
    | datetime.datetime
    | datetime.time
    | datetime.timedelta
    | tuple[str, ...]
    | None
)
Value: TypeAlias = Scalar | Money | Quantity | Rating

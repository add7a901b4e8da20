"""Amounts of money with the same words in all records: "Regular Price $149" has a label, "£20.70 inc VAT" has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from peneira.character_search import character_search
from peneira.columns.role_words import named_roles
from peneira.columns.value_patterns import CURRENCY
from peneira.late_patterns import late_pattern
from peneira.types.money import parse_price
from peneira.values import Role

# A longer text is a sentence
MAX_CHARS = 60
# The share of the texts that must have the same words around an amount
MIN_SHARE = 0.8
# At least three letters: "or $9", "de R$ 9"
_WORDS = r"[^\W\d_]{2}[^\s\d$€£¥₹:/][^\d$€£¥₹:/]{0,36}"
_AMOUNT = rf"{CURRENCY}\s?\d[\d.,]*|\d[\d.,]*\s?{CURRENCY}"
_WORDED = late_pattern(rf"(?:({_WORDS}?)[\s–-]+)?({_AMOUNT})(?:\s+\(?({_WORDS}?)\)?)?")
# What a label before an amount may say: of other words it is part of the price, "Sale $9"
_LABELLED: tuple[Role, ...] = ("old_price", "discount")
# and the words after one, if it is no price: "$50 off", "$5 shipping"
_OTHER_AFTER: frozenset[Role] = frozenset({"discount", "old_price", "availability"})
_HAS_DIGIT = character_search("", digits=True)


class WordedAmounts(NamedTuple):
    """The amounts in texts by record, and the words before them if these say that it is an old price or a discount."""

    amounts: Mapping[int, str] = {}
    label: str = ""


NO_AMOUNTS = WordedAmounts()


def worded_amounts(texts: Mapping[int, str]) -> WordedAmounts:
    """Return the amounts of texts that are otherwise the same; none if they can be read as they are."""
    first = next(iter(texts.values()), "")
    words = _words_around(first)
    if words is None or parse_price(first) is not None:
        return NO_AMOUNTS
    amounts = {
        record: match[2]
        for record, text in texts.items()
        if len(text) <= MAX_CHARS and (match := _WORDED.fullmatch(text)) and (match[1], match[3]) == words
    }
    if len(amounts) < max(2, MIN_SHARE * len(texts)):
        return NO_AMOUNTS
    before, after = words
    if after is not None and not _OTHER_AFTER.isdisjoint(named_roles(after)):
        return NO_AMOUNTS
    if after is None and before is not None and any(named_roles(before).get(role) for role in _LABELLED):
        return WordedAmounts(amounts, before)
    if before is not None and "price" not in named_roles(before):
        return NO_AMOUNTS  # "Delivery $5"
    return WordedAmounts(amounts)


def _words_around(text: str) -> tuple[str | None, str | None] | None:
    """Return the words before and after an amount, None if the text is no amount with words."""
    match = _WORDED.fullmatch(text) if len(text) <= MAX_CHARS and _HAS_DIGIT(text) else None
    return (match[1], match[3]) if match and (match[1] or match[3]) else None

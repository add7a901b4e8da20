"""How well the fields of an item match the gold of its page.

Products are scored as their benchmark does: a value is right if it equals one of the accepted ones; precision over the
pages with an answer, recall over the pages with gold. Recipes and articles are scored by the values found: a gold value
is found if it stands in the text of its field, and the words of the field that no gold value has count against it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_NOT_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w+")
_SIGNS = re.compile(r"[\s-]+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to one attribute: right ones, given ones, and pages with gold."""

    right: int
    given: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of the answers that are right."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of the pages with gold that have the right answer."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.given + self.gold) if self.given + self.gold else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """One field against its gold: how many values it holds, and how many of its words they have."""

    found: int
    values: int
    shared_words: int
    words: int
    gold_words: int

    @property
    def recall(self) -> float:
        """The share of the gold values that are in the field."""
        return self.found / self.values if self.values else 0.0

    @property
    def precision(self) -> float:
        """The share of the words of the field that the gold has."""
        return self.shared_words / self.words if self.words else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0

    @property
    def word_f1(self) -> float:
        """The F1 of the words of the field, as a bag, against those of the gold."""
        total = self.words + self.gold_words
        return 2 * self.shared_words / total if total else 0.0


def is_right(attribute: str, answer: str, accepted: Sequence[str]) -> bool:
    """Return whether an answer about a product is one of the accepted ones."""
    return _product_form(attribute, answer) in {_product_form(attribute, text) for text in accepted}


def _product_form(attribute: str, text: str) -> str:
    if attribute == "price":
        try:
            return format(Decimal(text.strip()).normalize(), "f")
        except InvalidOperation:
            return text
    if attribute in ("sku", "gtin", "mpn"):
        return _SIGNS.sub("", text).casefold()
    return " ".join(text.split()).casefold()


def answers(rows: Iterable[tuple[str, Sequence[str]]], attribute: str) -> Answers:
    """Return how the answers ("" for none) to an attribute compare with the accepted values (none: no gold)."""
    pairs = list(rows)
    right = sum(bool(answer) and is_right(attribute, answer, accepted) for answer, accepted in pairs)
    return Answers(right, sum(bool(answer) for answer, _ in pairs), sum(bool(accepted) for _, accepted in pairs))


def match(text: str, values: Sequence[str]) -> Match:
    """Return how a field compares with the gold values that it should hold."""
    own = bare(text)
    found = sum(bool(form) and form in own for form in map(bare, values))
    words, gold = Counter(_words(text)), Counter(word for value in values for word in _words(value))
    return Match(found, len(values), (words & gold).total(), words.total(), gold.total())


def equals(text: str, values: Sequence[str]) -> bool:
    """Return whether a field is one of the gold values, letters and digits alone compared."""
    return bool(bare(text)) and bare(text) in {bare(value) for value in values}


def bare(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())

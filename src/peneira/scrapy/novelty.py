"""Which pages bring anything new: a calendar that goes on for ever does not, a list of products does.

Pages are counted by the form of their address, its numbers left out. A record is new if neither its key nor its text
without numbers was seen before: the days of a calendar differ in nothing but numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from peneira.result import Record
from peneira.scrapy.record_rows import record_key

_DIGITS = re.compile(r"\d+")


def address_form(url: str) -> str:
    """Return an address without its numbers."""
    return _DIGITS.sub("#", url)


class Novelty:
    """Counts for each form of address the pages in a row that brought no new record."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._keys: set[str] = set()
        self._texts: set[str] = set()
        self._fruitless: Counter[str] = Counter()

    def is_spent(self, url: str) -> bool:
        """Return whether pages with addresses of this form have brought nothing new for too long."""
        return self._fruitless[address_form(url)] >= self.limit

    def is_fruitful(self, url: str) -> bool:
        """Return whether the last page with an address of this form brought anything new."""
        return not self._fruitless[address_form(url)]

    def note(self, url: str, records: Iterable[Record]) -> int:
        """Note the records of a page, and return how many have a key that was not seen before."""
        new_keys = new_texts = 0
        for record in records:
            key, text = record_key(record), _DIGITS.sub("#", record.text)
            new_keys += key not in self._keys
            new_texts += key not in self._keys and text not in self._texts
            self._keys.add(key)
            self._texts.add(text)
        form = address_form(url)
        self._fruitless[form] = 0 if new_texts else self._fruitless[form] + 1
        return new_keys

"""Postal addresses in several texts: a street with a number, and a town with a postal code, are one value."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.late_patterns import late_pattern

MIN_SHARE = 0.6
MAX_LINES = 6
MAX_CHARS = 160
# A number before or after the name of a street, or a box of the post office
_HOUSE = late_pattern(r"^\d+[A-Za-z]?\b\s+\S*[^\W\d]|[^\W\d]{3,}\.?,? \d+[a-z]?$|^\W*[Pp]\.? ?[Oo]\.? [Bb]ox\b")
# Postal codes: a state and five digits, five or six digits beside a town, those of Britain and Canada
_CODE = late_pattern(
    r"\b[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?$|^\d{5,6}(?:-\d{3,4})?(?:\s+[^\W\d]{2,}|$)|[^\W\d]{3,},? \d{5,6}(?:-\d{4})?$"
    r"|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"
)


def are_address_lines(by_page: Sequence[Sequence[str]]) -> bool:
    """Return whether the texts of most pages are the lines or parts of one postal address."""
    return sum(map(_is_address, by_page)) >= MIN_SHARE * max(len(by_page), 1)


def _is_address(texts: Sequence[str]) -> bool:
    if not 2 <= len(texts) <= MAX_LINES or sum(map(len, texts)) > MAX_CHARS:
        return False
    houses = [k for k, text in enumerate(texts) if _HOUSE.search(text)]
    return any(_CODE.search(text) and any(other != k for other in houses) for k, text in enumerate(texts))

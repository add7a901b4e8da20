"""Patterns of values: whether a text looks like a date, an amount of money, a number or a code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from peneira.types.locales import month_names

# The pattern of a value shows at its start
MAX_MATCHED_CHARS = 60

# For lower-case texts, since ignoring case takes three times as long. The words may be the name of a month or not
_WORD = r"[^\s\d.,;:()\[\]/|-]{2,20}"
_DATE = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|(?P<first>{_WORD})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?(?P<second>{_WORD})\.?,?\s+(?:de\s+)?\d{{4}})\b"
)
CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£¥₹]|\b(?:EUR|USD|BRL|GBP)\b)"
_DIGIT = re.compile(r"\d")
_DATE_HINT = re.compile(r"\d{4}|\d[-/.]\d")
_PATTERNS = (
    ("money", re.compile(rf"{CURRENCY}\s*\d|\d[\d.,]*\s*{CURRENCY}")),
    ("number", re.compile(r"[#+-]?\d[\d.,\s]*%?$")),
    ("code", re.compile(r"(?=\S*\d)[\w./-]+$")),
)


def may_contain_date(text: str) -> bool:
    """Return whether the text has a four-digit number or two numbers in a row, without which it has no date."""
    return _DATE_HINT.search(text) is not None


def dates_in(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where the dates of a lower-case text begin and end, in order; day and month are not checked."""
    months = month_names()
    while match := _DATE.search(text, start):
        name = match["first"] or match["second"]
        if name is None or name in months:
            yield match.span()
            start = match.end()
        else:
            start = match.start() + 1


def value_pattern(text: str) -> str:
    """Return the pattern of a text: "date" if it contains one, "money", "number", "code", or "" for words."""
    start = text[:MAX_MATCHED_CHARS]
    if not _DIGIT.search(start):
        return ""
    if may_contain_date(start) and any(dates_in(start.lower())):
        return "date"
    return next((name for name, pattern in _PATTERNS if pattern.match(start)), "")


def common_pattern(texts: Sequence[str]) -> str:
    """Return the pattern that more than half of the texts match, "" if there is none."""
    counts = Counter(map(value_pattern, texts))
    pattern, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return pattern if 2 * count > len(texts) else ""

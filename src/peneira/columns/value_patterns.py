"""What a text looks like: the label before its value, and a sketch of the value itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

MAX_LABEL_WORDS = 5
SKETCHED_CHARS = 60

# The first letters of the months in English, Portuguese, Spanish, French, Italian and German
MONTH = (
    r"(?:jan|feb|f[eé]v|mar|m[aä]r|apr|abr|avr|may|mai|mag|jun|giu|juin|jul|lug|juil|aug|ago|ao[uû]|sep|set|oct|okt|out|ott|"
    r"nov|dec|dez|d[eé]c|dic|ene|gen)[a-zçéû]*\.?"
)
# For texts in lower case: a pattern that ignores case takes three times as long. So does one whose first letter is open
DATE = (
    r"\b(?=[\dadefgjmnos])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?{MONTH},?\s+(?:de\s+)?\d{{4}})\b"
)
CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£¥₹]|\b(?:EUR|USD|BRL|GBP)\b)"
_LABEL = re.compile(r"([^\W\d][^:：]{0,38}?)\s*[:：](?:\s+|$)")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(DATE)
_MAY_DATE = re.compile(r"\d{4}|\d[-/.]\d")
_SKETCHES = (
    ("money", re.compile(rf"{CURRENCY}\s*\d|\d[\d.,]*\s*{CURRENCY}")),
    ("number", re.compile(r"[#+-]?\d[\d.,\s]*%?$")),
    ("code", re.compile(r"(?=\S*\d)[\w./-]+$")),
)


def label(text: str) -> re.Match[str] | None:
    """Return the label that a text starts with: the first group of a match that ends where the value starts."""
    match = _LABEL.match(text)
    return match if match and len(match[1].split()) <= MAX_LABEL_WORDS else None


def is_label(text: str) -> bool:
    """Tell whether the text is a label without a value."""
    match = label(text)
    return match is not None and match.end() == len(text)


def plain_label(text: str) -> str:
    """Return a label without its colon, in lower case."""
    return text.rstrip(" :：").lower()


def may_hold_date(text: str) -> bool:
    """Tell whether looking for a date is worth while: it has a year, or a number right after another."""
    return _MAY_DATE.search(text) is not None


def value_pattern(text: str) -> str:
    """Return what a text is from its look: "date" if it has one, "money", "number", "code", or "" for words."""
    start = text[:SKETCHED_CHARS]
    if not _DIGIT.search(start):
        return ""
    if may_hold_date(start) and _DATE.search(start.lower()):
        return "date"
    return next((name for name, pattern in _SKETCHES if pattern.match(start)), "")


def common_pattern(texts: Sequence[str]) -> str:
    """Return the pattern that more than half of the texts match, "" if there is none."""
    counts = Counter(map(value_pattern, texts))
    pattern, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return pattern if 2 * count > len(texts) else ""

"""What the texts of a column are like: what the kernel ``column_values`` counts, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log1p

from peneira.late_patterns import late_pattern

# Longer texts are compared by their start
MAX_COMPARED_CHARS = 200
MAX_COUNTED_CHARS = 2000
_DIGIT = late_pattern(r"\d")
_CODE = late_pattern(r"\d{4,}")
_WORD = late_pattern(r"[^\W\d_]{3,}")
# a capital that no letter or digit stands before; the class in front lets the engine skip other characters
_CAPITAL_WORD = late_pattern(r"[A-Z](?<!\w[A-Z])")
_SENTENCE_END = frozenset(".!?…")


def value_counts(texts: Sequence[str], max_start: int, max_counted: int) -> tuple[int, ...]:
    """Return what the kernel of the same name counts in texts, in plain Python."""
    joined = "".join(texts)
    with_digit = [text for text in texts if _DIGIT.search(text)] if _DIGIT.search(joined) else []
    firsts = [text[:1] for text in texts]
    starts = "\n".join([text[:max_start] for text in texts])
    return (
        len(joined),
        max(map(len, texts)),
        joined.count(" "),
        len(with_digit),
        sum(map(str.isdigit, firsts)),
        sum(map(str.isupper, firsts)),
        sum(["," in text for text in texts]) if "," in joined else 0,
        sum([text[-1:] in _SENTENCE_END for text in texts]),
        len(_CAPITAL_WORD.findall(starts)),
        _digits(joined[:max_counted]) if with_digit else 0,
        sum([_CODE.search(text) is not None for text in with_digit]),
    )


def value_features(
    texts: Sequence[str], fill: float, type_confidence: float, max_start: int, max_counted: int
) -> tuple[float, ...]:
    """Return what the kernel of the same name returns, in plain Python."""
    size = len(texts)
    distinct = len(set(texts))
    chars, longest, spaces, with_digit, digit_first, capital_first, commas, sentences, capitals, digits, codes = (
        value_counts(texts, max_start, max_counted)
    )
    return (
        fill,
        distinct / size,
        (1 if distinct == size else max(Counter(texts).values())) / size,
        log1p(chars / size),
        log1p(longest),
        log1p((spaces + size) / size),
        with_digit / size,
        digit_first / size,
        capital_first / size,
        commas / size,
        sentences / size,
        capitals / size,
        digits / max(min(chars, max_counted), 1) if with_digit else 0.0,
        codes / size,
        type_confidence,
    )


def _digits(text: str) -> int:
    return sum([text.count(digit) for digit in "0123456789"])


def long_words(text: str) -> frozenset[str]:
    """Return the words of three letters or more of a text, in lower case."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def slug_share(text: str, slug: frozenset[str] | None) -> float:
    """Return the share of the words of a text that the address of its record has too."""
    if not slug:
        return 0.0
    start = text[:MAX_COMPARED_CHARS]
    if start.isascii():  # the lower case of some other letters are several
        words = _WORD.findall(start.lower())
        return sum([word in slug for word in words]) / len(words) if words else 0.0
    words = _WORD.findall(start)
    return sum([word.lower() in slug for word in words]) / len(words) if words else 0.0

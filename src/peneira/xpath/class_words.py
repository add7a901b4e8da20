"""Ids and class names: which of them people wrote, and which a build tool generated and will change the next time."""

from __future__ import annotations

import re

from peneira.short_text_cache import cache_of_short_texts
from peneira.xpath.selectors import can_quote

# Longer ids and class names are generated, or hold data
MAX_NAME_CHARS = 60
_MIXED = re.compile(r"(?:sc-)?(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z]{4,10}")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWEL = re.compile("[aeiou]", re.IGNORECASE)
_HASH = re.compile(r"(?=.*\d)(?=.*[a-zA-Z])[\w-]{5,}|[bcdfghjklmnpqrstvwxz]{5,}", re.IGNORECASE)
_HASHED_END = re.compile(r"(?=\w*\d)(?=\w*[a-zA-Z])(?:\w*[-_])?[a-zA-Z0-9]{5,}")
_NUMBERED = re.compile(r"\d{3}|^\d|[\d_-]\d+$|\d[a-z]+\d", re.IGNORECASE)
# Classes that describe the state of an element, not what it is
_STATES = frozenset(
    "active alt clear clearfix closed collapsed current disabled even expanded first hidden hide hover last odd on off "
    "open right left selected show visible".split()
)


def is_generated(word: str) -> bool:
    """Return whether a class name was generated: upper and lower case mixed in an unpronounceable word (``dheQRw``)."""
    if not _MIXED.fullmatch(word):
        return False
    parts = _CAMEL.findall(word.removeprefix("sc-"))
    is_unpronounceable = any(len(part) > 1 and not _VOWEL.search(part) for part in parts)
    return is_unpronounceable or word[-1].isupper() or len(word) < 3 * len(parts)


def is_hash(word: str) -> bool:
    """Return whether a word mixes letters and digits, or has no vowel: it tells nothing about its element."""
    return _HASH.fullmatch(word) is not None


@cache_of_short_texts(8192)
def is_stable(word: str) -> bool:
    """Return whether an id or a class name looks written by a person and lasting: no number, no hash, no state."""
    if len(word) > MAX_NAME_CHARS or not can_quote(word) or word.lower() in _STATES or _NUMBERED.search(word):
        return False
    return not _HASHED_END.fullmatch(word) and not is_generated(word)

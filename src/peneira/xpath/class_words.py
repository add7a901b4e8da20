"""Ids and class words: which of them people wrote, and which a program made that will make others the next time."""

from __future__ import annotations

import re
from functools import lru_cache

from peneira.xpath.predicates import can_quote

MAX_CHARS = 60
_MIXED = re.compile(r"(?:sc-)?(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z]{4,10}")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWEL = re.compile("[aeiou]", re.IGNORECASE)
_HASH = re.compile(r"(?=.*\d)(?=.*[a-zA-Z])[\w-]{5,}|[bcdfghjklmnpqrstvwxz]{5,}", re.IGNORECASE)
_HASHED_END = re.compile(r"(?=\w*\d)(?=\w*[a-zA-Z])(?:\w*[-_])?[a-zA-Z0-9]{5,}")
_NUMBERED = re.compile(r"\d{3}|^\d|[\d_-]\d+$|\d[a-z]+\d", re.IGNORECASE)
# Classes that say in what state an element is, not what it is
_STATES = frozenset(
    "active alt clear clearfix closed collapsed current disabled even expanded first hidden hide hover last odd on off "
    "open right left selected show visible".split()
)


def is_generated(word: str) -> bool:
    """Tell whether a class word was made by a program: cases mixed within what nobody could pronounce (``dheQRw``)."""
    if not _MIXED.fullmatch(word):
        return False
    parts = _CAMEL.findall(word.removeprefix("sc-"))
    unspoken = any(len(part) > 1 and not _VOWEL.search(part) for part in parts)
    return unspoken or word[-1].isupper() or len(word) < 3 * len(parts)


def is_hash(word: str) -> bool:
    """Tell whether a word is letters and figures in one, or letters without a vowel: it says nothing of its element."""
    return _HASH.fullmatch(word) is not None


@lru_cache(maxsize=8192)
def is_stable(word: str) -> bool:
    """Tell whether an id or a class looks as if somebody wrote it to stay: no number, no hash, no state."""
    if len(word) > MAX_CHARS or not can_quote(word) or word.lower() in _STATES or _NUMBERED.search(word):
        return False
    return not _HASHED_END.fullmatch(word) and not is_generated(word)

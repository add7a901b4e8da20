"""Labels: the words before a colon that name the value after it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from peneira.late_patterns import late_pattern

# More words before a colon are the start of a sentence
MAX_LABEL_WORDS = 5
# The share of a column's texts that must start with the same words for these to be its label
MIN_LABELLED_SHARE = 0.8
_LABEL = late_pattern(r"([^\W\d][^:：]{0,38}?)\s*[:：](?:\s+|$)")


def leading_label(text: str) -> re.Match[str] | None:
    """Return the label that a text starts with: the first group of a match that ends where the value starts."""
    match = _LABEL.match(text)
    return match if match and len(match[1].split()) <= MAX_LABEL_WORDS else None


def is_bare_label(text: str) -> bool:
    """Return whether the text is a label without a value."""
    match = leading_label(text)
    return match is not None and match.end() == len(text)


def normalized_label(text: str) -> str:
    """Return a label in lower case, without its colon."""
    return text.rstrip(" :：").lower()


def common_label(texts: Mapping[int, str]) -> str:
    """Return the label that most texts have before a value, "" if there is none."""
    matches = [(leading_label(text), text) for text in texts.values() if ":" in text]
    if not matches:
        return ""
    counts = Counter(match[1] for match, text in matches if match and match.end() < len(text))
    if not counts:
        return ""
    label, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return label if count >= MIN_LABELLED_SHARE * len(texts) else ""


def without_label(text: str, label: str) -> str:
    """Return the value after the label; the whole text where it has another label or no value."""
    match = leading_label(text) if ":" in text else None
    return text[match.end() :] or text if match and match[1] == label else text

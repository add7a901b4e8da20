"""Texts that a spreadsheet would run as formulas, and the guard against them.

A text that starts as a formula does gets a ``'`` in front. So does a text that starts with ``'`` and goes on as a
formula does, so that the rule can be undone: of a text that starts with one or more ``'`` and goes on so, take the
first ``'`` away. Plain numbers, such as -12.5 and +1, are no formulas. No guard suits every program that reads CSV.
"""

from __future__ import annotations

import re

# OWASP, "CSV injection". Readers skip blanks and invisible characters; Excel takes the wide forms for the narrow ones
_FORMULA = re.compile(r"'*(?:[\t\r\n]|[\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠])")
_NUMBER = re.compile(r"[+-]?[.,]?\d[\d.,\s]*%?")


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet might run the text."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def guarded(text: str) -> str:
    """Return the text as one that no spreadsheet runs."""
    return f"'{text}" if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text that ``guarded`` was given."""
    return text[1:] if text.startswith("'") and is_formula(text) else text

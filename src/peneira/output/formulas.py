"""Texts that a spreadsheet would run as formulas, and the guard against them.

A text that starts like a formula gets a ``'`` in front. So does a text that starts with ``'`` followed by the start of
a formula, so that the rule can be undone: remove the first ``'`` of a text that starts with one or more ``'`` followed
by the start of a formula. Plain numbers, such as -12.5 and +1, are not formulas. No guard suits every reader of CSV.

Where ``;`` separates lists (most of Europe), Excel splits comma-separated files at it, quotes or not. So a ``;`` in a
text that is followed by the start of a formula gets a ``'`` after it, by the same rule. That of "a;-)" does not.
"""

from __future__ import annotations

import re

# OWASP, "CSV injection". Readers skip blanks and invisible characters; Excel takes the wide forms for the narrow ones
_FORMULA = re.compile(r"'*(?:[\t\r\n]|[\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠])")
_BLANK = r"[\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]*"
_INNER_FORMULA = rf"(?='*{_BLANK}[=+\-@＝＋－＠]{_BLANK}[\w(\"'=+\-@$.])"
_INNER_START = re.compile(rf"(?<=;){_INNER_FORMULA}")
_INNER_GUARD = re.compile(rf"(?<=;)'{_INNER_FORMULA}")
_NUMBER = re.compile(r"[+-]?[.,]?\d[\d.,\s]*%?")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet might run the text."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def guarded(text: str) -> str:
    """Return the text as one that no spreadsheet runs."""
    text = _INNER_START.sub("'", text) if ";" in text else text
    return f"'{text}" if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text that ``guarded`` was given."""
    text = text[1:] if text.startswith("'") and is_formula(text) else text
    return _INNER_GUARD.sub("", text) if ";" in text else text

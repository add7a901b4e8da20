"""Predicates of XPath: what an element must have, written so that every XPath engine reads it alike."""

from __future__ import annotations

from peneira.errors import SelectorError


def quoted(text: str) -> str:
    """Return a text as a literal of XPath, which has no escapes; texts with both kinds of quotes have none."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    raise SelectorError(text, "a text with both kinds of quotes cannot be written in XPath")


def can_quote(text: str) -> bool:
    """Tell whether a text can be a literal of XPath."""
    return "'" not in text or '"' not in text


def has_id(id: str) -> str:
    """Return the predicate of an id."""
    return f"[@id={quoted(id)}]"


def has_class(word: str) -> str:
    """Return the predicate of one class among others."""
    return f"[contains(concat(' ', normalize-space(@class), ' '), {quoted(f' {word} ')})]"

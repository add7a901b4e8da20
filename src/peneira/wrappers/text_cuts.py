"""Cuts: which part of a text is the value, said by what stands before and after it.

"Smith v. Jones (No. 12-345), May 8, 2024" holds a name up to "(", a number between "No. " and ")", and a date. A cut
is two marks: the value starts at one and ends at the other. A mark is a literal text, a date or a number, counted from
the left or the right. A text without a mark of the cut has no such value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from peneira.columns.value_patterns import dates_in

MarkKind = Literal["edge", "text", "date", "number"]
# Longer texts are prose; what bounds the time that looking for marks takes
MAX_CHARS = 4_000
MAX_MARKS = 200
# What may stand around a value and is no part of it
STRIPPED = " \t\n,;:|·•-–—"
DANGLING_STARTS, DANGLING_ENDS = ")].", "(["
NUMBER = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value starts or ends: at the edge of the text, or at the n-th of these texts, dates or numbers.

    ``index`` counts from 0, or from the right as -1, -2...; that of a mark where a value ends counts from its start.
    ``is_inside``: the mark is part of the value.
    """

    kind: MarkKind = "edge"
    text: str = ""
    index: int = 0
    is_inside: bool = False


EDGE = Mark()


@dataclass(frozen=True, slots=True)
class Cut:
    """The part of a text between two marks. ``is_trimmed``: without separators at its ends."""

    start: Mark = EDGE
    end: Mark = EDGE
    is_trimmed: bool = True

    def value(self, text: str) -> str:
        """Return the part of a text, "" if the text lacks a mark."""
        text = text[:MAX_CHARS]
        first, last = 0, len(text)
        if self.start.kind != "edge":
            span = _nth(spans(self.start, text), self.start.index)
            if span is None:
                return ""
            first = span[0] if self.start.is_inside else span[1]
        if self.end.kind != "edge":
            span = _nth([own for own in spans(self.end, text) if own[0] >= first], self.end.index)
            if span is None:
                return ""
            last = span[1] if self.end.is_inside else span[0]
        value = text[first:last]
        return trimmed(value) if self.is_trimmed else value.strip()


def trimmed(text: str) -> str:
    """Return a text without separators and stray brackets at its ends."""
    bare = text.strip(STRIPPED)
    if bare[:1] in DANGLING_STARTS or bare[-1:] in DANGLING_ENDS:
        bare = bare.lstrip(DANGLING_STARTS).rstrip(DANGLING_ENDS).strip(STRIPPED)
    return bare


def spans(mark: Mark, text: str) -> list[tuple[int, int]]:
    """Return where the marks of a kind stand in a text."""
    if mark.kind == "date":
        lower = text.lower()
        return list(dates_in(lower if len(lower) == len(text) else text))
    if mark.kind == "number":
        return [match.span() for match in NUMBER.finditer(text)]
    found: list[tuple[int, int]] = []
    at = text.find(mark.text) if mark.text else -1
    while at >= 0 and len(found) < MAX_MARKS:
        found.append((at, at + len(mark.text)))
        at = text.find(mark.text, at + len(mark.text))
    return found


def _nth(found: list[tuple[int, int]], index: int) -> tuple[int, int] | None:
    return found[index] if -len(found) <= index < len(found) else None

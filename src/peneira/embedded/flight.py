"""The rows of a page of Next.js (React Server Components): ``id:json`` in lines, and texts with their length."""

from __future__ import annotations

from collections.abc import Iterator

from peneira.embedded.literals import Json, read_literal
from peneira.late_patterns import late_pattern

MAX_ROWS = 20_000
_ROW = late_pattern(r"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),|([A-Z]{0,2}))")


def flight_rows(text: str) -> Iterator[tuple[str, Json]]:
    """Yield the name and the value of each row that holds data; modules, hints and texts are left out."""
    i = 0
    for _ in range(MAX_ROWS):
        match = _ROW.match(text, i)
        if match and match[2]:
            i = _end_of_text(text, match.end(), int(match[2], 16))
            continue
        end = text.find("\n", i)
        if match and not match[3] and text[match.end() : match.end() + 1] in ("[", "{"):
            yield match[1], read_literal(text[match.end() : end if end >= 0 else len(text)]).value
        if end < 0:
            return
        i = end + 1


def _end_of_text(text: str, start: int, size: int) -> int:
    """Return where a text ends that has so many bytes as UTF-8."""
    part = text[start : start + size]
    return start + len(part.encode("utf-8", "replace")[:size].decode("utf-8", "ignore"))

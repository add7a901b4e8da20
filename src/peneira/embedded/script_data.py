"""The data in the scripts of a page: what they assign, pass on or are, parsed and never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from peneira.embedded.flight import flight_rows
from peneira.embedded.literals import Json, read_arguments, read_json, read_literal
from peneira.embedded.payloads import with_arguments, without_references
from peneira.late_patterns import late_pattern
from peneira.page import Page

# Scripts beyond so many characters in all are not read, nor so many literals of one script
MAX_SCRIPT_CHARS = 16 * 1024 * 1024
MAX_LITERALS = 500
# The same for what is no JSON, which is read some thirty times slower
MAX_SCANNED_CHARS = 2 * 1024 * 1024
JSON_LD_TYPE = "application/ld+json"
_JSON_TYPES = late_pattern(
    r"(?:application|text)/(?:[\w.-]+\+)?json\b|text/x-(?:json|component|magento-init)", re.IGNORECASE
)
_SCRIPT_TYPES = frozenset({"", "module"})
# Code without an array of objects has no records
_RECORDS = late_pattern(r"\[\s{0,40}\{\s{0,40}[\\\"'\w$]")
_FLIGHT = "__next_f"
_STARTS = late_pattern(r"[=(]\s{0,9}(?=[\[{]\s{0,99}[\[{\"'\w$]|JSON\.parse\(|\(function\()")
_NAME_BEFORE = late_pattern(r"([\w$.:-]+)[\"']?\]?\s*$")
_MAX_NAME_CHARS = 80
# Scripts with these may have objects that are written once and stand in several places, or whose brackets are escaped
_REPEATING = (_FLIGHT, "(function(", "JSON.parse(", "NUXT_DATA")
_PUSH = late_pattern(r"\.push\(\s{0,9}(?=\[)")
_WRAPPED = late_pattern(r"\(function\((?P<names>[\w$,\s]*)\)\s*\{(?:[^{}]{0,2000};)?\s*return\s*(?=[\[{])")
_ARGUMENTS = late_pattern(r"[;\s]*+\}\s*+(?:\)\s*+)?\(")


@dataclass(frozen=True, slots=True)
class ScriptValue:
    """A value that a script carries, the name it is assigned to or passed to, and the row of the script."""

    value: Json
    name: str
    row: int


def json_ld_values(page: Page, *, min_objects: int = 0) -> list[ScriptValue]:
    """Return the values of the JSON-LD scripts of a page, in document order; none if there cannot be as many objects in
    all of them."""
    scripts = [(row, text) for row, kind, text in _scripts(page) if kind.startswith(JSON_LD_TYPE)]
    if sum([text.count("{") for _, text in scripts]) < min_objects and not any("&quot;" in text for _, text in scripts):
        return []
    return [ScriptValue(_read_document(text), "", row) for row, text in scripts]


def state_values(page: Page, *, containing: Sequence[str] = (), min_objects: int = 0) -> list[ScriptValue]:
    """Return the values in all other scripts of a page, in document order.

    ``containing``: only scripts with one of these texts in them are read; ``min_objects``: scripts that cannot have as
    many objects need not be read.
    """
    return list(_StateReader(page, containing, min_objects).values())


def _scripts(page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield row, type and text of each script that has text, as much as is read of a page."""
    if "script" not in page.tag_names:
        return
    chars_left = MAX_SCRIPT_CHARS
    for row in (page.tag == page.tag_names.index("script")).nonzero()[0].tolist():
        text = "".join(page.text[row + 1 : page.lists.end[row]])[:chars_left]
        chars_left -= len(text)
        if text:
            yield row, page.attrs[row].get("type", "").strip().lower(), text


class _StateReader:
    def __init__(self, page: Page, containing: Sequence[str] = (), min_objects: int = 0) -> None:
        self.page, self.containing, self.min_objects = page, containing, min_objects
        self.scanned_left = MAX_SCANNED_CHARS
        self.flight: list[str] = []
        self.flight_row = -1

    def values(self) -> Iterator[ScriptValue]:
        for row, kind, text in _scripts(self.page):
            if kind.startswith(JSON_LD_TYPE) or (self.containing and not any(part in text for part in self.containing)):
                continue
            if self._has_too_few_objects(row, text):
                continue
            if _JSON_TYPES.match(kind):
                yield self._document(row, text)
            elif kind in _SCRIPT_TYPES or "javascript" in kind or "ecmascript" in kind:
                if _FLIGHT in text:
                    self._read_flight(row, text)
                else:
                    yield from self._assigned(row, text)
        for name, value in flight_rows("".join(self.flight)):
            yield ScriptValue(value, name, self.flight_row)

    def _has_too_few_objects(self, row: int, text: str) -> bool:
        """Return whether a script has fewer brackets of objects than objects are wanted, and no way to repeat them."""
        if not self.min_objects or text.count("{") >= self.min_objects:
            return False
        is_repeating = any(sign in text for sign in _REPEATING) or "NUXT_DATA" in self.page.attrs[row].get("id", "")
        return not is_repeating

    def _document(self, row: int, text: str) -> ScriptValue:
        attrs = self.page.attrs[row]
        value = _read_document(text)
        name = attrs.get("id", "") or next((key for key in attrs if key.startswith("data-")), "")
        return ScriptValue(without_references(value) if "NUXT_DATA" in name else value, name, row)

    def _assigned(self, row: int, text: str) -> Iterator[ScriptValue]:
        """Yield the objects and arrays that a script assigns, or passes to a function."""
        i = 0
        records = _RECORDS.search(text)
        for _ in range(MAX_LITERALS):
            if records is not None and records.start() < i:
                records = _RECORDS.search(text, i)
            if records is None or self.scanned_left <= 0:
                return
            match = _STARTS.search(text, i)
            if match is None:
                return
            wrapped = _WRAPPED.match(text, match.end())
            if wrapped is None and text.startswith("(", match.end()):
                i = match.end() + 1
                continue
            start = wrapped.end() if wrapped else match.end()
            literal = read_literal(text, start)
            self.scanned_left -= 0 if literal.is_json else literal.end - start
            value, i = literal.value, max(literal.end, start + 1)
            if wrapped and (arguments := _ARGUMENTS.match(text, i)):
                given = read_arguments(text, arguments.end())
                value = with_arguments(value, [word.strip() for word in wrapped["names"].split(",")], given.value)
                i = max(given.end, i)
            if isinstance(value, (list, dict)) and value:
                yield ScriptValue(value, _name_before(text, match.start()), row)

    def _read_flight(self, row: int, text: str) -> None:
        """Keep the chunks of text that a page of Next.js pushes."""
        i = 0
        while match := _PUSH.search(text, i):
            literal = read_literal(text, match.end())
            i = max(literal.end, match.end())
            if isinstance(literal.value, list) and len(literal.value) > 1 and isinstance(literal.value[1], str):
                self.flight.append(literal.value[1])
                self.flight_row = row if self.flight_row < 0 else self.flight_row


def _name_before(text: str, position: int) -> str:
    """Return the name that stands before an assignment or a call."""
    match = _NAME_BEFORE.search(text, max(position - _MAX_NAME_CHARS, 0), position)
    return match[1].removeprefix("window.").removeprefix("self.") if match else ""


def _read_document(text: str) -> Json:
    """Return the value of a script that is data as a whole; some have the entities of an attribute in them."""
    value = read_json(text)
    if value in (None, {}, []) and "&quot;" in text:
        return read_json(unescape(text))
    return value

"""JSON and literals of JavaScript read as data, without running anything.

Well-formed JSON is read by the standard library. The rest is read by a scanner that knows single quotes, keys without
quotes, comments, trailing commas, ``undefined`` and ``!0``; an expression of any other kind is None. What is cut off
in the middle gives what stands before. Time is linear in the text, and nothing recurses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from peneira.budget import check_budget
from peneira.embedded.items import Number
from peneira.late_patterns import late_pattern

# Containers below this depth are read over; the number of values that are read of one literal
MAX_DEPTH = 100
MAX_VALUES = 500_000
# The clock is read once in so many values, and in so many brackets of an expression
_CLOCK_EVERY = 256


class Name(str):
    """A bare name in place of a value: a variable, for which the reader may know the value."""

    __slots__ = ()


Json: TypeAlias = "str | bool | list[Json] | dict[str, Json] | None"

_DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=lambda _: None, strict=False)
_SPACE = late_pattern(r"(?:[\s\ufeff]++|//[^\n]*+|<!--|-->)*+")
_SPACE_STARTS = frozenset(" \t\n\r\f\v\u00a0\u2028\u2029\ufeff/<-")
_STRINGS = {
    '"': late_pattern(r'"((?:[^"\\]++|\\.)*+)("?)', re.DOTALL),
    "'": late_pattern(r"'((?:[^'\\]++|\\.)*+)('?)", re.DOTALL),
    "`": late_pattern(r"`((?:[^`\\]++|\\.)*+)(`?)", re.DOTALL),
}
_NUMBER = late_pattern(r"[-+]?(?:0[xX][0-9a-fA-F]++|(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?)")
_WORD = late_pattern(r"[^\W\d][\w$]*+|\$[\w$]*+")
_CONSTANT = late_pattern(r"!\s*([01])|void\s+0")
_JSON_PARSE = late_pattern(r"JSON\s*\.\s*parse\s*\(\s*(?=[\"'`])")
_WORDS: dict[str, str | bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": None,
    "NaN": None,
    "Infinity": None,
}
_STRUCTURE = late_pattern(r"[\"'`(){}\[\],;]|/[/*]")
_ESCAPE = late_pattern(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_SURROGATES = late_pattern("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE_ESCAPE = late_pattern(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = late_pattern("[\ud800-\udfff]")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_MAX_CODE_POINT = 0x10FFFF
# JSON inside a string inside JSON: deeper than this is not read
_MAX_PARSE_CALLS = 3


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal that was read, and where its text ends. ``is_json``: it was JSON as it should be."""

    value: Json
    end: int
    is_json: bool = False


def read_literal(text: str, start: int = 0) -> Literal:
    """Return the literal at a position of the text, or as much of it as there is."""
    error_at = start
    try:
        value, end = _DECODER.raw_decode(text, _after_space(text, start))
        return Literal(
            _without_lone_surrogates(value) if _SURROGATE_ESCAPE.search(text, start, end) else value, end, is_json=True
        )
    except json.JSONDecodeError as error:
        error_at = error.pos
    except (RecursionError, ValueError):
        pass
    scanned = _Scanner(text).scan(start)
    return Literal(scanned.value, max(scanned.end, error_at))


def read_arguments(text: str, start: int) -> Literal:
    """Return the arguments of a call as a list; ``start`` is the position after the opening bracket."""
    return _Scanner(text).scan(start, closer=")")


def read_json(text: str) -> Json:
    """Return the value of a text that should be JSON, read as well as possible; None if there is nothing in it."""
    start = _after_space(text, 0)
    if text.startswith("<![CDATA[", start):
        start = _after_space(text, start + len("<![CDATA["))
    return read_literal(text, start).value


def _after_space(text: str, i: int) -> int:
    """Return the position after white space, comments, and the marks that once hid scripts from browsers."""
    if text[i : i + 1] not in _SPACE_STARTS:
        return i
    while True:
        match = _SPACE.match(text, i)
        i = match.end() if match else i
        if not text.startswith("/*", i):
            return i
        end = text.find("*/", i + 2)
        i = len(text) if end < 0 else end + 2


def with_strings_replaced(value: Json, new: Callable[[str], Json]) -> Json:
    """Return the value with another value in place of each of its strings; its containers are changed."""
    if isinstance(value, str):
        return new(value)
    pending = [value]
    while pending:
        container = pending.pop()
        if isinstance(container, dict):
            pending.extend(entry for entry in container.values() if isinstance(entry, (list, dict)))
            container.update({key: new(entry) for key, entry in container.items() if isinstance(entry, str)})
        elif isinstance(container, list):
            pending.extend(entry for entry in container if isinstance(entry, (list, dict)))
            container[:] = [new(entry) if isinstance(entry, str) else entry for entry in container]
    return value


def _without_lone_surrogates(value: Json) -> Json:
    """Replace in all strings what UTF-8 cannot express; ``\\ud800`` is valid JSON."""
    return with_strings_replaced(
        value, lambda text: _LONE_SURROGATE.sub("\ufffd", text) if _LONE_SURROGATE.search(text) else text
    )


def _unescaped(body: str) -> str:
    """Return the text of a string literal of JavaScript."""
    if "\\" not in body:
        return body
    text = _ESCAPE.sub(_character, body)
    if _LONE_SURROGATE.search(text):
        text = _SURROGATES.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        text = _LONE_SURROGATE.sub("\ufffd", text)
    return text


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _ESCAPED.get(match[4], match[4])
    return chr(min(int(code, 16), _MAX_CODE_POINT))


class _Scanner:
    """Reads one literal of JavaScript with a stack of its own."""

    def __init__(self, text: str, *, parse_calls: int = 0) -> None:
        self.text = text
        self.parse_calls = parse_calls
        self.values = 0

    def scan(self, start: int, *, closer: str = "") -> Literal:
        """Return the literal at a position; with a closer, the list of those up to it."""
        root: list[Json] = []
        stack: list[list[Json] | dict[str, Json]] = [root]
        closers = [""]
        if closer:
            items: list[Json] = []
            root.append(items)
            stack.append(items)
            closers.append(closer)
        key: str | None = None
        i = _after_space(self.text, start)
        while i < len(self.text) and self.values < MAX_VALUES:
            if not self.values % _CLOCK_EVERY:
                check_budget()
            container, char = stack[-1], self.text[i]
            if char == closers[-1]:
                stack.pop()
                closers.pop()
                key = None
                i += 1
                if len(stack) == 1:
                    break
                i = self._after_value(i, stack[-1])
            elif char == "," and len(stack) > 1:
                key = None
                i += 1
            elif char in ")]};":
                break  # closes something that this literal did not open
            elif isinstance(container, dict) and key is None:
                key, i = self._key(i)
            else:
                value, i = self._value(i)
                self.values += 1
                is_deep = len(stack) > MAX_DEPTH
                if not is_deep:
                    _add(container, key, value)
                key = None
                if isinstance(value, (dict, list)) and i < len(self.text) and self.text[i - 1] in "{[":
                    stack.append(value)
                    closers.append("}" if isinstance(value, dict) else "]")
                elif len(stack) == 1:
                    break
                else:
                    i = self._after_value(i, container)
            i = _after_space(self.text, i)
        return Literal(root[0] if root else None, i)

    def _after_value(self, i: int, container: list[Json] | dict[str, Json]) -> int:
        """Return the position of what ends the value before ``i``; a value that goes on is an expression: None."""
        i = _after_space(self.text, i)
        if i >= len(self.text) or self.text[i] in ",}])":
            return i
        if isinstance(container, dict) and container:
            container[next(reversed(container))] = None
        elif isinstance(container, list) and container:
            container[-1] = None
        return self._end_of_expression(i)

    def _key(self, i: int) -> tuple[str | None, int]:
        """Return the key of a property and the position of its value; what is no key is skipped with its value."""
        char = self.text[i]
        if char in "\"'":
            match = _STRINGS[char].match(self.text, i)
            key, end = (_unescaped(match[1]), match.end()) if match else ("", i + 1)
        elif match := _WORD.match(self.text, i) or _NUMBER.match(self.text, i):
            key, end = match[0], match.end()
        else:
            return None, self._end_of_expression(i)
        end = _after_space(self.text, end)
        if self.text.startswith(":", end):
            return key, end + 1
        return None, self._end_of_expression(end)

    def _value(self, i: int) -> tuple[Json, int]:
        """Return the value at a position and where it ends; of an object or array only its opening bracket is read."""
        char = self.text[i]
        if char == "{":
            return {}, i + 1
        if char == "[":
            return [], i + 1
        if char in _STRINGS:
            match = _STRINGS[char].match(self.text, i)
            if match is None:
                return None, i + 1
            is_template = char == "`" and "${" in match[1]
            return (None if is_template else _unescaped(match[1])), match.end()
        if match := _CONSTANT.match(self.text, i):
            return (None if match[1] is None else match[1] == "0"), match.end()
        if match := _NUMBER.match(self.text, i):
            return Number(match[0]), match.end()
        if match := _JSON_PARSE.match(self.text, i):
            return self._parsed(match.end())
        if match := _WORD.match(self.text, i):
            word = match[0]
            return (_WORDS[word] if word in _WORDS else Name(word)), match.end()
        return None, self._end_of_expression(i)

    def _parsed(self, i: int) -> tuple[Json, int]:
        """Return what ``JSON.parse`` would give for the string at a position."""
        match = _STRINGS[self.text[i]].match(self.text, i)
        if match is None:
            return None, i + 1
        end = _after_space(self.text, match.end())
        end += self.text.startswith(")", end)
        if self.parse_calls >= _MAX_PARSE_CALLS:
            return None, end
        text = _unescaped(match[1])
        try:
            value = _DECODER.decode(text)
            return _without_lone_surrogates(value) if _SURROGATE_ESCAPE.search(text) else value, end
        except (RecursionError, ValueError):
            scanner = _Scanner(text, parse_calls=self.parse_calls + 1)
            value = scanner.scan(0).value
            self.values += scanner.values
            return value, end

    def _end_of_expression(self, i: int) -> int:
        """Return the position of the comma or closing bracket after an expression, always beyond ``i`` or at it."""
        depth = tokens = 0
        text = self.text
        while match := _STRUCTURE.search(text, i):
            token, i = match[0], match.end()
            tokens += 1
            if not tokens % _CLOCK_EVERY:
                check_budget()
            if token in _STRINGS:
                string = _STRINGS[token].match(text, match.start())
                i = string.end() if string else i
            elif token == "//":
                end = text.find("\n", i)
                i = len(text) if end < 0 else end
            elif token == "/*":
                end = text.find("*/", i)
                i = len(text) if end < 0 else end + 2
            elif token in "({[":
                depth += 1
            elif depth == 0:
                return match.start()
            elif token in ")}]":
                depth -= 1
        return len(text)


def _add(container: list[Json] | dict[str, Json], key: str | None, value: Json) -> None:
    if isinstance(container, list):
        container.append(value)
    elif key is not None:
        container[key] = value

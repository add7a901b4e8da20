"""Long texts that are hard for a regular expression, made from the expression itself, and on which it is slow."""

from __future__ import annotations

import re
import signal
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from re import _constants as ops
from re import _parser as parser
from typing import Any

# Blanks of all kinds, digits, letters, signs
_RUNS = (
    " ",
    "\u00a0",
    "\t\n",
    "a",
    "A",
    "1",
    "1,",
    "1 ",
    "1.",
    "-",
    "=",
    "/",
    ".",
    "<",
    '"',
    "\\",
    "a-",
    "a ",
    "&",
    "(",
)
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
# A repetition of at most so many characters costs a constant per start
_SHORT_REPEAT = 20
_CHARS = 20_000
# A linear search of so many characters takes 1 to 10 ms, a quadratic one .2 s and more
_MAX_CPU_SECONDS = 0.1

Items = Sequence[tuple[Any, Any]]
Pattern = re.Pattern[str] | re.Pattern[bytes]


def slow_text(pattern: Pattern, *, is_searched: bool) -> str | None:
    """Return what a text consists of on which the pattern takes more than linear time, None if none is known."""
    is_bytes = isinstance(pattern.pattern, bytes)
    for start, unit in _hard_texts(pattern):
        text = start + (unit * (_CHARS // len(unit) + 1))[:_CHARS] + "\x00"
        used: Any = text.encode() if is_bytes else text
        work = _all_found if is_searched else _matched
        if _is_slow(lambda work=work, used=used: work(pattern, used)):
            return f"{start!r} + {unit!r} * n"
    return None


def _all_found(pattern: Any, text: str | bytes) -> None:
    for _ in pattern.finditer(text):
        pass


def _matched(pattern: Any, text: str | bytes) -> None:
    pattern.match(text)
    pattern.fullmatch(text)


class _TooSlow(Exception):
    pass


def _is_slow(work: Callable[[], None]) -> bool:
    try:
        with _cpu_seconds(_MAX_CPU_SECONDS):
            work()
    except _TooSlow:
        return True
    return False


@contextmanager
def _cpu_seconds(seconds: float) -> Iterator[None]:
    """Raise in the block when it has used so much CPU time: ``re`` looks for signals while it searches."""

    def stop(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _hard_texts(pattern: Pattern) -> list[tuple[str, str]]:
    """Return starts of texts and the units that follow without end: what the expression itself repeats, and runs."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    units = {("", run) for run in _RUNS}
    for before, repeated in _repetitions(parser.parse(source, pattern.flags)):
        units |= {("", repeated), (before, repeated), ("", before + repeated), ("", repeated + " ")}
    return sorted(unit for unit in units if unit[1])


def _repetitions(items: Items, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield for each long repetition what may stand before it, and what it repeats."""
    for op, argument in items:
        for inner in _parts(op, argument):
            yield from _repetitions(inner, before)
        if op in _REPEATS and argument[1] > _SHORT_REPEAT:
            inner = argument[2]
            yield before, _example(inner)
            if len(inner) == 1 and inner[0][0] is ops.IN:
                yield from ((before, _character([entry])) for entry in inner[0][1] if entry[0] is not ops.NEGATE)
        before += _example([(op, argument)])


def _parts(op: Any, argument: Any) -> Sequence[Items]:
    if op in _REPEATS:
        return [argument[2]]
    if op is ops.SUBPATTERN:
        return [argument[3]]
    if op is ops.ATOMIC_GROUP:
        return [argument]
    if op is ops.BRANCH:
        return list(argument[1])
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return [argument[1]]
    return []


def _example(items: Items) -> str:
    """Return a short text that matches, as a rule."""
    parts = []
    for op, argument in items:
        if op is ops.LITERAL:
            parts.append(chr(argument))
        elif op is ops.NOT_LITERAL:
            parts.append("x" if argument != ord("x") else "y")
        elif op is ops.ANY:
            parts.append("x")
        elif op is ops.IN:
            parts.append(_character(argument))
        elif op in _REPEATS:
            parts.append(_example(argument[2]) * max(argument[0], int(argument[1] > _SHORT_REPEAT)))
        elif op in (ops.SUBPATTERN, ops.ATOMIC_GROUP, ops.BRANCH):
            parts.append(_example(_parts(op, argument)[0]))
    return "".join(parts)


def _character(entries: Items) -> str:
    """Return a character of a set."""
    is_negative = entries[0][0] is ops.NEGATE
    for character in "x1 -.A~\n\u20ac" + "".join(chr(own) for own in _named(entries)) + string.printable:
        if any(_has(entry, character) for entry in entries) != is_negative:
            return character
    return "x"


def _named(entries: Items) -> list[int]:
    return [
        argument if op is ops.LITERAL else argument[0] for op, argument in entries if op in (ops.LITERAL, ops.RANGE)
    ]


def _has(entry: tuple[Any, Any], character: str) -> bool:
    op, argument = entry
    if op is ops.LITERAL:
        return ord(character) == argument
    if op is ops.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    if op is ops.CATEGORY:
        kinds = {
            ops.CATEGORY_DIGIT: character.isdigit(),
            ops.CATEGORY_SPACE: character.isspace(),
            ops.CATEGORY_WORD: character.isalnum() or character == "_",
            ops.CATEGORY_NOT_DIGIT: not character.isdigit(),
            ops.CATEGORY_NOT_SPACE: not character.isspace(),
            ops.CATEGORY_NOT_WORD: not (character.isalnum() or character == "_"),
        }
        return kinds[argument]
    return False

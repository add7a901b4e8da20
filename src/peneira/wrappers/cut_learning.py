"""Learning cuts from examples: whole texts, and the part of each that is the value.

The marks right around the value in a few examples are the candidates; the pair that gives most values of all examples
is the cut. The idea is that of programming by example (Gulwani 2011, "Automating string processing in spreadsheets").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from peneira.wrappers.text_cuts import EDGE, MAX_CHARS, STRIPPED, Cut, Mark, MarkKind, spans

Key = TypeVar("Key")
_SEPARATORS = STRIPPED + "()[]/.#"
_MAX_BEFORE_CHARS = 200
_WORD_BEFORE = re.compile(r"\S{1,30}[\s(\[#]*$")
_WORD_AFTER = re.compile(r"[\s)\]]*\S{1,30}")


@dataclass(frozen=True, slots=True)
class CutOptions:
    """How far cuts are searched for."""

    # Examples that marks are proposed from, and pairs of marks that are tried
    max_examples: int = 6
    max_cuts: int = 120
    # Agreement from which on no better cut is looked for
    enough: float = 0.995


OPTIONS = CutOptions()


def learn_cut(wholes: Mapping[Key, str], values: Mapping[Key, str]) -> tuple[Cut, float] | None:
    """Return the cut that gives most values, and the share of the texts with the right value, or rightly none."""
    examples = [(wholes[key], values[key]) for key in wholes if key in values and values[key] in wholes[key]]
    if not examples:
        return None
    best: tuple[float, Cut] | None = None
    for cut in _proposed(_spread(examples, OPTIONS.max_examples)):
        right = sum(cut.value(whole) == values.get(key, "") for key, whole in wholes.items())
        share = right / max(len(wholes.keys() | values.keys()), 1)
        if best is None or share > best[0]:
            best = (share, cut)
            if share >= OPTIONS.enough:
                break
    return (best[1], best[0]) if best is not None and best[0] else None


def _spread(examples: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Return some of the examples, from all over the list."""
    step = max(1, len(examples) // count)
    return list(dict.fromkeys(examples[::step]))[:count]


def _proposed(examples: Sequence[tuple[str, str]]) -> list[Cut]:
    """Return the cuts that give the values of examples, those of most examples first."""
    counts: Counter[Cut] = Counter()
    for whole, value in examples:
        text = whole[:MAX_CHARS]
        first = text.find(value)
        if first < 0 or not value:
            continue
        starts = list(_starts(text, first))
        for start in starts:
            for end in _ends(text, first, first + len(value), start):
                for is_trimmed in (True, False):
                    cut = Cut(start, end, is_trimmed)
                    if cut.value(text) == value:
                        counts[cut] += 1
                        break
    order = sorted(counts, key=lambda cut: (-counts[cut], _complexity(cut), repr(cut)))
    return order[: OPTIONS.max_cuts]


def _complexity(cut: Cut) -> int:
    """Return how special a cut is: one that counts from the near side and needs short marks is rather kept."""
    return sum(
        (mark.kind != "edge") + (mark.kind == "text" and any(map(str.isalnum, mark.text))) + abs(mark.index)
        for mark in (cut.start, cut.end)
    )


def _starts(text: str, first: int) -> Iterator[Mark]:
    before = text[:first]
    if not before.strip(_SEPARATORS):
        yield EDGE
    for literal in _literals_before(before):
        found = spans(Mark("text", literal), text)
        index = sum(end <= first for _, end in found) - 1
        yield from _both_ways("text", literal, index, len(found))
    yield from _typed_marks(text, lambda span: not text[span[1] : first].strip(_SEPARATORS) and span[1] <= first)
    yield from _typed_marks(text, lambda span: span[0] == first, is_inside=True)


def _ends(text: str, first: int, last: int, start: Mark) -> Iterator[Mark]:
    after = text[last:]
    if not after.strip(_SEPARATORS):
        yield EDGE
    begin = first if start.kind == "edge" or start.is_inside else 0
    if start.kind != "edge":
        span = next((own for own in reversed(spans(start, text)) if own[0] <= first), (0, 0))
        begin = span[0] if start.is_inside else span[1]
    for literal in _literals_after(after):
        found = [span for span in spans(Mark("text", literal), text) if span[0] >= begin]
        index = sum(own < last for own, _ in found)
        yield from _both_ways("text", literal, index, len(found))
    yield from _typed_marks(
        text, lambda span: span[0] >= last and not text[last : span[0]].strip(_SEPARATORS), begin=begin
    )
    yield from _typed_marks(text, lambda span: span[1] == last, is_inside=True, begin=begin)


def _literals_before(before: str) -> Iterator[str]:
    """Yield what may mark the start of a value: the separators before it, and the word before them."""
    bare = before.rstrip(_SEPARATORS)
    separators = before[len(bare) :]
    if separators.strip():
        yield separators
    if separators:
        yield separators[-1] if separators.strip() == "" else separators.strip()
    word = _WORD_BEFORE.search(before, max(len(before) - _MAX_BEFORE_CHARS, 0))
    if word:
        yield word[0]


def _literals_after(after: str) -> Iterator[str]:
    bare = after.lstrip(_SEPARATORS)
    separators = after[: len(after) - len(bare)]
    if separators.strip():
        yield separators
    if separators:
        yield separators[0] if separators.strip() == "" else separators.strip()
    word = _WORD_AFTER.match(after)
    if word:
        yield word[0]


def _both_ways(kind: MarkKind, text: str, index: int, total: int) -> Iterator[Mark]:
    """Yield a mark counted from the left, and from the right."""
    if 0 <= index < total:
        yield Mark(kind, text, index)
        yield Mark(kind, text, index - total)


def _typed_marks(
    text: str, fits: Callable[[tuple[int, int]], bool], *, is_inside: bool = False, begin: int = 0
) -> Iterator[Mark]:
    """Yield the dates and numbers that fit, counted from ``begin`` on."""
    kinds: tuple[MarkKind, ...] = ("date", "number")
    for kind in kinds:
        found = [span for span in spans(Mark(kind), text) if span[0] >= begin]
        for index, span in enumerate(found):
            if fits(span):
                yield Mark(kind, "", index, is_inside)
                yield Mark(kind, "", index - len(found), is_inside)

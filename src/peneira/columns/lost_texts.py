"""Lines of which too much is in no column: where their parts differ from record to record, they are shown whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import WHOLE, RawColumn
from peneira.columns.repetitions import ADDRESSES
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.whole_texts import TextTree, is_line


@dataclass(frozen=True, slots=True)
class LostTextOptions:
    """When a line is lost without a column of its own."""

    # More than this share of it is in no other column, and this share of the records has it
    max_lost_share: float = 0.2
    min_lost_fill: float = 0.5
    # What is lost are at least this many different texts; fewer are words around values
    min_kinds: int = 3
    # A column with fewer records does not count
    min_records: int = 2
    min_fill: float = 0.1
    # A longer text is no line
    max_line_chars: int = 120
    # This many records show it
    max_compared: int = 60


OPTIONS = LostTextOptions()


def with_lost_texts(candidates: CandidateColumns, tree: TextTree, shown: Sequence[int]) -> list[int]:
    """Return the shown columns and the lines of which too much is in no column at all, as their parts differ."""
    columns, are_shown = candidates.columns, set(shown)
    around = {part: k for k, parts in tree.children.items() for part in parts}
    for k in reversed(tree.order):  # the inner ones first
        if k not in tree.children or k in are_shown or any(outer in are_shown for outer in _outer(around, k)):
            continue
        if len(columns[k].values) >= OPTIONS.min_lost_fill * candidates.records and is_line(columns[k].slot):
            parts = [columns[part] for part in tree.children[k]]
            is_missing = _chars([columns[k]]) * (1.0 - OPTIONS.max_lost_share) > _chars(parts)
            if is_missing and not any(part.label or part.part for part in parts) and _is_lost_without(candidates, k):
                are_shown.add(k)
    return [k for k in range(len(columns)) if k in are_shown]


def _chars(columns: Sequence[RawColumn]) -> int:
    return sum([len(value.text) for column in columns for values in column.values.values() for value in values])


def _is_lost_without(candidates: CandidateColumns, k: int) -> bool:
    """Return whether much of a text is in no other column of its record, and differs from record to record."""
    whole = candidates.columns[k]
    around = {id(whole), *map(id, whole.containers())}
    least = max(OPTIONS.min_records, OPTIONS.min_fill * candidates.records)
    others = [
        column
        for column in candidates.columns
        if id(column) not in around
        and column.attribute not in (*ADDRESSES, WHOLE)
        and len(column.values) >= least  # a column of few records is not shown
    ]
    if any(slot.column >= 0 for slot in with_ancestors(whole.slot)):
        return False
    rests: list[str] = []
    chars = 0
    for record, values in islice(whole.values.items(), OPTIONS.max_compared):
        text = values[0].text
        chars += len(text)
        inside = [value.text for column in others for value in column.values.get(record, ())]
        for part in sorted(set(inside), key=len, reverse=True):
            text = text.replace(part, "")
        rests.append(text.strip())
    is_much = OPTIONS.max_line_chars * len(rests) >= chars and sum(map(len, rests)) > OPTIONS.max_lost_share * chars
    kinds = len(set(rests))
    return is_much and kinds >= OPTIONS.min_kinds and kinds > OPTIONS.max_lost_share * len(rests)


def _outer(around: Mapping[int, int], k: int) -> Iterator[int]:
    """Yield the columns around a column, from the inside out."""
    while k in around:
        k = around[k]
        yield k

"""Texts that say nothing but what other columns of their record say, with words of the template around it; and words
that stand where another column stands, as "Save 20 %" beside the price of a subscription."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import RawColumn
from peneira.columns.repetitions import ADDRESSES
from peneira.values import Role


@dataclass(frozen=True, slots=True)
class ToldTextOptions:
    """When a text says nothing new."""

    # This many records show it
    min_records: int = 3
    max_compared: int = 60
    # The share of the records in whose texts another column is, and of those in which the same is left
    min_told_share: float = 0.9
    min_same_rest: float = 0.8
    # The share of its characters that others have
    min_told_chars: float = 0.5
    # Shorter texts are in others by chance, and what is left is longer than words around a value
    min_chars: int = 3
    max_rest_chars: int = 60


OPTIONS = ToldTextOptions()

# What a text may be taken for that is made of others
_MAY_BE_TOLD: frozenset[Role | None] = frozenset({None, "summary", "description", "subtitle", "category", "tags"})
# What it may be taken for if it has words of its own: "3:21pm on May 5"
_MAY_BE_LINE: frozenset[Role | None] = frozenset({"address", "location"})


def without_told_texts(
    candidates: CandidateColumns,
    roles: Sequence[Role | None],
    shown: Sequence[int],
    is_announced: Callable[[int, CandidateColumns], bool],
) -> list[int]:
    """Return the shown columns without texts that other columns tell: "Posted May 5 (edited)" beside the date, "Ann
    Members" beside the author. The last ones go first. ``is_announced``: as in ``without_repetitions``."""
    columns, left = candidates.columns, list(shown)
    folded: dict[int, dict[int, str]] = {}

    def cells(k: int) -> Mapping[int, str]:
        if k not in folded:
            folded[k] = _folded_cells(columns[k])
        return folded[k]

    texts = [k for k in left if columns[k].attribute not in ADDRESSES and not columns[k].nested]
    for k in reversed(texts):
        column = columns[k]
        may_be_told = roles[k] in _MAY_BE_TOLD or roles[k] in _MAY_BE_LINE
        if not may_be_told or column.is_list or len(column.values) < OPTIONS.min_records:
            continue
        if is_announced(k, candidates):
            continue
        others = [other for other in texts if other != k and other in left]
        least = OPTIONS.min_chars if roles[k] in _MAY_BE_LINE else 0
        if _is_told(cells(k), [cells(other) for other in others], least) or _is_word_beside(
            k, others, candidates, roles
        ):
            left.remove(k)
    return left


def _is_word_beside(k: int, others: Sequence[int], candidates: CandidateColumns, roles: Sequence[Role | None]) -> bool:
    """Return whether a text is the same in its records, and these are not all and just those of another column."""
    columns = candidates.columns
    if roles[k] is not None or columns[k].distinct > 1 or len(columns[k].values) == candidates.records:
        return False
    return any(columns[other].values.keys() == columns[k].values.keys() for other in others)


def _is_told(own: Mapping[int, str], others: Sequence[Mapping[int, str]], min_rest: int) -> bool:
    """Return whether other columns are in nearly all texts, and nearly the same is left of each without them.

    ``min_rest``: what is left has at least so many characters.
    """
    rests: list[str] = []
    untold, most_untold = 0, (1.0 - OPTIONS.min_told_share) * len(own)
    for record, text in own.items():
        inside = {other[record] for other in others if record in other}
        rest = text
        for part in sorted(inside, key=lambda part: (-len(part), part)):
            if len(part) >= OPTIONS.min_chars:
                rest = rest.replace(part, "")
        untold += rest == text
        if untold > most_untold:
            return False
        rests.append(rest)
    if sum(map(len, rests)) > (1.0 - OPTIONS.min_told_chars) * sum(map(len, own.values())):
        return False
    kinds = Counter(rests).most_common(3)
    if len(kinds) == 2:
        short, long = sorted((kinds[0][0], kinds[1][0]), key=len)
        if short in long and max(min_rest, 1) <= len(short) and len(long) <= OPTIONS.max_rest_chars:
            return True  # "Posted", "Posted (edited)"
    rest, count = kinds[0]
    return min_rest <= len(rest) <= OPTIONS.max_rest_chars and count >= OPTIONS.min_same_rest * len(rests)


def _folded_cells(column: RawColumn) -> dict[int, str]:
    """Return the first cells of a column without signs and white space, in lower case."""
    cells = islice(column.cell_texts().items(), OPTIONS.max_compared)
    return {
        record: "".join(filter(str.isalnum, text if isinstance(text, str) else "".join(text))).casefold()
        for record, text in cells
    }

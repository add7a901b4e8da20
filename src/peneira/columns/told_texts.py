"""Texts that say nothing but what other columns of their record say, with words of the template around it; and words
that introduce another column, as "Save 20 %" in the box with the price of a subscription."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import RawColumn
from peneira.columns.repetitions import ADDRESSES
from peneira.columns.role_words import words_of
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.values import Role


@dataclass(frozen=True, slots=True)
class ToldTextOptions:
    """When a text says nothing new."""

    # This many records show it
    min_records: int = 3
    max_compared: int = 60
    # The share of the records in whose texts another column is, and of those with the words that stand before it
    min_told_share: float = 0.9
    min_led_share: float = 0.8
    # The share of its characters that others have
    min_told_chars: float = 0.5
    # Shorter texts are in others by chance, and what is left is longer than words around a value
    min_chars: int = 3
    max_rest_chars: int = 60
    # A box of its own around words and a value is so many levels further out
    max_levels: int = 3


OPTIONS = ToldTextOptions()

# What a text may be taken for that is made of others
_MAY_BE_TOLD: frozenset[Role | None] = frozenset({None, "summary", "description", "subtitle", "category", "tags"})
# What it may be taken for if it has words of its own: "3:21pm on May 5"
_MAY_BE_LINE: frozenset[Role | None] = frozenset({"address", "location"})
# What is said of a text itself, not of what it is about: "(edited)"
_OF_TEXTS = frozenset(
    "edited modified updated changed edit editado modificado bearbeitet geändert aktualisiert modifié édité modificato "
    "bewerkt redigeret redigert redigerad ändrad muokattu edytowano upraveno düzenlendi изменено отредактировано "
    "编辑 已编辑 編輯 已編輯 編集済み 편집됨 수정됨".split()
)
# Classes of words that tell something by being there: "Sold out"
_FLAGS = frozenset("badge label tag status flag ribbon sticker stock availability".split())


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
    """Return whether a text is the same wherever it stands, and stands in just the records of another column, but not
    in all: in a box with it that no other record has."""
    columns, records = candidates.columns, candidates.columns[k].values.keys()
    if roles[k] is not None or columns[k].distinct > 1 or len(records) == candidates.records:
        return False
    beside = [columns[other] for other in others if columns[other].values.keys() == records]
    if not beside:
        return False
    for level, slot in enumerate(islice(with_ancestors(columns[k].slot), 1 + OPTIONS.max_levels)):
        if slot.parent is None or any(_FLAGS.intersection(words_of(name)) for name in slot.features.words):
            return False
        if level and any(_is_in(column, slot) for column in beside):
            return all(column.values.keys() <= records for column in columns if _is_in(column, slot))
    return False


def _is_in(column: RawColumn, slot: Slot) -> bool:
    return any(outer is slot for outer in with_ancestors(column.slot))


def _is_told(own: Mapping[int, str], others: Sequence[Mapping[int, str]], min_rest: int) -> bool:
    """Return whether other columns are in nearly all texts, and the same is left of each without them.

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
    kinds = sorted(set(rests), key=len)
    short, long = kinds[0], kinds[-1]
    if not min_rest <= len(short) <= len(long) <= OPTIONS.max_rest_chars:
        return False
    # "Posted", "Posted (edited)"; "Ann, paid" and "Bob, unpaid" tell something
    if len(kinds) == 1 or (len(kinds) == 2 and long.startswith(short) and long[len(short) :] in _OF_TEXTS):
        return True
    if len(kinds) > 2 or short:
        return False
    # "Shop lamps", "Shop chairs", "Tables"
    led = sum(rest == long and text.startswith(long) for rest, text in zip(rests, own.values(), strict=True))
    return led == len(rests) - rests.count(short) >= OPTIONS.min_led_share * len(rests)


def _folded_cells(column: RawColumn) -> dict[int, str]:
    """Return the first cells of a column without signs and white space, in lower case."""
    cells = islice(column.cell_texts().items(), OPTIONS.max_compared)
    return {
        record: "".join(filter(str.isalnum, text if isinstance(text, str) else "".join(text))).casefold()
        for record, text in cells
    }

"""The pairs of two files as one table: the score, then what both say side by side."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from peneira.errors import ColumnError
from peneira.joins.matching import MIN_SCORE, Match, match
from peneira.joins.record_files import RecordFile
from peneira.joins.record_terms import terms_of
from peneira.table import Cell, Column, Table

On = tuple[str, str]


def join(
    left: RecordFile, right: RecordFile, on: Sequence[On], *, min_score: float = MIN_SCORE, unmatched: bool = False
) -> tuple[Table, list[Match]]:
    """Return the records of two files that are the same thing as a table, best first, and the pairs.

    ``on``: the columns that are compared, as they are called in either file. ``unmatched``: add the other records.
    """
    for file, names in ((left, [own for own, _ in on]), (right, [other for _, other in on])):
        missing = next((name for name in names if name not in file.columns), None)
        if missing is not None:
            known = ", ".join(file.columns) or "none"
            raise ColumnError(missing, f"{file.name} has no such column with a value in it; it has {known}")
    # both sides are compared under the names of the left one
    renamed = [{own: row[other] for own, other in on if other in row} for row in right.rows]
    columns = [own for own, _ in on]
    pairs = match(
        [terms_of(row, columns) for row in left.rows],
        [terms_of(row, columns) for row in renamed],
        min_score=min_score,
    )
    return _table(left, right, on, pairs, unmatched=unmatched), pairs


def _table(left: RecordFile, right: RecordFile, on: Sequence[On], pairs: Sequence[Match], *, unmatched: bool) -> Table:
    prefixes = (left.name, right.name) if left.name != right.name else ("left", "right")
    compared = [(side, name) for pair in on for side, name in enumerate(pair)]
    rest = [(side, name) for side, file in enumerate((left, right)) for name in file.columns]
    sides = list(dict.fromkeys([*compared, *rest]))
    shown: list[tuple[int | None, int | None, Match | None]] = [(pair.left, pair.right, pair) for pair in pairs]
    if unmatched:
        used_left, used_right = {pair.left for pair in pairs}, {pair.right for pair in pairs}
        shown += [(k, None, None) for k in range(len(left.rows)) if k not in used_left]
        shown += [(None, n, None) for n in range(len(right.rows)) if n not in used_right]
    rows = []
    for k, n, pair in shown:
        own = (left.rows[k] if k is not None else {}, right.rows[n] if n is not None else {})
        score = Cell(str(pair.score), "", "number", Decimal(str(pair.score))) if pair is not None else None
        why = Cell(pair.why, "") if pair is not None else None
        texts = [own[side].get(name) for side, name in sides]
        rows.append((score, why, *(None if text is None else Cell(text, "") for text in texts)))
    filled = [sum(row[k] is not None for row in rows) / len(rows) if rows else 0.0 for k in range(len(sides) + 2)]
    names = ["score", "why", *(f"{prefixes[side]}_{name}" for side, name in sides)]
    columns = tuple(
        Column(name, name, filled[k], type="number" if name == "score" and not k else "text")
        for k, name in enumerate(names)
    )
    return Table(columns, tuple(rows))

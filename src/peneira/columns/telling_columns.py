"""Whether the values of a column tell something about the records, or are part of the template."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.columns.raw_columns import RawColumn


@dataclass(frozen=True, slots=True)
class TellingOptions:
    """When a column tells something."""

    # A text that more than this share of the records has is part of the template, and so is one that is nearly all a
    # column has, unless few records have it: then it is a badge
    max_value_share: float = 0.8
    min_constant_share: float = 0.95
    max_badge_fill: float = 0.6
    # A column of fewer records is an accident; lists with fewer records are shown as they are
    min_filled: int = 2
    min_records: int = 3


OPTIONS = TellingOptions()


def tells_something(column: RawColumn, records: int) -> bool:
    """Return whether a column is neither a text of the template nor an accident of one record."""
    if records < OPTIONS.min_records:
        return True
    filled = len(column.values)
    if filled < OPTIONS.min_filled:
        return False
    most = column.most
    is_badge = filled < OPTIONS.max_badge_fill * records
    is_constant = most > OPTIONS.max_value_share * records or (
        most >= OPTIONS.min_constant_share * filled and not is_badge
    )
    return not is_constant

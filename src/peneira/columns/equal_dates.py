"""Dates that a table would show twice: "Saturday, June 29, 2024" beside 2024-06-29."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from peneira.columns.candidate_columns import CandidateColumns
from peneira.values import Role

# Fewer records do not show that two dates are one
MIN_RECORDS = 3


def without_equal_dates(
    candidates: CandidateColumns, roles: Sequence[Role | None], shown: Sequence[int]
) -> tuple[list[Role | None], list[int]]:
    """Return roles and columns without days that are those of the date; cells under a header of their own stay.

    Of a text and an attribute of its element that says no more, the text is the date.
    """
    dated = roles.index("date") if "date" in roles else -1
    others = [k for k in shown if roles[k] is None and k != dated and candidates.types[k].type in ("date", "datetime")]
    if not others or dated not in shown:
        return list(roles), list(shown)
    days, dated_column = moments_of(candidates, dated), candidates.columns[dated]
    equal = {k for k in others if _are_equal(moments_of(candidates, k), days)}
    written = [
        k for k in equal if candidates.columns[k].slot is dated_column.slot and not candidates.columns[k].attribute
    ]
    if written and all(_is_day(moment) for moment in days.values()):
        renamed = ["date" if k == written[0] else None if k == dated else role for k, role in enumerate(roles)]
        return renamed, [k for k in shown if k != dated and (k not in equal or k == written[0])]
    return list(roles), [k for k in shown if k not in equal or _is_headed(candidates, k)]


def is_dated_beside(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether the date in a cell under a header is that of another cell of its row: cut off, it would be shown
    twice."""
    if not _is_headed(candidates, k):
        return False
    types, columns = candidates.types, candidates.columns
    dates = [part for part in parts if types[part].type in ("date", "datetime")]
    if len(dates) != 1 or len(columns[dates[0]].values) < len(columns[k].values):
        return False
    own = moments_of(candidates, dates[0])
    return any(
        other != k and types[other].type in ("date", "datetime") and _is_headed(candidates, other)
        and _are_equal(own, moments_of(candidates, other))
        for other in range(len(columns))
    )  # fmt: skip


def _is_headed(candidates: CandidateColumns, k: int) -> bool:
    column = candidates.columns[k]
    return column.slot.column >= 0 and not column.part and bool(candidates.names[k].header)


def _is_day(moment: date | datetime) -> bool:
    return not isinstance(moment, datetime) or not (moment.hour or moment.minute or moment.second)


def _are_equal(own: Mapping[int, date | datetime], others: Mapping[int, date | datetime]) -> bool:
    return len(own) >= MIN_RECORDS and all(
        record in others and (moment == others[record] or _day(others[record]) == moment)
        for record, moment in own.items()
    )


def _day(moment: date | datetime) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def moments_of(candidates: CandidateColumns, k: int) -> dict[int, date | datetime]:
    """Return the date or moment of each record, as the type of the column reads it."""
    column, own_type = candidates.columns[k], candidates.types[k]
    texts = {record: column.machine_texts.get(record, text) for record, text in column.first_texts().items()}
    values = {record: own_type.value(text) for record, text in texts.items()}
    return {record: value for record, value in values.items() if isinstance(value, date)}

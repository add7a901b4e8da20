"""Which columns a person would make, and in which order: few, whole, none that repeats another.

A text with parts competes with its parts, and what a reader wants more is shown: the whole, or the parts. A cell under
a header is one value; beside it only parts with a typed value are shown. The columns that are not shown are kept in
``all_columns``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.labelled_texts import LABELLED
from peneira.columns.raw_columns import GROUP, WHOLE, RawColumn
from peneira.columns.roles import ScoredColumns, assign_roles, with_link_of_title, with_title
from peneira.columns.slot_alignment import with_ancestors
from peneira.page import INLINE_TAGS
from peneira.values import ColumnType, Role


@dataclass(frozen=True, slots=True)
class EconomyOptions:
    """When a column is shown. Interest is the probability that a person would make the column."""

    # The least interest of a text, of a link or image, and of another attribute without a role
    min_text: float = 0.004
    min_address: float = 0.15
    # A table with fewer texts is filled up with the most wanted of the others
    min_texts: int = 7
    min_attribute: float = 0.5
    # What showing a column costs, in interest, and showing a part beside its whole
    column_cost: float = 0.05
    part_cost: float = 0.2
    text_part_cost: float = 0.4
    # What the parts of a heading or a link must have more than the whole to replace it, if they are texts in one line
    line_bonus: float = 0.8
    # A text that more than this share of the records has is part of the template, and so is one that is nearly all a
    # column has, unless few records have it: then it is a badge
    max_value_share: float = 0.8
    min_constant_share: float = 0.95
    max_badge_fill: float = 0.6
    # The header of a table column announces a part of its cells only if this share of the records has it
    min_announced_fill: float = 0.5
    # Where fewer images than this share differ, they are icons
    min_distinct_images: float = 0.2
    # A column of fewer records is an accident; lists with fewer records are shown as they are
    min_filled: int = 2
    min_records: int = 3
    # A column repeats another if this share of its cells are in the cells of that one
    min_repeated_share: float = 0.9
    # A whole text is told by its parts if they have this share of its characters
    min_told_share: float = 0.75
    # A shorter text is in another by chance, as 1 is in 1/2019
    min_repeated_chars: int = 4
    # This many records show whether a column repeats another
    max_compared: int = 60


OPTIONS = EconomyOptions()

HEADING_OR_LINK = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
LINE_TAGS = INLINE_TAGS | {"#text"}
# Values of these types tell something even where all records have the same
_ALWAYS_TELLING: frozenset[ColumnType] = frozenset({"date", "datetime", "money"})
# The order of columns: what a column is comes before where it stands on the page
_FIRST, _FACTS, _DATES, _ADDRESS, _IMAGE = range(5)
_RANK_OF_ROLE: dict[Role, int] = {
    "title": _FIRST,
    "date": _DATES,
    "end_date": _DATES,
    "url": _ADDRESS,
    "image": _IMAGE,
}


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The role of each candidate, and the candidates that are shown, in the order in which a person reads them."""

    roles: list[Role | None]
    shown: list[int]


def choose_columns(candidates: CandidateColumns, scored: ScoredColumns) -> ChosenColumns:
    """Return which candidates are shown, and their roles."""
    columns = candidates.columns
    around_nested = {id(slot) for column in columns if column.nested for slot in with_ancestors(column.slot)}
    judged = set(candidates.judged)
    alive = [
        k in judged and not (column.attribute == WHOLE and id(column.slot) in around_nested)
        for k, column in enumerate(columns)
    ]
    kept = _cut(candidates, scored.interest, alive)
    allowed = [
        kept[k] and _may_have_role(column, candidates.types[k].type, candidates.records)
        for k, column in enumerate(columns)
    ]
    roles = assign_roles(scored, allowed)
    if not any(names.header for names in candidates.names):
        roles = with_title(roles, scored, columns, allowed)
    roles = with_link_of_title(roles, scored, columns, allowed)
    wanted = [k for k in range(len(columns)) if kept[k] and _is_wanted(k, candidates, scored, roles[k])]
    wanted += _filling(candidates, scored, wanted, kept)
    wanted = [k for k in wanted if roles[k] or not _is_told_by_parts(k, candidates, wanted)]
    shown = _without_repetitions(candidates, scored, roles, wanted)
    shown = shown or _likeliest(scored.interest, alive)
    are_shown = set(shown)
    roles = [role if k in are_shown else None for k, role in enumerate(roles)]
    order = sorted(shown, key=lambda k: (column_rank(roles[k], columns[k].attribute), k))
    return ChosenColumns(roles, order)


def _is_told_by_parts(k: int, candidates: CandidateColumns, wanted: Sequence[int]) -> bool:
    """Return whether the parts of a whole text that are shown too say nearly all that it says."""
    column = candidates.columns[k]
    if column.attribute != WHOLE or (column.slot.column >= 0 and candidates.names[k].header):
        return False
    parts = [candidates.columns[other] for other in wanted if candidates.columns[other].container is column]
    chars = sum(len(value.text) for part in parts for values in part.values.values() for value in values)
    of_whole = sum(len(values[0].text) for values in column.values.values())
    return len(parts) > 1 and chars >= OPTIONS.min_told_share * of_whole


def _likeliest(interest: Sequence[float], alive: Sequence[bool]) -> list[int]:
    """Return the column that is wanted most: a list is shown by something, whatever it holds."""
    numbers = [k for k, is_alive in enumerate(alive) if is_alive] or list(range(len(interest)))
    return [max(numbers, key=lambda k: (interest[k], -k))] if numbers else []


def _cut(candidates: CandidateColumns, interest: Sequence[float], alive: Sequence[bool]) -> list[bool]:
    """Return which candidates are left when each whole text has competed with its parts."""
    columns = candidates.columns
    roots, children = _forest(columns, alive)
    order: list[int] = []
    pending = list(roots)
    while pending:
        order.append(pending.pop())
        pending.extend(children.get(order[-1], ()))
    best: dict[int, float] = {}
    extras: dict[int, list[int]] = {}
    is_whole_best: dict[int, bool] = {}
    for k in reversed(order):
        own = children.get(k, ())
        below = [part for child in own for part in (child, *extras[child])]
        is_headed_cell = (
            columns[k].slot.column >= 0 and columns[k].attribute == WHOLE and bool(candidates.names[k].header)
        )
        extras[k] = [
            part
            for part in below
            if interest[part] > _part_cost(candidates, part) and (_is_typed(candidates, part) or not is_headed_cell)
        ]
        gained = sum(interest[part] - _part_cost(candidates, part) for part in extras[k])
        whole = max(interest[k] - OPTIONS.column_cost, 0.0) + gained
        parts = sum(best[child] for child in own)
        bonus = OPTIONS.line_bonus if own and _is_one_line(candidates, k, own) else 0.0
        is_whole_best[k] = is_headed_cell or whole + bonus >= parts
        best[k] = whole if is_whole_best[k] else parts
    kept = [False] * len(columns)
    pending = list(roots)
    while pending:
        k = pending.pop()
        if is_whole_best[k]:
            for part in (k, *extras[k]):
                kept[part] = True
        else:
            pending.extend(children[k])
    return kept


def _is_one_line(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether a whole is a heading or a link whose parts are texts without a type, in one line."""
    column = candidates.columns[k]
    if column.attribute != WHOLE or any(candidates.types[part].type != "text" for part in parts):
        return False
    is_inline = all(child.features.tag in LINE_TAGS for child in column.slot.children)
    return is_inline and any(slot.features.tag in HEADING_OR_LINK for slot in with_ancestors(column.slot))


def _forest(columns: Sequence[RawColumn], alive: Sequence[bool]) -> tuple[list[int], dict[int, list[int]]]:
    """Return the columns that no other contains, and for each column those that it contains directly."""
    number_of = {id(column): k for k, column in enumerate(columns)}
    roots: list[int] = []
    children: dict[int, list[int]] = {}
    for k, column in enumerate(columns):
        if not alive[k]:
            continue
        container = column.container
        while container is not None and not alive[number_of[id(container)]]:
            container = container.container
        if container is None:
            roots.append(k)
        else:
            children.setdefault(number_of[id(container)], []).append(k)
    return roots, children


def _part_cost(candidates: CandidateColumns, k: int) -> float:
    """Return what it costs to show a part beside its whole: less if the part has a typed value."""
    return OPTIONS.part_cost if _is_typed(candidates, k) else OPTIONS.text_part_cost


def _is_typed(candidates: CandidateColumns, k: int) -> bool:
    return candidates.types[k].type not in ("text", "list")


def _is_wanted(k: int, candidates: CandidateColumns, scored: ScoredColumns, role: Role | None) -> bool:
    column, interest = candidates.columns[k], scored.interest[k]
    is_announced = _is_announced(k, candidates)
    if column.attribute == GROUP:
        return True
    if not (role or is_announced or _tells_something(column, candidates.records)):
        return False
    if role is not None or column.nested:
        return True
    if column.attribute in ("href", "src"):
        return interest >= OPTIONS.min_address and not _is_icon_link(column, candidates)
    if column.attribute not in ("", WHOLE, GROUP):
        return interest >= OPTIONS.min_attribute
    return is_announced or interest >= OPTIONS.min_text


def _is_icon_link(column: RawColumn, candidates: CandidateColumns) -> bool:
    """Return whether a link holds no text, and no picture but one that all records have: an arrow, a heart, a cart."""
    if column.attribute != "href":
        return False
    inside = [
        other
        for other in candidates.columns
        if other.attribute in ("", "src") and any(slot is column.slot for slot in with_ancestors(other.slot))
    ]
    return not any(other.attribute == "" or _tells_something(other, candidates.records) for other in inside)


def _filling(
    candidates: CandidateColumns, scored: ScoredColumns, wanted: Sequence[int], kept: Sequence[bool]
) -> list[int]:
    """Return further texts for a table that would have few, the most wanted first."""
    texts = [k for k, column in enumerate(candidates.columns) if kept[k] and column.attribute in ("", WHOLE)]
    are_wanted = set(wanted)
    missing = OPTIONS.min_texts - sum(k in are_wanted for k in texts)
    others = [k for k in texts if k not in are_wanted and _tells_something(candidates.columns[k], candidates.records)]
    return sorted(others, key=lambda k: -scored.interest[k])[: max(missing, 0)]


def _is_announced(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a header, a label or a heading shows that there is a field here, whatever its values."""
    column, names = candidates.columns[k], candidates.names[k]
    if column.attribute not in ("", WHOLE) or column.part not in ("", LABELLED):
        return False
    is_usual = len(column.values) >= OPTIONS.min_announced_fill * candidates.records
    return bool(names.label) or (bool(names.header) and (column.slot.column >= 0 or is_usual))


def _may_have_role(column: RawColumn, column_type: ColumnType, records: int) -> bool:
    """Return whether a column varies as fields do: a badge or an icon is none."""
    if column_type in _ALWAYS_TELLING:
        return True
    if not _tells_something(column, records):
        return False
    filled = len(column.values)
    if filled < OPTIONS.min_records:
        return True
    distinct = len(set(column.cell_texts().values()))
    return distinct > max(1.0, OPTIONS.min_distinct_images * filled if column.attribute == "src" else 1.0)


def _tells_something(column: RawColumn, records: int) -> bool:
    """Return whether a column is neither a text of the template nor an accident of one record."""
    if records < OPTIONS.min_records:
        return True
    filled, most = len(column.values), _times_of_commonest(column)
    is_badge = filled < OPTIONS.max_badge_fill * records
    is_constant = most > OPTIONS.max_value_share * records or (
        most >= OPTIONS.min_constant_share * filled and not is_badge
    )
    return not is_constant and filled >= OPTIONS.min_filled


def _times_of_commonest(column: RawColumn) -> int:
    """Return how many records have the value that most have."""
    texts = column.cell_texts().values()
    return 1 if len(set(texts)) == len(texts) else max(Counter(texts).values())


def _without_repetitions(
    candidates: CandidateColumns, scored: ScoredColumns, roles: Sequence[Role | None], wanted: Sequence[int]
) -> list[int]:
    """Return the columns without those whose cells are in the cells of another; the less wanted go first."""
    columns = candidates.columns
    cells = {
        k: {
            record: "".join(value.text for value in values).replace(" ", "").lower()
            for record, values in islice(columns[k].values.items(), OPTIONS.max_compared)
        }
        for k in wanted
    }
    shown = list(wanted)
    for k in sorted(wanted, key=lambda k: (roles[k] is not None, scored.interest[k])):
        if roles[k] is not None:
            break
        if columns[k].nested or (columns[k].slot.column >= 0 and _is_announced(k, candidates)):
            continue
        is_address = columns[k].attribute in ("href", "src") or candidates.types[k].type == "url"
        others = [other for other in shown if is_address or columns[other].attribute not in ("href", "src")]
        if any(_is_inside(cells[k], cells[other]) for other in others if other != k):
            shown.remove(k)
    return shown


def _is_inside(cells: dict[int, str], others: dict[int, str]) -> bool:
    inside = sum(
        text == others.get(record) or (len(text) >= OPTIONS.min_repeated_chars and text in others.get(record, ""))
        for record, text in cells.items()
    )
    return inside >= OPTIONS.min_repeated_share * len(cells)


def column_rank(role: Role | None, attribute: str) -> int:
    """Return where a reader wants a column: titles, facts, dates, addresses, images."""
    if role in _RANK_OF_ROLE:
        return _RANK_OF_ROLE[role]
    return {"href": _ADDRESS, "src": _IMAGE}.get(attribute, _FACTS)

"""Which columns a person would make, and in which order: few, whole, none that repeats another.

A text with parts competes with its parts, and what a reader wants more is shown: the whole, or the parts
(``whole_texts.py``). The columns that are not shown are kept in ``all_columns``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from peneira.columns.assigned_roles import (
    assign_roles,
    with_headed_title,
    with_heading_above_as_title,
    with_heading_as_title,
    with_link_of_title,
    with_prose,
    with_title,
)
from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.controls import is_control
from peneira.columns.document_links import document_names
from peneira.columns.equal_dates import is_dated_beside, without_equal_dates
from peneira.columns.forms_of_prose import with_forms_of_prose
from peneira.columns.labelled_texts import LABELLED
from peneira.columns.lost_texts import with_lost_texts
from peneira.columns.neighbour_roles import with_neighbour_roles
from peneira.columns.other_pictures import without_other_pictures
from peneira.columns.paired_links import with_link_of_both
from peneira.columns.post_roles import with_address_of_post, with_post_roles
from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.raw_columns import GROUP, TEXT_ATTRIBUTES, WHOLE, RawColumn
from peneira.columns.repetitions import is_told_by_parts, without_repetitions, without_retold
from peneira.columns.roles import ScoredColumns
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.telling_columns import OPTIONS as TELLING
from peneira.columns.telling_columns import tells_something
from peneira.columns.told_texts import without_told_texts
from peneira.columns.value_looks import is_day
from peneira.columns.value_patterns import is_short_date
from peneira.columns.whole_texts import (
    TextTree,
    alive_columns,
    is_cut_text,
    is_in_heading,
    is_typed,
    text_tree,
    whole_probabilities,
)
from peneira.late_patterns import late_pattern
from peneira.ml.forest import Forest
from peneira.values import ColumnType, Role


@dataclass(frozen=True, slots=True)
class EconomyOptions:
    """When a column is shown. Interest is the probability that a person would make the column."""

    # The least interest of a text, of a link or image, and of another attribute without a role
    min_text: float = 0.004
    # That of a text that fewer than this share of the records have: what only a few have is mostly a stray line
    min_rare_text: float = 0.02
    rare_share: float = 0.1
    min_address: float = 0.1
    # A table with fewer texts is filled up with the most wanted of the others
    min_texts: int = 7
    min_attribute: float = 0.5
    # The least probability of a whole text, and the least interest of a part beside it, with a typed value or without
    min_whole: float = 0.5
    min_typed_part: float = 0.2
    min_text_part: float = 0.5
    # Parts that a text was cut into replace it only if they have this share of its characters
    min_cut_share: float = 0.5
    # A part that is the whole text in more than this share of the records tells nothing beside it
    max_same_share: float = 0.5
    # A text that has one of its parts twice in more than this share of the records is no value
    max_repeating_share: float = 0.5
    # The header of a table column announces a part of its cells only if this share of the records has it
    min_announced_fill: float = 0.5
    # A cell is buttons if it holds nothing else in this share of the records
    min_button_share: float = 0.8
    # A label announces a field if this many records have it
    min_labelled: int = 2
    # Where fewer images than this share differ, they are icons
    min_distinct_images: float = 0.2
    # The score of a role from which on a part of a whole is a field of its own, if it is not the only one
    min_clear_role: float = 0.6
    # A text under a header that is cut into so many texts is described by them
    min_parts_of_sentence: int = 4
    # Sentences have so many characters on average
    min_prose_chars: int = 100
    # The share of the cells of a table column that one of its parts is in, if it is a field of its own
    min_part_fill: float = 0.9
    # The share of the records of a typed whole that have a part, if it is the value and the rest an extra
    min_value_fill: float = 0.9
    # This many records show that a whole is two values
    min_glued: int = 2
    # A shorter text is twice in another by chance
    min_repeated_chars: int = 4


OPTIONS = EconomyOptions()

# Signs that stand between fields rather than within one
_FIELD_SIGN = late_pattern(r"\s[-–—/]\s|[|·•;(\[]")
_SENTENCE_END = late_pattern(r"[a-z]{3}[.?!] +[A-Z]")
_KEY = late_pattern(r"(?<![0-9A-Fa-f-])(?=[0-9A-Fa-f-]*\d)[0-9A-Fa-f-]{24,}$")
# Values of these types tell something even where all records have the same
_ALWAYS_TELLING: frozenset[ColumnType] = frozenset({"date", "datetime", "money"})
_PAIR = 2
_NUMBER_TYPES: frozenset[ColumnType] = frozenset({"integer", "number"})
_TITLE_AND_DATE: tuple[Role, Role] = ("title", "date")
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


def choose_columns(
    candidates: CandidateColumns, scored: ScoredColumns, wholes: Forest, language: str = ""
) -> ChosenColumns:
    """Return which candidates are shown, and their roles. ``wholes``: the model of ``whole_texts.py``."""
    columns = candidates.columns
    alive = alive_columns(candidates)
    tree = text_tree(columns, alive)
    kept = _cut(candidates, scored, tree, whole_probabilities(candidates, scored, tree, wholes))
    kept = [is_kept and (_is_field(k, candidates) or not is_control(k, candidates)) for k, is_kept in enumerate(kept)]
    allowed = [
        kept[k]
        and (_may_have_role(column, candidates.types[k].type, candidates.records) or _is_headline(k, candidates))
        for k, column in enumerate(columns)
    ]
    roles = assign_roles(*_with_announced(candidates, scored, kept, allowed))
    roles = with_headed_title(roles, scored, [names.header for names in candidates.names], allowed)
    if any(names.header for names in candidates.names):
        links = [id(column.slot) in candidates.linked and column.attribute in TEXT_ATTRIBUTES for column in columns]
        roles = with_title(roles, scored, columns, [is_ok and links[k] for k, is_ok in enumerate(allowed)])
    else:
        roles = with_title(roles, scored, columns, allowed)
        roles = with_heading_as_title(roles, scored, columns, allowed)
    roles = with_heading_above_as_title(roles, columns, candidates.types, allowed)
    roles = with_post_roles(roles, scored, candidates, allowed)
    roles = with_link_of_title(roles, scored, columns, allowed, candidates.twin_of)
    roles = with_address_of_post(roles, scored, columns, allowed)
    may_be_of_both = [is_ok and not candidates.names[k].header for k, is_ok in enumerate(allowed)]
    roles = with_link_of_both(roles, columns, may_be_of_both, candidates.records)
    roles = with_neighbour_roles(roles, candidates, kept)
    for twin, other in candidates.twin_of.items():
        if roles[twin]:  # shown in place of the column that it repeats
            kept[twin], kept[other] = True, False
    wanted = [k for k in range(len(columns)) if kept[k] and _is_wanted(k, candidates, scored, roles[k])]
    wanted = sorted({*wanted, *(k for k in document_names(columns) if kept[k] or k in candidates.judged)})
    wanted += _filling(candidates, scored, wanted, kept)
    wanted = [k for k in wanted if roles[k] or not is_told_by_parts(k, candidates, wanted)]
    wanted = without_retold(candidates, roles, wanted)
    shown = without_repetitions(candidates, scored, roles, wanted, _is_announced)
    roles, shown = without_equal_dates(candidates, roles, shown)
    shown = with_lost_texts(candidates, tree, shown)
    roles, shown = without_other_pictures(candidates, roles, shown)
    shown = without_told_texts(candidates, roles, shown, _is_announced)
    shown = with_forms_of_prose(candidates, roles, shown, language)
    shown = shown or _likeliest(scored.interest, alive)
    are_shown = set(shown)
    roles = [role if k in are_shown else None for k, role in enumerate(roles)]
    if not any(names.header for names in candidates.names):
        roles = with_prose(roles, scored, columns, [k in are_shown and is_ok for k, is_ok in enumerate(allowed)])
    order = sorted(shown, key=lambda k: (column_rank(roles[k], columns[k].attribute), k))
    return ChosenColumns(roles, order)


def _with_announced(
    candidates: CandidateColumns, scored: ScoredColumns, kept: Sequence[bool], allowed: Sequence[bool]
) -> tuple[ScoredColumns, list[RawColumn], list[bool]]:
    """Return what roles are assigned by. A field that is the same in all records has no role but the one that its
    label or header names: it is called so on every page of a site."""
    roles, are_allowed = list(scored.roles), list(allowed)
    for k, evidence in zip(candidates.judged, candidates.evidence, strict=True):
        if kept[k] and not allowed[k] and _is_announced(k, candidates):
            named = {role for hits in evidence.hits[:2] for role, hit in hits.items() if hit == 1.0} - {"title"}
            roles[k] = {role: score for role, score in roles[k].items() if role in named}
            are_allowed[k] = True
    return replace(scored, roles=roles), candidates.columns, are_allowed


def _likeliest(interest: Sequence[float], alive: Sequence[bool]) -> list[int]:
    """Return the column that is wanted most: a list is shown by something, whatever it holds."""
    numbers = [k for k, is_alive in enumerate(alive) if is_alive] or list(range(len(interest)))
    return [max(numbers, key=lambda k: (interest[k], -k))] if numbers else []


def _cut(
    candidates: CandidateColumns, scored: ScoredColumns, tree: TextTree, wholes: Mapping[int, float]
) -> list[bool]:
    """Return which candidates are left when each whole text has competed with its parts."""
    kept = [False] * len(candidates.columns)
    pending = list(tree.roots)
    while pending:
        k = pending.pop()
        parts = tree.children.get(k, ())
        if not parts or (is_typed(candidates, k) and not _is_more_than_value(candidates, k, parts)):
            kept[k] = True  # the parts of a price or a date are nothing
        elif (
            _is_lost(candidates, k, parts)
            or _is_cut_cell(candidates, scored, k, parts)
            or _is_cut_prose(candidates, k, parts)
            or _is_scattered(candidates, k, parts)
            or (
                wholes[k] >= OPTIONS.min_whole
                and not _repeats_a_part(candidates, k)
                and not _is_wanted_less(candidates, scored, k, parts)
                and not _has_title_and_date(scored, parts)
            )
        ):
            kept[k] = True
            for part in _inside(tree, k) if not _is_cut_cell(candidates, scored, k, parts) else ():
                is_more = scored.interest[part] > _min_interest_of_part(candidates, scored, k, part)
                kept[part] = is_more and not _is_same(candidates.columns[k], candidates.columns[part])
        else:
            pending.extend(parts)
    return kept


def _is_more_than_value(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether a typed whole is not one value in some records: two values, or one with something beside it."""
    return _is_glued(candidates, k, parts) or _has_rare_extras(candidates, k, parts)


def _has_rare_extras(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether a part of the same type is the whole in most records, and not in a few: "$24.50 was $35.00"."""
    whole = candidates.columns[k].first_texts()
    for part in parts:
        own = candidates.columns[part].first_texts()
        if candidates.types[part].type != candidates.types[k].type or candidates.columns[part].part:
            continue
        same = sum(own.get(record) == text for record, text in whole.items())
        is_in_all = len(own) >= OPTIONS.min_value_fill * len(whole)
        if is_in_all and OPTIONS.max_same_share * len(whole) < same < len(whole):
            return True
    return False


def _is_glued(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether a whole is two values of a type in some records, with nothing between them: "$19.00$14.00"."""
    typed = [part for part in parts if is_typed(candidates, part)]
    if len(typed) < 2 or len({candidates.types[part].type for part in typed}) > 1:
        return False
    whole, first, second = (candidates.columns[number].first_texts() for number in (k, *typed[:2]))
    both = [record for record in whole if record in first and record in second]
    glued = sum("".join(whole[n].split()) == "".join(f"{first[n]}{second[n]}".split()) for n in both)
    return len(both) >= OPTIONS.min_glued and glued == len(both)


def _repeats_a_part(candidates: CandidateColumns, k: int) -> bool:
    """Return whether most of the texts have one of their parts twice, as where screen readers get a second one."""
    whole = candidates.columns[k]
    texts = whole.first_texts()
    for column in candidates.columns:
        if column.attribute or not any(outer is whole for outer in column.containers()):
            continue
        twice = sum(
            [
                len(own) >= OPTIONS.min_repeated_chars and texts.get(record, "").count(own) > 1
                for record, own in column.first_texts().items()
            ]
        )
        if twice > OPTIONS.max_repeating_share * len(texts):
            return True
    return False


def _is_wanted_less(candidates: CandidateColumns, scored: ScoredColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether one of the texts in a whole would be shown beside it, and is wanted more than the whole."""
    least = max(OPTIONS.min_text_part, scored.interest[k])
    texts = [part for part in parts if candidates.types[part].type == "text" and not candidates.columns[part].part]
    return not is_in_heading(candidates.columns[k]) and any(scored.interest[part] > least for part in texts)


def _is_scattered(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether the value of a headed cell is in one part here and in another there: a name with and without a
    link. Then no part that tells something is in nearly all cells."""
    column = candidates.columns[k]
    if column.slot.column < 0 or not candidates.names[k].header:
        return False
    telling = [candidates.columns[part] for part in parts if candidates.columns[part].distinct > 1]
    return len(telling) > 1 and all(
        not part.part and (part.is_list or len(part.values) < OPTIONS.min_part_fill * len(column.values))
        for part in telling
    )


def _has_title_and_date(scored: ScoredColumns, parts: Sequence[int]) -> bool:
    """Return whether a whole is clearly two fields: "State v. Smith - 04/03/2024"."""
    return all(
        any(scored.roles[part].get(role, 0.0) >= OPTIONS.min_clear_role for part in parts) for role in _TITLE_AND_DATE
    )


def _is_cut_cell(candidates: CandidateColumns, scored: ScoredColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether a text under a header was cut at nothing but a comma ("364, 2024" is one number) or into many
    texts ("Building Works - Private Certification - Patio - 184 Caves Road, Stanthorpe"), or at a date of the row."""
    if candidates.columns[k].slot.column < 0 or not candidates.names[k].header or not is_cut_text(candidates, parts):
        return False
    if is_dated_beside(candidates, k, parts):
        return True
    texts = candidates.columns[k].first_texts().values()
    is_sentence = len(parts) >= OPTIONS.min_parts_of_sentence
    if not is_sentence and 2 * sum(_FIELD_SIGN.search(text) is not None for text in texts) > len(texts):
        return False
    titles = any(scored.roles[part].get("title", 0.0) >= OPTIONS.min_clear_role for part in parts)
    return not titles and not any(candidates.types[part].type in _ALWAYS_TELLING for part in parts)


def _is_cut_prose(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether sentences were cut into many parts."""
    if len(parts) < OPTIONS.min_parts_of_sentence or not is_cut_text(candidates, parts):
        return False
    texts = candidates.columns[k].first_texts().values()
    if sum(map(len, texts)) < OPTIONS.min_prose_chars * len(texts):
        return False
    return 2 * sum(_SENTENCE_END.search(text) is not None for text in texts) > len(texts)


def _is_lost(candidates: CandidateColumns, k: int, parts: Sequence[int]) -> bool:
    """Return whether much of a text would be in none of the parts that it was cut into."""
    if not is_cut_text(candidates, parts):
        return False
    chars = sum([sum(map(len, candidates.columns[part].first_texts().values())) for part in parts])
    texts = list(candidates.columns[k].first_texts().values())
    of_template = 0 if candidates.names[k].header else _common_start(texts)
    return chars < OPTIONS.min_cut_share * sum([len(text) - of_template for text in texts])


def _common_start(texts: Sequence[str]) -> int:
    """Return how many characters all texts begin with."""
    pairs = zip(min(texts), max(texts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _inside(tree: TextTree, k: int) -> Iterator[int]:
    """Yield the columns that a column contains."""
    pending = list(tree.children[k])
    while pending:
        part = pending.pop()
        yield part
        pending.extend(tree.children.get(part, ()))


def _is_same(column: RawColumn, part: RawColumn) -> bool:
    """Return whether the texts of a part are the whole texts in most records."""
    texts = column.cell_texts()
    same = sum([texts.get(record) == text for record, text in part.cell_texts().items()])
    return same > OPTIONS.max_same_share * len(texts)


def _min_interest_of_part(candidates: CandidateColumns, scored: ScoredColumns, k: int, part: int) -> float:
    """Return the interest from which on a part is shown beside its whole: less if the part has a typed value; no text
    beside the whole cell under a header, and no second title and no number of the title beside a whole heading."""
    column = candidates.columns[k]
    if is_typed(candidates, part):
        is_number = candidates.types[part].type in _NUMBER_TYPES and candidates.columns[part].part
        return 1.0 if is_number and is_in_heading(column) else OPTIONS.min_typed_part
    if column.slot.column >= 0 and candidates.names[k].header:
        return 1.0
    roles = scored.roles[part]
    is_title = max(roles, key=lambda role: roles[role], default="title") == "title"
    return 1.0 if is_title and is_in_heading(candidates.columns[k]) else OPTIONS.min_text_part


def _is_wanted(k: int, candidates: CandidateColumns, scored: ScoredColumns, role: Role | None) -> bool:
    column, interest = candidates.columns[k], scored.interest[k]
    is_announced = _is_announced(k, candidates)
    if column.attribute == GROUP:
        return True
    if not (role or is_announced or _tells_something(k, candidates)):
        return False
    if role is not None or column.nested:
        return True
    if column.attribute in ("href", "src"):
        is_wanted = interest >= OPTIONS.min_address and not _is_icon_link(column, candidates)
        return is_wanted or _is_all_of_headed_cell(column, candidates)
    if column.attribute not in ("", WHOLE, GROUP):
        return interest >= OPTIONS.min_attribute and not _are_keys(column)
    return is_announced or interest >= _min_interest_of_text(k, candidates, OPTIONS.min_text)


def _tells_something(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a column tells something of the records, as equal words of two records do not."""
    column, records = candidates.columns[k], candidates.records
    if records == _PAIR == len(column.values) and column.distinct == 1 and candidates.types[k].type == "text":
        return any(map(str.isdigit, next(iter(column.first_texts().values()))))
    return tells_something(column, records)


def _min_interest_of_text(k: int, candidates: CandidateColumns, least: float) -> float:
    """Return the interest from which on a text is shown: more than the least if only a few records have it, and it is
    neither a date nor an amount."""
    is_rare = len(candidates.columns[k].values) < OPTIONS.rare_share * candidates.records
    is_line = candidates.types[k].type not in _ALWAYS_TELLING
    return max(least, OPTIONS.min_rare_text) if is_rare and is_line else least


def _are_keys(column: RawColumn) -> bool:
    """Return whether the values of an attribute are keys of a program: 5474f341-8c5d-4f46-a418-e823f09755e9."""
    texts = column.first_texts().values()
    return all(_KEY.search(text) is not None for text in texts)


def _is_all_of_headed_cell(column: RawColumn, candidates: CandidateColumns) -> bool:
    """Return whether a link is what the cells under a header hold, and their texts are the same in all: "View"."""
    number = next((slot.column for slot in with_ancestors(column.slot) if slot.column >= 0), -1)
    if column.attribute != "href" or number < 0 or 2 * column.distinct < len(column.values):
        return False
    is_headed, is_told = False, False
    for k, other in enumerate(candidates.columns):
        if any(slot.column == number for slot in with_ancestors(other.slot)):
            is_headed = is_headed or bool(candidates.names[k].header)
            is_told = is_told or (other.attribute in ("", "href") and other is not column and other.distinct > 1)
    return is_headed and not is_told and 2 * len(column.values) >= candidates.records


def _is_icon_link(column: RawColumn, candidates: CandidateColumns) -> bool:
    """Return whether a link holds no text, and no picture but one that all records have: an arrow, a heart, a cart."""
    if column.attribute != "href":
        return False
    inside = [
        other
        for other in candidates.columns
        if other.attribute in ("", "src") and any(slot is column.slot for slot in with_ancestors(other.slot))
    ]
    return not any(other.attribute == "" or tells_something(other, candidates.records) for other in inside)


def _filling(
    candidates: CandidateColumns, scored: ScoredColumns, wanted: Sequence[int], kept: Sequence[bool]
) -> list[int]:
    """Return further texts for a table that would have few, the most wanted first."""
    texts = [k for k, column in enumerate(candidates.columns) if kept[k] and column.attribute in ("", WHOLE)]
    are_wanted = set(wanted)
    missing = OPTIONS.min_texts - sum(k in are_wanted for k in texts)
    others = [
        k
        for k in texts
        if k not in are_wanted
        and _tells_something(k, candidates)
        and scored.interest[k] >= _min_interest_of_text(k, candidates, 0.0)
    ]
    return sorted(others, key=lambda k: -scored.interest[k])[: max(missing, 0)]


def _is_field(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a text is announced and is all that its label or header announces, no link or sign in a cell."""
    slot = candidates.columns[k].slot
    is_whole_cell = slot.column >= 0 and id(slot) not in candidates.linked
    return (is_whole_cell or bool(candidates.names[k].label)) and _is_announced(k, candidates)


def _is_announced(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a header, a label or a heading shows that there is a field here, whatever its values."""
    column, names = candidates.columns[k], candidates.names[k]
    if column.attribute not in ("", WHOLE) or column.part not in ("", LABELLED):
        return False
    if names.label:
        text = next(iter(column.first_texts().values()))
        if column.distinct == 1 and not column.slot.label and text.casefold() in names.label.casefold():
            return False  # "Compare" in an element whose attribute says "Add to Compare"
        return len(column.values) >= min(OPTIONS.min_labelled, candidates.records)
    is_cell = column.slot.column >= 0
    is_usual = len(column.values) >= OPTIONS.min_announced_fill * candidates.records
    if not names.header or not (is_cell or is_usual):
        return False
    # "PDF" in all rows is a button, not a field
    is_button = id(column.slot) in candidates.linked or not is_cell or _holds_only_buttons(column, candidates)
    return not is_button or tells_something(column, candidates.records)


def _holds_only_buttons(column: RawColumn, candidates: CandidateColumns) -> bool:
    """Return whether nearly all texts of a cell are links that say the same in all records: "Agenda", "Minutes"."""
    links = [
        other.first_texts()
        for other in candidates.columns
        if not other.attribute
        and id(other.slot) in candidates.linked
        and any(column is it for it in other.containers())
    ]
    if not links or any(len(set(texts.values())) > 1 for texts in links):
        return False
    only_links = 0
    for record, text in column.first_texts().items():
        for texts in links:
            text = text.replace(texts.get(record, ""), "", 1)
        only_links += not any(map(str.isalnum, text))
    return only_links >= OPTIONS.min_button_share * len(column.values)


def _may_have_role(column: RawColumn, column_type: ColumnType, records: int) -> bool:
    """Return whether a column varies as fields do: a badge or an icon is none."""
    if column_type in _ALWAYS_TELLING:
        return True
    if not tells_something(column, records):
        first = next(iter(column.first_texts().values()), "")
        # 04/03/2024 in all records is a date, though nothing shows whether of March or April; so is "11. února"
        return column_type == "text" and len(column.values) == records and (is_short_date(first) or is_day(first))
    filled = len(column.values)
    if filled < TELLING.min_records:
        return True
    return column.distinct > max(1.0, OPTIONS.min_distinct_images * filled if column.attribute == "src" else 1.0)


def _is_headline(k: int, candidates: CandidateColumns) -> bool:
    """Return whether a text is a link in a heading of every record: the same event every week."""
    column = candidates.columns[k]
    return (
        column.attribute == ""
        and id(column.slot) in candidates.linked
        and len(column.values) == candidates.records
        and any(slot.features.tag in HEADING_TAGS for slot in with_ancestors(column.slot))
    )


def column_rank(role: Role | None, attribute: str) -> int:
    """Return where a reader wants a column: titles, facts, dates, addresses, images."""
    if role in _RANK_OF_ROLE:
        return _RANK_OF_ROLE[role]
    return {"href": _ADDRESS, "src": _IMAGE}.get(attribute, _FACTS)

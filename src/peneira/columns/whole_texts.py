"""Whole or parts: for each text that has parts, how likely a person would make one column of it.

"Posted on 3 May by Ann" can be one column, or a date and an author. The columns of a list form trees: the whole text of
a block contains the texts in it, and a text the parts that it is cut into. A small forest compares each whole with all
that it contains: how much each is wanted, which roles they could have, and how the text is built. It is trained with
the roles (``peneira train roles``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import expm1, log1p

import numpy as np
from numpy.typing import NDArray

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.column_evidence import COLUMN_FEATURES
from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.raw_columns import WHOLE, RawColumn
from peneira.columns.roles import ScoredColumns
from peneira.columns.slot_alignment import Slot, with_ancestors
from peneira.columns.telling_columns import tells_something
from peneira.columns.value_patterns import are_facts
from peneira.late_patterns import late_pattern
from peneira.ml.forest import Forest
from peneira.page import INLINE_TAGS
from peneira.values import ColumnType, Role

LINE_TAGS = INLINE_TAGS | {"#text"}
# Beside a title in one heading, these are fields of their own; numbers may belong to the title
_FIELD_TYPES: frozenset[ColumnType] = frozenset({"date", "datetime", "time", "money", "rating", "percent", "phone"})
# What showing a column costs, in interest
COLUMN_COST = 0.05
# A role counts as one that the parts have from this score on
MIN_ROLE_SCORE = 0.3
# Features of the whole as a column that say something here too
_OWN = ("log_chars", "words", "heading", "inline_parts", "has_header", "has_label")
_OWN_NUMBERS = tuple(COLUMN_FEATURES.index(name) for name in _OWN)
_CHARS = COLUMN_FEATURES.index("log_chars")
# What the roles and the interest of the whole and of its parts say
_OF_SCORES = (
    "interest", "max_interest", "second_interest", "sum_interest", "best_role", "best_role_inside", "roles_inside",
    "sum_roles_inside",
)  # fmt: skip
# How the whole is built
_OF_SHAPE = ("typed_inside", "is_cut_text", "is_typed", "lines", "max_fill")
# What share of its text the parts are that have no parts themselves
_OF_LEAVES = ("leaves", "constants", "telling", "longest_share", "second_share", "covered")
WHOLE_FEATURES = (*_OWN, *_OF_SCORES, *_OF_SHAPE, *_OF_LEAVES)
_TELLING, _TYPED, _IS_CUT, _HAS_HEADER, _CHARS_OF_WHOLE, _LONGEST = map(
    WHOLE_FEATURES.index, ("telling", "typed_inside", "is_cut_text", "has_header", "log_chars", "longest_share")
)
# A block with this many texts that tell something, one of them typed, is several fields unless it has a header: in the
# corpora the gold takes 1 of 27 as a whole
MIN_FIELDS = 4
# What nearly all records of a whole have, and how many records show it
MIN_VALUE_FILL = 0.9
MIN_RECORDS = 5
# A sentence of which one part has at least this share, and the others are in fewer than this share of the records
MIN_PROSE_CHARS = log1p(60.0)
MIN_MAIN_SHARE = 0.85
MAX_EXTRA_FILL = 0.3
# What a part has of the texts that it is in, and the least length of the others, if some records have it elsewhere
MIN_MISSED_SHARE = 0.7
MIN_OTHER_SHARE = 0.2
# So many links that say the same in all records are controls
MIN_CONTROLS = 2
# So many parts of one form each are fields
MIN_FORMED = 2
MAX_FORMED_CHARS = 150
# A number, or one in a row: "1st"
_NUMBER = late_pattern(r"\d+(?:[^\W\d_]{1,2}(?![^\W_]))?")
# Longer items of a list are sentences on average
MAX_MEAN_ITEM_CHARS = 40


@dataclass(frozen=True, slots=True)
class TextTree:
    """Which columns contain which, by number; ``order``: all of them, each after the one that contains it."""

    roots: list[int]
    children: dict[int, list[int]]
    order: list[int]


def text_tree(columns: Sequence[RawColumn], alive: Sequence[bool]) -> TextTree:
    """Return the tree of the columns that are alive; what a column that is not contains belongs to the next around."""
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
    order: list[int] = []
    pending = list(roots)
    while pending:
        order.append(pending.pop())
        pending.extend(children.get(order[-1], ()))
    return TextTree(roots, children, order)


def alive_columns(candidates: CandidateColumns) -> list[bool]:
    """Return which columns can be shown at all: the judged ones, without whole texts around nested records."""
    columns, judged = candidates.columns, set(candidates.judged)
    around_nested = {id(slot) for column in columns if column.nested for slot in with_ancestors(column.slot)}
    return [
        k in judged and not (column.attribute == WHOLE and id(column.slot) in around_nested)
        for k, column in enumerate(columns)
    ]


def is_line(slot: Slot) -> bool:
    """Return whether all that a slot contains stands in a line."""
    return bool(slot.children) and all(child.features.tag in LINE_TAGS for child in slot.children)


def is_typed(candidates: CandidateColumns, k: int) -> bool:
    """Return whether the values of a column have a type other than text."""
    return candidates.types[k].type not in ("text", "list")


def whole_probabilities(
    candidates: CandidateColumns, scored: ScoredColumns, tree: TextTree, model: Forest
) -> dict[int, float]:
    """Return for each text with parts the probability that a person would make one column of it."""
    if not tree.children:
        return {}
    numbers, table = whole_table(candidates, scored, tree)
    probabilities = 1.0 / (1.0 + np.exp(-model.predict(table)))
    probabilities[[_is_value_with_extras(candidates, tree, k) for k in numbers]] = 0.0
    is_several = (table[:, _TELLING] >= MIN_FIELDS) & (table[:, _TYPED] > 0)
    probabilities[is_several & (table[:, _IS_CUT] == 0.0) & (table[:, _HAS_HEADER] == 0.0)] = 0.0
    probabilities[[_is_heading_line(candidates, tree, k) or _is_one_heading(candidates, tree, k) for k in numbers]] = (
        1.0
    )
    is_one_text = (table[:, _CHARS_OF_WHOLE] >= MIN_PROSE_CHARS) & (table[:, _LONGEST] >= MIN_MAIN_SHARE)
    probabilities[
        [bool(is_one) and _has_rare_extras(candidates, tree, k) for k, is_one in zip(numbers, is_one_text, strict=True)]
    ] = 1.0
    probabilities[[_misses_main_part(candidates, tree, k) for k in numbers]] = 1.0
    probabilities[[_is_two_by_header(candidates, tree, k) for k in numbers]] = 0.0
    return dict(zip(numbers, probabilities.tolist(), strict=True))


def _misses_main_part(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether some records have the text of a whole in another part than the others: a title without its link.
    As parts, they would have none."""
    columns, column = candidates.columns, candidates.columns[k]
    leaves = _leaves(tree, tree.children[k])
    is_headed = column.slot.column >= 0 and bool(candidates.names[k].header)
    if column.attribute != WHOLE or is_headed or any(is_typed(candidates, part) for part in leaves):
        return False
    chars = {part: sum(map(len, columns[part].first_texts().values())) for part in leaves if not columns[part].is_list}
    main = columns[max(chars, key=lambda part: (chars[part], -part))] if chars else column
    missing = column.values.keys() - main.values.keys()
    if main.part or not 0 < len(missing) <= MAX_EXTRA_FILL * len(column.values) or len(column.values) < MIN_RECORDS:
        return False
    texts = column.first_texts()
    # a part that is merged from several slots may be in a record that does not have the whole
    own = {record: text for record, text in main.first_texts().items() if record in texts}
    of_others = sum([len(texts[record]) for record in own])
    of_main = sum([len(text) for text in own.values()])
    least = MIN_OTHER_SHARE * of_others / max(len(own), 1)
    return of_main >= MIN_MISSED_SHARE * of_others and all(len(texts.get(record, "")) >= least for record in missing)


def _is_two_by_header(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether the header of a cell names both of its parts: "Short Title/District"."""
    header, parts = candidates.names[k].header, tree.children[k]
    return bool(header) and all(candidates.names[part].header not in ("", header) for part in parts)


def _is_value_with_extras(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is one value, and beside it a remark in brackets that all records have, a button, or words
    that only some records have."""
    if _has_only_remark_beside(candidates, tree, k):
        return True
    if candidates.columns[k].slot.column >= 0 and candidates.names[k].header:
        return False
    if (
        _has_controls(candidates, tree, k)
        or _has_formed_parts(candidates, tree, k)
        or _are_measures(candidates, tree, k)
    ):
        return True
    if candidates.columns[k].slot.column >= 0:
        return False
    return (
        _has_only_button_beside(candidates, tree, k)
        or _has_only_badges_beside(candidates, tree, k)
        or _is_bare_list(candidates, tree, k)
    )


def _has_only_remark_beside(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is one value and the same words in brackets in all records: "(opens in a new window)"."""
    columns, parts = candidates.columns, tree.children[k]
    values = [part for part in parts if columns[part].distinct > 1]
    if len(values) != 1 or len(parts) != 2 or columns[values[0]].part or len(columns[k].values) < MIN_RECORDS:
        return False
    own = columns[values[0]].first_texts()
    rests = {text.replace(own.get(record, ""), "", 1).strip() for record, text in columns[k].first_texts().items()}
    return len(rests) == 1 and (rest := rests.pop()).startswith("(") and rest.endswith(")")


def _is_heading_line(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is a heading of a few words in a line, all of which every record has: "owner / name"."""
    column, parts = candidates.columns[k], tree.children[k]
    if column.attribute != WHOLE or column.slot.features.tag not in HEADING_TAGS or not is_line(column.slot):
        return False
    if any(is_typed(candidates, part) or part in tree.children for part in parts):
        return False
    return all(len(candidates.columns[part].values) >= MIN_VALUE_FILL * len(column.values) for part in parts)


def is_in_heading(column: RawColumn) -> bool:
    """Return whether a text is a heading or in one."""
    return any(slot.features.tag in HEADING_TAGS for slot in with_ancestors(column.slot))


def _is_one_heading(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a text of a heading was cut into parts of no common form: "Ann v Bob (No 2) [2026] NSWSC 89"."""
    parts = tree.children[k]
    if not is_cut_text(candidates, parts) or not is_in_heading(candidates.columns[k]):
        return False
    has_fields = any(candidates.types[part].type in _FIELD_TYPES for part in parts)
    return not has_fields and not _has_formed_parts(candidates, tree, k)


def _has_only_badges_beside(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is one value in nearly all its records and words that only some have: "pic", "map"."""
    columns, parts = candidates.columns, tree.children[k]
    leaves = _leaves(tree, parts)
    values = [part for part in leaves if columns[part].distinct > 1]
    others = [part for part in leaves if part not in values]
    filled = len(columns[k].values)
    if is_in_heading(columns[k]):
        return False  # a heading is read as a whole
    if len(values) != 1 or not others or len(columns[values[0]].values) < MIN_VALUE_FILL * filled:
        return False
    # words that all records have belong to the value: "by", "Posted on"
    return filled >= MIN_RECORDS and all(1 < len(columns[part].values) < MIN_VALUE_FILL * filled for part in others)


def _has_rare_extras(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether all parts of a text but one are in few of its records: a sentence with a link here and there."""
    columns, filled = candidates.columns, len(candidates.columns[k].values)
    leaves = _leaves(tree, tree.children[k])
    rare = sum(len(columns[part].values) < MAX_EXTRA_FILL * filled for part in leaves)
    return filled >= MIN_RECORDS and not columns[min(tree.children[k])].part and 0 < rare == len(leaves) - 1


def _leaves(tree: TextTree, parts: Sequence[int]) -> list[int]:
    """Return the columns without parts among those given and what they contain."""
    leaves, pending = [], list(parts)
    while pending:
        part = pending.pop()
        pending.extend(tree.children.get(part, ()))
        if part not in tree.children:
            leaves.append(part)
    return leaves


def _is_bare_list(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is the items of a list with nothing between them: no "Ann, Bob and Eve"."""
    columns, parts = candidates.columns, tree.children[k]
    if len(parts) != 1 or not columns[parts[0]].is_list or is_in_heading(columns[k]):
        return False
    items = columns[parts[0]].values
    lengths = [len(value.text) for values in items.values() for value in values]
    if sum(lengths) > MAX_MEAN_ITEM_CHARS * len(lengths):
        return False  # sentences
    bare = sum(
        values[0].text.split() == " ".join(value.text for value in items.get(record, ())).split()
        for record, values in columns[k].values.items()
    )
    return bare >= MIN_VALUE_FILL * len(columns[k].values)


def _has_only_button_beside(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is one text in all its records and buttons or links that most of them have: "more"."""
    columns, leaves = candidates.columns, _leaves(tree, tree.children[k])
    constants = [part for part in leaves if not tells_something(columns[part], candidates.records)]
    values = [part for part in leaves if part not in constants]
    if len(values) != 1 or not constants or len(columns[values[0]].values) != len(columns[k].values):
        return False
    return all(_is_button(candidates, part) for part in constants)


def _are_measures(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole is several numbers with their units and nothing else: "4 beds 30 m²"."""
    types = [candidates.types[part].type for part in tree.children[k] if is_typed(candidates, part)]
    if len(types) < MIN_FORMED or set(types) == {"quantity"}:
        return False  # "4 lb 1 oz" is one
    return are_facts(candidates.columns[k].first_texts().values())


def _has_controls(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a whole has several links or buttons that say the same in all its records, beside several texts:
    "by Ann | hide | past"."""
    columns, filled = candidates.columns, len(candidates.columns[k].values)
    leaves = _leaves(tree, tree.children[k])
    controls = [
        part
        for part in leaves
        if columns[part].distinct == 1 and len(columns[part].values) == filled and _is_button(candidates, part)
    ]
    values = [part for part in leaves if columns[part].distinct > 1 and len(columns[part].values) == filled]
    return filled >= MIN_RECORDS and len(controls) >= MIN_CONTROLS and len(values) >= MIN_CONTROLS


def _has_formed_parts(candidates: CandidateColumns, tree: TextTree, k: int) -> bool:
    """Return whether a text was cut into several parts that have one form in nearly all records: the title, the number
    and the court in "Ann v. Bob, 2026 Tex. Bus. 36 (1st Div.)"."""
    columns, parts = candidates.columns, tree.children[k]
    if not is_cut_text(candidates, parts):
        return False
    filled = len(columns[k].values)
    if sum(map(len, columns[k].first_texts().values())) > MAX_FORMED_CHARS * filled:
        return False  # sentences
    usual = [columns[part] for part in parts if len(columns[part].values) >= MIN_VALUE_FILL * filled]
    return filled >= MIN_RECORDS and sum(map(_has_form, usual)) >= MIN_FORMED


def _has_form(part: RawColumn) -> bool:
    """Return whether texts have words and numbers, and but for the numbers nearly all are the same."""
    forms = Counter(_NUMBER.sub("0", text) for text in part.first_texts().values())
    form, count = forms.most_common(1)[0]
    is_one = count >= MIN_VALUE_FILL * len(part.values) and "0" in form and any(map(str.isalpha, form))
    return is_one and part.distinct > 1


def _is_button(candidates: CandidateColumns, k: int) -> bool:
    slots = list(with_ancestors(candidates.columns[k].slot))
    return id(slots[0]) in candidates.linked or any(slot.features.tag == "button" for slot in slots)


def whole_table(
    candidates: CandidateColumns, scored: ScoredColumns, tree: TextTree
) -> tuple[list[int], NDArray[np.float64]]:
    """Return the texts with parts, by number, and their features in the order of ``WHOLE_FEATURES``."""
    evidence = {k: each.features for k, each in zip(candidates.judged, candidates.evidence, strict=True)}
    inside: dict[int, list[int]] = {}
    wanted: dict[int, float] = {}
    numbers, rows = [], []
    telling: dict[int, bool] = {}
    for k in reversed(tree.order):
        own = tree.children.get(k)
        if not own:
            inside[k], wanted[k] = [], max(scored.interest[k] - COLUMN_COST, 0.0)
            continue
        inside[k] = [part for child in own for part in (child, *inside[child])]
        of_parts = sum([wanted[child] for child in own])
        wanted[k] = max(scored.interest[k] - COLUMN_COST, of_parts, 0.0)
        leaves = [part for part in inside[k] if not inside[part]]
        for part in leaves:
            if part not in telling:
                telling[part] = tells_something(candidates.columns[part], candidates.records)
        numbers.append(k)
        rows.append(
            (
                *[evidence[k][number] for number in _OWN_NUMBERS],
                *_score_features(scored, k, inside[k], of_parts),
                *_shape_features(candidates, k, own, inside[k]),
                *_leaf_features(candidates, k, leaves, telling, evidence),
            )
        )
    return numbers, np.array(rows, dtype=np.float64)


def _score_features(scored: ScoredColumns, k: int, inside: Sequence[int], of_parts: float) -> tuple[float, ...]:
    own = scored.roles[k]
    best: dict[Role, float] = {}
    for part in inside:
        for role, score in scored.roles[part].items():
            if score > best.get(role, 0.0):
                best[role] = score
    interests = sorted([scored.interest[part] for part in inside], reverse=True)
    return (
        scored.interest[k],
        interests[0],
        interests[1] if len(interests) > 1 else 0.0,
        of_parts,
        max(own.values(), default=0.0),
        max(best.values(), default=0.0),
        float(sum([score >= MIN_ROLE_SCORE for score in best.values()])),
        sum(best.values()),
    )


def _shape_features(
    candidates: CandidateColumns, k: int, own: Sequence[int], inside: Sequence[int]
) -> tuple[float, ...]:
    columns = candidates.columns
    column = columns[k]
    return (
        float(sum([is_typed(candidates, part) for part in inside])),
        float(is_cut_text(candidates, own)),
        float(is_typed(candidates, k)),
        float(sum([child.features.tag not in LINE_TAGS for child in column.slot.children])),
        max([len(columns[child].values) for child in own]) / len(column.values),
    )


def is_cut_text(candidates: CandidateColumns, parts: Sequence[int]) -> bool:
    """Return whether the parts of a text are no elements of the page, but pieces that it was cut into."""
    return bool(candidates.columns[min(parts)].part)


def _leaf_features(
    candidates: CandidateColumns,
    k: int,
    leaves: Sequence[int],
    telling: Mapping[int, bool],
    evidence: Mapping[int, Sequence[float]],
) -> tuple[float, ...]:
    columns = candidates.columns
    of_whole = max(expm1(evidence[k][_CHARS]), 1.0) * len(columns[k].values)
    shares = [expm1(evidence[part][_CHARS]) * len(columns[part].values) / of_whole for part in leaves]
    constants = sum([not telling[part] for part in leaves])
    longest = sorted(shares, reverse=True)
    return (
        float(len(leaves)),
        float(constants),
        float(len(leaves) - constants),
        longest[0],
        longest[1] if len(longest) > 1 else 0.0,
        sum(shares),
    )

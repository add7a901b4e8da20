"""The role of each column, such as title, url or price, and how much a reader wants it; both by small learned forests.

A role is decided for the column as a whole. One forest scores every pair of a column and a role that it could have, a
second one how likely a person would make the column at all (its *interest*). Roles with too little gold to learn from
go by the names that the page's author gave. ``peneira train roles`` trains the forests.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.column_evidence import COLUMN_FEATURES, HIT_FEATURES, TEXT_TYPES, USUAL_TYPES, ColumnEvidence
from peneira.columns.column_features import MAX_SAMPLED
from peneira.columns.label_pairs import common_unit
from peneira.columns.raw_columns import GROUP, TEXT_ATTRIBUTES, WHOLE, RawColumn
from peneira.columns.role_words import named_roles
from peneira.columns.value_patterns import (
    are_bylines,
    are_clock_times,
    are_counts,
    are_discounts,
    are_facts,
    are_fractions,
    are_hosts,
    are_in_brackets,
    are_minutes,
    are_mostly_years,
    are_post_numbers,
    are_ranks,
    are_scores,
    are_unit_prices,
    lead_elsewhere,
)
from peneira.kernels import compiled
from peneira.late_patterns import late_pattern
from peneira.ml.forest import Forest, read_forest
from peneira.types.column_types import InferredType
from peneira.values import ColumnType, Role

role_tables = compiled("role_tables")

MODELS = Path(__file__).with_name("models")
ROLE_MODEL_NAMES = ("roles", "interest", "wholes")
# Roles with gold in the corpora; the forest knows them by these features
LEARNED_ROLES: tuple[Role, ...] = (
    "title", "url", "image", "price", "date", "author", "summary", "location", "company", "rating", "address",
    "description", "id", "count",
)  # fmt: skip
ROLE_FEATURES = (*COLUMN_FEATURES, *HIT_FEATURES, *(f"role_{role}" for role in LEARNED_ROLES))
_NUMBER_OF_ROLE = {role: number for number, role in enumerate(LEARNED_ROLES)}
INTEREST_FEATURES = (*COLUMN_FEATURES, "best_hit", "best_typed_hit")

# Roles that only a column of certain types can have
_POSSIBLE_TYPES: Mapping[Role, frozenset[ColumnType]] = {
    "old_price": frozenset({"money", "number", "integer"}),
    "discount": frozenset({"money", "percent", "text"}),
    "end_date": frozenset({"date", "datetime", "text"}),
    "time": frozenset({"time", "text"}),
    "reviews": frozenset({"integer", "number", "text"}),
    "currency": frozenset({"text"}),
    "rating": frozenset({"rating", "number", "integer"}),
    "price": frozenset({"money", "number", "integer"}),
    "phone": frozenset({"phone", "text"}),
    "email": frozenset({"email"}),
    "number": frozenset({"integer"}),
    "duration": frozenset({"duration", "text"}),
    "salary": frozenset({"money", "text", "number", "integer"}),
    "size": frozenset({"quantity", "number", "integer", "text"}),
}
# Types that say what a column is, and how surely
_ROLE_OF_TYPE: Mapping[ColumnType, tuple[Role, float]] = {
    "phone": ("phone", 0.9),
    "email": ("email", 0.9),
    "rating": ("rating", 0.6),
    "money": ("price", 0.4),
    "date": ("date", 0.3),
    "datetime": ("date", 0.3),
}
# The only role of an attribute that holds addresses
_ROLES_OF_ADDRESSES: Mapping[str, tuple[Role, ...]] = {"href": ("url",), "src": ("image",)}
_NEVER_TITLE: frozenset[ColumnType] = frozenset(
    {
        "money",
        "date",
        "datetime",
        "time",
        "percent",
        "url",
        "image",
        "email",
        "phone",
        "boolean",
        "rating",
        "duration",
        "quantity",
    }
)
# Attributes that readers see in some way; others are for scripts, and have a role only if they name it
_SPOKEN_ATTRIBUTES = frozenset({"alt", "title", "aria-label"})
READER_ATTRIBUTES = TEXT_ATTRIBUTES | _SPOKEN_ATTRIBUTES | {"datetime"}
_ROLES_OF_ATTRIBUTES: frozenset[Role] = frozenset(
    {"price", "old_price", "currency", "rating", "reviews", "date", "end_date", "brand", "sku", "availability"}
)
# A list inside a record can be these
_ROLES_OF_LISTS: frozenset[Role] = frozenset(
    {"author", "location", "company", "category", "tags", "description", "size"}
)
_DIGIT_SHARE = COLUMN_FEATURES.index("digit_share")
_FEW_DIGITS, _MANY_DIGITS = 0.3, 0.8
# No scale of ratings goes beyond 100
_COUNT_DIGITS = late_pattern(r"\d{4}|\d[.,]\d{3}(?!\d)|(?<![\d.,])[2-9]\d\d(?!\d)")
_HANDLE = late_pattern(r"@\w[\w.-]+")
_FRACTION_SIGN = late_pattern(r"\d[.,]\d")
_TOP_SHARE = COLUMN_FEATURES.index("top_share")
_WORDS = COLUMN_FEATURES.index("words")
_MAX_WORDS_OF_ID = log1p(4.0)
_MAX_WORDS_OF_VALUE = log1p(12.0)
_MAX_WORDS_OF_NAME = log1p(5.0)
_ONE_WORD = log1p(1.0)
_MIN_WORDS_OF_PROSE = log1p(3.0)
_PROSE_ROLES: frozenset[Role] = frozenset({"summary", "description"})
_MAX_CHARS_OF_COUNT = log1p(5.0)
_MAX_WORDS_OF_FACT = log1p(7.0)
_CHARS = COLUMN_FEATURES.index("log_chars")
_PARTS = COLUMN_FEATURES.index("parts")
_DIGITS_OF_CHARS = COLUMN_FEATURES.index("digits_of_chars")
_MIN_CHARS_OF_ID = log1p(4.0)
_HAS_HEADER = COLUMN_FEATURES.index("has_header")
_HAS_LABEL = COLUMN_FEATURES.index("has_label")
# A label for one of these may be meant for the other
_RELATED: Mapping[Role, tuple[Role, ...]] = {
    "address": ("location",),
    "location": ("address",),
    "summary": ("description",),
    "description": ("summary",),
    "date": ("end_date", "time"),
    "author": ("company",),
    "company": ("author",),
}
# A heading above several records is none of them
_ROLES_OF_HEADINGS: frozenset[Role] = frozenset({"date", "location", "company", "author"})
_MONEY_ROLES: frozenset[Role] = frozenset({"price", "old_price"})
# Roles of a few words, and of words that are not numbers
_SHORT_ROLES: frozenset[Role] = frozenset({"category", "brand", "availability", "size", "currency"})
_WORD_ROLES: frozenset[Role] = frozenset({"category", "brand", "availability", "currency"})
_WITH_DIGITS: frozenset[Role] = frozenset({"price", "date", "rating", "count", "id"})
# The learned roles of texts; those of addresses are theirs alone
_LEARNED_OF_TEXTS: Sequence[Role] = tuple(role for role in LEARNED_ROLES if role not in ("url", "image"))
_LEARNED_WITHOUT_DIGITS: Sequence[Role] = tuple(role for role in _LEARNED_OF_TEXTS if role not in _WITH_DIGITS)
_NEED_DIGITS: frozenset[Role] = frozenset({"discount", "phone"})
_NEVER_DATE_TYPES: frozenset[ColumnType] = frozenset({"money", "percent", "rating", "quantity", "boolean"})
_NEVER_DATES: frozenset[Role] = frozenset({"title", "id", "count", "rating", "price", "address", "location"})
# Values of these types are no names and no places
_NEVER_WORDS_TYPES: frozenset[ColumnType] = frozenset({"money", "date", "datetime", "percent", "boolean"})
_WORD_ONLY_ROLES: frozenset[Role] = frozenset({"author", "location", "company", "address"})
# Names of people and companies are no numbers
_NAME_ROLES: frozenset[Role] = frozenset({"author", "company", "brand"})
# The site of a link is no place
_PLACE_ROLES: frozenset[Role] = frozenset({"address", "location"})
_NUMBER_TYPES: frozenset[ColumnType] = frozenset(
    {"integer", "number", "rating", "quantity", "duration", "time", "phone"}
)
_NEVER_ID_TYPES: frozenset[ColumnType] = frozenset({"money", "percent", "rating", "duration", "time", "quantity"})


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """When a column has a role."""

    # The least score of a role that nearly every list has, and of another
    min_usual_score: float = 0.05
    min_score: float = 0.15
    # and of an id: many short texts with digits look like one
    min_id_score: float = 0.3
    # The score of a role that a header, label or property names, of a role that the forest has learned, and how much
    # less the same name says in a class
    hint: float = 0.9
    learned_hint: float = 0.35
    # and of another role beside a learned one in the same name, and of one that the address of a link names
    second_hint: float = 0.3
    path_hint: float = 0.2
    class_factor: float = 0.6
    # Where more than this share of the values are equal, a class is no hint
    max_value_share: float = 0.9
    # The score of a column where this share of the values look like the names of companies
    min_company_look: float = 0.6
    company_look_hint: float = 0.2
    # The score of a column where this share of the values look like dates
    min_date_look: float = 0.8
    date_look_hint: float = 0.2
    # Texts of which fewer look like dates are none, unless something calls them so
    min_dates: float = 0.2
    # The score of an author whose name begins with a sign for names, and of reviews that their unit names
    look_hint: float = 0.4
    unit_hint: float = 0.6
    # A location is an address where this share of the values look like one
    min_address_look: float = 0.6
    # What nearly every list has is rather what more records have: the share of the records counts with this exponent
    fill_exponent: float = 0.25
    # Another role is rather that of a column that more than this share of the records have
    rare_share: float = 0.3
    rare_exponent: float = 0.5
    # A column with a score of another role below this may be the title where there is none
    min_other_than_title: float = 0.3
    # and if it has values in at least this share of the records
    min_title_fill: float = 0.5
    # A title with fewer different texts than this share of its records is that of several, where a heading is not
    max_telling_share: float = 0.9
    # A title is in this share of the records
    min_titled_share: float = 0.2
    # A text with at least this many words on average describes the record where nothing else does
    min_prose_words: int = 8
    # and a title with this many is the text itself
    min_words_of_text: int = 20
    # A text in a heading is the title if it is this much as likely as another
    min_heading_share: float = 0.6
    # The link of the title is the address if it is at least this much as likely as the likeliest
    min_title_link_share: float = 0.1
    # A class names the role of a block with at most this many parts, and of words with at most this share of digits
    max_named_parts: int = 2
    max_digits_of_words: float = 0.4
    # and phone numbers are words with at least this share
    min_digits_of_phone: float = 0.3
    # The least interest of a column is this much of the score of its best role
    role_interest: float = 0.8
    # How much less likely a price of a unit is the price, and a link to share or to sign in the address
    side_factor: float = 0.3
    # The share of the numbers with a fraction from which on they may be ratings without being called so
    min_fraction_share: float = 0.5
    # and what only screen readers or pointers show a field that a text may be
    spoken_factor: float = 0.6


OPTIONS = RoleOptions()
# What nearly every list has
USUAL_ROLES: frozenset[Role] = frozenset({"url", "image"})


@dataclass(frozen=True, slots=True)
class RoleModels:
    """The forests, all of log-odds: of a pair of column and role, of the interest of a column, and of a whole text
    against its parts (``whole_texts.py``)."""

    roles: Forest
    interest: Forest
    wholes: Forest


@dataclass(frozen=True, slots=True)
class ScoredColumns:
    """For each column the probability of each role it could have, and its interest, 0..1."""

    roles: list[dict[Role, float]]
    interest: list[float]


@cache
def shipped_role_models() -> RoleModels:
    """Return the models that ship with peneira."""
    return RoleModels(*(read_forest(MODELS, name) for name in ROLE_MODEL_NAMES))


def score_columns(candidates: CandidateColumns, models: RoleModels) -> ScoredColumns:
    """Return the scores of the columns of a region; those that are not judged have none."""
    columns, types, evidence = candidates.columns, candidates.types, candidates.evidence
    pairs: list[tuple[int, Role]] = []
    ends: list[int] = []
    roles: list[dict[Role, float]] = [{} for _ in columns]
    for n, k in enumerate(candidates.judged):
        possible = possible_roles(columns[k], types[k], evidence[n])
        pairs.extend([(n, role) for role in possible])
        ends.append(len(pairs))
        roles[k] = _hinted_roles(columns[k], types[k], evidence[n], possible)
    interest = [0.0] * len(columns)
    if pairs:
        scores = _probability(
            models.roles.predict_alike(
                role_table(evidence, pairs), len(COLUMN_FEATURES), np.array(ends, dtype=np.int64)
            )
        )
        learned, start = scores.tolist(), 0
        for k, end in zip(candidates.judged, ends, strict=True):
            own = roles[k]
            for (_, role), score in zip(pairs[start:end], learned[start:end], strict=True):
                hinted = own.get(role, 0.0)
                own[role] = hinted + (1.0 - hinted) * score
            start = end
    for n, k in enumerate(candidates.judged):
        _set_address(roles[k], evidence[n])
        _lower_sides(roles[k], columns[k])
    if evidence:
        together = np.array([len(evidence)], dtype=np.int64)  # by feature, which reads half as much as by tree
        wanted = _probability(models.interest.predict_alike(interest_table(evidence), 0, together)).tolist()
        for k, probability in zip(candidates.judged, wanted, strict=True):
            interest[k] = probability
    best: dict[Role, tuple[float, int]] = {}  # the first column with the highest score
    for k, own in enumerate(roles):
        for role, score in own.items():
            if role not in best or score > best[role][0]:
                best[role] = score, k
    for score, k in best.values():
        interest[k] = max(interest[k], OPTIONS.role_interest * score)
    return ScoredColumns(roles, interest)


def _set_address(scores: dict[Role, float], evidence: ColumnEvidence) -> None:
    """Make the address the likelier role of a location with streets and house numbers, whatever it is called."""
    location, address = scores.get("location", 0.0), scores.get("address", 0.0)
    if location > address > 0.0 and evidence.looks["address"] >= OPTIONS.min_address_look:
        scores["location"], scores["address"] = address, location


def _lower_sides(scores: dict[Role, float], column: RawColumn) -> None:
    """Make less likely what stands beside the fields of most records: 3 €/kg, a link to share, a text of no reader."""
    if column.attribute in _SPOKEN_ATTRIBUTES:
        scores.update({role: OPTIONS.spoken_factor * score for role, score in scores.items()})
    if "price" in scores and are_unit_prices(column.first_texts().values()):
        scores["price"] *= OPTIONS.side_factor
    if "url" in scores and lead_elsewhere(column.first_texts().values()):
        scores["url"] *= OPTIONS.side_factor


def role_table(evidence: Sequence[ColumnEvidence], pairs: Sequence[tuple[int, Role]]) -> NDArray[np.float64]:
    """Return the features of pairs of a column and a role, in the order of ``ROLE_FEATURES``."""
    if not pairs:
        return np.zeros((0, len(ROLE_FEATURES)))
    width, hits_end = len(COLUMN_FEATURES), len(COLUMN_FEATURES) + len(HIT_FEATURES)
    table = np.zeros((len(pairs), len(ROLE_FEATURES)))
    if role_tables is not None:
        role_tables.fill_role_rows(
            table, list(evidence), list(pairs), hits_end, _NUMBER_OF_ROLE, USUAL_TYPES, TEXT_TYPES
        )
        return table
    table[:, :width] = np.array([each.features for each in evidence])[[k for k, _ in pairs]]
    table[:, width:hits_end] = [evidence[k].hit_features(role) for k, role in pairs]
    table[np.arange(len(pairs)), [hits_end + _NUMBER_OF_ROLE[role] for _, role in pairs]] = 1.0
    return table


def interest_table(evidence: Sequence[ColumnEvidence]) -> NDArray[np.float64]:
    """Return the features of columns, in the order of ``INTEREST_FEATURES``."""
    if role_tables is not None:
        table = np.zeros((len(evidence), len(INTEREST_FEATURES)))
        role_tables.fill_interest_rows(table, list(evidence), USUAL_TYPES, TEXT_TYPES)
        return table
    return np.array([(*each.features, each.best_hit, each.best_typed_hit) for each in evidence], dtype=np.float64)


def can_have(role: Role, column: RawColumn, column_type: InferredType, evidence: ColumnEvidence) -> bool:
    """Return whether a column could have a learned role at all."""
    return role in possible_roles(column, column_type, evidence)


def possible_roles(column: RawColumn, column_type: InferredType, evidence: ColumnEvidence) -> Sequence[Role]:
    """Return the learned roles that a column could have at all, in the order of ``LEARNED_ROLES``."""
    if column.attribute in _ROLES_OF_ADDRESSES:
        return _ROLES_OF_ADDRESSES[column.attribute]
    own_type, features = column_type.type, evidence.features
    if column.is_label:
        return ()
    is_date = own_type in ("date", "datetime")  # "today" has no digit, but its element may give the date
    roles = _LEARNED_OF_TEXTS if features[_DIGIT_SHARE] > _FEW_DIGITS or is_date else _LEARNED_WITHOUT_DIGITS
    if column.attribute not in READER_ATTRIBUTES:
        return [role for role in roles if _is_named_by_attribute(role, column, own_type, evidence)]
    if column.is_list:
        roles = [role for role in roles if role in _ROLES_OF_LISTS]
    if column.attribute == GROUP:
        roles = [role for role in roles if role in _ROLES_OF_HEADINGS]
    if features[_HAS_LABEL]:  # a label says what its values are
        named = evidence.hits[0]
        roles = [role for role in roles if any(named.get(name) for name in (role, *_RELATED.get(role, ())))]
    never: frozenset[Role] = frozenset()
    if is_date or evidence.looks["date"] >= OPTIONS.min_date_look:
        never = _NEVER_DATES
    if not _may_be_names(own_type, evidence):
        never |= _NAME_ROLES
    if own_type in _NEVER_WORDS_TYPES:
        never |= _WORD_ONLY_ROLES
    elif are_hosts(column.first_texts().values()):
        never |= _PLACE_ROLES
    return [
        role
        for role in roles
        if role not in never and (role not in _CHECKS or _CHECKS[role](column, own_type, evidence))
    ]


def _is_named_by_attribute(role: Role, column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    """Return whether an attribute that no reader sees says itself that it holds a role."""
    if role not in _ROLES_OF_ATTRIBUTES or (column.is_list and role not in _ROLES_OF_LISTS):
        return False
    is_named = 1.0 in (evidence.hits[2].get(role), evidence.hits[-1].get(role))
    return is_named and _fits(role, column_type)


def _may_be_title(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    if evidence.is_title_of_person or column_type in _NEVER_TITLE:
        return False
    if evidence.features[_DIGIT_SHARE] == 0.0 and len(column.values) <= MAX_SAMPLED:
        return True  # all of these have numbers
    texts = column.first_texts().values()
    return not (are_facts(texts) or are_ranks(texts) or are_post_numbers(texts) or common_unit(list(texts)))


def _may_be_date(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    if column_type in _NEVER_DATE_TYPES:
        return False
    looks_so = evidence.looks["date"] >= OPTIONS.min_date_look
    texts = column.first_texts().values()
    if column_type in ("duration", "text") and (are_minutes(texts) or are_scores(texts)):
        return False
    if column_type == "duration" and not looks_so:  # 18d ago, not 2h 22m long
        return False
    # the hour of a day stands beside the day
    if column_type == "time" or (column_type == "text" and not _may_be_dates(evidence)):
        return False
    return looks_so or evidence.features[_WORDS] <= _MAX_WORDS_OF_VALUE


def _may_be_prose(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    if evidence.features[_WORDS] < _MIN_WORDS_OF_PROSE and not column.is_list:
        return any(hits.get(name) == 1.0 for hits in evidence.hits[:3] for name in _PROSE_ROLES)
    return column_type not in _NEVER_WORDS_TYPES


def _may_be_count(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    if column_type == "text" and evidence.features[_WORDS] <= _ONE_WORD:
        return evidence.features[_CHARS] <= _MAX_CHARS_OF_COUNT  # 5.6K, not 21-005P
    return evidence.features[_WORDS] <= _MAX_WORDS_OF_VALUE


def _may_be_dates(evidence: ColumnEvidence) -> bool:
    """Return whether some texts look like dates, or anything near calls them so: not "Up to 245 lbs"."""
    is_called = any(hits.get("date") for hits in evidence.hits[:3])
    near = evidence.hits[3]
    is_called_by_class = "date" in near and "tags" not in near  # a "tag" is no day in a class
    return evidence.looks["date"] >= OPTIONS.min_dates or is_called or is_called_by_class


def _may_be_names(column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    """Return whether values may be names of people or companies: not "1,109 posts" nor "Joined 2022"."""
    is_announced = any(evidence.features[k] for k in (_HAS_LABEL, _HAS_HEADER))
    has_few_digits = evidence.features[_DIGIT_SHARE] <= _MANY_DIGITS or evidence.features[_WORDS] <= _ONE_WORD  # fox99
    return column_type not in _NUMBER_TYPES and (is_announced or has_few_digits)


def _may_be_rating(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    """Return whether values may be scores: not (132), which counts reviews, nor 1 / 14, which counts pictures."""
    texts = column.first_texts().values()
    if column_type == "text":
        return not are_fractions(texts)
    if column_type == "rating":
        return True
    if any(_COUNT_DIGITS.search(text) for text in texts):
        return False
    # "4" alone may count anything, and so may "2.5" between others without a fraction
    is_announced = any(hits.get("rating") for hits in evidence.hits[:3])
    if column_type == "number":
        with_fraction = sum(_FRACTION_SIGN.search(text) is not None for text in texts)
        has_names = is_announced or any(hits.get("rating") for hits in evidence.hits[3:5])
        return has_names or with_fraction > OPTIONS.min_fraction_share * len(texts)
    return is_announced or (any(hits.get("rating") for hits in evidence.hits[3:5]) and not are_counts(texts))


def _may_be_id(column: RawColumn, column_type: ColumnType, evidence: ColumnEvidence) -> bool:
    """Return whether values are neither too long nor, where nothing calls them so, too short or years."""
    is_named = any(hits.get("id", 0.0) == 1.0 for hits in evidence.hits[:4])
    if column_type == "integer" and not is_named and are_mostly_years(column.first_texts().values()):
        return False
    if evidence.features[_HAS_HEADER] and not is_named and column_type in ("integer", "number"):
        return False
    is_called_otherwise = evidence.hits[1].get("count") == 1.0 or "author" in evidence.hits[5]
    texts = column.first_texts().values()
    if not is_named and (
        column_type in _NEVER_ID_TYPES
        or is_called_otherwise
        or any(are(texts) for are in (are_counts, are_ranks, are_clock_times, are_fractions))
    ):
        return False
    return evidence.features[_WORDS] <= _MAX_WORDS_OF_ID and (is_named or evidence.features[_CHARS] >= _MIN_CHARS_OF_ID)


# What else a column of a role must be
_CHECKS: Mapping[Role, Callable[[RawColumn, ColumnType, ColumnEvidence], bool]] = {
    "title": _may_be_title,
    "date": _may_be_date,
    "rating": _may_be_rating,
    "id": _may_be_id,
    "summary": _may_be_prose,
    "description": _may_be_prose,
    "count": _may_be_count,
}


def _hinted_roles(
    column: RawColumn, column_type: InferredType, evidence: ColumnEvidence, possible: Collection[Role]
) -> dict[Role, float]:
    """Return the roles that the names of a column stand for; those that were learned count for less.

    ``possible``: the learned roles that the column could have.
    """
    if column.attribute in ("href", "src") or column.is_label:
        return {}
    scores: dict[Role, float] = {}
    label, header, prop, near, _, path, attribute = evidence.hits
    is_constant = evidence.features[_TOP_SHARE] > OPTIONS.max_value_share
    has_numbers = evidence.features[_DIGIT_SHARE] > _FEW_DIGITS
    for hits, is_announced in ((label, True), (header, True), (prop, True), (near, False), (attribute, False)):
        for role, points in hits.items():
            if points < 1.0 or not _fits(role, column_type.type) or (is_constant and not is_announced):
                continue
            if not (is_announced or _may_be_named_by_class(role, column, column_type, evidence)):
                continue
            is_learned = role in _NUMBER_OF_ROLE
            is_script = column.attribute not in READER_ATTRIBUTES
            if (is_script and role not in _ROLES_OF_ATTRIBUTES) or (column.is_list and role not in _ROLES_OF_LISTS):
                continue
            if role == "duration" and column_type.type == "text" and not are_clock_times(column.first_texts().values()):
                continue  # the length of a boat
            if role == "phone" and evidence.features[_DIGITS_OF_CHARS] < OPTIONS.min_digits_of_phone:
                continue  # "Posted August 26" in a class for phones
            if not has_numbers and (role in _NEED_DIGITS or (role == "reviews" and not _tell_reviews(column))):
                continue  # "hot seller" is no discount
            if role in ("url", "image") or (is_learned and role not in possible):
                continue
            factor = OPTIONS.learned_hint if is_learned else OPTIONS.hint
            if not is_learned and any(hits.get(other) == 1.0 for other in LEARNED_ROLES):
                factor = OPTIONS.second_hint  # "subtitle company" is a company
            scores[role] = max(scores.get(role, 0.0), factor * (1.0 if is_announced else OPTIONS.class_factor))
    for role in path:
        if role == "reviews" and not has_numbers and not _tell_reviews(column):
            continue  # the title of a review is not how many there are
        if role in _WORD_ROLES and evidence.features[_DIGITS_OF_CHARS] > OPTIONS.max_digits_of_words:
            continue  # "#1" leads to a category and is none
        if _fits(role, column_type.type) and (role in possible or role not in _NUMBER_OF_ROLE):
            scores[role] = max(scores.get(role, 0.0), OPTIONS.path_hint)
    is_like_company = (
        evidence.looks["company"] >= OPTIONS.min_company_look and evidence.features[_WORDS] <= _MAX_WORDS_OF_NAME
    )
    if is_like_company and "company" in possible:
        scores["company"] = max(scores.get("company", 0.0), OPTIONS.company_look_hint)
    if evidence.looks["date"] >= OPTIONS.min_date_look and "date" in possible:
        scores["date"] = max(scores.get("date", 0.0), OPTIONS.date_look_hint)
    if column.attribute in TEXT_ATTRIBUTES and not column.is_list:
        texts = list(islice(column.first_texts().values(), MAX_SAMPLED))
        _add_roles_of_texts(scores, texts, have_digits=evidence.features[_DIGIT_SHARE] > 0.0)
    is_count_of_ratings = column_type.type == "integer" and any(hits.get("rating") for hits in evidence.hits[:5])
    if is_count_of_ratings and are_in_brackets(column.first_texts().values()):  # 4.5 (132)
        scores["reviews"] = max(scores.get("reviews", 0.0), OPTIONS.unit_hint)
    role_of_type, score = _ROLE_OF_TYPE.get(column_type.type, (None, 0.0))
    if role_of_type is not None and (role_of_type in possible or role_of_type not in _NUMBER_OF_ROLE):
        scores[role_of_type] = max(score, scores.get(role_of_type, 0.0))
    return scores


def _tell_reviews(column: RawColumn) -> bool:
    """Return whether most texts say in words how many reviews there are: "No reviews yet"."""
    texts = list(islice(column.first_texts().values(), MAX_SAMPLED))
    return 2 * sum("reviews" in named_roles(word) for text in texts for word in text.split()[:4]) > len(texts)


def _add_roles_of_texts(scores: dict[Role, float], texts: Sequence[str], *, have_digits: bool) -> None:
    """Add the roles that texts show by how they are written: "@ann", "12 reviews"."""
    if texts[0].startswith("@") and all(_HANDLE.fullmatch(text) for text in texts):
        scores["author"] = max(scores.get("author", 0.0), OPTIONS.look_hint)
    if have_digits and are_discounts(texts):
        scores["discount"] = max(scores.get("discount", 0.0), OPTIONS.unit_hint)
    if are_bylines(texts):
        scores["author"] = max(scores.get("author", 0.0), OPTIONS.look_hint)
    if have_digits and texts[0][-1:].isalpha() and "reviews" in named_roles(common_unit(texts)):
        scores["reviews"] = max(scores.get("reviews", 0.0), OPTIONS.unit_hint)


def _may_be_named_by_class(role: Role, column: RawColumn, column_type: InferredType, evidence: ColumnEvidence) -> bool:
    """Return whether the class of an element may name the role of its values, and not of much else inside it."""
    if column.attribute == WHOLE and evidence.features[_PARTS] > OPTIONS.max_named_parts:
        return False
    if role in _MONEY_ROLES:
        return column_type.type == "money"
    if role == "end_date" and column_type.type == "text":
        return evidence.looks["date"] >= OPTIONS.min_date_look
    if role in _NAME_ROLES and not _may_be_names(column_type.type, evidence):
        return False
    if role in _WORD_ROLES and evidence.features[_DIGITS_OF_CHARS] > OPTIONS.max_digits_of_words:
        return False
    return role not in _SHORT_ROLES or evidence.features[_WORDS] <= _MAX_WORDS_OF_FACT


def _fits(role: Role, column_type: ColumnType) -> bool:
    types = _POSSIBLE_TYPES.get(role)
    if types is not None:
        return column_type in types
    return column_type != "money" and (role == "date" or column_type not in ("date", "datetime"))


def _probability(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-log_odds)))

"""Which column gets which role: each once, by their scores; then the title, and its link as the address."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from peneira.columns.prose_blocks import HEADING_TAGS
from peneira.columns.raw_columns import TEXT_ATTRIBUTES, WHOLE, RawColumn
from peneira.columns.role_words import words_of
from peneira.columns.roles import OPTIONS, READER_ATTRIBUTES, USUAL_ROLES, ScoredColumns
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.value_patterns import are_ranks
from peneira.columns.whole_texts import is_in_heading
from peneira.late_patterns import late_pattern
from peneira.types.column_types import InferredType
from peneira.values import Role

# Headers that call a column the title, and those that also name people
_TITLE_HEADERS = frozenset(
    (word,) for word in "title titel titre titulo titolo tytul baslik 标题 タイトル 제목".split()
)
_NAME_HEADERS = frozenset((word,) for word in "name names nom nombre nome naam".split())
_NAMED_ROLES: frozenset[Role] = frozenset({"author", "company"})
_DIGITS = late_pattern(r"[\d.,]+")
_PROSE: frozenset[Role] = frozenset({"description", "summary"})
_COULD_BE_TITLE: frozenset[Role | None] = frozenset({None, "description", "summary", "subtitle", "category"})
# Fewer headings may be those of sections
MIN_HEADINGS = 3
_MIN_SCORES: Mapping[Role, float] = {**dict.fromkeys(USUAL_ROLES, OPTIONS.min_usual_score), "id": OPTIONS.min_id_score}


def with_title(
    roles: Sequence[Role | None], scored: ScoredColumns, columns: Sequence[RawColumn], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with a title: where no column is one, the likeliest text, unless it is something definite."""
    if "title" in roles:
        return list(roles)
    least = OPTIONS.min_title_fill * max((len(column.values) for column in columns), default=0)
    usual = [k for k, column in enumerate(columns) if allowed[k] and len(column.values) >= least]
    visible = [k for k in usual if columns[k].attribute in TEXT_ATTRIBUTES]
    spoken = [k for k in usual if columns[k].attribute in READER_ATTRIBUTES]
    texts = [
        (scored.roles[k].get("title", 0.0) * len(columns[k].values), -k)
        for k in visible or spoken
        if roles[k] in _COULD_BE_TITLE
        and _is_nothing_else(scored.roles[k])
        and not are_ranks(columns[k].first_texts().values())
    ]
    score, k = max(texts, default=(0.0, 0))
    return [("title" if -k == number else role) for number, role in enumerate(roles)] if score > 0.0 else list(roles)


def with_heading_as_title(
    roles: Sequence[Role | None], scored: ScoredColumns, columns: Sequence[RawColumn], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with the only text in a heading as the title, where a text outside of it is hardly likelier:
    the kind of a course stands before its name."""
    title = roles.index("title") if "title" in roles else None
    if title is None or is_in_heading(columns[title]):
        return list(roles)
    least = OPTIONS.min_heading_share * scored.roles[title].get("title", 0.0)
    headings = [
        k
        for k, column in enumerate(columns)
        if allowed[k] and roles[k] is None and column.attribute in TEXT_ATTRIBUTES and is_in_heading(column)
    ]
    likely = [k for k in headings if scored.roles[k].get("title", 0.0) >= least]
    if len(likely) != 1 or columns[likely[0]].distinct < max(MIN_HEADINGS, columns[title].distinct):
        return list(roles)  # the sections of a catalogue are headings too
    return ["title" if k == likely[0] else None if k == title else role for k, role in enumerate(roles)]


def with_heading_above_as_title(
    roles: Sequence[Role | None], columns: Sequence[RawColumn], types: Sequence[InferredType], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with a heading as the title that no two records have in common, where the title so far stands
    below it and is that of several records: the seller, below "Auction 2026/15". A title with a link stays below a
    heading without one, "Week 12"."""
    title = roles.index("title") if "title" in roles else 0
    if "title" not in roles or columns[title].distinct > OPTIONS.max_telling_share * len(columns[title].values):
        return list(roles)
    level = _heading_level(columns[title])
    headings = [
        k
        for k, column in enumerate(columns[:title])
        if allowed[k] and roles[k] is None and column.attribute in ("", WHOLE) and not column.part
        and types[k].type == "text" and _heading_level(column) < level
        and column.distinct == len(column.values) >= len(columns[title].values)
    ]  # fmt: skip
    if headings and _is_linked(columns[title], columns) and not _is_linked(columns[headings[0]], columns):
        return list(roles)
    heading = min(headings, default=title)
    return ["title" if k == heading else None if k == title else role for k, role in enumerate(roles)]


def _is_linked(column: RawColumn, columns: Sequence[RawColumn]) -> bool:
    """Return whether a link is in the element of a text, or around it."""
    around = {id(slot) for slot in with_ancestors(column.slot)}
    return any(
        id(other.slot) in around or any(slot is column.slot for slot in with_ancestors(other.slot))
        for other in columns
        if other.attribute == "href"
    )


def _heading_level(column: RawColumn) -> int:
    """Return the level of the heading that a text is in, 1..6, that of a text in none is 7."""
    tags = (slot.features.tag for slot in with_ancestors(column.slot))
    return next((int(tag[1]) for tag in tags if tag in HEADING_TAGS), 7)


def with_prose(
    roles: Sequence[Role | None], scored: ScoredColumns, columns: Sequence[RawColumn], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with a description: where no column is one, the likeliest of the long texts that are nothing
    else and have no label."""
    if not _PROSE.isdisjoint(roles):
        return list(roles)
    title = columns[roles.index("title")] if "title" in roles else None
    # beside posts, only some have something else: a signature
    least = OPTIONS.min_title_fill * len(title.values) if title is not None and _is_long(title) else 0.0
    long_texts = [
        (max(scored.roles[k].get(role, 0.0) for role in _PROSE), len(column.values), -k)
        for k, column in enumerate(columns)
        if allowed[k] and roles[k] is None and column.attribute in ("", WHOLE) and _is_prose(column)
        if len(column.values) >= least
    ]
    if not long_texts:
        return list(roles)
    chosen = -max(long_texts)[2]
    scores = scored.roles[chosen]
    role: Role = "summary" if scores.get("summary", 0.0) > scores.get("description", 0.0) else "description"
    return [role if k == chosen else own for k, own in enumerate(roles)]


def _is_prose(column: RawColumn) -> bool:
    if column.is_list or column.nested or column.label:
        return False
    texts = column.first_texts().values()
    if _words(texts) < OPTIONS.min_prose_words * len(texts):
        return False
    forms = {_DIGITS.sub("0", text) for text in texts}  # "12 reviews with a rating of 4.5" has one
    return 2 * len(forms) > len(texts)


def _is_long(column: RawColumn) -> bool:
    """Return whether a title is the text itself, as that of a post."""
    texts = column.first_texts().values()
    return _words(texts) >= OPTIONS.min_words_of_text * len(texts)


def _words(texts: Collection[str]) -> int:
    return sum(len(text.split()) for text in texts)


def with_headed_title(
    roles: Sequence[Role | None], scored: ScoredColumns, headers: Sequence[str], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with the column that the page calls title as the title; one called name gets its next role."""
    called = [k for k, header in enumerate(headers) if allowed[k] and words_of(header) in _TITLE_HEADERS]
    title = roles.index("title") if "title" in roles else None
    if title is None or len(called) != 1 or called[0] == title or words_of(headers[title]) not in _NAME_HEADERS:
        return list(roles)
    others = {
        role: score
        for role, score in scored.roles[title].items()
        if role in _NAMED_ROLES and role not in roles and score > 0.0
    }
    next_role = max(others, key=lambda role: others[role], default=None)
    return ["title" if k == called[0] else next_role if k == title else role for k, role in enumerate(roles)]


def with_link_of_title(
    roles: Sequence[Role | None],
    scored: ScoredColumns,
    columns: Sequence[RawColumn],
    allowed: Sequence[bool],
    twin_of: Mapping[int, int],
) -> list[Role | None]:
    """Return the roles with the link of the title as the address, if it is one, unless another is far likelier.

    ``twin_of``: the columns whose values another has, as where picture and title lead to the same page.
    """
    if "title" not in roles:
        return list(roles)
    around = {id(slot) for slot in with_ancestors(columns[roles.index("title")].slot)}
    around_title = [k for k, column in enumerate(columns) if column.attribute == "href" and id(column.slot) in around]
    links = [k for k in sorted({twin_of.get(k, k) for k in around_title}) if allowed[k]]
    address = roles.index("url") if "url" in roles else None
    if not links or address in links:
        return list(roles)
    link = max(links, key=lambda k: scored.roles[k].get("url", 0.0))
    min_score = OPTIONS.min_title_link_share * scored.roles[address].get("url", 0.0) if address is not None else 0.0
    if scored.roles[link].get("url", 0.0) < min_score:
        return list(roles)
    return ["url" if k == link else None if k == address else role for k, role in enumerate(roles)]


def next_role(scores: Mapping[Role, float], taken: Collection[Role | None]) -> Role | None:
    """Return the likeliest role that no other column has, None if none is likely."""
    free = {role: score for role, score in scores.items() if role not in taken and score >= OPTIONS.min_score}
    return max(free, key=lambda role: (free[role], role), default=None)


def _is_nothing_else(scores: Mapping[Role, float]) -> bool:
    """Return whether no role that rules out a title is clearly likelier."""
    others = [score for role, score in scores.items() if role != "title" and role not in _COULD_BE_TITLE]
    return max(others, default=0.0) < max(OPTIONS.min_other_than_title, scores.get("title", 0.0))


def assign_roles(scored: ScoredColumns, columns: Sequence[RawColumn], allowed: Sequence[bool]) -> list[Role | None]:
    """Return the role of each column: each column and each role once, what nearly every list has first. What only a few
    records have is not their title."""
    filled = max((len(column.values) for column in columns), default=0)
    pairs = sorted(
        (role not in USUAL_ROLES, -_rank(score, role, columns[k], filled), k, role)
        for k, roles in enumerate(scored.roles)
        for role, score in roles.items()
        if allowed[k] and score >= _MIN_SCORES.get(role, OPTIONS.min_score)
        if role != "title" or len(columns[k].values) >= OPTIONS.min_titled_share * filled
    )
    assigned: list[Role | None] = [None] * len(allowed)
    taken: set[Role] = set()
    for _, _, k, role in pairs:
        if assigned[k] is None and role not in taken:
            assigned[k] = role
            taken.add(role)
    return assigned


def _rank(score: float, role: Role, column: RawColumn, filled: int) -> float:
    """Return a score by the number of records that have the column."""
    if role in USUAL_ROLES:
        weight: float = len(column.values) ** OPTIONS.fill_exponent
    else:
        weight = min(1.0, len(column.values) / (OPTIONS.rare_share * filled)) ** OPTIONS.rare_exponent
    return score * weight

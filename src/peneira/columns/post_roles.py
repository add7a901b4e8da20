"""Roles in lists of posts: who wrote, what number the post has, and when it was written, not when its author joined.

A thread looks like a list of people: a name with a link and a picture, and much of what is said beside it is about
the person. What makes it a thread is that people come back, that posts are numbered, and that they follow in time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from peneira.columns.assigned_roles import next_role
from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.equal_dates import moments_of
from peneira.columns.link_paths import path_words, roles_of_path
from peneira.columns.raw_columns import TEXT_ATTRIBUTES, RawColumn
from peneira.columns.roles import ScoredColumns
from peneira.columns.slot_alignment import with_ancestors
from peneira.columns.value_patterns import are_in_brackets, are_post_numbers, are_ranks, lead_elsewhere
from peneira.values import Role


@dataclass(frozen=True, slots=True)
class PostOptions:
    """When a column says something of a post or of its author."""

    # This many records show an order
    min_records: int = 3
    # The share of the records that have a name or a post, and of those that a date or an address must have
    min_fill: float = 0.8
    min_other_fill: float = 0.5
    # Names of people have at most this many words on average, and posts at least this many
    max_words_of_name: float = 4.0
    min_words_of_post: float = 8.0
    # The share of the names that are different if some come back
    max_distinct_names: float = 0.9
    # Where records are numbered, a less likely title is none
    min_title_of_numbered: float = 0.1
    # Nearly all posts say something else, and most have an address of their own
    min_distinct_posts: float = 0.9
    min_distinct_addresses: float = 0.9


OPTIONS = PostOptions()
_PROSE: frozenset[Role] = frozenset({"description", "summary"})
_TIMES = frozenset({"date", "datetime"})
_NO_PAGES = ("mailto:", "tel:", "javascript:")
# What numbers of posts are taken for
_COULD_BE_NUMBER: frozenset[Role | None] = frozenset({None, "id", "author", "count", "title"})
# Where names of the page say what a text is: its property, the classes around it, and its link
_PROPERTY, _NEAR, _PATH = 2, 3, 5


def with_post_roles(
    roles: Sequence[Role | None], scored: ScoredColumns, candidates: CandidateColumns, allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with those of posts: numbers, dates in order, and names of people as authors."""
    found = list(roles)
    _set_number(found, candidates, allowed)
    _set_date(found, candidates, allowed)
    _set_author(found, scored, candidates)
    return found


def with_address_of_post(
    roles: Sequence[Role | None], scored: ScoredColumns, columns: Sequence[RawColumn], allowed: Sequence[bool]
) -> list[Role | None]:
    """Return the roles with the address of what was written, where the address is that of who wrote it."""
    if not {"url", "author", "title"} <= set(roles):
        return list(roles)
    address, author, title = (roles.index(role) for role in ("url", "author", "title"))
    if not (_are_numbered(roles, columns) or _are_long(columns[title])):
        return list(roles)
    own = {id(slot) for slot in with_ancestors(columns[author].slot, columns[author].top)}
    if id(columns[address].slot) not in own - {id(slot) for slot in with_ancestors(columns[title].slot)}:
        return list(roles)
    least = OPTIONS.min_other_fill * len(columns[title].values)
    others = [
        k
        for k, column in enumerate(columns)
        if allowed[k] and column.attribute == "href" and id(column.slot) not in own and len(column.values) >= least
    ]
    links = [k for k in others if _are_addresses_of_posts(columns[k])]
    post = max(links, key=lambda k: scored.roles[k].get("url", 0.0), default=None)
    return ["url" if k == post else None if k == address else role for k, role in enumerate(roles)]


def _are_addresses_of_posts(column: RawColumn) -> bool:
    urls = column.first_texts().values()
    if column.distinct < OPTIONS.min_distinct_addresses * len(column.values) or lead_elsewhere(urls):
        return False
    return not any(url.startswith(_NO_PAGES) for url in urls)


def _are_long(column: RawColumn) -> bool:
    texts = column.first_texts().values()
    return sum(len(text.split()) for text in texts) >= OPTIONS.min_words_of_post * len(texts)


def _set_number(roles: list[Role | None], candidates: CandidateColumns, allowed: Sequence[bool]) -> None:
    """Set the role of texts such as #1, #2."""
    for k, column in enumerate(candidates.columns):
        if not allowed[k] or column.attribute or column.part or column.is_list or roles[k] not in _COULD_BE_NUMBER:
            continue
        names = candidates.names[k]
        if (
            column.distinct > 1
            and not (names.label or names.header)
            and are_post_numbers(column.first_texts().values())
        ):
            if "number" not in roles:
                roles[k] = "number"
            return


def _set_date(roles: list[Role | None], candidates: CandidateColumns, allowed: Sequence[bool]) -> None:
    """Set the role of dates that follow in time from record to record, where those of the date do not."""
    date = roles.index("date") if "date" in roles else None
    if date is None or candidates.names[date].header or candidates.types[date].type not in _TIMES:
        return
    least = OPTIONS.min_fill * len(candidates.columns[date].values)
    others = [
        k
        for k, column in enumerate(candidates.columns)
        if allowed[k]
        and roles[k] is None
        and candidates.types[k].type in _TIMES
        and column.distinct > 1
        and column.attribute in TEXT_ATTRIBUTES
        and not column.part
        and len(column.values) >= least
        and not (candidates.names[k].label or candidates.names[k].header)
    ]
    if others and not _are_in_order(candidates, date):
        posted = next((k for k in others if _are_in_order(candidates, k)), None)
        if posted is not None:
            roles[date], roles[posted] = None, "date"


def _are_in_order(candidates: CandidateColumns, k: int) -> bool:
    """Return whether the moments of records follow in time, or go back in it."""
    moments = [
        tuple(moment.timetuple())[:6]
        for _, moment in sorted(moments_of(candidates, k).items(), key=lambda item: item[0])
    ]
    if len(moments) < OPTIONS.min_records:
        return False
    return moments in (sorted(moments), sorted(moments, reverse=True))


def _set_author(roles: list[Role | None], scored: ScoredColumns, candidates: CandidateColumns) -> None:
    """Set the roles of names that were taken for titles, and of the posts beside them."""
    is_numbered = _are_numbered(roles, candidates.columns)
    post = next((k for k, role in enumerate(roles) if role in _PROSE and _are_posts(candidates, k, is_numbered)), None)
    if "title" not in roles or "price" in roles or post is None:
        return
    title = roles.index("title")
    names = candidates.columns[title].first_texts()
    if _are_short(candidates, title, names) and _are_of_people(roles, candidates, title, names):
        if "author" in roles:
            other = roles.index("author")
            if _is_surer_author(other, title, scored, candidates):
                return
            roles[other] = None
            roles[other] = next_role(scored.roles[other], [*roles, "author"])
        roles[title], roles[post] = "author", "title"
    elif is_numbered and scored.roles[title].get("title", 0.0) < OPTIONS.min_title_of_numbered:
        roles[title], roles[post] = None, "title"


def _are_numbered(roles: Sequence[Role | None], columns: Sequence[RawColumn]) -> bool:
    """Return whether records have numbers such as #1."""
    return "number" in roles and are_post_numbers(columns[roles.index("number")].first_texts().values())


def _is_surer_author(k: int, title: int, scored: ScoredColumns, candidates: CandidateColumns) -> bool:
    """Return whether another column is the author, and of as many records: "Posted by Ann" below a topic, but not the
    full name after that of a user: (Ann Smith)."""
    if scored.roles[k].get("author", 0.0) <= scored.roles[title].get("author", 0.0):
        return False
    texts = candidates.columns[k].first_texts().values()
    return len(texts) >= OPTIONS.min_fill * candidates.records and not are_in_brackets(texts)


def _are_posts(candidates: CandidateColumns, k: int, is_numbered: bool) -> bool:
    """Return whether texts are long, and none is said twice, as where programs of a channel come back."""
    column = candidates.columns[k]
    least = OPTIONS.min_other_fill if is_numbered else OPTIONS.min_fill
    is_usual = len(column.values) >= least * candidates.records
    are_different = column.distinct >= OPTIONS.min_distinct_posts * len(column.values)
    return is_usual and are_different and not column.label and _are_long(column)


def _are_short(candidates: CandidateColumns, k: int, texts: Mapping[int, str]) -> bool:
    names = candidates.names[k]
    words = sum(len(text.split()) for text in texts.values())
    return not (names.header or names.label) and words <= OPTIONS.max_words_of_name * len(texts)


def _are_of_people(
    roles: Sequence[Role | None], candidates: CandidateColumns, title: int, names: Mapping[int, str]
) -> bool:
    """Return whether names are those of people who wrote something, and not what the list is of: the page calls them
    authors or users, or some come back with the same link, and posts have moments or numbers."""
    evidence = dict(zip(candidates.judged, candidates.evidence, strict=True))
    hits = evidence[title].hits if title in evidence else ()
    is_called = any(hits[number].get("author") for number in (_PROPERTY, _NEAR, _PATH) if hits)
    come_back = len(set(names.values())) <= OPTIONS.max_distinct_names * len(names)
    if is_called and come_back:
        return True
    times = [k for k in range(len(roles)) if _tells_when(roles, candidates, k)]
    if is_called:  # who is named once may be what the list is of, unless what follows in time is posts
        return any(roles[k] == "date" and _are_in_order(candidates, k) for k in times)
    return bool(times) and come_back and _have_one_link(candidates, title, names)


def _tells_when(roles: Sequence[Role | None], candidates: CandidateColumns, k: int) -> bool:
    """Return whether a column has the moments of posts, or their numbers."""
    column, names = candidates.columns[k], candidates.names[k]
    is_usual = len(column.values) >= OPTIONS.min_fill * candidates.records
    if not is_usual or column.attribute not in TEXT_ATTRIBUTES or names.label or names.header:
        return False
    return roles[k] == "date" or (roles[k] == "number" and are_ranks(column.first_texts().values()))


def _have_one_link(candidates: CandidateColumns, k: int, texts: Mapping[int, str]) -> bool:
    """Return whether equal names have the same link wherever they stand, and different ones another."""
    around = {id(slot) for slot in with_ancestors(candidates.columns[k].slot)}
    for column in candidates.columns:
        if column.attribute == "href" and id(column.slot) in around:
            links = column.first_texts()
            said = roles_of_path(path_words(list(links.values())))
            if said and "author" not in said:  # /category/garden
                return False
            pairs = {(text, links.get(record)) for record, text in texts.items()}
            if len(pairs) == len(set(texts.values())) == len({link for _, link in pairs}):
                return True
    return False

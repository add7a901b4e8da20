"""Further pictures of what a record is about: the one that is shown under the pointer, the same in another size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from urllib.parse import parse_qsl, unquote, urlsplit

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.raw_columns import RawColumn
from peneira.columns.role_words import ROLES_OF_WORD, words_of
from peneira.columns.slot_alignment import with_ancestors
from peneira.late_patterns import late_pattern
from peneira.values import Role

# The share of the records of the fullest picture that the first one has, if it is that of the record
MIN_FILL = 0.9
# More pictures than this share are different if they are no icons
MIN_DISTINCT = 0.5
# Pictures without links are of one thing if they are in one element of so many levels
MAX_LEVELS = 2
# A picture with a class of these is of someone else: the logo of a company, the face of an author
_OTHERS: frozenset[Role] = frozenset({"author", "company", "brand"})
# Classes of the second picture of a thing, where the first has none of them
_SECOND = frozenset("hover alt alternate alternative secondary second rollover flip swap back".split())
# Two addresses are of one thing if they have a word or number in common that at most this share of the records have,
MAX_SHARE_OF_WORD = 0.5
# and two pictures if the addresses of this share of the records that have both are
MIN_ALIKE = 0.5
_WORD = late_pattern(r"[^\W\d_]+|\d+")


def without_other_pictures(
    candidates: CandidateColumns, roles: Sequence[Role | None], shown: Sequence[int]
) -> tuple[list[Role | None], list[int]]:
    """Return roles and columns with one picture of several of the same thing: the first that nearly all records have.

    They are in links to the same page, or in one element, which the emblems of two teams also are: so their classes or
    addresses must show that they are of one thing.
    """
    columns = candidates.columns
    image = roles.index("image") if "image" in roles else -1
    if image not in shown or columns[image].attribute != "src":
        return list(roles), list(shown)
    links = {id(column.slot): column for column in columns if column.attribute == "href"}
    others = [
        k
        for k in shown
        if k != image
        and columns[k].attribute == "src"
        and roles[k] is None
        and _are_of_one_thing(columns[k], columns[image], links)
        and not _is_of_another(columns[k], columns[image])
        and (_is_called_second(columns[k], columns[image]) or _are_called_alike(columns[k], columns[image]))
    ]
    fullest = max((len(columns[k].values) for k in (image, *others)), default=0)
    whole = [k for k in (image, *others) if len(columns[k].values) >= MIN_FILL * fullest]
    first = min((k for k in whole if k == image or _are_different(columns[k])), default=image)
    renamed = ["image" if k == first else None if k == image else role for k, role in enumerate(roles)]
    gone = {image, *others} - {first}
    return renamed, [k for k in shown if k not in gone]


def _are_different(column: RawColumn) -> bool:
    return column.distinct > MIN_DISTINCT * len(column.values)


def _are_of_one_thing(column: RawColumn, image: RawColumn, links: Mapping[int, RawColumn]) -> bool:
    own, other = _link(column, links), _link(image, links)
    if own is None and other is None:
        around = {id(slot) for slot in islice(with_ancestors(image.slot), 1, 1 + MAX_LEVELS) if slot.parent is not None}
        return any(id(slot) in around for slot in islice(with_ancestors(column.slot), 1, 1 + MAX_LEVELS))
    if own is None or other is None:
        return False
    if own is other:
        return True
    addresses = other.first_texts()
    same = sum(addresses.get(record) == text for record, text in own.first_texts().items())
    return same >= MIN_FILL * len(own.values)


def _link(column: RawColumn, links: Mapping[int, RawColumn]) -> RawColumn | None:
    """Return the addresses of the link that a picture is in."""
    return next((links[id(slot)] for slot in with_ancestors(column.slot) if id(slot) in links), None)


def _is_of_another(column: RawColumn, image: RawColumn) -> bool:
    """Return whether the classes of a picture, and of what is around it alone, name someone who has pictures too."""
    return any(not _OTHERS.isdisjoint(ROLES_OF_WORD.get(word, ())) for word in _own_words(column, image))


def _is_called_second(column: RawColumn, image: RawColumn) -> bool:
    """Return whether one of two pictures has a class of second pictures, and the other has not."""
    return _SECOND.isdisjoint(_own_words(column, image)) != _SECOND.isdisjoint(_own_words(image, column))


def _own_words(column: RawColumn, other: RawColumn) -> Iterator[str]:
    """Yield the words in the classes of a picture, and of what is around it alone; "hover:underline" is style."""
    shared = {id(slot) for slot in with_ancestors(other.slot)}
    for slot in with_ancestors(column.slot):
        if id(slot) not in shared:
            for name in slot.features.words:
                if ":" not in name:
                    yield from words_of(name)


def _are_called_alike(column: RawColumn, image: RawColumn) -> bool:
    """Return whether the addresses of two pictures have words or numbers of their record in common."""
    own, other = column.first_texts(), image.first_texts()
    both = own.keys() & other.keys()
    words = {record: (_words_of_address(own[record]), _words_of_address(other[record])) for record in both}
    counts = Counter(word for first, second in words.values() for word in first | second)
    usual = MAX_SHARE_OF_WORD * len(both)
    alike = sum(any(counts[word] <= usual for word in first & second) for first, second in words.values())
    return bool(both) and alike >= MIN_ALIKE * len(both)


def _words_of_address(address: str) -> set[str]:
    """Return the words and numbers in the path of an address, and in that of an address within it, in lower case."""
    try:
        parts = urlsplit(address)
        inner = [value for _, value in parse_qsl(parts.query) if "/" in value]
    except ValueError:  # not a URL
        return set()
    return set(_WORD.findall(" ".join((unquote(parts.path), *inner)).lower()))

"""Words that name the role of a column, in many languages: in headers, labels, classes and schema.org properties.

The file holds what people call a column, not what its values look like. A word may stand for several roles, and the
model of ``peneira.columns.roles`` weighs it with everything else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast, get_args

from peneira.late_patterns import late_pattern
from peneira.short_text_cache import cache_of_short_texts
from peneira.values import Role

ROLES: tuple[Role, ...] = get_args(Role)
WORDS = Path(__file__).with_suffix(".txt")

# Words that add nothing after a word that says more: "company-name", "price-value"
_GENERIC_ENDS = frozenset(
    "name names text value label info link wrapper wrap content container item field box inner data block list".split()
)
# The title of a person is not that of a record: "userTitle"; as a property, "jobTitle" is a person's
_PEOPLE = frozenset("user member author poster profile person".split())
_TITLES_OF_PEOPLE = frozenset({"jobTitle", "honorificPrefix"})
_WORD = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_IDEOGRAPHS = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))


def _normal(word: str) -> str:
    """Return a word in lower case, without accents."""
    return _without_accents(word).lower()


def _roles_of_words() -> dict[str, frozenset[Role]]:
    """Return the roles that each word of the file stands for."""
    roles: dict[str, set[Role]] = {}
    role: Role = ROLES[0]
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if line.endswith(":"):
            role = cast("Role", line.removesuffix(":"))
        elif line.startswith(" "):
            for word in line.split():
                roles.setdefault(_normal(word), set()).add(role)
    return {word: frozenset(those) for word, those in roles.items()}


ROLES_OF_WORD = _roles_of_words()
_UNSPACED = tuple(word for word in ROLES_OF_WORD if _IDEOGRAPHS.search(word))


@cache_of_short_texts(4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a caption, a class or a property: "datePosted" gives "date" and "posted"."""
    return tuple(word.lower() for word in _WORD.findall(_without_accents(name)))


@cache_of_short_texts(4096)
def named_roles(name: str) -> Mapping[Role, float]:
    """Return the roles that a name stands for, with 1.0 for its last word, 0.6 for another word of it."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _GENERIC_ENDS and words[-2] in ROLES_OF_WORD:
        words = words[:-1]
    if is_title_of_person(words):
        return {}
    hits: dict[Role, float] = {}
    for position, word in enumerate(words):
        points = 1.0 if position == len(words) - 1 else 0.6
        for role in ROLES_OF_WORD.get(word, ()):
            hits[role] = max(hits.get(role, 0.0), points)
    joined = "".join(words)
    for role in ROLES_OF_WORD.get(joined, ()) if len(words) > 1 else ():
        hits[role] = 1.0
    if _IDEOGRAPHS.search(name):
        for word in _UNSPACED:
            if word in name:
                for role in ROLES_OF_WORD[word]:
                    hits[role] = 1.0
    return hits


def is_title_of_person(words: Sequence[str]) -> bool:
    """Return whether the words of a name mean the title of a person: "user" and "title", or "usertitle"."""
    if not words or not words[-1].endswith("title"):
        return False
    return words[-1].removesuffix("title") in _PEOPLE or (words[-1] == "title" and not _PEOPLE.isdisjoint(words[:-1]))


def _chars_of_names(prop: str, names: Sequence[str]) -> int:
    return len(prop) + sum(map(len, names))


@cache_of_short_texts(2048, _chars_of_names)
def tells_title_of_person(prop: str, names: tuple[str, ...]) -> bool:
    """Return whether a property and the classes around a value say that it is the title of a person.

    Job boards call the title of a job "jobTitle" too, but not in a part about a user or an author.
    """
    words = [words_of(name) for name in names]
    if any(map(is_title_of_person, words)):
        return True
    return prop in _TITLES_OF_PEOPLE and any(not _PEOPLE.isdisjoint(own) for own in words)


def roles_of_property(name: str) -> Mapping[Role, float]:
    """Return the roles that a microdata or RDFa property stands for."""
    return {} if name in _TITLES_OF_PEOPLE else named_roles(name)


@cache_of_short_texts(2048, lambda names: sum(map(len, names)))
def best_roles(names: tuple[str, ...]) -> Mapping[Role, float]:
    """Return for each role the best hit of several names."""
    best: dict[Role, float] = {}
    for name in names:
        for role, points in named_roles(name).items():
            best[role] = max(best.get(role, 0.0), points)
    return best

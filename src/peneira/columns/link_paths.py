"""Words of addresses that say what a link leads to: the text of a link to "/authors/17" is an author."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from peneira.columns.role_words import ROLES_OF_WORD
from peneira.late_patterns import late_pattern
from peneira.values import Role

# Roles that pages of their own are often for
_ROLES: frozenset[Role] = frozenset({"author", "company", "location", "category", "tags", "brand"})
# Words for pages of people and of things of one kind, which no header or class uses
_ROLE_OF_WORD: Mapping[str, Role] = {
    **dict.fromkeys(("profile", "profil", "perfil", "people", "person", "editor", "staff", "u"), "author"),
    **dict.fromkeys(("browse", "sector"), "category"),
    **dict.fromkeys(("employer", "organisations"), "company"),
}
_WORD = late_pattern(r"[a-z]+")
_USUAL_SCHEMES = ("https://", "http://")
# What a word of a path says is less sure than what a label says
_POINTS = 0.8
# Shorter words that end with s are no plurals: "us" is a country
_MIN_PLURAL_CHARS = 3


def url_parts(url: str) -> tuple[str, str, str]:
    """Return host, path and query of an address; nothing of one that cannot be read."""
    # as urlsplit does, which takes several times as long
    if url.startswith(_USUAL_SCHEMES) and url.isascii() and url.isprintable() and "[" not in url and "]" not in url:
        address, _, query = url.partition("#")[0].partition("?")
        host, slash, path = address[address.index("//") + 2 :].partition("/")
        return host, slash + path, query
    if url[:1] == "/" and url[1:2] != "/" and url.isascii() and url.isprintable():
        path, _, query = url.partition("#")[0].partition("?")
        return "", path, query
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    return parts.netloc, parts.path, parts.query


def path_words(urls: Sequence[str]) -> frozenset[str]:
    """Return the words in front of the last part of the path, or of the query, that all addresses have."""
    common: frozenset[str] | None = None
    known: set[str] = set()
    for url in urls:
        _, path, query = url_parts(url)
        path = path.lower()
        before = path if query else path.rstrip("/").rpartition("/")[0]
        if before in known:
            continue
        known.add(before)
        words = frozenset(_WORD.findall(before))
        common = words if common is None else common & words
        if not common:
            return frozenset()
    return common or frozenset()


def roles_of_path(words: Collection[str]) -> dict[Role, float]:
    """Return the roles that words of a path stand for."""
    hits: dict[Role, float] = {}
    for word in words:
        for role in _roles_of_word(word):
            hits[role] = _POINTS
    return hits


def named_by_path(words: Collection[str]) -> str:
    """Return the word of a path that names what its link leads to, "" if there is none."""
    return min((word for word in words if _roles_of_word(word)), default="")


def _roles_of_word(word: str) -> frozenset[Role]:
    forms = [word]
    if len(word) > _MIN_PLURAL_CHARS:
        forms.append(f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s"))
    for form in forms:
        if form in _ROLE_OF_WORD:
            return frozenset({_ROLE_OF_WORD[form]})
        if roles := ROLES_OF_WORD.get(form, frozenset()) & _ROLES:
            return roles
    return frozenset()

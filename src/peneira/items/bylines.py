"""Who wrote what a page is about: the line near its heading that names a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from peneira.items.claims import Claim, normal_form
from peneira.items.lines import Line
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of
from peneira.phrase_search import PhraseSearch, part_search

MAX_LINES_ABOVE, MAX_LINES_BELOW = 6, 25
MAX_CHARS = 100
# Words before a name. A line must begin with them and go on with a name
_BY = re.compile(
    r"^(?:(?:recipe|written|words|text|story|posted|published|created|report(?:ed)?|article|photos?|interview|"
    r"rezept|ein beitrag|ein artikel|artikel|recette|publié|escrito|publicado|ricetta|scritto|geschreven|tekst) )?"
    r"(?:by|von|par|por|di|door|av|af|od|autor(?:in)?|auteur|author|autore|skrevet av|"
    r"skrevet af|przez|автор|від|от|szerző|text|tekst)"
    r"(?:\s*\((?:author|autor|auteur|autore|illustrator|editor)\))?\s*[:：]?\s+(?=\S)",
    re.IGNORECASE,
)
_WRITTEN_BY = re.compile(r"(?:written|posted|published|words|article) by\b", re.IGNORECASE)
_WORDS = frozenset(
    "author authors byline bylines writer autor autoren auteur autore redakteur journalist contributor reporter "
    "verfasser authorname autorname signature vcard fn creator".split()
)
_CUT = re.compile(
    r"\s*(?:[|•·●・–—/(\[]|\s-\s|,? (?:on|am|le|el|em|il|op|den) \d|\d{1,2}[./:]\d|\b(?:updated|published|posted|last|"
    r"aktualisiert|veröffentlicht|stand|publié|mis à jour|publicado|actualizado|aggiornato|in )\b|\d{4}).*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|;|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|\boch\b|\bog\b|\bi\b|\bи\b)\s*")
_NOT_A_NAME = re.compile(
    r"\d|@|:|^(?:staff|admin|editor|redaktion|editorial|share|print|read|more|follow|subscribe|about|all|posts?|"
    r"comments?|author|autor|profile|view|see|the author|home|menu|recipes?|news|login|sign|jump|save|get|leave|join|"
    r"open|download|ingredients|reviewed|updated|min)\b",
    re.IGNORECASE,
)
MAX_NAME_WORDS = 5
# Where the pages of authors are, and what their readers call them if they have no name
_AUTHOR_ADDRESS = re.compile(
    r"/(?:[a-z-]+-)?(?:authors?|autor(?:en)?|auteurs?|writers?|contributors?)/[^/]|[?&]author=\w"
)
_HANDLE = re.compile(r"[a-z][a-z0-9._-]{2,24}")
# Set by hand: how often a link or a class that says "author" names one, a line that begins with "by", and a box
# below the text
MARKED, LINE, BELOW = 0.75, 0.65, 0.5
# An author with the name of the site, as on the pages of one person
SITE_AUTHOR = 0.4


def byline_claims(view: PageView) -> Iterator[Claim]:
    """Yield who the page says wrote it, near its heading; whoever is called as the site is, only if nobody else is."""
    if view.heading is None:
        return
    near = _near(view)
    marked = list(_marked_claims(view, near))
    # a link within a line is one of the names that the line may have
    blocks = [claim for claim in marked if view.lines.within(claim.row)]
    claims = [*blocks, *_line_claims(view, near), *marked] or _claims_below(view)
    of_site = [claim for claim in claims if _is_site(view, claim)]
    yield from [claim for claim in claims if claim not in of_site][:1] or [
        replace(claim, probability=SITE_AUTHOR) for claim in of_site[:1]
    ]


def _is_site(view: PageView, claim: Claim) -> bool:
    return any(normal_form(name) in view.site_names for name in claim.items or (claim.text,))


def _near(view: PageView) -> Sequence[Line]:
    """Return the lines around the heading."""
    at = view.lines.first_at(view.heading_row)
    return view.lines[max(at - MAX_LINES_ABOVE, 0) : at + MAX_LINES_BELOW]


def _marked_claims(view: PageView, lines: Sequence[Line]) -> Iterator[Claim]:
    """Yield the names in elements of some lines that say that they are the author."""
    if not lines:
        return
    page, first, last = view.page, lines[0].block, lines[-1].end
    links = {row for row in view.rows("a") if first <= row < last and _leads_to_author(page.attrs[row])}
    named = {
        row
        for row in view.rows_that_may_say(_author_words())
        if first <= row < last and not _WORDS.isdisjoint(view.class_words(row))
    }
    for row in sorted(links | named):
        lines_inside = view.lines.within(row)
        text = lines_inside[0].text if lines_inside else page.visible_text(row)
        is_around_heading = view.heading is not None and row < view.heading.start < view.ends[row]
        if not text or len(text) > MAX_CHARS or is_around_heading or view.listed[row]:
            continue
        names = author_names(text) or ([text] if row in links and _HANDLE.fullmatch(text) else [])
        if names:
            yield _claim(names, MARKED, row)


def _claims_below(view: PageView) -> list[Claim]:
    """Return the name in a box about the author below the text, if all such boxes name the same."""
    lines = view.lines[view.lines.first_at(view.heading_row) :]
    written = [line for line in lines if len(line.text) <= MAX_CHARS and _WRITTEN_BY.match(line.text)]
    found = (*_marked_claims(view, lines), *_line_claims(view, written))
    claims = [claim for claim in found if not view.elsewhere[claim.row]]
    return [replace(claims[0], probability=BELOW)] if len({claim.same for claim in claims}) == 1 else []


@cache
def _author_words() -> PhraseSearch:
    return part_search(_WORDS)


def _leads_to_author(attrs: Mapping[str, str]) -> bool:
    """Return whether a link says that it leads to an author."""
    return "author" in attrs.get("rel", "").lower() or _AUTHOR_ADDRESS.search(attrs.get("href", "")) is not None


def _line_claims(view: PageView, lines: Sequence[Line]) -> Iterator[Claim]:
    """Yield the names in lines that begin with "by"."""
    for line in lines:
        is_heading = view.heading is not None and view.heading.start <= line.start < view.heading.end
        if len(line.text) > MAX_CHARS or is_heading or not _BY.match(line.text):
            continue
        if names := author_names(line.text):
            yield _claim(names, LINE, line.start)


def _claim(names: Sequence[str], probability: float, row: int) -> Claim:
    items = tuple(names) if len(names) > 1 else ()
    return claim_of("author", ", ".join(names), "page", probability, row, items=items)


def author_names(text: str) -> list[str]:
    """Return the names in a byline, without what stands around them."""
    bare = _CUT.sub("", _BY.sub("", " ".join(text.split()))).strip(" ,:;.-")
    names = [name.strip(" ,:;.-") for name in _JOINED.split(bare)]
    return [name for name in names if _is_name(name)] if all(_is_name(name) for name in names if name) else []


def _is_name(text: str) -> bool:
    words = text.split()
    if not 1 <= len(words) <= MAX_NAME_WORDS or not 2 < len(text) <= 50 or _NOT_A_NAME.search(text):
        return False
    has_case = any(char.isupper() or char.islower() for char in text)
    return not has_case or sum(word[0].isupper() for word in words) >= (len(words) + 1) // 2

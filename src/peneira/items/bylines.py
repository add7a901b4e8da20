"""Who wrote what a page is about: the line near its heading that names a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from peneira.items.claims import Claim, normal_form
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

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
_WORDS = frozenset(
    "author authors byline bylines writer autor autoren auteur autore redakteur journalist contributor reporter "
    "verfasser authorname autorname signature vcard fn creator".split()
)
_CUT = re.compile(
    r"\s*(?:[|•·–—/(\[]|,? (?:on|am|le|el|em|il|op|den) \d|\d{1,2}[./:]\d|\b(?:updated|published|posted|last|"
    r"aktualisiert|veröffentlicht|stand|publié|mis à jour|publicado|actualizado|aggiornato|in )\b|\d{4}).*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|;|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|\boch\b|\bog\b|\bi\b|\bи\b)\s*")
_NOT_A_NAME = re.compile(
    r"\d|@|:|^(?:staff|admin|editor|redaktion|editorial|share|print|read|more|follow|subscribe|about|all|posts?|"
    r"comments?|author|autor|profile|view|see|the author|home|menu|recipes?|news|login|sign|jump|save|min\b)",
    re.IGNORECASE,
)
MAX_NAME_WORDS = 5
# Set by hand: how often a link or a class that says "author" names one, and a line that begins with "by"
MARKED, LINE = 0.75, 0.65


def byline_claims(view: PageView) -> Iterator[Claim]:
    """Yield who the page says wrote it, near its heading."""
    if view.heading is None:
        return
    lines = view.lines
    at = lines.first_at(view.heading_row)
    for line in lines[max(at - MAX_LINES_ABOVE, 0) : at + MAX_LINES_BELOW]:
        if len(line.text) > MAX_CHARS or view.heading.start <= line.start < view.heading.end:
            continue
        begins = _BY.match(line.text)
        is_marked = _is_marked(view, line.start, line.end)
        if not begins and not is_marked:
            continue
        names = author_names(line.text)
        if names and not any(normal_form(name) in view.site_names for name in names):
            written = ", ".join(names)
            items = tuple(names) if len(names) > 1 else ()
            yield claim_of("author", written, "page", MARKED if is_marked else LINE, line.start, items=items)
            return


def _is_marked(view: PageView, start: int, end: int) -> bool:
    """Return whether an element around a line, or a link in it, says that it is the author."""
    if view.words_above(start, 3) & _WORDS:
        return True
    attrs = view.page.attrs
    return any("author" in attrs[i].get("rel", "").lower() for row in range(start, end) for i in (view.parents[row],))


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

"""What a page says of its item in prose: the text that it calls a description, or the first paragraph."""

from __future__ import annotations

from collections.abc import Iterator

from peneira.items.claims import Claim
from peneira.items.lines import Line
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

_WORDS = frozenset(
    "description desc synopsis summary abstract intro standfirst lead lede beschreibung descripcion descricao "
    "descrizione omschrijving opis popis beskrivning beskrivelse overview plot".split()
)
MIN_CHARS, MAX_CHARS = 40, 5000
MAX_LINES_BELOW = 60
# Set by hand: how often a text of such a class, and the first paragraph below the heading, describe the item
NAMED, FIRST = 0.55, 0.4


def description_claims(view: PageView) -> Iterator[Claim]:
    """Yield the text near the heading that describes the item."""
    at = view.lines.first_at(view.heading_row) if view.heading else 0
    near = [line for line in view.lines[at + 1 : at + MAX_LINES_BELOW] if _may_describe(view, line)]
    named = [line for line in near if view.words_above(line.start, 3) & _WORDS]
    if named:
        yield claim_of("description", named[0].text, "page", NAMED, named[0].start)
    elif near:
        yield claim_of("description", near[0].text, "page", FIRST, near[0].start)


def _may_describe(view: PageView, line: Line) -> bool:
    is_prose = MIN_CHARS <= len(line.text) <= MAX_CHARS and len(line.text.split()) >= 6
    return is_prose and not view.around[line.start] and not view.listed[line.start]

"""When what a page is about was published: dates near its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator

from peneira.items.claims import Claim
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

MAX_LINES_ABOVE, MAX_LINES_BELOW = 6, 20
MAX_CHARS = 80
# Set by hand: how often a time element near the heading, and a line that is a date, are the date of publication
TIME_ELEMENT, LINE = 0.75, 0.5
_MODIFIED = re.compile(
    r"updat|modif|aktualisiert|geändert|mis à jour|actualiza|atualiza|aggiorn|bijgewerkt|обновл", re.IGNORECASE
)
_BEFORE = re.compile(
    r"^(?:published|posted|date|veröffentlicht|publié le|publicado|pubblicato|gepubliceerd|on|am|le)\b[: ]*",
    re.IGNORECASE,
)


def date_claims(view: PageView) -> Iterator[Claim]:
    """Yield the dates that the page shows near its heading: of time elements, and of lines that are dates."""
    if view.heading is None:
        return
    lines, page = view.lines, view.page
    at = lines.first_at(view.heading_row)
    near = lines[max(at - MAX_LINES_ABOVE, 0) : at + MAX_LINES_BELOW]
    if not near:
        return
    for row in view.rows("time"):
        text = page.attrs[row].get("datetime", "").strip()
        if near[0].start <= row < near[-1].end and text and not view.listed[row]:
            words = f"{' '.join(view.words_above(row, 2))} {' '.join(view.class_words(row))}"
            role = "date_modified" if _MODIFIED.search(words) else "date"
            claim = claim_of(role, text, "page", TIME_ELEMENT, row, language=view.language)
            if claim.value is not None:
                yield claim
    for line in near:
        if len(line.text) <= MAX_CHARS and any(char.isdigit() for char in line.text) and not view.listed[line.start]:
            bare = _BEFORE.sub("", line.text)
            claim = claim_of("date", bare, "page", LINE, line.start, language=view.language)
            if claim.value is not None:
                yield claim
                return

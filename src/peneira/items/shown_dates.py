"""When what a page is about was published: dates near its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from peneira.columns.value_patterns import dates_in
from peneira.items.claims import Claim
from peneira.items.lines import Line
from peneira.items.page_view import PageView
from peneira.items.things import Thing
from peneira.items.typed_claims import claim_of

MAX_LINES_ABOVE, MAX_LINES_BELOW = 6, 20
MAX_CHARS = 80
# Set by hand: how often these are the date of publication: a time element near the heading, a line, a part of one
TIME_ELEMENT, LINE, PART = 0.75, 0.5, 0.45
# ... and the date that data gives for the page
OF_PAGE = 0.6
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
            yield from _in_line(view, line)


def described_dates(things: Sequence[Thing]) -> Iterator[Claim]:
    """Yield the dates of the first page that data describes: one without an article in its data has these."""
    page = next((thing for thing in things if thing.type == "webpage" and thing.has("datepublished")), None)
    for role, key in (("date", "datepublished"), ("date_modified", "datemodified")) if page else ():
        if page is not None and (text := page.text(key)):
            yield claim_of(role, text, page.source, OF_PAGE, page.row)


def _in_line(view: PageView, line: Line) -> Iterator[Claim]:
    """Yield the dates in a line, else the one that it is; the words before a date say if it is that of a change."""
    written = line.spaced(view.page)
    lower = written.lower()
    dates = list(dates_in(lower)) if len(lower) == len(written) else []  # places in one are those in the other
    claims, end = [], 0
    for first, last in dates:
        role = "date_modified" if _MODIFIED.search(lower, end, first) else "date"
        is_all = len(dates) == 1 and not _BEFORE.sub("", written[:first]).strip() and last == len(written)
        probability = LINE if is_all else PART
        claims.append(claim_of(role, written[first:last], "page", probability, line.start, language=view.language))
        end = last
    if not claims:
        claims = [claim_of("date", _BEFORE.sub("", written), "page", LINE, line.start, language=view.language)]
    yield from (claim for claim in claims if claim.value is not None)

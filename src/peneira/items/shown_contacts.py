"""The address and the phone number that a page shows below its heading, by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from peneira.items.claims import Claim
from peneira.items.lines import has_digit
from peneira.items.page_view import PageView, once_per_view
from peneira.items.typed_claims import claim_of
from peneira.late_patterns import late_pattern
from peneira.types.contacts import looks_like_phone

# Those of other places are further away from the heading
MAX_LINES_BELOW = 30
MAX_CHARS = 90
# Set by hand: below a label and the name of an element
PROBABILITY = 0.5
# "11700 Old Seward Hwy", "Hauptstraße 12", "Rua do Ouro, 25"
_ADDRESS = late_pattern(
    r"\d{1,5}[A-Za-z]?(?:-\d+)? (?:[A-Z0-9][\w.'’-]* ){0,4}(?=[A-Z])"
    r"(?i:st|street|ave|avenue|blvd|boulevard|rd|road|dr|drive|ln|lane|way|hwy|highway|pkwy|parkway|pl|place|plaza|sq|"
    r"square|ct|court|broadway|terrace|ter|cir|circle)\b.{0,50}"
    r"|(?:\d{1,4},? )?(?i:rue|avenue|av\.|boulevard|place|calle|avenida|plaza|paseo|rua|praça|via|viale|piazza|corso|"
    r"ul\.) .{3,40}?,? ?(?:n[.º°]? ?)?\d{1,5}.{0,40}"
    r"|[A-ZÄÖÜ][\w. -]{2,30}(?i:straße|strasse|str\.|platz|weg|allee|gasse|straat|laan|gatan|vej|gata|katu) ?"
    r"\d{1,4}.{0,50}"
)
_PHONE_WORD = late_pattern(r"^(?:phone|tel|telephone|call|ph|t|p)\b[.: ]*", re.IGNORECASE)


@once_per_view
def contact_claims(view: PageView) -> list[Claim]:
    """Return the first address and the first phone number below the heading."""
    return list(_contacts(view))


def _contacts(view: PageView) -> Iterator[Claim]:
    if view.heading is None:
        return
    lines = view.lines
    at = lines.first_at(view.heading_row)
    found: set[str] = set()
    for line in lines[at : at + MAX_LINES_BELOW]:
        if len(line.text) > MAX_CHARS or not has_digit(line.text) or view.around[line.start] or view.listed[line.start]:
            continue
        bare = _PHONE_WORD.sub("", line.text)
        is_phone = looks_like_phone(bare, "phone" if bare != line.text else "")
        for role, text, fits in (("phone", bare, is_phone), ("address", line.text, _ADDRESS.fullmatch(line.text))):
            if fits and role not in found:
                found.add(role)
                yield claim_of(role, text, "page", PROBABILITY, line.start)

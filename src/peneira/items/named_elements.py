"""Values in elements whose class or id says what they are: a phone number in ``class="tel"``, an author."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from peneira.items.claims import Claim
from peneira.items.lines import has_digit
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of
from peneira.result import ItemKind
from peneira.types.contacts import read_phone
from peneira.types.notation import Notation

# By kind of item: the role, and the words of a class or an id that name it
_PLACE = {
    "address": frozenset("adr address streetaddress postaladdress addr".split()),
    "phone": frozenset("tel phone telephone phonenumber".split()),
    "cuisine": frozenset({"cuisine", "cuisines"}),
}
_NAMES: Mapping[ItemKind, Mapping[str, frozenset[str]]] = {
    "place": _PLACE,
    "thing": _PLACE,
    "book": {"author": frozenset({"author", "authors"}), "publisher": frozenset({"publisher"})},
    "film": {"director": frozenset({"director", "directors"}), "category": frozenset({"genre", "genres"})},
    "job": {
        "company": frozenset("company companyname employer hiringorganization".split()),
        "location": frozenset("location joblocation".split()),
    },
}
MAX_CHARS = 120
# Values of other things are further away from the heading than this
MAX_LINES_BELOW = 60
# Set by hand: below a label, which says it in words
PROBABILITY = 0.55


def named_claims(view: PageView, kind: ItemKind) -> Iterator[Claim]:
    """Yield the first value of each role that an element below the heading names, as its only line or lines."""
    names = _NAMES.get(kind)
    if names is None or view.heading is None:
        return
    lines = view.lines
    at = lines.first_at(view.heading_row)
    last = lines[min(at + MAX_LINES_BELOW, len(lines)) - 1].end if at < len(lines) else 0
    found: set[str] = set()
    by_role = {role: frozenset(view.rows_named(named)) for role, named in names.items()}
    for row in sorted(frozenset[int]().union(*by_role.values())):
        if not view.heading_row < row < last or view.around[row] or view.listed[row]:
            continue
        for role, rows in by_role.items():
            if role not in found and row in rows and (text := _value(view, row, role)):
                found.add(role)
                yield claim_of(role, text, "page", PROBABILITY, row)


def _value(view: PageView, row: int, role: str) -> str:
    """Return the text of an element without its label, "" if it cannot be a value of the role."""
    text = ", ".join(line.text for line in view.lines.within(row))
    label, colon, value = text.partition(":")
    text = value.strip() if colon and len(label) <= len(role) + 6 else text
    if not 2 < len(text) <= MAX_CHARS:
        return ""
    if role == "phone":
        return text if read_phone(text, Notation()) is not None else ""
    return text if has_digit(text) == (role == "address") else ""

"""The brand of a product: names of scripts cleaned, and what the page shows beside its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from peneira.items.claims import Claim, normal_form
from peneira.items.labelled_values import role_of_label
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

MAX_CHARS = 60
MAX_WORDS = 5
# Variables that a template did not fill in, words in place of a name, and the branch of a shop: "Acme (Town Hall)"
_NO_BRAND = re.compile(
    r"^[${%\[<]|^(?:n/?a|none|null|undefined|unknown|no brand|generic|other|brand|-+)$|\w\s*[(（][^()（）]+[)）]$",
    re.IGNORECASE,
)
_SITE_CUT = re.compile(r"\s*[|｜]\s*")
# What a brand of the state of a script counts that the heading does not have
_UNSURE_SOURCES = frozenset({"script-state"})
UNCONFIRMED_SHARE = 0.3
# The last step of the path to a product, where the heading repeats it; a line of the class "brand" near the heading
CRUMB, CLASS = 0.5, 0.7
MAX_LINES_AWAY = 12


def brand_claims(view: PageView, texts: Sequence[str], source: str, probability: float, row: int) -> Iterator[Claim]:
    """Yield the brands that a script names, cleaned and as the heading writes them.

    One that is the name of the shop must stand in the heading: else it is the publisher of the page.
    """
    heading = view.heading.text if view.heading else ""
    for text in texts:
        name = clean_brand(text)
        shown = _as_written(name, heading)
        if name and not _NO_BRAND.search(name) and (shown or normal_form(name) not in view.site_names):
            share = 1.0 if shown or source not in _UNSURE_SOURCES else UNCONFIRMED_SHARE
            yield claim_of("brand", shown or name, source, share * probability, row)


def _as_written(name: str, heading: str) -> str:
    """Return how a heading writes a name, "" if it does not have it; case alone is no other way to write it."""
    pattern = r"[\W_]*".join(map(re.escape, normal_form(name)))
    match = re.search(rf"(?<!\w){pattern}(?!\w)", heading, re.IGNORECASE) if pattern else None
    if match is None:
        return ""
    return name if name.casefold().startswith(match[0].casefold()) else match[0]


def clean_brand(text: str) -> str:
    """Return a name without what stands around it: "More from the brand: Acme", "Acme | Shop"."""
    name = _SITE_CUT.split(" ".join(text.split()))[0]
    before, _, after = name.rpartition(":")
    is_labelled = before and any(role_of_label(word)[0] == "brand" for word in (before, before.split()[-1]))
    return (after.strip() or name) if is_labelled else name


def shown_brand_claims(view: PageView, crumbs: Sequence[str]) -> Iterator[Claim]:
    """Yield the brand that the page shows: in an element of that class beside the heading, or as the last crumb."""
    shown = view.heading.text if view.heading else ""
    heading = normal_form(shown)
    if not heading:
        return
    at = view.lines.first_at(view.heading_row)
    for line in view.lines[max(at - 4, 0) : at + MAX_LINES_AWAY]:
        words = view.words_above(line.start, 2)
        if "brand" in words or "manufacturer" in words or "vendor" in words:
            name = _at_start(clean_brand(line.text), shown)
            is_short = 1 < len(name) <= MAX_CHARS and len(name.split()) <= MAX_WORDS
            if is_short and normal_form(name) != heading and not _NO_BRAND.search(name):
                yield claim_of("brand", name, "page", CLASS, line.start)
                break
    own = [crumb for crumb in crumbs if normal_form(crumb) != heading]
    if len(own) > 1 and len(own[-1]) <= MAX_CHARS and _starts_with(shown, own[-1]):
        yield claim_of("brand", own[-1], "page", CRUMB, view.heading_row)


def _at_start(text: str, heading: str) -> str:
    """Return the last words of a text if the heading starts with them, "Shop all Acme" over "Acme Kettle"; else all."""
    words = text.split()
    firsts = range(max(1, len(words) - MAX_WORDS), len(words))
    return next((name for k in firsts if _starts_with(heading, name := " ".join(words[k:]))), text)


def _starts_with(heading: str, name: str) -> bool:
    """Return whether the first words of a heading are a name, and there are others behind it."""
    return heading.casefold().startswith(f"{name.casefold()} ")

"""The brand of a product: names of scripts cleaned, and what the page shows beside its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from peneira.items.claims import Claim, normal_form
from peneira.items.labelled_values import role_of_label
from peneira.items.page_view import PageView
from peneira.items.typed_claims import claim_of

MAX_CHARS = 60
# Variables that a template did not fill in, and words in place of a name
_NO_BRAND = re.compile(r"^[${%\[<]|^(?:n/?a|none|null|undefined|unknown|no brand|generic|other|brand|-+)$", re.IGNORECASE)
_SITE_CUT = re.compile(r"\s*[|｜]\s*")
# A brand that only a script names, and that is the name of the shop, is the publisher of the page
SITE_SHARE = 0.2
# The last step of the path to a product, where the heading repeats it; a line of the class "brand" near the heading
CRUMB, CLASS = 0.5, 0.7
MAX_LINES_AWAY = 12


def brand_claims(view: PageView, texts: Sequence[str], source: str, probability: float, row: int) -> Iterator[Claim]:
    """Yield the brands that a script names, cleaned; those that nothing on the page confirms count less."""
    for text in texts:
        name = clean_brand(text)
        if name and not _NO_BRAND.search(name):
            is_site = normal_form(name) in view.site_names
            heading = normal_form(view.heading.text) if view.heading else ""
            share = SITE_SHARE if is_site and normal_form(name) not in heading else 1.0
            yield claim_of("brand", name, source, share * probability, row)


def clean_brand(text: str) -> str:
    """Return a name without what stands around it: "More from the brand: Acme", "Acme | Shop"."""
    name = _SITE_CUT.split(" ".join(text.split()))[0]
    before, _, after = name.rpartition(":")
    is_labelled = before and any(role_of_label(word)[0] == "brand" for word in (before, before.split()[-1]))
    return (after.strip() or name) if is_labelled else name


def shown_brand_claims(view: PageView, crumbs: Sequence[str]) -> Iterator[Claim]:
    """Yield the brand that the page shows: in an element of that class beside the heading, or as the last crumb."""
    heading = normal_form(view.heading.text) if view.heading else ""
    if not heading:
        return
    at = view.lines.first_at(view.heading_row)
    for line in view.lines[max(at - 4, 0) : at + MAX_LINES_AWAY]:
        words = view.words_above(line.start, 2)
        if "brand" in words or "manufacturer" in words or "vendor" in words:
            name = clean_brand(line.text)
            if 1 < len(name) <= MAX_CHARS and len(name.split()) <= 5 and not _NO_BRAND.search(name):
                yield claim_of("brand", name, "page", CLASS, line.start)
                break
    own = [crumb for crumb in crumbs if normal_form(crumb) != heading]
    if own and len(own[-1]) <= MAX_CHARS and len(own) > 1 and normal_form(own[-1]) in heading:
        yield claim_of("brand", own[-1], "page", CRUMB, view.heading_row)

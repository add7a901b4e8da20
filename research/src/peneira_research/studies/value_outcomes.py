"""The items of SWDE's pages, which carry no data for programs: which gold values their fields hold.

The rules of items were written while looking at pages of every second site, so that the others tell more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from peneira.items.builder import item_of
from peneira.sources.html import read_page
from peneira_research.corpora.archives import SWDE_BROKEN, SwdePage
from peneira_research.scores.item_score import bare
from peneira_research.workers import in_processes

# The field of each attribute, by vertical; an attribute without one may be in any field
VALUE_FIELDS: Mapping[str, Mapping[str, str]] = {
    "auto": {"model": "title", "price": "price"},
    "book": {
        "title": "title",
        "author": "author",
        "isbn_13": "isbn",
        "publisher": "publisher",
        "publication_date": "date",
    },
    "camera": {"model": "title", "manufacturer": "brand", "price": "price"},
    "job": {"title": "title", "company": "company", "location": "location", "date_posted": "date"},
    "movie": {"title": "title", "director": "director", "genre": "category"},
    "nbaplayer": {"name": "title"},
    "restaurant": {"name": "title", "address": "address", "phone": "phone", "cuisine": "cuisine"},
    "university": {"name": "title", "phone": "phone", "website": "website"},
}
# The kind that the item of each vertical should have
VALUE_KINDS: Mapping[str, str] = {
    "auto": "product",
    "book": "book",
    "camera": "product",
    "job": "job",
    "movie": "film",
    "nbaplayer": "person",
    "restaurant": "place",
    "university": "place",
}
PAGES_PER_SITE = 3


@dataclass(frozen=True, slots=True)
class ValueOutcome:
    """A page: its kind, and per attribute with gold whether its own field and whether any field holds a gold value."""

    vertical: str
    site: str
    id: str
    kind: str
    own: Mapping[str, bool]
    any: Mapping[str, bool]
    is_written_for: bool


def value_pages(pages: Iterable[SwdePage]) -> list[tuple[SwdePage, bool]]:
    """Return some pages of each site, spread evenly, and whether the rules were written with the site in view."""
    by_site: dict[tuple[str, str], list[SwdePage]] = {}
    for page in pages:
        by_site.setdefault((page.vertical, page.site), []).append(page)
    chosen: list[tuple[SwdePage, bool]] = []
    for number, site in enumerate(sorted(by_site)):
        own = by_site[site]
        step = max(len(own) // PAGES_PER_SITE, 1)
        chosen += [(page, number % 2 == 0) for page in own[::step][:PAGES_PER_SITE]]
    return chosen


def value_outcome(chosen: tuple[SwdePage, bool]) -> ValueOutcome:
    """Return which values of a page its item holds."""
    page, is_written_for = chosen
    item = item_of(read_page(page.body))
    fields = VALUE_FIELDS.get(page.vertical, {})
    texts = {bare(cell.text) for cell in item.fields.values()}
    own: dict[str, bool] = {}
    anywhere: dict[str, bool] = {}
    for attribute, values in page.values.items():
        gold = {form for form in map(bare, values) if form}
        if not gold or (page.vertical, page.site, attribute) in SWDE_BROKEN:
            continue
        if attribute in fields:
            cell = item.get(fields[attribute])
            own[attribute] = cell is not None and any(form in bare(cell.text) for form in gold)
        anywhere[attribute] = own.get(attribute, False) or bool(gold & texts)
    return ValueOutcome(page.vertical, page.site, page.id, item.kind or "", own, anywhere, is_written_for)


def value_outcomes(pages: Sequence[tuple[SwdePage, bool]], *, jobs: int) -> Iterator[ValueOutcome]:
    """Yield the outcome of each page, in order."""
    return in_processes(value_outcome, pages, jobs=jobs)


def value_shares(outcomes: Iterable[ValueOutcome]) -> dict[tuple[str, str], tuple[int, float | None, float]]:
    """Return, by vertical and attribute, the pages with gold and the shares held by the own field and by any field."""
    rows = list(outcomes)
    shares: dict[tuple[str, str], tuple[int, float | None, float]] = {}
    for vertical, attribute in dict.fromkeys((row.vertical, name) for row in rows for name in row.any):
        pages = [row for row in rows if row.vertical == vertical and attribute in row.any]
        own = [row.own[attribute] for row in pages if attribute in row.own]
        share = sum(own) / len(own) if own else None
        shares[vertical, attribute] = len(pages), share, sum(row.any[attribute] for row in pages) / len(pages)
    return shares

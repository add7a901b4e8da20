"""The path to the item on its site: its breadcrumbs, from data or from the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from peneira.items.claims import Claim, normal_form
from peneira.items.page_view import PageView, once_per_view
from peneira.items.things import Thing
from peneira.items.typed_claims import claim_of

_SIGNS = "/>»›→|·•-–—\\<«‹ \u00a0"
_WORDS = frozenset("breadcrumb breadcrumbs crumb crumbs crumbtrail breadcrumblist".split())
# The home page alone is no path
MIN_CRUMBS, MAX_CRUMBS = 2, 12
MAX_CRUMB_CHARS = 100


def breadcrumb_claims(view: PageView, things: Sequence[Thing]) -> Iterator[Claim]:
    """Yield the breadcrumbs that data gives, and those that the page shows."""
    for thing in things:
        if thing.type == "breadcrumblist":
            names = [_name(element) for element in thing.things("itemlistelement")[:MAX_CRUMBS]]
            if crumbs := _own(view, names):
                yield claim_of("breadcrumbs", " > ".join(crumbs), thing.source, 0.9, thing.row, items=crumbs)
                break
    row, shown = shown_crumbs(view)
    if crumbs := _own(view, shown):
        yield claim_of("breadcrumbs", " > ".join(crumbs), "page", 0.85, row, items=crumbs)


def _name(element: Thing) -> str:
    inner = element.things("item")
    return element.text("name") or (inner[0].text("name") if inner else "")


def _own(view: PageView, names: Sequence[str]) -> tuple[str, ...]:
    """Return the crumbs without the last one if it is the item itself."""
    crumbs = [name for name in (" ".join(name.split()).strip(_SIGNS) for name in names) if name]
    if crumbs and view.heading and normal_form(crumbs[-1]) == normal_form(view.heading.text):
        crumbs = crumbs[:-1]
    return tuple(dict.fromkeys(crumbs)) if len(crumbs) >= MIN_CRUMBS else ()


@once_per_view
def shown_crumbs(view: PageView) -> tuple[int, list[str]]:
    """Return the element that the page calls its breadcrumbs, and the links in it."""
    page = view.page
    named = view.rows_named(_WORDS)
    labelled = [
        row for row in view.rows("nav", "ol", "ul") if "breadcrumb" in page.attrs[row].get("aria-label", "").lower()
    ]
    for row in sorted({*named, *labelled}):
        if page.silent[row]:
            continue
        links = [i for i in range(row, view.ends[row]) if page.name(i) == "a"]
        names = [page.visible_text(i).strip(_SIGNS) for i in links[: MAX_CRUMBS + 1]]
        names = [name for name in names if name]
        if 0 < len(names) <= MAX_CRUMBS and all(len(name) <= MAX_CRUMB_CHARS for name in names):
            return row, names
    return -1, []

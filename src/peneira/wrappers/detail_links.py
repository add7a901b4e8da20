"""Addresses on detail pages: images that differ from page to page, links of texts, links behind words that pages share.

Of the links behind fixed words ("Official site", "Careers") only those count that lead to another host from each page:
the others are the site's own menus, whose addresses differ by the number of a session or of the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from peneira.page import Page
from peneira.wrappers.column_candidates import Place, Rows
from peneira.wrappers.saved_columns import ColumnReader
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import normalize_space
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import TEXT, Selector, Step
from peneira.xpath.stability import stability

MAX_IMAGES = 3
MAX_WORDED_LINKS = 8
# On so many of the pages there must be an address, and so many of the addresses must differ
MIN_FILL = 0.5
MIN_VARIETY = 0.5
# An image with a smaller side is a sign, not a picture
MIN_SIDE_PX = 40
_HREF, _SRC = Step("child", "@href"), Step("child", "@src")


def image_places(readers: Sequence[ColumnReader], anchors: Anchors) -> list[Place]:
    """Return the places of images that differ between pages, the best first."""
    return _distinct(_ranked(_proposed_images(readers, anchors)))[:MAX_IMAGES]


def link_places(readers: Sequence[ColumnReader], anchors: Anchors, texts: Sequence[Place]) -> list[Place]:
    """Return the places of links that differ between pages: those of texts first, then those behind fixed words."""
    worded = _ranked(_worded_links(readers, anchors))[:MAX_WORDED_LINKS]
    return _distinct([*_links_of(readers, texts), *worded])


def _ranked(found: Iterable[Place]) -> list[Place]:
    return sorted(found, key=lambda place: (-place.score, str(place.selector)))


def _distinct(found: Iterable[Place]) -> list[Place]:
    """Return the places without those that read the same as one before."""
    by_values: dict[tuple[tuple[str, ...], ...], Place] = {}
    for place in found:
        by_values.setdefault(place.texts, place)
    return list(by_values.values())


def _place(
    readers: Sequence[ColumnReader], selector: Selector, *, is_list: bool = False, label: str = ""
) -> Place | None:
    """Return what a selector of addresses reads on the pages; None if there is little, or the same on all."""
    rows: list[Rows] = []
    texts: list[tuple[str, ...]] = []
    for reader in readers:
        pairs = [(row, text) for row in reader.finder.rows(selector) if (text := reader.text(selector, row))]
        rows.append(tuple(row for row, _ in pairs))
        texts.append(tuple(text for _, text in pairs))
    filled = [those for those in texts if those]
    if len(filled) < MIN_FILL * len(readers) or (not is_list and max(map(len, texts)) > 1):
        return None
    if len(readers) > 1 and len(set(filled)) < max(2, MIN_VARIETY * len(filled)):
        return None
    fill = len(filled) / len(readers)
    seen = [bool(reader.page.seen[row]) for reader, those in zip(readers, rows, strict=True) for row in those]
    score = fill * len(set(filled)) / len(filled) * sum(seen) / len(seen) * stability(selector)
    return Place(selector, tuple(rows), tuple(texts), score, is_list, label)


def _proposed_images(readers: Sequence[ColumnReader], anchors: Anchors) -> Iterator[Place]:
    """Yield a place for each set of images that some selector finds, at most one a page; the most stable selector."""
    support: Counter[Selector] = Counter()
    for reader in readers:
        proposer = Proposer(reader.finder, anchors)
        support.update(
            {Selector((*way, _SRC)) for row in _pictures(reader) for way in proposer.paths_to_element(row) if way}
        )
    best: dict[tuple[Rows, ...], Place] = {}
    for selector in sorted((one for one, count in support.items() if count >= min(2, len(readers))), key=str):
        place = _place(readers, selector)
        if place is not None and (place.rows not in best or place.score > best[place.rows].score):
            best[place.rows] = place
    yield from best.values()


def _pictures(reader: ColumnReader) -> list[int]:
    page, skipped = reader.page, reader.finder.skipped
    rows = reader.finder.rows(Selector((Step("descendant", "img"),)))
    return [row for row in rows if not page.silent[row] and not skipped[row] and not _is_sign(page, row)]


def _is_sign(page: Page, row: int) -> bool:
    sides = (page.attrs[row].get(name, "").removesuffix("px").strip() for name in ("width", "height"))
    return any(side.isascii() and side.isdigit() and len(side) < 6 and int(side) < MIN_SIDE_PX for side in sides)


def _links_of(readers: Sequence[ColumnReader], texts: Sequence[Place]) -> Iterator[Place]:
    """Yield where the links of texts lead to."""
    for text in texts:
        steps = _steps_to_link(text.selector)
        place = _place(readers, Selector((*steps, _HREF)), is_list=not text.is_single) if steps else None
        if place is not None and _hold(readers, place, text):
            yield replace(place, score=text.score, label=text.label)


def _steps_to_link(selector: Selector) -> tuple[Step, ...]:
    """Return the steps to the link around the texts of a selector, () if it does not tell of one."""
    *steps, last = selector.steps
    if last.name != TEXT or last.text or last.text_prefix:
        return ()
    if steps and steps[-1].name == "a":
        return tuple(steps)
    return (*steps, Step("descendant", "a")) if last.axis == "descendant" and steps else ()


def _hold(readers: Sequence[ColumnReader], links: Place, texts: Place) -> bool:
    """Tell whether the links are just those around the texts."""
    return all(
        {reader.page.lists.parent[row] for row in own} == set(found)
        for reader, own, found in zip(readers, texts.rows, links.rows, strict=True)
    )


def _worded_links(readers: Sequence[ColumnReader], anchors: Anchors) -> Iterator[Place]:
    """Yield links behind words that pages share, such as "Official site"."""
    words = {
        text
        for reader in readers
        for row in reader.finder.rows(Selector((Step("descendant", "a"), Step("child", TEXT))))
        if anchors.is_label(text := normalize_space(reader.page.text[row]))
    }
    for text in sorted(words):
        place = _place(readers, Selector((Step("descendant", "a", text=text), _HREF)), label=text)
        if place is not None and _lead_away(place):
            yield place


def _lead_away(place: Place) -> bool:
    """Tell whether each page leads to a host of its own."""
    hosts = [_host(texts[0]) for texts in place.texts if texts]
    return len(set(hosts)) >= max(2, MIN_VARIETY * len(hosts))


def _host(address: str) -> str:
    """Return the host of an address, the whole of one that has none, such as a mail address; "" if it is relative."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return parts.netloc or (address if parts.scheme else "")

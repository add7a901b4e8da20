"""Addresses on detail pages: images that differ from page to page, links of texts, links with a fixed text.

A link with a fixed text ("Official site", "Careers") counts only if it leads to a different host on each page: else it
is a menu of the site, and its addresses differ by a session or a page number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from peneira.page import Page
from peneira.wrappers.column_candidates import ColumnCandidate, PageRows
from peneira.wrappers.saved_columns import ColumnReader
from peneira.xpath.anchors import Anchors
from peneira.xpath.finder import normalize_space
from peneira.xpath.proposals import Proposer
from peneira.xpath.selectors import TEXT, Selector, Step
from peneira.xpath.stability import stability

# Further images of a page are rarely of its subject
MAX_IMAGES = 3
MAX_FIXED_TEXT_LINKS = 8
# An address column is on this share of the pages, with this share of distinct addresses (or hosts)
MIN_FILL = 0.5
MIN_DISTINCT = 0.5
# An image with a shorter side is an icon
MIN_SIDE_PX = 40
_HREF, _SRC = Step("child", "@href"), Step("child", "@src")


def image_candidates(readers: Sequence[ColumnReader], anchors: Anchors) -> list[ColumnCandidate]:
    """Return the images that differ between pages, the best first."""
    return _distinct(_ranked(_proposed_images(readers, anchors)))[:MAX_IMAGES]


def link_candidates(
    readers: Sequence[ColumnReader], anchors: Anchors, texts: Sequence[ColumnCandidate]
) -> list[ColumnCandidate]:
    """Return the links that differ between pages: first links of text columns, then links with a fixed text."""
    fixed = _ranked(_fixed_text_links(readers, anchors))[:MAX_FIXED_TEXT_LINKS]
    return _distinct([*_links_of_texts(readers, texts), *fixed])


def _ranked(candidates: Iterable[ColumnCandidate]) -> list[ColumnCandidate]:
    return sorted(candidates, key=lambda candidate: (-candidate.score, str(candidate.selector)))


def _distinct(candidates: Iterable[ColumnCandidate]) -> list[ColumnCandidate]:
    """Return the candidates, only the first of several that read the same."""
    by_texts: dict[tuple[tuple[str, ...], ...], ColumnCandidate] = {}
    for candidate in candidates:
        by_texts.setdefault(candidate.texts, candidate)
    return list(by_texts.values())


def _candidate(
    readers: Sequence[ColumnReader], selector: Selector, *, is_list: bool = False, label: str = ""
) -> ColumnCandidate | None:
    """Return what a selector of addresses reads on the pages; None if there are few, or the same on all."""
    rows: list[PageRows] = []
    texts: list[tuple[str, ...]] = []
    for reader in readers:
        pairs = [(row, text) for row in reader.finder.rows(selector) if (text := reader.text(selector, row))]
        rows.append(tuple(row for row, _ in pairs))
        texts.append(tuple(text for _, text in pairs))
    filled = [own for own in texts if own]
    if len(filled) < MIN_FILL * len(readers) or (not is_list and max(map(len, texts)) > 1):
        return None
    if len(readers) > 1 and len(set(filled)) < max(2, MIN_DISTINCT * len(filled)):
        return None
    fill = len(filled) / len(readers)
    seen = [bool(reader.page.seen[row]) for reader, own in zip(readers, rows, strict=True) for row in own]
    score = fill * len(set(filled)) / len(filled) * sum(seen) / len(seen) * stability(selector)
    return ColumnCandidate(selector, tuple(rows), tuple(texts), score, is_list, label)


def _proposed_images(readers: Sequence[ColumnReader], anchors: Anchors) -> Iterator[ColumnCandidate]:
    """Yield a candidate for each distinct set of images, at most one per page, with its best selector."""
    support: Counter[Selector] = Counter()
    for reader in readers:
        proposer = Proposer(reader.finder, anchors)
        support.update(
            {Selector((*path, _SRC)) for row in _image_rows(reader) for path in proposer.paths_to_element(row) if path}
        )
    best: dict[tuple[PageRows, ...], ColumnCandidate] = {}
    supported = (selector for selector, count in support.items() if count >= min(2, len(readers)))
    for selector in sorted(supported, key=str):
        candidate = _candidate(readers, selector)
        if candidate is not None and (candidate.rows not in best or candidate.score > best[candidate.rows].score):
            best[candidate.rows] = candidate
    yield from best.values()


def _image_rows(reader: ColumnReader) -> list[int]:
    page, skipped = reader.page, reader.finder.skipped
    rows = reader.finder.rows(Selector((Step("descendant", "img"),)))
    return [row for row in rows if not page.silent[row] and not skipped[row] and not _is_icon(page, row)]


def _is_icon(page: Page, row: int) -> bool:
    sides = (page.attrs[row].get(name, "").removesuffix("px").strip() for name in ("width", "height"))
    return any(side.isascii() and side.isdigit() and len(side) < 6 and int(side) < MIN_SIDE_PX for side in sides)


def _links_of_texts(readers: Sequence[ColumnReader], texts: Sequence[ColumnCandidate]) -> Iterator[ColumnCandidate]:
    """Yield the addresses of the links around text columns."""
    for text in texts:
        steps = _steps_to_link(text.selector)
        links = _candidate(readers, Selector((*steps, _HREF)), is_list=not text.is_single) if steps else None
        if links is not None and _are_around(readers, links, text):
            yield replace(links, score=text.score, label=text.label)


def _steps_to_link(selector: Selector) -> tuple[Step, ...]:
    """Return the steps to the link around the texts of a selector, () if it has no such step."""
    *steps, last = selector.steps
    if last.name != TEXT or last.label:
        return ()
    if steps and steps[-1].name == "a":
        return tuple(steps)
    return (*steps, Step("descendant", "a")) if last.axis == "descendant" and steps else ()


def _are_around(readers: Sequence[ColumnReader], links: ColumnCandidate, texts: ColumnCandidate) -> bool:
    """Return whether the links are exactly the parents of the texts."""
    return all(
        {reader.page.lists.parent[row] for row in text_rows} == set(link_rows)
        for reader, text_rows, link_rows in zip(readers, texts.rows, links.rows, strict=True)
    )


def _fixed_text_links(readers: Sequence[ColumnReader], anchors: Anchors) -> Iterator[ColumnCandidate]:
    """Yield links with a text that pages share, such as "Official site"."""
    labels = {
        text
        for reader in readers
        for row in reader.finder.rows(Selector((Step("descendant", "a"), Step("child", TEXT))))
        if anchors.is_label(text := normalize_space(reader.page.text[row]))
    }
    for label in sorted(labels):
        candidate = _candidate(readers, Selector((Step("descendant", "a", text=label), _HREF)), label=label)
        if candidate is not None and _has_distinct_hosts(candidate):
            yield candidate


def _has_distinct_hosts(candidate: ColumnCandidate) -> bool:
    hosts = [_host(text) for text in candidate.first_texts]
    return len(set(hosts)) >= max(2, MIN_DISTINCT * len(hosts))


def _host(address: str) -> str:
    """Return the host of an address; a mail address or the like as a whole; "" if the address is relative."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return parts.netloc or (address if parts.scheme else "")

"""Records made from the gold, to score columns without the faults of record finding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from peneira.page import Page
from peneira.result import Range, Record, Region
from peneira_research.corpora.gold_pages import GoldPage
from peneira_research.squeezed_text import squeeze


def gold_region(page: Page, gold: GoldPage) -> Region | None:
    """Return the gold records as a region: for each anchor the largest element that holds no other anchor.

    Where a record spans siblings, it extends to the element of the next anchor. Anchors that are not found in the
    order of the gold have no record.
    """
    offsets, positions = _positions(page, gold.anchors or ())
    roots = list(_roots(page, offsets, positions))
    spans = gold.layout.startswith(("siblings", "flat"))
    ranges = [_span(page, root, following) if spans else _whole(page, root) for root, following in _pairs(roots)]
    records = tuple(Record((rows,), page.text_of(*rows), page.xpath(rows[0])) for rows in ranges)
    return Region(page.xpath(0), records, 1.0) if records else None


def _positions(page: Page, anchors: Sequence[str]) -> tuple[list[int], list[Range]]:
    """Return where in the page's squeezed text each row starts, and the range of each anchor in it."""
    offsets, parts, length = [], [], 0
    for i, text in enumerate(page.text):
        offsets.append(length)
        if text and not page.silent[i]:
            parts.append(squeeze(text))
            length += len(parts[-1])
    offsets.append(length)
    whole = "".join(parts)
    positions: list[Range] = []
    for anchor in map(squeeze, anchors):
        start = whole.find(anchor, positions[-1][1] if positions else 0)
        if anchor and start >= 0:
            positions.append((start, start + len(anchor)))
    return offsets, positions


def _roots(page: Page, offsets: Sequence[int], positions: Sequence[Range]) -> Iterator[int]:
    ends = page.lists.end
    parents = page.lists.parent
    starts = [start for start, _ in positions]

    def held(node: int) -> int:
        return bisect_left(starts, offsets[ends[node]]) - bisect_left(starts, offsets[node])

    for start, end in positions:
        node = bisect_right(offsets, start, hi=len(page)) - 1
        while offsets[ends[node]] < end:
            node = parents[node]
        while parents[node] >= 0 and held(parents[node]) == 1:
            node = parents[node]
        if held(node) == 1:
            yield node


def _pairs(roots: Sequence[int]) -> Iterator[tuple[int, int | None]]:
    yield from zip(roots, [*roots[1:], None], strict=False)


def _whole(page: Page, root: int) -> Range:
    return root, int(page.end[root])


def _span(page: Page, root: int, following: int | None) -> Range:
    """Return the rows from a record's element to that of the next, if they are siblings."""
    if following is not None and page.parent[following] == page.parent[root]:
        return root, following
    return root, int(page.end[page.parent[root]]) if following is None else int(page.end[root])

"""Addresses inside frames that an XPath engine can evaluate: one XPath for each document on the way."""

from __future__ import annotations

from peneira.page import Page

FRAME_TAGS = frozenset({"iframe", "frame", "object"})


def frame_path(page: Page, i: int) -> tuple[str, ...]:
    """Return the XPaths of the frame elements around a node, outermost first, and that of the node in its document.

    On a rendered page the document of a frame is below the frame element, so that ``page.xpath`` leads through several
    documents, which no engine follows. With playwright: ``page.frame_locator(first).locator(second)``.
    """
    roots = [node for node in (i, *page.ancestors(i)) if _is_framed_root(page, node)][::-1]
    parts, known = [], 0
    for root in roots:
        frame = page.xpath(int(page.parent[root]))
        parts.append(frame[known:])
        known = len(frame)
    return (*parts, page.xpath(i)[known:])


def _is_framed_root(page: Page, i: int) -> bool:
    above = int(page.parent[i])
    return page.name(i) == "html" and above >= 0 and page.name(above) in FRAME_TAGS

"""Which pages are of one template: those whose elements, by tags and class words, are much the same.

Pages are compared by sketches of their elements (the smallest hashes), and each with the first pages of the templates
found so far, so that the time grows with the number of pages, not with its square.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from heapq import nsmallest

from peneira.page import Page

# Hashes that stand for the elements of a page
SKETCH_SIZE = 400
# Pages that share this much of their elements are of one template; lists and details of a site share less
MIN_SHARED = 0.5
# Pages of a template that a page is compared with
MAX_COMPARED = 3
# Beyond this many templates every page is one of its own
MAX_TEMPLATES = 50
_DIGITS = re.compile(r"\d+")

Sketch = frozenset[int]


def template_groups(pages: Sequence[Page]) -> list[list[int]]:
    """Return the numbers of the pages of each template, the one with most pages first."""
    groups: list[list[int]] = []
    known: list[list[Sketch]] = []
    for k, page in enumerate(pages):
        sketch = page_sketch(page)
        shares = [max(shared(sketch, other) for other in sketches) for sketches in known]
        best = max(range(len(shares)), key=lambda n: shares[n], default=-1)
        if best >= 0 and (shares[best] >= MIN_SHARED or len(groups) >= MAX_TEMPLATES):
            groups[best].append(k)
            if len(known[best]) < MAX_COMPARED:
                known[best].append(sketch)
        else:
            groups.append([k])
            known.append([sketch])
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def page_sketch(page: Page) -> Sketch:
    """Return the sketch of a page: its kinds of elements, each with the kind of its parent. O(nodes)."""
    kinds = [_kind(page, row) if tag else "" for row, tag in enumerate(page.lists.tag)]
    parents = page.lists.parent
    pairs = {f"{kinds[parents[row]] if parents[row] >= 0 else ''}>{kind}" for row, kind in enumerate(kinds) if kind}
    return frozenset(nsmallest(SKETCH_SIZE, {zlib.crc32(pair.encode("utf-8", "surrogatepass")) for pair in pairs}))


def _kind(page: Page, row: int) -> str:
    words = page.attrs[row].get("class", "").split()
    return f"{page.name(row)}.{_DIGITS.sub('0', words[0]) if words else ''}"


def shared(first: Sketch, second: Sketch) -> float:
    """Return the share of the elements of two pages that both have, 0..1."""
    union = nsmallest(SKETCH_SIZE, first | second)
    return len(first & second & frozenset(union)) / max(len(union), 1)

"""Augmentation: variants of a page with gold for what is rare in the corpora: few records, bare titles, grids, and

records without an element of their own, of which one cannot see at once where they begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page, Rows

Flags = NDArray[np.bool_]
Ranges = Sequence[tuple[int, int]]

# How count neighbouring records are kept, drawn at random: short lists are the hardest, so 3 is drawn twice as often
RECORDS_KEPT = (3, 3, 4, 5, 7)
# How count records a row of a grid has, drawn at random
RECORDS_PER_ROW = (2, 3, 4)
# Elements around records that can be left out: a row of a table cannot
WRAPPERS = ("div", "li", "article", "section")
# How many parts a record must have to be told from the next without its element, and how many must begin alike
MIN_PARTS = 2
MIN_ALIKE = 0.8


def few_records(page: Page, ranges: Ranges, rng: np.random.Generator) -> tuple[Page, slice]:
    """Return the page with only a few neighbouring records, a short list; and which records these are."""
    count = min(int(rng.choice(RECORDS_KEPT)), len(ranges) - 2)
    start = int(rng.integers(0, len(ranges) - count + 1))
    keep = np.ones(len(page), dtype=np.bool_)
    for k, (begin, end) in enumerate(ranges):
        keep[begin:end] = start <= k < start + count
    return pruned(page, keep), slice(start, start + count)


def bare_titles(page: Page, ranges: Ranges) -> Page:
    """Return the page with only the first link of each record, or its first text: an index of names."""
    keep = np.ones(len(page), dtype=np.bool_)
    for begin, end in ranges:
        keep[begin:end] = False
        title = _title(page, begin, end)
        keep[title : page.end[title]] = True
        for above in page.ancestors(title):
            if above < begin:
                break
            keep[above] = True
    return pruned(page, keep)


def _title(page: Page, begin: int, end: int) -> int:
    inside = [i for i in range(begin, end) if not page.silent[i] and page.text_chars[i] > 0]
    links = [i for i in inside if page.name(i) == "a"]
    texts = [i for i in inside if page.is_text(i)]
    return (links or texts or [begin])[0]


def grid_of_records(page: Page, ranges: Ranges, rng: np.random.Generator) -> Page | None:
    """Return the page with every few records wrapped in an element, a grid; None unless the records are siblings."""
    starts = [begin for begin, _ in ranges]
    if len({int(page.parent[i]) for i in starts}) > 1 or any(page.end[begin] != end for begin, end in ranges):
        return None
    width = int(rng.choice(RECORDS_PER_ROW))
    first_in_row = set(starts[::width])
    records = set(starts)
    columns = Rows(list(page.tag_names))
    if "div" not in columns.tag_names:
        columns.tag_names.append("div")
    new_row: dict[int, int] = {-1: -1}
    grid_row = -1
    for i in range(len(page)):
        if i in first_in_row:
            grid_row = len(columns.tag)
            _append(columns, columns.tag_names.index("div"), new_row[int(page.parent[i])], "", {}, page.spaced[i])
        new_row[i] = len(columns.tag)
        parent = grid_row if i in records else new_row[int(page.parent[i])]
        _append(columns, int(page.tag[i]), parent, page.text[i], dict(page.attrs[i]), page.spaced[i])
    return Page(columns)


def flat_records(page: Page, ranges: Ranges) -> tuple[Page, list[tuple[int, int]]] | None:
    """Return the page without the elements around its records, and the records there; None where that is no list.

    Their parts become siblings. They must begin alike, or nobody could tell where a record begins.
    """
    starts = [begin for begin, _ in ranges]
    is_wrapped = all(page.end[begin] == end and page.name(begin) in WRAPPERS for begin, end in ranges)
    if not is_wrapped or len({int(page.parent[i]) for i in starts}) > 1:
        return None
    parts = [list(page.children(begin)) for begin in starts]
    looks = Counter((page.name(own[0]), page.attrs[own[0]].get("class")) for own in parts if own)
    if min(map(len, parts)) < MIN_PARTS or looks.most_common(1)[0][1] < MIN_ALIKE * len(parts):
        return None
    keep = np.ones(len(page), dtype=np.bool_)
    keep[starts] = False
    rows, new_row = np.flatnonzero(keep), np.cumsum(keep) - 1
    parent = page.parent.copy()
    for begin, own in zip(starts, parts, strict=True):
        parent[own] = page.parent[begin]
    parents = np.where(parent[rows] >= 0, new_row[np.maximum(parent[rows], 0)], -1)
    kept = rows.tolist()
    columns = ([page.text[i] for i in kept], [page.attrs[i] for i in kept], [page.spaced[i] for i in kept])
    flat = Page(Rows(list(page.tag_names), page.tag[rows].tolist(), parents.tolist(), *columns))
    return flat, [(int(new_row[begin + 1]), int(new_row[end - 1]) + 1) for begin, end in ranges]


def _append(columns: Rows, tag: int, parent: int, text: str, attrs: dict[str, str], spaced: bool) -> None:
    columns.tag.append(tag)
    columns.parent.append(parent)
    columns.text.append(text)
    columns.attrs.append(attrs)
    columns.spaced.append(spaced)


def pruned(page: Page, keep: Flags) -> Page:
    """Return the page with only the rows of ``keep``, which must include the ancestors of each."""
    rows = np.flatnonzero(keep)
    new_row = np.cumsum(keep) - 1
    parent = np.where(page.parent[rows] >= 0, new_row[np.maximum(page.parent[rows], 0)], -1)
    kept = rows.tolist()
    columns = (
        [page.text[i] for i in kept],
        [page.attrs[i] for i in kept],
        [page.spaced[i] for i in kept],
    )
    return Page(Rows(list(page.tag_names), page.tag[rows].tolist(), parent.tolist(), *columns))

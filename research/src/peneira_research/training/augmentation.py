"""Copies of a page with gold that teach what is rare in the corpora: few records, bare titles, rows of records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from peneira.page import Page, Rows

Flags = NDArray[np.bool_]
Ranges = Sequence[tuple[int, int]]

# How many neighbouring records are left; how many stand in a row
FEW = (3, 3, 4, 5, 7)
ROWS = (2, 3, 4)


def few_records(page: Page, ranges: Ranges, chance: np.random.Generator) -> tuple[Page, slice]:
    """Return the page with some neighbouring records alone, a short list; and which they are."""
    many = min(int(chance.choice(FEW)), len(ranges) - 2)
    start = int(chance.integers(0, len(ranges) - many + 1))
    keep = np.ones(len(page), dtype=np.bool_)
    for k, (begin, end) in enumerate(ranges):
        keep[begin:end] = start <= k < start + many
    return pruned(page, keep), slice(start, start + many)


def bare_titles(page: Page, ranges: Ranges) -> Page:
    """Return the page with the first link of each record alone, or its first text: an index of names."""
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


def rows_of_records(page: Page, ranges: Ranges, chance: np.random.Generator) -> Page | None:
    """Return the page with several records in an element each, a grid; None where they are no siblings."""
    starts = [begin for begin, _ in ranges]
    if len({int(page.parent[i]) for i in starts}) > 1 or any(page.end[begin] != end for begin, end in ranges):
        return None
    width = int(chance.choice(ROWS))
    first_in_row = set(starts[::width])
    records = set(starts)
    columns = Rows(list(page.tag_names))
    if "div" not in columns.tag_names:
        columns.tag_names.append("div")
    place: dict[int, int] = {-1: -1}
    row = -1
    for i in range(len(page)):
        if i in first_in_row:
            row = len(columns.tag)
            _append(columns, columns.tag_names.index("div"), place[int(page.parent[i])], "", {}, page.spaced[i])
        place[i] = len(columns.tag)
        parent = row if i in records else place[int(page.parent[i])]
        _append(columns, int(page.tag[i]), parent, page.text[i], dict(page.attrs[i]), page.spaced[i])
    return Page(columns)


def _append(columns: Rows, tag: int, parent: int, text: str, attrs: dict[str, str], spaced: bool) -> None:
    columns.tag.append(tag)
    columns.parent.append(parent)
    columns.text.append(text)
    columns.attrs.append(attrs)
    columns.spaced.append(spaced)


def pruned(page: Page, keep: Flags) -> Page:
    """Return the page with the rows that are kept, among them the ancestors of each."""
    rows = np.flatnonzero(keep)
    place = np.cumsum(keep) - 1
    parent = np.where(page.parent[rows] >= 0, place[np.maximum(page.parent[rows], 0)], -1)
    kept = rows.tolist()
    columns = (
        [page.text[i] for i in kept],
        [page.attrs[i] for i in kept],
        [page.spaced[i] for i in kept],
    )
    return Page(Rows(list(page.tag_names), page.tag[rows].tolist(), parent.tolist(), *columns))

"""Headings between records: a date or a category that stands once above all records it holds for.

A heading lies in no record, stands above the first record and between others, and looks like the other headings of the
list. It is a value of every record up to the next heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from peneira.page import Page
from peneira.result import Record

LONGEST_HEADING = 120
# How far before the first record its heading may start
MAX_ROWS_BEFORE = 300
MIN_HEADINGS = 2
# Without a tag that says so, it takes more to believe in headings
MIN_UNMARKED_HEADINGS = 3
HEADING_TAGS = frozenset("b caption dt h1 h2 h3 h4 h5 h6 legend strong summary th".split())
# With a piece for nearly every record, nobody can tell whether it belongs to the one before or the one after
MAX_SHARE = 0.6

Look = tuple[str, str]


def headings(page: Page, records: Sequence[Record]) -> dict[int, int]:
    """Return the row of the heading above each record, by the record's number; nothing if the list has no headings."""
    spans = [(record.ranges[0][0], record.ranges[-1][1]) for record in records]
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return {}
    between = [[], *(list(_pieces(page, end, start)) for (_, end), (start, _) in pairwise(spans))]
    look = _usual_look(page, between)
    if look is None:
        return {}
    found = {k: rows[-1] for k, pieces in enumerate(between) if (rows := [i for i in pieces if _look(page, i) == look])}
    first = _before(page, spans[0][0], look)
    if first is None:  # what stands only after records may belong to them
        return {}
    found[0] = first
    texts = {page.text_of(row) for row in found.values()}
    least = MIN_HEADINGS if look[0] in HEADING_TAGS else MIN_UNMARKED_HEADINGS
    is_heading = len(texts) >= least and len(found) <= MAX_SHARE * len(records)
    return _carried(found, len(records)) if is_heading else {}


def _pieces(page: Page, start: int, end: int) -> Iterator[int]:
    """Yield the topmost nodes that lie wholly between two rows and hold a short text that is seen."""
    tags = page.lists.tag
    ends = page.lists.end
    i = start
    while i < end:
        if ends[i] > end:  # what holds the next record
            i += 1
            continue
        if tags[i] != 0 and _is_short(page, i):
            yield i
        i = ends[i]


def _is_short(page: Page, i: int) -> bool:
    return bool(page.seen[i]) and 0 < int(page.text_chars[i]) <= LONGEST_HEADING


def _look(page: Page, i: int) -> Look:
    return page.name(i), page.attrs[i].get("class", "")


def _usual_look(page: Page, between: Sequence[Sequence[int]]) -> Look | None:
    """Return the look that most of the gaps with anything in them share."""
    looks = Counter(look for pieces in between for look in {_look(page, i) for i in pieces})
    if not looks:
        return None
    look, times = max(looks.items(), key=lambda item: (item[1], item[0]))
    return look if 2 * times > sum(bool(pieces) for pieces in between) else None


def _before(page: Page, start: int, look: Look) -> int | None:
    """Return the heading nearest before the first record."""
    ends = page.lists.end
    for i in range(start - 1, max(0, start - MAX_ROWS_BEFORE), -1):
        if ends[i] <= start and page.name(i) == look[0] and _look(page, i) == look and _is_short(page, i):
            return i
    return None


def _carried(found: dict[int, int], records: int) -> dict[int, int]:
    """Return the heading of each record: its own, or the last before it."""
    carried: dict[int, int] = {}
    for k in range(records):
        row = found.get(k, carried.get(k - 1))
        if row is not None:
            carried[k] = row
    return carried

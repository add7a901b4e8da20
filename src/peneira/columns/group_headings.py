"""Group headings: a date or a category that stands once, above all the records it applies to.

A heading lies outside the records, above the first record and between others, and has the tag and class of the other
headings of the list. It is a value of every record up to the next heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from peneira.page import Page
from peneira.result import Record

# Longer texts between records are content of their own
MAX_HEADING_CHARS = 120
# How far before the first record its heading may start
MAX_ROWS_BEFORE = 300
# One heading for the whole list groups nothing; without a heading tag, two texts may stand there by chance
MIN_HEADINGS = 2
MIN_UNMARKED_HEADINGS = 3
# With a text for nearly every record, nothing shows whether it belongs to the record before or to the one after
MAX_HEADING_SHARE = 0.6
HEADING_TAGS = frozenset("b caption dt h1 h2 h3 h4 h5 h6 legend strong summary th".split())

TagAndClass = tuple[str, str]


def group_headings(page: Page, records: Sequence[Record]) -> dict[int, int]:
    """Return the row of the heading above each record, by the record's number; empty if the list has no headings."""
    spans = [(record.ranges[0][0], record.ranges[-1][1]) for record in records]
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return {}
    gaps = [[], *(list(_short_elements(page, end, start)) for (_, end), (start, _) in pairwise(spans))]
    common = _common_tag_and_class(page, gaps)
    if common is None:
        return {}
    rows = {
        k: matching[-1]
        for k, gap in enumerate(gaps)
        if (matching := [i for i in gap if _tag_and_class(page, i) == common])
    }
    first = _heading_before(page, spans[0][0], common)
    if first is None:  # texts that stand only after records may belong to them
        return {}
    rows[0] = first
    texts = {page.text_of(row) for row in rows.values()}
    min_headings = MIN_HEADINGS if common[0] in HEADING_TAGS else MIN_UNMARKED_HEADINGS
    are_headings = len(texts) >= min_headings and len(rows) <= MAX_HEADING_SHARE * len(records)
    return _carried_down(rows, len(records)) if are_headings else {}


def _short_elements(page: Page, start: int, end: int) -> Iterator[int]:
    """Yield the topmost elements that lie wholly between two rows and hold a short visible text."""
    tags = page.lists.tag
    ends = page.lists.end
    i = start
    while i < end:
        if ends[i] > end:  # an ancestor of the next record
            i += 1
            continue
        if tags[i] != 0 and _is_short(page, i):
            yield i
        i = ends[i]


def _is_short(page: Page, i: int) -> bool:
    return bool(page.seen[i]) and 0 < int(page.text_chars[i]) <= MAX_HEADING_CHARS


def _tag_and_class(page: Page, i: int) -> TagAndClass:
    return page.name(i), page.attrs[i].get("class", "")


def _common_tag_and_class(page: Page, gaps: Sequence[Sequence[int]]) -> TagAndClass | None:
    """Return the tag and class that more than half of the gaps with any element have."""
    counts = Counter(pair for gap in gaps for pair in {_tag_and_class(page, i) for i in gap})
    if not counts:
        return None
    common, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return common if 2 * count > sum(bool(gap) for gap in gaps) else None


def _heading_before(page: Page, start: int, common: TagAndClass) -> int | None:
    """Return the nearest heading before the first record."""
    ends = page.lists.end
    for i in range(start - 1, max(0, start - MAX_ROWS_BEFORE), -1):
        if ends[i] <= start and page.name(i) == common[0] and _tag_and_class(page, i) == common and _is_short(page, i):
            return i
    return None


def _carried_down(headings: dict[int, int], records: int) -> dict[int, int]:
    """Return the heading of each record: its own, or the last one before it."""
    carried: dict[int, int] = {}
    for k in range(records):
        row = headings.get(k, carried.get(k - 1))
        if row is not None:
            carried[k] = row
    return carried

"""Group headings: a date or a category that stands once, above all the records it applies to.

A heading lies outside the records, above the first record and between others, and has the tag and class of the other
headings of the list. It is a value of every record up to the next heading. A heading above the whole list is one only
if it is a date, or if the section beside it has a heading of its own: "Search results" groups nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise

from peneira.columns.value_patterns import are_years, value_pattern
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
# Above a whole list, a longer heading is the title of the list
MAX_CATEGORY_WORDS = 5
# Elements around a heading, and sections beside it, that are looked at
MAX_HEADING_LEVELS = 5
MAX_SECTIONS = 100
_ONLY_HEADING_TAGS = frozenset("caption dt h2 h3 h4 h5 h6 th".split())
HEADING_TAGS = frozenset("b caption dt h1 h2 h3 h4 h5 h6 legend strong summary th".split())

TagAndClass = tuple[str, str]


def group_headings(page: Page, records: Sequence[Record]) -> dict[int, int]:
    """Return the row of the heading above each record, by the record's number; empty if the list has no headings."""
    spans = [(record.ranges[0][0], record.ranges[-1][1]) for record in records]
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return {}
    between = [
        list(_short_elements(page, end, start)) if end < start else [] for (_, end), (start, _) in pairwise(spans)
    ]
    gaps = [[], *between]
    headings = _several_headings(page, spans, gaps)
    if not headings and (only := _only_heading(page, spans[0][0], spans[-1][1])) is not None:
        is_repeated = any(_tag_and_class(page, i) == _tag_and_class(page, only) for gap in gaps for i in gap)
        headings = {} if is_repeated else {0: only}
    return _carried_down(headings, len(records))


def _several_headings(page: Page, spans: Sequence[tuple[int, int]], gaps: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the rows of the headings, by the number of the record below; empty if there are not several."""
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
    are_headings = len(texts) >= min_headings and len(rows) <= MAX_HEADING_SHARE * len(spans) and _say_something(texts)
    return rows if are_headings else {}


def _say_something(texts: Collection[str]) -> bool:
    """Return whether texts are words, dates or years: 11 and 17 between records are numbers of something else."""
    has_words = any(char.isalpha() for text in texts for char in text)
    return has_words or are_years(texts) or any(value_pattern(text) == "date" for text in texts)


def _only_heading(page: Page, start: int, end: int) -> int | None:
    """Return the heading directly above a list with one group of records, None if it is the title of the list."""
    top = _element_before(page, start)
    heading = None if top is None else _heading_in(page, top)
    if top is None or heading is None or not _is_short(page, heading):
        return None
    section = int(page.parent[top])
    if section < 0 or page.lists.end[section] < end:  # some of the records are elsewhere
        return None
    text = page.text_of(heading)
    is_category = len(text.split()) <= MAX_CATEGORY_WORDS and _has_like_beside(page, section, top, heading)
    return heading if is_category or value_pattern(text) == "date" else None


def _element_before(page: Page, start: int) -> int | None:
    """Return the topmost element that ends before a row, if only elements around the row begin between them."""
    ends, parents = page.lists.end, page.parent
    before = start - 1
    while before >= 0 and ends[before] > start:
        before -= 1
    if before < 0:
        return None
    while (parent := int(parents[before])) >= 0 and ends[parent] <= start:
        before = parent
    return before


def _heading_in(page: Page, top: int) -> int | None:
    """Return the heading that is all an element contains: the element itself, or its first or only child and so on."""
    end = page.lists.end[top]
    for i in range(top, min(end, top + MAX_HEADING_LEVELS)):
        if page.lists.tag[i] == 0 or page.lists.end[i] != end:
            return None
        if page.name(i) in _ONLY_HEADING_TAGS:
            return i
    return None


def _has_like_beside(page: Page, section: int, top: int, heading: int) -> bool:
    """Return whether another heading like this one stands above something like the records: in the same section, or
    at the start of one beside it."""
    look = _heading_and_below(page, top, heading)
    others = [i for i in islice(page.siblings(top), MAX_SECTIONS) if i != top]
    for i in islice(page.siblings(section), MAX_SECTIONS):
        if i != section and _tag_and_class(page, i) == _tag_and_class(page, section):
            others.extend(islice(page.children(i), 1))
    headings = [(i, own) for i in others if (own := _heading_in(page, i)) is not None]
    return any(_heading_and_below(page, i, own) == look for i, own in headings)


def _heading_and_below(page: Page, top: int, heading: int) -> tuple[TagAndClass, TagAndClass]:
    """Return tag and class of a heading, and of what follows the element that it is all of."""
    below, end = page.lists.end[top], page.lists.end[int(page.parent[top])]
    return _tag_and_class(page, heading), _tag_and_class(page, below) if below < end else ("", "")


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
    """Return the tag and class that more than half of the gaps with any element have; rather one whose texts differ."""
    if not any(gaps):
        return None
    counts = Counter(pair for gap in gaps for pair in {_tag_and_class(page, i) for i in gap})
    texts: dict[TagAndClass, set[str]] = {}
    for gap in gaps:
        for i in gap:
            texts.setdefault(_tag_and_class(page, i), set()).add(page.text_of(i))
    common, count = max(counts.items(), key=lambda item: (item[1], len(texts[item[0]]) > 1, item[0]))
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
    for k in range(records if headings else 0):
        row = headings.get(k, carried.get(k - 1))
        if row is not None:
            carried[k] = row
    return carried

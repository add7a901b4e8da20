"""Whether the right element is selected: the accuracy of the rendering-area paper as a rule for a program.

The element is right if it holds the records and little else: at least 95 % of the anchors, and at most 1.5 times the
text from the first anchor to the end of the last record. So the body of a page with a menu is not right.
"""

from __future__ import annotations

from collections.abc import Sequence

from peneira.page import Page
from peneira.result import Region
from peneira_research.scores.record_score import record_size
from peneira_research.squeezed_text import element_text, squeeze

# Share of the anchors that the element must hold
MIN_HELD = 0.95
# Length of its text, as a multiple of the text of the records
MAX_TEXT = 1.5


def is_right(page: Page, node: int, anchors: Sequence[str], text: str) -> bool:
    """Return whether an element is the main data region; ``text`` is the ``page_text``."""
    return is_text_right(element_text(page, node), anchors, text)


def is_text_right(selected: str, anchors: Sequence[str], text: str) -> bool:
    """Return whether a squeezed text is that of the main data region, as for an element."""
    keys = [key for anchor in anchors if (key := squeeze(anchor))]
    held = sum(key in selected for key in keys)
    return held >= MIN_HELD * len(keys) and len(selected) <= MAX_TEXT * _records_length(keys, anchors, text)


def element_of(page: Page, region: Region) -> int:
    """Return the element of a region: the one of its XPath, else the smallest that holds all its records."""
    starts = [start for record in region.records for start, _ in record.ranges]
    if not starts:
        return page.body
    around = [starts[0], *page.ancestors(starts[0])]
    named = next((i for i in around if page.xpath(i) == region.xpath), None)
    last = max(end for record in region.records for _, end in record.ranges)
    return named if named is not None else next(i for i in around if i <= min(starts) and page.end[i] >= last)


def _records_length(keys: Sequence[str], anchors: Sequence[str], text: str) -> float:
    """Return the squeezed characters from the first anchor to the end of the last record."""
    first = last = None
    start = 0
    for key in keys:
        position = text.find(key, start)
        if position >= 0:
            first = position if first is None else first
            last = start = position + len(key)
    if first is None or last is None:
        return 0.0
    longest = max(len(key) for key in keys)
    return last - first - longest + max(record_size(anchors, text) or 0.0, longest)

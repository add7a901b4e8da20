"""The default method: every list of the page, best first, each with its records and columns."""

from __future__ import annotations

from collections.abc import Sequence

from peneira.model import Reason, Record, Region
from peneira.page import Page
from peneira.records.siblings import Group, sibling_groups


def find_regions(page: Page) -> list[Region]:
    """Return the lists of the page, best first."""
    groups = _disjoint(page, sibling_groups(page))
    total = max(int(page.text_chars[page.body]), 1) if len(page) else 1
    return [_region(page, group, group.chars / total) for group in groups]


def _disjoint(page: Page, groups: Sequence[Group]) -> list[Group]:
    """Return the groups without those that lie inside a better group, or hold one."""
    chosen: list[Group] = []
    for group in groups:
        start, end = group.members[0], int(page.end[group.members[-1]])
        if all(end <= other.members[0] or start >= int(page.end[other.members[-1]]) for other in chosen):
            chosen.append(group)
    return chosen


def _region(page: Page, group: Group, share: float) -> Region:
    records = tuple(
        Record(
            ranges=((i, int(page.end[i])),),
            text=page.visible_text(i),
            xpath=page.xpath(i),
            confidence=round(group.similarity, 3),
        )
        for i in group.members
    )
    reasons = (
        Reason("mass", f"{len(records)} records hold {share:.0%} of the page's text", round(share, 4)),
        Reason("similarity", f"they share {group.similarity:.0%} of their tag paths", round(group.similarity, 4)),
    )
    confidence = round(min(1.0, share**0.5) * group.similarity, 3)
    return Region(page.xpath(group.parent), records, confidence, reasons=reasons)

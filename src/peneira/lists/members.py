"""Which members of a list are records: headers, pagers, spacers and advertisements among them are not.

Every member is held against the rest of its list; what is left out is said, never lost silently.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum
from peneira.lists.candidates import NODES, Candidates
from peneira.lists.features import CandidateFeatures, FeatureTable
from peneira.ml.forest import Forest
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

Numbers = NDArray[np.float64]

# A member that is believed less is left out; a list never loses more than this share of its members
MIN_BELIEF = 0.5
MAX_LEFT_OUT = 0.4
MIN_RECORDS = 2
# What fewer of the records have after their first element interrupts the list
MAX_INTERRUPTED = 0.2
COMPARED = tuple("links images texts numbers headings prices dates bolds controls headers longs".split())


def member_features(evidence: CandidateFeatures) -> FeatureTable:
    """Return the figures of every record of every candidate, always in the same order."""
    turn = np.arange(len(evidence.starts)) - evidence.first[evidence.group]
    count = evidence.counts[evidence.group]
    page, facts, group = evidence.page, evidence.facts, evidence.group
    figures: FeatureTable = {
        "records": np.log1p(count),
        "turn": np.minimum(turn, 5),
        "turn_from_end": np.minimum(count - 1 - turn, 5),
        "chars": np.log1p(evidence.chars),
        "chars_ratio": _ratio(evidence, evidence.chars),
        "nodes_ratio": _ratio(evidence, evidence.nodes),
        "alike": evidence.alike,
        "alike_of_list": evidence.mean(evidence.alike)[group],
        "alike_gap": evidence.alike - evidence.mean(evidence.alike)[group],
        "shape_share": evidence.share_of(page.shape[evidence.starts]),
        "style_share": evidence.share_of(page.styled_path[evidence.starts]),
        "tag_share": evidence.share_of(page.tag[evidence.starts]),
    }
    text, link = facts.next_text[evidence.starts], facts.next_link[evidence.starts]
    text_path = np.where(text < evidence.ends, facts.path[np.minimum(text, len(page) - 1)], -1)
    link_path = np.where(link < evidence.ends, facts.path[np.minimum(link, len(page) - 1)], -1)
    figures["lead_share"] = evidence.share_of(text_path)
    figures["link_share"] = evidence.share_of(link_path)
    for name in COMPARED:
        held = evidence.held(facts.counted[name])
        figures[name] = np.log1p(held)
        figures[f"{name}_any_of_list"] = evidence.mean(held > 0)[group]
        figures[f"{name}_ratio"] = np.log1p(held) - np.log1p(evidence.mean(held))[group]
    plain = evidence.held(facts.sums.plain)
    linked = 1 - plain / np.maximum(evidence.chars, 1)
    figures["link_chars"] = linked
    figures["link_chars_gap"] = linked - evidence.mean(linked)[group]
    return figures


def without_interruptions(page: Page, sums: RunningSums, found: Candidates) -> Candidates:
    """Return the lists, without what stands between a few of the records: advertisements, headings of groups.

    Where hardly any record has siblings after its first element, they are no part of it.
    """
    own = page.end[found.starts].astype(np.int64)
    counts, first = found.counts, found.first
    more = np.add.reduceat((own < found.ends).astype(np.int64), first)
    chars = np.add.reduceat(sums.chars[own] - sums.chars[found.starts], first)
    between = np.add.reduceat(sums.chars[found.ends] - sums.chars[own], first)
    is_rare = (more > 0) & (more <= MAX_INTERRUPTED * counts) & (between < chars)
    ends = np.where(np.repeat(is_rare, counts), own, found.ends)
    return replace(found, ends=ends, kind=np.where(is_rare, NODES, found.kind))


def _ratio(evidence: CandidateFeatures, values: NDArray[np.int64]) -> Numbers:
    """Return each value over the mean of its list, as a logarithm."""
    return np.asarray(np.log1p(values) - np.log1p(evidence.mean(values))[evidence.group])


def kept_members(evidence: CandidateFeatures, forest: Forest) -> tuple[NDArray[np.bool_], Numbers]:
    """Return which members of which list are records, and how far each is believed to be one, 0..1.

    Integers of header cells alone are never records of a table that has other rows.
    """
    figures = member_features(evidence)
    belief = forest.predict(np.column_stack([figures[name] for name in forest.names]).astype(np.float64))
    belief = np.where(_header_rows(evidence), 0.0, np.clip(belief, 0.0, 1.0))
    kept = belief >= MIN_BELIEF
    left = np.add.reduceat(kept.astype(np.int64), evidence.first)
    spoilt = (left < MIN_RECORDS) | (left < (1 - MAX_LEFT_OUT) * evidence.counts)
    return kept | spoilt[evidence.group], belief


def _header_rows(evidence: CandidateFeatures) -> NDArray[np.bool_]:
    """Return which members are table rows of header cells alone."""
    page = evidence.page
    names = page.tag_names
    row, head, cell = (names.index(name) if name in names else -1 for name in ("tr", "th", "td"))
    is_row = (page.tag[evidence.starts] == row) & (page.end[evidence.starts] == evidence.ends)
    heads, cells = evidence.held(running_sum(page.tag == head)), evidence.held(running_sum(page.tag == cell))
    return np.asarray(is_row & (heads > 0) & (cells == 0))


def whole_elements(page: Page, sums: RunningSums, starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Return the records of a list as the largest elements that hold no more text than they do, hidden text included.

    All grow or none: a name that is all of its link and of its item is cut as the item, with address and image.
    """
    while _can_grow(page, sums.chars, starts, ends):
        starts = page.parent[starts].astype(np.int64)
        ends = page.end[starts].astype(np.int64)
    return starts, ends


def _can_grow(page: Page, chars: Integers, starts: Integers, ends: Integers) -> bool:
    """Tell whether each record is a whole element with text, and its parent has no other text. ``chars``: running_sum."""
    above = page.parent[starts]
    if len(starts) < MIN_RECORDS or not bool((above > page.body).all()):
        return False
    own, around = chars[ends] - chars[starts], chars[page.end[above]] - chars[above]
    return bool(((page.end[starts] == ends) & (own > 0) & (around == own)).all())

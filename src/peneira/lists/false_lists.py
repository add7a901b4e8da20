"""What repeats like a list but is none: paragraphs of prose, the links of one running text, and pagers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.lists.candidates import Candidates
from peneira.lists.features import FeatureTable
from peneira.lists.paging_words import is_page_word, label_of
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

Flags = NDArray[np.bool_]

LINE_BREAKS = ("br", "hr")


@dataclass(frozen=True, slots=True)
class FalseListOptions:
    """The thresholds of the rules."""

    # The share of paragraphs that must be long, one text each and without links to be prose
    min_prose_share: float = 0.7
    # The share of a paragraph's text that must be outside its links, to tell running text from links with separators
    min_plain_share: float = 0.3
    # The labels of a pager are at most this long, and at most this many
    max_label_chars: int = 20
    max_labels: int = 15
    max_page_digits: int = 4


OPTIONS = FalseListOptions()


def are_false(page: Page, sums: RunningSums, candidates: Candidates, features: FeatureTable) -> Flags:
    """Return which candidates are no lists, however similar their records are."""
    return np.asarray(
        _are_prose(features) | _are_running_text(page, sums, candidates) | _are_pagers(page, candidates, features)
    )


def _are_prose(features: FeatureTable) -> Flags:
    """Return which lists are paragraphs of prose: long, one text each, without links."""
    names = ("is_p", "longs_any", "texts_one", "links_any")
    paragraph, long, single, linked = (np.asarray(features[name], dtype=np.float64) for name in names)
    share = OPTIONS.min_prose_share
    return np.asarray((paragraph > 0) & (long > share) & (single > share) & (linked < 1 - share))


def _are_running_text(page: Page, sums: RunningSums, candidates: Candidates) -> Flags:
    """Return which lists lie in one paragraph without line breaks, much of whose text is between its links."""
    flags = np.zeros(len(candidates), dtype=np.bool_)
    if "p" not in page.tag_names:
        return flags
    first, last = candidates.first, candidates.first + candidates.counts - 1
    parents = page.parent[candidates.starts[first]]
    is_inside = (parents == page.parent[candidates.starts[last]]) & (page.tag[parents] == page.tag_names.index("p"))
    for k in np.flatnonzero(is_inside).tolist():
        start, end = int(parents[k]), int(page.end[parents[k]])
        plain, chars = (int(column[end] - column[start]) for column in (sums.plain, sums.chars))
        has_breaks = any(page.name(row) in LINE_BREAKS for row in range(start, end))
        flags[k] = plain >= OPTIONS.min_plain_share * chars and not has_breaks
    return flags


def _are_pagers(page: Page, candidates: Candidates, features: FeatureTable) -> Flags:
    """Return which lists are labels of other pages, and nothing else."""
    is_short = np.asarray(features["chars"], dtype=np.float64) <= np.log1p(OPTIONS.max_label_chars)
    flags: Flags = np.asarray(is_short & (candidates.counts <= OPTIONS.max_labels))
    for k in np.flatnonzero(flags).tolist():
        flags[k] = all(_is_page_label(page.text_of(*rows)) for rows in candidates.ranges(k))
    return flags


def _is_page_label(text: str) -> bool:
    if not text or len(text) > OPTIONS.max_label_chars:
        return False
    if text.isdecimal():
        return len(text) <= OPTIONS.max_page_digits
    label = label_of(text)
    is_direction = label.meaning is not None and label.is_whole and not label.is_article
    return is_direction or (label.arrow is not None and is_page_word(text))

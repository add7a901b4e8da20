"""What repeats like a list but is none: paragraphs of prose, the links of one running text, and pagers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from peneira.lists.candidates import Candidates
from peneira.lists.features import FeatureTable
from peneira.lists.paging_words import is_page_word, label_of
from peneira.ml.running_sums import RunningSums
from peneira.page import Page

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


def is_false(page: Page, sums: RunningSums, candidates: Candidates, features: FeatureTable, k: int) -> bool:
    """Return whether the k-th candidate is no list, however similar its records are."""
    return (
        _is_prose(features, k)
        or _is_running_text(page, sums, candidates, k)
        or _is_pager(page, candidates, features, k)
    )


def _is_prose(features: FeatureTable, k: int) -> bool:
    """Return whether a list is paragraphs of prose: long, one text each, without links."""
    names, share = ("is_p", "longs_any", "texts_one", "links_any"), OPTIONS.min_prose_share
    paragraph, long, single, linked = (float(features[name][k]) for name in names)
    return paragraph > 0 and long > share and single > share and linked < 1 - share


def _is_running_text(page: Page, sums: RunningSums, candidates: Candidates, k: int) -> bool:
    """Return whether a list lies in one paragraph without line breaks, much of whose text is between its links."""
    first = int(candidates.first[k])
    last = first + int(candidates.counts[k]) - 1
    parent = int(page.parent[candidates.starts[first]])
    if page.tag_names[page.tag[parent]] != "p" or page.parent[candidates.starts[last]] != parent:
        return False
    end = int(page.end[parent])
    plain, chars = (int(column[end] - column[parent]) for column in (sums.plain, sums.chars))
    has_breaks = any(page.name(row) in LINE_BREAKS for row in range(parent, end))
    return plain >= OPTIONS.min_plain_share * chars and not has_breaks


def _is_pager(page: Page, candidates: Candidates, features: FeatureTable, k: int) -> bool:
    """Return whether a list is labels of other pages, and nothing else."""
    if features["chars"][k] > np.log1p(OPTIONS.max_label_chars) or candidates.counts[k] > OPTIONS.max_labels:
        return False
    return all(_is_page_label(page.text_of(*rows)) for rows in candidates.ranges(k))


def _is_page_label(text: str) -> bool:
    if not text or len(text) > OPTIONS.max_label_chars:
        return False
    if text.isdecimal():
        return len(text) <= OPTIONS.max_page_digits
    label = label_of(text)
    is_direction = label.meaning is not None and label.is_whole and not label.is_article
    return is_direction or (label.arrow is not None and is_page_word(text))

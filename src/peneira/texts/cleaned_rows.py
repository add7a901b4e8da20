"""The rows of a page that cleaning keeps: its content by blocks, its lists whole, with their headings and images."""

from __future__ import annotations

import numpy as np

from peneira.ml.running_sums import inside_tags, is_tag
from peneira.page import Flags, Page
from peneira.texts.block_model import BlockDecision, decide
from peneira.texts.region_filter import prose_paragraphs
from peneira.texts.tps import with_ancestors

# A block with at least this probability stays in the page. On list pages, with shipped models, .424 of the nodes are
# then cut, and all records kept on .985 of them; with .45 it is .419 and .985, with .55 .427 and .984
MIN_KEPT_PROBABILITY = 0.5
# Without svg: on list pages they are icons
IMAGE_TAGS = frozenset("img picture video figure audio iframe canvas object embed".split())
HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6 caption thead legend".split())
# Elements that mean something without text: an empty cell is a cell, a line ends
KEPT_EMPTY_TAGS = frozenset("td th br hr".split())


def cleaned_rows(page: Page, decision: BlockDecision | None = None) -> Flags:
    """Return which rows of the body are content, including their ancestors."""
    return with_ancestors(page, cleaned_flags(page, decision or decide(page)))


def cleaned_flags(page: Page, decision: BlockDecision) -> Flags:
    """Return the rows that are content themselves: texts and images of the main regions and of kept blocks.

    Elements with neither are left out: they are a fifth of the nodes of a list.
    """
    keep = np.zeros(len(page), dtype=np.bool_)
    for start, end in (*decision.regions.main(page), *prose_paragraphs(page, decision.sums)):
        keep[_with_heading(page, start) : end] = True
    media = inside_tags(page, IMAGE_TAGS) | is_tag(page, KEPT_EMPTY_TAGS)
    keep &= (page.tag == 0) | media
    blocks = decision.blocks
    kept = decision.probability >= MIN_KEPT_PROBABILITY
    if not kept.any():  # all in doubt: what the text of the page would have
        kept = decision.kept
    edges = np.bincount(blocks.rows[kept], minlength=len(page) + 1)
    edges -= np.bincount(blocks.ends[kept], minlength=len(page) + 1)
    keep |= np.cumsum(edges[:-1]) > 0
    if kept.any():
        keep |= _images_among(page, decision, kept)
    return keep


def _with_heading(page: Page, start: int) -> int:
    """Return where a region starts with the headings right before it."""
    parents = page.parent.data  # of which single numbers are read faster than from an array
    parent = parents[start]
    while start - 1 > parent >= 0:
        before = start - 1  # inside the sibling before, or that itself
        while parents[before] != parent:
            before = parents[before]
        if page.name(before) not in HEADING_TAGS:
            break
        start = before
    return start


def _images_among(page: Page, decision: BlockDecision, kept: Flags) -> Flags:
    """Return the images, with what is inside them, between two blocks that are kept."""
    images = np.flatnonzero(is_tag(page, IMAGE_TAGS) & ~page.silent)
    following = np.searchsorted(decision.blocks.rows, images)
    padded = np.concatenate(([False], kept, [False]))
    among = images[padded[following] & padded[following + 1]]
    return page.flags_below(among.tolist())

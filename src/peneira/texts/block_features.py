"""Features of every block of a page for the content decision: those of texts, of its markup, its heading, its page."""

from __future__ import annotations

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import inside_tags, is_tag
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import CHARS
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_features import text_features
from peneira.texts.tps import search_region, tag_path_sequence

# Tags of the block's own element, and of elements around it, beside those that features of texts know
OWN_TAGS = tuple("h1 h2 h3 h4 pre blockquote figcaption button th dt label address summary caption".split())
AROUND_TAGS = tuple("pre blockquote figure button details ol tr dialog noscript".split())
HEADING_TAGS = tuple("h1 h2 h3 h4 h5 h6".split())


def block_features(blocks: TextBlocks) -> FeatureColumns:
    """Return a column per feature with one value per block; no columns if the page has no text."""
    if not len(blocks):
        return {}
    return {
        **text_features(blocks),
        **_own_features(blocks),
        **_heading_features(blocks),
        **_title_features(blocks),
        **_region_features(blocks),
    }


def _own_features(blocks: TextBlocks) -> FeatureColumns:
    page, own = blocks.page, blocks.blocks
    codes = {name: code for code, name in enumerate(page.tag_names)}
    tag = page.tag[own]
    features: FeatureColumns = {f"own_{name}": tag == codes.get(name, -1) for name in OWN_TAGS}
    for name in AROUND_TAGS:
        if name in codes:
            features[f"around_{name}"] = inside_tags(page, (name,))[own]
        else:
            features[f"around_{name}"] = np.zeros(len(blocks))
    counts = np.bincount(blocks.block_of, minlength=len(blocks))
    features["own_texts"] = np.log1p(counts)
    features["own_links"] = blocks.link_shares
    features["page_link_share"] = np.full(
        len(blocks), float((blocks.link_shares * blocks.lengths).sum() / max(float(blocks.lengths.sum()), 1.0))
    )
    return features


def heading_blocks(blocks: TextBlocks) -> Rows:
    """Return the number of the nearest heading at or before each block, -1 before the first."""
    is_heading = inside_tags(blocks.page, HEADING_TAGS)[blocks.blocks]
    numbers = np.where(is_heading, np.arange(len(blocks)), -1)
    return np.asarray(np.maximum.accumulate(numbers))


def _heading_features(blocks: TextBlocks) -> FeatureColumns:
    """Return how far the nearest heading before each block is, its level, and what lies between two headings."""
    page, heading = blocks.page, heading_blocks(blocks)
    order = np.arange(len(blocks))
    levels = np.zeros(len(page))
    for level, name in enumerate(HEADING_TAGS, 1):
        levels[inside_tags(page, (name,))] = level
    known = heading >= 0
    section = np.cumsum(heading == order)
    chars = blocks.lengths.astype(np.float64)
    section_chars = np.bincount(section, chars)[section]
    link_chars = np.bincount(section, chars * blocks.link_shares)[section]
    return {
        "heading_gap": np.where(known, order - heading, -1),
        "heading_level": np.where(known, levels[blocks.blocks[heading]], 0),
        "section_chars": np.log1p(section_chars),
        "section_links": link_chars / np.maximum(section_chars, 1),
        "section_turn": section / max(int(section[-1]), 1),
    }


def _title_features(blocks: TextBlocks) -> FeatureColumns:
    """Return where each block is relative to the elements that hold the title and most of the long text."""
    page, rows = blocks.page, blocks.rows
    chars = blocks.sums.table[:, CHARS]
    title = np.flatnonzero(is_tag(page, ("h1",)) & ~blocks.silent)[:1]
    shared = np.full(len(blocks), -1.0)
    if len(title):
        shared = _shared_depth(blocks, int(title[0]))
    prose = _prose_root(blocks)
    in_prose = (rows >= prose) & (rows < page.lists.end[prose])
    return {
        "title_depth": shared,
        "in_prose_root": in_prose,
        "prose_share": np.full(len(blocks), float((chars[page.end[prose]] - chars[prose]) / max(chars[-1], 1.0))),
        "prose_depth": _shared_depth(blocks, prose),
    }


def _shared_depth(blocks: TextBlocks, node: int) -> Numbers:
    """Return how many levels above ``node`` the element is that holds both it and each block."""
    page, rows = blocks.page, blocks.rows
    levels = np.full(len(rows), 99.0)
    above, level = node, 0
    while above >= 0:
        inside = (rows >= above) & (rows < page.lists.end[above]) & (levels == 99.0)
        levels[inside] = level
        above, level = page.lists.parent[above], level + 1
    return levels


def _prose_root(blocks: TextBlocks) -> int:
    """Return the deepest element that holds most of the long texts without links of the page."""
    page = blocks.page
    weight = np.zeros(len(page))
    long = (blocks.lengths >= 80) & (blocks.link_shares < 0.3)
    weight[blocks.rows[long]] = blocks.lengths[long]
    sums = running_sum(weight)
    node, total = page.body, sums[-1]
    if total <= 0:
        return node
    while True:
        below = next((k for k in page.children(node) if sums[page.lists.end[k]] - sums[k] > 0.6 * total), None)
        if below is None or page.is_text(below):
            return node
        node = below


def _region_features(blocks: TextBlocks) -> FeatureColumns:
    """Return whether each block is in the main region of the tag path filter, or how far outside."""
    sequence = tag_path_sequence(blocks.page)
    if not len(sequence):
        return {"in_region": np.zeros(len(blocks)), "region_share": np.zeros(len(blocks))}
    start, end = search_region(sequence.symbols)
    first, last = int(sequence.rows[start]), int(sequence.rows[end - 1])
    inside = (blocks.rows >= first) & (blocks.rows <= last)
    return {
        "in_region": np.where(inside, 1.0, np.where(blocks.rows < first, 0.0, 2.0)),
        "region_share": np.full(len(blocks), (end - start) / len(sequence)),
    }

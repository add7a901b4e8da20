"""Features of every block of a page for the content decision: those of texts, of its markup, its heading, its page."""

from __future__ import annotations

import re

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.ml.running_sums import RunningSums, inside_tags, is_tag
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import CHARS
from peneira.texts.region_candidates import region_candidates
from peneira.texts.region_filter import learned_score
from peneira.texts.text_blocks import TextBlocks
from peneira.texts.text_features import text_features

# Tags of the block's own element, and of elements around it, beside those that features of texts know
OWN_TAGS = tuple("h1 h2 h3 h4 pre blockquote figcaption button th dt label address summary caption".split())
AROUND_TAGS = tuple(
    "a article aside blockquote button details dialog dl figure footer form header li main nav ol p pre section table "
    "tr ul".split()
)
# "Boots (132)", a choice of a filter; a price; a date or a time
_COUNT = re.compile(r"[(\[]\s*\d[\d.,]*\s*[)\]]$")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|kr\b|zł|EUR|USD)")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d\d?[/.-]\d\d?[/.-]\d\d")
HEADING_TAGS = tuple("h1 h2 h3 h4 h5 h6".split())


def block_features(blocks: TextBlocks, sums: RunningSums) -> FeatureColumns:
    """Return a column per feature with one value per block; no columns if the page has no text."""
    if not len(blocks):
        return {}
    return {
        **text_features(blocks),
        **_own_features(blocks),
        **_heading_features(blocks),
        **_title_features(blocks),
        **_pattern_features(blocks),
        **_list_features(blocks, sums),
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
    title = np.flatnonzero(is_tag(page, ("h1",)) & ~page.silent)[:1]
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


def _pattern_features(blocks: TextBlocks) -> FeatureColumns:
    """Return which blocks look like a choice of a filter, a price or a date, and how many of the same path do."""
    page = blocks.page
    strings = blocks.strings
    _, group = np.unique(page.path[blocks.rows], return_inverse=True)
    sizes = np.bincount(group)
    features: FeatureColumns = {}
    for name, pattern in (("count", _COUNT), ("price", _PRICE), ("date", _DATE)):
        flags = np.fromiter((pattern.search(text) is not None for text in strings), np.float64, len(strings))
        features[f"has_{name}"] = flags
        features[f"{name}_share"] = (np.bincount(group, flags) / sizes)[group]
    return features


def _list_features(blocks: TextBlocks, sums: RunningSums) -> FeatureColumns:
    """Return how good the regions around each block are as the main list of the page (``region_filter.py``)."""
    size = len(blocks)
    candidates = region_candidates(blocks.page, sums)
    if not len(candidates):
        return {name: np.full(size, -1.0) for name in ("list_score", "in_best_list", "best_list", "best_list_share")}
    scores = learned_score(blocks.page, candidates)
    first, last = np.searchsorted(blocks.rows, candidates.start), np.searchsorted(blocks.rows, candidates.end)
    covering = np.full(size, -1.0)
    for k in np.argsort(scores, kind="stable").tolist():
        covering[first[k] : last[k]] = scores[k]
    best = int(scores.argmax())
    inside = np.zeros(size)
    inside[first[best] : last[best]] = 1.0
    inside[: first[best]] = -1.0
    words = blocks.lengths.astype(np.float64)
    share = float(words[first[best] : last[best]].sum() / max(float(words.sum()), 1.0))
    return {
        "list_score": covering,
        "in_best_list": inside,
        "best_list": np.full(size, float(scores[best])),
        "best_list_share": np.full(size, share),
    }

"""Features of where a text is: its position on the page, its parent, its block and ancestors, and its neighbours."""

from __future__ import annotations

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.page import Page, attribute_counts
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import (
    CHARS,
    ELEMENTS,
    HEADINGS,
    IMAGES,
    INPUTS,
    LINK_CHARS,
    LINK_TEXTS,
    LONG_TEXTS,
    TEXTS,
    PageTexts,
)
from peneira.texts.retps import element_positions
from peneira.texts.tag_kinds import BLOCK_TAGS, PARENT_TAGS, text_tables

# Ancestors of the block of a text, in levels above it
ANCESTOR_LEVELS = (1, 2, 3, 5)
# Texts before and after that are averaged over
WINDOW_WIDTHS = (5, 15)

POSITION_FEATURES = tuple(
    "order chars_before tags_before texts_before depth after_title texts_after_title hidden page_texts page_chars "
    "page_links page_long".split()
)
PARENT_FEATURES = (*(f"is_{name}" for name in PARENT_TAGS), *(f"block_{name}" for name in BLOCK_TAGS), "parent_attrs")
_SUBTREE_FEATURES = tuple("chars share links link_texts mean long images headings inputs elements".split())
BLOCK_FEATURES = (
    *"block_chars block_share block_links block_texts block_turn".split(),
    *(f"{name}_{level}" for level in ANCESTOR_LEVELS for name in _SUBTREE_FEATURES),
)
NEIGHBOUR_FEATURES = (
    *"chars_before_2 chars_before_1 chars_behind_1 chars_behind_2 link_before link_behind colon_before".split(),
    "gap_before",
    *(f"{name}_{width}" for width in WINDOW_WIDTHS for name in ("near_chars", "near_links")),
)
PLACE_FEATURES = (*POSITION_FEATURES, *PARENT_FEATURES, *BLOCK_FEATURES)
# Those that are logarithms
PLACE_LOGS = tuple(
    name in {"texts_before", "texts_after_title", "page_texts", "page_chars", "page_long", "block_chars", "block_texts"}
    or (name.startswith(("chars_", "mean_", "elements_")) and name != "chars_before")
    for name in PLACE_FEATURES
)
NEIGHBOUR_LOGS = tuple(name == "gap_before" for name in NEIGHBOUR_FEATURES)
_LEVELS = np.array(ANCESTOR_LEVELS, dtype=np.int64)
_WIDTHS = np.array(WINDOW_WIDTHS, dtype=np.int64)


def write_places(texts: PageTexts, rows: Numbers) -> int:
    """Write ``PLACE_FEATURES`` of each text, before logarithms; return how many texts are before the title."""
    page = texts.page
    before: int = text_tables.positions(
        rows, page.tag, page.parent, page.end, page.depth, page.silent.view(np.uint8), page.hidden.view(np.uint8),
        texts.kinds, texts.rows, texts.blocks, texts.lengths, texts.sums.table, attribute_counts(page),
        len(PARENT_TAGS), len(BLOCK_TAGS), _LEVELS,
    )  # fmt: skip
    return before


def write_neighbours(texts: PageTexts, rows: Numbers) -> None:
    """Write ``NEIGHBOUR_FEATURES`` of each text, before logarithms."""
    in_link = texts.sums.in_link.view(np.uint8)
    text_tables.neighbours(rows, texts.strings, texts.rows, texts.log_lengths, in_link, _WIDTHS)


def position_features(texts: PageTexts) -> FeatureColumns:
    """Return the position of each text on the page, and the size of the page."""
    page, rows, sums = texts.page, texts.rows, texts.sums
    order = np.arange(len(rows))
    elements_before, element_count = element_positions(page)
    title = _first_visible_row(page, "h1")
    chars_after = sums.chars[rows] - sums.chars[title] if title >= 0 else np.full(len(rows), -1.0)
    texts_after = sums.texts[rows] - sums.texts[title] if title >= 0 else np.full(len(rows), -1.0)
    return {
        "order": order / len(rows),
        "chars_before": sums.chars[rows] / sums.total_chars,
        "tags_before": elements_before[rows] / max(element_count, 1),
        "texts_before": np.log1p(order),
        "depth": page.depth[rows],
        "after_title": chars_after / sums.total_chars,
        "texts_after_title": np.sign(texts_after) * np.log1p(np.abs(texts_after)),
        "hidden": page.hidden[rows],
        "page_texts": np.full(len(rows), np.log1p(len(rows))),
        "page_chars": np.full(len(rows), np.log1p(sums.total_chars)),
        "page_links": np.full(len(rows), sums.table[-1, LINK_CHARS] / sums.total_chars),
        "page_long": np.full(len(rows), np.log1p(sums.table[-1, LONG_TEXTS])),
    }


def _first_visible_row(page: Page, name: str) -> int:
    if name not in page.tag_names:
        return -1
    rows = np.flatnonzero((page.tag == page.tag_names.index(name)) & page.seen)
    return int(rows[0]) if len(rows) else -1


def parent_features(texts: PageTexts) -> FeatureColumns:
    """Return the tags of the parent and of the block of each text, and the number of the parent's attributes."""
    page = texts.page
    parent_tag, block_tag = page.tag[page.parent[texts.rows]], page.tag[texts.blocks]
    codes = {name: code for code, name in enumerate(page.tag_names)}
    features: FeatureColumns = {f"is_{name}": parent_tag == codes.get(name, -1) for name in PARENT_TAGS}
    features |= {f"block_{name}": block_tag == codes.get(name, -1) for name in BLOCK_TAGS}
    features["parent_attrs"] = np.array([len(page.attrs[i]) for i in texts.parents], dtype=np.float64)
    return features


def block_features(texts: PageTexts) -> FeatureColumns:
    """Return features of the block of each text and of the block's ancestors."""
    page, rows, sums, blocks = texts.page, texts.rows, texts.sums, texts.blocks
    totals = sums.of_subtrees(page, blocks)
    chars = np.maximum(totals[CHARS], 1)
    features: FeatureColumns = {
        "block_chars": np.log1p(chars),
        "block_share": texts.lengths / chars,
        "block_links": totals[LINK_CHARS] / chars,
        "block_texts": np.log1p(totals[TEXTS]),
        "block_turn": (sums.texts[rows] - sums.texts[blocks]) / np.maximum(totals[TEXTS], 1),
    }
    nodes, level = blocks, 0
    for wanted_level in ANCESTOR_LEVELS:
        while level < wanted_level:
            nodes = np.where(page.parent[nodes] >= 0, page.parent[nodes], nodes)
            level += 1
        features |= {f"{name}_{level}": column for name, column in _subtree_features(texts, nodes).items()}
    return features


def _subtree_features(texts: PageTexts, nodes: Rows) -> FeatureColumns:
    totals = texts.sums.of_subtrees(texts.page, nodes)
    chars, text_count = np.maximum(totals[CHARS], 1), np.maximum(totals[TEXTS], 1)
    per_text = totals / text_count
    return {
        "chars": np.log1p(chars),
        "share": chars / texts.sums.total_chars,
        "links": totals[LINK_CHARS] / chars,
        "link_texts": per_text[LINK_TEXTS],
        "mean": np.log1p(per_text[CHARS]),
        "long": per_text[LONG_TEXTS],
        "images": per_text[IMAGES],
        "headings": per_text[HEADINGS],
        "inputs": per_text[INPUTS],
        "elements": np.log1p(per_text[ELEMENTS]),
    }


def neighbour_features(texts: PageTexts) -> FeatureColumns:
    """Return features of the texts before and after each text."""
    rows = texts.rows
    lengths = np.log1p(texts.lengths)
    in_link = texts.sums.in_link[rows].astype(np.float64)
    ends_colon = np.array([text[-1] == ":" for text in texts.strings], dtype=np.float64)
    features: FeatureColumns = {}
    for offset in (-2, -1, 1, 2):
        side = f"{'before' if offset < 0 else 'behind'}_{abs(offset)}"
        features[f"chars_{side}"] = shifted(lengths, offset)
    features["link_before"], features["link_behind"] = shifted(in_link, -1), shifted(in_link, 1)
    features["colon_before"] = shifted(ends_colon, -1)
    features["gap_before"] = np.log1p(np.diff(rows, prepend=rows[:1]))
    for width in WINDOW_WIDTHS:
        features[f"near_chars_{width}"] = _window_mean(lengths, width)
        features[f"near_links_{width}"] = _window_mean(in_link, width)
    return features


def shifted(column: Numbers, offset: int) -> Numbers:
    """Return for each text the value of the text ``offset`` positions later; -1 beyond the ends."""
    shifted = np.full(len(column), -1.0)
    if abs(offset) < len(column):
        if offset < 0:
            shifted[-offset:] = column[:offset]
        else:
            shifted[:-offset] = column[offset:]
    return shifted


def _window_mean(column: Numbers, width: int) -> Numbers:
    sums = running_sum(column)
    position = np.arange(len(column))
    low, high = np.maximum(position - width, 0), np.minimum(position + width + 1, len(column))
    return np.asarray((sums[high] - sums[low]) / np.maximum(high - low, 1))

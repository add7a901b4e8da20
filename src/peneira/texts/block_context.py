"""What the first look at the blocks of a page says about each of them: the second look sees the page as a whole.

A block alone does not show whether a page of products is about its products or about the text above them, and
whether the other prices of a list are content. Means of the first probabilities over the blocks of the same form, of
the same element, section or record, and sums over the page do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.page import Flags
from peneira.texts.block_selection import best_selection
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.position_features import shifted
from peneira.texts.tag_kinds import block_tables
from peneira.texts.text_blocks import TextBlocks

# Blocks before and after that are averaged over
WINDOWS = (3, 10)
# Ancestors of a block's element over whose blocks is averaged, in levels above it
LEVELS = (1, 2, 3, 5)
# Kinds of belonging together
GROUPS = (*"slot path heading section record list".split(), *(f"level_{level}" for level in LEVELS))
# A block of this length or more, mostly without links, is prose
PROSE_CHARS, MAX_PROSE_LINKS = 80, 0.3
_LEVELS, _WINDOWS = np.array(LEVELS, dtype=np.int64), np.array(WINDOWS, dtype=np.int64)
_NAMES = (
    *"first at_-2 at_-1 at_1 at_2".split(),
    *(f"near_{width}" for width in WINDOWS),
    *(f"of_{name}" for name in GROUPS),
    *"of_slot_blocks heading_itself section_itself repeat repeat_of rank rank_share share_before".split(),
    *"slot_content slot_share page_content page_words page_share page_f1 prose_content prose_words".split(),
    *"prose_share prose_mean prose_beside prose_blocks list_content list_words list_mean list_share".split(),
)
CONTEXT_NAMES = tuple(f"context.{name}" for name in _NAMES)
# Those that are logarithms
_LOGS = np.array(
    [
        _NAMES.index(name)
        for name in (
            "repeat slot_content page_content page_words prose_content prose_words prose_beside prose_blocks "
            "list_content list_words"
        ).split()
    ]
)


class BlockGroups:
    """Which blocks of a page belong together, by several kinds of belonging: a small number per block and kind.

    ``is_prose``: the blocks of sentences; ``in_list``: 0 before the best candidate for the main list, 1 after it, 2 in
    it; ``first``: the first block with the same text, ``turn``: how many there were before.
    """

    def __init__(self, blocks: TextBlocks, columns: Mapping[str, NDArray[Any]]) -> None:
        page, order = blocks.page, np.arange(len(blocks))
        # more than any of the codes
        self.size = len(page) + 2
        self.heading, self.section = blocks.headings, blocks.sections
        self.is_prose: Flags = (blocks.lengths >= PROSE_CHARS) & (blocks.link_shares < MAX_PROSE_LINKS)
        if block_tables is not None:
            self.table, self.repeats = block_tables.group_codes(
                blocks.strings, page.path, page.parent, blocks.rows, blocks.blocks, blocks.styled_paths, self.heading,
                self.section, np.asarray(columns["record_number"], dtype=np.float64),
                np.asarray(columns["in_best_list"], dtype=np.float64), _LEVELS,
            )  # fmt: skip
            self.codes: dict[str, Rows] = dict(zip(GROUPS, self.table, strict=True))
            self.first, self.turn = self.repeats
            self.slot: Rows = self.codes["slot"]
            self.in_list: Rows = self.codes["list"]
            return
        self.in_list = np.asarray(columns["in_best_list"]).astype(np.int64) + 1
        self.slot = blocks.styled_paths
        self.codes = {
            "slot": self.slot,
            "path": page.path[blocks.rows].astype(np.int64),
            "heading": np.cumsum(self.heading == order),
            "section": np.cumsum(self.section == order),
            "record": np.unique(np.asarray(columns["record_number"]), return_inverse=True)[1],
            "list": self.in_list,
        }
        nodes, level = blocks.blocks, 0
        for wanted in LEVELS:
            while level < wanted:
                nodes, level = np.where(page.parent[nodes] >= 0, page.parent[nodes], nodes), level + 1
            self.codes[f"level_{wanted}"] = nodes
        self.first, self.turn = _repeats(blocks)


def _repeats(blocks: TextBlocks) -> tuple[Rows, Rows]:
    """Return for each block the first one with its text, and how many with its text stand before it."""
    seen: dict[str, tuple[int, int]] = {}
    pairs = []
    for k, text in enumerate(blocks.strings):
        first, turn = seen.get(text, (k, 0))
        seen[text] = (first, turn + 1)
        pairs.append((first, turn))
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def write_context(rows: Numbers, probability: Numbers, words: Numbers, groups: BlockGroups) -> None:
    """Write the features ``CONTEXT_NAMES`` by the kernel; ``probability``: by the first look."""
    order = np.argsort(-probability, kind="stable")
    block_tables.second_look(
        rows, probability, words, groups.table, groups.heading, groups.section, groups.repeats,
        groups.is_prose.view(np.uint8), order, _WINDOWS, groups.size,
    )  # fmt: skip
    logs = rows[_LOGS]
    rows[_LOGS] = np.log1p(logs, out=logs)


def context_features(probability: Numbers, words: Numbers, groups: BlockGroups) -> FeatureColumns:
    """Return a column per feature with one value per block; ``probability``: by the first look."""
    if block_tables is not None:
        rows = np.empty((len(CONTEXT_NAMES), len(words)))
        write_context(rows, probability, words, groups)
        return dict(zip(CONTEXT_NAMES, rows, strict=True))
    weight = np.maximum(words, 1.0)
    features: FeatureColumns = {"first": probability}
    for offset in (-2, -1, 1, 2):
        features[f"at_{offset}"] = shifted(probability, offset)
    for width in WINDOWS:
        features[f"near_{width}"] = window_mean(probability, weight, width)
    for name, codes in groups.codes.items():
        features[f"of_{name}"] = _mean(codes, probability, weight)
    features["of_slot_blocks"] = _mean(groups.slot, probability, np.ones(len(words)))
    for name, block in (("heading", groups.heading), ("section", groups.section)):
        features[f"{name}_itself"] = np.where(block >= 0, probability[block], -1.0)
    features["repeat"] = np.log1p(groups.turn)
    features["repeat_of"] = np.where(groups.turn > 0, probability[groups.first], -1.0)
    features |= _ranks(probability, words, groups)
    features |= {name: np.full(len(words), value) for name, value in _page(probability, words, groups).items()}
    return {f"context.{name}": column for name, column in features.items()}


def _ranks(probability: Numbers, words: Numbers, groups: BlockGroups) -> FeatureColumns:
    """Return how much of the page is at least as probable, and how much of what is expected stands before."""
    content = probability * words
    total, expected = max(float(words.sum()), 1.0), max(float(content.sum()), 1e-9)
    order = np.argsort(-probability, kind="stable")
    rank, share = np.empty(len(words)), np.empty(len(words))
    rank[order], share[order] = np.cumsum(words[order]) / total, np.cumsum(content[order]) / expected
    return {
        "rank": rank,
        "rank_share": share,
        "share_before": np.cumsum(content) / expected,
        "slot_content": np.log1p(np.bincount(groups.slot, content))[groups.slot],
        "slot_share": np.bincount(groups.slot, words)[groups.slot] / total,
    }


def _page(probability: Numbers, words: Numbers, groups: BlockGroups) -> dict[str, float]:
    """Return what is expected of the whole page, of its prose and of its main list."""
    content = probability * words
    total, expected = float(words.sum()), float(content.sum())
    prose, in_list = groups.is_prose, groups.in_list == 2
    prose_content, prose_words = float(content[prose].sum()), float(words[prose].sum())
    list_content, list_words = float(content[in_list].sum()), float(words[in_list].sum())
    return {
        "page_content": np.log1p(expected),
        "page_words": np.log1p(total),
        "page_share": expected / max(total, 1.0),
        "page_f1": best_selection(probability, words)[1],
        "prose_content": np.log1p(prose_content),
        "prose_words": np.log1p(prose_words),
        "prose_share": prose_content / max(expected, 1e-9),
        "prose_mean": prose_content / max(prose_words, 1.0),
        "prose_beside": np.log1p(float(content[prose & ~in_list].sum())),
        "prose_blocks": np.log1p(int(prose.sum())),
        "list_content": np.log1p(list_content),
        "list_words": np.log1p(list_words),
        "list_mean": list_content / max(list_words, 1.0),
        "list_share": list_content / max(expected, 1e-9),
    }


def _mean(codes: Rows, values: Numbers, weights: Numbers) -> Numbers:
    return np.asarray(
        np.bincount(codes, values * weights)[codes] / np.maximum(np.bincount(codes, weights)[codes], 1e-9)
    )


def window_mean(values: Numbers, weights: Numbers, width: int) -> Numbers:
    """Return for each block the mean over it and ``width`` blocks before and after."""
    position = np.arange(len(values))
    low, high = np.maximum(position - width, 0), np.minimum(position + width + 1, len(values))
    sums, totals = running_sum(values * weights), running_sum(weights)
    return np.asarray((sums[high] - sums[low]) / np.maximum(totals[high] - totals[low], 1e-9))

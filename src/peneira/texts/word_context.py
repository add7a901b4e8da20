"""What the known words of the blocks around a block say: means over the blocks that belong together, and over the page.

A price or a name has no word that is known, and one word alone says little. The words of all blocks of the same form,
of the same element, section or record, and of the neighbours say more, and so does how a block differs from its page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.ml.forest import Numbers
from peneira.texts.block_context import GROUPS, BlockGroups, window_mean
from peneira.texts.feature_columns import FeatureColumns, FeatureTable
from peneira.texts.tag_kinds import block_tables
from peneira.texts.text_vocabulary import UNKNOWN

# The kinds of belonging over whose blocks is averaged, see `BlockGroups`
KINDS = ("slot", "path", "level_1", "level_2", "level_3", "level_5", "section", "record")
# Blocks before and after that are averaged over
WINDOWS = (2, 6, 20)
# What is compared with the mean of the page
COMPARED = ("word_mean", "word_near", "chars", "own_links")
# Weight of a block without a known word where no neighbour has one
_NO_WEIGHT = 1e-9
WORD_CONTEXT_NAMES = (
    "text_low_of_slot",
    *(f"text_word_of_{kind}" for kind in KINDS),
    *(f"{name}_around_{width}" for width in WINDOWS for name in ("text_word", "word")),
    *(f"beside_page_{name}" for name in COMPARED),
)
_READ = ("text_word_low", "text_word_mean", "word_mean", *COMPARED)
_KIND_NUMBERS = np.array([GROUPS.index(kind) for kind in KINDS], dtype=np.int64)
_WIDTHS = np.array(WINDOWS, dtype=np.int64)


def add_word_context(table: FeatureTable, words: Numbers, groups: BlockGroups) -> None:
    """Add the features of ``word_context``, by the kernel where it is compiled."""
    if block_tables is None:
        table.add(word_context(table, words, groups))
        return
    places = table.places(_READ)
    rows = table.added(WORD_CONTEXT_NAMES)
    block_tables.word_means(
        rows, table.rows, places, words, groups.table, _KIND_NUMBERS, _WIDTHS, UNKNOWN, _NO_WEIGHT, groups.size
    )


def word_context(columns: Mapping[str, NDArray[Any]], words: Numbers, groups: BlockGroups) -> FeatureColumns:
    """Return a column per feature with one value per block.

    ``columns``: those of words in texts and markup, and what else is compared; ``words``: how many each block has.
    """
    weight = np.maximum(words, 1.0)
    mean, low = np.asarray(columns["text_word_mean"]), np.asarray(columns["text_word_low"])
    is_known = (mean >= 0).astype(np.float64)
    features: FeatureColumns = {"text_low_of_slot": _known_mean(groups.slot, low, is_known)}
    for kind in KINDS:
        features[f"text_word_of_{kind}"] = _known_mean(groups.codes[kind], mean, is_known)
    for width in WINDOWS:
        features[f"text_word_around_{width}"] = window_mean(mean, is_known + _NO_WEIGHT, width)
        features[f"word_around_{width}"] = window_mean(np.asarray(columns["word_mean"]), weight, width)
    total = float(weight.sum())
    for name in COMPARED:
        column = np.asarray(columns[name], dtype=np.float64)
        features[f"beside_page_{name}"] = column - float((column * weight).sum()) / total
    return features


def _known_mean(codes: Rows, shares: Numbers, is_known: Numbers) -> Numbers:
    """Return the mean of each block's group over its blocks with known words, ``UNKNOWN`` where none has any."""
    totals = np.bincount(codes, is_known)
    means = np.where(totals > 0, np.bincount(codes, shares * is_known) / np.maximum(totals, 1.0), UNKNOWN)
    return np.asarray(means[codes])

"""Features of repetition: how many texts share the tag path, the classes or the wording of a text."""

from __future__ import annotations

import numpy as np

from peneira.arrays import Integers as Rows
from peneira.ml.forest import Numbers
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import PageTexts, value_codes
from peneira.texts.tag_kinds import text_tables

REPETITION_FEATURES = tuple(
    "of_path of_styled_path path_turn path_chars styled_chars path_distinct of_text text_turn block_siblings".split()
)
# Those that are logarithms
REPETITION_LOGS = tuple(
    name.startswith("of_") or name in ("text_turn", "block_siblings") for name in REPETITION_FEATURES
)


def write_repetitions(texts: PageTexts, rows: Numbers) -> None:
    """Write ``REPETITION_FEATURES`` of each text, before logarithms."""
    page = texts.page
    text_tables.repetitions(
        rows, texts.strings, page.path, page.parent, page.tag, len(page.tag_names), texts.rows, texts.blocks,
        texts.styled_paths, texts.log_lengths,
    )  # fmt: skip


def repetition_features(texts: PageTexts) -> FeatureColumns:
    """Return the size of each text's groups with equal paths or strings, and its position in them."""
    page = texts.page
    log_chars = np.log1p(texts.lengths)
    paths, styled_paths = _Groups(page.path[texts.rows].astype(np.int64)), _Groups(texts.styled_paths)
    equal_texts = _Groups(value_codes(texts.strings))
    siblings = page.parent[texts.blocks].astype(np.int64) * len(page.tag_names) + page.tag[texts.blocks]
    return {
        "of_path": np.log1p(paths.counts()),
        "of_styled_path": np.log1p(styled_paths.counts()),
        "path_turn": paths.positions() / paths.counts(),
        "path_chars": paths.means(log_chars),
        "styled_chars": styled_paths.means(log_chars),
        "path_distinct": paths.distinct_shares(equal_texts.group),
        "of_text": np.log1p(equal_texts.counts()),
        "text_turn": np.log1p(equal_texts.positions()),
        "block_siblings": np.log1p(_Groups(value_codes(siblings.tolist())).counts()),
    }


class _Groups:
    """Groups of texts that share a key; keys are small integers."""

    def __init__(self, key: Rows) -> None:
        self.group = key
        self.sizes = np.bincount(key)

    def counts(self) -> Rows:
        """Return the size of each text's group."""
        return np.asarray(self.sizes[self.group])

    def positions(self) -> Rows:
        """Return each text's position in its group, from 0."""
        order = np.argsort(self.group, kind="stable")
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order)) - (np.cumsum(self.sizes) - self.sizes)[self.group[order]]
        return position

    def means(self, values: Numbers) -> Numbers:
        """Return the mean value of each text's group."""
        return np.asarray(np.bincount(self.group, values)[self.group] / self.sizes[self.group])

    def distinct_shares(self, values: Rows) -> Numbers:
        """Return the number of distinct values in each text's group, as a share of its size."""
        width = int(values.max()) + 1
        pairs = np.sort(self.group * width + values)
        distinct = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))] // width
        return np.asarray(np.bincount(distinct, minlength=len(self.sizes))[self.group] / self.sizes[self.group])

"""Features of a block from the first probabilities of the blocks around it: the second look of the content decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers as Rows
from peneira.arrays import running_sum
from peneira.ml.forest import Numbers
from peneira.page import Codes
from peneira.texts.block_features import heading_blocks
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.text_blocks import TextBlocks

# Elements around a block that are averaged over: levels above its own element, and levels below the body
LEVELS_ABOVE = tuple(range(1, 8))
LEVELS_BELOW_BODY = (1, 2, 3, 4, 6, 8)
NEIGHBOURS = (1, 2, 3)
WINDOWS = (3, 8, 20)
# Distances are counted up to this number of blocks
MAX_DISTANCE = 99.0


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """How the blocks of a page lie to each other, without the page: enough for the second look.

    ``starts`` and ``ends``: the rows of the elements around each block, a row of the table per level;
    ``groups``: numbers of the blocks of one tag path, of one styled path, and of one section. ``heading`` and
    ``section``: the block of the nearest heading of any level, and of the first or second.
    """

    rows: Rows
    size: int
    starts: Codes
    ends: Codes
    groups: tuple[Rows, Rows, Rows]
    heading: Rows
    section: Rows

    @classmethod
    def of(cls, blocks: TextBlocks) -> Neighbourhood:
        """Return how the blocks of a page lie to each other."""
        page = blocks.page
        nodes = np.stack(_elements(blocks)).astype(np.int32)
        heading = heading_blocks(blocks)
        path = np.unique(page.path[blocks.rows], return_inverse=True)[1].astype(np.int64)
        section = np.cumsum(heading == np.arange(len(heading)))
        return cls(
            blocks.rows,
            len(page),
            nodes,
            page.end[nodes],
            (path, blocks.styled_paths, section),
            heading,
            heading_blocks(blocks, ("h1", "h2")),
        )

    def features(self, probability: Numbers, words: Numbers) -> FeatureColumns:
        """Return how probable the blocks around each block are content; ``words`` has the number of words of each."""
        weight = np.maximum(words, 1.0)
        return {
            "first": probability,
            **self._around(probability, weight),
            **_beside(probability, weight),
            **self._alike(probability, weight),
            **_on_page(probability, weight),
        }

    def _around(self, probability: Numbers, weight: Numbers) -> FeatureColumns:
        """Return the means of the elements around each block, weighted by words and plain."""
        counts = (probability * weight, weight, probability, np.ones(len(weight)))
        sums = [running_sum(column) for column in counts]
        # the blocks of an element are a range of blocks
        first, last = np.searchsorted(self.rows, self.starts), np.searchsorted(self.rows, self.ends)
        content, total, plain, number = (column[last] - column[first] for column in sums)
        by_words, by_blocks = content / np.maximum(total, 1.0), plain / np.maximum(number, 1.0)
        names = [*(f"above_{level}" for level in LEVELS_ABOVE), *(f"below_{level}" for level in LEVELS_BELOW_BODY)]
        features: FeatureColumns = {}
        for k, name in enumerate(names):
            features[f"words_{name}"], features[f"blocks_{name}"] = by_words[k], by_blocks[k]
        return features

    def _alike(self, probability: Numbers, weight: Numbers) -> FeatureColumns:
        """Return the means of the blocks of the same tag path, of the same classes, and of the same section."""
        path, styled, section = self.groups
        features: FeatureColumns = {}
        for name, group in (("path", path), ("styled", styled)):
            features[f"words_{name}"] = _means(group, probability * weight, weight)
            features[f"blocks_{name}"] = _means(group, probability, np.ones(len(group)))
        features["words_section"] = _means(section, probability * weight, weight)
        features["heading_first"] = np.where(self.heading >= 0, probability[self.heading], -1.0)
        return features


def _elements(blocks: TextBlocks) -> list[NDArray[np.integer]]:
    """Return the elements around each block, by level."""
    page, parent, depth = blocks.page, blocks.page.parent, blocks.page.depth
    nodes: NDArray[np.integer] = blocks.blocks
    found: list[NDArray[np.integer]] = []
    for _ in LEVELS_ABOVE:
        nodes = np.where(parent[nodes] >= 0, parent[nodes], nodes)
        found.append(nodes)
    body = int(depth[page.body])
    nodes = blocks.blocks
    below: list[NDArray[np.integer]] = []
    for level in sorted(LEVELS_BELOW_BODY, reverse=True):
        while (deeper := depth[nodes] > body + level).any():
            nodes = np.where(deeper, parent[nodes], nodes)
        below.append(nodes)
    return [*found, *below[::-1]]


def _beside(probability: Numbers, weight: Numbers) -> FeatureColumns:
    """Return the probabilities of the blocks before and after each block, and means over windows."""
    size = len(probability)
    features: FeatureColumns = {}
    for offset in NEIGHBOURS:
        outside = np.full(min(offset, size), -1.0)
        features[f"before_{offset}"] = np.concatenate((outside, probability[:-offset]))[:size]
        features[f"after_{offset}"] = np.concatenate((probability[offset:], outside))[:size]
    content, total = running_sum(probability * weight), running_sum(weight)
    position = np.arange(size)
    for width in WINDOWS:
        low, high = np.maximum(position - width, 0), np.minimum(position + width + 1, size)
        features[f"window_{width}"] = (content[high] - content[low]) / (total[high] - total[low])
    return features


def _means(group: Rows, values: Numbers, weights: Numbers) -> Numbers:
    return np.asarray((np.bincount(group, values) / np.maximum(np.bincount(group, weights), 1.0))[group])


def _on_page(probability: Numbers, weight: Numbers) -> FeatureColumns:
    """Return where each block is relative to what is content on the page, and how much of the page is."""
    size = len(probability)
    position = np.arange(size)
    content = running_sum(probability * weight)
    total = float(content[-1])
    rank = np.empty(size)
    rank[np.argsort(probability, kind="stable")] = position
    features: FeatureColumns = {
        "content_before": content[:-1] / max(total, 1e-9),
        "page_content": np.full(size, total / float(weight.sum())),
        "page_words": np.full(size, np.log1p(total)),
        "page_best": np.full(size, float(probability.max())),
        "rank": rank / size,
    }
    good = np.flatnonzero(probability > 0.5)
    if not len(good):
        names = ("from_first", "from_last", "since_good", "until_good")
        return features | {name: np.full(size, -9.0) for name in names}
    following = np.searchsorted(good, position)
    since = np.where(following > 0, position - good[np.maximum(following - 1, 0)], MAX_DISTANCE)
    until = np.where(following < len(good), good[np.minimum(following, len(good) - 1)] - position, MAX_DISTANCE)
    return features | {
        "from_first": (position - good[0]) / size,
        "from_last": (position - good[-1]) / size,
        "since_good": np.minimum(since, MAX_DISTANCE),
        "until_good": np.minimum(until, MAX_DISTANCE),
    }

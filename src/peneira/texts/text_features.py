"""Features of every text of a page: wording, position, neighbours, repetition, metadata and attribute keywords.

All features are computed for all texts at once, from running sums over the node table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from peneira.ml.forest import Numbers
from peneira.texts.feature_columns import FeatureColumns, FeatureTable
from peneira.texts.keyword_features import KEYWORD_FEATURES, keyword_features, write_keywords
from peneira.texts.metadata_features import METADATA_FEATURES, metadata_features
from peneira.texts.page_texts import PageTexts
from peneira.texts.position_features import (
    NEIGHBOUR_FEATURES,
    NEIGHBOUR_LOGS,
    PLACE_FEATURES,
    PLACE_LOGS,
    block_features,
    neighbour_features,
    parent_features,
    position_features,
    write_neighbours,
    write_places,
)
from peneira.texts.repetition_features import (
    REPETITION_FEATURES,
    REPETITION_LOGS,
    repetition_features,
    write_repetitions,
)
from peneira.texts.tag_kinds import text_tables
from peneira.texts.wording_features import WORDING_FEATURES, WORDING_LOGS, wording_features, write_wording

FEATURE_GROUPS = (
    wording_features,
    position_features,
    parent_features,
    block_features,
    neighbour_features,
    repetition_features,
    metadata_features,
    keyword_features,
)
_NAMES = (
    WORDING_FEATURES, PLACE_FEATURES, NEIGHBOUR_FEATURES, REPETITION_FEATURES, METADATA_FEATURES, KEYWORD_FEATURES,
)  # fmt: skip
TEXT_FEATURES = tuple(chain.from_iterable(_NAMES))
# Where each group is in the table
_GROUPS = list(starmap(slice, pairwise(accumulate(map(len, _NAMES), initial=0))))
# The rows of which the logarithm is taken, and that of which it is negative before the title
_LOGS = np.flatnonzero((*WORDING_LOGS, *PLACE_LOGS, *NEIGHBOUR_LOGS, *REPETITION_LOGS))
_AFTER_TITLE = TEXT_FEATURES.index("texts_after_title")


def text_features(texts: PageTexts, room: int = 0) -> FeatureTable:
    """Return the features of all texts, none if the page has no text; ``room``: for how many others."""
    table = FeatureTable(len(texts), len(TEXT_FEATURES) + room)
    if not len(texts):
        return table
    if text_tables is None:
        table.add(text_features_plain(texts))
        return table
    rows = table.added(TEXT_FEATURES)
    wording, places, neighbours, repetitions, metadata, keywords = (rows[own] for own in _GROUPS)
    write_wording(texts, wording)
    before_title = write_places(texts, places)
    write_neighbours(texts, neighbours)
    write_repetitions(texts, repetitions)
    for row, column in zip(metadata, metadata_features(texts).values(), strict=True):
        row[:] = column
    write_keywords(texts, keywords)
    logs = rows[_LOGS]
    rows[_LOGS] = np.log1p(logs, out=logs)
    rows[_AFTER_TITLE, :before_title] *= -1.0
    return table


def text_features_plain(texts: PageTexts) -> FeatureColumns:
    """Return a column per feature with one value per text, with numpy alone."""
    features: FeatureColumns = {}
    for group in FEATURE_GROUPS:
        features.update(group(texts))
    return features


def feature_table(features: Mapping[str, NDArray[np.generic]], names: Sequence[str]) -> Numbers:
    """Return the named features as the columns of one table, in column-major order since it is filled by column."""
    table = np.empty((len(features[names[0]]), len(names)), order="F")
    for k, name in enumerate(names):
        table[:, k] = features[name]
    return table

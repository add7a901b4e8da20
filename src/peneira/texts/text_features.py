"""Features of every text of a page: wording, position, neighbours, repetition, metadata and attribute keywords.

All features are computed for all texts at once, from running sums over the node table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from peneira.ml.forest import Numbers
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.keyword_features import keyword_features
from peneira.texts.metadata_features import metadata_features
from peneira.texts.page_texts import PageTexts
from peneira.texts.position_features import block_features, neighbour_features, parent_features, position_features
from peneira.texts.repetition_features import repetition_features
from peneira.texts.wording_features import wording_features

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


def text_features(texts: PageTexts) -> FeatureColumns:
    """Return a column per feature with one value per text; no columns if the page has no text."""
    features: FeatureColumns = {}
    if len(texts):
        for group in FEATURE_GROUPS:
            features.update(group(texts))
    return features


def feature_table(features: FeatureColumns, names: Sequence[str]) -> Numbers:
    """Return the named features as the columns of one table, in column-major order since it is filled by column."""
    table = np.empty((len(features[names[0]]), len(names)), order="F")
    for k, name in enumerate(names):
        table[:, k] = features[name]
    return table

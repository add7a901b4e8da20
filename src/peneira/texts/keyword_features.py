"""Features of keywords: what the names of the elements around a text, and of the whole page, say about it."""

from __future__ import annotations

import numpy as np

from peneira.ml.forest import Numbers
from peneira.texts.attribute_keywords import ANCESTOR_TAGS, GROUP_NAMES, unpack_bits
from peneira.texts.feature_columns import FeatureColumns
from peneira.texts.page_texts import PageTexts
from peneira.texts.tag_kinds import text_tables

# Groups that indicate the kind of page, wherever on the page they occur
PAGE_GROUPS = ("author", "cart", "comment", "ingredient", "instruction", "place", "price", "rating", "recipe")

KEYWORD_FEATURES = (
    *(f"near_{name}" for name in GROUP_NAMES),
    *(f"above_{name}" for name in GROUP_NAMES),
    *(f"in_{name}" for name in ANCESTOR_TAGS),
    *(f"page_{name}" for name in PAGE_GROUPS),
)
_PAGE_NUMBERS = np.array([GROUP_NAMES.index(name) for name in PAGE_GROUPS], dtype=np.int64)


def write_keywords(texts: PageTexts, rows: Numbers) -> None:
    """Write ``KEYWORD_FEATURES`` of each text."""
    own, inherited = texts.keyword_bits
    parent = texts.page.parent
    text_tables.keywords(rows, own, inherited, parent, texts.rows, len(GROUP_NAMES), len(ANCESTOR_TAGS), _PAGE_NUMBERS)


def keyword_features(texts: PageTexts) -> FeatureColumns:
    """Return the keyword groups of the two nearest ancestors of each text, of all ancestors, and of the page."""
    own, inherited = texts.keyword_bits
    nodes = texts.page.parent[texts.rows]
    near = unpack_bits(own[nodes] | own[texts.page.parent[nodes]], len(GROUP_NAMES))
    above = unpack_bits(inherited[nodes], len(GROUP_NAMES) + len(ANCESTOR_TAGS))
    features: FeatureColumns = {f"near_{name}": near[:, k] for k, name in enumerate(GROUP_NAMES)}
    above_names = (*(f"above_{name}" for name in GROUP_NAMES), *(f"in_{name}" for name in ANCESTOR_TAGS))
    features |= {name: above[:, k] for k, name in enumerate(above_names)}
    page_bits = int(np.bitwise_or.reduce(own))
    features |= {f"page_{name}": np.full(len(texts), page_bits >> GROUP_NAMES.index(name) & 1) for name in PAGE_GROUPS}
    return features

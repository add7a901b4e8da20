"""The similarity of two nodes of different records: how likely they are the same field."""

from __future__ import annotations

from dataclasses import dataclass

from peneira.columns.outline import BLOCK, MEDIA, TEXT
from peneira.columns.prototypes import CONSTANT_SIGN, NodeFeatures

# Nodes below this similarity are different fields
MIN_SIMILARITY = 0.25
# The similarity of nodes that cannot be the same field
DIFFERENT = -1.0
# Tags that authors exchange freely for the same field
_GENERIC_TAGS = frozenset("div span p section article li dd td a h1 h2 h3 h4 h5 h6 b strong em #text".split())


@dataclass(frozen=True, slots=True)
class SimilarityWeights:
    """What two nodes have in common or not, in points that are added up; set by hand."""

    # Equal features or equal labels outweigh anything else in the record
    equal: float = 2.0
    same_kind: float = 0.5
    # Of a block and a text: the text may be all that this record has of the block
    other_kind: float = 0.2
    same_tag: float = 0.4
    # Shared words count by their share; words without a match speak against
    words_on_one_side: float = -0.15
    no_shared_words: float = -0.3
    same_pattern: float = 0.6
    # Most texts match no pattern, so that this says little
    both_without_pattern: float = 0.1
    pattern_on_one_side: float = -0.2
    other_pattern: float = -0.4
    # A text of the template against a value: the value may replace it in some records
    constant_and_pattern: float = -0.2
    # Two different texts of the template stand in different slots
    other_constant: float = -0.6
    # The shared share of what two blocks contain counts from here
    unlike_children: float = -0.3


WEIGHTS = SimilarityWeights()


def similarity(one: NodeFeatures, other: NodeFeatures) -> float:
    """Return how similar two nodes are; below ``MIN_SIMILARITY`` they are different fields."""
    if one is other:
        return WEIGHTS.equal
    if {one.kind, other.kind} == {TEXT, MEDIA}:
        return DIFFERENT
    if one.label or other.label:
        if one.label == other.label:
            return WEIGHTS.equal
        if one.label and other.label:
            return DIFFERENT
    points = WEIGHTS.same_kind if one.kind == other.kind else WEIGHTS.other_kind
    if one.tag == other.tag:
        points += WEIGHTS.same_tag
    elif not (one.tag in _GENERIC_TAGS and other.tag in _GENERIC_TAGS):
        return DIFFERENT
    points += _word_points(one.words, other.words)
    if one.kind == other.kind == TEXT:
        points += _pattern_points(one.pattern, other.pattern)
    elif one.kind == other.kind == BLOCK and one.child_words and other.child_words:
        shared = len(one.child_words & other.child_words) / len(one.child_words | other.child_words)
        points += shared + WEIGHTS.unlike_children
    return points


def _word_points(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0 if one == other else WEIGHTS.words_on_one_side
    shared = len(one & other) / min(len(one), len(other))
    return shared if shared else WEIGHTS.no_shared_words


def _pattern_points(one: str, other: str) -> float:
    if one == other:
        return WEIGHTS.same_pattern if one else WEIGHTS.both_without_pattern
    constants = one.startswith(CONSTANT_SIGN) + other.startswith(CONSTANT_SIGN)
    if constants == 2:
        return WEIGHTS.other_constant
    if one and other:
        return WEIGHTS.constant_and_pattern if constants else WEIGHTS.other_pattern
    return WEIGHTS.pattern_on_one_side

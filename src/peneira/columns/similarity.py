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
_GENERIC_TAGS = frozenset("div span p section article li dd td a h1 h2 h3 h4 h5 h6 b strong em ins #text".split())


@dataclass(frozen=True, slots=True)
class SimilarityWeights:
    """What two nodes have in common or not, in points that are added up."""

    # Equal features or equal labels outweigh anything else in the record
    equal: float = 2.0
    same_kind: float = 0.5
    # Of a block and a text: the text may be all that this record has of the block
    other_kind: float = 0.2
    same_tag: float = 0.4
    # The share of words in common counts as points (0..1), with more where all words are equal; these replace it where
    # there are none
    equal_words: float = 0.3
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
    # Added to the share (0..1) of tags and words that the children of two blocks have in common
    unlike_children: float = -0.3


WEIGHTS = SimilarityWeights()


def similarity(first: NodeFeatures, second: NodeFeatures) -> float:
    """Return how similar two nodes are; below ``MIN_SIMILARITY`` they are different fields."""
    if first is second:
        return WEIGHTS.equal
    if {first.kind, second.kind} == {TEXT, MEDIA}:
        return DIFFERENT
    if first.label or second.label:
        if first.label == second.label:
            return WEIGHTS.equal
        if first.label and second.label:
            return DIFFERENT
    points = WEIGHTS.same_kind if first.kind == second.kind else WEIGHTS.other_kind
    if first.tag == second.tag:
        points += WEIGHTS.same_tag
    elif not (first.tag in _GENERIC_TAGS and second.tag in _GENERIC_TAGS):
        return DIFFERENT
    points += _word_points(first.words, second.words)
    if first.kind == second.kind == TEXT:
        points += _pattern_points(first.pattern, second.pattern)
    elif first.kind == second.kind == BLOCK and first.child_words and second.child_words:
        shared = len(first.child_words & second.child_words) / len(first.child_words | second.child_words)
        points += shared + WEIGHTS.unlike_children
    return points


def _word_points(first: frozenset[str], second: frozenset[str]) -> float:
    if not first or not second:
        return 0.0 if first == second else WEIGHTS.words_on_one_side
    if first == second:
        return 1.0 + WEIGHTS.equal_words
    shared = len(first & second) / min(len(first), len(second))
    return shared if shared else WEIGHTS.no_shared_words


def _pattern_points(first: str, second: str) -> float:
    if first == second:
        return WEIGHTS.same_pattern if first else WEIGHTS.both_without_pattern
    constants = first.startswith(CONSTANT_SIGN) + second.startswith(CONSTANT_SIGN)
    if constants == 2:
        return WEIGHTS.other_constant
    if first and second:
        return WEIGHTS.constant_and_pattern if constants else WEIGHTS.other_pattern
    return WEIGHTS.pattern_on_one_side

"""Examples for the model of whole texts: did the gold make one column of a text with parts, or of the parts?

A gold field that more of the whole's cells hold than of any part's is a vote for the whole, and the reverse one for the
parts. The features depend on the scores of roles and interest, which must come from models that have not seen the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peneira.columns.candidate_columns import CandidateColumns
from peneira.columns.roles import RoleModels, score_columns
from peneira.columns.whole_texts import TextTree, alive_columns, text_tree, whole_table

# The share of a field's values that the whole or one of its parts must hold, on pages with titles alone more
MIN_HELD = 0.3
MIN_HELD_TITLES = 0.8
# Shares that differ by less are equal
MIN_DIFFERENCE = 0.02
# Pages with titles alone count this much: chosen by `peneira bench table --unseen`
TITLES_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class WholeExample:
    """The texts with parts of a page that the gold says something about, by number: votes for whole and for parts."""

    candidates: CandidateColumns
    votes: dict[int, tuple[float, float]]
    weight: float


def whole_example(
    candidates: CandidateColumns, held: Mapping[str, NDArray[np.float64]], *, has_fields: bool
) -> WholeExample | None:
    """Return the example of a page, None if the gold says nothing. ``held``: the share of each field by column."""
    tree = text_tree(candidates.columns, alive_columns(candidates))
    least = MIN_HELD if has_fields else MIN_HELD_TITLES
    votes = {}
    for k, inside in _inside(tree).items():
        whole, parts = _votes(held, k, inside, least)
        if whole or parts:
            votes[k] = whole, parts
    if not votes:
        return None
    return WholeExample(candidates, votes, (1.0 if has_fields else TITLES_WEIGHT) / np.sqrt(len(votes)))


def _inside(tree: TextTree) -> dict[int, list[int]]:
    """Return for each text with parts all that it contains."""
    inside: dict[int, list[int]] = {}
    for k in reversed(tree.order):
        inside[k] = [part for child in tree.children.get(k, ()) for part in (child, *inside[child])]
    return {k: parts for k, parts in inside.items() if parts}


def _votes(held: Mapping[str, NDArray[np.float64]], k: int, inside: Sequence[int], least: float) -> tuple[float, float]:
    whole = parts = 0.0
    for shares in held.values():
        difference = float(shares[k] - shares[inside].max())
        if max(shares[k], shares[inside].max()) >= least and abs(difference) > MIN_DIFFERENCE:
            whole += max(difference, 0.0)
            parts += max(-difference, 0.0)
    return whole, parts


def whole_rows(example: WholeExample, models: RoleModels) -> Iterator[tuple[NDArray[np.float64], float, float]]:
    """Yield the features of each text with votes, whether it is for the whole (1.0 or 0.0), and its weight."""
    tree = text_tree(example.candidates.columns, alive_columns(example.candidates))
    numbers, table = whole_table(example.candidates, score_columns(example.candidates, models), tree)
    for k, features in zip(numbers, table, strict=True):
        for label, weight in zip((1.0, 0.0), example.votes.get(k, (0.0, 0.0)), strict=True):
            if weight:
                yield features, label, weight * example.weight

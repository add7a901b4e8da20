"""How the best candidates of a page relate: the same list cut finer or coarser, longer or shorter, or another list.

A list of half records, of pairs or of titles looks good by itself, but not next to the list of whole records. Each of
the candidates with the best screening scores gets features of the others, by the way in which they relate to it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from peneira.arrays import Integers, running_sum, table_of
from peneira.lists.candidates import Candidates, kernel

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

# The share of a list's records that must lie inside records of the other, or be the same, for a relation to hold
MIN_INSIDE = 0.8
MIN_SAME = 0.7
# The score of a related list where there is none
NO_SCORE = -1.0

RELATIONS = ("fuller", "thinner", "coarser", "finer", "longer", "shorter", "disjoint", "overlapping")
RELATION_FEATURES = (
    *("score", "score_gap", "rank", "rivals", "rival_score"),
    *(f"{relation}_{feature}" for relation in RELATIONS for feature in ("score", "gap", "share", "records", "lists")),
)

# The features that are logarithms
_LOGARITHMS = np.array(
    [k for k, name in enumerate(RELATION_FEATURES) if name.endswith(("_share", "_records"))], dtype=np.int64
)


def write_relations(rows: int, candidates: Candidates, scores: Numbers, share: Numbers, table: Numbers) -> Flags:
    """Write the features of ``relation_features`` to a table, compiled, and return which candidates are disjoint."""
    assert kernel is not None
    disjoint: Flags = kernel.related(
        candidates.starts,
        candidates.ends,
        candidates.counts,
        rows,
        scores,
        share,
        MIN_INSIDE,
        MIN_SAME,
        NO_SCORE,
        table,
    )
    ratios = table.take(_LOGARITHMS, axis=1)
    table[:, _LOGARITHMS] = np.log(ratios, out=ratios)
    return disjoint


def relation_features(related: Mapping[str, Flags], scores: Numbers, share: Numbers, counts: Integers) -> Numbers:
    """Return a row of features per candidate, in the order of ``RELATION_FEATURES``.

    ``related``: see ``relations``; ``scores``: best first; ``share``: each candidate's share of the page's text;
    ``counts``: its number of records.
    """
    count = len(scores)
    others = np.where(np.eye(count, dtype=np.bool_), -np.inf, scores[:, None]).max(axis=0)
    columns: list[NDArray[np.generic]] = [
        scores,
        scores - scores.max(),
        np.arange(count),
        np.full(count, count),
        np.where(np.isfinite(others), others, NO_SCORE),
    ]
    return table_of([*columns, *_features_of_relations(np.array(list(related.values())), scores, share, counts)])


def _features_of_relations(holds: Flags, scores: Numbers, share: Numbers, counts: Integers) -> Numbers:
    """Return, relation after relation, the score, lead, text and records of the best candidate in it, and how many
    there are. ``holds``: the matrices of all relations."""
    rivals = np.where(holds, scores[:, None], -np.inf)
    best = rivals.argmax(axis=1)
    exists = holds.any(axis=1)
    features = (
        np.where(exists, scores[best], NO_SCORE),
        np.where(exists, scores - scores[best], 0),
        np.where(exists, np.log((share[best] + 1e-4) / (share + 1e-4)), 0),
        np.where(exists, np.log(counts[best] / counts), 0),
        holds.sum(axis=1),
    )
    return np.stack(features, axis=1).reshape(-1, len(scores))


def relations(rows: int, candidates: Candidates) -> dict[str, Flags]:
    """Return, by relation, a matrix that is true where the candidate of the row relates so to that of the column.

    *fuller*: the same records with more in each; *coarser*: several records in one; *longer*: the same records and
    more of them; *thinner*, *finer*, *shorter*: the reverse; *disjoint*: another part of the page; *overlapping*: none
    of these. ``rows``: of the page.
    """
    overlap = _overlaps(rows, candidates)
    counts = candidates.counts.astype(np.float64)
    column_counts = counts[None, :]
    inside = overlap["inside"] / column_counts
    is_other = ~np.eye(len(candidates), dtype=np.bool_)
    longer = (overlap["same"] / column_counts >= MIN_SAME) & (counts[:, None] > column_counts) & is_other
    one_to_one = (inside >= MIN_INSIDE) & (overlap["hit"] >= MIN_INSIDE * column_counts)
    fuller = one_to_one & (overlap["same"] / column_counts < MIN_SAME) & ~longer & ~longer.T & is_other
    coarser = (inside >= MIN_INSIDE) & (overlap["hit"] < MIN_INSIDE * column_counts) & is_other & ~fuller
    touching = overlap["touched"] > 0
    by_relation = {
        "fuller": fuller,
        "thinner": fuller.T & ~fuller,
        "coarser": coarser,
        "finer": coarser.T & ~fuller & ~fuller.T,
        "longer": longer,
        "shorter": longer.T & ~longer,
        "disjoint": ~touching & ~touching.T & is_other,
    }
    known = np.logical_or.reduce(list(by_relation.values()))
    return by_relation | {"overlapping": is_other & ~known}


def _overlaps(rows: int, candidates: Candidates) -> dict[str, Numbers]:
    """Return, per candidate (row) and candidate (column), how many records of the column's candidate

    lie *inside* one of the row's candidate, *touch* one, are the *same* as one; and how many of the row's they *hit*.
    """
    if kernel is not None:
        tables = kernel.overlaps(candidates.starts, candidates.ends, candidates.counts, rows)
        return dict(zip(("inside", "touched", "same", "hit"), tables, strict=True))
    starts, ends, first = candidates.starts, candidates.ends, candidates.first
    at = _record_at(rows, candidates)
    begin, last = at[:, starts], at[:, ends - 1]
    inside = (begin == last) & (begin >= 0)
    same = inside & (starts[begin] == starts) & (ends[begin] == ends)
    outer = np.where(inside, begin, -1)
    entered = np.ones_like(inside)
    entered[:, 1:] = outer[:, 1:] != outer[:, :-1]
    entered[:, first] = True
    flags = {
        "inside": inside,
        "touched": (begin >= 0) | (last >= 0),
        "same": same,
        "hit": inside & entered,
    }
    return {name: np.add.reduceat(matrix.astype(np.float64), first, axis=1) for name, matrix in flags.items()}


def _record_at(rows: int, candidates: Candidates) -> NDArray[np.int32]:
    """Return, per candidate and row of the page, the record that the row lies in; -1 where there is none."""
    at = np.full((len(candidates), rows + 1), -1, dtype=np.int32)
    lengths = candidates.ends - candidates.starts
    record = np.repeat(np.arange(len(lengths)), lengths)
    inside = np.repeat(candidates.starts - running_sum(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    candidate = np.repeat(np.arange(len(candidates)), candidates.counts)
    at[candidate[record], inside] = record
    return at
